/**
 * Runs of numbers in an array: a loop of their own, and a stack of their own on which doubles are not boxed.
 *
 * @module
 */

import * as arrays from "./arrays.ts";
import * as sizes from "./input_sizes.ts";
import * as singles from "./numbers.ts";
import * as whitespace from "./whitespace.ts";
import * as outParams from "./out_params.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { copyRange, doubled, packedArray } = arrays;
const { INT32_DIGITS, readFraction, readNumber, WORD_LOOKAHEAD } = singles;
const { skipIndentation } = whitespace;
const { LARGE_INPUT } = sizes;
const { cursor, numberValue } = outParams;

const SPACE = 0x20;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const CLOSE_BRACKET = 0x5d;

/** Numbers read at a time: 32 KiB, what the first-level cache holds. */
export const MAX_RUN = 4096;

/**
 * Longest run of those that are joined before they become an array, in large inputs, and the bytes they may take. Of an array of
 * several runs each would be garbage in the end (peak of arrays of 100,000 numbers 0.68 → 0.59 × native's).
 */
const MAX_JOINED_RUN = 1 << 17;
const MAX_JOINED_BYTES = 1 << 22;

const numbers = packedArray(MAX_RUN, 0.5);

/** Runs joined so far, in a large input. */
let joinedRun = numbers;
let mayJoinRuns = false;

/** To be called before the first number of an input of `size` bytes, and with 0 after the last, to let go of what is not kept. */
export function resetNumberRuns(size: number): void {
  mayJoinRuns = size >= LARGE_INPUT;
  joinedRun = numbers;
}

/**
 * Reads numbers separated by commas, as many as follow each other, but not more than fit and none but the first from `windowEnd` on. Returns
 * how many, or -1 for a failure.
 *
 * Precondition: a digit or a minus sign is at `p`, and zeros from `end` to `readableEnd`. Leaves the position after the last of them, and after
 * whitespace there, in `cursor`: that of a comma if anything follows it, or of whatever is wrong. {@linkcode numberArray} and
 * {@linkcode numberAt} have them.
 */
export function readNumberRun(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  readableEnd: number,
  windowEnd: number,
): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const stack = numbers;
  const start = p;
  const quickEnd = Math.min(readableEnd - WORD_LOOKAHEAD, windowEnd) | 0;
  let count = 0;
  for (;;) {
    // Short numbers one after the other, with no look at what else might stand here: 0.6 of the time of what follows,
    // which takes every number.
    let c = bytes[p] - ZERO;
    while (p < quickEnd && count < MAX_RUN) {
      const start = p;
      const negative = c === MINUS - ZERO;
      if (negative) c = bytes[++p] - ZERO;
      const first = c;
      let whole = c;
      c = bytes[++p] - ZERO;
      if (first > 0) {
        while (c >>> 0 <= 9 && p - start < INT32_DIGITS) {
          whole = whole * 10 + c | 0;
          c = bytes[++p] - ZERO;
        }
      }
      let value: number = whole;
      if (c === POINT - ZERO) {
        p = readFraction(bytes, view, p + 1, whole) | 0;
        value = numberValue[0];
        c = bytes[p] - ZERO;
      }
      // The first byte after whitespace may be no digit, and readFraction may have declined.
      const isTaken = first >>> 0 <= 9 && p > start;
      if (c === COMMA - ZERO && isTaken) {
        stack[count++] = negative ? -value : value;
        c = bytes[++p] - ZERO;
        if (c === SPACE - ZERO) c = bytes[++p] - ZERO;
        if (c <= SPACE - ZERO) {
          p = skipIndentation(bytes, view, p, end) | 0;
          if (p < quickEnd) c = bytes[p] - ZERO;
        }
      } else if (c === CLOSE_BRACKET - ZERO && isTaken) {
        stack[count++] = negative ? -value : value;
        cursor.position = p;
        return count;
      } else {
        p = start;
        break;
      }
    }
    if (count === MAX_RUN || count > 0 && p >= windowEnd || !startsNumber(bytes, p, end)) {
      backToComma(bytes, p, start);
      return count === MAX_RUN && mayJoinRuns ? readJoinedRun(bytes, view, end, readableEnd, windowEnd) : count;
    }
    p = readNumber(bytes, view, p, end, readableEnd) | 0;
    if (p < 0) return -1;
    stack[count++] = numberValue[0];
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    cursor.position = p;
    if (p >= end || bytes[p] !== COMMA) return count;
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    if (p >= windowEnd || !startsNumber(bytes, p, end)) {
      backToComma(bytes, p, start);
      return count;
    }
  }
}

/** A run that could not be longer and those that follow it, as many as may be joined. Postconditions of {@linkcode readNumberRun}. */
function readJoinedRun(bytes: Uint8Array, view: DataView, end: number, readableEnd: number, windowEnd: number): number {
  mayJoinRuns = false; // by what this calls
  const last = Math.min(cursor.position + MAX_JOINED_BYTES, windowEnd, end);
  let total = 0;
  let count = MAX_RUN;
  while (count > 0) {
    while (total + count > joinedRun.length || joinedRun === numbers) joinedRun = doubled(joinedRun);
    for (let i = 0; i < count; i++) joinedRun[total++] = numbers[i];
    let p = cursor.position;
    count = 0;
    if (total <= MAX_JOINED_RUN - MAX_RUN && p < last && bytes[p] === COMMA) {
      p++;
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
      if (startsNumber(bytes, p, end)) count = readNumberRun(bytes, view, p, end, readableEnd, windowEnd);
    }
  }
  mayJoinRuns = true;
  return count < 0 ? -1 : total;
}

function startsNumber(bytes: Uint8Array, p: number, end: number): boolean {
  return p < end && (bytes[p] - ZERO >>> 0 <= 9 || bytes[p] === MINUS);
}

/** Leaves the position of the last comma before `p`. Precondition: there is one after `start`, and then perhaps whitespace. */
function backToComma(bytes: Uint8Array, p: number, start: number): void {
  do p--; while (p > start && bytes[p] !== COMMA);
  cursor.position = p;
}

/** One of the numbers read last. Precondition: they are few. */
export function numberAt(index: number): number {
  return numbers[index];
}

/** The first `count` of them as an array of doubles of exactly that size. */
export function numberArray(count: number): number[] {
  switch (count) {
    case 0:
      return [];
    case 1:
      return [numbers[0]];
    case 2:
      return [numbers[0], numbers[1]];
    case 3:
      return [numbers[0], numbers[1], numbers[2]];
  }
  return copyRange(count <= MAX_RUN ? numbers : joinedRun, 0, count);
}
