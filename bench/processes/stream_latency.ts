/**
 * Child process that measures the parsing of a body that arrives at 1 Gbit/s. Prints a
 * {@linkcode LatencyReading} as JSON. Needs `--expose-gc`.
 *
 *     stream_latency.ts BYTES
 *
 * @module
 */

import process from "node:process";
import { peakResidentBytes, resetPeak, residentBytes, settledHeapBytes } from "../../measure/process_memory.ts";
import { parseStream } from "../../parse_stream.ts";
import { arrayOf } from "../support/documents.ts";

/** Times in milliseconds, memory in bytes. */
export interface LatencyReading {
  /** Time from the last byte to the value. */
  afterLastByte: number;
  /** Delay of the last byte, compared with the time at which the network would have carried it. */
  late: number;
  /** Longest time between two ticks of a timer, beyond its interval, while the body is parsed. */
  longestTurn: number;
  /** The same while the body arrives and nothing parses it: the share of source and machine. */
  longestIdleTurn: number;
  /** Highest resident set, above the resident set before the first body. */
  peak: number;
  /** Memory that the value holds. */
  value: number;
}

/** 1 Gbit/s. */
const BYTES_PER_MILLISECOND = 125_000;
/** Bodies parsed before the measurement, a tenth as large, so that the parser is compiled. */
const WARM_UP_BODIES = 5;

/** Times at which the last byte was due, and was taken: later if the reader is slow. */
const last = { due: 0, sent: 0 };

/** Yields a body at the pace of the network. */
async function* paced(size: number): AsyncGenerator<Uint8Array> {
  const start = performance.now();
  let sent = 0;
  for (const chunk of arrayOf(size)) {
    sent += chunk.length;
    last.due = start + sent / BYTES_PER_MILLISECOND;
    const wait = last.due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    last.sent = performance.now();
    yield chunk;
  }
}

/** Runs `work`, and returns the longest time that it kept a timer waiting. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
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
let result: unknown;
let readyAt = 0;
const parse = async (size: number): Promise<void> => {
  const parsed = await parseStream(paced(size));
  readyAt = performance.now();
  if (!parsed.ok) throw new SyntaxError(parsed.message);
  result = parsed.value;
};

const before = residentBytes();
for (let i = 0; i < WARM_UP_BODIES; i++) await parse(size / 10);
const longestIdleTurn = await longestTurnOf(async () => {
  for await (const chunk of paced(size)) if (chunk.length === 0) throw new Error("Cannot measure: an empty chunk");
});

result = undefined;
const heap = await settledHeapBytes();
resetPeak();
const longestTurn = await longestTurnOf(() => parse(size));
const peak = peakResidentBytes() - before;
const value = await settledHeapBytes() - heap;
if (!Array.isArray(result)) throw new Error("Cannot measure: the body is no array");

const { due, sent } = last;
const reading: LatencyReading = {
  afterLastByte: readyAt - sent,
  late: sent - due,
  longestTurn,
  longestIdleTurn,
  peak,
  value,
};
console.log(JSON.stringify(reading));
