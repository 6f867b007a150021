/** Reads runs of numbers in an array, in a separate loop. "Packed doubles": see ARCHITECTURE.md. */

import { CLOSE_BRACKET, COMMA, MINUS, POINT, SPACE, ZERO } from "../base/ascii.ts";
import { packedArray } from "../engine/arrays.ts";
import { LARGE_INPUT } from "../engine/input_sizes.ts";
import { flagLongArray, MAX_UNFLAGGED_ARRAY } from "../base/guard_flags.ts";
import { INT32_DIGITS, MAX_RUN, NUMBER_LOOKAHEAD } from "./limits.ts";
import { numberValue, readFraction, readNumber } from "./read_number.ts";
import { cursor } from "../base/cursor.ts";
import { skipIndentation } from "../base/whitespace.ts";

/**
 * Maximum numbers and bytes of runs that are joined into one array, in large inputs. Otherwise each
 * run would first become a separate array (arrays of 100,000 numbers, peak memory divided by
 * native's: 0.68 → 0.58).
 */
const MAX_JOINED_RUN = 1 << 17;
const MAX_JOINED_BYTES = 1 << 22;

/** Buffer of the run read last. Filled with fractions, so that V8 stores doubles in it. */
const runNumbers = /* @__PURE__ */ packedArray(MAX_RUN, 0.5);

/** Numbers of the buffer written since it was wiped. */
export const dirtyRun: { numbers: number } = { numbers: 0 };

/** Buffer of joined runs, in large inputs; `runNumbers` before that, and between calls. */
let joinedNumbers = runNumbers;
/** Whether runs are joined: in a large input, unless a join is in progress. */
let mayJoinRuns = false;

/** Prepares for an input of `size` bytes; 0, after a parse, releases the joined runs. */
export function resetNumberRuns(size: number): void {
  mayJoinRuns = size >= LARGE_INPUT;
  joinedNumbers = runNumbers;
}

/** Wipes the buffer after a parse, so that no number of an input outlives the call. */
export function wipeRun(): void {
  for (let i = 0; i < dirtyRun.numbers; i++) runNumbers[i] = 0.5;
  dirtyRun.numbers = 0;
}

/** Records the length of a run, and returns it. */
function endRun(count: number): number {
  if (count > dirtyRun.numbers) dirtyRun.numbers = count;
  return count;
}

/**
 * Reads a run: numbers separated by commas, as many as follow each other and fit the buffer.
 * Returns their count, or -1 if one cannot be read. {@linkcode numberArray} and
 * {@linkcode numberAt} return the numbers.
 *
 * Leaves in `cursor` the position after the last number and the whitespace after it: a comma if the
 * array goes on, otherwise a closing bracket or a wrong byte.
 *
 * Precondition: a digit or a minus sign is at `p`; bytes can be read up to `readableEnd`, zeros
 * from `end` on.
 */
export function readNumberRun(bytes: Uint8Array, view: DataView, p: number, end: number, readableEnd: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const run = runNumbers;
  const start = p;
  const fastEnd = Math.min(readableEnd - NUMBER_LOOKAHEAD, end) | 0;
  let count = 0;
  for (;;) {
    // Fast path for short numbers in a row, in 0.6 of the time of the general path below, which
    // reads one number of any form.
    let c = bytes[p] - ZERO;
    while (p < fastEnd && count < MAX_RUN) {
      const tokenStart = p;
      const isNegative = c === MINUS - ZERO;
      if (isNegative) c = bytes[++p] - ZERO;
      const first = c;
      let whole = c;
      c = bytes[++p] - ZERO;
      if (first > 0) {
        while (c >>> 0 <= 9 && p - tokenStart < INT32_DIGITS) {
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
      // False if no digit follows the whitespace or sign, or if `readFraction` gave up: `p` is
      // then 0.
      const isNumber = first >>> 0 <= 9 && p > tokenStart;
      if (c === COMMA - ZERO && isNumber) {
        run[count++] = isNegative ? -value : value;
        c = bytes[++p] - ZERO;
        if (c === SPACE - ZERO) c = bytes[++p] - ZERO;
        if (c <= SPACE - ZERO) {
          p = skipIndentation(bytes, view, p, end) | 0;
          if (p < fastEnd) c = bytes[p] - ZERO;
        }
      } else if (c === CLOSE_BRACKET - ZERO && isNumber) {
        run[count++] = isNegative ? -value : value;
        cursor.position = p;
        return endRun(count);
      } else {
        p = tokenStart;
        break;
      }
    }
    if (count === MAX_RUN || !startsNumber(bytes, p, end)) {
      rewindToComma(bytes, p, start);
      endRun(count);
      return count === MAX_RUN && mayJoinRuns ? readJoinedRun(bytes, view, end, readableEnd) : count;
    }
    p = readNumber(bytes, view, p, end, readableEnd) | 0;
    if (p < 0) {
      endRun(count);
      return -1;
    }
    run[count++] = numberValue[0];
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    cursor.position = p;
    if (p >= end || bytes[p] !== COMMA) return endRun(count);
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    if (!startsNumber(bytes, p, end)) {
      rewindToComma(bytes, p, start);
      return endRun(count);
    }
  }
}

/** Joins a full run with the runs that follow, and leaves what {@linkcode readNumberRun} does. */
function readJoinedRun(bytes: Uint8Array, view: DataView, end: number, readableEnd: number): number {
  mayJoinRuns = false; // keeps readNumberRun from joining
  const last = Math.min(cursor.position + MAX_JOINED_BYTES, end);
  let total = 0;
  let count = MAX_RUN;
  while (count > 0) {
    while (total + count > joinedNumbers.length || joinedNumbers === runNumbers) {
      joinedNumbers = joinedNumbers.concat(joinedNumbers);
    }
    for (let i = 0; i < count; i++) joinedNumbers[total++] = runNumbers[i];
    let p = cursor.position;
    count = 0;
    if (total <= MAX_JOINED_RUN - MAX_RUN && p < last && bytes[p] === COMMA) {
      p++;
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
      if (startsNumber(bytes, p, end)) count = readNumberRun(bytes, view, p, end, readableEnd);
    }
  }
  mayJoinRuns = true;
  return count < 0 ? -1 : total;
}

function startsNumber(bytes: Uint8Array, p: number, end: number): boolean {
  return p < end && (bytes[p] - ZERO >>> 0 <= 9 || bytes[p] === MINUS);
}

/**
 * Leaves in `cursor` the position of the last comma before `p`.
 *
 * Precondition: there is one after `start`, and at most whitespace between it and `p`.
 */
function rewindToComma(bytes: Uint8Array, p: number, start: number): void {
  do p--; while (p > start && bytes[p] !== COMMA);
  cursor.position = p;
}

/** Returns one number of the run read last. Precondition: the run was not joined. */
export function numberAt(index: number): number {
  return runNumbers[index];
}

/** Returns an array of exactly the first `count` numbers of the run read last, all doubles. */
export function numberArray(count: number): number[] {
  switch (count) {
    case 0:
      return [];
    case 1:
      return [runNumbers[0]];
    case 2:
      return [runNumbers[0], runNumbers[1]];
    case 3:
      return [runNumbers[0], runNumbers[1], runNumbers[2]];
  }
  if (count > MAX_UNFLAGGED_ARRAY) flagLongArray(count);
  return (count <= MAX_RUN ? runNumbers : joinedNumbers).slice(0, count);
}
