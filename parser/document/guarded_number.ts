/**
 * Numbers as options say: doubles, BigInts, or their texts.
 *
 * @module
 */

import { LOWER_E, POINT } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/limit_failure.ts";
import { noteUnsafeInteger } from "../base/notices.ts";
import type { Guards } from "../guards/options.ts";
import { numberValue, readNumber } from "../numbers/read_number.ts";
import { makeLatin1String } from "../strings/make_string.ts";
import { FAILED } from "./parse_scalar.ts";

export type { Guards };

const makeBigInt = BigInt;

const MAX_SAFE = 2 ** 53 - 1;

/**
 * Most digits of a BigInt, since its conversion takes more than linear time: 0.2 s for this many. A
 * longer one is `value-too-large`.
 */
const MAX_BIGINT_DIGITS = 1_000_000;

/**
 * Reads a number, or its text. Returns it, or `FAILED` at a token that cannot be read or a limit of
 * the engine; leaves the position after it in `cursor`.
 */
export function readGuardedNumber(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  guards: Guards,
): unknown {
  const p = readNumber(bytes, view, start, end, end);
  if (p < 0) return FAILED;
  cursor.position = p;
  if (guards.numbers === "source") {
    try {
      return makeLatin1String(bytes, start, p, true);
    } catch {
      // not covered: needs a number of more than 536,870,888 characters
      failAtLimit("string-too-long", start);
      return FAILED;
    }
  }
  const value = numberValue[0];
  if (guards.integers !== "bigint" || value >= -MAX_SAFE && value <= MAX_SAFE || !isInteger(bytes, start, p)) {
    return value;
  }
  if (p - start > MAX_BIGINT_DIGITS) {
    failAtLimit("value-too-large", start);
    return FAILED;
  }
  noteUnsafeInteger();
  return makeBigInt(makeLatin1String(bytes, start, p, true));
}

/** Returns whether a number token has neither a fraction nor an exponent. */
function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) {
    if (bytes[p] === POINT || (bytes[p] | 0x20) === LOWER_E) return false;
  }
  return true;
}
