/** Views of inputs, and what may precede their text. */

import { bufferOf, isShared, offsetOf, requireStack } from "./input.ts";

/** Returns a view or, for shared memory, a copy (0.1 ns a byte); `null` if there is no memory. */
export function windowOf(input: Uint8Array, start: number, size: number): Uint8Array | null {
  const view = viewOf(input, start, size);
  return isShared(input) ? copyOf(view) : view;
}

/** Returns a copy of bytes; `null` if there is no memory for it. */
export function copyOf(bytes: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(bytes);
  } catch {
    requireStack();
    return null;
  }
}

/** Returns a view of `size` bytes of an input from `start` on. */
export function viewOf(input: Uint8Array, start: number, size: number): Uint8Array {
  return new Uint8Array(bufferOf(input), offsetOf(input) + start, size);
}

/** Returns the position after a byte-order mark (RFC 8259 §8.1). */
export function skipByteOrderMark(bytes: Uint8Array, end: number): number {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
