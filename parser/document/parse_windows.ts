/** Parses an input of more than 2 GiB through windows, and finds incomplete numbers. */

import { LOWER_E, MINUS, PLUS, POINT, ZERO } from "../base/ascii.ts";
import { describeFailure, type ParseResult } from "../base/failure.ts";
import { cursor } from "../base/cursor.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { skipByteOrderMark, viewOf, windowOf } from "../engine/input_view.ts";
import { newStringCache, releaseStringCache } from "../strings/string_cache.ts";
import { describeLocated } from "../validation/locate_failure.ts";
import { ACCEPT_BEFORE, REJECT, TRANSITIONS, VALUE } from "../validation/token_dfa.ts";
import { continueValue } from "./parse_container.ts";
import { FAILED } from "./parse_scalar.ts";
import { INCOMPLETE, newSuspension } from "./suspension.ts";

/** State of the automaton at the end of the number of {@linkcode startOfIncompleteNumber}. */
export const incompleteNumber: { state: number } = { state: VALUE };

/**
 * Returns the position of the number that more bytes may continue, or `end` if there is none: a
 * number is complete only once another byte follows it. No number that began before `from`
 * continues there, unless `incompleteBefore` is its position, and `stateBefore` the state of the
 * automaton at `from`.
 *
 * Bytes such as `--` are not the beginning of a number: no more bytes have to arrive to
 * refuse them.
 */
export function startOfIncompleteNumber(
  bytes: Uint8Array,
  from: number,
  end: number,
  incompleteBefore: number,
  stateBefore: number,
): number {
  let p = end;
  while (p > from && mayBeOfNumber(bytes[p - 1])) p--;
  const goesOn = p === from && incompleteBefore < from;
  let state = goesOn ? stateBefore : VALUE;
  let start = goesOn ? incompleteBefore : p;
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
  incompleteNumber.state = state;
  return start;
}

function mayBeOfNumber(byte: number): boolean {
  return byte - ZERO >>> 0 <= 9 || (byte | 0x20) === LOWER_E || byte === POINT || byte === MINUS || byte === PLUS;
}

/**
 * Parses an input in which positions are not int32, as chunks of itself: windows of up to
 * `windowSize` bytes, the next of which begins at the first unread byte. With doubles as positions,
 * parsing would take a third longer. A token that is longer than a window is `value-too-large`.
 */
export function parseWindows(input: Uint8Array, total: number, windowSize: number): ParseResult {
  const suspension = newSuspension();
  for (let origin = 0;; origin += suspension.position) {
    let size = Math.min(windowSize, total - origin);
    let bytes = windowOf(input, origin, size);
    if (bytes === null) return describeFailure(input, "value-too-large", origin, total);
    suspension.isLast = origin + size === total;
    releaseStringCache();
    suspension.cache = newStringCache(size);
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), size);
    const end = suspension.isLast ? size : startOfIncompleteNumber(bytes, 0, size, 0, VALUE);
    const value = continueValue(suspension, bytes, view, origin === 0 ? skipByteOrderMark(bytes, size) : 0, end);
    if (value === FAILED) return describeLocated(input, total, origin);
    if (value !== INCOMPLETE) {
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
