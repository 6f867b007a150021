/** Numbers as options say: doubles, BigInts, or their texts. */

import { LOWER_E, POINT } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/failure.ts";
import { requireStack } from "../engine/input.ts";
import { makeLatin1String } from "../strings/make_string.ts";
import { numberText, numberValue, readNumber, skipNumber } from "./read_number.ts";

/** What is made of numbers: options of `parseBinary`. */
export interface NumberOptions {
  readonly integers: "number" | "bigint" | "reject";
  readonly numbers: "value" | "source";
}

const makeBigInt = BigInt;

const MAX_SAFE = 2 ** 53 - 1;

/** Most digits of a BigInt: converting them takes 0.2 s. More are `value-too-large`. */
const MAX_BIGINT_DIGITS = 1_000_000;

/**
 * Reads a number as options say. Returns it, or `null` if it is malformed or at a limit of the
 * engine; leaves the position after it in `cursor`.
 *
 * Precondition: `bytes[start]` is a digit or a minus sign.
 */
export function readExactNumber(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  { numbers, integers }: NumberOptions,
): number | bigint | string | null {
  const isText = numbers === "source";
  const p = cursor.position = isText ? skipNumber(bytes, start, end) : readNumber(bytes, view, start, end, end);
  if (p < 0) return null;
  if (isText) return numberText(bytes, start, p);
  const value = numberValue[0];
  if (integers !== "bigint" || value >= -MAX_SAFE && value <= MAX_SAFE || !isInteger(bytes, start, p)) return value;
  if (p - start <= MAX_BIGINT_DIGITS) {
    try {
      return makeBigInt(makeLatin1String(bytes, start, p, true));
    } catch {
      // not covered: needs an engine of shorter BigInts
      requireStack();
    }
  }
  failAtLimit("value-too-large", start);
  return null;
}

/** Returns whether a number is written as an integer: without a point or an exponent. */
function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === POINT || (bytes[p] | 0x20) === LOWER_E) return false;
  return true;
}
