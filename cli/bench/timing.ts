/** Times of contestants, measured in alternating rounds. */

import { count } from "../../measure/byte_format.ts";
import { Rejection } from "../../measure/contestants.ts";
import type { BenchContestant } from "./contestants.ts";

export interface TimingPlan {
  /** Number of rounds; without it, as many as fit into `time`. */
  runs: number | undefined;
  time: number;
  warmup: number;
}

export interface Timing {
  contestant: BenchContestant;
  /** Milliseconds of a pass over the documents, one sample per round. */
  samples: number[];
  /** Number of passes that a sample is the mean of. */
  batch: number;
  /** Reason why the contestant cannot read the documents; absent if it can. */
  failed?: string;
}

/**
 * Minimum milliseconds of a batch: shorter ones measure the clock's resolution and the scheduler.
 */
const MIN_BATCH_MS = 5;

/** Minimum number of rounds when `time` limits them: fewer give no median. */
const MIN_RUNS = 5;

/**
 * Times contestants in alternating rounds, so that a disturbance of the machine affects all of
 * them. Garbage collection is included.
 *
 * @param onProgress Receives the current activity in words, outside of the timed code.
 */
export async function timeContestants(
  contestants: readonly BenchContestant[],
  documents: readonly Uint8Array[],
  plan: TimingPlan,
  onProgress: (activity: string) => void = () => {},
): Promise<Timing[]> {
  const timings = contestants.map((contestant): Timing => ({ contestant, samples: [], batch: 1 }));

  const round = async (first: number, step: (timing: Timing) => Promise<void>): Promise<void> => {
    for (let i = 0; i < timings.length; i++) {
      const timing = timings[(first + i) % timings.length];
      if (timing.failed !== undefined) continue;
      onProgress(`the time of ${timing.contestant.name}, ${count(timing.samples.length, "run")} so far`);
      try {
        await step(timing);
      } catch (error) {
        timing.failed = error instanceof Error ? error.message : String(error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve)); // lets the runtime handle an interrupt
  };

  const calibrate = async (timing: Timing): Promise<void> => {
    for (let elapsed; (elapsed = await timeBatch(timing, documents)) < MIN_BATCH_MS;) {
      timing.batch = Math.ceil(timing.batch * Math.min(100, 1.2 * MIN_BATCH_MS / elapsed));
    }
  };
  await round(0, calibrate);
  for (let i = 0; i < plan.warmup; i++) await round(i, async (timing) => void await timeBatch(timing, documents));
  // Warm code is faster, so that a batch may have become too short.
  if (plan.warmup > 0) await round(0, calibrate);

  const end = performance.now() + plan.time;
  const isDone = (rounds: number): boolean =>
    plan.runs === undefined ? rounds >= MIN_RUNS && performance.now() >= end : rounds >= plan.runs;
  for (let rounds = 0; !isDone(rounds); rounds++) {
    await round(rounds, async (timing) => {
      timing.samples.push(await timeBatch(timing, documents) / timing.batch);
    });
  }
  return timings;
}

/** Returns the milliseconds of a batch of passes over the documents. */
export async function timeBatch(
  { contestant, batch }: Pick<Timing, "contestant" | "batch">,
  documents: readonly Uint8Array[],
): Promise<number> {
  const start = performance.now();
  for (let pass = 0; pass < batch; pass++) {
    for (const document of documents) {
      const value = contestant.parse(document);
      // Awaiting a plain value would cost a turn of the microtask queue, as long as a small
      // document.
      if (value instanceof Promise) await value;
      else if (value instanceof Rejection) throw new SyntaxError(value.message);
    }
  }
  return performance.now() - start;
}
