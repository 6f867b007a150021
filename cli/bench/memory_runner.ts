/**
 * Memory of contestants, each measured in a child process of its own.
 *
 * @module
 */

import { MEMORY_PROCESS, PROGRAM } from "../program.ts";
import type { BenchContestant } from "./contestants.ts";
import type { Memory } from "./memory_child.ts";

/** Bytes per write to the child's standard input. */
const CHUNK_BYTES = 2 ** 20;

/** Memory of a contestant, or the reason why there is no figure. */
export interface MemoryResult {
  contestant: BenchContestant;
  memory?: Memory;
  failed?: string;
}

/**
 * Measures contestants one after the other.
 *
 * @param isLines Whether each line of the bytes is a document.
 * @param onProgress Receives the current activity in words.
 */
export async function measureMemories(
  contestants: readonly BenchContestant[],
  bytes: Uint8Array<ArrayBuffer>,
  isLines: boolean,
  onProgress: (activity: string) => void,
): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const contestant of contestants) {
    onProgress(`the memory of ${contestant.name}`);
    try {
      results.push({ contestant, memory: await runChild(contestant, bytes, isLines) });
    } catch (error) {
      results.push({ contestant, failed: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
}

async function runChild(
  contestant: BenchContestant,
  bytes: Uint8Array<ArrayBuffer>,
  isLines: boolean,
): Promise<Memory> {
  const child = new Deno.Command(childProgram(), {
    args: [...childArguments(), contestant.id, String(bytes.length), isLines ? "lines" : "document"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const [, { stdout, signal, code }] = await Promise.all([writeAll(child.stdin, bytes), child.output()]);
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
  if (Deno.build.standalone) return [MEMORY_PROCESS];
  const module = new URL("./memory_child.ts", import.meta.url).href;
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
