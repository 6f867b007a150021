/**
 * Times of parsing a source, beside native functions: in rounds of alternating order, so that other
 * work of the machine affects all alike. And values that stay while the browser measures memory.
 */

import { jsonLines } from "../../cli/input/json_lines.ts";
import { type Contestant, native, parser } from "../../measure/contestants.ts";
import { median, quantile, spread } from "../../measure/statistics.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { validateBinary } from "../../validate_binary.ts";
import type { Report, Source } from "../messages.ts";

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

const decoder = new TextDecoder();

/** The last result, so that engines cannot leave out calls whose results nobody uses. */
export const lastResult: { value: unknown } = { value: undefined };

/** Ways to read a document. Native is the last. */
const WAYS: readonly Contestant[] = [parser, validator, native];

/** Ratio of speeds to native, over rounds: above 1, native is slower. */
export interface SpeedRatio {
  lower: number;
  median: number;
  upper: number;
}

export interface Timing {
  name: string;
  /** Median of a call, in milliseconds. */
  median: number;
  /** Half the interquartile range as a share of the median. */
  spread: number;
  ratio: SpeedRatio;
}

export type MeasureResult =
  | {
    ok: true;
    bytes: number;
    rounds: number;
    /** Number of documents in a call. */
    documents: number;
    isValid: boolean;
    timings: Timing[];
  }
  | { ok: false; reason: string };

async function documentsOf({ blob, format }: Source): Promise<Uint8Array[]> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return format === "lines" ? [...jsonLines(bytes)] : [bytes];
}

/** Times calls. Returns milliseconds of one that reads all documents. */
function time({ parse }: Contestant, documents: readonly Uint8Array[], calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) for (const document of documents) lastResult.value = parse(document);
  return (performance.now() - start) / calls;
}

/** Times all ways to read a source, in rounds. */
export async function measureSource({ source }: { source: Source }, report: Report): Promise<MeasureResult> {
  const { size } = source.blob;
  if (size === 0) return { ok: false, reason: "The document is empty." };
  if (size > MAX_BYTES) {
    const reason = `Documents of up to ${MAX_BYTES / 1e6} MB are measured, because their values are held as a whole.`;
    return { ok: false, reason };
  }
  const documents = await documentsOf(source);
  if (documents.length === 0) return { ok: false, reason: "The document is empty." };
  let fastest = Infinity;
  for (const [i, way] of WAYS.entries()) {
    report({ done: i, total: WAYS.length * 8 });
    let once = 0;
    for (let spent = 0, calls = 1; spent < WARM_UP_TIME; calls *= 2) {
      // The last run is the longest, so that a coarse clock is good enough.
      once = time(way, documents, calls);
      spent += Math.max(once * calls, 1);
    }
    fastest = Math.min(fastest, once);
  }
  const calls = Math.max(1, Math.ceil(SAMPLE_TIME / fastest));
  const lanes = WAYS.map((way) => ({ way, samples: [] as number[] }));
  const start = performance.now();
  let rounds = 0;
  while (rounds < MAX_ROUNDS && (rounds < MIN_ROUNDS || performance.now() - start < MAX_TIME)) {
    const order = rounds % 2 === 0 ? lanes : lanes.toReversed();
    for (const { way, samples } of order) samples.push(time(way, documents, calls));
    rounds++;
    report({ done: Math.max(rounds / MAX_ROUNDS, (performance.now() - start) / MAX_TIME) * 7 + 1, total: 8 });
  }
  lastResult.value = undefined;

  const theirs = lanes.at(-1)!.samples;
  const timings = lanes.map(({ way: { name }, samples }): Timing => {
    const ratios = samples.map((sample, round) => theirs[round] / sample);
    const ratio = { lower: quantile(ratios, 0.25), median: median(ratios), upper: quantile(ratios, 0.75) };
    return { name, median: median(samples), spread: spread(samples), ratio };
  });
  const isValid = documents.every((document) => validateBinary(document).ok);
  return { ok: true, bytes: size, rounds, documents: documents.length, isValid, timings };
}

/** Memory to keep alive: the bytes alone, or the bytes and the value of a parser. */
type Held = "bytes" | "parseBinary" | "native";

/** The bytes, and what parsing them has made. */
let held: unknown[] = [];

/**
 * Makes the values to keep alive until the next call: for `native`, the text as well as the value,
 * since the text is alive until `JSON.parse` returns. Returns the number of things that are alive.
 */
export async function holdValues({ source, held: what }: { source: Source; held: Held }): Promise<number> {
  held = [];
  for (const document of await documentsOf(source)) {
    held.push(document);
    if (what === "parseBinary") held.push(parser.parse(document));
    // A wrong document has no value.
    if (what === "native") held.push(decoder.decode(document), native.parse(document));
  }
  return held.length;
}
