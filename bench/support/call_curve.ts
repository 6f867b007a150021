/**
 * First calls in fresh processes: their total time, and the call from which on parseBinary is ahead
 * of native.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Contestant, native, parser } from "../../measure/contestants.ts";
import { median } from "../../measure/statistics.ts";
import type { BenchDocument } from "./documents.ts";

/** Numbers of calls at which a curve is reported. */
export const MARKS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/**
 * Bytes that a process parses at most, but for the first calls: large documents get a shorter
 * curve.
 */
const MAX_BYTES = 110_000_000;
const LEAST_CALLS = 10;

/** Times of the first calls of one document, native against parseBinary. */
export interface CallCurve {
  name: string;
  bytes: number;
  /** Calls that each process made. */
  calls: number;
  /** Milliseconds of the calls up to each one together, by the name of the contestant: medians. */
  totals: Record<string, number[]>;
  /**
   * Ratio of native's time to parseBinary's at each of {@linkcode MARKS} that the curve reaches.
   */
  ratios: number[];
  /**
   * First call after which parseBinary has taken no longer than native; `undefined` beyond the
   * curve.
   */
  breakEven?: { calls: number; milliseconds: number; bytes: number };
}

/** Returns how many calls a process makes of a document of so many bytes. */
export function callsFor(bytes: number): number {
  const affordable = Math.max(LEAST_CALLS, Math.floor(MAX_BYTES / bytes));
  return MARKS.findLast((mark) => mark <= affordable)!;
}

/** Measures the curves of a document in alternating processes. */
export function measureCurve({ name, parts }: BenchDocument, path: string, rounds: number): CallCurve {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const calls = callsFor(bytes);
  const contestants = [native, parser];
  const samples = new Map(contestants.map((contestant) => [contestant, [] as number[][]]));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      samples.get(contestant)!.push(runCalls(contestant, path, calls));
    }
  }
  const totals = Object.fromEntries(
    contestants.map((contestant) => {
      const runs = samples.get(contestant)!;
      return [contestant.name, Array.from({ length: calls }, (_, i) => median(runs.map((run) => run[i])))];
    }),
  );
  return toCurve(name, bytes, totals);
}

/** Takes ratios and break-even from the totals of both contestants. */
export function toCurve(name: string, bytes: number, totals: Record<string, number[]>): CallCurve {
  const [before, after] = [totals[native.name], totals[parser.name]];
  const ratios = MARKS.filter((mark) => mark <= after.length).map((mark) => before[mark - 1] / after[mark - 1]);
  const call = after.findIndex((milliseconds, i) => milliseconds <= before[i]);
  return {
    name,
    bytes,
    calls: after.length,
    totals,
    ratios,
    ...(call >= 0 && { breakEven: { calls: call + 1, milliseconds: after[call], bytes: (call + 1) * bytes } }),
  };
}

function runCalls(contestant: Contestant, path: string, calls: number): number[] {
  const script = fileURLToPath(new URL("../processes/call_curve.ts", import.meta.url));
  const runtimeOptions = "deno" in process.versions
    ? ["run", "--quiet", "--no-config", "--allow-read", "--allow-env"]
    : [];
  const args = [...runtimeOptions, script, contestant.name, path, String(calls)];
  const child = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (child.status !== 0) throw new Error(`Cannot time first calls: ${child.stderr}`);
  return JSON.parse(child.stdout);
}
