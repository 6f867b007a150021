/**
 * Jobs of the commands that print parts of documents: as texts of the command line, which can be
 * sent to threads, and compiled.
 */

import {
  compileElements,
  compilePointers,
  compileRules,
  filterBy,
  isTooDeep,
  prepareAll,
  type Rule,
} from "../../parser/streaming/cli_internals.ts";
import type { ByteOutput } from "./byte_output.ts";
import { parseCondition, parseTokens } from "./condition_text.ts";
import type { Job } from "./document_reader.ts";
import { type ColumnPath, FirstRowColumns } from "./first_row.ts";
import { parseMask } from "./mask_text.ts";
import { compileOutline } from "./outline.ts";
import type { SelectedParts } from "./part_copier.ts";
import { missingAt } from "./pointer_notations.ts";
import { MaskRows, type RowFormat } from "./rows.ts";

const NO_OBJECT = "Expected an object";
/** Beginning of a command line for the elements of an array. */
const EACH = "bytejson each '' FILE | bytejson select";

/** Advice for arrays where conditions ask for members of objects. */
export const FILTER_ELEMENTS: string = `try ${EACH} --where …`;

export interface JobText {
  readonly kind: SelectedParts["kind"];
  /** Mask, or pointer of a value or elements; `undefined` for all of a document. */
  readonly selected: string | undefined;
  readonly wheres?: readonly string[] | undefined;
  readonly rows?: RowFormat | undefined;
  /** Columns of the first row without a mask; `undefined` until that row is read. */
  readonly columns?: readonly ColumnPath[] | undefined;
  readonly isRaw: boolean;
  /** Whether results are the elements of an array: see `Job`. */
  readonly isArray?: boolean;
  /** Whether the elements are the members of an object. */
  readonly isOfObject?: boolean;
  readonly maxDiagnostics: number;
}

/**
 * Compiles a job. The header of rows is then in the output.
 *
 * @throws {UsageError} If a text is wrong; the error points to the mistake.
 */
export function compileJob(text: JobText, output: ByteOutput): Job {
  const { kind, selected, wheres, rows, isRaw, isArray, maxDiagnostics } = text;
  if (kind !== "parts") return { selected: partsAt(selected!, text), filter: null, isArray, maxDiagnostics };
  const picture = selected === undefined ? undefined : parseMask(selected);
  const rules = wheres?.map(parseCondition);
  const filter = rules === undefined ? null : filterBy(compileRules(rules));
  const arrayProblem = rules?.some(asksMember)
    ? `${NO_OBJECT}, as the conditions need one: ${FILTER_ELEMENTS}`
    : undefined;
  if (picture === undefined) {
    if (rows === undefined) return { selected: null, filter, arrayProblem, isArray, maxDiagnostics };
    const outline = compileOutline(true);
    const writer = new FirstRowColumns(rows, output, text.columns, maxDiagnostics);
    const parts = { kind, root: outline.node, outline, end: undefined, rows: writer, problem: "", isRaw };
    return { selected: parts, filter, arrayProblem, maxDiagnostics };
  }
  const outline = compileOutline(picture);
  const writer = rows && new MaskRows(rows, picture, output, selected!);
  const mask = selected!.trim();
  const inner = outline.element === null ? "" : `: try '${mask.slice(1, -1).trim()}'`;
  const problem = outline.isArray
    ? `Expected an array, as the mask has${inner}`
    : `${NO_OBJECT}, as the mask has: try '[${mask}]', or ${EACH} '${mask}'`;
  const parts = { kind, root: outline.node, outline, end: undefined, rows: writer, problem, isRaw };
  return { selected: parts, filter, arrayProblem, isArray, maxDiagnostics };
}

/** Returns the writer of rows whose columns are those of the first one, if there is one. */
export function columnsOfJob({ selected }: Job): FirstRowColumns | undefined {
  return selected?.rows instanceof FirstRowColumns ? selected.rows : undefined;
}

/** Returns whether a rule can only hold for an object at the top level. */
function asksMember(rule: Rule): boolean {
  if ("joint" in rule) {
    if (rule.joint === "not") return false;
    return rule.joint === "all" ? rule.rules.some(asksMember) : rule.rules.every(asksMember);
  }
  const [token] = rule.path;
  return typeof token === "string" && !/^\d+$/.test(token);
}

function capitalised(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

/** Returns the value or the elements at a pointer as parts to copy. */
export function partsAt(
  pointer: string,
  { kind, isRaw, isOfObject = false }: Pick<JobText, "kind" | "isRaw" | "isOfObject">,
): SelectedParts {
  const tokens = parseTokens(pointer);
  const { root, ends: [end] } = kind === "elements" ? compileElements(tokens, isOfObject) : compilePointers([tokens]);
  // Without this, the walker over pieces would read all of each document.
  if (kind === "value" && !isTooDeep(tokens)) prepareAll(root);
  return {
    kind,
    root,
    outline: undefined,
    end,
    rows: undefined,
    problem: capitalised(missingAt(pointer)),
    isRaw,
    isOfObject,
  };
}
