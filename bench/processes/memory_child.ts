/**
 * Child process that measures the memory and time of a first call, or of documents that come one
 * after the other. Prints a {@linkcode CallReading} or a {@linkcode SequenceReading} as JSON. Needs
 * `--expose-gc`.
 *
 *     memory_child.ts TASK     a {@linkcode MemoryTask} as JSON
 *
 * @module
 */

import process from "node:process";
import { detach } from "../../detach.ts";
import { measureCallMemory } from "../../measure/call_memory.ts";
import { type Contestant, native, parser, Rejection } from "../../measure/contestants.ts";
import { peakResidentBytes } from "../../measure/process_memory.ts";
import { median } from "../../measure/statistics.ts";
import { loadInput, type MemoryInput } from "../support/memory_documents.ts";

/** Work to measure. */
export interface MemoryTask {
  /** Name of the contestant. */
  contestant: string;
  input: MemoryInput;
  /** Number of documents, one after the other; the first half is a warm-up. Absent for a first call. */
  count?: number;
}

/** Memory and time of a first call. Sizes are in bytes. */
export interface CallReading {
  /** Length of the input. */
  bytes: number;
  /** Highest resident set, above the resident set with the input loaded. */
  peak: number;
  /** Heap that the value holds. */
  value: number;
  milliseconds: number;
}

/** Figures of documents that come one after the other. */
export interface SequenceReading {
  /** Length of a document. */
  bytes: number;
  /** Highest resident set of the process, from its start on. */
  peak: number;
  /** Median time of a call, in the later half. */
  milliseconds: number;
}

async function measureCall(contestant: Contestant, input: MemoryInput): Promise<CallReading> {
  const { input: bytes, peak, milliseconds, heap } = await measureCallMemory(contestant, () => [loadInput(input)]);
  if (heap === undefined) throw new Error("Cannot measure the heap: run with --expose-gc");
  return { bytes, peak, value: heap.retained, milliseconds };
}

/** Parses a copy of a document, and frees it. Nothing refers to the value afterwards. */
function handle(contestant: Contestant, document: Uint8Array<ArrayBuffer>): number {
  const body = document.slice();
  const start = performance.now();
  const value = contestant.parse(body);
  const milliseconds = performance.now() - start;
  if (value instanceof Rejection) throw new Error(value.message);
  detach(body);
  return milliseconds;
}

/** Parses documents as a server does: each in a buffer and a turn of the event loop of its own. */
async function measureSequence(contestant: Contestant, input: MemoryInput, count: number): Promise<SequenceReading> {
  const document = loadInput(input);
  const times: number[] = [];
  while (times.length < count) {
    times.push(handle(contestant, document));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { bytes: document.length, peak: peakResidentBytes(), milliseconds: median(times.slice(count >> 1)) };
}

const { contestant: name, input, count }: MemoryTask = JSON.parse(process.argv[2]);
const contestant = [native, parser].find((contestant) => contestant.name === name)!;
const measured = count === undefined ? measureCall(contestant, input) : measureSequence(contestant, input, count);
console.log(JSON.stringify(await measured));
