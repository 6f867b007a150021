/** SIMD within a register: four bytes of input at a time, as one little-endian word. */

import { BACKSLASH, QUOTE, SPACE } from "./ascii.ts";

/** Words of `true` and `null`, and of the last four letters of `false`. */
export const TRUE = 0x65757274;
export const FALSE_TAIL = 0x65736c61;
export const NULL = 0x6c6c756e;

/** Word of four spaces. */
export const FOUR_SPACES = 0x20202020;

/** Word of four zeros; `word ^ ZEROS` turns digits into their values. */
export const ZEROS = 0x30303030;

/** Word of the highest bit of each byte. */
export const HIGH_BITS = 0x80808080 | 0;

/** Word of the marker bits of a four-byte UTF-8 sequence. */
export const FOUR_BYTE_SEQUENCE = 0x808080f0 | 0;

/**
 * Marks bytes of a string that need attention: sets bit 0x80 of each byte that is a quote, a
 * backslash, a control byte or not ASCII. Exact up to and including the lowest mark: a borrow
 * can only come from a byte that is already marked (Mycroft 1987). The exclusive or with 2 puts
 * the quote next to the control bytes, at 0x20, and the space where the quote was, so that one
 * subtraction serves both.
 */
export function needsAttention(word: number): number {
  return (word | (word ^ 0x02020202) - 0x21212121 | (word ^ 0x5c5c5c5c) - 0x01010101) & 0x80808080;
}

/** Sets bit 0x80 of non-digit bytes, given `word ^ ZEROS`. Exact up to the lowest mark. */
export function nonDigits(values: number): number {
  return (values + 0x76767676 | values) & 0x80808080;
}

/** Returns the index of the lowest byte of a word that is not 0. Precondition: there is one. */
export function lowestByte(word: number): number {
  return 31 - Math.clz32(word & -word) >> 3;
}

/** Counts the bytes of a word whose highest bit is set. */
export function countHighBits(word: number): number {
  return Math.imul(word >>> 7 & 0x01010101, 0x01010101) >>> 24;
}

/** Returns the position of the next byte that needs attention, or `end`. Reads byte by byte. */
export function skipPlainBytes(bytes: Uint8Array, p: number, end: number): number {
  while (p < end) {
    const c = bytes[p];
    if (c < SPACE || c === QUOTE || c === BACKSLASH || c >= 0x80) break;
    p++;
  }
  return p;
}

/** Returns the position of the next quote, backslash or control byte, or `end`, by words. */
export function skipText(bytes: Uint8Array, view: DataView, p: number, end: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  // As in `needsAttention`, except for non-ASCII bytes.
  for (const wordsEnd = (end | 0) - 8; p <= wordsEnd; p += 8) {
    const first = view.getInt32(p, true);
    const second = view.getInt32(p + 4, true);
    const low = ((first ^ 0x02020202) - 0x21212121 | (first ^ 0x5c5c5c5c) - 0x01010101) & ~first;
    const high = ((second ^ 0x02020202) - 0x21212121 | (second ^ 0x5c5c5c5c) - 0x01010101) & ~second;
    if (((low | high) & HIGH_BITS) !== 0) break;
  }
  for (const wordEnd = (end | 0) - 4; p <= wordEnd; p += 4) {
    const word = view.getInt32(p, true);
    const stops = ((word ^ 0x02020202) - 0x21212121 | (word ^ 0x5c5c5c5c) - 0x01010101) & ~word & HIGH_BITS;
    if (stops !== 0) return p + lowestByte(stops);
  }
  while (p < end && bytes[p] >= SPACE && bytes[p] !== QUOTE && bytes[p] !== BACKSLASH) p++;
  return p;
}

/** Like {@linkcode skipPlainBytes}, four bytes at a time. */
export function skipPlain(bytes: Uint8Array, view: DataView, p: number, end: number): number {
  for (const wordEnd = end - 4; p <= wordEnd; p += 4) {
    const attention = needsAttention(view.getInt32(p, true));
    if (attention !== 0) return p + lowestByte(attention);
  }
  return skipPlainBytes(bytes, p, end);
}
