/** Numbers as required by options: doubles, BigInts, their texts, or results of a callback. */

import { BACKSLASH, LOWER_E, MINUS, POINT, QUOTE, ZERO } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/failure.ts";
import { packedArray } from "../engine/arrays.ts";
import { requireStack } from "../engine/input.ts";
import { makeLatin1String } from "../strings/make_string.ts";
import { numberText, numberValue, readNumber, skipNumber } from "./read_number.ts";

/** Way to convert the numbers of a text. */
export interface ExactNumbers {
  /** Whether each number becomes its text. If not, integers become BigInts. */
  readonly areTexts: boolean;
  /** Whether all integers become BigInts, or only those that no double represents exactly. */
  readonly areAllBigInts: boolean;
  /** Values in place of the texts, in order; `null` if there are none. */
  readonly converted: unknown[] | null;
  /** Index of the next of these. */
  next: number;
}

/** Maximum digits of a BigInt: converting them takes 0.2 s. More are `value-too-large`. */
const MAX_BIGINT_DIGITS = 1_000_000;

/**
 * Reads a number as required by the options. Returns its value, and leaves the position after it in
 * `cursor`, or -1 if it is malformed or at a limit of the engine.
 *
 * Precondition: `bytes[start]` is a digit or a minus sign.
 */
export function readExactNumber(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  numbers: ExactNumbers,
): unknown {
  const { areTexts, areAllBigInts, converted } = numbers;
  const p = cursor.position = areTexts ? skipNumber(bytes, start, end) : readNumber(bytes, view, start, end, end);
  if (p < 0) return null;
  if (converted !== null) return converted[numbers.next++];
  if (areTexts) {
    const text = numberText(bytes, start, p);
    if (text === null) cursor.position = -1; // not covered: needs a number of more than 536,870,888 characters
    return text;
  }
  const value = numberValue[0];
  const isSafe = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (isSafe && !areAllBigInts || !isInteger(bytes, start, p)) return value;
  if (isSafe) return BigInt(value);
  if (p - start <= MAX_BIGINT_DIGITS) {
    try {
      return BigInt(makeLatin1String(bytes, start, p, true));
    } catch {
      // not covered: needs an engine with shorter BigInts
      requireStack();
    }
  }
  failAtLimit("value-too-large", start);
  cursor.position = -1;
  return null;
}

/** Returns whether a number is written as an integer: without a point or an exponent. */
function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === POINT || (bytes[p] | 0x20) === LOWER_E) return false;
  return true;
}

/**
 * Calls back for each number of a JSON text, which begins at offset `origin` of the input. Returns
 * the results in their order. The bytes must not change.
 */
export function convertNumbers(
  bytes: Uint8Array,
  end: number,
  origin: number,
  convert: (text: string, offset: number) => unknown,
): unknown[] {
  let results = packedArray<unknown>(64, null);
  let count = 0;
  for (let p = 0; p < end; p++) {
    const c = bytes[p];
    if (c === QUOTE) {
      for (p++; bytes[p] !== QUOTE; p++) if (bytes[p] === BACKSLASH) p++;
    } else if (c === MINUS || c - ZERO >>> 0 <= 9) {
      const start = p;
      p = skipNumber(bytes, start, end) - 1;
      const result = convert(numberText(bytes, start, p + 1)!, origin + start);
      if (count === results.length) results = results.concat(results);
      results[count++] = result;
    }
  }
  return results;
}
