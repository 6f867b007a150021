/** Doubles by their bits, and decimals of exact values, in integer arithmetic alone. */

import type { Random } from "./random.ts";

const words = new DataView(new ArrayBuffer(8));

/** Bits of the largest finite double. */
const MAX_BITS = 0x7fef_ffff_ffff_ffffn;

/** Returns the double of these bits. */
function doubleOf(bits: bigint): number {
  words.setBigUint64(0, bits);
  return words.getFloat64(0);
}

/**
 * Returns the bits of a random finite double that is not negative, each exponent as likely as
 * another.
 */
function randomBits(random: Random): bigint {
  const bits = BigInt(random.below(2 ** 21)) << 42n | BigInt(random.below(2 ** 21)) << 21n |
    BigInt(random.below(2 ** 21));
  return bits <= MAX_BITS ? bits : bits & 0x000f_ffff_ffff_ffffn;
}

/** Exact value `integer` · 2^`exponent`. */
interface Binary {
  integer: bigint;
  exponent: number;
}

/** Returns the exact value of a double, by its bits. */
function binaryOf(bits: bigint): Binary {
  const fraction = bits & 0x000f_ffff_ffff_ffffn;
  const biased = Number(bits >> 52n);
  if (biased === 0) return { integer: fraction, exponent: -1074 };
  return { integer: fraction | 1n << 52n, exponent: biased - 1075 };
}

/** Exact value `digits` · 10^-`decimals`. */
export interface Decimal {
  digits: bigint;
  decimals: number;
}

/** Returns the same value with powers of ten. */
function decimalOf({ integer, exponent }: Binary): Decimal {
  if (exponent >= 0) return { digits: integer << BigInt(exponent), decimals: 0 };
  return { digits: integer * 5n ** BigInt(-exponent), decimals: -exponent };
}

/** Two neighbouring doubles and the exact middle between them. */
export interface Neighbours {
  lower: number;
  upper: number;
  middle: Decimal;
  /** Neighbour to which the middle is rounded. */
  even: number;
}

/** Returns a random finite double and the next one. */
export function randomNeighbours(random: Random): Neighbours {
  let bits = randomBits(random);
  if (bits === MAX_BITS) bits--;
  const { integer, exponent } = binaryOf(bits);
  const [lower, upper] = [doubleOf(bits), doubleOf(bits + 1n)];
  const middle = decimalOf({ integer: 2n * integer + 1n, exponent: exponent - 1 });
  return { lower, upper, middle, even: bits % 2n === 0n ? lower : upper };
}

/** Returns the decimal of a double, in full. */
export function exactDecimal(double: number): Decimal {
  words.setFloat64(0, double);
  return decimalOf(binaryOf(words.getBigUint64(0)));
}

/** Returns a value cut to so many significant digits, and whether it was longer. */
export function truncated({ digits, decimals }: Decimal, significant: number): Decimal & { isCut: boolean } {
  const excess = String(digits).length - significant;
  if (excess <= 0) return { digits, decimals, isCut: false };
  const unit = 10n ** BigInt(excess);
  return { digits: digits / unit, decimals: decimals - excess, isCut: digits % unit !== 0n };
}

/**
 * Returns the spellings of a value as JSON numbers: plain where it is short enough, and with
 * exponents.
 */
export function spellings({ digits, decimals }: Decimal, random: Random): string[] {
  const text = String(digits);
  const { length } = text;
  const e = random.pick(["e", "E"]);
  const spelled = [`${text}${e}${-decimals}`];
  const point = 1 + random.below(length);
  if (point < length) {
    const exponent = length - point - decimals;
    spelled.push(`${text.slice(0, point)}.${text.slice(point)}${e}${exponent < 0 ? "" : "+"}${exponent}`);
  }
  spelled.push(`0.${"0".repeat(random.below(30))}${text}`);
  spelled[spelled.length - 1] += `${e}${spelled.at(-1)!.length - 2 - decimals}`;
  if (decimals > 0 && decimals <= length + 400) {
    const padded = text.padStart(decimals + 1, "0");
    spelled.push(`${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`);
  } else if (decimals <= 0 && decimals >= -400) {
    spelled.push(text + (text === "0" ? "" : "0".repeat(-decimals)));
  }
  return spelled;
}
