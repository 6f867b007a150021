/**
 * Reads number tokens (RFC 8259 §6) as the nearest double, ties to even (ECMA-262 §25.5.1). Exact
 * arithmetic on one or two doubles converts tokens of up to 18 digits, and many of 19. The engine
 * converts the rare tokens for which that does not suffice.
 *
 * @module
 */

import * as makers from "../strings/make_string.ts";
import * as limits from "./limits.ts";
import * as outParams from "../base/out_params.ts";
import * as swar from "../base/swar.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { makeLatin1String, MAX_SAFE_LENGTH } = makers;
const { INT32_DIGITS, NUMBER_LOOKAHEAD } = limits;
const { exponent, fail, mantissa, mantissaParts, numberValue } = outParams;
const { lowestByte, nonDigits, ZEROS } = swar;

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

// Captured at load: a program may replace `Number` later.
const toNumber = Number;

/** Exponent of the largest power of ten that a double holds exactly. */
const MAX_EXACT_POWER = 22;
/** 10^0 … 10^22. */
const POWERS_OF_TEN = new Float64Array(MAX_EXACT_POWER + 1);
for (let n = 0; n <= MAX_EXACT_POWER; n++) POWERS_OF_TEN[n] = toNumber(`1e${n}`);

/** 2^27 + 1: splits a double into two halves of 26 bits (Dekker 1971). */
const SPLITTER = 134217729;

/**
 * Magnitude at which an exponent saturates: beyond the range of doubles, and adding a count of
 * digits to it never overflows.
 */
const MAX_EXPONENT = 1e8;

/**
 * Largest power of ten that {@linkcode timesPowerOfTen} scales by: the product of two exact ones.
 */
const MAX_SCALE = 44;

/**
 * Bound on the relative error of {@linkcode timesPowerOfTen}: four roundings of the low double,
 * 2^-104 each.
 */
const MAX_SCALE_ERROR = 2 ** -100;

/**
 * Returns (`high` + `low`) · 10^`exponent` correctly rounded, or NaN if the rounding is uncertain.
 *
 * Precondition: `high` and `low` are exact integers, and their sum is below 10^19; `high` is 0 or
 * above `low`; `exponent` is within ±{@linkcode MAX_SCALE}.
 *
 * The value is held as an unevaluated sum of two doubles, `head` and `tail`. Each exact power of
 * ten is applied with Dekker's product, which gives the rounding error of a product exactly, and so
 * the remainder of a quotient. The result is returned only if both ends of its error interval round
 * to the same double: rounding is monotonic, so the true value rounds to that double too.
 *
 * tests/parser/numbers/read_number_test.ts tests the bound on the decimals nearest to a middle between doubles;
 * tests/library/differential_test.ts compares random numbers with the engine's, and
 * tests/library/conformance_test.ts every line of conformance/numbers.
 */
const timesPowerOfTen = (function timesPowerOfTen(high: number, low: number, exponent: number): number {
  let head = high + low;
  let tail = low - (head - high);
  while (exponent !== 0) {
    const power = POWERS_OF_TEN[Math.min(Math.abs(exponent), MAX_EXACT_POWER)];
    const factor = exponent < 0 ? head / power : head;
    let split = SPLITTER * factor;
    const f1 = split - (split - factor);
    const f2 = factor - f1;
    split = SPLITTER * power;
    const p1 = split - (split - power);
    const p2 = power - p1;
    const product = factor * power;
    const error = f1 * p1 - product + f1 * p2 + f2 * p1 + f2 * p2; // factor · power = product + error, exactly
    let correction: number;
    if (exponent < 0) {
      correction = (head - product - error + tail) / power;
      head = factor + correction;
      tail = correction - (head - factor);
      exponent = Math.min(0, exponent + MAX_EXACT_POWER);
    } else {
      correction = error + tail * power;
      head = product + correction;
      tail = correction - (head - product);
      exponent = Math.max(0, exponent - MAX_EXACT_POWER);
    }
  }
  const errorBound = head * MAX_SCALE_ERROR;
  const value = head + (tail - errorBound);
  return value === head + (tail + errorBound) ? value : NaN;
}).valueOf() as (high: number, low: number, exponent: number) => number;

/** Returns the number that four digit values spell, the first digit in the lowest byte. */
function fourDigits(values: number): number {
  const pairs = values * 10 + (values >>> 8) & 0x00ff00ff;
  return pairs * 100 + (pairs >>> 16) & 0xffff;
}

/**
 * 2^53. An integer computed to be below it is exact, and so were the sums and products on the way.
 */
const MAX_EXACT_INTEGER = 9007199254740992;

/** Stores the number's value in `numberValue` and returns the position after it. */
function finishNumber(value: number, p: number): number {
  numberValue[0] = value;
  return p;
}

/**
 * Reads the digits after the point of a number whose integer part is `whole`. Leaves the value of
 * both in `numberValue`; returns the position after the digits.
 *
 * Returns 0 if it gives up: there are no digits, more than it reads by words, or more than two
 * doubles hold exactly. Returns 0 before an exponent too, but then leaves the digits in
 * {@linkcode mantissa}.
 *
 * Precondition: `p` is after the point, 24 bytes can be read there, and `whole` is below 10^9.
 *
 * Reads digits four at a time, the last one to three included, so that only every fourth length
 * costs a branch.
 */
export const readFraction = (function readFraction(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  whole: number,
): number {
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
      // The high word takes as many digits as leave its product with a power of ten exact: see
      // `isHighWordExact`.
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
  const low = digits * POWERS_OF_TEN[count] + fourDigits(values << 8 << 24 - 8 * count);
  p += count;
  const c = bytes[p];
  if (p === start) return 0;
  const lowDigits = p - lowStart;
  let value = high * POWERS_OF_TEN[lowDigits] + low;
  if (c === LOWER_E || c === UPPER_E) {
    if (value < MAX_EXACT_INTEGER || isHighWordExact(whole, lowDigits)) {
      mantissaParts[0] = high * POWERS_OF_TEN[lowDigits];
      mantissaParts[1] = low;
      mantissa.decimals = p - start;
      mantissa.end = p;
    }
    return 0;
  }
  if (value < MAX_EXACT_INTEGER) {
    value /= POWERS_OF_TEN[p - start]; // all intermediate values were smaller, so exact
  } else {
    if (!isHighWordExact(whole, lowDigits)) return 0;
    high *= POWERS_OF_TEN[lowDigits];
    // The rounding is certain: there are at most 18 decimals, and a decimal m / 10^k that is not
    // itself in the middle between two doubles, n / 2^j with n < 2^54, is 1 / (5^k · n) > 2^-96 of
    // itself away from it. None is in the middle: n would be even.
    value = timesPowerOfTen(high, low, start - p);
  }
  numberValue[0] = value;
  return p;
}).valueOf() as (bytes: Uint8Array, view: DataView, p: number, whole: number) => number;

/**
 * Returns whether the high word of {@linkcode readFraction}, times the power of ten that the digits
 * of the low word shift it by, is exact. 10^n is 5^n · 2^n, so the bits of 5^n count: 7 digits (24
 * bits) leave room for 5^11 (26 bits), 8 for 5^10, 9 for 5^9, 10 for 5^8.
 */
function isHighWordExact(whole: number, lowDigits: number): boolean {
  return whole < 1000 && lowDigits <= (whole === 0 ? 10 : whole < 10 ? 9 : whole < 100 ? 8 : 11);
}

/**
 * Reads a number token. Leaves its value in `numberValue`; returns the position after the token, or
 * -1 after recording a failure.
 *
 * Precondition: `bytes[p]` is a digit or a minus sign; bytes can be read up to `readableEnd`, zeros
 * from `end` on.
 */
export const readNumber = (function readNumber(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  readableEnd: number,
): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  if ((readableEnd | 0) - p < NUMBER_LOOKAHEAD) return readNumberSlow(bytes, p, end);
  const start = p;
  const isNegative = bytes[p] === MINUS;
  if (isNegative) p++;
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
    if ((c | 0x20) === LOWER_E - ZERO) return finishNumberWithExponent(bytes, start, p, end, whole, 0, 0);
    if (p - first < INT32_DIGITS || c >>> 0 > 9) return readNumberSlow(bytes, start, end);
    // An identifier or a timestamp: up to 18 digits.
    const lowStart = p;
    let low = 0;
    do {
      low = low * 10 + c | 0;
      c = bytes[++p] - ZERO;
    } while (c >>> 0 <= 9 && p - lowStart < INT32_DIGITS);
    if (c >>> 0 <= 9 || c === POINT - ZERO || (c | 0x20) === LOWER_E - ZERO) return readNumberSlow(bytes, start, end);
    const value = whole * POWERS_OF_TEN[p - lowStart] + low; // both terms exact: one rounding
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
      mantissaParts[0],
      mantissaParts[1],
      mantissa.decimals,
    );
  }
  if (isNegative) numberValue[0] = -numberValue[0];
  return p;
}).valueOf() as (bytes: Uint8Array, view: DataView, p: number, end: number, readableEnd: number) => number;

/**
 * Reads a number token byte by byte: near the end of the input, and wherever {@linkcode readNumber}
 * gives up. Returns what {@linkcode readNumber} returns.
 */
export const readNumberSlow = (function readNumberSlow(bytes: Uint8Array, p: number, end: number): number {
  const start = p;
  let c = bytes[p];
  const isNegative = c === MINUS;
  if (isNegative) c = ++p < end ? bytes[p] : 0;
  let whole = c - ZERO;
  if (whole >>> 0 > 9) {
    fail("missing-digits", p);
    return -1;
  }
  const first = p;
  c = ++p < end ? bytes[p] - ZERO : -1;
  if (whole !== 0) {
    while (c >>> 0 <= 9 && p - first < INT32_DIGITS) {
      whole = whole * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
  }
  // `c` is the byte after the digits, less ZERO: negative for '.', above 9 for 'e' and 'E'.
  if (c >>> 0 > 9 && c !== POINT - ZERO && (c | 0x20) !== LOWER_E - ZERO) {
    return finishNumber(isNegative ? -whole : whole, p);
  }
  return readNumberTailSlow(bytes, start, p, end, whole, p - first);
}).valueOf() as (bytes: Uint8Array, p: number, end: number) => number;

/**
 * Reads the rest of a number token after its leading digits: a fraction, an exponent, or more
 * digits than an int32 holds. Returns what {@linkcode readNumber} returns.
 *
 * Precondition: the `digits` digits before `p` have the value `leading`; one of `.`, `e`, `E` or a
 * digit is at `p`.
 */
const readNumberTailSlow = (function readNumberTailSlow(
  bytes: Uint8Array,
  start: number,
  p: number,
  end: number,
  leading: number,
  digits: number,
): number {
  let c = bytes[p];
  let low = 0;
  let decimals = 0;
  if (c !== POINT && (c | 0x20) !== LOWER_E) {
    if (leading === 0) {
      fail("unexpected-number", p); // a digit after a leading zero
      return -1;
    }
    const fullAt = p + INT32_DIGITS;
    const lowStart = p;
    c -= ZERO;
    while (c >>> 0 <= 9 && p < fullAt) {
      low = low * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
    if (c >>> 0 <= 9 || c === POINT - ZERO || (c | 0x20) === LOWER_E - ZERO) {
      return readNumberByEngine(bytes, start, end);
    }
    const value = leading * POWERS_OF_TEN[p - lowStart] + low; // both terms exact: one rounding
    return finishNumber(bytes[start] === MINUS ? -value : value, p);
  }
  if (c === POINT) {
    const fraction = ++p;
    c = p < end ? bytes[p] - ZERO : -1;
    if (c >>> 0 > 9) {
      fail("unterminated-fraction", p);
      return -1;
    }
    if (leading === 0) {
      while (c === 0) c = ++p < end ? bytes[p] - ZERO : -1;
      digits = 0;
    }
    let fullAt = p + INT32_DIGITS - digits;
    while (c >>> 0 <= 9 && p < fullAt) {
      leading = leading * 10 + c | 0;
      c = ++p < end ? bytes[p] - ZERO : -1;
    }
    if (c >>> 0 <= 9) {
      fullAt = p + INT32_DIGITS;
      while (c >>> 0 <= 9 && p < fullAt) {
        low = low * 10 + c | 0;
        c = ++p < end ? bytes[p] - ZERO : -1;
      }
      if (c >>> 0 <= 9) return readNumberByEngine(bytes, start, end);
      const lowDigits = p - fullAt + INT32_DIGITS;
      decimals = p - fraction;
      // 10^lowDigits is 5^n · 2^n; 5^9 has 21 bits, so the product with 30 bits is exact.
      const high = leading * POWERS_OF_TEN[lowDigits];
      if ((c | 0x20) === LOWER_E - ZERO) return finishNumberWithExponent(bytes, start, p, end, high, low, decimals);
      if (decimals < POWERS_OF_TEN.length) {
        const value = lowDigits <= 6 ? (high + low) / POWERS_OF_TEN[decimals] : timesPowerOfTen(high, low, -decimals);
        if (value === value) return finishNumber(bytes[start] === MINUS ? -value : value, p);
      }
      return readNumberByEngine(bytes, start, end);
    }
    decimals = p - fraction;
  } else {
    c -= ZERO;
  }
  if ((c | 0x20) === LOWER_E - ZERO) return finishNumberWithExponent(bytes, start, p, end, leading, 0, decimals);
  if (decimals >= POWERS_OF_TEN.length && leading !== 0) return readNumberByEngine(bytes, start, end);
  const value = leading === 0 ? 0 : leading / POWERS_OF_TEN[decimals];
  return finishNumber(bytes[start] === MINUS ? -value : value, p);
}).valueOf() as (
  bytes: Uint8Array,
  start: number,
  p: number,
  end: number,
  leading: number,
  digits: number,
) => number;

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
    if (Math.abs(scale) > MAX_SCALE) return readNumberByEngine(bytes, start, end);
    if (value < MAX_EXACT_INTEGER && Math.abs(scale) < POWERS_OF_TEN.length) {
      value = scale < 0 ? value / POWERS_OF_TEN[-scale] : value * POWERS_OF_TEN[scale];
    } else {
      value = timesPowerOfTen(high, low, scale);
      if (value !== value) return readNumberByEngine(bytes, start, end);
    }
  }
  return finishNumber(bytes[start] === MINUS ? -value : value, p);
}

/**
 * Reads the sign and digits of an exponent into `exponent`. Returns the position after it, or -1
 * after recording a failure if it has no digits.
 *
 * Precondition: `p` is after the `e`.
 */
function readExponent(bytes: Uint8Array, p: number, end: number): number {
  let c = p < end ? bytes[p] : 0;
  const isNegative = c === MINUS;
  if (isNegative || c === PLUS) c = ++p < end ? bytes[p] : 0;
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
  exponent.value = isNegative ? -magnitude : magnitude;
  return p;
}

/**
 * Reads a number token with more digits, or a greater exponent, than exact arithmetic on two
 * doubles allows: the engine converts the token, in linear time. Returns what
 * {@linkcode readNumber} returns. About one number in a thousand of real documents takes this path.
 *
 * Precondition: `start` is the token's first byte, and its integer part is well-formed.
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
    return finishNumber(toNumber(makeLatin1String(bytes, start, p, true)), p);
  } catch (error) {
    // not covered: needs a number of more than 536,870,888 characters
    if (p - start < MAX_SAFE_LENGTH) throw error;
    fail("string-too-long", start);
    return -1;
  }
}

function skipDigits(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && bytes[p] - ZERO >>> 0 <= 9) p++;
  return p;
}
