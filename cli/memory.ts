/** The memory of rows, each in a process of its own. */

import type { Memory } from "./memory_process.ts";
import { MEMORY_PROCESS, PROGRAM } from "./program.ts";
import type { Row } from "./rows.ts";

/** Bytes handed over at a time. */
const PIECE = 2 ** 20;

/** What came of measuring a row's memory. */
export interface MemoryOutcome {
  row: Row;
  memory?: Memory;
  /** Why it could not be measured. */
  failed?: string;
}

/** Measures rows one after the other. */
export async function measureMemories(
  rows: readonly Row[],
  bytes: Uint8Array<ArrayBuffer>,
  lines: boolean,
  tell: (doing: string) => void,
): Promise<MemoryOutcome[]> {
  const outcomes: MemoryOutcome[] = [];
  for (const row of rows) {
    tell(`the memory of ${row.name}`);
    try {
      outcomes.push({ row, memory: await measureMemory(row, bytes, lines) });
    } catch (error) {
      outcomes.push({ row, failed: error instanceof Error ? error.message : String(error) });
    }
  }
  return outcomes;
}

async function measureMemory(row: Row, bytes: Uint8Array<ArrayBuffer>, lines: boolean): Promise<Memory> {
  const child = new Deno.Command(program(), {
    args: [...entry(), row.id, String(bytes.length), lines ? "lines" : "document"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const [, { stdout, signal, code }] = await Promise.all([feed(child.stdin, bytes), child.output()]);
  if (signal) throw new Error(`its process was ended by ${signal}`);
  if (code !== 0) throw new Error(`its process ended with exit code ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** This program, by a name it may run. A compiled one is not always allowed to run itself by its path. */
function program(): string {
  const allowed = [Deno.execPath(), "/proc/self/exe"].find((command) =>
    Deno.permissions.querySync({ name: "run", command }).state === "granted"
  );
  if (allowed === undefined) {
    const remedy = Deno.build.standalone ? `put it on the PATH as ${PROGRAM}` : "run with --allow-run";
    throw new Error(`needs to run a process of its own; ${remedy}`);
  }
  return allowed;
}

function entry(): string[] {
  if (Deno.build.standalone) return [MEMORY_PROCESS];
  const module = new URL("./memory_process.ts", import.meta.url).href;
  return ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--v8-flags=--expose-gc", module];
}

/** Writes the bytes; a process that ends before it has read them has its reason, and its exit code tells it. */
async function feed(stdin: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  try {
    for (let at = 0; at < bytes.length; at += PIECE) await writer.write(bytes.subarray(at, at + PIECE));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
