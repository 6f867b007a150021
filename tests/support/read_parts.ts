/** Reading of parts of documents by the commands that print them, without their other work. */

import { ByteOutput } from "../../cli/select/byte_output.ts";
import { DocumentReader, type Job } from "../../cli/select/document_reader.ts";
import { compileJob, partsAt } from "../../cli/select/job.ts";
import { pointerOf } from "./pointing.ts";

/** Parts of documents to read: those of a mask or conditions, or at the tokens of a pointer. */
export interface PartsToRead {
  mask?: string;
  where?: readonly string[];
  get?: readonly string[];
  each?: readonly string[];
  /** Whether `each` is of the members of an object. */
  isOfObject?: boolean;
}

/** Reads documents in pieces of `size` bytes. Returns the output; fails for a diagnostic. */
export function readParts(
  { mask, where, get, each, isOfObject = false }: PartsToRead,
  bytes: Uint8Array,
  isJsonLines: boolean,
  size = 2 ** 30,
) {
  const output = new ByteOutput();
  const kind = get ? "value" : each ? "elements" : "parts";
  const options = { kind, isRaw: false, isOfObject, maxDiagnostics: Infinity } as const;
  const tokens = get ?? each;
  const { filter, selected }: Pick<Job, "filter" | "selected"> = tokens
    ? { filter: null, selected: partsAt(pointerOf(tokens), options) }
    : compileJob({ ...options, selected: mask, wheres: where, rows: undefined }, output);
  const reader = new DocumentReader(
    { selected, filter, maxDiagnostics: Infinity },
    isJsonLines ? "lines" : "document",
    output,
    Infinity,
    () => {
      throw new Error("The document is not valid");
    },
  );
  const decoder = new TextDecoder();
  let text = "";
  for (let p = 0; p <= bytes.length; p += size) {
    if (p < bytes.length) reader.push(bytes.slice(p, p + size));
    if (p + size >= bytes.length) reader.end();
    text += decoder.decode(output.bytes.subarray(0, output.committed), { stream: true });
    output.dropCommitted();
    if (p + size >= bytes.length) break;
  }
  return text;
}
