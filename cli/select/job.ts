/**
 * What the commands that print parts of documents are asked for: as texts of the command line, which
 * can be sent to threads, and compiled.
 */

import { prepareAll } from "../../parser/wanted/compile_mask.ts";
import { compileRules, filterBy, isTooDeep } from "../../parser/wanted/conditions.ts";
import { compileElements, compilePointers } from "../../parser/wanted/pointers.ts";
import { UsageError } from "../arguments.ts";
import type { ByteOutput } from "./byte_output.ts";
import { parseCondition, parseTokens } from "./conditions.ts";
import type { Job } from "./document_reader.ts";
import { parseMask } from "./mask_text.ts";
import { compileOutline } from "./outline.ts";
import type { WantedParts } from "./part_copier.ts";
import { type RowFormat, RowWriter } from "./rows.ts";

export interface JobText {
  readonly kind: WantedParts["kind"];
  /** Mask, or pointer of a value or elements; `undefined` for all of a document. */
  readonly wanted: string | undefined;
  readonly wheres?: readonly string[] | undefined;
  readonly rows?: RowFormat | undefined;
  readonly isRaw: boolean;
  readonly maxDiagnostics: number;
}

/**
 * Compiles a job. The header of rows is then in the output.
 *
 * @throws {UsageError} If a text is wrong; the error points to the place.
 */
export function compileJob(text: JobText, output: ByteOutput): Job {
  const { kind, wanted, wheres, rows, isRaw, maxDiagnostics } = text;
  if (kind !== "parts") {
    return { wanted: partsAt(parseTokens(wanted!), text), filter: null, maxDiagnostics, pointer: wanted };
  }
  const picture = wanted === undefined ? undefined : parseMask(wanted);
  const filter = wheres === undefined ? null : filterBy(compileRules(wheres.map(parseCondition)));
  if (picture === undefined) {
    if (rows !== undefined) throw new UsageError(`--${rows} needs a mask`);
    return { wanted: null, filter, maxDiagnostics };
  }
  const outline = compileOutline(picture);
  const writer = rows && new RowWriter(rows, picture, output, wanted!);
  const parts = { kind, root: outline.node, outline, end: undefined, rows: writer, isRaw };
  return { wanted: parts, filter, maxDiagnostics };
}

/** Returns the value or the elements at a pointer as parts to copy. */
export function partsAt(
  tokens: readonly string[],
  { kind, isRaw }: Pick<JobText, "kind" | "isRaw">,
): WantedParts {
  const { root, ends: [end] } = kind === "elements" ? compileElements(tokens) : compilePointers([tokens]);
  // Otherwise the walker over pieces reads all of each document.
  if (kind === "value" && !isTooDeep(tokens)) prepareAll(root);
  return { kind, root, outline: undefined, end, rows: undefined, isRaw };
}
