/** Reading of parts of documents by the commands that print them, without their other work. */

import { ByteOutput } from "../../cli/select/byte_output.ts";
import { DocumentReader, type Job } from "../../cli/select/document_reader.ts";
import { compileJob, partsAt } from "../../cli/select/job.ts";

/** Parts to read of documents: those of a mask or of conditions, or elements at the tokens of a pointer. */
export interface Wanted {
  mask?: string;
  where?: readonly string[];
  each?: readonly string[];
}

/** Reads documents that arrive in pieces of some bytes. */
export function readParts(
  { mask, where, each }: Wanted,
  bytes: Uint8Array,
  isJsonLines: boolean,
  pieceBytes = 2 ** 30,
) {
  const output = new ByteOutput();
  const options = { kind: each ? "elements" : "parts", isRaw: false, maxDepth: 1e6, maxDiagnostics: Infinity } as const;
  const { filter, wanted }: Pick<Job, "filter" | "wanted"> = each
    ? { filter: null, wanted: partsAt(each, options) }
    : compileJob({ ...options, wanted: mask, wheres: where, rows: undefined }, output);
  const job: Job = { wanted, filter, maxDiagnostics: Infinity };
  const reader = new DocumentReader(job, isJsonLines, output, Infinity, () => {});
  for (let p = 0; p < bytes.length; p += pieceBytes) {
    reader.push(bytes.slice(p, p + pieceBytes));
    output.dropCommitted();
  }
  reader.end();
}
