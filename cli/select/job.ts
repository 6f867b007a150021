/**
 * What the commands that print parts of documents are asked for: as texts of the command line, which
 * can be sent to threads, and compiled.
 *
 * @module
 */

import { compileTests } from "../../parser/wanted/conditions.ts";
import { UsageError } from "../arguments.ts";
import type { ByteOutput } from "./byte_output.ts";
import { parseCondition, parseTokens } from "./conditions.ts";
import { compilePicture, compileTokens } from "./copy_node.ts";
import type { Job } from "./document_reader.ts";
import { parseMask } from "./mask_text.ts";
import { type RowFormat, RowWriter } from "./rows.ts";

/** Parts to print, and how. */
export interface JobText {
  readonly kind: Job["kind"];
  /** Mask, or pointer of a value or elements; `undefined` for all of a document. */
  readonly wanted: string | undefined;
  readonly wheres?: readonly string[] | undefined;
  readonly rows?: RowFormat | undefined;
  readonly isRaw: boolean;
  readonly maxDepth: number;
  readonly maxDiagnostics: number;
}

/**
 * Compiles a job. The header of rows is then in the output.
 *
 * @throws {UsageError} If a text is wrong; the error points to the place.
 */
export function compileJob(text: JobText, output: ByteOutput): Job {
  const { kind, wanted, wheres, rows, isRaw, maxDepth, maxDiagnostics } = text;
  const rest = { kind, options: { isRaw, maxDepth }, maxDiagnostics };
  if (kind !== "parts") {
    const root = compileTokens(parseTokens(wanted!), kind === "elements");
    return { ...rest, root, conditions: undefined, rows: undefined };
  }
  const picture = wanted === undefined ? undefined : parseMask(wanted);
  const conditions = wheres && compileTests(wheres.map(parseCondition));
  if (rows !== undefined && picture === undefined) throw new UsageError(`--${rows} needs a mask`);
  const root = picture === undefined ? null : compilePicture(picture);
  return { ...rest, root, conditions, rows: rows && new RowWriter(rows, picture!, root!.mask, output, wanted!) };
}
