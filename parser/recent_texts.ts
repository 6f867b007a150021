/**
 * Recent string values of one parse. Real documents repeat two thirds of theirs; finding the earlier one costs less than
 * making another, and it is kept once. Direct-mapped, found by the words at both ends, verified byte by byte
 * against its earlier occurrence in the same input, and forgotten when the call ends.
 *
 * @module
 */

import * as arrays from "./arrays.ts";
import * as flatText from "./text.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { copyRange } = arrays;
const { latin1Text } = flatText;

/** Entries, a power of two: so few that the table stays in the first-level cache, where more cost more than they found. */
const ENTRIES = 256;
const FEW_ENTRIES = 32;

/** Inputs that get no table, and those that get a small one, in bytes. */
const SMALL_INPUT = 512;
const MEDIUM_INPUT = 4096;

const EMPTY: (string | null)[] = [];
for (let i = 0; i < ENTRIES; i++) EMPTY.push(null);

/** Where each entry's text stands in the input. */
const starts = new Int32Array(ENTRIES);

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
  return copyRange(EMPTY, 0, size <= MEDIUM_INPUT ? FEW_ENTRIES : ENTRIES);
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
  const hash = Math.imul(first ^ Math.imul(last ^ end - start, 0x85ebca6b), 0x9e3779b1) >>> 24 & texts.length - 1;
  const known = texts[hash];
  if (known !== null && known.length === end - start && sameBytes(view, starts[hash], start, end)) {
    if (credit < MAX_CREDIT) credit += HIT_PAYS;
    return known;
  }
  if (--credit < 0) {
    credit = START_CREDIT;
    pause = PAUSE;
  }
  const text = latin1Text(bytes, start, end);
  texts[hash] = text;
  starts[hash] = start;
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
