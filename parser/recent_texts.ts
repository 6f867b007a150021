/**
 * Recent string values of one parse. Real documents repeat two thirds of theirs; finding the earlier one costs less than
 * making another, and it is kept once. Direct-mapped, found by a few words, verified byte by byte
 * against its earlier occurrence in the same input, and forgotten when the call ends. Large inputs, whose values would fill the
 * memory, have a second table that looks further back.
 *
 * @module
 */

import * as arrays from "./arrays.ts";
import * as state from "./state.ts";
import * as flatText from "./text.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { copyRange, packedArray } = arrays;
const { latin1Text } = flatText;
const { LARGE_INPUT } = state;

/**
 * Entries for longer texts, a power of two: so few that they stay in the first-level cache, where more cost more than they found.
 * After them four times as many for texts of up to {@linkcode SHORT} characters, which recur, and would be driven out by longer ones.
 */
const MAX_ENTRIES = 256;
const SHORT_SHARE = 4;
/** Of the input for one entry, so that making the table costs next to nothing beside parsing. */
const BYTES_PER_ENTRY = 1024;

/** In characters; `JSON.parse` of V8 makes texts of that length once. */
const SHORT = 10;

/** Inputs that get no table, in bytes. */
const SMALL_INPUT = 512;
const MIN_ENTRIES = 4;

/** Entries of the second table, and the longest token in it, in bytes. */
const FAR_ENTRIES = 1 << 16;
const MAX_FAR = 2048;
/** Characters of all its texts: what it keeps at most that the value has lost, by members of the same name. */
const MAX_FAR_SIZE = 1 << 24;

const EMPTY = packedArray<string | null>(MAX_ENTRIES * (1 + SHORT_SHARE), null);

/** Where each entry's text stands in the input. */
const starts = new Int32Array(EMPTY.length);

/** Entries of the table in use, see {@linkcode MAX_ENTRIES}. */
let entries = 0;

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

/** The second table: texts, and for each the hash of its token and where that stands in the input. Two places for every hash. */
let farTexts = NO_TEXTS;
let farTokens = new Int32Array(0);
let farSize = 0;

/** The same as `credit` for it. */
let farCredit = 0;
const MAX_FAR_CREDIT = 4096;
/** Where it has run out only texts are looked for whose hash has no higher bits, one in 16, always the same ones, and what a hit then pays. */
const SAMPLE_SHIFT = 28;
const SAMPLE_PAYS = 256;

/** Hash of the token looked for last, and where its text belongs in the second table, or -1. */
let farHash = 0;
let farSlot = -1;

/**
 * A table for {@linkcode recentText}, empty, for an input of `size` bytes; only its owner refers to what comes into it. The second one
 * is to be forgotten in the end.
 */
export function newTexts(size: number): (string | null)[] {
  if (size <= SMALL_INPUT) return NO_TEXTS;
  credit = START_CREDIT;
  pause = 0;
  if (size >= LARGE_INPUT) {
    farTexts = packedArray<string | null>(FAR_ENTRIES, null);
    farTokens = new Int32Array(2 * FAR_ENTRIES);
    farCredit = MAX_FAR_CREDIT;
    farSize = 0;
  }
  entries = MIN_ENTRIES;
  while (entries < MAX_ENTRIES && entries * BYTES_PER_ENTRY < size) entries *= 2;
  return copyRange(EMPTY, 0, (1 + SHORT_SHARE) * entries);
}

/** Lets go of the second table. */
export function forgetTexts(): void {
  if (farTexts === NO_TEXTS) return;
  farTexts = NO_TEXTS;
  farTokens = new Int32Array(0);
}

/** The table in a fresh array: as in {@linkcode newStack}, a store into one of the old generation costs more. */
export function renewTexts(texts: (string | null)[]): (string | null)[] {
  return copyRange(texts, 0, texts.length);
}

/** The same as {@linkcode recentText} for two characters, in a table that is not {@linkcode NO_TEXTS}. */
export function recentPair(texts: (string | null)[], bytes: Uint8Array, view: DataView, start: number): string {
  start |= 0; // an integer to the engine from the start
  const token = view.getInt32(start - 1, true);
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
    return farOrNew(bytes, view, start, end);
  }
  const first = view.getInt32(start, true);
  const last = view.getInt32(end - 3, true);
  const hash = Math.imul(first ^ Math.imul(last ^ end - start, 0x85ebca6b), 0x9e3779b1);
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
  const text = farOrNew(bytes, view, start, end);
  texts[slot] = text;
  starts[slot] = start;
  return text;
}

function farOrNew(bytes: Uint8Array, view: DataView, start: number, end: number): string {
  if (farTexts === NO_TEXTS || end - start <= SHORT) return latin1Text(bytes, start, end);
  return farText(view, start, end) ?? keepFar(latin1Text(bytes, start, end), start);
}

/**
 * The text of an earlier token like `[start, end)`, whatever is in it, or `null`; {@linkcode keepFar} is to follow then.
 *
 * Precondition: quotes stand around it.
 */
export function farText(view: DataView, start: number, end: number): string | null {
  farSlot = -1;
  if (farTexts === NO_TEXTS || end - start < 3 || end - start > MAX_FAR) return null;
  start |= 0; // integers to the engine from the start
  end |= 0;
  const rest = end - 3 - start;
  let hash = Math.imul(
    view.getInt32(start, true) ^ Math.imul(view.getInt32(end - 3, true) ^ rest, 0x85ebca6b),
    0x9e3779b1,
  );
  if (farCredit <= 0 && hash >>> SAMPLE_SHIFT !== 0) return null;
  // Two words between the ends as well: dates and addresses differ there.
  hash = Math.imul(hash ^ hash >>> 15 ^ view.getInt32(start + (rest >> 1), true), 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 15 ^ view.getInt32(end - 3 - (rest >> 2), true), 0x9e3779b1);
  hash ^= hash >>> 16;
  const first = hash >>> 4 & FAR_ENTRIES - 2;
  for (let slot = first; slot < first + 2; slot++) {
    if (farTokens[2 * slot] !== hash) continue;
    const known = farTexts[slot];
    if (known !== null && sameBytes(view, farTokens[2 * slot + 1], start, end)) {
      farTokens[2 * slot + 1] = start; // which stays in a nearer cache
      farCredit = Math.min(MAX_FAR_CREDIT, farCredit + (farCredit <= 0 ? SAMPLE_PAYS : HIT_PAYS));
      return known;
    }
  }
  if (farCredit > 0) farCredit--;
  farHash = hash;
  farSlot = first;
  return null;
}

/** Remembers the text that was not found, if it is to be; returns it. */
export function keepFar(text: string, start: number): string {
  const slot = farSlot;
  if (slot >= 0 && farSize < MAX_FAR_SIZE) {
    farSize += text.length - (farTexts[slot + 1]?.length ?? 0);
    farTexts[slot + 1] = farTexts[slot];
    farTokens[2 * slot + 2] = farTokens[2 * slot];
    farTokens[2 * slot + 3] = farTokens[2 * slot + 1];
    farTexts[slot] = text;
    farTokens[2 * slot] = farHash;
    farTokens[2 * slot + 1] = start;
  }
  return text;
}

/** Whether the bytes at `p` are those of `[start, end)` and the quote after them. Precondition: 3 bytes at least. */
function sameBytes(view: DataView, p: number, start: number, end: number): boolean {
  const last = end - 3;
  if (view.getInt32(p + last - start, true) !== view.getInt32(last, true)) return false;
  for (; start < last; start += 4, p += 4) {
    if (view.getInt32(p, true) !== view.getInt32(start, true)) return false;
  }
  return true;
}
