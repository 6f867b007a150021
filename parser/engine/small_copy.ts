/**
 * Scratch buffer that small inputs are copied to, with a `DataView` made once ("Views": see
 * ARCHITECTURE.md). The parser and the validator both read small inputs from it, one at a time. All
 * bytes are zeros between calls.
 */

import { packedArray } from "./arrays.ts";
import { bufferOf, lengthOf, offsetOf } from "./input.ts";
import { SMALL_INPUT } from "./input_sizes.ts";
import { isJavaScriptCore } from "./recognition.ts";

/** Zero bytes after a small input, which fast paths may read. */
const LOOKAHEAD = 64;

const scratch = /* @__PURE__ */ new Uint8Array(SMALL_INPUT + LOOKAHEAD);
const scratchView = /* @__PURE__ */ new DataView(scratch.buffer);

// "Constant bindings" (ARCHITECTURE.md): functions here use the constants that are not exported.
export const smallBytes: Uint8Array<ArrayBuffer> = scratch;
export const smallView: DataView<ArrayBuffer> = scratchView;

/** Views of the first n bytes, by n; made when first needed. */
const views = /* @__PURE__ */ packedArray<Uint8Array<ArrayBuffer> | null>(scratch.length, null);

/**
 * Maximum bytes of an input that a loop copies faster than `set` does (payload of 31 B: WebKitGTK
 * 1.13 → 1.3, Bun 0.79 → 0.85). In V8 both are even at 31 bytes, and the loop is slower at 48.
 */
const MAX_LOOPED_COPY = /* @__PURE__ */ isJavaScriptCore() ? 48 : 16;

export function smallViewOf(size: number): Uint8Array<ArrayBuffer> {
  return views[size] ??= new Uint8Array(scratch.buffer, 0, size);
}

/** Copies the first `size` bytes of an input, which may have grown meanwhile, to the scratch. */
export function copySmall(input: Uint8Array, size: number): void {
  if (size <= MAX_LOOPED_COPY) {
    for (let i = 0; i < size; i++) scratch[i] = input[i];
    return;
  }
  try {
    scratch.set(input);
    if (lengthOf(input) === size) return;
  } catch {
    // Shared memory has grown beyond the scratch.
  }
  scratch.fill(0);
  scratch.set(new Uint8Array(bufferOf(input), offsetOf(input), size));
}

export function wipeSmall(size: number): void {
  for (let i = 0; i < size; i += 8) scratchView.setFloat64(i, 0);
}
