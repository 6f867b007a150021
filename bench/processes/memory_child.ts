/**
 * Child process that measures the memory and time of a first call. Prints a
 * {@linkcode MemoryReading} as JSON. Needs `--expose-gc`.
 *
 *     memory_child.ts TASK     a {@linkcode MemoryTask} as JSON
 *
 * @module
 */

import process from "node:process";
import { type CallMemory, type HeapFigures, measureCallMemory } from "../../measure/call_memory.ts";
import { native, parser, response } from "../../measure/contestants.ts";
import { loadInput, type MemoryInput } from "../support/memory_documents.ts";

/** Call to measure. */
export interface MemoryTask {
  /** Name of the contestant. */
  contestant: string;
  input: MemoryInput;
  /** Whether a heap snapshot sizes the value: exact, and slow for large ones. */
  exact: boolean;
}

/** Memory and time of the call. Sizes are in bytes. */
export type MemoryReading = Omit<CallMemory, "heap"> & HeapFigures;

async function measure({ contestant: name, input, exact }: MemoryTask): Promise<MemoryReading> {
  const contestant = [native, response, parser].find((contestant) => contestant.name === name)!;
  const { heap, ...memory } = await measureCallMemory(contestant, () => [loadInput(input)], { exact });
  if (heap === undefined) throw new Error("Cannot measure the heap: run with --expose-gc");
  return { ...memory, ...heap };
}

console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]))));
