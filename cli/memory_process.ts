/**
 * The memory a row takes, measured in the process this module runs in: a peak is process-wide, so each row gets a process.
 * The documents come on standard input, what was found goes to standard output.
 */

import process from "node:process";
import { jsonLines } from "./input/json_lines.ts";
import { type Row, rows } from "./rows.ts";
import { writeRecord } from "./terminal/streams.ts";

/** What parsing takes, in bytes. */
export interface Memory {
  /** Highest resident set while parsing, above what was resident with the input loaded. */
  peak: number;
  /** Heap the values hold: what a collection frees once they are dropped. Null where the engine offers none. */
  retained: number | null;
}

/** A document of all kinds of tokens: what a first call sets up once is not the memory of the document measured. */
const FIRST_DOCUMENT = '{"a": [1, -2.5e3, true, null, "é", "\\n"]}';

const COLLECTIONS = 4;

const { gc } = globalThis as { gc?: () => void };

/** Measures `[row, bytes of input, "lines" or "document"]`, prints a {@linkcode Memory} as JSON and resolves with the exit code. */
export async function measureHere([id, size, shape]: readonly string[]): Promise<number> {
  const row = rows.find((row) => row.id === id)!;
  const bytes = new Uint8Array(Number(size));
  for (let filled = 0; filled < bytes.length;) filled += Deno.stdin.readSync(bytes.subarray(filled)) ?? bytes.length;
  const documents = shape === "lines" ? [...jsonLines(bytes)] : [bytes];
  const values: unknown[] = [];

  await parseInto(values, row, [new TextEncoder().encode(FIRST_DOCUMENT)]);
  values.length = 0;
  await collect();
  const before = Deno.memoryUsage().rss;
  const highest = peakOfProcess();
  await parseInto(values, row, documents);
  const reached = peakOfProcess();
  // A peak that start-up had reached already says nothing; what is resident then is the least it was.
  const peak = Math.max(0, (reached > highest ? reached : Deno.memoryUsage().rss) - before);

  await collect();
  const full = heapInUse();
  values.length = 0;
  await collect();
  const retained = gc ? Math.max(0, full - heapInUse()) : null;
  writeRecord({ peak, retained } satisfies Memory);
  return 0;
}

/** Parses into an array that the caller can empty; a value returned would live on in the caller's frame. */
async function parseInto(values: unknown[], row: Row, documents: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  for (const document of documents) values.push(await row.parse(document));
}

/**
 * Collects several times, each in a task of its own: what was awaited last, what only finalizers held, and what a compiler at work in
 * the background leaves is garbage then.
 */
async function collect(): Promise<void> {
  for (let i = 0; i < COLLECTIONS; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    gc?.();
  }
}

/** The highest resident set of the process so far, bytes. */
function peakOfProcess(): number {
  return process.resourceUsage().maxRSS * 1024;
}

function heapInUse(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

if (import.meta.main) await measureHere(Deno.args);
