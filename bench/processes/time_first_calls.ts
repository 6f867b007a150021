/** Measures first calls, in a separate process. */

import { readFileSync } from "node:fs";
import type { Mask } from "../../select.ts";
import { Lane } from "../support/bench_lanes.ts";
import { contestantsFor } from "../support/selections.ts";

/** Reads a file again and again. Resolves with the total milliseconds after each call. */
export async function timeFirstCalls(name: string, mask: Mask, path: string, calls: number): Promise<number[]> {
  const bytes = new Uint8Array(readFileSync(path)); // with its own buffer
  const { parse } = contestantsFor({ group: "messages", mask }).find((other) => other.name === name)!;
  const lane = new Lane(name, () => parse(bytes));
  const totals: number[] = [];
  for (let total = 0; totals.length < calls; totals.push(total)) total += await lane.time(1);
  return totals;
}
