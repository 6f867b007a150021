/** Whole inputs, as the whole walker reads them: in place or, if they are small, from a copy. */

import { cursor } from "../base/cursor.ts";
import type { ParseFailure } from "../base/failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { copySmall, smallView, smallViewOf } from "../engine/small_copy.ts";
import { describeLocated, locateFailure } from "../validation/locate_failure.ts";
import { DONE } from "../validation/token_dfa.ts";
import type { Selection } from "./selection.ts";

/** Gives a selection its input, which is not in shared memory unless it is small. */
export function showInput(selection: Selection, input: Uint8Array, total: number): void {
  if (total <= SMALL_INPUT) {
    copySmall(input, total);
    selection.bytes = smallViewOf(total);
    selection.view = smallView;
  } else {
    selection.bytes = input;
    selection.view = new DataView(bufferOf(input), offsetOf(input), total);
  }
}

/**
 * Returns the failure of an input, or `null`. Its value was read, and the position after it, or a
 * sentinel, is in `cursor`.
 */
export function failureOf({ bytes, view }: Selection, total: number): ParseFailure | null {
  if (cursor.position >= 0) {
    const p = skipWhitespace(bytes, cursor.position, total);
    if (p >= total) return null;
    locateFailure(bytes, view, p, total, DONE, false);
  }
  return describeLocated(bytes, total);
}
