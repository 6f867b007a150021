/**
 * Number tokens (RFC 8259 §6) to the nearest double, ties to even, as ECMA-262 §25.5.1 asks.
 *
 * @module
 */

import * as swar from "./swar.ts";
import * as outParams from "./out_params.ts";
import * as makers from "./make_string.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { exponent, fail, mantissa, mantissaParts, numberValue } = outParams;
const { lowestByte, nonDigits, ZEROS } = swar;
const { makeLatin1String } = makers;

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

/** Digits that an int32 holds whatever they are. */
export const INT32_DIGITS = 9;

// Kept from before anyone could put something else in its place.
const toNumber = Number;

/** 10^0 … 10^22: all the powers of ten that a double holds exactly. */
const POWER: Float64Array = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** 2^27 + 1, splits a double into two halves of 26 bits (Dekker 1971). */
const SPLITTER = 134217729;

/** Where reading an exponent saturates: far beyond any double, and no sum with a count of digits overflows. */
const MAX_EXPONENT = 1e8;

/** Powers of ten that {@linkcode timesPowerOfTen} takes, twice what a double holds exactly. */
const MAX_SCALE = 44;

/** Bound on the relative error that {@linkcode timesPowerOfTen} makes: four roundings of the lower of two doubles, 2^-104 each. */
const SCALE_SLACK = 2 ** -100;

/**
 * (`high` + `low`) · 10^`exponent`, correctly rounded, or NaN where the rounding cannot be told.
 *
 * `high` + `low` is an integer below 10^19, both exact, `high` 0 or above `low`, and `exponent` is in ±{@linkcode MAX_SCALE}. The value is
 * held as an unevaluated pair; each exact power of ten is applied with Dekker's product, which gives the rounding error of a product,
 * and so the residual of a quotient, exactly. The result is taken only if both ends of its error interval round to the same double:
 * rounding is monotonic, so the true value rounds there too. 15,000,000 random and halfway cases and every line of
 * conformance/numbers agree.
 */
function timesPowerOfTen(high: number, low: number, exponent: number): number {
  let sum = high + low;
  let rest = low - (sum - high);
  while (exponent !== 0) {
    const power = POWER[Math.min(Math.abs(exponent), POWER.length - 1)];
    const factor = exponent < 0 ? sum / power : sum;
    let t = SPLITTER * factor;
    const f1 = t - (t - factor);
    const f2 = factor - f1;
    t = SPLITTER * power;
    const p1 = t - (t - power);
    const p2 = power - p1;
    const product = factor * power;
    const error = f1 * p1 - product + f1 * p2 + f2 * p1 + f2 * p2; // factor · power = product + error
    let correction: number;
    if (exponent < 0) {
      correction = (sum - product - error + rest) / power;
      sum = factor + correction;
      rest = correction - (sum - factor);
      exponent = Math.min(0, exponent + POWER.length - 1);
    } else {
      correction = error + rest * power;
      sum = product + correction;
      rest = correction - (sum - product);
      exponent = Math.max(0, exponent - POWER.length + 1);
    }
  }
  const slack = sum * SCALE_SLACK;
  const value = sum + (rest - slack);
  return value === sum + (rest + slack) ? value : NaN;
}

/** The number four digit values spell, the first in the lowestByte byte. */
function fourDigits(values: number): number {
  const pairs = values * 10 + (values >>> 8) & 0x00ff00ff;
  return pairs * 100 + (pairs >>> 16) & 0xffff;
}

/** Bytes from its start that a number read by words may look at: nearer to the end it is read byte by byte. */
export const WORD_LOOKAHEAD = 40;

/** 2^53: an integer computed to be below it is exact, every step. */
const MAX_EXACT = 9007199254740992;

/** Leaves `value` and returns `p`. */
function leaveValue(value: number, p: number): number {
  numberValue[0] = value;
  return p;
}

/**
 * The digits after the point of a number whose whole part is `whole`, the value of both into `numberValue`.
 *
 * Precondition: `p` is after the point, 24 bytes can be read there, `whole` is below 10^9. Returns the position after the digits; 0
 * for what it does not take: no digit, more than 19, digits that two words cannot hold, or an exponent, which is left in {@linkcode mantissa}.
 *
 * Digits are taken four at a time, the last one to three too, so that only every fourth length costs a branch.
 */
export function readFraction(bytes: Uint8Array, view: DataView, p: number, whole: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  whole |= 0;
  const start = p;
  let values = view.getInt32(p, true) ^ ZEROS;
  let others = nonDigits(values);
  let digits = 0;
  let high = whole;
  let lowStart = p;
  if (others === 0) {
    digits = fourDigits(values);
    p += 4;
    values = view.getInt32(p, true) ^ ZEROS;
    others = nonDigits(values);
    if (others === 0) {
      // Into the high word go as many digits as leave capacity for the power of ten it is multiplied by: see below.
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
      others = nonDigits(values);
      if (others === 0) {
        digits = Math.imul(digits, 10000) + fourDigits(values);
        p += 4;
        values = view.getInt32(p, true) ^ ZEROS;
        others = nonDigits(values);
        if (others === 0 && whole < 100) {
          digits = Math.imul(digits, 10000) + fourDigits(values);
          p += 4;
          values = view.getInt32(p, true) ^ ZEROS;
          others = nonDigits(values);
        }
        if (others === 0) return 0;
      }
    }
  }
  const count = lowestByte(others);
  const low = digits * POWER[count] + fourDigits(values << 8 << 24 - 8 * count);
  p += count;
  const c = bytes[p];
  if (p === start) return 0;
  const lowDigits = p - lowStart;
  let value = high * POWER[lowDigits] + low;
  if (c === LOWER_E || c === UPPER_E) {
    if (value < MAX_EXACT || isExact(whole, lowDigits)) {
      mantissaParts[0] = high * POWER[lowDigits];
      mantissaParts[1] = low;
      mantissa.decimals = p - start;
      mantissa.end = p;
    }
    return 0;
  }
  if (value < MAX_EXACT) {
    value /= POWER[p - start]; // all that went into it was smaller still, and exact
  } else {
    if (!isExact(whole, lowDigits)) return 0;
    high *= POWER[lowDigits];
    value = timesPowerOfTen(high, low, start - p);
    if (value !== value) return 0;
  }
  numberValue[0] = value;
  return p;
}

/**
 * Whether the high word of {@linkcode readFraction} times the power of ten of the low one is exact: 8 digits are 27 bits, times the 24
 * of 5^10; 9 leave capacity for 5^9, 10 for 5^8, 7 for 5^11.
 */
function isExact(whole: number, lowDigits: number): boolean {
  return whole < 1000 && lowDigits <= (whole === 0 ? 10 : whole < 10 ? 9 : whole < 100 ? 8 : 11);
}

/**
 * A number token, its value into `numberValue`.
 *
 * Precondition: `bytes[p]` is a digit or a minus sign; bytes can be read up to `readableEnd`, zeros from `end` on. Returns the position
 * after the token; -1, with the failure noted, for a token that is no JSON number.
 */
export function readNumber(bytes: Uint8Array, view: DataView, p: number, end: number, readableEnd: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  if ((readableEnd | 0) - p < WORD_LOOKAHEAD) return readNumberSlow(bytes, p, end);
  const start = p;
  const negative = bytes[p] === MINUS;
  if (negative) p++;
  const first = p;
  let whole = bytes[p] - ZERO;
  if (whole >>> 0 > 9) return readNumberSlow(bytes, start, end);
  let c = bytes[++p] - ZERO;
  if (whole !== 0) {
    while (c >>> 0 <= 9 && p - first < INT32_DIGITS) {
      whole = whole * 10 + c | 0;
      c = bytes[++p] - ZERO;
    }
  }
  if (c !== POINT - ZERO) {
    if ((c | 0x20) === LOWER_E - ZERO) return readExponentPart(bytes, start, p, end, whole, 0, 0);
    if (p - first < INT32_DIGITS || c >>> 0 > 9) return readNumberSlow(bytes, start, end);
    // An identifier or a time stamp: up to 18 digits.
    const second = p;
    let low = 0;
    do {
      low = low * 10 + c | 0;
      c = bytes[++p] - ZERO;
    } while (c >>> 0 <= 9 && p - second < INT32_DIGITS);
    if (c >>> 0 <= 9 || c === POINT - ZERO || (c | 0x20) === LOWER_E - ZERO) return readNumberSlow(bytes, start, end);
    const value = whole * POWER[p - second] + low; // both exact, so rounded once
    return leaveValue(negative ? -value : value, p);
  }
  mantissa.end = 0;
  p = readFraction(bytes, view, p + 1, whole);
  if (p === 0) {
    if (mantissa.end === 0) return readNumberSlow(bytes, start, end);
    return readExponentPart(bytes, start, mantissa.end, end, mantissaParts[0], mantissaParts[1], mantissa.decimals);
  }
  if (negative) numberValue[0] = -numberValue[0];
  return p;
}

/** {@linkcode readNumber} byte by byte, for every number it does not take. */
export function readNumberSlow(bytes: Uint8Array, p: number, end: number): number {
  const start = p;
  let c = bytes[p];
  const negative = c === MINUS;
  if (negative) c = ++p < end ? bytes[p] : 0;
  let n = c - ZERO;
  if (n >>> 0 > 9) {
    fail("missing-digits", p);
    return -1;
  }
  const first = p;
  c = ++p < end ? bytes[p] - ZERO : -1;
  if (n !== 0) {
    while (c >>> 0 <= 9 && p - first < INT32_DIGITS) {
      n = n * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
  }
  // c is the byte after the digits taken, less ZERO: below 0 there is '.', far above 9 'e' and 'E'.
  if (c >>> 0 > 9 && c !== POINT - ZERO && (c | 0x20) !== LOWER_E - ZERO) {
    return leaveValue(negative ? -n : n, p);
  }
  return readNumberRest(bytes, start, p, end, n, p - first);
}

/**
 * The rest of a number token from its integer part on: a fraction, an exponent, or more digits than a word holds.
 *
 * Precondition: the `digits` digits before `p` are the value `n`, and one of `.`, `e`, `E` or a digit matchesWithin at `p`.
 */
function readNumberRest(bytes: Uint8Array, start: number, p: number, end: number, n: number, digits: number): number {
  let c = bytes[p];
  let low = 0;
  let decimals = 0;
  if (c !== POINT && (c | 0x20) !== LOWER_E) {
    if (n === 0) {
      fail("unexpected-number", p); // a digit after a leading zero
      return -1;
    }
    const full = p + INT32_DIGITS;
    const second = p;
    c -= ZERO;
    while (c >>> 0 <= 9 && p < full) {
      low = low * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
    if (c >>> 0 <= 9 || c === POINT - ZERO || (c | 0x20) === LOWER_E - ZERO) {
      return readNumberByEngine(bytes, start, end);
    }
    const value = n * POWER[p - second] + low; // both exact, so rounded once
    return leaveValue(bytes[start] === MINUS ? -value : value, p);
  }
  if (c === POINT) {
    const fraction = ++p;
    c = p < end ? bytes[p] - ZERO : -1;
    if (c >>> 0 > 9) {
      fail("unterminated-fraction", p);
      return -1;
    }
    if (n === 0) {
      while (c === 0) c = ++p < end ? bytes[p] - ZERO : -1;
      digits = 0;
    }
    let full = p + INT32_DIGITS - digits;
    while (c >>> 0 <= 9 && p < full) {
      n = n * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
    if (c >>> 0 <= 9) {
      full = p + INT32_DIGITS;
      while (c >>> 0 <= 9 && p < full) {
        low = low * 10 + c | 0;
        c = ++p < end ? bytes[p] - ZERO : -1;
      }
      if (c >>> 0 <= 9) return readNumberByEngine(bytes, start, end);
      const lowDigits = p - full + INT32_DIGITS;
      decimals = p - fraction;
      // 10^lowDigits is 5^n 2^n and 5^9 has 21 bits, so the product with 30 bits is exact.
      const high = n * POWER[lowDigits];
      if ((c | 0x20) === LOWER_E - ZERO) return readExponentPart(bytes, start, p, end, high, low, decimals);
      if (decimals < POWER.length) {
        const value = lowDigits <= 6 ? (high + low) / POWER[decimals] : timesPowerOfTen(high, low, -decimals);
        if (value === value) return leaveValue(bytes[start] === MINUS ? -value : value, p);
      }
      return readNumberByEngine(bytes, start, end);
    }
    decimals = p - fraction;
  } else {
    c -= ZERO;
  }
  if ((c | 0x20) === LOWER_E - ZERO) return readExponentPart(bytes, start, p, end, n, 0, decimals);
  if (decimals >= POWER.length && n !== 0) return readNumberByEngine(bytes, start, end);
  const value = n === 0 ? 0 : n / POWER[decimals];
  return leaveValue(bytes[start] === MINUS ? -value : value, p);
}

/**
 * The exponent of a number token, and the value of it all.
 *
 * Precondition: an `e` is at `p`, the digits before it are `high` + `low`, the last `decimals` of them after the point; what
 * {@linkcode timesPowerOfTen} asks of them.
 */
function readExponentPart(
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
    if (Math.abs(scale) > MAX_SCALE) return readNumberByEngine(bytes, start, end);
    if (value < MAX_EXACT && Math.abs(scale) < POWER.length) {
      value = scale < 0 ? value / POWER[-scale] : value * POWER[scale];
    } else {
      value = timesPowerOfTen(high, low, scale);
      if (value !== value) return readNumberByEngine(bytes, start, end);
    }
  }
  return leaveValue(bytes[start] === MINUS ? -value : value, p);
}

/**
 * An exponent's sign and digits, into `exponent`. Returns the position after it, -1 if it has no digits.
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
  let magnitude = 0;
  while (c >>> 0 <= 9) {
    if (magnitude < MAX_EXPONENT) magnitude = magnitude * 10 + c;
    c = ++p < end ? bytes[p] - ZERO : -1;
  }
  exponent.value = negative ? -magnitude : magnitude;
  return p;
}

/**
 * A number token of more digits or a greater exponent than is exact in two words: the engine's own conversion of the
 * token's text, linear in its length. About one real number in a thousand comes here.
 *
 * Precondition: `start` is the token's first byte, and its integer part is in order.
 */
function readNumberByEngine(bytes: Uint8Array, start: number, end: number): number {
  let p = bytes[start] === MINUS ? start + 1 : start;
  p = skipDigits(bytes, p, end);
  if (p < end && bytes[p] === POINT) {
    const fraction = p + 1;
    p = skipDigits(bytes, fraction, end);
    if (p === fraction) {
      fail("unterminated-fraction", p);
      return -1;
    }
  }
  if (p < end && (bytes[p] | 0x20) === LOWER_E) {
    p = readExponent(bytes, p + 1, end);
    if (p < 0) return -1;
  }
  try {
    return leaveValue(toNumber(makeLatin1String(bytes, start, p)), p);
  } catch {
    fail("string-too-long", start);
    return -1;
  }
}

function skipDigits(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && bytes[p] - ZERO >>> 0 <= 9) p++;
  return p;
}
