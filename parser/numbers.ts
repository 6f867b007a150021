/**
 * Number tokens (RFC 8259 §6) to the nearest double, ties to even, as ECMA-262 §25.5.1 asks.
 *
 * @module
 */

import { cursor, fail } from "./state.ts";
import { latin1Text } from "./text.ts";

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_E = 0x65;

/** Digits an int32 holds whatever they are. */
const WORD_DIGITS = 9;

/** 10^0 … 10^22: all the powers of ten that a double holds exactly. */
const POWER = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** 2^27 + 1, splits a double into two halves of 26 bits (Dekker 1971). */
const SPLITTER = 134217729;

/** Bound on the relative error of the correction in {@linkcode divide}, far above the 2^-50 it can reach. */
const SLACK = 2 ** -40;

/** Where reading an exponent saturates: far beyond any double, and no sum with a count of digits overflows. */
const MAX_EXPONENT = 1e8;

/**
 * (`high` + `low`) / 10^`scale`, correctly rounded, or NaN where the rounding cannot be told.
 *
 * `high` + `low` is an integer below 10^18, both exact, `low` below 10^9, and `scale` is in 0 … 22, so that the divisor is exact.
 * The sum is held as an unevaluated pair, the quotient's residual is computed exactly with Dekker's product, and the
 * corrected quotient is taken only if both ends of its error interval round to the same double: rounding is monotonic,
 * so the true value rounds there too. 2,000,000 random cases and every line of conformance/numbers agree.
 */
function divide(high: number, low: number, scale: number): number {
  const sum = high + low;
  const rest = low - (sum - high);
  const divisor = POWER[scale];
  const quotient = sum / divisor;
  let t = SPLITTER * quotient;
  const q1 = t - (t - quotient);
  const q2 = quotient - q1;
  t = SPLITTER * divisor;
  const d1 = t - (t - divisor);
  const d2 = divisor - d1;
  const product = quotient * divisor;
  const error = q1 * d1 - product + q1 * d2 + q2 * d1 + q2 * d2;
  const correction = (sum - product - error + rest) / divisor;
  const slack = Math.abs(correction) * SLACK;
  const value = quotient + (correction - slack);
  return value === quotient + (correction + slack) ? value : NaN;
}

/**
 * A number token.
 *
 * Precondition: `bytes[p]` is a digit or a minus sign. Leaves the position after the token in `cursor`. Returns NaN, which
 * no token stands for, and notes the failure for a token that is no JSON number.
 */
export function readNumber(bytes: Uint8Array, p: number, end: number): number {
  const start = p;
  let c = bytes[p];
  const negative = c === MINUS;
  if (negative) c = ++p < end ? bytes[p] : 0;
  let n = c - ZERO;
  if (n >>> 0 > 9) {
    fail("missing-digits", p);
    return NaN;
  }
  const first = p;
  c = ++p < end ? bytes[p] - ZERO : -1;
  if (n !== 0) {
    while (c >>> 0 <= 9 && p - first < WORD_DIGITS) {
      n = n * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
  }
  // c is the byte after the digits taken, less ZERO: below 0 there is '.', far above 9 'e' and 'E'.
  if (c >>> 0 > 9 && c !== POINT - ZERO && (c | 0x20) !== LOWER_E - ZERO) {
    cursor.position = p;
    return negative ? -n : n;
  }
  return readDecimal(bytes, start, p, end, n, p - first);
}

/**
 * The rest of a number token from its integer part on: a fraction, an exponent, or more digits than a word holds.
 *
 * Precondition: the `digits` digits before `p` are the value `n`, and one of `.`, `e`, `E` or a digit stands at `p`.
 */
function readDecimal(bytes: Uint8Array, start: number, p: number, end: number, n: number, digits: number): number {
  let c = bytes[p];
  let low = 0;
  let scale = 0;
  if (c !== POINT && (c | 0x20) !== LOWER_E) {
    if (n === 0) {
      fail("unexpected-number", p); // a digit after a leading zero
      return NaN;
    }
    const full = p + WORD_DIGITS;
    const second = p;
    c -= ZERO;
    while (c >>> 0 <= 9 && p < full) {
      low = low * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
    if (c >>> 0 <= 9 || c === POINT - ZERO || (c | 0x20) === LOWER_E - ZERO) return readLongNumber(bytes, start, end);
    cursor.position = p;
    const value = n * POWER[p - second] + low; // both exact, so rounded once
    return bytes[start] === MINUS ? -value : value;
  }
  if (c === POINT) {
    const fraction = ++p;
    c = p < end ? bytes[p] - ZERO : -1;
    if (c >>> 0 > 9) {
      fail("unterminated-fraction", p);
      return NaN;
    }
    if (n === 0) {
      while (c === 0) c = ++p < end ? bytes[p] - ZERO : -1;
      digits = 0;
    }
    let full = p + WORD_DIGITS - digits;
    while (c >>> 0 <= 9 && p < full) {
      n = n * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
    if (c >>> 0 <= 9) {
      full = p + WORD_DIGITS;
      while (c >>> 0 <= 9 && p < full) {
        low = low * 10 + c | 0;
        c = ++p < end ? bytes[p] - ZERO : -1;
      }
      if (c >>> 0 <= 9) return readLongNumber(bytes, start, end);
      const lowDigits = p - full + WORD_DIGITS;
      scale = p - fraction;
      if ((c | 0x20) !== LOWER_E - ZERO && scale < POWER.length) {
        // 10^lowDigits is 5^n 2^n and 5^9 has 21 bits, so the product with 30 bits is exact.
        const high = n * POWER[lowDigits];
        const value = lowDigits <= 6 ? (high + low) / POWER[scale] : divide(high, low, scale);
        if (value === value) {
          cursor.position = p;
          return bytes[start] === MINUS ? -value : value;
        }
      }
      return readLongNumber(bytes, start, end);
    }
    scale = p - fraction;
  }
  let exponent = -scale;
  c = p < end ? bytes[p] : 0;
  if ((c | 0x20) === LOWER_E) {
    const exponentEnd = readExponent(bytes, p + 1, end);
    if (exponentEnd < 0) return NaN;
    p = exponentEnd;
    exponent += exponentValue;
  }
  let value = n;
  if (exponent < 0) {
    if (exponent <= -POWER.length && n !== 0) return readLongNumber(bytes, start, end);
    if (n !== 0) value = n / POWER[-exponent];
  } else if (exponent > 0) {
    if (exponent >= POWER.length && n !== 0) return readLongNumber(bytes, start, end);
    if (n !== 0) value = n * POWER[exponent];
  }
  cursor.position = p;
  return bytes[start] === MINUS ? -value : value;
}

/** The value {@linkcode readExponent} read. */
let exponentValue = 0;

/**
 * An exponent's sign and digits, into {@linkcode exponentValue}. Returns the position after it, -1 if it has no digits.
 *
 * Precondition: `p` is after the `e`.
 */
function readExponent(bytes: Uint8Array, p: number, end: number): number {
  let c = p < end ? bytes[p] : 0;
  const negative = c === MINUS;
  if (negative || c === PLUS) c = ++p < end ? bytes[p] : 0;
  c -= ZERO;
  if (c >>> 0 > 9) {
    fail("missing-exponent", p);
    return -1;
  }
  let exponent = 0;
  while (c >>> 0 <= 9) {
    if (exponent < MAX_EXPONENT) exponent = exponent * 10 + c;
    c = ++p < end ? bytes[p] - ZERO : -1;
  }
  exponentValue = negative ? -exponent : exponent;
  return p;
}

/**
 * A number token of more digits or a greater exponent than is exact in two words: the engine's own conversion of the
 * token's text, linear in its length. About one real number in a thousand comes here.
 *
 * Precondition: `start` is the token's first byte, and its integer part is in order.
 */
function readLongNumber(bytes: Uint8Array, start: number, end: number): number {
  let p = bytes[start] === MINUS ? start + 1 : start;
  p = skipDigits(bytes, p, end);
  if (p < end && bytes[p] === POINT) {
    const fraction = p + 1;
    p = skipDigits(bytes, fraction, end);
    if (p === fraction) {
      fail("unterminated-fraction", p);
      return NaN;
    }
  }
  if (p < end && (bytes[p] | 0x20) === LOWER_E) {
    p = readExponent(bytes, p + 1, end);
    if (p < 0) return NaN;
  }
  cursor.position = p;
  try {
    const value = Number(latin1Text(bytes, start, p));
    if (value !== value) fail("unexpected-number", start); // shared memory changed since the digits were seen
    return value;
  } catch {
    fail("string-too-long", start);
    return NaN;
  }
}

function skipDigits(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && bytes[p] - ZERO >>> 0 <= 9) p++;
  return p;
}
