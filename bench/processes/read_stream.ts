/**
 * Child process that measures the memory and time of reading a stream into one buffer. Prints a
 * {@linkcode StreamReading} as JSON.
 *
 *     read_stream.ts READER SIZE
 *
 * @module
 */

import process from "node:process";
import { peakResidentBytes, resetPeak, residentBytes } from "../../measure/process_memory.ts";
import { CHUNK_BYTES, spaces } from "../support/spaces.ts";
import { loadStreamReaders, type StreamReader } from "../support/stream_readers.ts";

/** Memory and time of reading. */
export interface StreamReading {
  /** Highest resident set, above the resident set before, in bytes. */
  peak: number;
  milliseconds: number;
}

async function measure(read: StreamReader, size: number): Promise<StreamReading> {
  await read(spaces(CHUNK_BYTES), CHUNK_BYTES); // loads modules that a first use needs
  resetPeak();
  const before = residentBytes();
  const start = performance.now();
  const bytes = await read(spaces(size), size);
  const milliseconds = performance.now() - start;
  if (bytes.byteLength !== size) throw new Error(`Cannot measure: ${bytes.byteLength} bytes read instead of ${size}`);
  return { peak: peakResidentBytes() - before, milliseconds };
}

const [, , reader, size] = process.argv;
console.log(JSON.stringify(await measure((await loadStreamReaders())[reader], Number(size))));
