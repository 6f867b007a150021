/**
 * Times of parsing a source, beside native functions: in rounds of alternating order, so that other
 * work of the machine affects all alike. And values that stay while the browser measures memory.
 */

import { median, quantile, spread } from "../../measure/statistics.ts";
import { parseBinary } from "../../parse_binary.ts";
import { validateBinary } from "../../validate_binary.ts";
import type { HoldJob, MeasureJob, MeasureResult, Source, SpeedRatio, Timing } from "../messages.ts";
import { nextTask, Superseded, type Turn } from "./reading.ts";

/** Bytes of the largest source that is measured: its values are in memory as a whole. */
const MAX_BYTES = 200_000_000;

/** Milliseconds of a sample: clocks of browsers are as coarse as one millisecond. */
const SAMPLE_TIME = 20;
/** Milliseconds of calls before the first sample, for each way. Engines compile meanwhile. */
const WARM_UP_TIME = 150;
/** Rounds at most, and at least if each takes long. */
const MAX_ROUNDS = 21;
const MIN_ROUNDS = 5;
/** Milliseconds after which no round begins that is not needed. */
const MAX_TIME = 6000;

const LINE_FEED = 0x0a;

const decoder = new TextDecoder();

/** The last result, so that engines cannot leave out calls whose results nobody uses. */
export const lastResult: { value: unknown } = { value: undefined };

/** Ways to read a document. */
const WAYS = {
  parseBinary: (bytes: Uint8Array): unknown => parseBinary(bytes),
  validateBinary: (bytes: Uint8Array): unknown => validateBinary(bytes),
  native(bytes: Uint8Array): unknown {
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch (error) {
      return error;
    }
  },
};
type Way = keyof typeof WAYS;
const NAMES: readonly Way[] = ["parseBinary", "validateBinary", "native"];

/** Returns the lines that are not blank. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** Reads the documents of a source. */
async function documentsOf({ blob, format }: Source): Promise<Uint8Array[]> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return format === "lines" ? linesOf(bytes) : [bytes];
}

/** Times calls. Returns milliseconds of one that reads all documents. */
function time(way: Way, documents: readonly Uint8Array[], calls: number): number {
  const parse = WAYS[way];
  const start = performance.now();
  for (let i = 0; i < calls; i++) for (const document of documents) lastResult.value = parse(document);
  return (performance.now() - start) / calls;
}

/** Times all ways to read a source, in rounds. */
export async function measureSource({ source }: MeasureJob, turn: Turn): Promise<MeasureResult> {
  const { size } = source.blob;
  if (size === 0) return { ok: false, reason: "The document is empty." };
  if (size > MAX_BYTES) {
    const reason = `Documents of up to ${MAX_BYTES / 1e6} MB are measured, because their values are held as a whole.`;
    return { ok: false, reason };
  }
  const documents = await documentsOf(source);
  if (documents.length === 0) return { ok: false, reason: "The document is empty." };
  const report = async (done: number, total: number): Promise<void> => {
    turn.report({ done, total });
    await nextTask();
    if (turn.isOver) throw new Superseded();
  };

  let fastest = Infinity;
  for (const [i, way] of NAMES.entries()) {
    await report(i, NAMES.length * 8);
    let once = 0;
    for (let spent = 0, calls = 1; spent < WARM_UP_TIME; calls *= 2) {
      // The last run is the longest, so that a coarse clock is good enough.
      once = time(way, documents, calls);
      spent += Math.max(once * calls, 1);
    }
    fastest = Math.min(fastest, once);
  }
  const calls = Math.max(1, Math.ceil(SAMPLE_TIME / fastest));
  const samples: Record<Way, number[]> = { parseBinary: [], validateBinary: [], native: [] };
  const start = performance.now();
  let rounds = 0;
  while (rounds < MAX_ROUNDS && (rounds < MIN_ROUNDS || performance.now() - start < MAX_TIME)) {
    const order = rounds % 2 === 0 ? NAMES : NAMES.toReversed();
    for (const way of order) samples[way].push(time(way, documents, calls));
    rounds++;
    await report(Math.max(rounds / MAX_ROUNDS, (performance.now() - start) / MAX_TIME) * 7 + 1, 8);
  }
  lastResult.value = undefined;

  const timing = (way: Way): Timing => ({ median: median(samples[way]), spread: spread(samples[way]) });
  const ratio = (way: Way): SpeedRatio => {
    const ratios = samples[way].map((sample, round) => samples.native[round] / sample);
    return { lower: quantile(ratios, 0.25), median: median(ratios), upper: quantile(ratios, 0.75) };
  };
  return {
    ok: true,
    bytes: size,
    rounds,
    documents: documents.length,
    isValid: documents.every((document) => validateBinary(document).ok),
    parseBinary: timing("parseBinary"),
    validateBinary: timing("validateBinary"),
    native: timing("native"),
    parseRatio: ratio("parseBinary"),
    validateRatio: ratio("validateBinary"),
  };
}

/** The bytes, and what parsing them has made. */
let held: unknown[] = [];

/**
 * Makes the values to keep alive until the next call: for `native`, the text as well as the value,
 * since the text is alive until `JSON.parse` returns. Returns the number of things that are alive.
 */
export async function holdValues({ source, held: what }: HoldJob): Promise<number> {
  held = [];
  for (const document of await documentsOf(source)) {
    held.push(document);
    if (what === "parseBinary") held.push(WAYS.parseBinary(document));
    // A wrong document has no value.
    if (what === "native") held.push(decoder.decode(document), WAYS.native(document));
  }
  return held.length;
}
