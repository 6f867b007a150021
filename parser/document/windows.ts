/**
 * Windows onto inputs of more than 2 GiB. Positions in a window are int32; with doubles, parsing
 * would take a third longer.
 *
 * @module
 */

import { FAILED } from "./parse_scalar.ts";
import { bufferOf, isShared, offsetOf, requireStack } from "../engine/input.ts";
import { DONE } from "../validation/token_dfa.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import type { Suspension } from "./suspension.ts";
import { skipWhitespace } from "../base/whitespace.ts";

/**
 * Most bytes left in a window when the next window begins. Bounds the length of a token in such an
 * input.
 */
export const WINDOW_MARGIN = 0x40000000;

/** An input, and the windows through which it is parsed. */
export interface WindowedInput {
  readonly input: Uint8Array;
  /** Length of the input when the call began: shared memory may grow. */
  readonly total: number;
  readonly windowSize: number;
  readonly margin: number;
  /** State of a parse in chunks; `null` if the whole input is there. */
  readonly suspension: Suspension | null;
}

/**
 * Returns `size` bytes of an input from `start` on: a view or, of shared memory, a copy (0.1 ns a
 * byte); `null` if there is no memory for it.
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

function viewOf(input: Uint8Array, start: number, size: number): Uint8Array {
  return new Uint8Array(bufferOf(input), offsetOf(input) + start, size);
}

type SkipByteOrderMark = (bytes: Uint8Array, end: number) => number;

/** Returns the position after a byte-order mark (RFC 8259 §8.1). */
export const skipByteOrderMark = /* @__PURE__ */ (function skipByteOrderMark(bytes, end) {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
} satisfies SkipByteOrderMark).valueOf() as SkipByteOrderMark;

/**
 * Returns the start of the first window with anything but whitespace: a multiple of the window
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
 * Returns whether nothing but whitespace follows position `p` of a window. Otherwise locates the
 * failure, whose offset counts from the beginning of the input.
 */
export function finishDocument(
  windowed: WindowedInput,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  p: number,
  end: number,
): boolean {
  const { input, total } = windowed;
  if (p < end) p = skipWhitespace(bytes, p, end);
  while (p >= end && origin + end < total) {
    origin += end;
    end = Math.min(end, total - origin);
    bytes = viewOf(input, origin, end);
    p = skipWhitespace(bytes, 0, end);
  }
  if (p >= end) return true;
  locateFailure(bytes, view, p, end, DONE, false, true); // reads nothing but the byte at `p`
  failure.offset += origin;
  return false;
}

/**
 * Locates the failure of a token that cannot be read: at `p` in the window of `end` bytes at
 * `origin`, where the automaton is in `state`. Returns `FAILED`. The failure's offset counts from
 * the beginning of the input.
 *
 * A token that ends with a window other than the last is `value-too-large`: it is longer than the
 * margin, or the whitespace between a key and its value is.
 */
export function failInWindow(
  windowed: WindowedInput,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  p: number,
  end: number,
  state: number,
  isInObject: boolean,
): typeof FAILED {
  if (!locateFailure(bytes, view, p, end, state, isInObject, origin + end === windowed.total)) {
    failure.code = "value-too-large";
    failure.offset = end;
    cut.at = -1;
  }
  failure.offset += origin;
  return FAILED;
}
