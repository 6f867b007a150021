/** Words for ratios of speeds. */

import { formatRatio } from "../../measure/number_format.ts";
import type { Timing } from "../worker/measure_source.ts";

/** Ratios of medians within which two ways count as equally fast, however small their spread. */
const TIE = 1.03;

export function verdictOf({ name, ratio: { lower, median, upper } }: Pick<Timing, "name" | "ratio">): string {
  const isTie = lower <= 1 && upper >= 1 || median < TIE && median > 1 / TIE;
  const range = `${formatRatio(lower)} to ${formatRatio(upper)}`;
  if (isTie) return `${name}: a tie with native (${range}).`;
  return `${name}: ${formatRatio(median)} native's speed (${range}): ${median > 1 ? "faster" : "slower"}.`;
}
