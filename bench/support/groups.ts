/**
 * Groups of `deno bench`: contestants on one document, native as the baseline.
 *
 * @module
 */

import { type Contestant, native } from "../../measure/contestants.ts";
import type { BenchDocument } from "./documents.ts";
import { consumed } from "./lane.ts";

/** Bytes to read before measuring: some 100 ms, after which V8 has compiled what it will. */
const WARM_UP_BYTES = 3e7;
/** Most iterations before measuring, enough for documents of a few bytes. */
const MOST_WARM_UP = 50_000;
/** Fewest iterations before measuring. */
const LEAST_WARM_UP = 20;
/** Fewest measured iterations; the runner makes more where they fit into half a second. */
const LEAST_RUNS = 20;

/** Awaits a promise. If it rejects, the document is not JSON, which is a result as well. */
async function settled(promise: unknown): Promise<void> {
  try {
    await promise;
  } catch {
    // Measured like a value.
  }
}

/** Registers a bench for each contestant. An iteration reads one part of the document. */
export function benchWarm({ name, parts }: Pick<BenchDocument, "name" | "parts">, contestants: Contestant[]): void {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0) / parts.length;
  const warmup = Math.ceil(Math.min(MOST_WARM_UP, Math.max(LEAST_WARM_UP, WARM_UP_BYTES / bytes)));
  for (const contestant of contestants) {
    let next = 0;
    const run = (): unknown => consumed.value = contestant.parse(parts[next++ % parts.length]);
    Deno.bench({
      name: contestant.name,
      group: `warm: ${name}`,
      baseline: contestant === native,
      warmup,
      n: LEAST_RUNS,
      fn: contestant.isAsync ? async () => await settled(run()) : () => void run(),
    });
  }
}
