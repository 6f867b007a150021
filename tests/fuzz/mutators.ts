/**
 * Mutators: damage to documents, by bits, bytes, tokens and ranges. The result may be valid.
 *
 * @module
 */

import type { Random } from "../../bench/support/random.ts";
import { concat, utf8 } from "../support/bytes.ts";

/** Bytes that mean something somewhere. */
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

/** Bytes after a digit that may go on with its number, or end it. */
const AFTER_DIGIT = ["-", "+", ".", "e", "-1", "+2", ".5", "e5", "0", "9007199254740993", "-9007199254740993"].map(
  (text) => utf8(text),
);

/** First bytes of multi-byte characters, and second ones next to what is allowed after them. */
const LEADS = [0x7f, 0x80, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff];
const SECONDS = [0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];

type Mutator = (random: Random, bytes: Uint8Array, other: Uint8Array) => Uint8Array;

function splice(bytes: Uint8Array, from: number, to: number, put: Uint8Array): Uint8Array {
  return concat([bytes.subarray(0, from), put, bytes.subarray(to)]);
}

/** Returns the range of a token near a place: a run of bytes between structural ones, or one. */
function tokenAt(bytes: Uint8Array, place: number): [from: number, to: number] {
  const isBorder = (i: number): boolean =>
    i < 0 || i >= bytes.length || '{}[]:,"'.includes(String.fromCharCode(bytes[i]));
  let from = place;
  let to = place + 1;
  if (isBorder(place)) return [from, Math.min(bytes.length, to)];
  while (!isBorder(from - 1) && place - from < 64) from--;
  while (!isBorder(to) && to - place < 64) to++;
  return [from, to];
}

function withByte(bytes: Uint8Array, place: number, byte: number): Uint8Array {
  const changed = bytes.slice();
  if (changed.length > 0) changed[place] = byte;
  return changed;
}

/** The mutators by name. Each gets a document and another one, and leaves both as they are. */
export const MUTATORS: Record<string, Mutator> = {
  bit(random, bytes) {
    const place = random.below(bytes.length);
    return withByte(bytes, place, bytes[place] ^ 1 << random.below(8));
  },
  byte: (random, bytes) => withByte(bytes, random.below(bytes.length), random.pick(SIGNIFICANT_BYTES)),
  next: (random, bytes) => {
    const place = random.below(bytes.length);
    return withByte(bytes, place, bytes[place] + random.pick([1, 255]));
  },
  insertByte: (random, bytes) => {
    const place = random.below(bytes.length + 1);
    return splice(bytes, place, place, Uint8Array.of(random.pick(SIGNIFICANT_BYTES)));
  },
  removeByte: (random, bytes) => {
    const place = random.below(bytes.length);
    return splice(bytes, place, place + 1, new Uint8Array(0));
  },
  insertToken: (random, bytes) => {
    const place = random.below(bytes.length + 1);
    return splice(bytes, place, place, random.pick(TOKENS));
  },
  replaceToken: (random, bytes) => {
    const [from, to] = tokenAt(bytes, random.below(bytes.length));
    return splice(bytes, from, to, random.pick(TOKENS));
  },
  removeToken: (random, bytes) => {
    const [from, to] = tokenAt(bytes, random.below(bytes.length));
    return splice(bytes, from, to, new Uint8Array(0));
  },
  takeToken: (random, bytes, other) => {
    const [from, to] = tokenAt(bytes, random.below(bytes.length));
    return splice(bytes, from, to, other.subarray(...tokenAt(other, random.below(other.length))));
  },
  splice: (random, bytes, other) => {
    return concat([bytes.subarray(0, random.below(bytes.length + 1)), other.subarray(random.below(other.length + 1))]);
  },
  truncate: (random, bytes) => bytes.slice(0, random.below(bytes.length + 1)),
  cutFront: (random, bytes) => bytes.slice(random.below(bytes.length + 1)),
  duplicate: (random, bytes) => {
    const from = random.below(bytes.length);
    const to = Math.min(bytes.length, from + 1 + random.below(40));
    return splice(bytes, from, from, bytes.subarray(from, to));
  },
  insertUtf8: (random, bytes) => {
    // This is after a quote, so usually in a string.
    let place = random.below(bytes.length);
    while (place < bytes.length && bytes[place] !== 0x22) place++;
    place = Math.min(bytes.length, place + 1);
    const lead = random.pick(LEADS);
    const length = random.once(6) ? random.below(4) : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    const rest = Array.from({ length }, (_, i) => i === 0 ? random.pick(SECONDS) : random.once(12) ? 0x41 : 0x80);
    return splice(bytes, place, place, Uint8Array.of(lead, ...rest));
  },
  afterDigit: (random, bytes) => {
    let place = random.below(bytes.length);
    while (place < bytes.length && (bytes[place] < 0x30 || bytes[place] > 0x39)) place++;
    place = Math.min(bytes.length, place + 1);
    return splice(bytes, place, place, random.pick(AFTER_DIGIT));
  },
  swap: (random, bytes) => {
    const place = random.below(bytes.length);
    return splice(bytes, place, place + 2, bytes.slice(place, place + 2).reverse());
  },
};

const NAMES = Object.keys(MUTATORS);

/** Applies one to three mutators. */
export function mutate(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0 && bytes.length > 0; times--) {
    bytes = MUTATORS[random.pick(NAMES)](random, bytes, other.length > 0 ? other : bytes);
  }
  return bytes;
}
