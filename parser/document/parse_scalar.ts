/**
 * Reads scalars where speed matters little, as at the top level. `parse_container.ts` reads others.
 * `tests/library/differential_test.ts` compares it with the other copies of the grammar.
 */

import { LOWER_F, MINUS, QUOTE, ZERO } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { FALSE_TAIL, NULL, skipPlain, TRUE } from "../base/swar.ts";
import { type ExactNumbers, readExactNumber } from "../numbers/exact_number.ts";
import { numberValue, readNumber } from "../numbers/read_number.ts";
import { readStringToken } from "../strings/read_string.ts";

/** Sentinel returned instead of a value that cannot be read. */
export const FAILED: object = {};

/**
 * Reads a string, a number or a literal. Returns its value, or `FAILED` if it cannot be read;
 * leaves the position after the token in `cursor`.
 *
 * Precondition: bytes can be read up to `readableEnd`, zeros from `end` on.
 *
 * @param numbers Conversion of numbers; `null` for doubles.
 */
export function parseScalar(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  readableEnd: number = end,
  numbers: ExactNumbers | null = null,
): unknown {
  const c = p < end ? bytes[p] : 0;
  if (c - ZERO >>> 0 <= 9 || c === MINUS) {
    if (numbers !== null) {
      const value = readExactNumber(bytes, view, p, end, numbers);
      return cursor.position < 0 ? FAILED : value;
    }
    if (c !== MINUS && p + 1 === end) { // needs no call (payload of 1 B: +20 %)
      cursor.position = end;
      return c - ZERO;
    }
    cursor.position = readNumber(bytes, view, p, end, readableEnd);
    return cursor.position < 0 ? FAILED : numberValue[0];
  }
  if (c === QUOTE) return readStringToken(bytes, view, p + 1, skipPlain(bytes, view, p + 1, end), end) ?? FAILED;
  cursor.position = p + 4;
  if (end - p < 4) return FAILED;
  const word = view.getInt32(p, true);
  if (word === TRUE) return true;
  if (word === NULL) return null;
  cursor.position = p + 5;
  return c === LOWER_F && end - p >= 5 && view.getInt32(p + 1, true) === FALSE_TAIL ? false : FAILED;
}
