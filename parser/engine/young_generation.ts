/**
 * Young-generation policy: V8's young generation is collected before a large input, not in the
 * middle of it. Values of successive inputs then stay young, and cost nothing once they are garbage
 * (`parseStream` of 10 MB in Deno: 60 → 43 ms. Records of 6 MB, parsed eight times, leave 4 KB in
 * the old generation instead of 52 MB).
 *
 * V8 allocates in its young generation and, once that is full, at up to 16 or 32 MiB, copies the
 * live objects: in the middle of a large input, all values made so far; before the next input,
 * almost nothing. `JSON.parse` gets that early collection for free, when V8 finds no room for the
 * decoded text. No function of V8 makes it collect, but garbage made on purpose does. Other engines
 * are left alone.
 */

import { PREPARED_INPUT } from "./input_sizes.ts";

type HeapSpace = Record<"space_used_size" | "space_available_size", number> & { space_name: string };

/** Makes an object or array of values on the stack, by a literal. */
type Literal = (stack: unknown[], base: number) => unknown;

interface HeapModule {
  getHeapSpaceStatistics?: () => HeapSpace[];
  getHeapStatistics?: () => { heap_size_limit: number };
}

/** Globals of runtimes that this module uses, without an import, so that browsers load it too. */
const runtime = globalThis as {
  process?: {
    versions?: { bun?: string; v8?: string };
    getBuiltinModule?: (name: string) => HeapModule | undefined;
  };
  Deno?: { version?: { v8?: unknown } };
};

/**
 * Bytes of large inputs before the first collection. In Deno, the first access to `process` takes
 * 13 ms and loading `node:v8` 3 to 9, which a program that parses one document would not get back.
 */
const BYTES_BEFORE_COLLECTING = 1 << 24;

/** Bits of a garbage `BigInt`: just below the size of V8's large objects, so that it fills a page. */
const GARBAGE_BITS = 1_048_000n;
/** Bytes of the same. Not computed from it: bundlers would keep the conversion. */
const GARBAGE_BYTES = 131_000;
/** Allocations between two readings of the statistics, which take 5 µs. */
const ALLOCATIONS_AT_ONCE = 8;

/**
 * Maximum share of the bytes in use that a collection worth its time leaves. More is left if the
 * program keeps its values or, once in a while, if values of an earlier input refer to young ones
 * from the old generation. So one poor collection is tolerated; each further one in a row doubles
 * the pause, up to {@linkcode MAX_PAUSE} inputs without a collection.
 */
const MAX_SHARE_LEFT = 0.5;
const MAX_PAUSE = 15;

/** Initial estimate of young-generation bytes per input byte. */
const INITIAL_NEED_PER_BYTE = 2;
/** Factor by which an input that needs less lowers the estimate. */
const DECAY = 0.95;
/** Free bytes required for each byte expected: V8 collects before the last page is full. */
const MARGIN = 1.25;

/** Sizes of inputs for which {@linkcode keepYoung} pays: values of larger ones do not fit. */
const MIN_YOUNG_INPUT = 1 << 22;
const MAX_YOUNG_INPUT = 1 << 25;
/**
 * Minimum heap limit at which V8 is kept from pretenuring: the young generation may grow to a
 * fraction of it. Node.js lowers the limit where memory is capped. At 300 MB, pretenuring saved
 * `parseBinary` 10 % of the time for bodies of 10 MB, and `parseStream` 25 %.
 */
const MIN_HEAP_LIMIT = 2 ** 30;
/**
 * Bytes from which a stream counts as a large input: few, since literals that were made before are
 * not kept young (servers of 10 MB bodies that arrive in 16 KB: 600 → 20 ms of collections).
 */
const MIN_YOUNG_STREAM = 1 << 12;
/** Discarded objects that each new literal makes first: see {@linkcode keepYoung}. */
const SHORT_LIVED_OBJECTS = 384;
/** Maximum number of new literals of one input for which that is done. */
const MAX_LITERALS = 48;

/** Bytes of inputs seen so far, up to {@linkcode BYTES_BEFORE_COLLECTING}. */
let bytesSeen = 0;
/** Describes the spaces of the heap; looked up when first needed. */
let heapSpaces: HeapModule["getHeapSpaceStatistics"] = undefined;
/** Estimate of young-generation bytes per input byte. */
let bytesNeededPerByte = INITIAL_NEED_PER_BYTE;
/** Bytes of the young generation in use when the input began, or -1 if unknown. */
let usedAtStart = -1;
/** Inputs still to be parsed without a collection, at most `MAX_PAUSE`. */
let pauseLeft = 0;
/** Pause after the next poor collection, in inputs. */
let nextPause = 0;
/** Expected size of the next document that arrives in chunks. */
let expectedBytes = 0;
/**
 * Whether V8 is kept from pretenuring; `undefined` until first needed. Always in Deno, where asking
 * for the heap limit would load `node:v8`.
 */
let keepsYoung: boolean | undefined = /* @__PURE__ */ isDeno() || undefined;
/** Literals of the current input that may still be kept young, at most `MAX_LITERALS`. */
let literalsLeft = 0;
/** Literals of the parser itself; the first large input makes V8 keep them young. */
let pendingLiterals: Literal[] = [];
/** Holder of garbage. {@linkcode collect} reads it, so that no compiler or bundler removes it. */
const garbage = { bits: 0n };

function isDeno(): boolean {
  return typeof runtime.Deno?.version?.v8 === "string";
}

/**
 * Asks `node:v8`. Returns `undefined` in other engines, and where the runtime has no such module or
 * does not implement it.
 */
function askHeap<T>(question: (heap: HeapModule) => T): T | undefined {
  try {
    const { process } = runtime;
    if (process?.versions?.v8 === undefined || process.versions.bun !== undefined) return undefined;
    const heap = process.getBuiltinModule?.("node:v8");
    return heap && question(heap);
  } catch {
    return undefined;
  }
}

/** Returns V8's `new_space` statistics, or `undefined` if there are none. Cost: 5 µs. */
function youngSpace(): HeapSpace | undefined {
  return heapSpaces?.().find(({ space_name }) => space_name === "new_space");
}

/**
 * Forces a collection of the young generation if the value of an input of `size` bytes might not fit
 * otherwise. Call it before a parse begins, and {@linkcode learnFromInput} after its end: both call
 * functions of the runtime.
 */
export function prepareYoungGeneration(size: number): void {
  if (size >= MIN_YOUNG_INPUT && size < MAX_YOUNG_INPUT) keepPendingYoung();
  if (bytesSeen < BYTES_BEFORE_COLLECTING) {
    bytesSeen += size;
    if (bytesSeen < BYTES_BEFORE_COLLECTING) return;
    heapSpaces = askHeap(({ getHeapSpaceStatistics }) => getHeapSpaceStatistics?.() && getHeapSpaceStatistics);
  }
  const space = youngSpace();
  if (space === undefined) return;
  usedAtStart = space.space_used_size;
  const free = space.space_available_size;
  const needed = size * bytesNeededPerByte;
  if (needed * MARGIN <= free || needed > usedAtStart + free) return;
  if (pauseLeft > 0) pauseLeft--;
  else usedAtStart = collect(usedAtStart, free);
}

/**
 * Makes garbage until V8 collects, and sets the pause by what that has freed. Returns the bytes in
 * use afterwards. Cost: 2 ms for 32 MiB.
 */
function collect(used: number, free: number): number {
  const most = Math.ceil(2 * free / GARBAGE_BYTES);
  let usedNow = used;
  for (let made = 0; made < most; made += ALLOCATIONS_AT_ONCE) {
    for (let i = 0; i < ALLOCATIONS_AT_ONCE; i++) garbage.bits = 1n << GARBAGE_BITS;
    const space = youngSpace()!;
    usedNow = space.space_used_size;
    if (space.space_available_size > free || garbage.bits === 0n) break;
    free = space.space_available_size;
  }
  garbage.bits = 0n;
  if (usedNow <= used * MAX_SHARE_LEFT) nextPause = 0;
  else {
    pauseLeft = nextPause;
    nextPause = Math.min(2 * nextPause + 1, MAX_PAUSE);
  }
  return usedNow;
}

/** Learns from the input of `size` bytes how much memory it needed, after its parse. */
export function learnFromInput(size: number): void {
  literalsLeft = 0;
  if (usedAtStart < 0) return;
  const perByte = (youngSpace()!.space_used_size - usedAtStart) / size;
  usedAtStart = -1;
  // If less is in use than before, V8 has collected during the parse.
  bytesNeededPerByte = Math.max(perByte < 0 ? INITIAL_NEED_PER_BYTE : perByte, DECAY * bytesNeededPerByte);
}

/**
 * Like {@linkcode prepareYoungGeneration}, for a document that arrives in chunks. Its size is
 * guessed: that of the last one, or nearly that of those before. Call it before each chunk, with the
 * number of bytes before and after the chunk, and {@linkcode learnFromStream} at the end.
 */
export function prepareForStream(before: number, after: number): void {
  if (before === 0 && expectedBytes >= PREPARED_INPUT) prepareYoungGeneration(expectedBytes);
  // Earlier, small documents would pay for it; later, it would not help the first large one.
  if (before < MIN_YOUNG_STREAM && after >= MIN_YOUNG_STREAM) keepPendingYoung();
}

/** Learns from a document of `size` bytes that arrived in chunks. */
export function learnFromStream(size: number): void {
  expectedBytes = Math.max(size, DECAY * expectedBytes);
  if (size < PREPARED_INPUT) usedAtStart = -1; // learns nothing
  learnFromInput(size);
}

/** Registers a literal of the parser itself, to be kept young. */
export function addYoungLiteral(literal: Literal): void {
  pendingLiterals = [...pendingLiterals, literal];
}

function keepPendingYoung(): void {
  keepsYoung ??= askHeap((heap) => heap.getHeapStatistics!().heap_size_limit >= MIN_HEAP_LIMIT) ?? false;
  if (!keepsYoung) return;
  literalsLeft = pendingLiterals.length;
  for (let i = 0; i < pendingLiterals.length; i++) keepYoung(pendingLiterals[i], [], 0);
  pendingLiterals = [];
  literalsLeft = MAX_LITERALS;
}

/**
 * Keeps V8 from pretenuring the objects of a new literal, if the current input is large.
 *
 * Until V8 optimises a literal, it counts how many of its objects survive a collection. If 80 % do,
 * as in the first large input, it makes all further ones in the old generation, where the values of
 * later inputs wait for its collection. So each new literal is first run 384 times for nothing (10
 * MB of coordinates, one document after the other, peak: 243 → 155 MB). A closure that captured
 * `stack` and `base` would cost an allocation at each call of the caller.
 */
export function keepYoung(literal: Literal, stack: unknown[], base: number): void {
  if (literalsLeft === 0) return;
  literalsLeft--;
  for (let i = 0; i < SHORT_LIVED_OBJECTS; i++) literal(stack, base);
}
