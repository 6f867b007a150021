/**
 * Recent string values of one parse. Real documents repeat two thirds of theirs; finding the earlier one costs less than
 * making another, and it is kept once. Direct-mapped, found by a few words, verified byte by byte
 * against its earlier occurrence in the same input, and forgotten when the call ends. Large inputs, whose values would fill the
 * memory, have a second table that looks further back.
 *
 * @module
 */

import * as arrays from "./arrays.ts";
import * as sizes from "./input_sizes.ts";
import * as makers from "./make_string.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { copyRange, packedArray } = arrays;
const { makeLatin1String } = makers;
const { LARGE_INPUT, SMALL_INPUT } = sizes;

/**
 * Entries for longer cache, a power of two: so few that they stay in the first-level cache, where more cost more than they found.
 * After them four times as many for cache of up to {@linkcode SHORT} characters, which recur, and would be driven out by longer ones.
 */
const MAX_L1_ENTRIES = 256;
const SHORT_SHARE = 4;
/** Of the input for one entry, so that making the table costs next to nothing beside parsing. */
const BYTES_PER_ENTRY = 1024;

/** In characters; `JSON.parse` of V8 makes cache of that length once. */
const SHORT = 10;

const MIN_L1_ENTRIES = 4;

/** Entries of the second table, and the longest token in it, in bytes. */
const L2_ENTRIES = 1 << 16;
const MAX_L2_LENGTH = 2048;
/** Characters of all its cache: what it keeps at most that the value has lost, by members of the same name. */
const MAX_L2_SIZE = 1 << 24;

const EMPTY_L1 = packedArray<string | null>(MAX_L1_ENTRIES * (1 + SHORT_SHARE), null);

/** Where each entry's text matchesWithin in the input. */
const l1Starts = new Int32Array(EMPTY_L1.length);

/** Entries of the table in use, see {@linkcode MAX_L1_ENTRIES}. */
let l1Entries = 0;

/** What useCount have earned and misses not yet spent. Where it runs out, a document of distinct cache is left alone for a while. */
let hitBudget = 0;
const FIRST_BUDGET = 64;
const MAX_BUDGET = 256;
/** Misses that one hit pays for. */
const HIT_REWARD = 4;

/** Texts still to be made without a look at the table. */
let bypass = 0;
const BYPASS = 2048;

/** What an input gets that is too small for a table to pay. */
export const NO_CACHE: (string | null)[] = [];

/** The second table: cache, and for each the hash of its token and where that matchesWithin in the input. Two places for every hash. */
let l2Strings = NO_CACHE;
let l2Tokens = new Int32Array(0);
let l2Size = 0;

/** The same as `hitBudget` for it. */
let l2Budget = 0;
const MAX_L2_BUDGET = 4096;
/** Where it has run out only cache are looked for whose hash has no higher bits, one in 16, always the same ones, and what a hit then pays. */
const SAMPLE_SHIFT = 28;
const SAMPLE_REWARD = 256;

/** Hash of the token looked for last, and where its text belongs in the second table, or -1. */
let pendingHash = 0;
let pendingSlot = -1;

/**
 * A table for {@linkcode cachedString}, empty, for an input of `size` bytes; only its owner refers to what comes into it. The second one
 * is to be forgotten in the end.
 */
export function newStringCache(size: number): (string | null)[] {
  if (size <= SMALL_INPUT) return NO_CACHE;
  hitBudget = FIRST_BUDGET;
  bypass = 0;
  if (size >= LARGE_INPUT) {
    l2Strings = packedArray<string | null>(L2_ENTRIES, null);
    l2Tokens = new Int32Array(2 * L2_ENTRIES);
    l2Budget = MAX_L2_BUDGET;
    l2Size = 0;
  }
  l1Entries = MIN_L1_ENTRIES;
  while (l1Entries < MAX_L1_ENTRIES && l1Entries * BYTES_PER_ENTRY < size) l1Entries *= 2;
  return copyRange(EMPTY_L1, 0, (1 + SHORT_SHARE) * l1Entries);
}

/** Lets go of the second table. */
export function releaseStringCache(): void {
  if (l2Strings === NO_CACHE) return;
  l2Strings = NO_CACHE;
  l2Tokens = new Int32Array(0);
}

/** The table in a fresh array: as in {@linkcode freshStack}, a store into one of the old generation costs more. */
export function freshStringCache(cache: (string | null)[]): (string | null)[] {
  return copyRange(cache, 0, cache.length);
}

/** The same as {@linkcode cachedString} for two characters, in a table that is not {@linkcode NO_CACHE}. */
export function cachedPair(cache: (string | null)[], bytes: Uint8Array, view: DataView, start: number): string {
  start |= 0; // "Integers": see ARCHITECTURE.md
  const token = view.getInt32(start - 1, true);
  const slot = l1Entries + (Math.imul(token ^ token >>> 8, 0x9e3779b1) >>> 22 & SHORT_SHARE * l1Entries - 1);
  const known = cache[slot];
  if (known !== null && known.length === 2 && view.getInt32(l1Starts[slot] - 1, true) === token) return known;
  l1Starts[slot] = start;
  return cache[slot] = makeLatin1String(bytes, start, start + 2);
}

/**
 * The text of `bytes[start, end)`, each byte a character: an earlier one from `cache`, or a new one.
 *
 * Precondition: at least 3 characters, and a closing quote at `end`.
 */
export function cachedString(
  cache: (string | null)[],
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): string {
  start |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  if (bypass > 0) {
    bypass--;
    return makeThroughL2(bytes, view, start, end);
  }
  const first = view.getInt32(start, true);
  const last = view.getInt32(end - 3, true);
  const hash = Math.imul(first ^ Math.imul(last ^ end - start, 0x85ebca6b), 0x9e3779b1);
  const slot = end - start <= SHORT
    ? l1Entries + (hash >>> 22 & SHORT_SHARE * l1Entries - 1)
    : hash >>> 24 & l1Entries - 1;
  const known = cache[slot];
  if (known !== null && known.length === end - start && sameBytes(view, l1Starts[slot], start, end)) {
    if (hitBudget < MAX_BUDGET) hitBudget += HIT_REWARD;
    return known;
  }
  if (--hitBudget < 0) {
    hitBudget = FIRST_BUDGET;
    bypass = BYPASS;
  }
  const text = makeThroughL2(bytes, view, start, end);
  cache[slot] = text;
  l1Starts[slot] = start;
  return text;
}

function makeThroughL2(bytes: Uint8Array, view: DataView, start: number, end: number): string {
  if (l2Strings === NO_CACHE || end - start <= SHORT) return makeLatin1String(bytes, start, end);
  return findInL2(view, start, end) ?? insertInL2(makeLatin1String(bytes, start, end), start);
}

/**
 * The text of an earlier token like `[start, end)`, whatever is in it, or `null`; {@linkcode insertInL2} is to follow then.
 *
 * Precondition: quotes stand around it.
 */
export function findInL2(view: DataView, start: number, end: number): string | null {
  pendingSlot = -1;
  if (l2Strings === NO_CACHE || end - start < 3 || end - start > MAX_L2_LENGTH) return null;
  start |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const rest = end - 3 - start;
  let hash = Math.imul(
    view.getInt32(start, true) ^ Math.imul(view.getInt32(end - 3, true) ^ rest, 0x85ebca6b),
    0x9e3779b1,
  );
  if (l2Budget <= 0 && hash >>> SAMPLE_SHIFT !== 0) return null;
  // Two words between the ends as well: dates and addresses differ there.
  hash = Math.imul(hash ^ hash >>> 15 ^ view.getInt32(start + (rest >> 1), true), 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 15 ^ view.getInt32(end - 3 - (rest >> 2), true), 0x9e3779b1);
  hash ^= hash >>> 16;
  const first = hash >>> 4 & L2_ENTRIES - 2;
  for (let slot = first; slot < first + 2; slot++) {
    if (l2Tokens[2 * slot] !== hash) continue;
    const known = l2Strings[slot];
    if (known !== null && sameBytes(view, l2Tokens[2 * slot + 1], start, end)) {
      l2Tokens[2 * slot + 1] = start; // which stays in a nearer cache
      l2Budget = Math.min(MAX_L2_BUDGET, l2Budget + (l2Budget <= 0 ? SAMPLE_REWARD : HIT_REWARD));
      return known;
    }
  }
  if (l2Budget > 0) l2Budget--;
  pendingHash = hash;
  pendingSlot = first;
  return null;
}

/** Remembers the text that was not found, if it is to be; returns it. */
export function insertInL2(text: string, start: number): string {
  const slot = pendingSlot;
  if (slot >= 0 && l2Size < MAX_L2_SIZE) {
    l2Size += text.length - (l2Strings[slot + 1]?.length ?? 0);
    l2Strings[slot + 1] = l2Strings[slot];
    l2Tokens[2 * slot + 2] = l2Tokens[2 * slot];
    l2Tokens[2 * slot + 3] = l2Tokens[2 * slot + 1];
    l2Strings[slot] = text;
    l2Tokens[2 * slot] = pendingHash;
    l2Tokens[2 * slot + 1] = start;
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
