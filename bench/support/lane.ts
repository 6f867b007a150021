/**
 * Times of contestants that run in one process, in alternating batches.
 *
 * @module
 */

import type { Contestant } from "../../measure/contestants.ts";
import type { Random } from "./random.ts";

/** Thoroughness of a measurement. */
export interface Effort {
  /** Samples per lane; with a multiple of 6, three lanes run in every order equally often. */
  rounds: number;
  /** Least milliseconds of a batch. */
  batch: number;
  /** Least milliseconds of the runs before the first sample. */
  warmUp: number;
  /** Number of successive batches without a new best time that ends the warm-up. */
  patience: number;
}

/** Effort of a bench by default. */
export const FULL: Effort = { rounds: 18, batch: 5, warmUp: 100, patience: 3 };
/** Effort of a bench with `--quick`. */
export const QUICK: Effort = { rounds: 6, batch: 5, warmUp: 50, patience: 2 };

/**
 * Least milliseconds of warm-up in JavaScriptCore, whose top tier compiles the main loop on another
 * thread for 300 to 1,000 ms (corpus in Bun: 0.90 with 100 ms, 1.03 with 1,000 ms).
 */
export const JAVASCRIPTCORE_WARM_UP = 1000;

/** Share of the best time below which a batch of the warm-up counts as a new best. */
const NEW_BEST = 0.95;
/** Most slices that an interleaved batch is cut into. */
const SLICES = 8;
/** Ratio of the planned duration of a batch to the least one, so that few batches are repeated. */
const HEADROOM = 1.3;

/** Holder of the latest result, so that no engine finds a result unused and leaves out its work. */
export const consumed: { value: unknown } = { value: undefined };

/** One contestant on one document, with its samples. */
export class Lane {
  readonly contestant: Contestant;
  readonly parts: readonly Uint8Array[];
  /** Milliseconds per run. A run reads every part once. */
  readonly samples: number[] = [];
  /** Number of runs in a batch. */
  runs = 1;

  /** Creates a lane without samples. */
  constructor(contestant: Contestant, parts: readonly Uint8Array[]) {
    this.contestant = contestant;
    this.parts = parts;
  }

  /** Returns the milliseconds of `runs` runs. Drops the last value of an earlier batch first. */
  time(runs: number): number {
    const { contestant, parts } = this;
    consumed.value = undefined;
    const start = performance.now();
    for (let run = 0; run < runs; run++) {
      for (let i = 0; i < parts.length; i++) consumed.value = contestant.parse(parts[i]);
    }
    return performance.now() - start;
  }

  /** Runs until the engine's compilers settle, and determines how many runs a batch needs. */
  warmUp(effort: Effort): void {
    for (let elapsed = 0; elapsed < effort.warmUp;) elapsed += this.time(1);
    let best = Infinity;
    for (let slower = 0; slower < effort.patience;) {
      const milliseconds = this.#timeBatch(effort.batch);
      slower = milliseconds < best * NEW_BEST ? 0 : slower + 1;
      best = Math.min(best, milliseconds);
    }
  }

  /** Adds a sample. */
  sample(effort: Effort): void {
    this.samples.push(this.#timeBatch(effort.batch));
  }

  /** Returns the milliseconds per run of a batch that took `least` milliseconds or more. */
  #timeBatch(least: number): number {
    for (;;) {
      const elapsed = this.time(this.runs);
      if (elapsed >= least) return elapsed / this.runs;
      this.runs = Math.ceil(this.runs * Math.min(10, HEADROOM * least / elapsed));
    }
  }
}

/**
 * Measures lanes batch by batch. Each round has another order, so that no lane always pays for the
 * garbage of the same other lane.
 */
export function measureAlternating(lanes: Lane[], effort: Effort): void {
  for (const lane of lanes) lane.warmUp(effort);
  const orders = permutations(lanes);
  for (let round = 0; round < effort.rounds; round++) {
    for (const lane of orders[round % orders.length]) lane.sample(effort);
  }
}

/**
 * Measures lanes with their batches cut into slices and shuffled together, so that every document
 * comes between documents of other kinds.
 */
export function measureInterleaved(lanes: Lane[], effort: Effort, random: Random): void {
  for (const lane of lanes) lane.warmUp(effort);
  for (let round = 0; round < effort.rounds; round++) {
    const elapsed = new Map(lanes.map((lane) => [lane, 0]));
    for (const [lane, runs] of random.shuffle(lanes.flatMap(slices))) {
      elapsed.set(lane, elapsed.get(lane)! + lane.time(runs));
    }
    for (const [lane, milliseconds] of elapsed) lane.samples.push(milliseconds / lane.runs);
  }
}

function slices(lane: Lane): [Lane, number][] {
  const count = Math.min(SLICES, lane.runs);
  return Array.from({ length: count }, (_, i) => [
    lane,
    Math.floor(lane.runs * (i + 1) / count) - Math.floor(lane.runs * i / count),
  ]);
}

function permutations<T>(items: T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}
