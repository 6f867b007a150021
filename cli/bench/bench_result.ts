/** Results of `bytejson bench`: the figures of a document, and the means of several. */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { geometricMean, median, quantile } from "../../measure/statistics.ts";
import { type BenchContestant, NATIVE } from "./contestants.ts";
import type { FirstCall, MemoryResult } from "./process_runner.ts";
import type { Timing } from "./timing.ts";

/** Figures of one row of earlier results. */
export interface EarlierRow {
  name: string;
  medianMs: number;
  /** Bytes; absent where memory was not measured. */
  peak?: number;
}

export interface BenchResult {
  file: string;
  bytes: number;
  warmup: number;
  timings: readonly Timing[];
  /** First call of each contestant that can read the document. */
  firstCalls: readonly FirstCall[];
  /** Rows to compare with; none where the earlier results have none of this document. */
  earlier?: { source: string; rows: readonly EarlierRow[] };
  /** Empty where memory was not measured. */
  memories: readonly MemoryResult[];
}

export interface BenchMean {
  documents: number;
  /** Number of documents that every contestant can read: the means are of these. */
  compared: number;
  /** Means of each contestant; empty where no document can be compared. */
  means: readonly ContestantMean[];
}

export interface ContestantMean {
  contestant: BenchContestant;
  mibPerSecond: number;
  /** Geometric mean of the ratios to native; absent where native was not measured. */
  ratio: number | undefined;
}

/** Returns the means of the documents that every contestant can read. */
export function meanOf(results: readonly BenchResult[]): BenchMean {
  const complete = results.filter(({ timings }) => timings.every(({ failed }) => failed === undefined));
  const means = results[0].timings.map(({ contestant }, i): ContestantMean => {
    const ratios = complete.map(({ timings }) => ratioToNative(contestant, timings))
      .filter((ratio) => ratio !== undefined);
    const speeds = complete.map(({ bytes, timings }) => mebibytesPerSecond(bytes, median(timings[i].samples)));
    return {
      contestant,
      mibPerSecond: geometricMean(speeds),
      ratio: ratios.length > 0 ? geometricMean(ratios) : undefined,
    };
  });
  return { documents: results.length, compared: complete.length, means: complete.length > 0 ? means : [] };
}

/** Returns how many times as fast as native a contestant is, if both were measured. */
export function ratioToNative(contestant: BenchContestant, timings: readonly Timing[]): number | undefined {
  const [native, own] = [NATIVE, contestant.id].map((id) =>
    timings.find(({ contestant, failed }) => contestant.id === id && failed === undefined)
  );
  return native && own && median(native.samples) / median(own.samples);
}

/** Returns the times between which half of the runs of a contestant are: the quartiles. */
export function quartiles({ samples }: Timing): [first: number, third: number] {
  return [quantile(samples, 0.25), quantile(samples, 0.75)];
}

/**
 * Returns whether the times of a contestant and of native lie so close together that another
 * measurement may reverse their order: their middle halves overlap.
 */
export function isTie(contestant: BenchContestant, timings: readonly Timing[]): boolean {
  const [native, own] = [NATIVE, contestant.id].map((id) =>
    timings.find(({ contestant, failed }) => contestant.id === id && failed === undefined)
  );
  if (native === undefined || own === undefined) return false;
  const [[first, third], [ownFirst, ownThird]] = [quartiles(native), quartiles(own)];
  return ownFirst <= third && first <= ownThird;
}

/** Returns the number of runs: that of the contestants that did not fail. */
export function runsOf(timings: readonly Timing[]): number {
  return Math.max(...timings.map(({ samples }) => samples.length));
}
