/**
 * Stack of the values in open containers. Long containers are flushed out of it, so its size
 * follows the depth of the input, not its length.
 */

import { joinArrays, MAX_ARRAY, packedArray } from "../engine/arrays.ts";
import { isJavaScriptCore, isSpiderMonkey } from "../engine/recognition.ts";
import { requireStack } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { DECODES_TOKENS } from "../strings/make_string.ts";
import { flagLongArray, MAX_UNFLAGGED_ARRAY } from "../base/guard_flags.ts";
import { numberArray, numberAt } from "../numbers/number_runs.ts";
import { beginDictionary } from "../objects/make_object.ts";
import { freshStringCache } from "../strings/string_cache.ts";
import { addYoungLiteral } from "../engine/young_generation.ts";

/** Kinds of an open container: two bits of a frame. */
export const ARRAY = 0;
/** Array whose first elements were flushed: see {@linkcode flushArray}. */
export const FLUSHED_ARRAY = 1;
export const OBJECT = 2;
/** Object that gets each member as soon as it is read: see `beginDictionary`. */
export const DICTIONARY = 3;

/** Minimum members of an object that is flushed: V8 makes it a dictionary anyway. */
const DICTIONARY_MEMBERS = 128;

/** Entries at which a container is flushed, once a child closes or the stack is full. */
export const FLUSH_LENGTH = 512;

/** Entries of the stack that replaces {@linkcode smallStack} once that is full. */
export const STACK_SIZE = 1024;

/** Minimum number of entries of a stack for which an engine may lack memory. */
const MIN_REFUSED_SIZE = 1 << 20;

/** Maximum length of a run of numbers pushed without a check of the stack's capacity. */
export const SHORT_RUN = 8;
/** Entries pushed without a check of the capacity: two, or an element and a short run. */
export const SLACK: number = SHORT_RUN + 2;

/** Segments merged into a larger one, and larger ones again: far fewer than `joinArrays` takes. */
const MERGED_SEGMENTS = 256;
/** Bits for each count of segments in `ids[base]`: see {@linkcode flushArray}. */
const COUNT_BITS = 10;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

// Filled with `null`: V8 stores an array of nothing but `undefined` as doubles, and converts a copy
// at the first store (9 µs for 1,024 elements).
const EMPTY_STACK = /* @__PURE__ */ packedArray<unknown>(STACK_SIZE, null);

/** Words of `tables.frames` kept between calls. */
const KEPT_FRAMES = 2048;

/** Tables that accompany the value stack: only numbers, kept between calls, shrunk after each. */
export const tables: Tables = /* @__PURE__ */ newTables();

export interface Tables {
  /** Ids of the keys on the stack; at the base of a flushed array, counts: see `flushArray`. */
  ids: Int32Array<ArrayBuffer>;
  /** Frames of outer containers, two words each: `base << 2 | kind`, and the last key's slot. */
  frames: Int32Array<ArrayBuffer>;
}

export function newTables(): Tables {
  return { ids: new Int32Array(STACK_SIZE), frames: new Int32Array(KEPT_FRAMES) };
}

/** Top of the stack and kind of its container after {@linkcode growOrFlush} or `pushRun`. */
export const stackUpdate: { top: number; kind: number } = { top: 0, kind: ARRAY };

/** Returns a fresh stack with the old one's first entries. "Fresh stack": see ARCHITECTURE.md. */
export function freshStack(old: unknown[], used: number, size: number): unknown[] {
  const stack = EMPTY_STACK.slice(0, size);
  for (let i = 0; i < used; i++) stack[i] = old[i];
  return stack;
}

/**
 * Returns the stack that every parse begins with. A literal costs as much as a copy, and does not
 * consult `Array.prototype`. `first`, which is `null`, keeps engines from sharing its elements with
 * other copies: see "Copied literals" in ARCHITECTURE.md.
 */
// deno-fmt-ignore
export function smallStack(first: unknown): unknown[] {
  return [
    first, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  ];
}

/**
 * A {@linkcode smallStack} for small inputs, kept between calls. Making one takes as long as
 * parsing 31 bytes (76 ns in V8, 70 in JavaScriptCore, 130 in SpiderMonkey), wiping it 5 to 15 ns
 * (payload of 31 B: Deno 2.1 → 2.4, Bun 0.5 → 0.75, Firefox 0.9 → 1.2).
 */
export const keptStack: unknown[] = /* @__PURE__ */ smallStack(null);

/**
 * Maximum bytes of an input parsed on {@linkcode keptStack}. Larger ones are faster on a fresh
 * stack ("Fresh stack": see ARCHITECTURE.md; 512 B: Deno and Chromium +3 %). In browsers with V8,
 * that holds even for the smallest inputs: an element takes 4 bytes there, so the literal takes
 * less time.
 */
export const MAX_KEPT_STACK_INPUT: number = /* @__PURE__ */ isJavaScriptCore() || /* @__PURE__ */ isSpiderMonkey()
  ? SMALL_INPUT
  : DECODES_TOKENS
  ? 0
  : 128;

/** Wipes {@linkcode keptStack} after the parse of an input of `size` bytes. */
export function wipeKeptStack(size: number): void {
  if (size > MAX_KEPT_STACK_INPUT) return;
  // An entry takes at least two bytes of input: an element and a comma.
  const used = Math.min((size >> 1) + 1, keptStack.length);
  for (let i = 0; i < used; i++) keptStack[i] = null;
}

/** Returns a stack of {@linkcode STACK_SIZE} or twice the size; `null` if there is no room. */
function growStack(stack: unknown[], used: number): unknown[] | null {
  if (stack.length < STACK_SIZE) return freshStack(stack, used, STACK_SIZE);
  const size = Math.min(2 * stack.length, MAX_ARRAY);
  if (size === stack.length) return null;
  if (tables.ids.length < size) {
    const ids = enlarged(tables.ids, size);
    if (ids === null) return null;
    tables.ids = ids;
  }
  try {
    return joinArrays([stack, stack.slice(0, size - stack.length)]);
  } catch (error) {
    if (size < MIN_REFUSED_SIZE) throw error;
    return null; // not covered: needs an engine that runs out of memory
  }
}

/** Word of `tables.frames` that no frame has. */
const NO_FRAME = -1;

/** Marks the frame of a container with content at `maxDepth`, and returns the table of frames. */
export function beginDepthCheck(maxDepth: number): Int32Array {
  const { frames } = tables;
  const mark = 2 * (maxDepth - 1);
  if (mark >= 0 && mark < frames.length) frames[mark] = NO_FRAME;
  return frames;
}

/** Returns whether a parse since {@linkcode beginDepthCheck} may have been too deep. */
export function mayBeTooDeep(frames: Int32Array, maxDepth: number): boolean {
  if (maxDepth < 1) return true;
  const mark = 2 * (maxDepth - 1);
  if (maxDepth < Infinity && tables.frames !== frames) return true;
  return mark < frames.length && frames[mark] !== NO_FRAME;
}

/** Enlarges `tables.frames` by half. Returns `false` if there is no memory for that. */
export function growFrames(): boolean {
  const { length } = tables.frames;
  const frames = enlarged(tables.frames, length + (length >> 2) * 2);
  if (frames === null) return false;
  tables.frames = frames;
  return true;
}

/** Returns a larger table with the same words, or `null` if there is no memory for it. */
function enlarged(words: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> | null {
  let larger: Int32Array<ArrayBuffer>;
  try {
    larger = new Int32Array(size);
  } catch {
    requireStack();
    return null;
  }
  larger.set(words);
  return larger;
}

/** Releases the memory of tables that have grown for a long or deep input. */
export function releaseTables(largest: Tables = tables): void {
  if (largest.ids.length > STACK_SIZE) largest.ids = new Int32Array(STACK_SIZE);
  if (largest.frames.length > KEPT_FRAMES) largest.frames = new Int32Array(KEPT_FRAMES);
}

export function segmentCount(base: number, ids: Int32Array = tables.ids): number {
  const counts = ids[base];
  return (counts & COUNT_MASK) + (counts >> COUNT_BITS & COUNT_MASK) + (counts >> 2 * COUNT_BITS);
}

/**
 * Moves the elements of a long array from the stack into a segment, a separate array, so that the
 * stack stays small and young. If `numbers` is not 0, that many numbers of the run read last become
 * another segment, of doubles. Returns the new top.
 *
 * The segments are on the stack from `base` on. `ids[base]` counts them, in ten bits each:
 *
 * ```
 * 31 30 29 ........ 20 19 ........ 10 9 .......... 0
 *       merged twice   merged once    never merged
 * ```
 */
export function flushArray(stack: unknown[], base: number, top: number, isFlushed: boolean, numbers: number): number {
  const { ids } = tables;
  let counts = isFlushed ? ids[base] : 0;
  let end = isFlushed ? base + segmentCount(base) : base;
  if (top > end) {
    stack[end] = stack.slice(end, top);
    end++;
    counts++;
  }
  if (numbers > 0) {
    stack[end++] = numberArray(numbers);
    counts++;
  }
  for (let shift = 0; shift < 2 * COUNT_BITS; shift += COUNT_BITS) {
    const count = counts >> shift & COUNT_MASK;
    if (count < MERGED_SEGMENTS) break;
    end -= count;
    stack[end] = joinArrays(stack.slice(end, end + count) as unknown[][]);
    end++;
    counts += (1 << shift + COUNT_BITS) - (count << shift);
  }
  ids[base] = counts;
  return end;
}

/** Returns a flushed array, joined; `null` if it is longer than the engine allows. */
export function finishFlushedArray(stack: unknown[], base: number, top: number): unknown[] | null {
  const end = flushArray(stack, base, top, true, 0);
  let length = 0;
  for (let i = base; i < end; i++) length += (stack[i] as unknown[]).length;
  flagLongArray(length);
  return length > MAX_ARRAY ? null : joinArrays(stack.slice(base, end) as unknown[][]);
}

/** Maximum length of an array that {@linkcode elementArray} makes by a literal. */
const MAX_LITERAL_LENGTH = 8;

// deno-fmt-ignore
function arrayOf5To8(s: unknown[], b: number, length: number): unknown[] {
  switch (length) {
    case 5: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4]];
    case 6: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5]];
    case 7: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6]];
    default: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7]];
  }
}

/**
 * Returns an array of `stack[base, top)`, of exactly that size. Up to 8 elements a literal is
 * faster than a copy, and does not consult `Array.prototype`.
 *
 * Precondition: `base < top`.
 */
export function elementArray(stack: unknown[], base: number, top: number): unknown[] {
  switch (top - base) {
    case 1:
      return [stack[base]];
    case 2:
      return [stack[base], stack[base + 1]];
    case 3:
      return [stack[base], stack[base + 1], stack[base + 2]];
    case 4:
      return [stack[base], stack[base + 1], stack[base + 2], stack[base + 3]];
  }
  if (top - base <= MAX_LITERAL_LENGTH) return arrayOf5To8(stack, base, top - base);
  if (top - base > MAX_UNFLAGGED_ARRAY) flagLongArray(top - base);
  return stack.slice(base, top);
}

/**
 * Adds the run of `run` numbers read last to an array that has only numbers so far. Returns the
 * stack, or `null` if it cannot grow; leaves its top and the container's kind in
 * {@linkcode stackUpdate}.
 *
 * A run becomes a segment of doubles if it is long, or if `mustFlush` is set because it ends the
 * array or is incomplete. Any other run is pushed, because elements of other types may follow.
 * So a segment has at least {@linkcode FLUSH_LENGTH} elements, unless its run ends the array or
 * is incomplete.
 */
export function pushRun(
  stack: unknown[],
  base: number,
  top: number,
  kind: number,
  run: number,
  mustFlush: boolean,
): unknown[] | null {
  if (run > FLUSH_LENGTH || mustFlush) {
    stackUpdate.top = flushArray(stack, base, top, kind === FLUSHED_ARRAY, run);
    stackUpdate.kind = FLUSHED_ARRAY;
    return stack;
  }
  for (let larger: unknown[] | null = stack; top + run >= stack.length - SLACK; stack = larger) {
    larger = growStack(stack, top);
    if (larger === null) return null;
  }
  for (let i = 0; i < run; i++) stack[top++] = numberAt(i);
  stackUpdate.top = top;
  stackUpdate.kind = kind;
  return stack;
}

/** Calls of a function after which V8 collects type feedback in it. */
const WARM_UP_ROUNDS = 12;

type GrowOrFlush = (stack: unknown[], base: number, top: number, kind: number) => unknown[] | null;

/**
 * Makes room for {@linkcode SLACK} entries: flushes the innermost container if it is long, then
 * grows the stack if it is still full or small. Returns the stack, or `null` if it cannot grow;
 * leaves its top and the container's kind in {@linkcode stackUpdate}. One function does both,
 * because a branch of the main loop that first runs late deoptimises the loop.
 */
function coldGrowOrFlush(stack: unknown[], base: number, top: number, kind: number): unknown[] | null {
  if (kind === OBJECT && top - base >= 2 * DICTIONARY_MEMBERS) {
    stack[base] = beginDictionary(stack, base, top);
    top = base + 1;
    kind = DICTIONARY;
  } else if (kind < OBJECT && top - base - (kind === FLUSHED_ARRAY ? segmentCount(base) : 0) >= FLUSH_LENGTH) {
    top = flushArray(stack, base, top, kind === FLUSHED_ARRAY, 0);
    kind = FLUSHED_ARRAY;
  }
  stackUpdate.top = top;
  stackUpdate.kind = kind;
  return top >= stack.length - SLACK || stack.length < STACK_SIZE ? growStack(stack, top) : stack;
}

/**
 * Warms up the functions of long containers ("Warm-up of rare paths": see ARCHITECTURE.md), and
 * registers the literals of arrays. Returns {@linkcode growOrFlush}, so that bundlers drop all of
 * it where that is not used.
 */
function warmedUp(growOrFlush: GrowOrFlush): GrowOrFlush {
  const stack = freshStack(EMPTY_STACK, 1, STACK_SIZE);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    // Only the last rounds flush a long array: V8 collects sooner after more garbage.
    const top = round < WARM_UP_ROUNDS - 2 ? 1 : FLUSH_LENGTH + 1;
    for (const kind of [ARRAY, FLUSHED_ARRAY]) {
      flushArray(stack, 0, 2, kind === FLUSHED_ARRAY, 0);
      growOrFlush(stack, 0, top, kind);
      pushRun(stack, 0, FLUSH_LENGTH, kind, 1, false);
    }
    freshStack(EMPTY_STACK, 1, 1);
    freshStringCache([null]);
  }
  tables.ids.fill(0);
  for (let length = 1; length <= MAX_LITERAL_LENGTH; length++) {
    addYoungLiteral(() => elementArray(EMPTY_STACK, 0, length));
  }
  for (let length = 1; length <= 3; length++) addYoungLiteral(() => numberArray(length));
  return growOrFlush;
}

/** Makes room on the stack: see `coldGrowOrFlush`. */
export const growOrFlush: GrowOrFlush = /* @__PURE__ */ warmedUp(coldGrowOrFlush);
