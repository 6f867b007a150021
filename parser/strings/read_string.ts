/**
 * Reads string tokens. Plain ASCII comes from the string cache or the bytes, escapes and UTF-8 from
 * `decode_string.ts`. Each string is made in one piece, so it is flat.
 */

import { BACKSLASH, QUOTE } from "../base/ascii.ts";
import { failTooLong, readStringEscaped, readStringUtf16, resetScratch } from "./decode_string.ts";
import { DECODES_TOKENS, makeLatin1String, makeUtf8String, MAX_SAFE_LENGTH, MIN_DECODED_TOKEN } from "./make_string.ts";
import { noteLongString } from "../base/notices.ts";
import { cursor, needsLineCount } from "../base/cursor.ts";
import {
  cachedString,
  cachedTwoCharString,
  findInL2,
  findUtf8,
  insertInL2,
  insertUtf8,
  looksUpUtf8,
  MAX_UTF8_TOKEN,
  NO_CACHE,
} from "./string_cache.ts";
import { HIGH_BITS, lowestByte, skipPlainBytes, skipText } from "../base/swar.ts";

const { apply } = Reflect;
const { indexOf } = Uint8Array.prototype;

/** Most characters of the fast path. {@linkcode readStringToken} catches errors of longer ones. */
const MAX_UNGUARDED_LENGTH = 4096;

/**
 * Reads a string value. Returns the string, or `null` if it cannot be read; leaves the position
 * after the closing quote in `cursor`.
 *
 * Precondition: `p` is after the opening quote; bytes can be read up to `readableEnd`, zeros from
 * `end` on.
 *
 * Not inlined by hand, although it is called for every string value: V8 then keeps more variables
 * of the main loop in registers (documents of strings: +3 %).
 */
export function readStringValue(
  bytes: Uint8Array,
  view: DataView,
  cache: (string | null)[],
  p: number,
  end: number,
  readableEnd: number,
): string | null {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const start = p;
  // Eight bytes at a time, so that a short string costs one unpredictable branch, not two.
  let attention = 0;
  for (const wordsEnd = (readableEnd | 0) - 8; p <= wordsEnd; p += 8) {
    // `needsAttention` twice; "Written out": see ARCHITECTURE.md (first call, 2 MB of sentences:
    // 0.43 → 0.52).
    const first = view.getInt32(p, true);
    const second = view.getInt32(p + 4, true);
    const low = first | (first ^ 0x02020202) - 0x21212121 | (first ^ 0x5c5c5c5c) - 0x01010101;
    const high = second | (second ^ 0x02020202) - 0x21212121 | (second ^ 0x5c5c5c5c) - 0x01010101;
    attention = (low | high) & HIGH_BITS;
    if (attention !== 0) {
      p += (low & HIGH_BITS) !== 0 ? lowestByte(low & HIGH_BITS) : 4 + lowestByte(high & HIGH_BITS);
      break;
    }
  }
  if (attention === 0) p = skipPlainBytes(bytes, p, end);
  const length = p - start;
  if (p >= end || bytes[p] !== QUOTE || length > MAX_UNGUARDED_LENGTH) {
    return cache !== NO_CACHE && p < end && bytes[p] >= 0x80 && looksUpUtf8()
      ? readUtf8Cached(bytes, view, cache, start, p, end)
      : readStringToken(bytes, view, start, p, end);
  }
  cursor.position = p + 1;
  if (length === 0) return "";
  if (length === 1 || cache === NO_CACHE) return makeLatin1String(bytes, start, p, true);
  return length === 2 ? cachedTwoCharString(cache, bytes, view, start) : cachedString(cache, bytes, view, start, p);
}

/**
 * Reads a non-ASCII string value, through the L1 cache if it has no escapes (random: Deno +14 %,
 * Chromium +10 %, Firefox 0.36 → 0.50). Returns what {@linkcode readStringValue} returns.
 */
function readUtf8Cached(
  bytes: Uint8Array,
  view: DataView,
  cache: (string | null)[],
  start: number,
  plainEnd: number,
  end: number,
): string | null {
  start |= 0; // "Integers": see ARCHITECTURE.md
  const last = Math.min(end, start + MAX_UTF8_TOKEN) | 0;
  const p = skipText(bytes, view, plainEnd, last) | 0;
  if (p >= last || bytes[p] !== QUOTE || p - start < 3) return readStringToken(bytes, view, start, plainEnd, end);
  const cached = findUtf8(cache, view, start, p);
  if (cached !== null) {
    needsLineCount.passedNonAscii = 1;
    cursor.position = p + 1;
    return cached;
  }
  const string = readStringToken(bytes, view, start, plainEnd, end);
  if (string !== null) insertUtf8(cache, string, start);
  return string;
}

/**
 * Reads a string token without the L1 cache. Returns the string, or `null` if it cannot be read;
 * leaves the position after the closing quote in `cursor`.
 *
 * Precondition: `start` is after the opening quote, and `plainEnd` is what `skipPlain` returns for
 * it.
 */
export function readStringToken(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  plainEnd: number,
  end: number,
): string | null {
  if (plainEnd >= end || bytes[plainEnd] !== QUOTE) {
    let string = DECODES_TOKENS ? readStringDecoded(bytes, view, start, plainEnd, end) : null;
    string ??= plainEnd === start && plainEnd < end && bytes[plainEnd] >= 0xe0
      ? readStringUtf16(bytes, view, start, plainEnd, end, 0)
      : readStringEscaped(bytes, view, start, plainEnd, end);
    if (string === null) resetScratch();
    else if (cursor.position - start > MAX_UNGUARDED_LENGTH) noteLongString(cursor.position - start - 1);
    return string;
  }
  cursor.position = plainEnd + 1;
  if (start === plainEnd) return "";
  if (plainEnd - start > MAX_UNGUARDED_LENGTH) noteLongString(plainEnd - start);
  try {
    return makeLatin1String(bytes, start, plainEnd, true);
  } catch (error) {
    // not covered: needs a string of more than 536,870,888 characters
    if (plainEnd - start < MAX_SAFE_LENGTH) throw error;
    return failTooLong(start);
  }
}

/**
 * Reads a long string token of UTF-8 without escapes by a decoder. Returns the string, and leaves
 * the position after the closing quote in `cursor`. Returns `null` for any other token, and for a
 * malformed or too long one.
 *
 * Preconditions: those of {@linkcode readStringToken}.
 */
function readStringDecoded(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  plainEnd: number,
  end: number,
): string | null {
  needsLineCount.passedNonAscii = 1;
  const p = skipText(bytes, view, plainEnd, end) | 0;
  if (p >= end || bytes[p] !== QUOTE || p - start < MIN_DECODED_TOKEN) return null;
  let string = findInL2(view, start, p);
  if (string === null) {
    try {
      string = insertInL2(makeUtf8String(bytes, start, p), start);
    } catch {
      return null;
    }
  }
  cursor.position = p + 1;
  return string;
}

/**
 * Returns whether the string that begins at `start` has its closing quote before `end`.
 *
 * Precondition: it has none before `from`.
 */
export function hasClosingQuote(bytes: Uint8Array, start: number, from: number, end: number): boolean {
  for (let p = from;; p++) {
    p = apply(indexOf, bytes, [QUOTE, p]) as number;
    if (p < 0 || p >= end) return false;
    let q = p;
    while (q > start && bytes[q - 1] === BACKSLASH) q--;
    if ((p - q & 1) === 0) return true;
  }
}
