/** Random tests that can be repeated: every failure names its seed. */

import { Random } from "../../bench/support/random.ts";
import { RUNS_LONG, setting } from "./environment.ts";

export { Random };

/**
 * Share of the rounds that random tests run: `BYTEJSON_ROUNDS`. `deno task test` runs a twentieth of
 * them, which finds all planted bugs and reaches all code, and a run of named files all.
 */
export const ROUNDS: number = Number(setting("BYTEJSON_ROUNDS") ?? (RUNS_LONG ? 1 : 0.05));

/** Returns the seeds of a share of `rounds`, see {@linkcode ROUNDS}, or `BYTEJSON_SEED` alone. */
function seedsOf(rounds: number): number[] {
  const only = setting("BYTEJSON_SEED");
  if (only) return [Number(only)];
  return Array.from({ length: Math.max(1, rounds * ROUNDS) }, (_, i) => i + 1);
}

function withSeed(seed: number, error: unknown): Error {
  return new Error(`BYTEJSON_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
}

/** Runs `body` for each seed. Adds the seed to an error. */
export function withSeeds(rounds: number, body: (random: Random) => void): void {
  for (const seed of seedsOf(rounds)) {
    try {
      body(new Random(seed));
    } catch (error) {
      throw withSeed(seed, error);
    }
  }
}

/** Runs `body` for each seed, one after the other. Adds the seed to an error. */
export async function withSeedsAsync(rounds: number, body: (random: Random) => Promise<void>): Promise<void> {
  for (const seed of seedsOf(rounds)) {
    await body(new Random(seed)).catch((error) => {
      throw withSeed(seed, error);
    });
  }
}

/** Whether random tests are too few for each kind of result to occur. */
export const hasFewRounds: boolean = ROUNDS < 1 || setting("BYTEJSON_SEED") !== undefined;

let turns = 0;

/** Returns whether to run a case, for a share of many similar ones: see {@linkcode ROUNDS}. */
export function sampled(): boolean {
  turns += ROUNDS;
  return Math.floor(turns) > Math.floor(turns - ROUNDS);
}
