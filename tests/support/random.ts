/**
 * Random tests that can be repeated: every failure names its seed.
 *
 * @module
 */

import { Random } from "../../bench/support/random.ts";
import { RUNS_LONG, setting } from "./environment.ts";

export { Random };

/**
 * Share of the rounds that random tests run: `BYTEJSON_ROUNDS`. `deno task test` runs a quarter of
 * them, and a run of named files all.
 */
export const ROUNDS: number = Number(setting("BYTEJSON_ROUNDS") ?? (RUNS_LONG ? 1 : 0.25));

/**
 * Runs `body` for a share of `rounds` seeds, see {@linkcode ROUNDS}, or for `BYTEJSON_SEED` alone.
 * Adds the seed to an error.
 */
export function withSeeds(rounds: number, body: (random: Random) => void): void {
  const only = setting("BYTEJSON_SEED");
  const first = only ? Number(only) : 1;
  const last = only ? first : Math.max(1, rounds * ROUNDS);
  for (let seed = first; seed <= last; seed++) {
    try {
      body(new Random(seed));
    } catch (error) {
      throw new Error(`BYTEJSON_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}
