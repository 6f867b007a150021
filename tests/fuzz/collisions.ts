/**
 * Collisions of the parser's caches, constructed from their hash functions: keys, shapes and
 * strings whose 32-bit hashes are equal although they differ.
 */

import type { Random } from "../../bench/support/random.ts";
import { KEY_SLOTS } from "../../parser/objects/key.ts";
import { mixHash, mixWord } from "../../parser/objects/hash.ts";

/** Multipliers of `cachedString` in parser/strings/string_cache.ts. */
const LENGTH_FACTOR = 0x85ebca6b;

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";

/** Returns the little-endian word of four ASCII characters. */
function wordOf(text: string, start: number): number {
  return text.charCodeAt(start) | text.charCodeAt(start + 1) << 8 | text.charCodeAt(start + 2) << 16 |
    text.charCodeAt(start + 3) << 24;
}

/** Returns the characters of a word, or `null` if one of them would not be plain in a string. */
function plainText(word: number): string | null {
  let text = "";
  for (let shift = 0; shift < 32; shift += 8) {
    const byte = word >>> shift & 0xff;
    if (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c) return null;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Returns the hash of an ASCII key without escapes, as `readKeyUnpredicted` computes it. */
export function keyHash(name: string): number {
  let hash = 0;
  let p = 0;
  for (; p + 4 <= name.length; p += 4) hash = mixWord(hash, wordOf(name, p));
  const plain = name.length - p;
  const word = plain === 0 ? 0 : wordOf(`${name.slice(p)}\0\0\0\0`, 0) << 32 - 8 * plain;
  return mixHash(hash ^ plain, word);
}

/** Makes keys of equal hash, and some of other lengths. Their lengths are multiples of four. */
export function collidingKeys(random: Random, count: number): string[] {
  const target = random.below(2 ** 32) | 0;
  const names: string[] = [];
  for (let tries = 0; names.length < count && tries < 2_000 * count; tries++) {
    const name = random.characters(random.pick([4, 4, 4, 8, 12, 24, 52]), LETTERS);
    let hash = 0;
    for (let p = 0; p < name.length; p += 4) hash = mixWord(hash, wordOf(name, p));
    // The last word makes the same state of any.
    const last = plainText(hash ^ target);
    if (last !== null) names.push(name + last);
  }
  return names;
}

/** Makes keys that compete for one slot of the key cache, each with a hash of its own. */
export function keysOfOneSlot(random: Random, count: number): string[] {
  const slot = random.below(KEY_SLOTS);
  const names: string[] = [];
  const prefix = random.characters(random.below(9), LETTERS);
  for (let i = random.below(1e6), tries = 0; names.length < count && tries < 4_096 * count; i++, tries++) {
    const name = prefix + i.toString(36);
    if ((keyHash(name) & KEY_SLOTS - 1) === slot) names.push(name);
  }
  return names;
}

/**
 * Makes pairs of shapes of three keys whose hashes are equal, from ids of cached keys. Returns none
 * if there are too few ids.
 */
export function collidingShapes(random: Random, ids: number[], count: number): [number[], number[]][] {
  const known = new Set(ids);
  const pairs: [number[], number[]][] = [];
  const byUpperBits = new Map<number, [number, number, number]>();
  for (let tries = 0; tries < 30_000 && pairs.length < count && ids.length > 200; tries++) {
    const [a, b] = [random.pick(ids), random.pick(ids)];
    const hash = mixWord(mixWord(3, a), b);
    const other = byUpperBits.get(hash >>> 16);
    byUpperBits.set(hash >>> 16, [a, b, hash]);
    if (other === undefined || other[2] === hash) continue;
    // The third ids differ in the bits in which the states differ.
    const c = ids.find((id) => known.has(id ^ hash ^ other[2]));
    if (c !== undefined) pairs.push([[a, b, c], [other[0], other[1], c ^ hash ^ other[2]]]);
  }
  return pairs;
}

/** Makes strings of one hash in the L1 cache, that differ at their ends or only in the middle. */
export function collidingStrings(random: Random, count: number): string[] {
  const length = random.pick([7, 8, 9, 10, 11, 12, 16, 17, 24, 25, 40, 100, 2_047, 2_048, 2_049, 4_096]);
  const middle = random.characters(length - 7, LETTERS);
  const first = random.characters(4, LETTERS);
  const end = random.characters(3, LETTERS);
  const strings = [first + middle + end];
  const state = wordOf(first, 0) ^ Math.imul(wordOf(`${end}"`, 0) ^ length, LENGTH_FACTOR);
  for (let tries = 0; strings.length < count && tries < 500 * count; tries++) {
    if (length > 7 && random.once(3)) {
      const place = random.below(middle.length);
      strings.push(first + middle.slice(0, place) + random.pick(LETTERS) + middle.slice(place + 1) + end);
      continue;
    }
    const otherEnd = random.characters(3, LETTERS);
    const otherFirst = plainText(state ^ Math.imul(wordOf(`${otherEnd}"`, 0) ^ length, LENGTH_FACTOR));
    if (otherFirst !== null) strings.push(otherFirst + middle + otherEnd);
  }
  return strings;
}

/**
 * Makes strings of one hash in the L2 cache: it covers 16 bytes of a token, and the strings differ
 * in the others.
 */
export function collidingLongStrings(random: Random, count: number): string[] {
  const length = random.integer(24, 200);
  const base = random.characters(length, LETTERS);
  const lastOffset = length - 3;
  const starts = [0, lastOffset, lastOffset >> 1, lastOffset - (lastOffset >> 2)];
  const free = Array.from({ length }, (_, i) => i).filter((i) => !starts.some((start) => i >= start && i < start + 4));
  return Array.from({ length: count }, () => {
    const place = random.pick(free);
    return base.slice(0, place) + random.pick(LETTERS) + base.slice(place + 1);
  });
}
