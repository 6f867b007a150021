/**
 * Child process that measures the parsing of a body that arrives over HTTP at 1 Gbit/s, sent by
 * another process. Prints a {@linkcode LatencyReading} as JSON.
 *
 *     stream_latency.ts BYTES
 *
 * @module
 */

import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { peakResidentBytes, resetPeak, residentBytes, settledHeapBytes } from "../../measure/process_memory.ts";
import { parseStream } from "../../parse_stream.ts";
import type { SentBody } from "./paced_server.ts";

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

/** Bodies parsed before the measurement, a tenth as large, so that the parser is compiled. */
const WARM_UP_BODIES = 5;

const server = spawn(
  process.execPath,
  ["run", "--quiet", "--no-config", "--allow-all", fileURLToPath(new URL("paced_server.ts", import.meta.url))],
  { stdio: ["pipe", "pipe", "inherit"] },
);
const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
const port = (await lines.next()).value;

/** Requests a body, and passes its stream to `read`. Returns when the body was sent. */
async function receive(size: number, read: (body: ReadableStream<Uint8Array>) => Promise<void>): Promise<SentBody> {
  const { body } = await fetch(`http://127.0.0.1:${port}/${Math.ceil(size)}`);
  await read(body!);
  return JSON.parse((await lines.next()).value!);
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
const parse = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  const parsed = await parseStream(body);
  readyAt = performance.timeOrigin + performance.now();
  if (!parsed.ok) throw new SyntaxError(parsed.message);
  result = parsed.value;
};

const before = residentBytes();
for (let i = 0; i < WARM_UP_BODIES; i++) await receive(size / 10, parse);
const longestIdleTurn = await longestTurnOf(() =>
  receive(size, async (body) => {
    for await (const chunk of body) if (chunk.length === 0) throw new Error("Cannot measure: an empty chunk");
  })
);

result = undefined;
const heap = await settledHeapBytes();
resetPeak();
let body: SentBody = { due: 0, sent: 0 };
const longestTurn = await longestTurnOf(async () => body = await receive(size, parse));
const peak = peakResidentBytes() - before;
const value = await settledHeapBytes() - heap;
if (!Array.isArray(result)) throw new Error("Cannot measure: the body is no array");

const { due, sent } = body;
const reading: LatencyReading = {
  afterLastByte: readyAt - sent,
  late: sent - due,
  longestTurn,
  longestIdleTurn,
  peak,
  value,
};
console.log(JSON.stringify(reading));
server.stdin!.end();
