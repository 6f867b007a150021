/**
 * Object keys seen before. They are found by their bytes, and each remembers which keys followed it, so that most are recognised by
 * comparing a few words, with no string made and nothing hashed. The table is fixed in size and forgets by overwriting, and its
 * entries refer to each other by place, not by reference: hostile input costs hits and nothing else. It holds key names only.
 *
 * @module
 */

import { packedArray } from "./arrays.ts";
import * as scan from "./scan.ts";
import * as state from "./state.ts";
import * as strings from "./strings.ts";
import * as flatText from "./text.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { lowest, marks, skipPlain, skipWhitespace } = scan;
const { cursor, fail } = state;
const { readString } = strings;
const { latin1Text } = flatText;

const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;

/** Longest key remembered, in bytes with what follows the name; also bounds what hashing one may cost. */
const MAX_KEY_SIZE = 64;

/** Bytes that follow every key of a valid document: a value, a bracket. */
const FOLLOWING = 2;

/** Slots of the key table, a power of two. */
const KEY_SLOTS = 2048;

/** Neighbouring slots a key may be in. Enough that those of a real document seldom drive each other out. */
const WAYS = 4;

/**
 * Newcomers that a key, or a shape, in use turns away before one takes its place; each costs it one, each use makes good. So documents of
 * all kinds in turn, or of nothing but new names, leave those in use alone (corpus among documents of all kinds 0.74 → 1.01, `compare --mixed`).
 */
export const HEAT = 64;
/** The same for one that has not been used again. */
export const FIRST_HEAT = 8;

/** Words of a key that {@linkcode Key} does not hold itself. */
const MIDDLE_WORDS = MAX_KEY_SIZE - 9 >> 2;

/** Where no key ever is, and where {@linkcode ROOT_KEY} is. */
const NO_SLOT = KEY_SLOTS + WAYS;
const ROOT_SLOT = NO_SLOT + 1;

/**
 * A key by the bytes it is spelled with: the name, escapes as they stand, the closing quote, the colon, and whitespace around that.
 *
 * Made by a literal, not a class: a declared field is `undefined` at first, and the engine then never takes it for an integer.
 */
export interface Key {
  readonly text: string;
  /** Unique for the life of the module: a slot's next tenant gets another. 0 is no key's. */
  readonly id: number;
  readonly slot: number;
  /** In bytes, from the first of the name to the one before the value. */
  readonly size: number;
  /** The first eight and the last four bytes as little-endian words; see {@linkcode matches}. */
  readonly first: number;
  readonly mask: number;
  readonly second: number;
  readonly last: number;
  /** Slots of the keys that followed this one in an object the last time, and before that. */
  next: number;
  otherNext: number;
  /** Slots of the first key of the object that was this one's value, or an element of it. */
  child: number;
  otherChild: number;
  /** Slot of the shape that ended in this key last time; see `findBuilder`. */
  shape: number;
  /** See {@linkcode HEAT}. */
  heat: number;
}

function makeKey(text: string, id: number, slot: number, size: number, view: DataView, p: number): Key {
  const mask = size < 4 ? (1 << 8 * size) - 1 : -1;
  return {
    text,
    id,
    slot,
    size,
    first: size > 0 && p >= 0 ? view.getInt32(p, true) & mask : 0,
    mask,
    second: size > 8 && p >= 0 ? view.getInt32(p + 4, true) : 0,
    last: size > 4 && p >= 0 ? view.getInt32(p + size - 4, true) : 0,
    next: NO_SLOT,
    otherNext: NO_SLOT,
    child: NO_SLOT,
    otherChild: NO_SLOT,
    shape: 0,
    heat: FIRST_HEAT,
  };
}

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** Stands where no key is remembered. Its size exceeds any input, so it never matches. */
export const NO_KEY: Key = makeKey("", 0, NO_SLOT, 0x7fffffff, NO_BYTES, -1);

/** Whose `child` is the first key of a top-level object. */
export const ROOT_KEY: Key = makeKey("", 0, ROOT_SLOT, 0, NO_BYTES, -1);

/** The last two places are no slots: {@linkcode NO_KEY} and {@linkcode ROOT_KEY} stay there. */
export const keys = packedArray<Key>(ROOT_SLOT + 1, NO_KEY);
keys[ROOT_SLOT] = ROOT_KEY;
/** Their hashes, so that looking for a key touches no other. */
const hashes = new Int32Array(KEY_SLOTS + WAYS);
const middles = new Int32Array((KEY_SLOTS + WAYS) * MIDDLE_WORDS);
/** Hashes seen once: only a key met twice is worth remembering. */
const seen = new Int32Array(2 * KEY_SLOTS);

let lastId = 0;
/** Ids stay int32; a module that has remembered that many keys remembers no more. */
const MAX_ID = 0x3fffffff;

/** The key that {@linkcode readKey} found in the table, or `NO_KEY`. */
export const found: { key: Key } = { key: NO_KEY };

/**
 * Whether the key's bytes stand at `p`.
 *
 * Precondition: `max(4, key.size)` bytes can be read at `p`. The words overlap at the end of the key: for 4 bytes or
 * fewer one masked word; up to 8 the first and the last; up to 12 three; beyond, the ones between are in {@linkcode middles}.
 */
function matches(key: Key, view: DataView, p: number): boolean {
  if (((view.getInt32(p, true) ^ key.first) & key.mask) !== 0) return false;
  const size = key.size;
  if (size > 4) {
    if (view.getInt32(p + size - 4, true) !== key.last) return false;
    if (size > 8 && view.getInt32(p + 4, true) !== key.second) return false;
    // Not handed on: of anything but constants the engine makes an object where this is inlined, and looks what it is.
    if (size > 12 && !matchesMiddle(key, view, p + 8)) return false;
  }
  return true;
}

/** The words of {@linkcode matches} between the first two and the last. */
export function matchesMiddle(key: Key, view: DataView, p: number): boolean {
  const start = key.slot * MIDDLE_WORDS;
  for (let i = start, end = start + (key.size - 9 >> 2); i < end; i++, p += 4) {
    if (view.getInt32(p, true) !== middles[i]) return false;
  }
  return true;
}

/** Whether the key stands at `p`, where `end` may be near. */
function stands(key: Key, view: DataView, p: number, end: number): boolean {
  return key.size <= end - p - FOLLOWING && matches(key, view, p);
}

/**
 * Mixes a word into a hash. Twice over: a product carries upwards only, and the last character of a name stands in the highest byte,
 * so that after one round `field_1` and `field_2` would meet in the same slot (wide objects 0.17 → 1.09).
 */
export function mix(hash: number, word: number): number {
  hash = Math.imul(hash ^ word, 0x9e3779b1);
  hash = Math.imul(hash ^ hash >>> 15, 0x85ebca6b);
  return hash ^ hash >>> 13;
}

/** Whether `hash` was noted before and not driven out since; notes it. Two places a slot, the older one is driven out. */
export function seenBefore(hashes: Int32Array, hash: number): boolean {
  const slot = 2 * hash & hashes.length - 2;
  if (hashes[slot] === hash || hashes[slot + 1] === hash) return true;
  hashes[slot + 1] = hashes[slot];
  hashes[slot] = hash;
  return false;
}

/**
 * A key that the one before it foretold wrongly: its text, or `null` for a failure, and its entry in {@linkcode found}.
 *
 * Precondition: `start` is after the opening quote, `before` the key before it, or around it if it `isFirst`. Leaves the position
 * after the colon, and after one space, in `cursor`. A key of an object too large to have a shape is not to be remembered.
 */
export function readKey(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  before: Key,
  isFirst: boolean,
  remember: boolean,
): string | null {
  const other = keys[isFirst ? before.otherChild : before.otherNext];
  if (stands(other, view, start, end)) {
    foretell(before, other, isFirst);
    other.heat = HEAT;
    found.key = other;
    cursor.position = start + other.size;
    return other.text;
  }
  found.key = NO_KEY;
  start |= 0; // integers to the engine from the start
  end |= 0;
  let text: string | null = null;
  let hash = 0;
  let p = start;
  let marked = 0;
  for (const wordEnd = end - 4; p <= wordEnd; p += 4) {
    const word = view.getInt32(p, true);
    marked = marks(word);
    if (marked !== 0) {
      const plain = lowest(marked);
      p += plain;
      hash = mix(hash ^ plain, plain === 0 ? 0 : word << 32 - 8 * plain);
      break;
    }
    hash = mix(hash, word);
  }
  if (marked === 0) p = skipPlain(bytes, p, end);
  const nameEnd = p;
  if (p < end && bytes[p] === QUOTE) {
    p++;
  } else {
    text = readString(bytes, view, start, p, end);
    if (text === null) return null;
    p = cursor.position;
    hash = 0;
    if (p - start <= MAX_KEY_SIZE) { for (let i = start; i < p; i++) hash = mix(hash, bytes[i]); }
  }
  if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end);
  if (p >= end || bytes[p] !== COLON) {
    fail("expected-colon", p);
    return null;
  }
  p++;
  if (p + 1 < end && bytes[p] === SPACE && bytes[p + 1] > SPACE) p++;
  const size = p - start;
  if (!remember || size > MAX_KEY_SIZE || size > end - start - FOLLOWING) {
    text ??= readString(bytes, view, start, nameEnd, end);
    cursor.position = p;
    return text;
  }
  cursor.position = p;
  let key = findKey(hash, size, view, start);
  if (key === NO_KEY) {
    text ??= nameEnd === start ? "" : latin1Text(bytes, start, nameEnd);
    key = admitKey(hash, size, view, start, text);
    if (key === NO_KEY) return text;
  } else {
    key.heat = HEAT;
  }
  found.key = key;
  foretell(before, key, isFirst);
  return key.text;
}

/** Makes `key` the next guess after, or in, `before`; the guess so far becomes the second one. */
function foretell(before: Key, key: Key, isFirst: boolean): void {
  if (isFirst) {
    before.otherChild = before.child;
    before.child = key.slot;
  } else {
    before.otherNext = before.next;
    before.next = key.slot;
  }
}

/** The remembered key whose `size` bytes stand at `p`, or {@linkcode NO_KEY}. Precondition of {@linkcode matches}. */
function findKey(hash: number, size: number, view: DataView, p: number): Key {
  let slot = hash & KEY_SLOTS - 1;
  for (const end = slot + WAYS; slot < end; slot++) {
    if (hashes[slot] === hash && keys[slot].size === size && matches(keys[slot], view, p)) return keys[slot];
  }
  return NO_KEY;
}

/** Remembers a key that is not in the table, if its hash was seen before and there is a place; returns it, else {@linkcode NO_KEY}. */
function admitKey(hash: number, size: number, view: DataView, p: number, text: string): Key {
  if (!seenBefore(seen, hash) || lastId >= MAX_ID) return NO_KEY;
  const first = hash & KEY_SLOTS - 1;
  const end = first + WAYS;
  let slot = first;
  while (slot < end && keys[slot] !== NO_KEY && keys[slot].heat > 0) slot++;
  if (slot === end) {
    for (let other = first; other < end; other++) keys[other].heat--;
    return NO_KEY;
  }
  // Nothing may match an entry half made: the stack may end in any call.
  keys[slot] = NO_KEY;
  const key = makeKey(internalized(text), ++lastId, slot, size, view, p);
  for (let i = slot * MIDDLE_WORDS, q = p + 8; q < p + size - 4; q += 4) middles[i++] = view.getInt32(q, true);
  hashes[slot] = hash;
  keys[slot] = key;
  return key;
}

const ownNames = Object.keys;

/** The engine's one copy of a name, which stores and lookups by name need not hash again. */
function internalized(text: string): string {
  const names = ownNames({ [text]: 0 });
  return names.length === 1 ? names[0] : text;
}
