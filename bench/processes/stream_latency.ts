/**
 * Measurement of a body that arrives at 1 Gbit/s, in a process of its own with `--expose-gc`.
 *
 * @module
 */

import { peakResidentBytes, resetPeak, residentBytes, settledHeapBytes } from "../../measure/process_memory.ts";
import { parseStream } from "../../parse_stream.ts";
import { arrayOf } from "../support/documents.ts";

/** Times in milliseconds, memory in bytes. */
export interface LatencyReading {
  /** Time from the last byte to the value. */
  afterLastByte: number;
  /** Longest time between two ticks of a timer, beyond its interval, while the body is parsed. */
  longestTurn: number;
  /** Memory that the value holds. */
  value: number;
  /** Highest resident set, above the resident set before the first body and the value. */
  overValue: number;
}

/** 1 Gbit/s. */
const BYTES_PER_MILLISECOND = 125_000;
/** Bodies parsed before the measurement, a tenth as large, so that the parser is compiled. */
const WARM_UP_BODIES = 5;

/** Time at which the last byte was taken. */
let sentAt = 0;

/** Yields a body at the pace of the network. */
async function* paced(size: number): AsyncGenerator<Uint8Array> {
  const start = performance.now();
  let sent = 0;
  for (const chunk of arrayOf(size)) {
    sent += chunk.length;
    const wait = start + sent / BYTES_PER_MILLISECOND - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sentAt = performance.now();
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

/** Measures a body of so many bytes. */
export async function measureLatency(size: number): Promise<LatencyReading> {
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
  result = undefined;
  const heap = await settledHeapBytes();
  resetPeak();
  const longestTurn = await longestTurnOf(() => parse(size));
  const peak = peakResidentBytes() - before;
  const value = await settledHeapBytes() - heap;
  if (!Array.isArray(result)) throw new Error("Cannot measure: the body is no array");
  return { afterLastByte: readyAt - sentAt, longestTurn, value, overValue: peak - value };
}
