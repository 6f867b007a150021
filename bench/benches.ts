/**
 * All benches by their names.
 *
 * @module
 */

import type { Bench } from "./support/bench.ts";

/** Loads a bench: each alone, since V8 optimizes the code of one for what it has run. */
async function open<Report>(module: Promise<{ bench: Bench<Report> }>): Promise<Bench> {
  return (await module).bench as Bench;
}

/** Functions that load the benches. */
export const BENCHES: Record<string, () => Promise<Bench>> = {
  "compare": () => open(import("./compare.ts")),
  "select": () => open(import("./select.ts")),
  "stream": () => open(import("./stream.ts")),
  "validate": () => open(import("./validate.ts")),
  "memory": () => open(import("./memory.ts")),
  "first-calls": () => open(import("./first_calls.ts")),
  "guards": () => open(import("./guards.ts")),
  "http": () => open(import("./http.ts")),
  "parts": () => open(import("./parts.ts")),
  "peers": () => open(import("./peers.ts")),
  "builds": () => open(import("./builds.ts")),
  "bundles": () => open(import("./bundles.ts")),
};
