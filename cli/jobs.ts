/**
 * Number of threads, and the size of input from which they pay.
 *
 * @module
 */

import type { Arguments } from "./arguments.ts";

/** Option `--jobs`. */
export interface Jobs {
  /** Number of threads to keep busy. */
  readonly jobs: number;
  /** Bytes of lines from which threads read them. */
  readonly parallelBytes: number;
}

/**
 * Reads the option `--jobs`. Without it, threads read what takes longer than their start: on two
 * cores, 100 MB of lines take 1.1 × as long by threads, 150 MB 0.85 to 1.1, and 500 MB 0.63 to 0.69.
 *
 * @throws {UsageError} If it is no number from 1 up.
 */
export function jobsOf(args: Arguments): Jobs {
  const jobs = args.integer("jobs", 1);
  return { jobs: jobs ?? navigator.hardwareConcurrency, parallelBytes: jobs === undefined ? 2 ** 27 : 2 ** 25 };
}
