/** Timing: batches long enough for the clock, in alternating order, garbage collection included. */
import type { Random } from "./random.ts";
import { consumed, type Contestant } from "./contestants.ts";

/** How thoroughly to measure. */
export interface Effort {
  /** Samples per lane; with a multiple of 6, three lanes run in every order equally often. */
  rounds: number;
  /** Least duration of a batch, in milliseconds. */
  batch: number;
  /** Least duration of the runs before the first sample, in milliseconds. */
  warmUp: number;
  /** The warm-up goes on until so many batches in a row are no faster than the best before. */
  patience: number;
}

export const FULL: Effort = { rounds: 18, batch: 5, warmUp: 100, patience: 3 };
export const QUICK: Effort = { rounds: 6, batch: 5, warmUp: 50, patience: 2 };

/** A batch is faster if its time is below this share of the best. */
const FASTER = 0.95;
/** An interleaved batch is cut into so many slices. */
const SLICES = 8;
/** Batches aim this far over their least duration, so that they seldom have to be repeated. */
const HEADROOM = 1.3;

/** One contestant on one document. */
export class Lane {
  readonly contestant: Contestant;
  readonly parts: readonly Uint8Array[];
  /** Milliseconds per run, a run being every part once. */
  readonly samples: number[] = [];
  /** Runs in a batch. */
  runs = 1;

  constructor(contestant: Contestant, parts: readonly Uint8Array[]) {
    this.contestant = contestant;
    this.parts = parts;
  }

  /** Milliseconds for so many runs. The last value of an earlier batch is let go first. */
  time(runs: number): number {
    const { contestant, parts } = this;
    consumed.value = undefined;
    const start = performance.now();
    for (let run = 0; run < runs; run++) {
      for (let i = 0; i < parts.length; i++) consumed.value = contestant.parse(parts[i]);
    }
    return performance.now() - start;
  }

  /** Lets the engine's compilers settle, and finds out how many runs a batch needs. */
  warmUp(effort: Effort): void {
    for (let elapsed = 0; elapsed < effort.warmUp;) elapsed += this.time(1);
    let best = Infinity;
    for (let slower = 0; slower < effort.patience;) {
      const milliseconds = this.#timeBatch(effort.batch);
      slower = milliseconds < best * FASTER ? 0 : slower + 1;
      best = Math.min(best, milliseconds);
    }
  }

  sample(effort: Effort): void {
    this.samples.push(this.#timeBatch(effort.batch));
  }

  /** Milliseconds per run in a batch of at least `least` ms. A shorter one is discarded and the next is longer. */
  #timeBatch(least: number): number {
    for (;;) {
      const elapsed = this.time(this.runs);
      if (elapsed >= least) return elapsed / this.runs;
      this.runs = Math.ceil(this.runs * Math.min(10, HEADROOM * least / elapsed));
    }
  }
}

/** Batch by batch, each round in another order, so that no lane always pays for the garbage of the same other one. */
export function measureAlternating(lanes: Lane[], effort: Effort): void {
  for (const lane of lanes) lane.warmUp(effort);
  const orders = permutations(lanes);
  for (let round = 0; round < effort.rounds; round++) {
    for (const lane of orders[round % orders.length]) lane.sample(effort);
  }
}

/** The batches of all lanes cut into slices and shuffled together: every document between documents of other kinds. */
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
