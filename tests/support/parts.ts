/** Reading of parts of documents by the commands that print them, without their other work. */

import { ByteOutput } from "../../cli/select/byte_output.ts";
import { DocumentReader, type Job } from "../../cli/select/document_reader.ts";
import { compileJob, partsAt } from "../../cli/select/job.ts";
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
  const kind = get !== undefined ? "value" : each !== undefined ? "elements" : "parts";
  const options = { kind, isRaw, maxDepth: 1e6 } as const;
  const tokens = get ?? each;
  const { filter, wanted }: Pick<Job, "filter" | "wanted"> = tokens !== undefined
    ? { filter: null, wanted: partsAt(tokens, options) }
    : compileJob({ ...options, wanted: mask, wheres: where, rows: format, maxDiagnostics: Infinity }, output);
  const job: Job = { wanted, filter, maxDiagnostics: Infinity };
  const diagnostics: Diagnostic[] = [];
  const reader = new DocumentReader(job, isJsonLines, output, first, (diagnostic) => diagnostics.push(diagnostic));
  const decoder = new TextDecoder();
  let text = "";
  const take = (): void => {
    text += decoder.decode(output.bytes.subarray(0, output.committed), { stream: true });
    output.dropCommitted();
  };
  for (let p = 0; p < bytes.length && !reader.isComplete; p += pieceBytes) {
    reader.push(bytes.slice(p, p + pieceBytes));
    take();
  }
  if (!reader.isComplete) reader.end();
  take();
  const { documents, invalidDocuments: invalid, results } = reader;
  return { output: text, diagnostics, documents, invalid, results };
}
