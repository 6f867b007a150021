/**
 * Child process that measures the memory of iterating over the elements of an array that is much
 * larger than memory. Prints a {@linkcode MemoryReading} as JSON.
 *
 *     stream_memory.ts BYTES
 *
 * @module
 */

import process from "node:process";
import { peakResidentBytes, resetPeak, residentBytes } from "../../measure/process_memory.ts";
import { parseValues } from "../../parse_stream.ts";
import { generate } from "../support/documents.ts";

/** Memory and time of an iteration. */
export interface MemoryReading {
  bytes: number;
  values: number;
  seconds: number;
  /** Highest resident set, above the resident set before, in bytes. */
  peak: number;
}

/** Bytes of the records that are repeated. */
const BLOCK_BYTES = 1_000_000;
const CHUNK_BYTES = 65_536;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;

const block = generate("records", BLOCK_BYTES);
block[block.length - 1] = COMMA; // instead of the closing bracket

/**
 * Yields an array of at least `size` bytes in chunks, as a socket does: each has a buffer of its
 * own.
 */
function* arrayOf(size: number): Generator<Uint8Array> {
  yield block.slice(0, 1);
  for (let sent = 0; sent < size; sent += block.length - 1) {
    const isLast = sent + block.length - 1 >= size;
    for (let start = 1; start < block.length; start += CHUNK_BYTES) {
      const chunk = block.slice(start, start + CHUNK_BYTES);
      if (isLast && start + CHUNK_BYTES >= block.length) chunk[chunk.length - 1] = CLOSE_BRACKET;
      yield chunk;
    }
  }
}

const bytes = Number(process.argv[2]);
resetPeak();
const before = residentBytes();
const start = performance.now();
let values = 0;
for await (const value of parseValues(arrayOf(bytes), { multiple: "elements" })) {
  if (!value.ok) throw new SyntaxError(value.message);
  values++;
}
const seconds = (performance.now() - start) / 1e3;
const reading: MemoryReading = { bytes, values, seconds, peak: peakResidentBytes() - before };
console.log(JSON.stringify(reading));
