/**
 * The memory and time of a first call, measured in the process this module runs in: `memory_process.ts TASK`, with a
 * {@linkcode MemoryTask} as JSON. Prints a {@linkcode MemoryReading} as JSON. To be run with `--expose-gc`.
 */
import process from "node:process";
import { getHeapSpaceStatistics } from "node:v8";
import { parseBinary } from "../../parse_binary.ts";
import { takeHeapSnapshot } from "../../tests/support/heap_snapshot.ts";
import { loadInput, type MemoryInput } from "./memory_input.ts";
import { collect, peakResident, resetPeak, resident, settledHeap } from "./resident.ts";

export interface MemoryTask {
  way: WayName;
  input: MemoryInput;
  /** Whether to go through a snapshot of the heap for what the value holds: exact, and slow for large ones. */
  exact: boolean;
}

/** What one call took; sizes in bytes. */
export interface MemoryReading {
  input: number;
  /** Highest resident set, above what was resident with the input loaded. */
  peak: number;
  /** What of it are pages of the young generation, which grows with what survives collections. */
  young: number;
  milliseconds: number;
  /** Heap the value holds: by a snapshot, or what a collection frees once it is dropped, which may be code as well. */
  retained: number;
  /** Heap in use after that, above what was in use before the call. */
  left: number;
  /** Whether the input outlived the last reference that this module had to it. */
  inputKept: boolean;
}

/** Bytes to a value. All throw for bad input. */
const WAYS = {
  "decode + JSON.parse": (bytes: Uint8Array<ArrayBuffer>): unknown => JSON.parse(new TextDecoder().decode(bytes)),
  "Response.json": (bytes: Uint8Array<ArrayBuffer>): unknown => new Response(bytes).json(),
  "parseBinary": (bytes: Uint8Array<ArrayBuffer>): unknown => {
    const result = parseBinary(bytes);
    if (!result.ok) throw new SyntaxError(result.message);
    return result.value;
  },
};

export type WayName = keyof typeof WAYS;
export const WAY_NAMES = Object.keys(WAYS) as WayName[];

/** What the call gets and gives, in one place that can be emptied, and found in a snapshot. */
class Held {
  input: Uint8Array<ArrayBuffer> | undefined;
  value: unknown;

  constructor(input: Uint8Array<ArrayBuffer>) {
    this.input = input;
  }
}

async function measure({ way, input, exact }: MemoryTask): Promise<MemoryReading> {
  const held = new Held(loadInput(input));
  const heapBefore = await settledHeap();
  const hasReset = resetPeak();
  const before = resident();
  const peakBefore = hasReset ? before : peakResident();
  const milliseconds = await parse(way, held);
  const reached = peakResident();
  // A peak that loading had reached already says nothing; what is resident now is the least it was.
  const peak = Math.max(0, (reached > peakBefore ? reached : resident()) - before);
  const young = youngGeneration();
  const heapWithValue = await settledHeap();
  const sizeOfValue = exact ? (await takeHeapSnapshot()).sizeOfValue("Held", "value") : undefined;
  held.value = undefined;
  const heapAfter = await settledHeap();
  return {
    input: held.input!.length,
    peak,
    young,
    milliseconds,
    retained: sizeOfValue ?? heapWithValue - heapAfter,
    left: heapAfter - heapBefore,
    inputKept: await outlives(held),
  };
}

/** Milliseconds of a call. The value goes into `held`, so that nothing of it is in a frame that waits. */
async function parse(way: WayName, held: Held): Promise<number> {
  const start = performance.now();
  held.value = await WAYS[way](held.input!);
  return performance.now() - start;
}

function youngGeneration(): number {
  const spaces = getHeapSpaceStatistics().filter((space) => space.space_name.startsWith("new_"));
  return spaces.reduce((sum, space) => sum + space.physical_space_size, 0);
}

async function outlives(held: Held): Promise<boolean> {
  const reference = new WeakRef(held.input!.buffer);
  held.input = undefined;
  await collect();
  return reference.deref() !== undefined;
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]))));
