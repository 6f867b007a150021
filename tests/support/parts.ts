/**
 * Reading of parts of documents by the commands that print them, without their other work.
 *
 * @module
 */

import { ByteOutput } from "../../cli/select/byte_output.ts";
import { parseCondition } from "../../cli/select/conditions.ts";
import { compileTests } from "../../parser/wanted/conditions.ts";
import { compilePicture, compileTokens } from "../../cli/select/copy_node.ts";
import { DocumentReader, type Job } from "../../cli/select/document_reader.ts";
import { parseMask } from "../../cli/select/mask_text.ts";
import { RowWriter } from "../../cli/select/rows.ts";
import type { Diagnostic } from "../../cli/diagnostics/diagnostic_validator.ts";

/** Parts to read of documents. */
export interface Wanted {
  mask?: string;
  where?: readonly string[];
  format?: "csv" | "tsv";
  /** Tokens of the pointer of `get`, or of `each`. */
  get?: readonly string[];
  each?: readonly string[];
  isRaw?: boolean;
  first?: number;
}

/** Parts that were read. */
export interface PartsRun {
  output: string;
  diagnostics: Diagnostic[];
  documents: number;
  invalid: number;
  results: number;
}

/** Reads documents that arrive in pieces of some bytes. */
export function readParts(
  { mask, where, format, get, each, isRaw = false, first = Infinity }: Wanted,
  bytes: Uint8Array,
  isJsonLines: boolean | undefined,
  pieceBytes = bytes.length || 1,
): PartsRun {
  const output = new ByteOutput();
  const picture = mask === undefined ? undefined : parseMask(mask);
  const root = picture !== undefined
    ? compilePicture(picture)
    : get !== undefined || each !== undefined
    ? compileTokens(get ?? each!, each !== undefined)
    : null;
  const job: Job = {
    root,
    kind: get !== undefined ? "value" : each !== undefined ? "elements" : "parts",
    conditions: where && compileTests(where.map(parseCondition)),
    rows: format && new RowWriter(format, picture!, root!.mask, output, mask!),
    options: { isRaw, maxDepth: 1e6 },
    maxDiagnostics: Infinity,
  };
  const diagnostics: Diagnostic[] = [];
  const reader = new DocumentReader(job, isJsonLines, output, first, (diagnostic) => diagnostics.push(diagnostic));
  const decoder = new TextDecoder();
  let text = "";
  const readAll = (isLast: boolean): void => {
    for (let isRead = false; !isRead;) {
      isRead = reader.read(isLast);
      text += decoder.decode(output.bytes.subarray(0, output.committed), { stream: true });
      reader.dropWritten();
    }
  };
  for (let p = 0; p < bytes.length && !reader.isComplete; p += pieceBytes) {
    reader.push(bytes.slice(p, p + pieceBytes));
    readAll(false);
  }
  if (!reader.isComplete) readAll(true);
  const { documents, invalidDocuments: invalid, results } = reader;
  return { output: text, diagnostics, documents, invalid, results };
}
