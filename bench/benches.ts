/** All benches by their names. */

import type { Bench } from "./support/bench.ts";

/** Names of the benches, in the order of the tables. */
// deno-fmt-ignore
export const BENCHES = [
  "compare", "select", "stream", "validate", "memory", "first-calls", "guards", "http", "parts", "peers", "builds", "bundles",
];

/** Loads a bench: each alone, since V8 optimizes the code of one for what it has run. */
export async function openBench(name: string): Promise<Bench> {
  return (await import(`./${name.replace("-", "_")}.ts`)).bench;
}
