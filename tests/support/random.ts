/**
 * Random tests that can be repeated: every failure names its seed.
 *
 * @module
 */

import { Random } from "../../measure/random.ts";
import { setting } from "./environment.ts";

export { Random };

/**
 * Runs `body` for `rounds` seeds, or for `BYTEJSON_ROUNDS` times as many, or for `BYTEJSON_SEED`
 * alone. Adds the seed to an error.
 */
export function withSeeds(rounds: number, body: (random: Random) => void): void {
  const only = setting("BYTEJSON_SEED");
  const first = only ? Number(only) : 1;
  const last = only ? first : Math.max(1, rounds * Number(setting("BYTEJSON_ROUNDS") ?? 1));
  for (let seed = first; seed <= last; seed++) {
    try {
      body(new Random(seed));
    } catch (error) {
      throw new Error(`BYTEJSON_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}
