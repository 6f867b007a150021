/**
 * Child process that measures the memory and time of reading a stream in one of several ways.
 * Prints a {@linkcode StreamReading} as JSON.
 *
 *     stream_memory.ts WAY BYTES
 *
 * @module
 */

import process from "node:process";
import { peakResidentBytes, resetPeak, residentBytes } from "../../measure/process_memory.ts";
import { BinaryValidator, parseValues, readBytes } from "../../mod.ts";
import { arrayOf, CHUNK_BYTES, spaces } from "../support/documents.ts";

/** Memory and time of a way. */
export interface StreamReading {
  bytes: number;
  /** Highest resident set, above the resident set before, in bytes. */
  peak: number;
  milliseconds: number;
}

/** Reads a stream whole. Throws if bytes are missing. */
async function readWhole(read: Promise<ArrayBuffer | Uint8Array>, size: number): Promise<number> {
  const { byteLength } = await read;
  if (byteLength !== size) throw new Error(`Cannot measure: ${byteLength} bytes read instead of ${size}`);
  return byteLength;
}

/** Ways by name. Each resolves with the number of bytes that it has read. */
const WAYS: Record<string, (size: number) => Promise<number> | number> = {
  "readBytes, size known": (size) => readWhole(readBytes(spaces(size), { sizeHint: size }), size),
  "readBytes, size unknown": (size) => readWhole(readBytes(spaces(size)), size),
  "arrayBuffer()": (size) => readWhole(new Response(spaces(size)).arrayBuffer(), size),
  async "parseValues, elements"(size) {
    for await (const value of parseValues(arrayOf(size), { multiple: "elements" })) {
      if (!value.ok) throw new SyntaxError(value.message);
    }
    return size;
  },
  "BinaryValidator"(size) {
    const validator = new BinaryValidator();
    for (const chunk of arrayOf(size)) validator.push(chunk);
    const result = validator.end();
    if (!result.ok) throw new SyntaxError(result.message);
    return size;
  },
};

const [, , way, size] = process.argv;
await WAYS[way](CHUNK_BYTES); // loads what a first use needs
resetPeak();
const before = residentBytes();
const start = performance.now();
const bytes = await WAYS[way](Number(size));
const milliseconds = performance.now() - start;
const reading: StreamReading = { bytes, peak: peakResidentBytes() - before, milliseconds };
console.log(JSON.stringify(reading));
