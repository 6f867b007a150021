/**
 * String tokens that are more than a run of plain ASCII: escapes, UTF-8, and what is wrong with them.
 * Text is gathered in one scratch buffer and decoded once, so the result is flat.
 *
 * @module
 */

import * as recent from "./recent_texts.ts";
import * as scan from "./scan.ts";
import * as state from "./state.ts";
import * as flatText from "./text.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { farText, keepFar, NO_TEXTS, recentPair, recentText } = recent;
const { lowest, MARKS, marks, skipPlain } = scan;
const { cursor, fail } = state;
const { latin1Text, utf16Text } = flatText;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** The bits that mark a sequence of four bytes, as a little-endian word. */
const FOUR_BYTES = 0x808080f0 | 0;

/** Bytes of a word, and characters of room the scratch has beyond what is in it. */
const WORD = 4;

/** Up to here copying words beats making a view for `set`. In bytes. */
const WORDWISE_COPY = 512;

/** Longest text made without a guard against the engine's limit on strings, in characters. */
const MAX_QUICK_TEXT = 4096;

/** Scratch kept between calls, in characters; what a longer string grew is let go when the string is made. */
const KEPT_SCRATCH = 4096;

/** Longest text gathered, in characters: V8 makes no longer string (`String::kMaxLength`). */
const MAX_TEXT = 0x1fffffe8;

let narrow = new Uint8Array(KEPT_SCRATCH);
let narrowView = new DataView(narrow.buffer);
let wide = new Uint16Array(KEPT_SCRATCH);
let wideBytes = new Uint8Array(wide.buffer);

/** The byte an escape letter stands for, 0 for a letter that is no escape. `u` is not in it. */
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

function growNarrow(used: number): void {
  const grown = new Uint8Array(2 * narrow.length);
  grown.set(narrow.subarray(0, used));
  narrow = grown;
  narrowView = new DataView(narrow.buffer);
}

function growWide(used: number): void {
  const grown = new Uint16Array(2 * wide.length);
  grown.set(wide.subarray(0, used));
  wide = grown;
  wideBytes = new Uint8Array(wide.buffer);
}

/** Lets go of what long strings made the scratch grow to. */
export function releaseScratch(): void {
  if (narrow.length > KEPT_SCRATCH) {
    narrow = new Uint8Array(KEPT_SCRATCH);
    narrowView = new DataView(narrow.buffer);
  }
  if (wide.length > KEPT_SCRATCH) {
    wide = new Uint16Array(KEPT_SCRATCH);
    wideBytes = new Uint8Array(wide.buffer);
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
 * Precondition: `p` is after the opening quote; bytes can be read up to `reach`, zeros from `end` on. Leaves the position after
 * the closing quote in `cursor`. A function of its own, for all that it is called for every value: the loop that calls it keeps
 * more in registers then (3 % on documents of strings).
 */
export function readText(
  bytes: Uint8Array,
  view: DataView,
  texts: (string | null)[],
  p: number,
  end: number,
  reach: number,
): string | null {
  p |= 0; // integers to the engine from the start
  end |= 0;
  const start = p;
  // Eight bytes at a time, so that a short text costs one branch that cannot be foretold and not two.
  let marked = 0;
  for (const wordsEnd = (reach | 0) - 8; p <= wordsEnd; p += 8) {
    // `marks` twice, written out: until it is compiled, a call costs as much as all the rest (first call for sentences 0.51 → 0.60).
    const first = view.getInt32(p, true);
    const second = view.getInt32(p + 4, true);
    const low = first | (first ^ 0x02020202) - 0x21212121 | (first ^ 0x5c5c5c5c) - 0x01010101;
    const high = second | (second ^ 0x02020202) - 0x21212121 | (second ^ 0x5c5c5c5c) - 0x01010101;
    marked = (low | high) & MARKS;
    if (marked !== 0) {
      p += (low & MARKS) !== 0 ? lowest(low & MARKS) : 4 + lowest(high & MARKS);
      break;
    }
  }
  if (marked === 0) p = skipPlain(bytes, p, end);
  const length = p - start;
  if (p >= end || bytes[p] !== QUOTE || length > MAX_QUICK_TEXT) return readString(bytes, view, start, p, end);
  cursor.position = p + 1;
  if (length === 0) return "";
  if (length === 1 || texts === NO_TEXTS) return latin1Text(bytes, start, p);
  return length === 2 ? recentPair(texts, bytes, view, start) : recentText(texts, bytes, view, start, p);
}

/** A string token, its text or `null`. Preconditions and postconditions of {@linkcode readEscapedString}, `q` being what {@linkcode skipPlain} said. */
export function readString(bytes: Uint8Array, view: DataView, p: number, q: number, end: number): string | null {
  if (q >= end || bytes[q] !== QUOTE) return readEscapedString(bytes, view, p, q, end);
  cursor.position = q + 1;
  if (p === q) return "";
  try {
    return latin1Text(bytes, p, q);
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
function readEscapedString(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  p: number,
  end: number,
): string | null {
  p |= 0; // integers to the engine from the start
  end |= 0;
  let length = p - start | 0;
  while (length > narrow.length - WORD) growNarrow(0);
  if (length <= WORDWISE_COPY && end - p >= WORD) {
    // What is copied beyond the plain bytes will be written over.
    for (let i = 0; i < length; i += WORD) narrowView.setInt32(i, view.getInt32(start + i, true), true);
  } else {
    narrow.set(new Uint8Array(view.buffer, view.byteOffset + start, length)); // `subarray` asks `bytes` for its constructor
  }
  let scratch = narrow;
  let words = narrowView;
  let room = scratch.length - WORD;
  // As long as the text fits Latin-1, one byte a character.
  for (;;) {
    const last = Math.min(end - WORD - 1, p + room - length);
    while (p <= last) {
      const word = view.getInt32(p, true);
      words.setInt32(length, word, true); // what is beyond the plain bytes will be written over
      const marked = marks(word);
      if (marked === 0) {
        p += WORD;
        length += WORD;
        continue;
      }
      const plain = lowest(marked);
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
        if (unit > 0xff) return readWideString(bytes, view, start, p - 1, end, length);
        p = cursor.position | 0;
      } else if (unit < 0x20) {
        fail("bad-control-character", p - 1);
        return null;
      }
    } else {
      if (unit < 0xc2 || unit > 0xc3) return readWideString(bytes, view, start, p, end, length);
      const next = p + 1 < end ? bytes[p + 1] : 0;
      if ((next & 0xc0) !== 0x80) {
        fail("invalid-utf8", p);
        return null;
      }
      unit = (unit & 0x03) << 6 | next & 0x3f;
      p += 2;
    }
    if (length > room) {
      if (length > MAX_TEXT) break;
      growNarrow(length);
      scratch = narrow;
      words = narrowView;
      room = scratch.length - WORD;
    }
    scratch[length++] = unit;
  }
  cursor.position = p + 1;
  return finish(view, length, false, start, p);
}

/** The rest of a token whose text does not fit Latin-1, two bytes a character. The `length` characters before `p` are in `narrow`. */
function readWideString(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  p: number,
  end: number,
  length: number,
): string | null {
  p |= 0; // integers to the engine from the start
  end |= 0;
  length |= 0;
  while (length > wide.length - WORD) growWide(0);
  for (let i = 0; i < length; i++) wide[i] = narrow[i];
  let scratch = wide;
  let room = scratch.length - WORD; // a pair, or two characters at a time
  for (;;) {
    // Runs of three-byte sequences (CJK), then of two-byte ones (Cyrillic, Greek, …), and four-byte ones (emoji): one comparison for
    // all the marker bits.
    // Plain ASCII among them goes along. No character takes less than a byte, so that one bound is for both.
    const last = Math.min(end - WORD, p + room - length);
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
      } else if ((word & 0xc0c0c0f8 | 0) === FOUR_BYTES) {
        const point = (word & 0x07) << 18 | (word & 0x3f00) << 4 | word >> 10 & 0xfc0 | word >> 24 & 0x3f;
        if (point < 0x10000 || point > 0x10ffff) break;
        scratch[length] = 0xd7c0 + (point >> 10);
        scratch[length + 1] = 0xdc00 | point & 0x3ff;
        length += 2;
        p += 4;
      } else if (marks(word) === 0) {
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
    if (length > room) {
      if (length > MAX_TEXT) break;
      growWide(length);
      scratch = wide;
      room = scratch.length - WORD;
    }
    if (unit > 0xffff) {
      scratch[length++] = 0xd7c0 + (unit >> 10);
      unit = 0xdc00 | unit & 0x3ff;
    }
    scratch[length++] = unit;
  }
  cursor.position = p + 1;
  return finish(view, length, true, start, p);
}

/** The gathered text as a string; `null` and a failure noted if it is longer than the engine allows. */
function finish(view: DataView, length: number, isWide: boolean, start: number, end: number): string | null {
  if (length === 0) return "";
  // Told by its bytes, escapes and all.
  const known = farText(view, start, end);
  if (known !== null) return known;
  try {
    if (length > MAX_TEXT) throw new RangeError();
    const text = isWide ? utf16Text(wide, wideBytes, length) : latin1Text(narrow, 0, length);
    return keepFar(text, start);
  } catch {
    fail("string-too-long", start - 1);
    return null;
  } finally {
    if (length > KEPT_SCRATCH) releaseScratch();
  }
}
