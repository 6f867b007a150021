/** Measures memory, and the time of a slow body, each in a separate process with `--expose-gc`. */

import { readFileSync } from "node:fs";
import { detach } from "../../detach.ts";
import { measureCallMemory } from "../../measure/call_memory.ts";
import { native, parser, Rejection } from "../../measure/contestants.ts";
import { peakResidentBytes, resetPeak, residentBytes, settledHeapBytes } from "../../measure/process_memory.ts";
import { median } from "../../measure/statistics.ts";
import { BinaryValidator, parseStream, parseValues, readBytes } from "../../mod.ts";
import { arrayOf, CHUNK_BYTES, spaces } from "../support/documents.ts";

/** Description of a document to load. It is sent to another process as JSON. */
export interface MemoryInput {
  path: string;
  /** Bytes to fill with copies of the file, as elements of an array; if absent, the file itself. */
  size?: number;
  /**
   * Whether to add a string outside Latin-1. V8 then stores the text of the whole document with two
   * bytes per character.
   */
  emoji?: boolean;
}

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const EMOJI = new TextEncoder().encode('"😀",');

/** Loads a document into one `ArrayBuffer` of exactly its size. Keeps nothing else. */
export function loadInput({ path, size, emoji = false }: MemoryInput): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(readFileSync(path));
  if (size === undefined) return file;
  const prefix = emoji ? EMOJI : new Uint8Array(0);
  const stride = file.length + 1;
  const copies = Math.max(1, Math.floor(size / stride));
  const bytes = new Uint8Array(1 + prefix.length + copies * stride);
  bytes[0] = OPEN_BRACKET;
  bytes.set(prefix, 1);
  for (let at = 1 + prefix.length; at < bytes.length; at += stride) {
    bytes.set(file, at);
    bytes[at + file.length] = COMMA;
  }
  bytes[bytes.length - 1] = CLOSE_BRACKET;
  detach(file);
  return bytes;
}

/** Returns whether V8 stores the text of a document with one byte per character. */
export function isNarrow(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0xc3); // the first byte of a character outside Latin-1 is higher
}

/** Memory and time of a call. Sizes are in bytes. */
export interface MemoryReading {
  bytes: number;
  /** Peak resident set: for documents in turn, of the process; otherwise above that before. */
  peak: number;
  milliseconds: number;
  /** Heap taken by the value of a first call. */
  value?: number;
}

/** Reads a document by a contestant. Throws if it is invalid. */
function read(name: string, bytes: Uint8Array): unknown {
  const value = [native, parser].find((contestant) => contestant.name === name)!.parse(bytes);
  if (value instanceof Rejection) throw new SyntaxError(value.message);
  return value;
}

export async function measureCall(name: string, input: MemoryInput): Promise<MemoryReading> {
  const contestant = { name, parse: (bytes: Uint8Array) => read(name, bytes) };
  const { input: bytes, peak, milliseconds, retained } = await measureCallMemory(contestant, () => [loadInput(input)]);
  return { bytes, peak, milliseconds, value: retained! };
}

/**
 * Parses documents as a server does: each with its own buffer, in its own turn of the event loop.
 * The time is the median in the later half.
 */
export async function measureSequence(name: string, input: MemoryInput, count: number): Promise<MemoryReading> {
  const document = loadInput(input);
  const handle = (): number => {
    const body = document.slice();
    const start = performance.now();
    read(name, body);
    const milliseconds = performance.now() - start;
    detach(body);
    return milliseconds;
  };
  const times: number[] = [];
  while (times.length < count) {
    times.push(handle());
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { bytes: document.length, peak: peakResidentBytes(), milliseconds: median(times.slice(count >> 1)) };
}

const WAYS: Record<string, (size: number) => unknown> = {
  "readBytes, size known": (size) => readBytes(spaces(size), { sizeHint: size }),
  "readBytes, size unknown": (size) => readBytes(spaces(size)),
  "arrayBuffer()": (size) => new Response(spaces(size)).arrayBuffer(),
  async "parseValues, elements"(size) {
    for await (const value of parseValues(arrayOf(size), { multiple: "elements" })) {
      if (!value.ok) throw new SyntaxError(value.message);
    }
  },
  "BinaryValidator"(size) {
    const validator = new BinaryValidator();
    for (const chunk of arrayOf(size)) validator.push(chunk);
    const result = validator.end();
    if (!result.ok) throw new SyntaxError(result.message);
  },
};

export async function measureStream(way: string, size: number): Promise<MemoryReading> {
  await WAYS[way](CHUNK_BYTES); // loads code for the first use
  resetPeak();
  const before = residentBytes();
  const start = performance.now();
  const result = await WAYS[way](size) as Uint8Array | undefined;
  const milliseconds = performance.now() - start;
  if (result !== undefined && result.byteLength !== size) throw new Error(`Cannot measure: ${way} loses bytes`);
  return { bytes: size, peak: peakResidentBytes() - before, milliseconds };
}

/** Times in milliseconds, memory in bytes. */
export interface LatencyReading {
  /** Time from the last byte to the value. */
  afterLastByte: number;
  /** Longest time between two ticks of a timer, beyond its interval, while the body is parsed. */
  longestTurn: number;
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

/** Runs `work`, and returns the longest delay of a timer. */
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

/** Measures a body of `size` bytes that arrives at 1 Gbit/s. */
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
  if (!Array.isArray(result)) throw new Error("Cannot measure: the body is not an array");
  return { afterLastByte: readyAt - sentAt, longestTurn, value, overValue: peak - value };
}
