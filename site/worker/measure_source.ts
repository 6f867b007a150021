/** Times parsing a source, and keeps values alive while the browser measures memory. */

import { jsonLines } from "../../cli/input/json_lines.ts";
import { type Contestant, native, parser } from "../../measure/contestants.ts";
import { consumed, laneOf, takeTurns } from "../../measure/lane.ts";
import { median, quantile, spread } from "../../measure/statistics.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { validateBinary } from "../../validate_binary.ts";
import type { Report, Source } from "../messages.ts";

/** Maximum bytes of a source that is measured, because its values are held in memory. */
const MAX_BYTES = 200_000_000;

/** Clocks of browsers are as coarse as one millisecond. Engines compile during the warm-up. */
const EFFORT = { rounds: 0, batch: 20, warmUp: 150, patience: 1 };
/** Maximum number of rounds, and the minimum if each takes long. */
const MAX_ROUNDS = 21;
const MIN_ROUNDS = 5;
/** Milliseconds after which no rounds beyond the minimum begin. */
const MAX_TIME = 6000;

const decoder = new TextDecoder();

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
  const lanes = WAYS.map((way) => laneOf(way, documents));
  for (const [i, lane] of lanes.entries()) {
    report({ done: i, total: WAYS.length * 8 });
    await lane.warmUp(EFFORT);
  }
  const start = performance.now();
  let rounds = 0;
  const mayBegin = (round: number): boolean => {
    rounds = round;
    report({ done: Math.max(round / MAX_ROUNDS, (performance.now() - start) / MAX_TIME) * 7 + 1, total: 8 });
    return round < MIN_ROUNDS || round < MAX_ROUNDS && performance.now() - start < MAX_TIME;
  };
  await takeTurns(lanes, mayBegin, (lane) => lane.sample(EFFORT));
  consumed.value = undefined;

  const theirs = lanes.at(-1)!.samples;
  const timings = lanes.map(({ name, samples }): Timing => {
    const ratios = samples.map((sample, round) => theirs[round] / sample);
    const ratio = { lower: quantile(ratios, 0.25), median: median(ratios), upper: quantile(ratios, 0.75) };
    return { name, median: median(samples), spread: spread(samples), ratio };
  });
  const isValid = documents.every((document) => validateBinary(document).ok);
  return { ok: true, bytes: size, rounds, documents: documents.length, isValid, timings };
}

/** Memory to keep alive: the bytes alone, or the bytes and the value of a parser. */
type Held = "bytes" | "parseBinary" | "native";

/** The bytes, and the values parsed from them. */
let held: unknown[] = [];

/**
 * Makes the values to keep alive until the next call: for `native`, the text as well as the value,
 * since the text is alive until `JSON.parse` returns. Returns the number of values kept alive.
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
