/**
 * Memory that one call takes. A peak is that of the whole process, so each call is measured in a
 * separate child process, which imports this module.
 */

import { type Contestant, Rejection } from "./contestants.ts";
import { canCollect, peakResidentBytes, resetPeak, residentBytes, settledHeapBytes } from "./process_memory.ts";

/** Memory and time of one call. Sizes are in bytes. */
export interface CallMemory {
  /** Length of the input. */
  input: number;
  /** Highest resident set, above the resident set with the input loaded. */
  peak: number;
  milliseconds: number;
  /** Heap that is freed once the values are dropped; absent if garbage cannot be collected. */
  retained?: number;
}

/** Inputs and values of a call, in one object that can be emptied. */
interface Call {
  documents: readonly Uint8Array[];
  values: unknown[];
}

/**
 * Measures the first pass of a contestant over documents.
 *
 * @param load Loads the documents, all in one buffer. A function, so that no caller keeps
 * them alive.
 */
export async function measureCallMemory(
  contestant: Contestant,
  load: () => readonly Uint8Array[],
): Promise<CallMemory> {
  const call: Call = { documents: load(), values: [] };
  if (canCollect) await settledHeapBytes();
  const hasReset = resetPeak();
  const residentBefore = residentBytes();
  const peakBefore = hasReset ? residentBefore : peakResidentBytes();
  const milliseconds = await parse(contestant, call);
  const peakAfter = peakResidentBytes();
  // A peak no higher than that of start-up says nothing; the present resident set is a lower bound.
  const peak = Math.max(0, (peakAfter > peakBefore ? peakAfter : residentBytes()) - residentBefore);
  const input = call.documents.reduce((sum, { length }) => sum + length, 0);
  if (!canCollect) return { input, peak, milliseconds };
  const heapWithValues = await settledHeapBytes();
  call.values = [];
  return { input, peak, milliseconds, retained: heapWithValues - await settledHeapBytes() };
}

/** Parses into `call`, so that no suspended frame keeps a value alive. Returns the milliseconds. */
async function parse(contestant: Contestant, { documents, values }: Call): Promise<number> {
  const start = performance.now();
  for (const document of documents) {
    const value = contestant.parse(document);
    if (value instanceof Rejection) throw new SyntaxError(value.message);
    values.push(value instanceof Promise ? await value : value);
  }
  return performance.now() - start;
}
