/**
 * Reads number tokens (RFC 8259 §6) as the nearest double, ties to even (ECMA-262 §25.5.1). Tokens
 * of up to 18 digits, and many of 19, are converted by exact arithmetic on one or two doubles
 * (`round_decimal.ts`), the rare others by the engine.
 */

import { LOWER_E, MINUS, PLUS, POINT, UPPER_E, ZERO } from "../base/ascii.ts";
import { makeLatin1String, MAX_SAFE_LENGTH } from "../strings/make_string.ts";
import { flagUnsafeInteger } from "../base/guard_flags.ts";
import { INT32_DIGITS, NUMBER_LOOKAHEAD } from "./limits.ts";
import { MAX_EXACT_INTEGER, MAX_SCALE, POWERS_OF_TEN, timesPowerOfTen } from "./round_decimal.ts";
import { failAtLimit } from "../base/failure.ts";
import { lowestByte, nonDigits, ZEROS } from "../base/swar.ts";

// "Out-parameters" and "Constant bindings": see ARCHITECTURE.md.
const lastNumber = /* @__PURE__ */ new Float64Array(1);
const exponent = { value: 0 };
/**
 * Mantissa of a number with an exponent: the position of the `e`, and the number of decimals.
 * Written by {@linkcode readFraction} if it stops at an exponent; {@linkcode readNumber} first sets
 * `end` to 0.
 */
const mantissa = { end: 0, decimals: 0 };
/** Two integers whose sum is the value of its digits without the point. */
const lastMantissaParts = /* @__PURE__ */ new Float64Array(2);

/** Value of the number read last. Written by every reader of one number. */
export const numberValue: Float64Array = lastNumber;
/** The two integers of the mantissa read last; exported to be wiped. */
export const mantissaParts: Float64Array = lastMantissaParts;

/** Digits of the smallest integer beyond `Number.MAX_SAFE_INTEGER`. */
const MIN_UNSAFE_DIGITS = 16;

/**
 * Magnitude from which the digits of an exponent no longer count: beyond any double, and so small
 * that one more digit keeps it an int32.
 */
const MAX_EXPONENT = 1e8;

/** Returns the value of four digits, the first in the lowest byte. */
function fourDigits(values: number): number {
  const pairs = values * 10 + (values >>> 8) & 0x00ff00ff;
  return pairs * 100 + (pairs >>> 16) & 0xffff;
}

/** Stores the number's value in `numberValue` and returns the position after it. */
function finishNumber(value: number, p: number): number {
  lastNumber[0] = value;
  return p;
}

/**
 * Reads the digits after the point of a number whose integer part is `whole`. Leaves the value of
 * both in {@linkcode numberValue}; returns the position after the digits.
 *
 * Returns 0 if there are no digits, more than it reads by words, or more than two doubles hold
 * exactly. Returns 0 before an exponent too, and then leaves the digits in `mantissa`.
 *
 * Precondition: `p` is after the point, 24 bytes can be read there, and `whole` is below 10^9.
 *
 * Reads four digits at a time, the last one to three by a shift, so that only every fourth length
 * costs a branch.
 */
export function readFraction(bytes: Uint8Array, view: DataView, p: number, whole: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  whole |= 0;
  const start = p;
  let values = view.getInt32(p, true) ^ ZEROS;
  let nonDigitMask = nonDigits(values);
  let digits = 0;
  let high = whole;
  let lowStart = p;
  if (nonDigitMask === 0) {
    digits = fourDigits(values);
    p += 4;
    values = view.getInt32(p, true) ^ ZEROS;
    nonDigitMask = nonDigits(values);
    if (nonDigitMask === 0) {
      // The high word takes as many digits as keep its product with a power of ten exact:
      // see `isHighWordExact`.
      if (whole < 100) {
        high = whole * 1e8 + (Math.imul(digits, 10000) + fourDigits(values));
        digits = 0;
        lowStart = p + 4;
      } else {
        high = whole * 1e4 + digits;
        digits = fourDigits(values);
        lowStart = p;
      }
      p += 4;
      values = view.getInt32(p, true) ^ ZEROS;
      nonDigitMask = nonDigits(values);
      if (nonDigitMask === 0) {
        digits = Math.imul(digits, 10000) + fourDigits(values);
        p += 4;
        values = view.getInt32(p, true) ^ ZEROS;
        nonDigitMask = nonDigits(values);
        if (nonDigitMask === 0 && whole < 100) {
          digits = Math.imul(digits, 10000) + fourDigits(values);
          p += 4;
          values = view.getInt32(p, true) ^ ZEROS;
          nonDigitMask = nonDigits(values);
        }
        if (nonDigitMask === 0) return 0;
      }
    }
  }
  const count = lowestByte(nonDigitMask);
  // Two shifts, because `<< 32` shifts by 0.
  const low = digits * POWERS_OF_TEN[count] + fourDigits(values << 8 << 24 - 8 * count);
  p += count;
  const c = bytes[p];
  if (p === start) return 0;
  const lowDigits = p - lowStart;
  let value = high * POWERS_OF_TEN[lowDigits] + low;
  if (c === LOWER_E || c === UPPER_E) {
    if (value < MAX_EXACT_INTEGER || isHighWordExact(whole, lowDigits)) {
      lastMantissaParts[0] = high * POWERS_OF_TEN[lowDigits];
      lastMantissaParts[1] = low;
      mantissa.decimals = p - start;
      mantissa.end = p;
    }
    return 0;
  }
  if (value < MAX_EXACT_INTEGER) {
    value /= POWERS_OF_TEN[p - start]; // exact so far, since all intermediate values were smaller
  } else {
    if (!isHighWordExact(whole, lowDigits)) return 0;
    high *= POWERS_OF_TEN[lowDigits];
    // The rounding is certain. A decimal m / 10^k with k ≤ 18 that is not itself halfway between
    // two doubles is at least 1 / (5^k · n) > 2^-96 of itself away from the nearest midpoint n /
    // 2^j, since n < 2^54. None is halfway: the value is below 1000, so j ≥ 44 > k, and n would be
    // even.
    value = timesPowerOfTen(high, low, start - p);
  }
  lastNumber[0] = value;
  return p;
}

/**
 * Returns whether the high word of {@linkcode readFraction} stays exact when it is shifted by the
 * digits of the low word, a power of ten. 10^n is 5^n · 2^n, so only the bits of 5^n count: 7
 * digits (24 bits) leave room for 5^11 (26 bits), 8 for 5^10, 9 for 5^9, 10 for 5^8.
 */
function isHighWordExact(whole: number, lowDigits: number): boolean {
  return whole < 1000 && lowDigits <= (whole === 0 ? 10 : whole < 10 ? 9 : whole < 100 ? 8 : 11);
}

/**
 * Reads a number token. Leaves its value in `numberValue`; returns the position after the token, or
 * -1 if it cannot be read.
 *
 * Precondition: `bytes[p]` is a digit or a minus sign; bytes can be read up to `readableEnd`, zeros
 * from `end` on.
 */
export function readNumber(bytes: Uint8Array, view: DataView, p: number, end: number, readableEnd: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  if ((readableEnd | 0) - p < NUMBER_LOOKAHEAD) return readNumberSlow(bytes, p, end);
  const start = p;
  const isNegative = bytes[p] === MINUS;
  if (isNegative) p++;
  const first = p;
  let whole = bytes[p] - ZERO;
  if (whole >>> 0 > 9) return -1;
  let c = bytes[++p] - ZERO;
  if (whole !== 0) {
    while (c >>> 0 <= 9 && p - first < INT32_DIGITS) {
      whole = whole * 10 + c | 0;
      c = bytes[++p] - ZERO;
    }
  }
  if (c !== POINT - ZERO) {
    if ((c | 0x20) === LOWER_E - ZERO) return finishNumberWithExponent(bytes, start, p, end, whole, 0, 0);
    if (c >>> 0 > 9) return finishNumber(isNegative ? -whole : whole, p);
    if (whole === 0) return -1; // a digit after a leading zero
    // Up to 18 digits, such as an identifier or a timestamp.
    const lowStart = p;
    let low = 0;
    do {
      low = low * 10 + c | 0;
      c = bytes[++p] - ZERO;
    } while (c >>> 0 <= 9 && p - lowStart < INT32_DIGITS);
    if (c >>> 0 <= 9 || c === POINT - ZERO || (c | 0x20) === LOWER_E - ZERO) return readNumberSlow(bytes, start, end);
    const value = whole * POWERS_OF_TEN[p - lowStart] + low; // both terms exact: one rounding
    if (value > Number.MAX_SAFE_INTEGER) flagUnsafeInteger();
    return finishNumber(isNegative ? -value : value, p);
  }
  mantissa.end = 0;
  p = readFraction(bytes, view, p + 1, whole);
  if (p === 0) {
    if (mantissa.end === 0) return readNumberSlow(bytes, start, end);
    return finishNumberWithExponent(
      bytes,
      start,
      mantissa.end,
      end,
      lastMantissaParts[0],
      lastMantissaParts[1],
      mantissa.decimals,
    );
  }
  if (isNegative) lastNumber[0] = -lastNumber[0];
  return p;
}

/**
 * Reads the exponent of a number token and computes the value of the whole token. Returns what
 * {@linkcode readNumber} returns.
 *
 * Precondition: an `e` is at `p`; the digits before it have the value `high` + `low`, and the last
 * `decimals` of them follow the point. For `high` and `low` the preconditions of
 * {@linkcode timesPowerOfTen} hold.
 */
function finishNumberWithExponent(
  bytes: Uint8Array,
  start: number,
  p: number,
  end: number,
  high: number,
  low: number,
  decimals: number,
): number {
  p = readExponent(bytes, p + 1, end);
  if (p < 0) return -1;
  const scale = exponent.value - decimals;
  let value = high + low;
  if (value !== 0) {
    if (Math.abs(scale) > MAX_SCALE) return readNumberSlow(bytes, start, end);
    if (value < MAX_EXACT_INTEGER && Math.abs(scale) < POWERS_OF_TEN.length) {
      value = scale < 0 ? value / POWERS_OF_TEN[-scale] : value * POWERS_OF_TEN[scale];
    } else {
      value = timesPowerOfTen(high, low, scale);
      if (value !== value) return readNumberSlow(bytes, start, end);
    }
  }
  return finishNumber(bytes[start] === MINUS ? -value : value, p);
}

/**
 * Reads the sign and digits of an exponent into `exponent`. Returns the position after it, or -1 if
 * it has no digits.
 *
 * Precondition: `p` is after the `e`.
 */
function readExponent(bytes: Uint8Array, p: number, end: number): number {
  let c = p < end ? bytes[p] : 0;
  const isNegative = c === MINUS;
  if (isNegative || c === PLUS) c = ++p < end ? bytes[p] : 0;
  c -= ZERO;
  if (c >>> 0 > 9) return -1;
  let magnitude = 0;
  while (c >>> 0 <= 9) {
    if (magnitude < MAX_EXPONENT) magnitude = magnitude * 10 + c;
    c = ++p < end ? bytes[p] - ZERO : -1;
  }
  exponent.value = isNegative ? -magnitude : magnitude;
  return p;
}

/**
 * Like {@linkcode readNumber}, by the engine's conversion, in linear time: near the end of the
 * input, and for tokens with more digits, or a greater exponent, than exact arithmetic on two
 * doubles allows. About one number in a thousand of real documents takes this path.
 */
export function readNumberSlow(bytes: Uint8Array, start: number, end: number): number {
  const p = skipNumber(bytes, start, end);
  if (p < 0) return -1;
  if (p - start >= MIN_UNSAFE_DIGITS) flagUnsafeInteger();
  const text = numberText(bytes, start, p);
  return text === null ? -1 : finishNumber(Number(text), p); // not covered: `null`, see `numberText`
}

/** Returns a number token as a string, or `null` after recording that it is too long. */
export function numberText(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return makeLatin1String(bytes, start, end, true);
  } catch (error) {
    // not covered: needs a number of more than 536,870,888 characters
    if (end - start < MAX_SAFE_LENGTH) throw error;
    failAtLimit("string-too-long", start);
    return null;
  }
}

/** Returns the position after a number token, or -1 if it is malformed. */
export function skipNumber(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  let p = skipDigits(bytes, first, end);
  if (p === first || bytes[first] === ZERO && p > first + 1) return -1;
  if (p < end && bytes[p] === POINT) {
    const fraction = p + 1;
    p = skipDigits(bytes, fraction, end);
    if (p === fraction) return -1;
  }
  if (p < end && (bytes[p] | 0x20) === LOWER_E) {
    p = readExponent(bytes, p + 1, end);
  }
  return p;
}

function skipDigits(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && bytes[p] - ZERO >>> 0 <= 9) p++;
  return p;
}
