/**
 * Memory and first calls of contestants, each measured in a child process of its own.
 *
 * @module
 */

import { median } from "../../measure/statistics.ts";
import { MEASURING_PROCESS, PROGRAM } from "../program.ts";
import type { BenchContestant } from "./contestants.ts";
import type { Memory } from "./measuring_child.ts";

/** Bytes per write to the child's standard input. */
const CHUNK_BYTES = 2 ** 20;

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

/** Documents to measure with. */
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
  const child = new Deno.Command(childProgram(), {
    args: [...childArguments(), contestant.id, String(bytes.length), isLines ? "lines" : "document", ...figure],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // An interrupt ends this process at once. The child would go on, for seconds if it has much to do.
  const kill = (): void => child.kill("SIGKILL");
  addEventListener("unload", kill);
  const [, { stdout, signal, code }] = await Promise.all([writeAll(child.stdin, bytes), child.output()])
    .finally(() => removeEventListener("unload", kill));
  if (signal) throw new Error(`its process was ended by ${signal}`);
  if (code !== 0) throw new Error(`its process ended with exit code ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/**
 * Returns this program by a name that it may run. A compiled program is not always allowed to run
 * itself by its path.
 */
function childProgram(): string {
  const allowed = [Deno.execPath(), "/proc/self/exe"].find((command) =>
    Deno.permissions.querySync({ name: "run", command }).state === "granted"
  );
  if (allowed === undefined) {
    const remedy = Deno.build.standalone ? `put it on the PATH as ${PROGRAM}` : "run with --allow-run";
    throw new Error(`needs to run a process of its own; ${remedy}`);
  }
  return allowed;
}

function childArguments(): string[] {
  if (Deno.build.standalone) return [MEASURING_PROCESS];
  const module = new URL("./measuring_child.ts", import.meta.url).href;
  return ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--v8-flags=--expose-gc", module];
}

/**
 * Writes the bytes. A child that ends before it has read them reports the reason by its exit code.
 */
async function writeAll(stdin: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await writer.write(bytes.subarray(at, at + CHUNK_BYTES));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
