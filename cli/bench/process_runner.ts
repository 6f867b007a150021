/** Memory and first calls of contestants, each measured in a child process of its own. */

import { median } from "../../measure/statistics.ts";
import { platform } from "../platform/platform.ts";
import type { BenchContestant } from "./contestants.ts";
import type { Memory } from "./measuring_child.ts";

/** Memory of a contestant, or the reason why there is no figure. */
export interface MemoryResult {
  contestant: BenchContestant;
  memory?: Memory;
  failed?: string;
}

/** Time of a contestant's first call in a process, or the reason why there is none. */
export interface FirstCall {
  contestant: BenchContestant;
  milliseconds?: number;
  failed?: string;
}

/** Processes whose median is the time of a first call: one alone may meet a disturbance. */
const FIRST_CALLS = 3;

/** Bytes from which one process is enough: a long call outlasts disturbances. */
const LONG_BYTES = 2 ** 24;

export interface Documents {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether each line of the bytes is a document. */
  isLines: boolean;
}

/**
 * Measures the memory of contestants, one after the other.
 *
 * @param onProgress Receives the current activity in words.
 */
export function measureMemories(
  contestants: readonly BenchContestant[],
  documents: Documents,
  onProgress: (activity: string) => void,
): Promise<MemoryResult[]> {
  return measureEach(contestants, async (contestant) => {
    onProgress(`the memory of ${contestant.name}`);
    return { contestant, memory: await runChild<Memory>(contestant, documents, []) };
  });
}

/**
 * Times the first call of contestants in fresh processes.
 *
 * @param onProgress Receives the current activity in words.
 */
export function timeFirstCalls(
  contestants: readonly BenchContestant[],
  documents: Documents,
  onProgress: (activity: string) => void,
): Promise<FirstCall[]> {
  return measureEach(contestants, async (contestant) => {
    const samples: number[] = [];
    for (let calls = documents.bytes.length < LONG_BYTES ? FIRST_CALLS : 1; calls > 0; calls--) {
      onProgress(`the first call of ${contestant.name}`);
      samples.push((await runChild<{ milliseconds: number }>(contestant, documents, ["first"])).milliseconds);
    }
    return { contestant, milliseconds: median(samples) };
  });
}

async function measureEach<T>(
  contestants: readonly BenchContestant[],
  measure: (contestant: BenchContestant) => Promise<T>,
): Promise<(T | { contestant: BenchContestant; failed: string })[]> {
  const results = [];
  for (const contestant of contestants) {
    try {
      results.push(await measure(contestant));
    } catch (error) {
      results.push({ contestant, failed: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
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
