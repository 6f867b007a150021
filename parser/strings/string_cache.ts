/**
 * Cache of the string values of one parse, in two levels. In real documents, two thirds of the
 * string values have occurred before. Finding the earlier string is faster than making another one,
 * and saves memory.
 *
 * The L1 cache is direct-mapped. The L2 cache, for large inputs only, is two-way associative and
 * reaches further back. Both hash a few words of a token, and confirm a hit by comparing all bytes
 * with those of the earlier token in the input. Neither holds anything after the call.
 */

import { packedArray } from "../engine/arrays.ts";
import { LARGE_INPUT, SMALL_INPUT } from "../engine/input_sizes.ts";
import { makeLatin1String } from "./make_string.ts";

/**
 * Maximum slots of the L1 cache for long strings, a power of two. More slots would not fit the
 * processor's L1 cache, which costs more than further hits gain. The slots for short strings
 * follow: {@linkcode SHORT_SLOT_RATIO} times as many, since short strings recur, and long ones
 * would evict them.
 */
const MAX_LONG_SLOTS = 256;
const SHORT_SLOT_RATIO = 4;
/** Bytes of input for each slot for long strings: so the cost of the cache is negligible. */
const BYTES_PER_LONG_SLOT = 1024;

/** Maximum characters of a short string, the same as V8's `JSON.parse` internalizes. */
const MAX_SHORT_LENGTH = 10;

const MIN_LONG_SLOTS = 4;

/** Slots of the L2 cache, a power of two, and maximum bytes of a token in it. */
const L2_SLOTS = 1 << 16;
const MAX_L2_TOKEN = 2048;
/**
 * Maximum characters of an ASCII string that is made in less time than it takes to find it in the L2
 * cache, whose entries are rarely in the processor's caches (10 MB of records with 977 users and 997
 * streets: Deno 0.88 → 1.17, Bun 0.67 → 0.79).
 */
const MAX_MADE_ANEW = 24;
/** Maximum number of characters in the L2 cache: it may be all that keeps a string alive. */
const MAX_L2_CHARACTERS = 1 << 24;

const L1_SLOTS = MAX_LONG_SLOTS * (1 + SHORT_SLOT_RATIO);

const EMPTY_L1 = /* @__PURE__ */ packedArray<string | null>(L1_SLOTS, null);

/** Position of each L1 entry's token in the input, after the quote. */
const l1Starts = /* @__PURE__ */ new Int32Array(L1_SLOTS);

/** Number of slots for long strings in this parse, at most `MAX_LONG_SLOTS`. */
let longSlots = 0;

/**
 * Hit budget of the L1 cache: a hit adds {@linkcode HIT_REWARD}, a miss takes 1. When it runs out,
 * the next {@linkcode BYPASS_LENGTH} strings bypass the cache, so that a document of distinct
 * strings pays little.
 */
let hitBudget = 0;
const FIRST_HIT_BUDGET = 64;
const MAX_HIT_BUDGET = 256;
/** Number of misses that one hit pays for. */
const HIT_REWARD = 4;

/** Strings still to bypass the L1 cache, at most `BYPASS_LENGTH`. */
let bypassLeft = 0;
const BYPASS_LENGTH = 2048;

/** Empty cache, for inputs too small to gain by one. */
export const NO_CACHE: (string | null)[] = [];

/**
 * L2 cache: strings by slot and, for each slot, the hash and the position of the token. A hash
 * has two neighbouring slots. Up to 65,536 strings of up to 2^24 characters together; empty
 * between calls.
 */
let l2Strings = NO_CACHE;
let l2Tokens = /* @__PURE__ */ new Int32Array(0);
let l2Characters = 0;

let l2HitBudget = 0;
const MAX_L2_HIT_BUDGET = 4096;
/**
 * With no hit budget left, the L2 cache is probed only for hashes whose bits from here up are 0: a
 * fixed 1/16 of all hashes, so that recurring strings still show. A hit among them earns the
 * larger reward.
 */
const SAMPLE_SHIFT = 28;
const SAMPLE_HIT_REWARD = 256;

/** Hash of the token that missed the L2 cache last, and its slot; -1 if it is not inserted. */
let pendingHash = 0;
let pendingSlot = -1;

/**
 * Number of the L1 cache made last. Only that one may be used, because all share the table of
 * positions. A suspended parse compares the number before it resumes.
 */
export const cacheGeneration: { value: number } = { value: 0 };

/**
 * Returns an empty L1 cache for an input of `size` bytes, and prepares the L2 cache if the input is
 * large. Call it before {@linkcode cachedString}, and {@linkcode releaseStringCache} at the end.
 */
export function newStringCache(size: number): (string | null)[] {
  if (size <= SMALL_INPUT) return NO_CACHE;
  cacheGeneration.value = cacheGeneration.value + 1 | 0;
  hitBudget = FIRST_HIT_BUDGET;
  bypassLeft = 0;
  if (size >= LARGE_INPUT) {
    l2Strings = packedArray<string | null>(L2_SLOTS, null);
    l2Tokens = new Int32Array(2 * L2_SLOTS);
    l2HitBudget = MAX_L2_HIT_BUDGET;
    l2Characters = 0;
  }
  longSlots = MIN_LONG_SLOTS;
  while (longSlots < MAX_LONG_SLOTS && longSlots * BYTES_PER_LONG_SLOT < size) longSlots *= 2;
  return EMPTY_L1.slice(0, (1 + SHORT_SLOT_RATIO) * longSlots);
}

export function releaseStringCache(): void {
  if (l2Strings === NO_CACHE) return;
  l2Strings = NO_CACHE;
  l2Tokens = new Int32Array(0);
}

/** Returns a fresh copy of the L1 cache. "Fresh stack": see ARCHITECTURE.md. */
export function freshStringCache(cache: (string | null)[]): (string | null)[] {
  return cache === NO_CACHE ? cache : cache.slice();
}

/** Like {@linkcode cachedString}, for two characters. Precondition: there is a cache. */
export function cachedTwoCharString(
  cache: (string | null)[],
  bytes: Uint8Array,
  view: DataView,
  start: number,
): string {
  start |= 0; // "Integers": see ARCHITECTURE.md
  const token = view.getInt32(start - 1, true);
  const slot = longSlots + (Math.imul(token ^ token >>> 8, 0x9e3779b1) >>> 22 & SHORT_SLOT_RATIO * longSlots - 1);
  const cached = cache[slot];
  if (cached !== null && cached.length === 2 && view.getInt32(l1Starts[slot] - 1, true) === token) return cached;
  l1Starts[slot] = start;
  return cache[slot] = makeLatin1String(bytes, start, start + 2);
}

/**
 * Returns the string of `bytes[start, end)`, each byte a character, from the L1 cache, the L2 cache
 * or anew.
 *
 * Precondition: the string has at least 3 characters, and a closing quote is at `end`.
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
  if (bypassLeft > 0) {
    bypassLeft--;
    return findInL2OrMake(bytes, view, start, end);
  }
  const first = view.getInt32(start, true);
  const last = view.getInt32(end - 3, true);
  const hash = Math.imul(first ^ Math.imul(last ^ end - start, 0x85ebca6b), 0x9e3779b1);
  const slot = end - start <= MAX_SHORT_LENGTH
    ? longSlots + (hash >>> 22 & SHORT_SLOT_RATIO * longSlots - 1)
    : hash >>> 24 & longSlots - 1;
  const cached = cache[slot];
  if (cached !== null && cached.length === end - start && equalTokens(view, l1Starts[slot], start, end)) {
    if (hitBudget < MAX_HIT_BUDGET) hitBudget += HIT_REWARD;
    return cached;
  }
  if (--hitBudget < 0) {
    hitBudget = FIRST_HIT_BUDGET;
    bypassLeft = BYPASS_LENGTH;
  }
  const string = findInL2OrMake(bytes, view, start, end);
  cache[slot] = string;
  l1Starts[slot] = start;
  return string;
}

/** Returns a string that is not in the L1 cache, from the L2 cache or newly made. */
function findInL2OrMake(bytes: Uint8Array, view: DataView, start: number, end: number): string {
  if (l2Strings === NO_CACHE || end - start <= MAX_MADE_ANEW) return makeLatin1String(bytes, start, end, true);
  return findInL2(view, start, end) ?? insertInL2(makeLatin1String(bytes, start, end, true), start);
}

/**
 * Returns the string of an earlier token with the same bytes as `[start, end)`, or `null`. Compares
 * with escapes as written. After `null` the caller makes the string and passes it to
 * {@linkcode insertInL2}.
 *
 * Precondition: a quote is before `start`, and another at `end`.
 */
export function findInL2(view: DataView, start: number, end: number): string | null {
  pendingSlot = -1;
  if (l2Strings === NO_CACHE || end - start < 3 || end - start > MAX_L2_TOKEN) return null;
  start |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const lastOffset = end - 3 - start;
  let hash = Math.imul(
    view.getInt32(start, true) ^ Math.imul(view.getInt32(end - 3, true) ^ lastOffset, 0x85ebca6b),
    0x9e3779b1,
  );
  if (l2HitBudget <= 0 && hash >>> SAMPLE_SHIFT !== 0) return null;
  // Two words between the ends are hashed too: dates and addresses differ there.
  hash = Math.imul(hash ^ hash >>> 15 ^ view.getInt32(start + (lastOffset >> 1), true), 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 15 ^ view.getInt32(end - 3 - (lastOffset >> 2), true), 0x9e3779b1);
  hash ^= hash >>> 16;
  const firstSlot = hash >>> 4 & L2_SLOTS - 2;
  for (let slot = firstSlot; slot < firstSlot + 2; slot++) {
    if (l2Tokens[2 * slot] !== hash) continue;
    const cached = l2Strings[slot];
    if (cached !== null && equalTokens(view, l2Tokens[2 * slot + 1], start, end)) {
      l2Tokens[2 * slot + 1] = start; // the later token is nearer in the processor's caches
      l2HitBudget = Math.min(MAX_L2_HIT_BUDGET, l2HitBudget + (l2HitBudget <= 0 ? SAMPLE_HIT_REWARD : HIT_REWARD));
      return cached;
    }
  }
  if (l2HitBudget > 0) l2HitBudget--;
  pendingHash = hash;
  pendingSlot = firstSlot;
  return null;
}

/** Inserts the string that {@linkcode findInL2} missed last, if there is room. Returns it. */
export function insertInL2(string: string, start: number): string {
  const slot = pendingSlot;
  if (slot >= 0 && l2Characters < MAX_L2_CHARACTERS) {
    l2Characters += string.length - (l2Strings[slot + 1]?.length ?? 0);
    l2Strings[slot + 1] = l2Strings[slot];
    l2Tokens[2 * slot + 2] = l2Tokens[2 * slot];
    l2Tokens[2 * slot + 3] = l2Tokens[2 * slot + 1];
    l2Strings[slot] = string;
    l2Tokens[2 * slot] = pendingHash;
    l2Tokens[2 * slot + 1] = start;
  }
  return string;
}

/** Returns whether two tokens of at least 3 bytes are equal, with the quote after them. */
function equalTokens(view: DataView, earlier: number, start: number, end: number): boolean {
  const last = end - 3;
  if (view.getInt32(earlier + last - start, true) !== view.getInt32(last, true)) return false;
  for (; start < last; start += 4, earlier += 4) {
    if (view.getInt32(earlier, true) !== view.getInt32(start, true)) return false;
  }
  return true;
}
