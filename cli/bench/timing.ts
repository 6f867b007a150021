/** Times of contestants, measured in alternating rounds. */

import { count } from "../../measure/byte_format.ts";
import { type Contestant, Rejection } from "../../measure/contestants.ts";
import { type Lane, laneOf as newLane, takeTurns } from "../../measure/lane.ts";
import type { BenchContestant } from "./bench_contestants.ts";

export interface TimingPlan {
  /** Number of rounds; if absent, as many as fit into `time`. */
  runs: number | undefined;
  time: number;
  warmup: number;
}

export interface Timing {
  contestant: BenchContestant;
  /** Milliseconds of a pass over the documents, one sample per round. */
  samples: number[];
  /** Number of passes in a sample, which is their mean. */
  batch: number;
  /** Reason why the contestant cannot read the documents; absent if it can. */
  failed?: string;
}

/** Minimum milliseconds of a batch: shorter ones measure the clock and the scheduler. */
const MIN_BATCH_MS = 5;

/** Minimum number of rounds when `time` limits them: fewer give no useful median. */
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
  const lanes = contestants.map((contestant) => laneOf(contestant, documents));
  const failures = new Map<Lane, string>();
  const turn = (step: (lane: Lane) => Promise<unknown>) => async (lane: Lane): Promise<void> => {
    if (failures.has(lane)) return;
    onProgress(`the time of ${lane.name}, ${count(lane.samples.length, "run")} so far`);
    try {
      await step(lane);
    } catch (error) {
      failures.set(lane, error instanceof Error ? error.message : String(error));
    }
  };
  /** Lets the runtime handle an interrupt. */
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  // These batches also determine how many passes take long enough. Every sample has that many.
  const warmUp = async (round: number): Promise<boolean> => {
    await pause();
    return round <= plan.warmup;
  };
  await takeTurns(lanes, warmUp, turn((lane) => lane.timeBatch(MIN_BATCH_MS)));
  const end = performance.now() + plan.time;
  const measure = async (round: number): Promise<boolean> => {
    await pause();
    return plan.runs === undefined ? round < MIN_RUNS || performance.now() < end : round < plan.runs;
  };
  await takeTurns(lanes, measure, turn((lane) => lane.sample({ batch: 0 })));
  return lanes.map((lane, i) => {
    const failed = failures.get(lane);
    const timing = { contestant: contestants[i], samples: lane.samples, batch: lane.runs };
    return failed === undefined ? timing : { ...timing, samples: [], failed };
  });
}

/** Creates the lane of a contestant that reads documents. A run throws if it rejects one. */
export function laneOf(contestant: Contestant, documents: readonly Uint8Array[]): Lane {
  const parse = (document: Uint8Array): unknown => {
    const value = contestant.parse(document);
    if (value instanceof Rejection) throw new SyntaxError(value.message);
    return value;
  };
  return newLane({ ...contestant, parse }, documents);
}
