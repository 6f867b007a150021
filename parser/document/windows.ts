/**
 * Windows onto inputs. An input may have more bytes than an int32 counts. Positions in a window are
 * int32 all the same: with doubles, parsing would take a third longer.
 *
 * @module
 */

import * as inputs from "../engine/input.ts";
import * as outParams from "../base/out_params.ts";
import type { Suspension } from "./suspension.ts";
import * as whitespace from "../base/whitespace.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { bufferOf, isShared, offsetOf, requireStack } = inputs;
const { fail, failure } = outParams;
const { skipWhitespace } = whitespace;

/** Bytes of the largest window. */
export const PARSE_WINDOW = 0x7ffffff0;

/**
 * Bytes at the end of a window, unless it is the last, in which the next window begins. It bounds
 * the length of a token in such an input.
 */
export const WINDOW_MARGIN = 0x40000000;

/** An input, and the windows through which it is parsed. */
export interface WindowedInput {
  readonly input: Uint8Array;
  /** Bytes of the input when the call began: shared memory may grow meanwhile. */
  readonly total: number;
  readonly windowSize: number;
  readonly margin: number;
  /** State of a parse of bytes that arrive in chunks; `null` if the whole input is there. */
  readonly suspension: Suspension | null;
}

/**
 * Returns `size` bytes of an input from `start` on: a view or, of shared memory, a copy; `null` if
 * there is no memory for one. A copy takes 0.1 ns a byte.
 */
export function windowOf(input: Uint8Array, start: number, size: number): Uint8Array | null {
  const view = viewOf(input, start, size);
  if (!isShared(input)) return view;
  try {
    return new Uint8Array(view);
  } catch {
    requireStack();
    return null;
  }
}

/** Returns a view of `size` bytes of an input from `start` on. */
function viewOf(input: Uint8Array, start: number, size: number): Uint8Array {
  return new Uint8Array(bufferOf(input), offsetOf(input) + start, size);
}

/** Returns the position after a byte-order mark (RFC 8259 §8.1). */
export const skipByteOrderMark = (function skipByteOrderMark(bytes: Uint8Array, end: number): number {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}).valueOf() as (bytes: Uint8Array, end: number) => number;

/**
 * Returns where the first window with anything but whitespace begins: a multiple of the window
 * size. A byte-order mark at the beginning of the input counts as whitespace.
 */
export function skipLeadingWindows({ input, total, windowSize }: WindowedInput): number {
  let start = 0;
  for (; total - start > windowSize; start += windowSize) {
    const window = viewOf(input, start, windowSize);
    const first = start === 0 ? skipByteOrderMark(window, windowSize) : 0;
    if (skipWhitespace(window, first, windowSize) < windowSize) break;
  }
  return start;
}

/**
 * Returns whether nothing but whitespace follows position `p` of a window. Otherwise records the
 * failure, whose offset counts from the beginning of the input.
 */
export function finishDocument(
  windowed: WindowedInput,
  bytes: Uint8Array,
  origin: number,
  p: number,
  end: number,
): boolean {
  const { input, total } = windowed;
  if (p < end) p = skipWhitespace(bytes, p, end);
  while (p >= end && origin + end < total) {
    origin += end;
    end = Math.min(end, total - origin);
    p = skipWhitespace(viewOf(input, origin, end), 0, end);
  }
  if (p >= end) return true;
  fail("trailing-content", origin + p);
  return false;
}

/**
 * Makes the offset of the recorded failure count from the beginning of the input, not of the window
 * of `end` bytes at `origin`. If the failure is the end of a window that is not the last, a token
 * is longer than the margin, or the whitespace between a key and its value is.
 */
export function failInWindow(windowed: WindowedInput, origin: number, end: number): void {
  if (failure.offset >= end && origin + end < windowed.total) failure.code = "value-too-large";
  failure.offset += origin;
}
