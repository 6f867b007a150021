/**
 * The grammar's structure: values, arrays and objects, in one loop over an explicit stack, so that nesting has no limit.
 *
 * @module
 */

import * as arrays from "./arrays.ts";
import { describeFailure, type FailureCode, type ParseFailure, unexpectedAt } from "./failure.ts";
import * as inputs from "./input.ts";
import * as names from "./keys.ts";
import * as runs from "./number_arrays.ts";
import * as numbers from "./numbers.ts";
import * as objects from "./objects.ts";
import * as recent from "./recent_texts.ts";
import * as scan from "./scan.ts";
import * as constructors from "./shapes.ts";
import * as state from "./state.ts";
import * as strings from "./strings.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { copyRange, doubled, forgetArrayPrototype, joinArrays, MAX_ARRAY, packedArray } = arrays;
const { found, HEAT, keys, matchesMiddle, NO_KEY, readKey, ROOT_KEY } = names;
const { joinRuns, MAX_RUN, numberArray, numberAt, readNumbers } = runs;
const { decimal, readAnyNumber, readNumber } = numbers;
const { addMember, assembleObject, beginDictionary, finishDictionary, forgetPrototype } = objects;
const { bufferOf, isShared, lengthOf, offsetOf } = inputs;
const { forgetTexts, newTexts, renewTexts } = recent;
const { skipIndentation, skipPlainWords, skipWhitespace } = scan;
const { findBuilder, fits, shapes } = constructors;
const { cursor, fail, failure } = state;
const { readString, readText, releaseScratch } = strings;
type Key = names.Key;

/** Of a parse. */
export type Outcome = { ok: true; value: unknown } | ParseFailure;

/** Returned in place of a value by functions that have recorded a failure; no value of an input is this object. */
const FAILED: object = {};

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `true`, `alse` and `null` as little-endian words. */
const TRUE = 0x65757274;
const ALSE = 0x65736c61;
const NULL = 0x6c6c756e;

/** What the innermost open bracket is; two bits of a frame. */
const ARRAY = 0;
/** An array so long that its first elements have left the stack: see {@linkcode spill}. */
const SPILLED_ARRAY = 1;
const OBJECT = 2;
/** An object of so many members that they go into it one by one, and not by way of the stack. */
const DICTIONARY = 3;

/** Members from which an object that is to leave the stack becomes a dictionary, which is when V8 makes it one anyway. */
const DICTIONARY_MEMBERS = 128;

/** Entries with which a container leaves the stack once the one within it has closed: what a call needs is bounded by nesting, not size. */
const LONG = 512;

/** Bytes parsed at a time: positions stay int32, which costs nothing, where doubles would cost a third. */
export const WINDOW = 0x7ffffff0;

/** Bytes left of a window, if it is not the last, when the next begins; no string or number may be longer there. */
export const MARGIN = 0x40000000;

/** Bytes after which the stack is made anew: see {@linkcode newStack}. */
const RENEWAL = 0x20000;
/** The same for the first time: late enough for the engine to take notice, and before it compiles. */
const FIRST_RENEWAL = 0x1000;

/** Digits that an int32 holds whatever they are. */
const QUICK_DIGITS = 9;

/** Entries of the stack when the first few are not enough. */
const STACK_SIZE = 1024;

/**
 * Up to here an input is copied to where a view is ready, and wiped afterwards: a `DataView` of its own costs 115 ns, as much as
 * parsing 30 bytes, and the copy 25 ns. In bytes; bench/compare.ts, payloads.
 */
const SMALL_INPUT = 512;
const smallBytes = new Uint8Array(SMALL_INPUT + 64); // the readers' quick ways look that far ahead
const smallView = new DataView(smallBytes.buffer);

/** A value was read that is to be pushed, and not a run of numbers, or nothing, which are where they belong. */
const NO_RUN = -1;

/** Entries pushed without asking: a key and its value, or one element and a run of numbers that is too short to spill. */
const SHORT_RUN = 8;
const SLACK = SHORT_RUN + 2;

/**
 * Chunks of a spilled array joined into a larger one, and of those into one larger still: a join has at most 3,000 arguments, whatever
 * an array of {@linkcode MAX_ARRAY} elements is made of. `ids[base]` counts each kind in so many bits.
 */
const JOINED_CHUNKS = 256;
const COUNT_BITS = 10;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

/** Calls after which V8 keeps what it learns of a function: its budget for that is spent. */
const REHEARSALS = 12;

// Not of `undefined`: V8 15 keeps an array of nothing else as doubles, and converts a copy at the first store (9 µs for 1,024).
const EMPTY_STACK = packedArray<unknown>(STACK_SIZE, null);

/** Ids of the keys on the stack, at their places; for a spilled array its counts: see {@linkcode spill}. Kept between calls, as what follows. */
let ids = new Int32Array(STACK_SIZE);

/** Open brackets around the innermost, two words each: `base << 2 | kind`, and the slot of the last key before it. */
const KEPT_FRAMES = 2048;
let frames = new Int32Array(KEPT_FRAMES);

/**
 * A packed array for values in the making. A fresh one: while it is in the young generation a store of a young value
 * needs no entry in the collector's remembered set, which costs 5 to 10 ns a value; and no value outlives the call in it.
 */
function newStack(old: unknown[], used: number, size: number): unknown[] {
  const stack = copyRange(EMPTY_STACK, 0, size);
  for (let i = 0; i < used; i++) stack[i] = old[i];
  return stack;
}

/** The stack that every input begins with; a literal costs the same as a copy and asks nothing of `Array.prototype`. */
// deno-fmt-ignore
function newSmallStack(): unknown[] {
  return [
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  ];
}

/** The stack at twice its size, or at what most inputs need; and the ids with it. `null` if the engine has no larger one. */
function growStack(stack: unknown[], used: number): unknown[] | null {
  if (stack.length < STACK_SIZE) return newStack(stack, used, STACK_SIZE);
  const size = Math.min(2 * stack.length, MAX_ARRAY);
  if (size === stack.length) return null;
  try {
    if (ids.length < size) ids = enlarged(ids, size);
    return joinArrays([stack, copyRange(stack, 0, size - stack.length)]);
  } catch {
    return null;
  }
}

/** Makes room for more brackets; `false` if there is none. */
function growFrames(): boolean {
  try {
    frames = enlarged(frames, frames.length + (frames.length >> 2) * 2);
    return true;
  } catch {
    return false;
  }
}

function enlarged(words: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(size);
  grown.set(words);
  return grown;
}

/** Lets go of what a large or deep input made the tables grow to. */
function releaseTables(): void {
  forgetTexts();
  joinRuns(0);
  releaseScratch();
  if (ids.length > STACK_SIZE) ids = new Int32Array(STACK_SIZE);
  if (frames.length > KEPT_FRAMES) frames = new Int32Array(KEPT_FRAMES);
}

/** The position of the first byte that differs from the literal it begins; notes the failure there. */
function failLiteral(bytes: Uint8Array, p: number, end: number): void {
  const c = p < end ? bytes[p] : 0;
  const literal = c === LOWER_T ? "true" : c === LOWER_F ? "false" : c === LOWER_N ? "null" : "";
  for (let i = 0; i < literal.length && p < end && bytes[p] === literal.charCodeAt(i); i++) p++;
  fail(unexpectedAt(bytes, p, end), p);
}

/** What is wrong where a container's next token begins and the input ends, or a wrong byte stands. */
function failToken(bytes: Uint8Array, kind: number, isFirst: boolean, p: number, end: number): void {
  let code: FailureCode;
  if (kind < OBJECT) code = unexpectedAt(bytes, p, end);
  else code = isFirst ? "expected-property-name-or-brace" : "expected-property-name";
  fail(code, p);
}

/** Elements up to which a literal is faster than a copy, and asks nothing of `Array.prototype`. */
const FEW_ELEMENTS = 16;

/** The array of 5 to 8 elements. */
// deno-fmt-ignore
function upTo8(s: unknown[], b: number, length: number): unknown[] {
  switch (length) {
    case 5: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4]];
    case 6: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5]];
    case 7: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6]];
    default: return [s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7]];
  }
}

/** The array of 9 to {@linkcode FEW_ELEMENTS} elements. */
// deno-fmt-ignore
function upTo16(s: unknown[], b: number, length: number): unknown[] {
  switch (length) {
    case 9: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8]];
    case 10: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9]];
    case 11: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9], s[b + 10]];
    case 12: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9], s[b + 10], s[b + 11]];
    case 13: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9], s[b + 10], s[b + 11], s[b + 12]];
    case 14: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9], s[b + 10], s[b + 11], s[b + 12], s[b + 13]];
    case 15: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9], s[b + 10], s[b + 11], s[b + 12], s[b + 13], s[b + 14]];
    default: return [
      s[b], s[b + 1], s[b + 2], s[b + 3], s[b + 4], s[b + 5], s[b + 6], s[b + 7],
      s[b + 8], s[b + 9], s[b + 10], s[b + 11], s[b + 12], s[b + 13], s[b + 14], s[b + 15]];
  }
}

/** The array of `stack[base, top)`, of exactly that size: `push` would reserve 17 elements. Precondition: not empty. */
function elementArray(stack: unknown[], base: number, top: number): unknown[] {
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
  if (top - base > FEW_ELEMENTS) return copyRange(stack, base, top);
  return top - base <= 8 ? upTo8(stack, base, top - base) : upTo16(stack, base, top - base);
}

/** How many chunks a spilled array has on the stack. */
function chunkCount(base: number): number {
  const counts = ids[base];
  return (counts & COUNT_MASK) + (counts >> COUNT_BITS & COUNT_MASK) + (counts >> 2 * COUNT_BITS);
}

/**
 * Moves the loose elements of a long array into a chunk, so that the stack stays small and young; returns the new top.
 *
 * The chunks stand at `stack[base]` and after, and `ids[base]` has how many: in its low bits those that no join has made, above them
 * joins of these, above them joins of joins. `numbers` more elements, read last, come after the loose ones as a chunk of doubles.
 */
function spill(stack: unknown[], base: number, top: number, isSpilled: boolean, numbers: number): number {
  const counts = isSpilled ? ids[base] : 0;
  let small = counts & COUNT_MASK;
  let joins = counts >> COUNT_BITS & COUNT_MASK;
  let large = counts >> 2 * COUNT_BITS;
  let end = base + small + joins + large;
  if (top > end) {
    stack[end] = copyRange(stack, end, top);
    end++;
    small++;
  }
  if (numbers > 0) {
    stack[end++] = numberArray(numbers);
    small++;
  }
  if (small >= JOINED_CHUNKS) {
    end = joinLast(stack, end, small);
    small = 0;
    joins++;
  }
  if (joins === JOINED_CHUNKS) {
    end = joinLast(stack, end, joins);
    joins = 0;
    large++;
  }
  ids[base] = large << 2 * COUNT_BITS | joins << COUNT_BITS | small;
  return end;
}

/** Joins the last `count` chunks below `end` into one; returns the new end. */
function joinLast(stack: unknown[], end: number, count: number): number {
  const first = end - count;
  stack[first] = joinArrays(copyRange(stack, first, end) as unknown[][]);
  return first + 1;
}

/** The array of a spilled one's chunks and loose elements, or {@linkcode FAILED}. */
function spilledArray(stack: unknown[], base: number, top: number): unknown {
  top = spill(stack, base, top, true, 0);
  let length = 0;
  for (let i = base; i < top; i++) length += (stack[i] as unknown[]).length;
  if (length > MAX_ARRAY) return FAILED;
  return joinArrays(copyRange(stack, base, top) as unknown[][]);
}

/**
 * Puts a run of numbers on the stack that an array of nothing else so far goes on with; returns the stack, `null` if there is no room.
 *
 * One that ended in something else than a number is pushed, the array being mixed. A long one, or one that ends the array or is cut,
 * becomes a chunk of doubles. A chunk has {@linkcode LONG} elements and more, then, or is the last: a lone number between
 * strings that became one cost 14 to 19 ns a byte (numbers and strings in turn 0.2 → 1.1 × native).
 */
function pushRun(
  stack: unknown[],
  base: number,
  top: number,
  kind: number,
  run: number,
  isLast: boolean,
): unknown[] | null {
  if (run > LONG || isLast) {
    madeRoom.top = spill(stack, base, top, kind === SPILLED_ARRAY, run);
    madeRoom.kind = SPILLED_ARRAY;
    return stack;
  }
  madeRoom.kind = kind;
  for (let grown: unknown[] | null = stack; top + run >= stack.length - SLACK; stack = grown) {
    grown = growStack(stack, top);
    if (grown === null) return null;
  }
  for (let i = 0; i < run; i++) stack[top++] = numberAt(i);
  madeRoom.top = top;
  return stack;
}

/** What {@linkcode makeRoom} and {@linkcode pushRun} made of the top of the stack and the kind of the innermost container. */
const madeRoom = { top: 0, kind: 0 };

/**
 * The stack with room for a few entries: the innermost container leaves it, if it is long, or the stack grows; `null` if it cannot. A
 * function for all that may happen, because each branch of the loop that runs late for the first time costs its optimised code.
 */
function makeRoom(stack: unknown[], base: number, top: number, kind: number): unknown[] | null {
  if (kind === OBJECT && top - base >= 2 * DICTIONARY_MEMBERS) {
    stack[base] = beginDictionary(stack, base, top);
    top = base + 1;
    kind = DICTIONARY;
  } else if (kind < OBJECT && top - base - (kind === SPILLED_ARRAY ? chunkCount(base) : 0) >= LONG) {
    top = spill(stack, base, top, kind === SPILLED_ARRAY, 0);
    kind = SPILLED_ARRAY;
  }
  madeRoom.top = top;
  madeRoom.kind = kind;
  return top >= stack.length - SLACK || stack.length < STACK_SIZE ? growStack(stack, top) : stack;
}

// What happens now and then in a large input, as often as it takes the engine to note what it does: as a part of the loop that was
// never seen to run it would throw the loop's code away, in the midst of the first call (2 MB of records 39 → 28 ms).
for (let times = 0; times < REHEARSALS; times++) {
  for (const kind of [ARRAY, SPILLED_ARRAY]) {
    makeRoom(newStack(EMPTY_STACK, 1, STACK_SIZE), 0, LONG + 1, kind);
    pushRun(newStack(EMPTY_STACK, 1, STACK_SIZE), 0, LONG, kind, 1, false);
  }
  renewTexts(EMPTY_STACK as null[]);
}

/** The object of a shape that its last key did not foretell, or of none. */
function buildObject(stack: unknown[], base: number, top: number, key: Key): unknown {
  if (base === top) return {};
  const build = findBuilder(ids, base, top, key, stack);
  return build === null ? assembleObject(stack, base, top) : build(stack, base);
}

/** A document that is a string, a number or a literal. Leaves the position after it in `cursor`. */
function parseScalar(bytes: Uint8Array, view: DataView, p: number, end: number): unknown {
  const c = p < end ? bytes[p] : 0;
  if (c - ZERO >>> 0 <= 9 || c === MINUS) {
    cursor.position = readAnyNumber(bytes, p, end);
    return cursor.position < 0 ? FAILED : decimal[0];
  }
  if (c === QUOTE) return readString(bytes, view, p + 1, skipPlainWords(bytes, view, p + 1, end), end) ?? FAILED;
  failLiteral(bytes, p, end);
  // It went as far as the literal agreed.
  const length = failure.offset - p;
  cursor.position = failure.offset;
  if (c === LOWER_T && length === 4) return true;
  if (c === LOWER_F && length === 5) return false;
  if (c === LOWER_N && length === 4) return null;
  return FAILED;
}

/** A parse is under way, or one has ended in an exception: the stack was too small for it. */
let isBusy = false;

/**
 * Parses a JSON text.
 *
 * The input is parsed in place. It may be larger than an int32 counts: then through windows onto it of `windowSize` bytes, each
 * begun between two tokens when `margin` bytes of the one before are left. Small inputs, and those in shared memory, are parsed in a copy:
 * no byte that another thread can write is read twice.
 */
export function parseDocument(input: Uint8Array, windowSize: number = WINDOW, margin: number = MARGIN): Outcome {
  const total = lengthOf(input); // once: shared memory may grow meanwhile
  begin();
  try {
    if (total > SMALL_INPUT) return parseLarge(input, total, windowSize, margin);
    copySmall(input, total);
    return parseText(smallBytes, total, smallBytes, smallView, 0, total, windowSize, margin);
  } finally {
    end(total);
  }
}

/** Parses `size` bytes of a buffer from `start` on; of a few no view is made. Failures count from there. */
export function parseRange(buffer: Uint8Array, start: number, size: number): Outcome {
  if (size > SMALL_INPUT) return parseDocument(new Uint8Array(bufferOf(buffer), offsetOf(buffer) + start, size));
  begin();
  try {
    for (let i = 0; i < size; i++) smallBytes[i] = buffer[start + i];
    return parseText(smallBytes, size, smallBytes, smallView, 0, size, WINDOW, MARGIN);
  } finally {
    end(size);
  }
}

/** Forgets what a call has left that ended in an exception and could not clean up either: its stack had ended. */
function begin(): void {
  if (isBusy) {
    end(SMALL_INPUT);
    releaseTables();
  }
  isBusy = true;
  forgetArrayPrototype();
}

/** Forgets what a parse of `size` bytes has left. */
function end(size: number): void {
  if (size > SMALL_INPUT) releaseTables();
  else for (let i = 0; i < size; i += 8) smallView.setFloat64(i, 0);
  isBusy = false;
}

/** Bytes up to which a loop copies faster than `set` does. */
const TINY_INPUT = 16;

/** Copies an input of `size` bytes to `smallBytes`. */
function copySmall(input: Uint8Array, size: number): void {
  if (size <= TINY_INPUT) {
    for (let i = 0; i < size; i++) smallBytes[i] = input[i];
    return;
  }
  try {
    smallBytes.set(input);
    if (lengthOf(input) === size) return;
  } catch {
    // It has grown beyond them.
  }
  smallBytes.fill(0);
  smallBytes.set(new Uint8Array(bufferOf(input), offsetOf(input), size));
}

/** `size` bytes of the input from `start` on: a view or, of shared memory, a copy, which costs 0.1 ns a byte. */
function windowOf(input: Uint8Array, start: number, size: number): Uint8Array {
  const window = new Uint8Array(bufferOf(input), offsetOf(input) + start, size);
  return isShared(input) ? new Uint8Array(window) : window;
}

function parseLarge(input: Uint8Array, total: number, windowSize: number, margin: number): Outcome {
  const start = total > windowSize ? skipLeading(input, total, windowSize) : 0;
  const size = Math.min(total - start, windowSize);
  let bytes = input;
  if (size < total || isShared(input)) {
    try {
      bytes = windowOf(input, start, size);
    } catch {
      return describeFailure(input, "value-too-large", start, total); // a copy for which there is no memory
    }
  }
  joinRuns(total);
  const view = new DataView(bufferOf(bytes), offsetOf(bytes), size);
  return parseText(size === total ? bytes : input, total, bytes, view, start, size, windowSize, margin);
}

/** Bytes of whitespace, mark included, that an input of several windows begins with: as many whole windows as there are. */
function skipLeading(input: Uint8Array, total: number, windowSize: number): number {
  let start = 0;
  for (; total - start > windowSize; start += windowSize) {
    const window = windowOf(input, start, windowSize);
    if (skipWhitespace(window, start === 0 ? skipMark(window, windowSize) : 0, windowSize) < windowSize) break;
  }
  return start;
}

/** The position after a byte-order mark (RFC 8259 §8.1). */
function skipMark(bytes: Uint8Array, end: number): number {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/**
 * The value of a JSON text, or why there is none.
 *
 * Precondition: `bytes` are `end` of `input`'s `total` bytes from `origin` on, `view` is of the same memory.
 */
function parseText(
  input: Uint8Array,
  total: number,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  end: number,
  windowSize: number,
  margin: number,
): Outcome {
  let p = origin === 0 ? skipMark(bytes, end) : 0;
  if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end);
  let value: unknown;
  if (p < end && (bytes[p] === OPEN_BRACE || bytes[p] === OPEN_BRACKET)) {
    value = parseContainer(input, total, bytes, view, origin, p, end, windowSize, margin);
  } else {
    value = parseScalar(bytes, view, p, end);
    if (value === FAILED) failWindow(origin, end, total);
    else if (!finishDocument(input, total, bytes, origin, cursor.position, end)) value = FAILED;
  }
  if (value === FAILED) return describeFailure(input, failure.code, failure.offset, total);
  return { ok: true, value };
}

/**
 * Makes the failure noted, of a window of `end` bytes at `origin`, one of the input. A token that such a window ends in is longer than
 * a margin, or the whitespace between a name and its value is.
 */
function failWindow(origin: number, end: number, total: number): void {
  if (failure.offset >= end && origin + end < total) failure.code = "value-too-large";
  failure.offset += origin;
}

/** Whether nothing but whitespace follows in the input; else notes the failure, of the input. */
function finishDocument(
  input: Uint8Array,
  total: number,
  bytes: Uint8Array,
  origin: number,
  p: number,
  end: number,
): boolean {
  if (p < end) p = skipWhitespace(bytes, p, end);
  while (p >= end && origin + end < total) {
    origin += end;
    end = Math.min(end, total - origin);
    p = skipWhitespace(windowOf(input, origin, end), 0, end);
  }
  if (p >= end) return true;
  fail("trailing-content", origin + p);
  return false;
}

/** Of {@linkcode parseContainer}: the window has ended behind a value; so it has, and the container closes at `p`. */
const windowed = { isAfterValue: false, isClosing: false };

/** Precondition: that of {@linkcode parseText}, and an opening bracket is at `p`. */
function parseContainer(
  input: Uint8Array,
  total: number,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  p: number,
  end: number,
  windowSize: number,
  margin: number,
): unknown {
  // Here and wherever a position comes from a call: an integer to the engine from the start, which in a loop it would not see
  // otherwise, and convert to and fro in every round.
  p |= 0;
  end |= 0;
  let reach = view.byteLength | 0; // up to where bytes can be read; zeros beyond the end
  let stop = origin + end === total ? end : end - margin; // where the next window begins
  // Neither branch that large inputs take now and then, this and the one for room, should come late for the first time: an optimising
  // compiler takes what it has not seen happen for what never does, and its work would be thrown away in the midst of the first call.
  let limit = stop - p > RENEWAL ? p + FIRST_RENEWAL : stop;
  let stack = newSmallStack();
  let texts = newTexts(end);
  let keyIds = ids;
  let room = stack.length - SLACK;
  let sp = 0;
  let base = 0;
  let kind = ARRAY;
  let depth = 0;
  let key: Key = ROOT_KEY;
  let value: unknown;
  windowed.isAfterValue = false;
  windowed.isClosing = false;
  forgetPrototype();

  // Every read of a byte follows a comparison of `p` with the end that leaves the loop: where a missing byte were replaced by some
  // value, the engine would forget at the join what it knows of `bytes`, and look again (8 instructions a read, 20 % in all).
  next: for (;;) {
    // A value is expected, in an object its key first, or after an opening bracket that the container closes.
    if (p >= limit) {
      if (p >= stop && origin + end < total) {
        origin += p;
        end = Math.min(windowSize, total - origin) | 0;
        bytes = windowOf(input, origin, end);
        reach = end;
        stop = origin + end === total ? end : end - margin;
        view = new DataView(bytes.buffer, bytes.byteOffset, end);
        forgetTexts();
        texts = newTexts(end);
        p = skipWhitespace(bytes, 0, end);
        if (p >= end && origin + end < total) {
          limit = 0;
          continue;
        }
      }
      if (windowed.isAfterValue) {
        windowed.isAfterValue = false;
        if (p < end && bytes[p] === COMMA) {
          p++;
          limit = 0;
          continue;
        }
        if (p >= end || bytes[p] !== (kind < OBJECT ? CLOSE_BRACKET : CLOSE_BRACE)) {
          fail(kind < OBJECT ? "expected-comma-or-bracket" : "expected-comma-or-brace", p);
          break;
        }
        windowed.isClosing = true;
      }
      if (p >= end) {
        failToken(bytes, kind, sp === base, p, end);
        break;
      }
      if (sp < STACK_SIZE - SLACK) {
        stack = newStack(stack, sp, Math.min(stack.length, STACK_SIZE));
        texts = renewTexts(texts);
        room = stack.length - SLACK;
      }
      limit = stop - p < RENEWAL ? stop : p + RENEWAL;
    }
    let c = bytes[p];
    if (c <= SPACE) {
      p = skipIndentation(bytes, view, p, end) | 0;
      if (p >= end) {
        limit = 0;
        continue;
      }
      c = bytes[p];
    }
    if (sp >= room) {
      const roomy = makeRoom(stack, base, sp, kind);
      if (roomy === null) {
        fail("value-too-large", p);
        break;
      }
      stack = roomy;
      sp = madeRoom.top | 0;
      kind = madeRoom.kind | 0;
      keyIds = ids;
      room = stack.length - SLACK;
    }
    let run = NO_RUN;
    if (kind >= OBJECT) {
      const isFirst = sp === base;
      if (c === QUOTE) {
        p++;
        const guess = keys[isFirst ? key.child : key.next];
        const size = guess.size;
        // As `matches` does it, written out: whether the engine puts the function here changes from run to run (wide objects 0.6 to 1.0).
        if (
          size <= end - p - 2 && ((view.getInt32(p, true) ^ guess.first) & guess.mask) === 0 && (size <= 4 ||
            view.getInt32(p + size - 4, true) === guess.last && (size <= 8 ||
                view.getInt32(p + 4, true) === guess.second && (size <= 12 || matchesMiddle(guess, view, p + 8))))
        ) {
          p += size;
          key = guess;
          guess.heat = HEAT;
          stack[sp] = guess.text;
        } else {
          const text = readKey(bytes, view, p, end, key, isFirst, kind === OBJECT);
          if (text === null) break;
          p = cursor.position | 0;
          key = found.key;
          stack[sp] = text;
        }
        keyIds[sp++] = key.id;
        if (p >= end) {
          fail("unexpected-end", p);
          break;
        }
        c = bytes[p];
        if (c <= SPACE) {
          p = skipIndentation(bytes, view, p, end) | 0;
          if (p >= end) {
            fail("unexpected-end", p);
            break;
          }
          c = bytes[p];
        }
      } else {
        if (c !== CLOSE_BRACE || !isFirst && !windowed.isClosing) {
          failToken(bytes, kind, isFirst, p, end);
          break;
        }
        run = 0;
        windowed.isClosing = false;
      }
    }

    if (c === QUOTE) {
      const text = readText(bytes, view, texts, p + 1, end, reach);
      if (text === null) break;
      value = text;
      p = cursor.position | 0;
    } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
      // In an array of nothing but numbers so far, as many as there are.
      if (kind < OBJECT && sp === (kind === ARRAY ? base : base + chunkCount(base))) {
        run = readNumbers(bytes, view, p, end, reach, stop) | 0;
        if (run < 0) break;
        p = cursor.position | 0;
        // Those that are all of an array become one of doubles when it closes.
        const isLast = p < end && bytes[p] === CLOSE_BRACKET;
        if (kind !== ARRAY || !isLast) {
          if (run <= SHORT_RUN && kind === ARRAY) {
            for (let i = 0; i < run; i++) stack[sp++] = numberAt(i);
          } else {
            const roomy = pushRun(stack, base, sp, kind, run, isLast || run >= MAX_RUN || p >= stop);
            if (roomy === null) {
              fail("value-too-large", p);
              break;
            }
            stack = roomy;
            sp = madeRoom.top | 0;
            kind = madeRoom.kind | 0;
            keyIds = ids;
            room = stack.length - SLACK;
          }
        }
      } else if (c !== MINUS && p < reach - QUICK_DIGITS) {
        // An integer of few digits, or the beginning of some other number, which is then read again.
        let whole = c - ZERO;
        let q = p + 1;
        c = bytes[q];
        if (whole !== 0) {
          while (c - ZERO >>> 0 <= 9 && q - p < QUICK_DIGITS) {
            whole = whole * 10 + (c - ZERO) | 0;
            c = bytes[++q];
          }
        }
        if (c === COMMA || c === CLOSE_BRACE || c === LINE_FEED) {
          value = whole;
          p = q;
        } else {
          p = readNumber(bytes, view, p, end, reach) | 0;
          if (p < 0) break;
          value = decimal[0];
        }
      } else {
        p = readNumber(bytes, view, p, end, reach) | 0;
        if (p < 0) break;
        value = decimal[0];
      }
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      p++;
      if (p < end && bytes[p] === c + 2) {
        p++;
        value = c === OPEN_BRACE ? {} : [];
      } else {
        if (depth === frames.length && !growFrames()) {
          fail("value-too-large", p - 1);
          break;
        }
        frames[depth++] = base << 2 | kind;
        frames[depth++] = key.slot;
        base = sp;
        kind = c === OPEN_BRACE ? OBJECT : ARRAY;
        continue;
      }
    } else if (c === LOWER_T && end - p >= 4 && view.getInt32(p, true) === TRUE) {
      p += 4;
      value = true;
    } else if (c === LOWER_F && end - p >= 5 && view.getInt32(p + 1, true) === ALSE) {
      p += 5;
      value = false;
    } else if (c === LOWER_N && end - p >= 4 && view.getInt32(p, true) === NULL) {
      p += 4;
      value = null;
    } else if (c === CLOSE_BRACKET && kind < OBJECT && (kind === ARRAY && sp === base || windowed.isClosing)) {
      run = 0;
      windowed.isClosing = false;
    } else if (run === NO_RUN) {
      failLiteral(bytes, p, end);
      break;
    }

    // A value is complete, or a run of numbers, or nothing in the container that is open: that goes on or closes.
    for (;;) {
      if (run === NO_RUN) {
        if (depth === 0) {
          return finishDocument(input, total, bytes, origin, p, end) ? value : FAILED;
        }
        stack[sp++] = value;
        if (kind === DICTIONARY) {
          if (!addMember(stack[base] as Record<string, unknown>, stack[base + 1] as string, value)) {
            fail("value-too-large", p - 1);
            break next;
          }
          sp = base + 1;
        }
      }
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      if (p >= end) {
        windowed.isAfterValue = true;
        limit = 0;
        continue next;
      }
      c = bytes[p];
      if (c === COMMA) {
        p++;
        continue next;
      }
      if (kind >= OBJECT) {
        if (c !== CLOSE_BRACE) {
          fail("expected-comma-or-brace", p);
          break next;
        }
        if (kind === OBJECT) {
          const shape = shapes[key.shape];
          const build = shape.builder;
          if (build !== null && fits(key.shape, keyIds, base, sp)) {
            shape.heat = HEAT;
            value = build(stack, base);
          } else {
            value = buildObject(stack, base, sp, key);
          }
        } else {
          value = finishDictionary(stack[base] as Record<string, unknown>);
        }
      } else {
        if (c !== CLOSE_BRACKET) {
          fail("expected-comma-or-bracket", p);
          break next;
        }
        if (kind === SPILLED_ARRAY) {
          value = spilledArray(stack, base, sp);
          if (value === FAILED) {
            fail("value-too-large", p);
            break next;
          }
        } else value = sp === base ? numberArray(run) : elementArray(stack, base, sp);
      }
      run = NO_RUN;
      p++;
      sp = base;
      key = keys[frames[--depth]];
      const frame = frames[--depth];
      base = frame >> 2;
      kind = frame & 3;
      if (sp - base >= LONG) room = 0;
    }
  }
  failWindow(origin, end, total);
  return FAILED;
}
