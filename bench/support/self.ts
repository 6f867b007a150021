/**
 * Measurement of the same code against itself: what it shows is the noise of the machine.
 *
 * @module
 */

import { formatPercent } from "../../measure/number_format.ts";
import { geometricMean } from "../../measure/statistics.ts";
import { runProgram } from "./runtimes.ts";

/** Largest mean difference of the same code from itself with which results are stored. */
export const MOST_NOISE = 0.05;

/** Returns the mean by which times of the same code differ: 0 for equal times. */
export function meanDifference(pairs: readonly (readonly [number, number])[]): number {
  return geometricMean(pairs.map(([a, b]) => Math.max(a / b, b / a))) - 1;
}

/**
 * Measures the same code against itself, in a process of its own: the code of a bench should not be
 * optimized for these documents. Returns the mean difference.
 */
export function measureSelf(isQuick: boolean): number {
  return runProgram<number>("bench/processes/self_child.ts", isQuick ? ["quick"] : []);
}

/** Says by how much the same code has differed from itself. */
export function describeSelf(difference: number): string {
  const words = `The same code differed from itself by ${formatPercent(difference)} in the mean`;
  return difference > MOST_NOISE ? `${words}: the machine is too busy for true figures` : words;
}
