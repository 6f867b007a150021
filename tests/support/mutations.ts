/** Damage to documents, by bits, bytes, tokens and ranges. The result may be valid. */

import type { Random } from "../../bench/support/random.ts";
import { concat, utf8 } from "./bytes.ts";

/** Bytes with a meaning somewhere in the grammar. */
const SIGNIFICANT_BYTES = utf8(
  ...'{}[]:,"\\/-+.eE0123456789abfnrtu \n\r\t\v\f\0\x1f\x7f',
  ...[0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xe0, 0xe4, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff],
);

const TOKENS = [
  ...["{", "}", "[", "]", ":", ",", "{}", "[]", '""', "0", "-0", "-", "1e", "1.", "01", "1e5", "true", "false", "null"],
  ...["tru", "nul", "NaN", "Infinity", '"a"', '"a":', '"a":1,', '"__proto__":', ",,", "/**/", "//\n", "'a'", "\\u00"],
  ...['"\\ud800"', '"\\ud83d\\ude00"', "\\n", '\\"', "\\\\", "\ufeff", "\u2028", "é", "中", "😀", "        ", "\r\n"],
].map((text) => utf8(text)).concat([
  [0xc0, 0x80],
  [0xe0, 0x9f, 0xbf],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf4, 0x90, 0x80, 0x80],
].map((bytes) => Uint8Array.from(bytes)));

/** Bytes after a digit that may continue its number, or end it. */
const AFTER_DIGIT = ["-", "+", ".", "e", "-1", "+2", ".5", "e5", "0", "9007199254740993", "-9007199254740993"].map(
  (text) => utf8(text),
);

/** First bytes of multi-byte characters, and second bytes at the limits of what may follow them. */
const LEADS = [0x7f, 0x80, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff];
const SECONDS = [0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];

/** Edit: replaces the bytes of a range. */
type Edit = [from: number, to: number, put: Uint8Array];

const NOTHING = new Uint8Array(0);

/**
 * Returns the range of a token near a random position: a run of bytes between structural ones, or
 * one of these.
 */
function tokenIn(random: Random, bytes: Uint8Array): [from: number, to: number] {
  const place = random.below(bytes.length);
  const isBorder = (i: number): boolean =>
    i < 0 || i >= bytes.length || '{}[]:,"'.includes(String.fromCharCode(bytes[i]));
  let [from, to] = [place, place + 1];
  if (isBorder(place)) return [from, to];
  while (!isBorder(from - 1) && place - from < 64) from--;
  while (!isBorder(to) && to - place < 64) to++;
  return [from, to];
}

/** Returns the position after the next byte of a kind, from a random position on, or the end. */
function placeAfter(random: Random, bytes: Uint8Array, isWanted: (byte: number) => boolean): number {
  let place = random.below(bytes.length);
  while (place < bytes.length && !isWanted(bytes[place])) place++;
  return Math.min(bytes.length, place + 1);
}

/** Returns a character of several bytes, usually well-formed. */
function wideCharacter(random: Random): Uint8Array {
  const lead = random.pick(LEADS);
  const length = random.once(6) ? random.below(4) : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  const rest = Array.from({ length }, (_, i) => i === 0 ? random.pick(SECONDS) : random.once(12) ? 0x41 : 0x80);
  return Uint8Array.of(lead, ...rest);
}

/** Edits of `length` bytes at a random position. */
const OF_A_BYTE: [length: number, put: (random: Random, byte: number) => Uint8Array][] = [
  [1, (random, byte) => Uint8Array.of(byte ^ 1 << random.below(8))],
  [1, (random) => Uint8Array.of(random.pick(SIGNIFICANT_BYTES))],
  [1, (random, byte) => Uint8Array.of(byte + random.pick([1, 255]))],
  [1, () => NOTHING],
  [0, (random) => Uint8Array.of(random.pick(SIGNIFICANT_BYTES))],
  [0, (random) => random.pick(TOKENS)],
];

/** Makes edits of a document, some with parts of another one. */
const EDITS: ((random: Random, bytes: Uint8Array, other: Uint8Array) => Edit)[] = [
  ...OF_A_BYTE.map(([length, put]) => (random: Random, bytes: Uint8Array): Edit => {
    const place = random.below(bytes.length + 1 - length);
    return [place, place + length, put(random, bytes[place])];
  }),
  (random, bytes) => [...tokenIn(random, bytes), random.pick(TOKENS)],
  (random, bytes) => [...tokenIn(random, bytes), NOTHING],
  (random, bytes, other) => [...tokenIn(random, bytes), other.subarray(...tokenIn(random, other))],
  (random, bytes, other) => {
    return [random.below(bytes.length + 1), bytes.length, other.subarray(random.below(other.length + 1))];
  },
  (random, bytes) => [random.below(bytes.length + 1), bytes.length, NOTHING],
  (random, bytes) => [0, random.below(bytes.length + 1), NOTHING],
  (random, bytes) => { // again
    const from = random.below(bytes.length);
    return [from, from, bytes.subarray(from, from + 1 + random.below(40))];
  },
  (random, bytes) => { // after a quote, so usually in a string
    const place = placeAfter(random, bytes, (byte) => byte === 0x22);
    return [place, place, wideCharacter(random)];
  },
  (random, bytes) => {
    const place = placeAfter(random, bytes, (byte) => byte >= 0x30 && byte <= 0x39);
    return [place, place, random.pick(AFTER_DIGIT)];
  },
  (random, bytes) => {
    const place = random.below(bytes.length);
    return [place, place + 2, bytes.slice(place, place + 2).reverse()];
  },
];

/** Applies one to three edits, which may take parts of another document. */
export function corrupt(random: Random, bytes: Uint8Array, other: Uint8Array = bytes): Uint8Array {
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0 && bytes.length > 0; times--) {
    const [from, to, put] = random.pick(EDITS)(random, bytes, other.length > 0 ? other : bytes);
    bytes = concat([bytes.subarray(0, from), put, bytes.subarray(to)]);
  }
  return bytes;
}
