/** Memory and first calls of contestants, each measured in a separate child process. */

import { median } from "../../measure/statistics.ts";
import { platform } from "../platform/platform.ts";
import type { BenchContestant } from "./bench_contestants.ts";
import type { Memory } from "./measuring_child.ts";

export interface Failed {
  failed: string;
}

/** Number of processes for the median of a first call, since a single one may be disturbed. */
const FIRST_CALLS = 3;

/** Bytes from which one process is enough, because a long call outlasts disturbances. */
const LONG_BYTES = 2 ** 24;

export interface Documents {
  bytes: Uint8Array<ArrayBuffer>;
  isLines: boolean;
}

export function measureMemory(contestant: BenchContestant, documents: Documents): Promise<Memory | Failed> {
  return orFailed(() => runChild<Memory>(contestant, documents, []));
}

/** Times the first call of a contestant, in milliseconds, in fresh processes. */
export function timeFirstCall(contestant: BenchContestant, documents: Documents): Promise<number | Failed> {
  return orFailed(async () => {
    const samples: number[] = [];
    for (let calls = documents.bytes.length < LONG_BYTES ? FIRST_CALLS : 1; calls > 0; calls--) {
      samples.push((await runChild<{ milliseconds: number }>(contestant, documents, ["first"])).milliseconds);
    }
    return median(samples);
  });
}

async function orFailed<T>(measure: () => Promise<T>): Promise<T | Failed> {
  try {
    return await measure();
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs a child process with the documents on its standard input. Resolves with what it prints. */
async function runChild<T>(
  contestant: BenchContestant,
  { bytes, isLines }: Documents,
  figure: readonly string[],
): Promise<T> {
  const args = [contestant.id, String(bytes.length), isLines ? "lines" : "document", ...figure];
  const { stdout, signal, code } = await platform.runMeasuringProcess(args, bytes);
  if (signal) throw new Error(`its process was ended by ${signal}`);
  if (code !== 0) throw new Error(`its process ended with exit code ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
