/**
 * Child process that measures the parsing of a body that arrives at 1 Gbit/s. Prints a
 * {@linkcode LatencyReading} as JSON.
 *
 *     stream_latency.ts BYTES
 *
 * @module
 */

import process from "node:process";
import { peakResidentBytes, resetPeak, residentBytes, settledHeapBytes } from "../../measure/process_memory.ts";
import { parseStream } from "../../parse_stream.ts";
import { generate } from "../support/documents.ts";

/** Times in milliseconds, memory in bytes. */
export interface LatencyReading {
  /** Time from the last byte to the value. */
  afterLastByte: number;
  /** Longest time between two ticks of a timer, beyond its interval, while the body is parsed. */
  longestTurn: number;
  /** The same while the body arrives and nobody parses it: what the source and the machine take. */
  longestIdleTurn: number;
  /** Highest resident set, above the resident set before. */
  peak: number;
  /** Memory that the value holds. */
  value: number;
}

const CHUNK_BYTES = 65_536;
/** 1 Gbit/s. */
const BYTES_PER_MILLISECOND = 125_000;
/** Bytes of the records that are repeated, so that the body needs no memory before it arrives. */
const BLOCK_BYTES = 1_000_000;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;

const block = generate("records", BLOCK_BYTES);
block[block.length - 1] = COMMA;

let lastByteAt = 0;

/** Yields a body as it arrives. A chunk that is due waits for the one who reads. */
async function* bodyOf(size: number): AsyncGenerator<Uint8Array> {
  const start = performance.now();
  yield block.slice(0, 1);
  for (let sent = 1; sent < size;) {
    for (let from = 1; from < block.length && sent < size; from += CHUNK_BYTES) {
      const chunk = block.slice(from, from + CHUNK_BYTES);
      sent += chunk.length;
      const due = start + sent / BYTES_PER_MILLISECOND;
      while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      if (sent >= size && from + CHUNK_BYTES < block.length) size = sent + 1; // ends with a whole record
      else if (sent >= size) chunk[chunk.length - 1] = CLOSE_BRACKET;
      lastByteAt = due;
      yield chunk;
    }
  }
}

/** Runs `work`, and returns the longest time that it kept a timer waiting. */
async function longestTurnOf(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  await work();
  clearInterval(timer);
  return Math.max(longest, performance.now() - last - 1);
}

const size = Number(process.argv[2]);

await parseStream(bodyOf(size / 10)); // compiles
const longestIdleTurn = await longestTurnOf(async () => {
  for await (const chunk of bodyOf(size)) if (chunk.length === 0) throw new Error("Cannot measure: an empty chunk");
});

const heap = await settledHeapBytes();
resetPeak();
const before = residentBytes();
let result: unknown;
let afterLastByte = 0;
const longestTurn = await longestTurnOf(async () => {
  const parsed = await parseStream(bodyOf(size));
  afterLastByte = performance.now() - lastByteAt;
  if (!parsed.ok) throw new SyntaxError(parsed.message);
  result = parsed.value;
});
const peak = peakResidentBytes() - before;
const value = await settledHeapBytes() - heap;
if (!Array.isArray(result)) throw new Error("Cannot measure: the body is no array");

const reading: LatencyReading = { afterLastByte, longestTurn, longestIdleTurn, peak, value };
console.log(JSON.stringify(reading));
