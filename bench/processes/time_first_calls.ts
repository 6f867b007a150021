/** Measures first calls, in a separate process. */

import { readFileSync } from "node:fs";
import type { Mask } from "../../select.ts";
import { Lane } from "../support/bench_lanes.ts";
import { contestantsFor } from "../support/selections.ts";

/** Parses a file again and again. Resolves with the elapsed milliseconds after each call. */
export async function timeFirstCalls(name: string, mask: Mask, path: string, calls: number): Promise<number[]> {
  const bytes = new Uint8Array(readFileSync(path)); // with its own buffer
  const { parse } = contestantsFor({ group: "messages", mask }).find((other) => other.name === name)!;
  const lane = new Lane(name, () => parse(bytes));
  const totals: number[] = [];
  let total = 0;
  while (totals.length < calls) {
    total += await lane.time(1);
    totals.push(total);
  }
  return totals;
}
