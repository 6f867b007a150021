/** Measures the same code against itself: the difference is the noise of the machine. */

import { parser } from "../../measure/contestants.ts";
import { formatPercent } from "../../measure/number_format.ts";
import { geometricMean } from "../../measure/statistics.ts";
import { generate, generatedDocuments, type Kind } from "./documents.ts";
import { effortOf, laneOf, measureLanes } from "./bench_lanes.ts";
import { callInProcess } from "./runtimes.ts";

/** Maximum mean difference between two runs of the same code for results to be stored. */
export const MAX_NOISE = 0.05;

const KINDS: Kind[] = ["records", "many small objects", "integers", "floats of 17 digits", "sentences", "CJK text"];

/** Returns the mean by which times of the same code differ: 0 for equal times. */
export function meanDifference(pairs: readonly (readonly [number, number])[]): number {
  return geometricMean(pairs.map(([a, b]) => Math.max(a / b, b / a))) - 1;
}

/** Measures the same code against itself. Resolves with the mean difference. */
export async function measureDifference(isQuick: boolean): Promise<number> {
  const payloads = generatedDocuments(/^payload\//).map(({ parts }) => parts);
  const pairs: [number, number][] = [];
  const large = isQuick ? [] : KINDS.map((kind) => [generate(kind)]);
  for (const parts of [...large, ...payloads]) {
    const lanes = [laneOf(parser, parts), laneOf(parser, parts)];
    await measureLanes(lanes, effortOf(isQuick));
    pairs.push([lanes[0].milliseconds, lanes[1].milliseconds]);
  }
  return meanDifference(pairs);
}

/** Measures it in a separate process, so that benches are not optimised for these documents. */
export function measureSelf(isQuick: boolean): number {
  return callInProcess<typeof measureDifference>("support/self.ts", "measureDifference", [isQuick]);
}

/** Describes the difference between runs of the same code. */
export function describeSelf(difference: number): string {
  const words = `The same code differed from itself by ${formatPercent(difference)} in the mean`;
  return difference > MAX_NOISE ? `${words}: the machine is too busy for true figures` : words;
}
