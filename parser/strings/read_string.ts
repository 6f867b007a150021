/**
 * Reads string tokens. Plain ASCII comes from the string cache or the bytes. Escapes and UTF-8 are
 * decoded into a scratch buffer first. Each string is made in one piece, so it is flat.
 */

import { BACKSLASH, LOWER_U, QUOTE } from "../base/ascii.ts";
import { cursor, lineCountHints } from "../base/cursor.ts";
import { ESCAPE_VALUES, readHex4 } from "../base/decode_name.ts";
import { failAtLimit } from "../base/failure.ts";
import { flagLongString, MAX_UNFLAGGED_STRING } from "../base/guard_flags.ts";
import { FOUR_BYTE_SEQUENCE, HIGH_BITS, lowestByte, needsAttention, skipPlainBytes, skipText } from "../base/swar.ts";
import {
  DECODES_TOKENS,
  decodeUtf8,
  dirtyLength,
  makeLatin1String,
  makeUtf16String,
  MAX_DECODED_TOKEN,
  MAX_SAFE_LENGTH,
  MIN_DECODED_ASCII,
  MIN_DECODED_TOKEN,
  MIN_DECODED_WIDE,
  wipeLists,
} from "./make_string.ts";
import { cachedString, cachedTwoCharString, findInL2, insertInL2, NO_CACHE } from "./string_cache.ts";

/** Maximum bytes of the fast path. `readStringToken` flags longer ones, and catches their errors. */
const MAX_FAST_LENGTH = MAX_UNFLAGGED_STRING;

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
  if (p >= end || bytes[p] !== QUOTE || length > MAX_FAST_LENGTH) {
    return readStringToken(bytes, view, start, p, end);
  }
  cursor.position = p + 1;
  if (length === 0) return "";
  if (length === 1 || cache === NO_CACHE) return makeLatin1String(bytes, start, p, true);
  return length === 2 ? cachedTwoCharString(cache, bytes, view, start) : cachedString(cache, bytes, view, start, p);
}

/**
 * Reads a string token without the L1 cache. Returns the string, or `null` if it cannot be read;
 * leaves the position after the closing quote in `cursor`.
 *
 * Precondition: `start` is after the opening quote, and `plainEnd` is what `skipPlain` returns
 * for it.
 */
export function readStringToken(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  plainEnd: number,
  end: number,
): string | null {
  if (plainEnd >= end || bytes[plainEnd] !== QUOTE) {
    const isLong = DECODES_TOKENS || recentLength >= MIN_DECODED_WIDE ||
      recentLength >= MIN_DECODED_TOKEN && plainEnd < end && bytes[plainEnd] < 0xe0;
    let string = isLong ? readStringDecoded(bytes, view, start, plainEnd, end) : null;
    string ??= plainEnd === start && plainEnd < end && bytes[plainEnd] >= 0xe0
      ? readStringUtf16(bytes, view, start, plainEnd, end, 0)
      : readStringEscaped(bytes, view, start, plainEnd, end);
    recentLength = recentLength < 0 ? recentLength + 1 : cursor.position - start;
    if (string === null) resetScratch();
    else if (cursor.position - start > MAX_UNFLAGGED_STRING) flagLongString(cursor.position - start - 1);
    return string;
  }
  cursor.position = plainEnd + 1;
  if (start === plainEnd) return "";
  if (plainEnd - start > MAX_UNFLAGGED_STRING) flagLongString(plainEnd - start);
  try {
    return makeLatin1String(bytes, start, plainEnd, true);
  } catch (error) {
    // not covered: needs a string of more than 536,870,888 characters
    if (plainEnd - start < MAX_SAFE_LENGTH) throw error;
    return failTooLong(start);
  }
}

/**
 * Bytes of the last token that was not plain ASCII, since the next ones are about as long. If
 * negative, the number of tokens not to decode, since the last one could not be.
 */
let recentLength = 0;

/** Tokens that are not decoded after one that could not be. */
const UNDECODED_TOKENS = 16;

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
  lineCountHints.passedNonAscii = 1;
  const p = skipText(bytes, view, plainEnd, end) | 0;
  const length = p - start;
  if (p >= end || bytes[p] !== QUOTE) {
    recentLength = -UNDECODED_TOKENS;
    return null;
  }
  if (length < MIN_DECODED_TOKEN || length > MAX_DECODED_TOKEN) return null;
  let string = findInL2(view, start, p);
  if (string === null) {
    const decoded = decodeUtf8(bytes, start, p);
    if (decoded === null) {
      recentLength = -UNDECODED_TOKENS;
      return null;
    }
    string = insertInL2(decoded, start);
  }
  cursor.position = p + 1;
  return string;
}

/** Bytes of a word. The scratch always has room for this many more characters. */
const WORD = 4;

/** Maximum number of bytes copied by words: for more, `set` is faster, though it needs a view. */
const MAX_WORDWISE_COPY = 512;

/** Bytes of scratch kept between calls. Larger scratch is released once its string is made. */
const KEPT_SCRATCH_SIZE = 8192;

/** V8's maximum string length (`String::kMaxLength`); other engines allow more. */
const MAX_LENGTH_OF_V8 = 0x1fffffe8;

/** Scratch for decoded strings: Latin-1 and UTF-16 in the same memory. Shrunk after a call. */
let latin1Scratch = /* @__PURE__ */ new Uint8Array(KEPT_SCRATCH_SIZE);
let scratchView = /* @__PURE__ */ new DataView(latin1Scratch.buffer);
let utf16Scratch = /* @__PURE__ */ new Uint16Array(latin1Scratch.buffer);

/** Minimum code unit beyond Latin-1. */
const NOT_LATIN1 = 0x100;

/** Returns whether the engine makes longer strings than V8. Concatenates halves, without a copy. */
function exceedsV8(): boolean {
  // not covered: needs a string of more than 536,870,888 characters
  try {
    let string = "x";
    while (string.length <= MAX_LENGTH_OF_V8) string += string;
    return true;
  } catch {
    return false;
  }
}

function newScratch(size: number): void {
  const scratch = new Uint8Array(size);
  scratchView = new DataView(scratch.buffer);
  utf16Scratch = new Uint16Array(scratch.buffer);
  latin1Scratch = scratch;
}

/** Doubles the scratch, keeping `used` bytes. Returns `false` without memory, or at the limit. */
function growScratch(used: number, width: number): boolean {
  const old = latin1Scratch;
  const length = old.length / width;
  try {
    // not covered: needs a string of 536,870,888 characters
    if (length > MAX_LENGTH_OF_V8 - WORD && !exceedsV8()) return false;
    newScratch(2 * old.length);
  } catch (error) {
    // not covered: needs a string of more than 536,870,888 characters
    if (length < MAX_SAFE_LENGTH) throw error;
    return false;
  }
  latin1Scratch.set(old.subarray(0, used));
  return true;
}

/** Wipes the scratch, so that no character of an input outlives the call. */
export function wipeScratch(): void {
  if (dirtyLength.characters === 0) return;
  // The last word of a string is written whole.
  latin1Scratch.fill(0, 0, 2 * (dirtyLength.characters + WORD));
  wipeLists();
  dirtyLength.characters = 0;
}

/** Records that a string is longer than the engine, or its memory, allows. Returns `null`. */
function failTooLong(start: number): null {
  // not covered: needs a string of more than 536,870,888 characters
  failAtLimit("string-too-long", start - 1);
  return null;
}

/** Resets the scratch after a malformed string. All of it will be wiped. */
function resetScratch(): void {
  releaseScratch();
  dirtyLength.characters = KEPT_SCRATCH_SIZE;
}

/** Releases scratch that has grown for a long string. */
function releaseScratch(): void {
  if (latin1Scratch.length > KEPT_SCRATCH_SIZE) newScratch(KEPT_SCRATCH_SIZE);
}

/**
 * Reads the ASCII character, the escape (RFC 8259 §7) or the two-byte UTF-8 sequence at `p`.
 * Returns its code unit, or -1 if there is none of these; leaves the position after it in `cursor`.
 */
function readCharacter(bytes: Uint8Array, p: number, end: number): number {
  const byte = bytes[p];
  const next = p + 1 < end ? bytes[p + 1] : 0;
  if (byte === BACKSLASH && next === LOWER_U) {
    cursor.position = p + 6;
    return readHex4(bytes, p + 2, end);
  }
  cursor.position = p + 2;
  if (byte === BACKSLASH) return ESCAPE_VALUES[next] > 0 ? ESCAPE_VALUES[next] : -1;
  if (byte >= 0x80) {
    lineCountHints.passedNonAscii = 1;
    return byte >= 0xc2 && byte < 0xe0 && (next & 0xc0) === 0x80 ? (byte & 0x1f) << 6 | next & 0x3f : -1;
  }
  cursor.position = p + 1;
  return byte < 0x20 ? -1 : byte;
}

/**
 * Reads a string token that is not plain ASCII up to its closing quote: one with escapes or
 * UTF-8, or a malformed one. Decodes into the Latin-1 scratch, one byte a character, and
 * continues with {@linkcode readStringUtf16} at the first character that does not fit. Returns
 * the string, or `null` if it cannot be read (RFC 8259 §7); leaves the position after the closing
 * quote in `cursor`.
 *
 * Precondition: `start` is after the opening quote, and `bytes[start, p)` is plain ASCII.
 */
function readStringEscaped(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  p: number,
  end: number,
): string | null {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  let length = p - start | 0;
  while (length > latin1Scratch.length - WORD) {
    if (!growScratch(0, 1)) return failTooLong(start);
  }
  if (length <= MAX_WORDWISE_COPY && end - p >= WORD) {
    // The next characters overwrite the bytes copied in excess.
    for (let i = 0; i < length; i += WORD) scratchView.setInt32(i, view.getInt32(start + i, true), true);
  } else {
    // Not `subarray`: it looks up the constructor of `bytes`, which a caller may have set.
    latin1Scratch.set(new Uint8Array(view.buffer, view.byteOffset + start, length));
  }
  let scratch = latin1Scratch;
  let words = scratchView;
  let capacity = scratch.length - WORD;
  for (;;) {
    const last = Math.min(end - WORD - 1, p + capacity - length);
    while (p <= last) {
      const word = view.getInt32(p, true);
      // The next characters overwrite any other bytes.
      words.setInt32(length, word, true);
      const attention = needsAttention(word);
      if (attention === 0) {
        p += WORD;
        length += WORD;
        continue;
      }
      const plain = lowestByte(attention);
      p += plain;
      length += plain;
      // Two-byte Latin-1 and one-letter escapes, decoded without leaving the loop (accents and
      // escapes: +4 to 7 %).
      const pair = view.getUint16(p, true);
      if ((pair & 0xc0fe) === 0x80c2) {
        lineCountHints.passedNonAscii = 1;
        scratch[length] = (pair & 0x03) << 6 | pair >> 8 & 0x3f;
      } else {
        const byte = ESCAPE_VALUES[pair >> 8];
        if ((pair & 0xff) !== BACKSLASH || byte === 0) break;
        scratch[length] = byte;
      }
      length++;
      p += 2;
    }
    if (length > capacity) {
      if (!growScratch(length, 1)) return failTooLong(start);
      scratch = latin1Scratch;
      words = scratchView;
      capacity = scratch.length - WORD;
    }
    if (p >= end) return null;
    if (bytes[p] === QUOTE) break;
    const unit = bytes[p] < 0xc4 ? readCharacter(bytes, p, end) : NOT_LATIN1;
    if (unit < 0) return null;
    if (unit >= NOT_LATIN1) return readStringUtf16(bytes, view, start, p, end, length);
    scratch[length++] = unit;
    p = cursor.position | 0;
  }
  cursor.position = p + 1;
  return finishString(view, length, false, start, p);
}

/**
 * Reads the rest of a string token that does not fit Latin-1, into the UTF-16 scratch, two bytes a
 * character. Returns what {@linkcode readStringEscaped} returns.
 *
 * Precondition: the `length` characters before `p` are in the Latin-1 scratch.
 */
function readStringUtf16(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  p: number,
  end: number,
  length: number,
): string | null {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  length |= 0;
  lineCountHints.passedNonAscii = 1;
  while (length > utf16Scratch.length - WORD) {
    if (!growScratch(length, 2)) return failTooLong(start);
  }
  let scratch = utf16Scratch;
  for (let i = length - 1; i >= 0; i--) scratch[i] = latin1Scratch[i]; // from the end: it is the same memory
  let capacity = scratch.length - WORD; // keeps room for a surrogate pair, or four characters
  for (;;) {
    // One masked comparison tests all marker bits of a sequence: first of three bytes (CJK), then
    // of two (Cyrillic, Greek, …), then of four (emoji). ASCII between them is decoded here too.
    // Each character takes at least one byte, so `last` bounds both reads and writes.
    const last = Math.min(end - WORD, p + capacity - length);
    while (p <= last) {
      const word = view.getInt32(p, true);
      if ((word & 0x00c0c0f0) === 0x008080e0) {
        const unit = (word & 0x0f) << 12 | word >> 2 & 0xfc0 | word >> 16 & 0x3f;
        if (unit < 0x800 || (unit & 0xf800) === 0xd800) break;
        scratch[length++] = unit;
        p += 3;
      } else if ((word & 0xc0e0) === 0x80c0 && (word & 0x1e) !== 0) {
        scratch[length++] = (word & 0x1f) << 6 | word >> 8 & 0x3f;
        p += 2;
      } else if ((word & 0xc0c0c0f8 | 0) === FOUR_BYTE_SEQUENCE) {
        const codePoint = (word & 0x07) << 18 | (word & 0x3f00) << 4 | word >> 10 & 0xfc0 | word >> 24 & 0x3f;
        if (codePoint < 0x10000 || codePoint > 0x10ffff) break;
        scratch[length] = 0xd7c0 + (codePoint >> 10);
        scratch[length + 1] = 0xdc00 | codePoint & 0x3ff;
        length += 2;
        p += 4;
      } else if (needsAttention(word) === 0) {
        scratch[length] = word & 0xff;
        scratch[length + 1] = word >> 8 & 0xff;
        scratch[length + 2] = word >> 16 & 0xff;
        scratch[length + 3] = word >> 24;
        length += 4;
        p += 4;
      } else {
        const byte = word & 0xff;
        if (byte >= 0x80 || byte < 0x20 || byte === QUOTE || byte === BACKSLASH) break;
        scratch[length++] = byte;
        p++;
      }
    }
    if (length > capacity) {
      if (!growScratch(2 * length, 2)) return failTooLong(start);
      scratch = utf16Scratch;
      capacity = scratch.length - WORD;
    }
    // Whether the scratch was full: asked first, since V8 deoptimises at what it has never computed.
    if (last < end - WORD && p > last && p <= end - WORD) continue;
    // A sequence of three or four bytes is malformed or incomplete here: no quote can follow it.
    if (p >= end) return null;
    if (bytes[p] === QUOTE) break;
    const unit = readCharacter(bytes, p, end);
    if (unit < 0) return null;
    scratch[length++] = unit;
    p = cursor.position | 0;
  }
  cursor.position = p + 1;
  return finishString(view, length, true, start, p);
}

/**
 * Returns whether the first `length` bytes of a scratch are ASCII. Reads up to a word more (compare
 * in Chromium, rapidjson_types_paragraphs: 0.31 → 0.36).
 */
function isAllAscii(view: DataView, length: number): boolean {
  let p = 0;
  let all = 0;
  for (; p <= length - WORD; p += WORD) all |= view.getInt32(p, true);
  return ((all | view.getInt32(p, true) & (1 << 8 * (length - p)) - 1) & HIGH_BITS) === 0;
}

/**
 * Returns the string of the first `length` characters of a scratch, from the L2 cache or
 * newly made; `null` if it is longer than the engine allows. `[start, end)` is the token
 * between its quotes.
 *
 * Precondition: `length > 0`.
 */
function finishString(view: DataView, length: number, isUtf16: boolean, start: number, end: number): string | null {
  if (length > dirtyLength.characters) dirtyLength.characters = length;
  // The cache compares the bytes of the token, not its characters.
  const cached = findInL2(view, start, end);
  if (cached !== null) return cached;
  try {
    const string = isUtf16
      ? makeUtf16String(utf16Scratch, latin1Scratch, length)
      : makeLatin1String(latin1Scratch, 0, length, length >= MIN_DECODED_ASCII && isAllAscii(scratchView, length));
    return insertInL2(string, start);
  } catch (error) {
    // not covered: needs the end of the stack, or a string of more than 536,870,888 characters
    if (length < MAX_SAFE_LENGTH) throw error;
    return failTooLong(start);
  } finally {
    releaseScratch();
  }
}
