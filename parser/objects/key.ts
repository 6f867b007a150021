/** Entries of the key cache. */

import { NO_VIEW } from "../engine/no_bytes.ts";

/** Maximum bytes of a cached key, with the quote, colon and whitespace after the name. */
export const MAX_KEY_SIZE = 64;

/** Slots of the key cache, a power of two. */
export const KEY_SLOTS = 2048;

/** Neighbouring slots that a key may be in: enough that keys of one document rarely collide. */
export const KEY_WAYS = 4;

/** Slots of {@linkcode NO_KEY} and {@linkcode ROOT_KEY}, which never change. */
const NO_SLOT = KEY_SLOTS + KEY_WAYS;
export const ROOT_SLOT: number = NO_SLOT + 1;

/**
 * Eviction resistance of a key or shape that was used again. A colliding entry decrements it, a hit
 * restores it, and at 0 the entry is replaced. So alternating documents, or a document of only new
 * names, do not evict entries in use (`compare --mixed`, corpus: 0.74 → 1.01).
 */
export const FULL_RESISTANCE = 64;
/** Eviction resistance of a key that was not used again. */
export const FIRST_RESISTANCE = 8;

/**
 * Cached key, found by its bytes: the name with its escapes as spelled, the closing quote, the
 * colon, and whitespace around the colon. "Literals, not classes": see ARCHITECTURE.md.
 */
export interface Key {
  readonly name: string;
  /** Id, never reused. 0: not cached; negative: `Object.prototype` had the name at load. */
  readonly id: number;
  readonly slot: number;
  /** Bytes of the key, from the first of the name to the last before the value. */
  readonly size: number;
  /**
   * First, second, third and last four bytes as little-endian words, and the mask of the first
   * word's bytes that belong to the key: see `matches` in key_cache.ts.
   */
  readonly first: number;
  readonly mask: number;
  readonly second: number;
  readonly third: number;
  readonly last: number;
  /** Slots of the keys predicted to follow this one in an object: the latest, and an alternate. */
  next: number;
  alternateNext: number;
  /** Slots of keys predicted to be the first of an object in the value: latest, alternate. */
  child: number;
  alternateChild: number;
  /** Slot of the shape predicted for an object that ends with this key: see `findConstructor`. */
  shape: number;
  /** Eviction resistance: see {@linkcode FULL_RESISTANCE}. */
  resistance: number;
}

/** Makes the entry of a key of `size` bytes at `p`. A negative `p` means no bytes. */
export function makeKey(name: string, id: number, slot: number, size: number, view: DataView, p: number): Key {
  const mask = size < 4 ? (1 << 8 * size) - 1 : -1;
  return {
    name,
    id,
    slot,
    size,
    first: size > 0 && p >= 0 ? view.getInt32(p, true) & mask : 0,
    mask,
    second: size > 8 && p >= 0 ? view.getInt32(p + 4, true) : 0,
    third: size > 12 && p >= 0 ? view.getInt32(p + 8, true) : 0,
    last: size > 4 && p >= 0 ? view.getInt32(p + size - 4, true) : 0,
    next: NO_SLOT,
    alternateNext: NO_SLOT,
    child: NO_SLOT,
    alternateChild: NO_SLOT,
    shape: 0,
    resistance: FIRST_RESISTANCE,
  };
}

/**
 * Entry of a key that is not cached. It never matches: hardly any input is this large, and it has
 * no middle words. A larger size would make doubles of all positions in Chromium ("Small integers":
 * see ARCHITECTURE.md; 13 documents there: +6 to 9 %).
 */
export const NO_KEY: Key = /* @__PURE__ */ makeKey("", 0, NO_SLOT, 0x3fffffff, NO_VIEW, -1);

/** Entry whose `child` is the first key of a top-level object. */
export const ROOT_KEY: Key = /* @__PURE__ */ makeKey("", 0, ROOT_SLOT, 0, NO_VIEW, -1);
