/** Rounds decimals to the nearest double, ties to even, by exact arithmetic on two doubles. */

/** Exponent of the largest power of ten that a double holds exactly. */
const MAX_EXACT_POWER = 22;

/** 10^0 … 10^22, which a double holds exactly. */
export const POWERS_OF_TEN: Float64Array = /* @__PURE__ */ powersOfTen();

function powersOfTen(): Float64Array {
  const powers = new Float64Array(MAX_EXACT_POWER + 1);
  for (let n = 0; n <= MAX_EXACT_POWER; n++) powers[n] = Number(`1e${n}`);
  return powers;
}

/** 2^27 + 1: splits a double into two halves of 26 bits (Dekker 1971). */
const SPLITTER = 134217729;

/** Largest exponent that {@linkcode timesPowerOfTen} scales by, with two exact powers of ten. */
export const MAX_SCALE = 44;

/** Relative error of {@linkcode timesPowerOfTen}: four roundings of the low double, 2^-104 each. */
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
 * to the same double: rounding is monotonic, so the exact value rounds to that double too.
 *
 * tests/parser/numbers/read_number_test.ts tests the bound on the decimals nearest to midpoints
 * between doubles.
 */
export function timesPowerOfTen(high: number, low: number, exponent: number): number {
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
}

/** 2^53. An integer result below it is exact, and so are the sums and products that led to it. */
export const MAX_EXACT_INTEGER = 9007199254740992;
