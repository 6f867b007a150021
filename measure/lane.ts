/**
 * Turns: the code under comparison runs in alternation, so that other load on the machine
 * affects all of it equally. Benches, `bytejson bench` and the page of `site/` use this. Runs in
 * any runtime.
 */

import type { Contestant } from "./contestants.ts";
import { median } from "./statistics.ts";

export interface Effort {
  rounds: number;
  /** Minimum number of milliseconds of a batch. */
  batch: number;
  /** Minimum number of milliseconds of the runs before the first sample. */
  warmUp: number;
  /** Same option for code that is not ours; by default the same number. */
  warmUpOfOthers?: number;
  /** Number of successive batches without a new best time that ends the warm-up. */
  patience: number;
}

/** Share of the best time below which a batch of the warm-up counts as a new best. */
const NEW_BEST = 0.95;
/** Ratio of the planned duration of a batch to the minimum, so that few batches are repeated. */
const HEADROOM = 1.3;

/** Holds the latest result, so that no engine optimises away an unused computation. */
export const consumed: { value: unknown } = { value: undefined };

/**
 * Calls a function for each item in each round. The order changes from round to round, so that no
 * item always pays for the garbage of the same other item.
 *
 * @param rounds Number of rounds, or a function that decides whether another one begins.
 */
export async function takeTurns<T>(
  items: readonly T[],
  rounds: number | ((round: number) => boolean | Promise<boolean>),
  turn: (item: T, round: number) => unknown,
): Promise<void> {
  const begins = typeof rounds === "number" ? (round: number) => round < rounds : rounds;
  for (let round = 0; await begins(round); round++) {
    const first = (round >> 1) % items.length;
    const order = [...items.slice(first), ...items.slice(0, first)];
    for (const item of round % 2 === 0 ? order : order.reverse()) await turn(item, round);
  }
}

/** Work that takes turns with other work, and its samples. */
export class Lane {
  readonly name: string;
  /** Milliseconds of a run by the clock. */
  readonly samples: number[] = [];
  readonly #run: () => unknown;
  readonly #isOurs: boolean;
  #runs = 1;

  /** Creates a lane without samples. A run may return a promise, which is awaited. */
  constructor(name: string, run: () => unknown, isOurs = true) {
    this.name = name;
    this.#run = run;
    this.#isOurs = isOurs;
  }

  /** Number of runs of a batch. */
  get runs(): number {
    return this.#runs;
  }

  get milliseconds(): number {
    return median(this.samples);
  }

  /** Resolves with the milliseconds of `runs` runs. First drops the last value of a batch. */
  async time(runs: number): Promise<number> {
    const run = this.#run;
    consumed.value = undefined;
    const start = performance.now();
    for (let i = 0; i < runs; i++) {
      consumed.value = run();
      if (consumed.value instanceof Promise) consumed.value = await consumed.value;
    }
    return performance.now() - start;
  }

  /** Runs until the engine's compilers settle, and determines how many runs a batch needs. */
  async warmUp(effort: Effort): Promise<void> {
    const warmUp = this.#isOurs ? effort.warmUp : effort.warmUpOfOthers ?? effort.warmUp;
    for (let elapsed = 0; elapsed < warmUp;) elapsed += await this.time(1);
    let best = Infinity;
    for (let slower = 0; slower < effort.patience;) {
      const milliseconds = await this.timeBatch(effort.batch);
      slower = milliseconds < best * NEW_BEST ? 0 : slower + 1;
      best = Math.min(best, milliseconds);
    }
  }

  async sample({ batch }: Pick<Effort, "batch">): Promise<void> {
    this.samples.push(await this.timeBatch(batch));
  }

  /** Resolves with the milliseconds of a run, from a batch of at least `minimum` milliseconds. */
  async timeBatch(minimum: number): Promise<number> {
    for (;;) {
      const elapsed = await this.time(this.#runs);
      if (elapsed >= minimum) return elapsed / this.#runs;
      this.#runs = Math.ceil(this.#runs * Math.min(10, HEADROOM * minimum / elapsed));
    }
  }
}

/** Measures lanes in turn, each after a warm-up. */
export async function measureLanes(lanes: readonly Lane[], effort: Effort): Promise<void> {
  for (const lane of lanes) await lane.warmUp(effort);
  await takeTurns(lanes, effort.rounds, (lane) => lane.sample(effort));
}

/** Creates the lane of a contestant. A run reads each part of a document once. */
export function laneOf({ name, parse, isOurs = false, isAsync }: Contestant, parts: readonly Uint8Array[]): Lane {
  const { length } = parts;
  const readAll = (): unknown => {
    for (let i = 1; i < length; i++) consumed.value = parse(parts[i]);
    return parse(parts[0]);
  };
  const awaitAll = async (): Promise<void> => {
    for (const part of parts) await parse(part);
  };
  return new Lane(name, length === 1 ? () => parse(parts[0]) : isAsync ? awaitAll : readAll, isOurs);
}
