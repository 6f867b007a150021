/**
 * Reads scalars where speed matters little: at the top level, and where a member of an object was
 * cut. The main loop of `parse_container.ts` reads the others.
 *
 * @module
 */

import * as failures from "../base/failure.ts";
import * as numbers from "../numbers/read_number.ts";
import * as outParams from "../base/out_params.ts";
import * as strings from "../strings/read_string.ts";
import * as swar from "../base/swar.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { unexpectedAt } = failures;
const { readNumberSlow } = numbers;
const { cursor, fail, failure, numberValue } = outParams;
const { readStringToken } = strings;
const { FALSE_BYTES, NULL_BYTES, skipPlain, TRUE_BYTES } = swar;

/** Sentinel returned in place of a value after a failure was recorded. No input has this value. */
export const FAILED: object = {};

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const NO_BYTES: readonly number[] = [];

/**
 * Records the failure of bytes that begin no value: at `p` or, if a literal begins there, at the
 * first byte that differs from it.
 */
export function failLiteral(bytes: Uint8Array, p: number, end: number): void {
  const c = p < end ? bytes[p] : 0;
  const literal = c === LOWER_T ? TRUE_BYTES : c === LOWER_F ? FALSE_BYTES : c === LOWER_N ? NULL_BYTES : NO_BYTES;
  for (let i = 0; i < literal.length && p < end && bytes[p] === literal[i]; i++) p++;
  fail(unexpectedAt(bytes, p, end), p);
}

/**
 * Reads a string, a number or a literal. Returns its value, or `FAILED` after recording a failure;
 * leaves the position after the token in `cursor`.
 */
export function parseScalar(bytes: Uint8Array, view: DataView, p: number, end: number): unknown {
  const c = p < end ? bytes[p] : 0;
  if (c - ZERO >>> 0 <= 9 || c === MINUS) {
    cursor.position = readNumberSlow(bytes, p, end);
    return cursor.position < 0 ? FAILED : numberValue[0];
  }
  if (c === QUOTE) return readStringToken(bytes, view, p + 1, skipPlain(bytes, view, p + 1, end), end) ?? FAILED;
  failLiteral(bytes, p, end);
  // The failure is where the bytes first differ from the literal: after all of it, if it is whole.
  const length = failure.offset - p;
  cursor.position = failure.offset;
  if (c === LOWER_T && length === 4) return true;
  if (c === LOWER_F && length === 5) return false;
  if (c === LOWER_N && length === 4) return null;
  return FAILED;
}
