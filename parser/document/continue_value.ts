/**
 * Continues a value with the bytes that follow those before: of the next chunk, or of the next
 * window onto an input of more than 2 GiB.
 */

import { COLON, LOWER_E, MINUS, OPEN_BRACE, OPEN_BRACKET, PLUS, POINT, ZERO } from "../base/ascii.ts";
import { describeFailure, type ParseResult } from "../base/failure.ts";
import { cursor } from "../base/cursor.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { skipByteOrderMark, viewOf, windowOf } from "../engine/input_view.ts";
import { newStringCache, releaseStringCache } from "../strings/string_cache.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import { ACCEPT_BEFORE, AFTER_NAME, REJECT, TRANSITIONS, VALUE } from "../validation/token_dfa.ts";
import { parseContainer } from "./parse_container.ts";
import { FAILED, parseScalar } from "./parse_scalar.ts";
import { BEFORE_COLON, BEFORE_VALUE, newSuspension, START, SUSPENDED, type Suspension } from "./suspension.ts";

/**
 * Reads a value, or continues a suspended one, from the bytes from `p` to `end`. Returns it, and
 * leaves the position after it in `cursor`; `SUSPENDED`; or `FAILED` after locating a failure.
 *
 * Precondition: the value begins at `p` or after whitespace, or was suspended at `p`.
 */
export function continueValue(
  suspension: Suspension,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
): unknown {
  suspension.position = p;
  if (suspension.stage === START) {
    p = suspension.position = skipWhitespace(bytes, p, end);
    if (p >= end || bytes[p] !== OPEN_BRACE && bytes[p] !== OPEN_BRACKET) {
      const value = parseScalar(bytes, view, p, end, end, suspension.numbers);
      if (value !== FAILED) return value;
      return locateFailure(bytes, view, p, end, VALUE, false, !suspension.mayContinue) ? FAILED : SUSPENDED;
    }
  } else if (suspension.stage === BEFORE_COLON) {
    p = suspension.position = skipWhitespace(bytes, p, end);
    if (p >= end || bytes[p] !== COLON) {
      return locateFailure(bytes, view, p, end, AFTER_NAME, true, !suspension.mayContinue) ? FAILED : SUSPENDED;
    }
    suspension.stage = BEFORE_VALUE;
    suspension.position = p + 1;
  }
  return parseContainer(suspension, bytes, view, suspension.position, end, suspension.numbers);
}

/** State of the automaton at the end of the number that {@linkcode startOfCutNumber} has found. */
export const cutNumber: { state: number } = { state: VALUE };

/**
 * Returns the position of the number that may go on behind `end`, or `end` if there is none: a
 * number is complete only once another byte follows it. No number that began before `from` goes on
 * there, unless `cutBefore` is its position, and `stateBefore` the state of the automaton at `from`.
 *
 * Bytes such as `--` are not the beginning of a number: no more bytes have to arrive to refuse them.
 */
export function startOfCutNumber(
  bytes: Uint8Array,
  from: number,
  end: number,
  cutBefore: number,
  stateBefore: number,
): number {
  let p = end;
  while (p > from && mayBeOfNumber(bytes[p - 1])) p--;
  const goesOn = p === from && cutBefore < from;
  let state = goesOn ? stateBefore : VALUE;
  let start = goesOn ? cutBefore : p;
  for (; p < end; p++) {
    let next = TRANSITIONS[state << 8 | bytes[p]];
    if (next === ACCEPT_BEFORE) { // as in `1-2`
      start = p;
      state = VALUE;
      next = TRANSITIONS[bytes[p]];
    }
    if (next !== REJECT) state = next;
    else if (state === VALUE) start = p + 1; // what may only be within a number, such as the last letter of `true`
    else return end;
  }
  cutNumber.state = state;
  return start;
}

function mayBeOfNumber(byte: number): boolean {
  return byte - ZERO >>> 0 <= 9 || (byte | 0x20) === LOWER_E || byte === POINT || byte === MINUS || byte === PLUS;
}

/**
 * Parses an input in which positions are no int32, as chunks of itself: windows of up to
 * `windowSize` bytes, the next of which begins at the first unread byte. With doubles as positions,
 * parsing would take a third longer. A token that is longer than a window is `value-too-large`.
 */
export function parseWindows(input: Uint8Array, total: number, windowSize: number): ParseResult {
  const suspension = newSuspension();
  for (let origin = 0;; origin += suspension.position) {
    let size = Math.min(windowSize, total - origin);
    let bytes = windowOf(input, origin, size);
    if (bytes === null) return describeFailure(input, "value-too-large", origin, total);
    suspension.mayContinue = origin + size < total;
    releaseStringCache();
    suspension.cache = newStringCache(size);
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), size);
    const end = suspension.mayContinue ? startOfCutNumber(bytes, 0, size, 0, VALUE) : size;
    const value = continueValue(suspension, bytes, view, origin === 0 ? skipByteOrderMark(bytes, size) : 0, end);
    if (value === FAILED) return describeFailure(input, failure.code, origin + failure.offset, total, cut.at >= 0);
    if (value !== SUSPENDED) {
      let p = skipWhitespace(bytes, cursor.position, size);
      while (p >= size) {
        origin += size;
        if (origin >= total) return { ok: true, value };
        size = Math.min(windowSize, total - origin);
        bytes = viewOf(input, origin, size);
        p = skipWhitespace(bytes, 0, size);
      }
      return describeFailure(input, "trailing-content", origin + p, total);
    }
    if (suspension.position === 0) return describeFailure(input, "value-too-large", origin + size, total);
  }
}
