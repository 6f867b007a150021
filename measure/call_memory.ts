/**
 * Memory that one call takes. A peak belongs to the whole process, so each call to be measured gets
 * a process of its own: a child that imports this module.
 */

import { getHeapSpaceStatistics } from "node:v8";
import { type Contestant, Rejection } from "./contestants.ts";
import { takeHeapSnapshot } from "./heap_snapshot.ts";
import {
  canCollect,
  collect,
  peakResidentBytes,
  resetPeak,
  residentBytes,
  settledHeapBytes,
} from "./process_memory.ts";

/** Memory and time of one call. Sizes are in bytes. */
export interface CallMemory {
  /** Length of the input. */
  input: number;
  /** Highest resident set, above the resident set with the input loaded. */
  peak: number;
  /** Pages of the young generation after the call; it grows with what survives collections. */
  young: number;
  milliseconds: number;
  /** Heap figures; absent where the engine offers no collection. */
  heap?: HeapFigures;
}

/** Heap that a call leaves behind. Sizes are in bytes. */
export interface HeapFigures {
  /** Heap that the values hold: by a snapshot if asked for, else freed once they are dropped. */
  retained: number;
  /** Heap in use once the values are dropped, above the heap in use before the call. */
  left: number;
  /** Whether the input outlived the last reference that this module had to it. */
  inputKept: boolean;
}

/** Options of {@linkcode measureCallMemory}. */
export interface CallMemoryOptions {
  /** Whether a heap snapshot sizes the values: exact, and slow for large ones. */
  exact?: boolean;
}

/** Inputs and values of a call, in one object that can be emptied and found in a snapshot. */
class Call {
  documents: readonly Uint8Array[];
  values: unknown[] = [];

  constructor(documents: readonly Uint8Array[]) {
    this.documents = documents;
  }
}

/**
 * Measures the first pass of a contestant over documents.
 *
 * @param load Loads the documents, all in one buffer. A function, so that no caller holds them.
 */
export async function measureCallMemory(
  contestant: Contestant,
  load: () => readonly Uint8Array[],
  { exact = false }: CallMemoryOptions = {},
): Promise<CallMemory> {
  const call = new Call(load());
  const heapBefore = await settledHeap();
  const hasReset = resetPeak();
  const residentBefore = residentBytes();
  const peakBefore = hasReset ? residentBefore : peakResidentBytes();
  const milliseconds = await parse(contestant, call);
  const peakAfter = peakResidentBytes();
  // A peak no higher than that of start-up says nothing; the present resident set is a lower bound.
  const peak = Math.max(0, (peakAfter > peakBefore ? peakAfter : residentBytes()) - residentBefore);
  const memory: CallMemory = {
    input: call.documents.reduce((sum, { length }) => sum + length, 0),
    peak,
    young: youngGenerationBytes(),
    milliseconds,
  };
  if (heapBefore !== undefined) memory.heap = await measureHeap(call, heapBefore, exact);
  return memory;
}

/** Parses into `call`, so that no waiting frame holds a value. Returns the milliseconds. */
async function parse(contestant: Contestant, { documents, values }: Call): Promise<number> {
  const start = performance.now();
  for (const document of documents) {
    const value = contestant.parse(document);
    if (value instanceof Rejection) throw new SyntaxError(value.message);
    values.push(value instanceof Promise ? await value : value);
  }
  return performance.now() - start;
}

async function measureHeap(call: Call, heapBefore: number, exact: boolean): Promise<HeapFigures> {
  const heapWithValues = await settledHeapBytes();
  const snapshotBytes = exact ? (await takeHeapSnapshot()).sizeOfValue("Call", "values") : undefined;
  call.values = [];
  const heapAfter = await settledHeapBytes();
  return {
    retained: snapshotBytes ?? heapWithValues - heapAfter,
    left: heapAfter - heapBefore,
    inputKept: await outlivesCall(call),
  };
}

async function settledHeap(): Promise<number | undefined> {
  return canCollect ? await settledHeapBytes() : undefined;
}

/** Drops the input. Returns whether it is still alive after a collection. */
async function outlivesCall(call: Call): Promise<boolean> {
  const reference = new WeakRef(call.documents[0].buffer);
  call.documents = [];
  await collect();
  return reference.deref() !== undefined;
}

function youngGenerationBytes(): number {
  const spaces = getHeapSpaceStatistics().filter((space) => space.space_name.startsWith("new_"));
  return spaces.reduce((sum, space) => sum + space.physical_space_size, 0);
}
