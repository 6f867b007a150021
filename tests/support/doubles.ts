/** Decimals that are hard to round: those in the exact middle between two doubles. */

import type { Random } from "./random.ts";

/** Exact value `digits` · 10^-`decimals`. */
export interface Decimal {
  digits: bigint;
  decimals: number;
}

/**
 * Returns the middle between a random finite double and the next one. Each exponent is as likely
 * as another.
 */
export function randomMiddle(random: Random): Decimal {
  const fraction = BigInt(random.below(2 ** 26)) << 26n | BigInt(random.below(2 ** 26));
  const biased = random.below(2_047);
  const integer = 2n * (biased === 0 ? fraction : fraction | 1n << 52n) + 1n;
  const exponent = Math.max(1, biased) - 1_076;
  if (exponent >= 0) return { digits: integer << BigInt(exponent), decimals: 0 };
  return { digits: integer * 5n ** BigInt(-exponent), decimals: -exponent };
}

/** Returns the spellings of a value as JSON numbers: plain if short, and with exponents. */
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
