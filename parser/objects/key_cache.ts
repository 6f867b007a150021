/**
 * Cache of object keys. An entry is found by the bytes of its key, and remembers which keys
 * followed. So most keys are recognised by comparing a few words, without making or hashing
 * a string.
 *
 * The cache is fixed in size; a new entry replaces one without eviction resistance. Entries refer
 * to each other by slot, so hostile input can cost hits, but no memory. Key names are all that it
 * keeps of inputs.
 */

import { CARRIAGE_RETURN, COLON, LINE_FEED, QUOTE, SPACE, ZERO } from "../base/ascii.ts";
import { packedArray } from "../engine/arrays.ts";
import {
  FULL_RESISTANCE,
  type Key,
  KEY_SLOTS,
  KEY_WAYS,
  makeKey,
  MAX_KEY_SIZE,
  NO_KEY,
  ROOT_KEY,
  ROOT_SLOT,
} from "./key.ts";
import { makeLatin1String } from "../strings/make_string.ts";
import { mixHash, mixWord, seenBefore } from "./hash.ts";
import { isNameAtLoad } from "../engine/object_prototype.ts";
import { cursor, LINE_END_IN_KEYS, lineCountHints, NON_ASCII_IN_KEYS } from "../base/cursor.ts";
import { readStringToken } from "../strings/read_string.ts";
import { lowestByte, needsAttention, skipPlainBytes } from "../base/swar.ts";
import { skipWhitespace } from "../base/whitespace.ts";

const { keys: namesOf } = Object;

/** Minimum number of bytes that follow a key in a valid document: a value and a bracket. */
const MIN_FOLLOWING = 2;

/** Maximum number of words of a key that its {@linkcode Key} does not hold. */
const MIDDLE_WORDS = MAX_KEY_SIZE - 13 >> 2;

/** Entries by slot. The last two are always `NO_KEY` and `ROOT_KEY`. */
export const keys: Key[] = /* @__PURE__ */ emptyKeys();

function emptyKeys(): Key[] {
  const keys = packedArray<Key>(ROOT_SLOT + 1, NO_KEY);
  keys[ROOT_SLOT] = ROOT_KEY;
  return keys;
}

/** Hashes of the entries, stored separately, so that a search reads no entry with another hash. */
const hashes = /* @__PURE__ */ new Int32Array(KEY_SLOTS + KEY_WAYS);
/** Words of the entries between the first three and the last: see {@linkcode matches}. */
const middleWords = /* @__PURE__ */ new Int32Array((KEY_SLOTS + KEY_WAYS) * MIDDLE_WORDS);
/** Shift of a hash to its index in {@linkcode foundSlots}. */
const FOUND_SHIFT = 22;
/** Slots of the keys found last, by the upper bits of their hashes: see {@linkcode findKey}. */
const foundSlots = /* @__PURE__ */ new Uint16Array(1 << 32 - FOUND_SHIFT);
/**
 * Number of keys that a process caches at first sight, a quarter of the slots. Names that begin
 * with a digit are left out, as they often do not recur (0.7 KB, second call of a process: 0.28 →
 * 0.19 ms).
 */
const KEYS_CACHED_AT_ONCE = 512;
/** Hashes seen once: later, only a key seen twice is worth an entry. */
const seenHashes = /* @__PURE__ */ new Int32Array(2 * KEY_SLOTS);

/**
 * `score` rates the array indexes among the names of this parse: an uncached one raises it by
 * 1, a cached one lowers it by {@linkcode CACHED_COST}. From {@linkcode MIN_INDEXES} on,
 * {@linkcode readKeyOrIndex} takes the place of {@linkcode readKeyUnpredicted}; `read` counts
 * its indexes.
 */
export const indexKeys: { score: number; read: number } = { score: 0, read: 0 };
export const MIN_INDEXES = 64;
const MAX_INDEXES = 2 * MIN_INDEXES;
const CACHED_COST = 4;
/** One index in this many, a power of two, is looked up in the cache. */
const SAMPLE_INTERVAL = 64;
/** Maximum number of digits of an index that is read as a number: they fit an int32. */
const MAX_INDEX_DIGITS = 9;

/** Entry of the key read last, or `NO_KEY`. Second result of {@linkcode readKeyUnpredicted}. */
export const foundKey: { key: Key } = { key: NO_KEY };

/** Id of the last key cached, at most `MAX_ID`. */
let lastId = 0;
/** Maximum id of a key, so that ids stay int32. No key is cached after it. */
const MAX_ID = 0x3fffffff;

/**
 * Returns whether the key's bytes are at `p`.
 *
 * Precondition: `max(4, key.size)` bytes can be read at `p`. Compares overlapping words. A key of
 * up to 4 bytes is one masked word, of up to 8 the first and the last, of up to 12 three, of up to
 * 16 four. A longer one has further words in {@linkcode middleWords}.
 */
export function matches(key: Key, view: DataView, p: number): boolean {
  if (((view.getInt32(p, true) ^ key.first) & key.mask) !== 0) return false;
  const size = key.size;
  if (size > 4) {
    if (view.getInt32(p + size - 4, true) !== key.last) return false;
    if (size > 8 && view.getInt32(p + 4, true) !== key.second) return false;
    if (size > 12 && view.getInt32(p + 8, true) !== key.third) return false;
    // Not `return matchesMiddle(…)`: V8 would materialise the boolean and test it again.
    if (size > 16 && !matchesMiddle(key, view, p + 12)) return false;
  }
  return true;
}

/** Compares the words of {@linkcode matches} between the first three and the last. */
export function matchesMiddle(key: Key, view: DataView, p: number): boolean {
  const start = key.slot * MIDDLE_WORDS;
  for (let i = start, end = start + (key.size - 13 >> 2); i < end; i++, p += 4) {
    if (view.getInt32(p, true) !== middleWords[i]) return false;
  }
  return true;
}

/**
 * Reads a mispredicted key. Returns its name, or `null` if it cannot be read; leaves its entry in
 * `foundKey`, and in `cursor` the position after the colon and a single space after it.
 *
 * Precondition: `start` is after the opening quote; `before` is the key before this one or, for
 * the first key of an object, the last key read before the object. `isCached` is false for a
 * dictionary, whose keys are not cached. Cost: linear in the key, which is hashed whole if it
 * is ASCII.
 */
export function readKeyUnpredicted(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  before: Key,
  isFirst: boolean,
  isCached: boolean,
): string | null {
  const alternate = keys[isFirst ? before.alternateChild : before.alternateNext];
  if (alternate.size <= end - start - MIN_FOLLOWING && matches(alternate, view, start)) {
    predict(before, alternate, isFirst);
    alternate.resistance = FULL_RESISTANCE;
    foundKey.key = alternate;
    cursor.position = start + alternate.size;
    return alternate.name;
  }
  foundKey.key = NO_KEY;
  start |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  let name: string | null = null;
  let hash = 0;
  let p = start;
  let attention = 0;
  for (const wordEnd = end - 4; p <= wordEnd; p += 4) {
    const word = view.getInt32(p, true);
    attention = needsAttention(word);
    if (attention !== 0) {
      const plain = lowestByte(attention);
      p += plain;
      hash = mixHash(hash ^ plain, plain === 0 ? 0 : word << 32 - 8 * plain);
      break;
    }
    hash = mixWord(hash, word);
  }
  if (attention === 0) p = skipPlainBytes(bytes, p, end);
  const nameEnd = p;
  if (p < end && bytes[p] === QUOTE) {
    p++;
  } else {
    name = readStringToken(bytes, view, start, p, end);
    if (name === null) return null;
    p = cursor.position;
    hash = 0;
    if (p - start <= MAX_KEY_SIZE) { for (let i = start; i < p; i++) hash = mixHash(hash, bytes[i]); }
  }
  if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end);
  if (p >= end || bytes[p] !== COLON) return null;
  p++;
  if (p + 1 < end && bytes[p] === SPACE && bytes[p + 1] > SPACE) p++;
  const size = p - start;
  if (!isCached || size > MAX_KEY_SIZE || size > end - start - MIN_FOLLOWING) {
    if (bytes[start] - ZERO >>> 0 <= 9) countIndex(bytes, start, nameEnd);
    name ??= readStringToken(bytes, view, start, nameEnd, end);
    cursor.position = p;
    return name;
  }
  cursor.position = p;
  let key = findKey(hash, size, view, start);
  if (key === NO_KEY) {
    name ??= nameEnd === start ? "" : makeLatin1String(bytes, start, nameEnd, true);
    if (bytes[start] - ZERO >>> 0 <= 9) countIndex(bytes, start, nameEnd);
    key = insertKey(hash, size, view, start, name);
    if (key === NO_KEY) return name;
  } else {
    key.resistance = FULL_RESISTANCE;
  }
  foundKey.key = key;
  predict(before, key, isFirst);
  return key.name;
}

/** Counts a name that is not cached if it consists of digits. */
function countIndex(bytes: Uint8Array, start: number, end: number): void {
  while (start < end && bytes[start] - ZERO >>> 0 <= 9) start++;
  if (start === end && indexKeys.score < MAX_INDEXES) indexKeys.score++;
}

/**
 * Like {@linkcode readKeyUnpredicted}, but returns an array index as a number, without a
 * look-up or a string: V8 keeps such members as elements (compare, integer-like keys: 0.15 → 0.25).
 * One index in {@linkcode SAMPLE_INTERVAL} is looked up in the cache.
 */
export function readKeyOrIndex(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  before: Key,
  isFirst: boolean,
  isCached: boolean,
): string | number | null {
  start |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  let p = start;
  let index = 0;
  while (p < end && bytes[p] - ZERO >>> 0 <= 9 && p - start < MAX_INDEX_DIGITS) {
    index = index * 10 + (bytes[p++] - ZERO) | 0;
  }
  // `01` is an ordinary name; so is one with no digits or more than nine.
  const isIndex = p > start && (bytes[start] !== ZERO || p === start + 1) && p < end - MIN_FOLLOWING &&
    bytes[p] === QUOTE && bytes[p + 1] === COLON;
  const isSampled = isIndex && (++indexKeys.read & SAMPLE_INTERVAL - 1) === 0;
  if (!isIndex || isSampled) {
    const name = readKeyUnpredicted(bytes, view, start, end, before, isFirst, isCached);
    if (isSampled && foundKey.key !== NO_KEY) indexKeys.score -= CACHED_COST;
    return name;
  }
  p += 2;
  foundKey.key = NO_KEY;
  cursor.position = p < end - 1 && bytes[p] === SPACE && bytes[p + 1] > SPACE ? p + 1 : p;
  return index;
}

/** Predicts `key` after `before` or, if `isFirst`, as the first of an object in its value. */
function predict(before: Key, key: Key, isFirst: boolean): void {
  if (isFirst) {
    before.alternateChild = before.child;
    before.child = key.slot;
  } else {
    before.alternateNext = before.next;
    before.next = key.slot;
  }
}

/**
 * Returns the cached key whose `size` bytes are at `p`, or `NO_KEY`. First probes the slot where
 * a key with the same upper hash bits was found last: in a full cache, the processor cannot
 * predict which of the neighbouring slots matches (compare, many shapes after all other
 * documents: 0.65 → 0.76).
 *
 * Precondition: that of {@linkcode matches}.
 */
function findKey(hash: number, size: number, view: DataView, p: number): Key {
  const slot = foundSlots[hash >>> FOUND_SHIFT];
  const key = keys[slot];
  if (hashes[slot] === hash && key.size === size && matches(key, view, p)) return key;
  return searchKey(hash, size, view, p);
}

/** Like {@linkcode findKey}, but probes all slots that the key may be in. */
function searchKey(hash: number, size: number, view: DataView, p: number): Key {
  let slot = hash & KEY_SLOTS - 1;
  for (const end = slot + KEY_WAYS; slot < end; slot++) {
    if (hashes[slot] === hash && keys[slot].size === size && matches(keys[slot], view, p)) {
      foundSlots[hash >>> FOUND_SHIFT] = slot;
      return keys[slot];
    }
  }
  return NO_KEY;
}

/**
 * Inserts a key that is not cached, if it was seen before or is among the first
 * {@linkcode KEYS_CACHED_AT_ONCE}, and if a slot is free or its entry has no resistance left.
 * Returns the new entry, or `NO_KEY`.
 */
function insertKey(hash: number, size: number, view: DataView, p: number, name: string): Key {
  const isCachedAtOnce = lastId < KEYS_CACHED_AT_ONCE && view.getUint8(p) - ZERO >>> 0 > 9;
  if (!isCachedAtOnce && (!seenBefore(seenHashes, hash) || lastId >= MAX_ID)) return NO_KEY;
  const first = hash & KEY_SLOTS - 1;
  const end = first + KEY_WAYS;
  let slot = first;
  while (slot < end && keys[slot] !== NO_KEY && keys[slot].resistance > 0) slot++;
  if (slot === end) {
    for (let neighbour = first; neighbour < end; neighbour++) keys[neighbour].resistance--;
    return NO_KEY;
  }
  // If a stack overflow ends a call here, no half-made entry may match.
  keys[slot] = NO_KEY;
  lastId++;
  const key = makeKey(internalize(name), isNameAtLoad(name) ? -lastId : lastId, slot, size, view, p);
  for (let i = slot * MIDDLE_WORDS, q = p + 12; q < p + size - 4; q += 4) middleWords[i++] = view.getInt32(q, true);
  // A plain name has as many characters as bytes; a quote, a colon and perhaps a space follow.
  const isPlain = size - name.length === (view.getUint8(p + size - 1) === SPACE ? 3 : 2);
  for (let i = isPlain ? size : 0; i < size; i++) {
    const byte = view.getUint8(p + i);
    if (byte >= 0x80) lineCountHints.isInKeys |= NON_ASCII_IN_KEYS;
    else if (byte === LINE_FEED || byte === CARRIAGE_RETURN) lineCountHints.isInKeys |= LINE_END_IN_KEYS;
  }
  hashes[slot] = hash;
  keys[slot] = key;
  return key;
}

/** Returns V8's internalized copy of a name, which keeps its hash: the name of a property. */
function internalize(name: string): string {
  return namesOf({ [name]: 0 })[0];
}
