/**
 * Room for the value of a large input in V8's young generation.
 *
 * V8 makes all values in its young generation. Once that is full, at up to 16 or 32 MiB, it copies
 * what is alive. In a large input that is everything made so far. At the beginning of the next
 * input it is next to nothing, and garbage costs nothing. So that is when the young generation is
 * to be collected. `JSON.parse` has that for free: V8 collects when it finds no room for a decoded
 * text of megabytes. No function of V8 collects, but garbage made on purpose does. Other engines
 * are left alone.
 *
 * @module
 */

import { defineElement } from "./arrays.ts";
import { PREPARED_INPUT } from "./input_sizes.ts";

/** Part of an element of `getHeapSpaceStatistics()`. */
interface HeapSpace {
  space_name: string;
  space_used_size: number;
  space_available_size: number;
}

/** Makes an object or array of values on the stack, by a literal. */
type Literal = (stack: unknown[], base: number) => unknown;

interface HeapModule {
  getHeapSpaceStatistics?: () => HeapSpace[];
  getHeapStatistics?: () => { heap_size_limit: number };
}

/** Globals of runtimes that this module uses, without an import, so that browsers load it too. */
interface Host {
  process?: {
    versions?: { bun?: string; v8?: string };
    getBuiltinModule?: (name: string) => HeapModule | undefined;
  };
  Deno?: { version?: { v8?: unknown } };
}

/**
 * Bytes of large inputs that are parsed before room is made. In Deno, the first look at `process`
 * takes 13 ms and loading `node:v8` 3 to 9 ms, which a program that parses one document would not
 * get back.
 */
const UNAIDED_BYTES = 1 << 24;

/**
 * Bits of a piece of garbage. It is nearly the largest object that V8 does not keep apart as a
 * large one. Two do not fit into a page of 256 KiB, so half of the room is filled without a write.
 */
const PIECE_BITS = 1_048_000n;
const PIECE_BYTES = Number(PIECE_BITS) / 8;
/** Pieces made between two looks at the statistics, which take 5 µs. */
const PIECES_AT_ONCE = 8;

/**
 * Share of what was in use that a collection leaves if it was worth making. More is left if the
 * program keeps its values, or once if values of an earlier input have reached the old generation,
 * and refer to young ones. So the first such collection has no consequence. Each further one in a
 * row doubles the number of inputs that are parsed without, up to {@linkcode MAX_PAUSE}.
 */
const MAX_SHARE_LEFT = 0.5;
const MAX_PAUSE = 15;

/** Room taken to be needed for a byte of input, before any was observed. */
const FIRST_ROOM_PER_BYTE = 2;
/** Factor by which an input that needs less room lowers the expectation. */
const DECAY = 0.95;
/**
 * Free room for each byte expected to be needed: V8 collects before the last page is full. Too many
 * collections cost less than too few, since next to nothing is alive at the beginning of an input.
 */
const MARGIN = 1.25;

/**
 * Inputs whose values V8 must not learn to make in the old generation: from a size at which
 * learning costs little beside the parse, to one whose value does not fit the young generation.
 */
const MIN_YOUNG_INPUT = 1 << 22;
const MAX_YOUNG_INPUT = 1 << 25;
/** Whether this is Deno, whose first look at `process` takes 13 ms. */
const isDeno = typeof (globalThis as Host).Deno?.version?.v8 === "string";
/**
 * Smallest limit of the heap at which that is prevented. V8 lets the young generation grow to a
 * fraction of the limit, and no input of 4 MB fits if it is smaller. Node.js lowers it where memory
 * is capped: at 300 MB, bodies of 10 MB took 10 % less time by `parseBinary` and 25 % less by
 * `parseStream` with values in the old generation.
 */
const MIN_HEAP_LIMIT = 2 ** 30;
/** Bytes of a stream after which it may be a large input. V8 has counted few objects by then. */
const MIN_YOUNG_STREAM = 1 << 16;
/** Objects that each such literal makes for nothing: see {@linkcode keepYoung}. */
const SHORT_LIVED_OBJECTS = 384;
/** Most literals of one input for which that is done. */
const MAX_LITERALS = 48;

/** Bytes of inputs seen so far, up to {@linkcode UNAIDED_BYTES}. */
let bytesSeen = 0;
/** Describes the spaces of the heap; looked up when first needed. */
let heapSpaces: HeapModule["getHeapSpaceStatistics"] = undefined;
/** Room taken to be needed for a byte of input. */
let bytesNeededPerByte = FIRST_ROOM_PER_BYTE;
/** Bytes in use when the current input began, or -1 if unknown. */
let usedAtStart = -1;
/** Inputs left that are parsed without a collection. */
let pauseLeft = 0;
/** Inputs to parse without one once a collection leaves too much. */
let nextPause = 0;
/** Bytes expected of the next document that arrives in chunks. */
let expectedBytes = 0;
/** Whether values are kept young; `undefined` until that is first needed. */
let keepsYoung: boolean | undefined = isDeno || undefined;
/** Literals of the current input that may still be kept young. */
let literalsLeft = 0;
/** Literals to keep young with those of the first such input. */
let pendingLiterals: Literal[] = [];
/** Holder of garbage, so that no compiler finds it unused. */
const garbage = { piece: 0n };

/** Returns what describes V8's heap, or `undefined` in other engines and where there is nothing. */
function findHeapModule(): HeapModule | undefined {
  const { process } = globalThis as Host;
  if (process?.versions?.v8 === undefined || process.versions.bun !== undefined) return undefined;
  return process.getBuiltinModule?.("node:v8");
}

/** Returns whether the young generation may become large. Not for Deno, which always lets it. */
function hasLargeHeap(): boolean {
  try {
    return findHeapModule()?.getHeapStatistics?.().heap_size_limit! >= MIN_HEAP_LIMIT;
  } catch {
    return false; // a runtime that does not implement it
  }
}

/** Returns the function that describes V8's heap, or `undefined` where there is none that works. */
function findStatistics(): HeapModule["getHeapSpaceStatistics"] {
  try {
    const statistics = findHeapModule()?.getHeapSpaceStatistics;
    return statistics?.() === undefined ? undefined : statistics;
  } catch {
    return undefined; // a runtime that does not implement it
  }
}

/** Returns the space in question, or `undefined` if the engine does not tell. Cost: 5 µs. */
function youngSpace(): HeapSpace | undefined {
  const spaces = heapSpaces?.() ?? [];
  for (let i = 0; i < spaces.length; i++) if (spaces[i].space_name === "new_space") return spaces[i];
  return undefined;
}

/**
 * Prepares the young generation for an input of `size` bytes: has it collected if the value might
 * not fit otherwise. Call it before a parse begins, and {@linkcode learnFromInput} after its end, since
 * both call the runtime, whose functions a program may have replaced.
 */
export function prepareYoungGeneration(size: number): void {
  if (size >= MIN_YOUNG_INPUT && size < MAX_YOUNG_INPUT) keepPendingYoung();
  if (bytesSeen < UNAIDED_BYTES) {
    bytesSeen += size;
    if (bytesSeen < UNAIDED_BYTES) return;
    heapSpaces = findStatistics();
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
 * Makes garbage until V8 collects the young generation, with `used` bytes in use and `free` bytes
 * free. Returns the bytes in use afterwards. Cost: 15 µs for each piece, 2 ms for 32 MiB.
 */
function collect(used: number, free: number): number {
  const most = Math.ceil(2 * free / PIECE_BYTES);
  let usedNow = used;
  for (let pieces = 0; pieces < most; pieces += PIECES_AT_ONCE) {
    for (let i = 0; i < PIECES_AT_ONCE; i++) garbage.piece = 1n << PIECE_BITS;
    const space = youngSpace()!;
    usedNow = space.space_used_size;
    if (space.space_available_size > free) break;
    free = space.space_available_size;
  }
  garbage.piece = 0n;
  if (usedNow <= used * MAX_SHARE_LEFT) nextPause = 0;
  else {
    pauseLeft = nextPause;
    nextPause = Math.min(2 * nextPause + 1, MAX_PAUSE);
  }
  return usedNow;
}

/** Learns how much room the input of `size` bytes needed, now that its parse has ended. */
export function learnFromInput(size: number): void {
  literalsLeft = 0;
  if (usedAtStart < 0) return;
  const perByte = (youngSpace()!.space_used_size - usedAtStart) / size;
  usedAtStart = -1;
  // If less is in use than before, V8 has collected in the middle of the input.
  bytesNeededPerByte = Math.max(perByte < 0 ? FIRST_ROOM_PER_BYTE : perByte, DECAY * bytesNeededPerByte);
}

/**
 * Does what {@linkcode prepareYoungGeneration} does, for a document that arrives in chunks. Its size is not
 * known: it is expected to be as large as the last one, or nearly as large as those before. Call it
 * before each chunk is parsed, with the bytes that have arrived before and with it, and {@linkcode
 * learnFromStream} at the end.
 */
export function prepareForStream(before: number, after: number): void {
  if (before === 0 && expectedBytes >= PREPARED_INPUT) prepareYoungGeneration(expectedBytes);
  // At the beginning, small documents would pay for it. Later, it would not help the first large one.
  if (before < MIN_YOUNG_STREAM && after >= MIN_YOUNG_STREAM) keepPendingYoung();
}

/** Learns from a document of `size` bytes that arrived in chunks. */
export function learnFromStream(size: number): void {
  expectedBytes = Math.max(size, DECAY * expectedBytes);
  if (size >= PREPARED_INPUT) learnFromInput(size);
  else learnNothing();
}

/** Learns nothing from the current input. */
function learnNothing(): void {
  literalsLeft = 0;
  usedAtStart = -1;
}

/** Adds a literal of the parser itself to those that are to be kept young. */
export function addYoungLiteral(literal: Literal): void {
  defineElement(pendingLiterals, pendingLiterals.length, literal);
}

function keepPendingYoung(): void {
  keepsYoung ??= hasLargeHeap();
  if (!keepsYoung) return;
  literalsLeft = pendingLiterals.length;
  for (let i = 0; i < pendingLiterals.length; i++) keepYoung(pendingLiterals[i], [], 0);
  pendingLiterals = [];
  literalsLeft = MAX_LITERALS;
}

type KeepYoung = (literal: Literal, stack: unknown[], base: number) => void;

/**
 * Keeps V8 from pretenuring the objects of a literal that is new to it, if the current input calls
 * for that.
 *
 * While the code of a literal is not optimised, V8 counts how many of its objects survive a
 * collection. If 80 % do, it makes all further ones in the old generation. They do survive in the
 * first large input, in the middle of which V8 collects. The values of all later ones then wait for
 * a collection of the old generation: 10 MB of coordinates, one document after the other, peaked at
 * 243 MB instead of 155. Objects made for nothing, among them, keep the share below.
 *
 * The arguments are handed on, since a closure would capture them in the caller, where V8 would
 * then allocate them at every call.
 */
export const keepYoung = (function keepYoung(literal, stack, base) {
  if (literalsLeft === 0) return;
  literalsLeft--;
  for (let i = 0; i < SHORT_LIVED_OBJECTS; i++) literal(stack, base);
} satisfies KeepYoung).valueOf() as KeepYoung;
