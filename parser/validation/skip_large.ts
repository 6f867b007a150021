/**
 * Skips values of inputs in which positions are no int32, through a window that moves along.
 *
 * @module
 */

import { bufferOf, offsetOf } from "../engine/input.ts";
import { failure } from "./locate_failure.ts";
import { continueSkipping, CUT_POSITION, FAILED_POSITION, skipItems } from "./skip_container.ts";

/** Most bytes of a window. Its last position is a small integer of V8, too. */
const MAX_WINDOW = 0x3fffffff;

/** A large input, and a window onto it. */
export interface LargeInput {
  readonly input: Uint8Array;
  readonly total: number;
  readonly windowSize: number;
  /** Offset of the window, and its bytes. */
  origin: number;
  bytes: Uint8Array;
  view: DataView;
}

/**
 * Makes the window at the beginning of an input of `total` bytes.
 *
 * @param windowSize Most bytes of a window.
 */
export function newLargeInput(input: Uint8Array, total: number, windowSize: number): LargeInput {
  const bytes = new Uint8Array(0);
  const large = { input, total, windowSize: Math.min(windowSize, MAX_WINDOW), origin: 0, bytes, view: NO_VIEW };
  moveTo(large, 0);
  return large;
}

const NO_VIEW = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));

/** Moves the window to an offset of the input. */
function moveTo(large: LargeInput, origin: number): void {
  const buffer = bufferOf(large.input);
  const start = offsetOf(large.input) + origin;
  const size = Math.min(large.total - origin, large.windowSize);
  large.origin = origin;
  large.bytes = new Uint8Array(buffer, start, size);
  large.view = new DataView(buffer, start, size);
}

/**
 * Skips what `skipItems` skips, from offset `p` of the input on. Returns the offset after it, or
 * `FAILED_POSITION` after a failure was located.
 */
export function skipInLarge(large: LargeInput, p: number, brackets: number, state: number): number {
  // The bytes at `p` may have been read before, through a later window.
  if (p < large.origin || p - large.origin > large.windowSize / 2) moveTo(large, p);
  const { total } = large;
  let end = large.origin + large.bytes.length;
  let q = skipItems(large.bytes, large.view, p - large.origin, end === total, brackets, state);
  while (q === CUT_POSITION) {
    moveTo(large, end);
    end += large.bytes.length;
    q = continueSkipping(large.bytes, large.view, 0, end === total);
  }
  if (q === FAILED_POSITION) failure.offset += large.origin;
  else q += large.origin;
  return q;
}
