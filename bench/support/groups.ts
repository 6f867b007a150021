/**
 * Groups of `deno bench`: contestants on one document, native as the baseline.
 *
 * The runner counts the iterations of a warm-up. V8 compiles on threads of its own, which takes
 * time, not iterations. So the first iteration of a bench, which is not measured, warms up until
 * batches get no faster; that of the first bench warms up all contestants on all documents.
 *
 * @module
 */

import { format } from "@std/fmt/bytes";
import { type Contestant, native } from "../../measure/contestants.ts";
import type { BenchDocument } from "./documents.ts";
import { type Effort, Lane } from "./lane.ts";

/** Warm-up of each contestant on each document, before the first bench. */
const EARLY: Effort = { rounds: 0, batch: 10, warmUp: 300, patience: 3 };
/** Warm-up of a bench. */
const OWN: Effort = { rounds: 0, batch: 10, warmUp: 500, patience: 5 };
/**
 * Milliseconds of an iteration, not yet compiled, below which the bench leaves its warm-up to the
 * runner. The runner times many short iterations at once, if the average of the warm-up is short.
 */
const SHORT = 0.05;
/** Iterations before measuring short ones. */
const SHORT_WARM_UP = 200_000;
/** Fewest measured iterations; the runner makes more where they fit into half a second. */
const LEAST_RUNS = 20;

/** Lanes that the first bench warms up. */
const cold: Lane[] = [];

/** Registers a bench for each contestant. An iteration reads one part of the document. */
export function benchWarm({ name, parts }: Pick<BenchDocument, "name" | "parts">, contestants: Contestant[]): void {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0) / parts.length;
  for (const contestant of contestants) {
    const { isAsync = false } = contestant;
    const lane = new Lane(contestant, parts);
    let next = 0;
    const run = (): unknown => contestant.parse(parts[next++ % parts.length]);
    const isShort = !isAsync && shortestTime(lane) < SHORT;
    if (!isAsync) cold.push(lane);
    let isWarm = isAsync || isShort;
    const warmUp = (): void => {
      for (const other of cold.splice(0)) other.warmUp(EARLY);
      lane.warmUp(OWN);
      isWarm = true;
    };
    Deno.bench({
      name: contestant.name,
      group: `warm: ${name}, ${format(Math.round(bytes))}`,
      baseline: contestant === native,
      warmup: isShort ? SHORT_WARM_UP : LEAST_RUNS,
      n: LEAST_RUNS,
      // The runner awaits only functions that are declared `async`.
      fn: isAsync ? async () => await settled(run()) : () => void (isWarm ? run() : warmUp()),
    });
  }
}

/** Returns the shortest time of an iteration among a few. */
function shortestTime(lane: Lane): number {
  return Math.min(lane.time(1), lane.time(1), lane.time(1)) / lane.parts.length;
}

/** Awaits a promise. If it rejects, the document is not JSON, which is a result as well. */
async function settled(promise: unknown): Promise<void> {
  try {
    await promise;
  } catch {
    // Measured like a value.
  }
}
