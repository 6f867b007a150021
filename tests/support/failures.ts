/**
 * Failures as the validator locates them.
 *
 * @module
 */

import { failure, locateFailure } from "../../parser/validation/locate_failure.ts";
import { VALUE } from "../../parser/validation/token_dfa.ts";

/**
 * Locates the failure of the token at a position; `null` if the bytes end within the token.
 *
 * @param state State of the automaton before the token.
 * @param isLast Whether the end of the bytes is that of the input.
 */
export function failureAt(
  bytes: Uint8Array,
  position: number,
  end: number = bytes.length,
  state: number = VALUE,
  isLast: boolean = true,
): typeof failure | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return locateFailure(bytes, view, position, end, state, false, isLast) ? { ...failure } : null;
}
