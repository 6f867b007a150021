/**
 * Child process that measures the memory of one contestant. The documents come on standard input, a
 * {@linkcode Memory} goes to standard output as JSON.
 *
 * @module
 */

import { measureCallMemory } from "../../measure/call_memory.ts";
import { jsonLines } from "../input/json_lines.ts";
import { writeRecord } from "../terminal/streams.ts";
import { contestants } from "./contestants.ts";

/** Memory that parsing takes, in bytes. */
export interface Memory {
  /** Highest resident set while parsing, above the resident set with the input loaded. */
  peak: number;
  /** Heap that the values hold; null where the engine offers no collection. */
  retained: number | null;
}

/** Document with every kind of token, for the memory that a first call sets up once. */
const FIRST_DOCUMENT = '{"a": [1, -2.5e3, true, null, "é", "\\n"]}';

/**
 * Measures one contestant and prints a {@linkcode Memory}.
 *
 * @param args Contestant's id, number of bytes on standard input, and "lines" or "document".
 * @returns The exit code.
 */
export async function runMemoryChild([id, size, shape]: readonly string[]): Promise<number> {
  const contestant = contestants.find((contestant) => contestant.id === id)!;
  await contestant.parse(new TextEncoder().encode(FIRST_DOCUMENT));
  const { peak, heap } = await measureCallMemory(contestant, () => {
    const bytes = readStandardInput(Number(size));
    return shape === "lines" ? [...jsonLines(bytes)] : [bytes];
  });
  writeRecord({ peak, retained: heap ? Math.max(0, heap.retained) : null } satisfies Memory);
  return 0;
}

/** Reads `size` bytes into one buffer. */
function readStandardInput(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let end = 0; end < size;) end += Deno.stdin.readSync(bytes.subarray(end)) ?? size;
  return bytes;
}

if (import.meta.main) await runMemoryChild(Deno.args);
