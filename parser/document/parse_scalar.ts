/**
 * Reads scalars where speed matters little: at the top level, and in members that a chunk has cut.
 * The loop of `parse_container.ts` reads all others.
 *
 * @module
 */

import * as cursors from "../base/cursor.ts";
import * as swar from "../base/swar.ts";
import * as numbers from "../numbers/read_number.ts";
import * as strings from "../strings/read_string.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const cursor = cursors.cursor;
const numberValue = numbers.numberValue, readNumberSlow = numbers.readNumberSlow;
const readStringToken = strings.readStringToken;
const FALSE_TAIL = swar.FALSE_TAIL, NULL = swar.NULL, skipPlain = swar.skipPlain, TRUE = swar.TRUE;

/** Sentinel returned instead of a value that cannot be read. */
export const FAILED: object = {};

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const LOWER_F = 0x66;

/**
 * Reads a string, a number or a literal. Returns its value, or `FAILED` if it cannot be read;
 * leaves the position after the token in `cursor`.
 */
export function parseScalar(bytes: Uint8Array, view: DataView, p: number, end: number): unknown {
  const c = p < end ? bytes[p] : 0;
  if (c - ZERO >>> 0 <= 9 || c === MINUS) {
    cursor.position = readNumberSlow(bytes, p, end);
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
