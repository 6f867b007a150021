/**
 * Recent string values of one parse. Real documents repeat two thirds of theirs; finding the earlier one costs less than
 * making another, and it is kept once. Direct-mapped, found by a few words, verified byte by byte
 * against its earlier occurrence in the same input, and forgotten when the call ends.
 *
 * @module
 */

import * as arrays from "./arrays.ts";
import * as flatText from "./text.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { copyRange } = arrays;
const { latin1Text } = flatText;

/**
 * Entries for longer texts, a power of two: so few that they stay in the first-level cache, where more cost more than they found.
 * After them four times as many for texts of up to {@linkcode SHORT} characters, which recur, and would be driven out by longer ones.
 */
const ENTRIES = 256;
const FEW_ENTRIES = 16;
const SHORT_SHARE = 4;
/** V8's `JSON.parse` makes texts of up to 10 characters once. */
const SHORT = 10;

/** Inputs that get no table, and those that get a small one, in bytes. */
const SMALL_INPUT = 512;
const MEDIUM_INPUT = 4096;

const EMPTY: (string | null)[] = [];
for (let i = 0; i < ENTRIES * (1 + SHORT_SHARE); i++) EMPTY.push(null);

/** Where each entry's text stands in the input. */
const starts = new Int32Array(EMPTY.length);

/** What hits have earned and misses not yet spent. Where it runs out, a document of distinct texts is left alone for a while. */
let credit = 0;
const START_CREDIT = 64;
const MAX_CREDIT = 256;
/** Misses that one hit pays for. */
const HIT_PAYS = 4;

/** Texts still to be made without a look at the table. */
let pause = 0;
const PAUSE = 2048;

/** What an input gets that is too small for a table to pay. */
export const NO_TEXTS: (string | null)[] = [];

/** A table for {@linkcode recentText}, empty, for an input of `size` bytes; only its owner refers to what comes into it. */
export function newTexts(size: number): (string | null)[] {
  if (size <= SMALL_INPUT) return NO_TEXTS;
  credit = START_CREDIT;
  pause = 0;
  return copyRange(EMPTY, 0, (1 + SHORT_SHARE) * (size <= MEDIUM_INPUT ? FEW_ENTRIES : ENTRIES));
}

/** The table in a fresh array: as in {@linkcode newStack}, a store into one of the old generation costs more. */
export function renewTexts(texts: (string | null)[]): (string | null)[] {
  return copyRange(texts, 0, texts.length);
}

/** The same for two characters. */
export function recentPair(texts: (string | null)[], bytes: Uint8Array, view: DataView, start: number): string {
  start |= 0; // an integer to the engine from the start
  const token = view.getInt32(start - 1, true);
  const entries = texts.length === EMPTY.length ? ENTRIES : FEW_ENTRIES;
  const slot = entries + (Math.imul(token ^ token >>> 8, 0x9e3779b1) >>> 22 & SHORT_SHARE * entries - 1);
  const known = texts[slot];
  if (known !== null && known.length === 2 && view.getInt32(starts[slot] - 1, true) === token) return known;
  starts[slot] = start;
  return texts[slot] = latin1Text(bytes, start, start + 2);
}

/**
 * The text of `bytes[start, end)`, each byte a character: an earlier one from `texts`, or a new one.
 *
 * Precondition: at least 3 characters, and a closing quote at `end`.
 */
export function recentText(
  texts: (string | null)[],
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): string {
  start |= 0; // integers to the engine from the start
  end |= 0;
  if (pause > 0) {
    pause--;
    return latin1Text(bytes, start, end);
  }
  const first = view.getInt32(start, true);
  const last = view.getInt32(end - 3, true);
  const hash = Math.imul(first ^ Math.imul(last ^ end - start, 0x85ebca6b), 0x9e3779b1);
  const entries = texts.length === EMPTY.length ? ENTRIES : FEW_ENTRIES;
  const slot = end - start <= SHORT ? entries + (hash >>> 22 & SHORT_SHARE * entries - 1) : hash >>> 24 & entries - 1;
  const known = texts[slot];
  if (known !== null && known.length === end - start && sameBytes(view, starts[slot], start, end)) {
    if (credit < MAX_CREDIT) credit += HIT_PAYS;
    return known;
  }
  if (--credit < 0) {
    credit = START_CREDIT;
    pause = PAUSE;
  }
  const text = latin1Text(bytes, start, end);
  texts[slot] = text;
  starts[slot] = start;
  return text;
}

/** Whether the bytes at `p` are those of `[start, end)` and the quote after them. Precondition: 4 bytes at least. */
function sameBytes(view: DataView, p: number, start: number, end: number): boolean {
  const last = end - 3;
  if (view.getInt32(p + last - start, true) !== view.getInt32(last, true)) return false;
  for (; start < last; start += 4, p += 4) {
    if (view.getInt32(p, true) !== view.getInt32(start, true)) return false;
  }
  return true;
}
