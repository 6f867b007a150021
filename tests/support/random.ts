/**
 * Random choices that can be made again: every failure names its seed, and `BYTEJSON_SEED` runs that one alone.
 *
 * @module
 */

import { setting } from "./environment.ts";

/** Pseudo-random numbers of good quality from a 32-bit seed (splitmix32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let x = this.#state ^ (this.#state >>> 16);
    x = Math.imul(x, 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return Math.floor(((x ^ (x >>> 15)) >>> 0) / 0x1_0000_0000 * limit);
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(choices: ArrayLike<T>): T {
    return choices[this.below(choices.length)];
  }

  /** A string of pieces that `make` returns, `from` to `to` of them. */
  repeat(from: number, to: number, make: () => string): string {
    let text = "";
    for (let i = from + this.below(to - from + 1); i > 0; i--) text += make();
    return text;
  }
}

/** Runs `body` for `rounds` seeds (`BYTEJSON_ROUNDS` times as many); what it throws is told with the seed. */
export function withSeeds(rounds: number, body: (random: Random) => void): void {
  const only = setting("BYTEJSON_SEED");
  const first = only ? Number(only) : 1;
  const last = only ? first : rounds * Number(setting("BYTEJSON_ROUNDS") ?? 1);
  for (let seed = first; seed <= last; seed++) {
    try {
      body(new Random(seed));
    } catch (error) {
      throw new Error(`BYTEJSON_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}
