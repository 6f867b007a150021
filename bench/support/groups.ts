/**
 * Groups of `deno bench`. The runner takes the ways one after the other; `deno task bench` lets
 * them take turns, which ratios on a noisy machine need.
 *
 * @module
 */

import type { Contestant } from "../../measure/contestants.ts";
import { type BenchDocument, generate, generatedDocuments } from "./documents.ts";

/** Documents of `deno bench`, from the best to the worst for parseBinary. */
export function benchDocuments(): BenchDocument[] {
  const kinds = (["floats of 17 digits", "records", "sentences", "accented text"] as const).map((name) => {
    return { group: "generated", name, parts: [generate(name)] } satisfies BenchDocument;
  });
  return [...kinds, ...generatedDocuments().filter(({ group }) => group === "payload")];
}

/** Registers a bench for each way; the first is the baseline. */
export function benchWays(group: string, ways: Record<string, () => unknown>): void {
  for (const [i, [name, run]] of Object.entries(ways).entries()) {
    Deno.bench({ name, group, baseline: i === 0, fn: () => void run() });
  }
}

/** Registers a bench for each contestant on each document. An iteration reads every part. */
export function benchContestants(contestants: readonly Contestant[]): void {
  for (const { name, parts } of benchDocuments()) {
    const ways = contestants.map(({ name, parse }) => [name, () => parts.forEach((part) => void parse(part))]);
    benchWays(name, Object.fromEntries(ways));
  }
}
