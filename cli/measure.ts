/** Timing of rows against each other. */

import type { Row } from "./rows.ts";
import { count } from "./units.ts";

/** How long to measure. */
export interface Plan {
  /** Rounds; without it, as many as fit into `time`. */
  runs: number | undefined;
  /** Milliseconds for all rows together. */
  time: number;
  /** Rounds before the first that counts. */
  warmup: number;
}

/** What came of a row. */
export interface Timing {
  row: Row;
  /** Milliseconds of a pass over the documents, one sample a round. */
  samples: number[];
  /** Passes a sample is the mean of. */
  batch: number;
  /** Why the row cannot run. */
  failed?: string;
}

/** Milliseconds a sample takes at the least: below, the clock's and the scheduler's grain would be what is measured. */
const LEAST_SAMPLE = 5;

/** Rounds at the least when `time` limits them: fewer make no median. */
const LEAST_RUNS = 5;

/**
 * Measures rows in alternating rounds, so that what disturbs the machine disturbs all. Garbage collection is included.
 * `tell` hears what is being done, outside of what is timed.
 */
export async function measure(
  rows: readonly Row[],
  documents: readonly Uint8Array<ArrayBuffer>[],
  plan: Plan,
  tell: (doing: string) => void = () => {},
): Promise<Timing[]> {
  const timings = rows.map((row): Timing => ({ row, samples: [], batch: 1 }));

  const round = async (first: number, step: (timing: Timing) => Promise<void>): Promise<void> => {
    for (let i = 0; i < timings.length; i++) {
      const timing = timings[(first + i) % timings.length];
      if (timing.failed !== undefined) continue;
      tell(`the time of ${timing.row.name}, ${count(timing.samples.length, "run")} so far`);
      try {
        await step(timing);
      } catch (error) {
        timing.failed = error instanceof Error ? error.message : String(error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve)); // lets an interrupt in
  };

  const calibrate = async (timing: Timing): Promise<void> => {
    let elapsed = await time(timing, documents);
    while (elapsed < LEAST_SAMPLE) {
      timing.batch = Math.ceil(timing.batch * Math.min(100, 1.2 * LEAST_SAMPLE / elapsed));
      elapsed = await time(timing, documents);
    }
  };
  await round(0, calibrate);
  for (let i = 0; i < plan.warmup; i++) await round(i, async (timing) => void await time(timing, documents));
  // Warm code is faster: a batch may have to grow.
  if (plan.warmup > 0) await round(0, calibrate);

  const end = performance.now() + plan.time;
  const goesOn = (done: number): boolean =>
    done < (plan.runs ?? LEAST_RUNS) || plan.runs === undefined && performance.now() < end;
  for (let done = 0; goesOn(done); done++) {
    await round(done, async (timing) => void timing.samples.push(await time(timing, documents) / timing.batch));
  }
  return timings;
}

/** Milliseconds of a batch of passes. */
async function time({ row, batch }: Timing, documents: readonly Uint8Array<ArrayBuffer>[]): Promise<number> {
  const start = performance.now();
  for (let pass = 0; pass < batch; pass++) {
    for (const document of documents) {
      const value = row.parse(document);
      // A value that is there already is not waited for: a turn of the queue costs as much as a small document.
      if (value instanceof Promise) await value;
    }
  }
  return performance.now() - start;
}

/** The value below which `share` of the samples lie, by nearest rank. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** The middle of the samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The geometric mean: of ratios the one that does not depend on which way round they are taken. */
export function geometricMean(figures: readonly number[]): number {
  return Math.exp(figures.reduce((sum, figure) => sum + Math.log(figure), 0) / figures.length);
}
