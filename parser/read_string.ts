/**
 * String tokens that are more than a run of plain ASCII: escapes, UTF-8, and what is wrong with them.
 * Text is gathered in one scratch buffer and decoded once, so the result is flat.
 *
 * @module
 */

import * as recent from "./string_cache.ts";
import * as swar from "./swar.ts";
import * as outParams from "./out_params.ts";
import * as makers from "./make_string.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { findInL2, insertInL2, NO_CACHE, cachedPair, cachedString } = recent;
const { FOUR_BYTE_SEQUENCE, lowestByte, HIGH_BITS, needsAttention, skipPlainBytes } = swar;
const { cursor, fail } = outParams;
const { makeLatin1String, makeUtf16String } = makers;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Bytes of a word, and characters of capacity the scratch has beyond what is in it. */
const WORD = 4;

/** Up to here copying words beats making a view for `set`. In bytes. */
const WORDWISE_COPY = 512;

/** Longest text made without a guard against the engine's checkpoint on strings, in characters. */
const MAX_UNGUARDED_STRING = 4096;

/** Scratch kept between calls, in characters; what a longer string grew is let go when the string is made. */
const KEPT_SCRATCH = 4096;

/** Longest text gathered, in characters: V8 makes no longer string (`String::kMaxLength`). */
const MAX_STRING = 0x1fffffe8;

let latin1Scratch = new Uint8Array(KEPT_SCRATCH);
let latin1View = new DataView(latin1Scratch.buffer);
let utf16Scratch = new Uint16Array(KEPT_SCRATCH);
let utf16Bytes = new Uint8Array(utf16Scratch.buffer);

/** The byte an escape letter matchesWithin for, 0 for a letter that is no escape. `u` is not in it. */
const ESCAPED = new Uint8Array(256);
for (const [letter, byte] of Object.entries({ '"': 34, "\\": 92, "/": 47, b: 8, f: 12, n: 10, r: 13, t: 9 })) {
  ESCAPED[letter.charCodeAt(0)] = byte;
}

/** A hexadecimal digit's value, {@linkcode NOT_HEX} for any other byte: so large that it shows in any sum of digits. */
const NOT_HEX = 0x100;
const HEX = new Uint16Array(256).fill(NOT_HEX);
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit;
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

function growLatin1(used: number): void {
  const grown = new Uint8Array(2 * latin1Scratch.length);
  grown.set(latin1Scratch.subarray(0, used));
  latin1Scratch = grown;
  latin1View = new DataView(latin1Scratch.buffer);
}

function growUtf16(used: number): void {
  const grown = new Uint16Array(2 * utf16Scratch.length);
  grown.set(utf16Scratch.subarray(0, used));
  utf16Scratch = grown;
  utf16Bytes = new Uint8Array(utf16Scratch.buffer);
}

/** Lets go of what long strings made the scratch grow to. */
export function releaseScratch(): void {
  if (latin1Scratch.length > KEPT_SCRATCH) {
    latin1Scratch = new Uint8Array(KEPT_SCRATCH);
    latin1View = new DataView(latin1Scratch.buffer);
  }
  if (utf16Scratch.length > KEPT_SCRATCH) {
    utf16Scratch = new Uint16Array(KEPT_SCRATCH);
    utf16Bytes = new Uint8Array(utf16Scratch.buffer);
  }
}

/** The four hexadecimal digits at `p` as a code unit; -1 and a failure noted at the first byte that is none. */
function readHex4(bytes: Uint8Array, p: number, end: number): number {
  if (p + 4 <= end) {
    const high = HEX[bytes[p]] << 4 | HEX[bytes[p + 1]];
    const low = HEX[bytes[p + 2]] << 4 | HEX[bytes[p + 3]];
    if ((high | low) <= 0xff) return high << 8 | low;
  }
  while (p < end && HEX[bytes[p]] !== NOT_HEX) p++;
  fail("bad-unicode-escape", p);
  return -1;
}

/**
 * The code unit of the escape whose backslash is before `p`; -1 and a failure noted if it is none (RFC 8259 §7). Leaves the position
 * after it in `cursor`.
 */
function readEscape(bytes: Uint8Array, p: number, end: number): number {
  const letter = p < end ? bytes[p] : 0;
  if (letter === LOWER_U) {
    cursor.position = p + 5;
    return readHex4(bytes, p + 1, end);
  }
  cursor.position = p + 1;
  const unit = ESCAPED[letter];
  if (unit > 0) return unit;
  if (p >= end) fail("unexpected-end", end);
  else fail("bad-escape", p);
  return -1;
}

/**
 * The code point of the multi-byte UTF-8 sequence at `p`, -1 if it is not well-formed (Unicode 17, table 3-7:
 * no overlong forms, no surrogates, nothing above U+10FFFF).
 *
 * Precondition: `bytes[p] >= 0x80`. The sequence's length follows from the code point.
 */
function readCodePoint(bytes: Uint8Array, p: number, end: number): number {
  const b0 = bytes[p];
  if (b0 < 0xe0) {
    if (b0 < 0xc2 || p + 1 >= end) return -1;
    const b1 = bytes[p + 1];
    return (b1 & 0xc0) === 0x80 ? (b0 & 0x1f) << 6 | b1 & 0x3f : -1;
  }
  if (b0 < 0xf0) {
    if (p + 2 >= end) return -1;
    const b1 = bytes[p + 1];
    const b2 = bytes[p + 2];
    const point = (b0 & 0x0f) << 12 | (b1 & 0x3f) << 6 | b2 & 0x3f;
    const formed = (b1 & 0xc0) === 0x80 && (b2 & 0xc0) === 0x80 && point >= 0x800 && (point & 0xf800) !== 0xd800;
    return formed ? point : -1;
  }
  if (p + 3 >= end) return -1;
  const b1 = bytes[p + 1];
  const b2 = bytes[p + 2];
  const b3 = bytes[p + 3];
  const point = (b0 & 0x07) << 18 | (b1 & 0x3f) << 12 | (b2 & 0x3f) << 6 | b3 & 0x3f;
  const formed = b0 < 0xf5 && (b1 & 0xc0) === 0x80 && (b2 & 0xc0) === 0x80 && (b3 & 0xc0) === 0x80 &&
    point >= 0x10000 && point <= 0x10ffff;
  return formed ? point : -1;
}

/**
 * The text of a string value, or `null` with the failure noted.
 *
 * Precondition: `p` is after the opening quote; bytes can be read up to `readableEnd`, zeros from `end` on. Leaves the position after
 * the closing quote in `cursor`. A function of its own, for all that it is called for every value: the loop that calls it keeps
 * more in registers then (3 % on documents of strings).
 */
export function readStringValue(
  bytes: Uint8Array,
  view: DataView,
  strings: (string | null)[],
  p: number,
  end: number,
  readableEnd: number,
): string | null {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const start = p;
  // Eight bytes at a time, so that a short text costs one branch that cannot be foretold and not two.
  let attention = 0;
  for (const wordsEnd = (readableEnd | 0) - 8; p <= wordsEnd; p += 8) {
    // `needsAttention` twice, written out: until it is compiled, a call costs as much as all the rest (first call for sentences 0.51 → 0.60).
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
  if (p >= end || bytes[p] !== QUOTE || length > MAX_UNGUARDED_STRING) {
    return readStringToken(bytes, view, start, p, end);
  }
  cursor.position = p + 1;
  if (length === 0) return "";
  if (length === 1 || strings === NO_CACHE) return makeLatin1String(bytes, start, p);
  return length === 2 ? cachedPair(strings, bytes, view, start) : cachedString(strings, bytes, view, start, p);
}

/** A string token, its text or `null`. Preconditions and postconditions of {@linkcode readStringEscaped}, `q` being what `skipPlain` said. */
export function readStringToken(bytes: Uint8Array, view: DataView, p: number, q: number, end: number): string | null {
  if (q >= end || bytes[q] !== QUOTE) return readStringEscaped(bytes, view, p, q, end);
  cursor.position = q + 1;
  if (p === q) return "";
  try {
    return makeLatin1String(bytes, p, q);
  } catch {
    fail("string-too-long", p - 1);
    return null;
  }
}

/**
 * A string token that holds something else than plain ASCII, and any that is not terminated.
 *
 * Precondition: `start` is after the opening quote and `bytes[start, p)` is plain ASCII. Leaves the position after
 * the closing quote in `cursor`. Returns `null` and notes the failure for a token that is no JSON string (RFC 8259 §7).
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
  while (length > latin1Scratch.length - WORD) growLatin1(0);
  if (length <= WORDWISE_COPY && end - p >= WORD) {
    // What is copied beyond the plain bytes will be written over.
    for (let i = 0; i < length; i += WORD) latin1View.setInt32(i, view.getInt32(start + i, true), true);
  } else {
    latin1Scratch.set(new Uint8Array(view.buffer, view.byteOffset + start, length)); // `subarray` asks `bytes` for its constructor
  }
  let scratch = latin1Scratch;
  let words = latin1View;
  let capacity = scratch.length - WORD;
  // As long as the text shapeMatches Latin-1, one byte a character.
  for (;;) {
    const last = Math.min(end - WORD - 1, p + capacity - length);
    while (p <= last) {
      const word = view.getInt32(p, true);
      words.setInt32(length, word, true); // what is beyond the plain bytes will be written over
      const attention = needsAttention(word);
      if (attention === 0) {
        p += WORD;
        length += WORD;
        continue;
      }
      const plain = lowestByte(attention);
      p += plain;
      length += plain;
      // The common ones without a look at what else it might be (accented text and escapes 4 to 7 % faster).
      const pair = view.getUint16(p, true);
      if ((pair & 0xc0fe) === 0x80c2) {
        scratch[length] = (pair & 0x03) << 6 | pair >> 8 & 0x3f;
      } else {
        const byte = ESCAPED[pair >> 8];
        if ((pair & 0xff) !== BACKSLASH || byte === 0) break;
        scratch[length] = byte;
      }
      length++;
      p += 2;
    }
    if (p >= end) {
      fail("unterminated-string", end);
      return null;
    }
    let unit = bytes[p];
    if (unit < 0x80) {
      if (unit === QUOTE) break;
      p++;
      if (unit === BACKSLASH) {
        unit = readEscape(bytes, p, end);
        if (unit < 0) return null;
        if (unit > 0xff) return readStringWide(bytes, view, start, p - 1, end, length);
        p = cursor.position | 0;
      } else if (unit < 0x20) {
        fail("bad-control-character", p - 1);
        return null;
      }
    } else {
      if (unit < 0xc2 || unit > 0xc3) return readStringWide(bytes, view, start, p, end, length);
      const next = p + 1 < end ? bytes[p + 1] : 0;
      if ((next & 0xc0) !== 0x80) {
        fail("invalid-utf8", p);
        return null;
      }
      unit = (unit & 0x03) << 6 | next & 0x3f;
      p += 2;
    }
    if (length > capacity) {
      if (length > MAX_STRING) break;
      growLatin1(length);
      scratch = latin1Scratch;
      words = latin1View;
      capacity = scratch.length - WORD;
    }
    scratch[length++] = unit;
  }
  cursor.position = p + 1;
  return finishString(view, length, false, start, p);
}

/** The rest of a token whose text does not fit Latin-1, two bytes a character. The `length` characters before `p` are in `latin1Scratch`. */
function readStringWide(
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
  while (length > utf16Scratch.length - WORD) growUtf16(0);
  for (let i = 0; i < length; i++) utf16Scratch[i] = latin1Scratch[i];
  let scratch = utf16Scratch;
  let capacity = scratch.length - WORD; // a pair, or two characters at a time
  for (;;) {
    // Runs of three-byte sequences (CJK), then of two-byte ones (Cyrillic, Greek, …), and four-byte ones (emoji): one comparison for
    // all the marker bits.
    // Plain ASCII among them goes along. No character takes less than a byte, so that one bound is for both.
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
        const point = (word & 0x07) << 18 | (word & 0x3f00) << 4 | word >> 10 & 0xfc0 | word >> 24 & 0x3f;
        if (point < 0x10000 || point > 0x10ffff) break;
        scratch[length] = 0xd7c0 + (point >> 10);
        scratch[length + 1] = 0xdc00 | point & 0x3ff;
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
    if (p >= end) {
      fail("unterminated-string", end);
      return null;
    }
    let unit = bytes[p];
    if (unit < 0x80) {
      if (unit === QUOTE) break;
      p++;
      if (unit === BACKSLASH) {
        unit = readEscape(bytes, p, end);
        if (unit < 0) return null;
        p = cursor.position | 0;
      } else if (unit < 0x20) {
        fail("bad-control-character", p - 1);
        return null;
      }
    } else {
      unit = readCodePoint(bytes, p, end);
      if (unit < 0) {
        fail("invalid-utf8", p);
        return null;
      }
      p += unit < 0x800 ? 2 : unit < 0x10000 ? 3 : 4;
    }
    if (length > capacity) {
      if (length > MAX_STRING) break;
      growUtf16(length);
      scratch = utf16Scratch;
      capacity = scratch.length - WORD;
    }
    if (unit > 0xffff) {
      scratch[length++] = 0xd7c0 + (unit >> 10);
      unit = 0xdc00 | unit & 0x3ff;
    }
    scratch[length++] = unit;
  }
  cursor.position = p + 1;
  return finishString(view, length, true, start, p);
}

/** The gathered text as a string; `null` and a failure noted if it is longer than the engine allows. */
function finishString(view: DataView, length: number, isUtf16: boolean, start: number, end: number): string | null {
  if (length === 0) return "";
  // Told by its bytes, escapes and all.
  const known = findInL2(view, start, end);
  if (known !== null) return known;
  try {
    if (length > MAX_STRING) throw new RangeError();
    const text = isUtf16
      ? makeUtf16String(utf16Scratch, utf16Bytes, length)
      : makeLatin1String(latin1Scratch, 0, length);
    return insertInL2(text, start);
  } catch {
    fail("string-too-long", start - 1);
    return null;
  } finally {
    if (length > KEPT_SCRATCH) releaseScratch();
  }
}
