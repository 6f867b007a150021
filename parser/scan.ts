/**
 * Runs of bytes that need no look at each: whitespace, and plain ASCII in strings.
 *
 * @module
 */

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Position of the first byte from `p` on that is not whitespace (RFC 8259 §2), or `end`. */
export function skipWhitespace(bytes: Uint8Array, p: number, end: number): number {
  while (p < end) {
    const c = bytes[p];
    if (c !== SPACE && c !== LINE_FEED && c !== CARRIAGE_RETURN && c !== TAB) break;
    p++;
  }
  return p;
}

const FOUR_SPACES = 0x20202020;

/** Eight spaces as a double: one comparison tells whether eight bytes are spaces, in either byte order. */
const EIGHT_SPACES = new Float64Array(new Uint8Array(8).fill(SPACE).buffer)[0];

/**
 * {@linkcode skipWhitespace} with an eye to what there is in real documents: one space, or a line feed and spaces.
 *
 * Precondition: `p < end` and `bytes[p] <= SPACE`.
 */
export function skipIndentation(bytes: Uint8Array, view: DataView, p: number, end: number): number {
  p |= 0; // integers to the engine from the start
  end |= 0;
  const c = bytes[p];
  if (c === SPACE) {
    p++;
    if (p < end && bytes[p] > SPACE) return p;
  } else if (c === LINE_FEED) {
    p++;
    const last = end - 8;
    while (p <= last && view.getFloat64(p, true) === EIGHT_SPACES) p += 8;
    if (p <= last) {
      if (view.getInt32(p, true) === FOUR_SPACES) p += 4;
      const others = view.getInt32(p, true) ^ FOUR_SPACES;
      if (others !== 0) p += lowest(others);
      if (bytes[p] > SPACE) return p;
    }
  }
  return skipWhitespace(bytes, p, end);
}

/** The bits that {@linkcode marks} gives. */
export const MARKS = 0x80808080 | 0;

/**
 * Bits 0x80 in the bytes of a little-endian word that are a quote, a backslash, a control byte or not ASCII. Exact up to and
 * including the lowest: a borrow can only come from a byte that is already marked (Mycroft 1987). The exclusive or with 2
 * puts the quote next to the control bytes, 0x20, and the space where the quote was: one subtraction for both.
 */
export function marks(word: number): number {
  return (word | (word ^ 0x02020202) - 0x21212121 | (word ^ 0x5c5c5c5c) - 0x01010101) & 0x80808080;
}

/** Index of the lowest byte of a word that is not 0. Precondition: there is one. */
export function lowest(marked: number): number {
  return 31 - Math.clz32(marked & -marked) >> 3;
}

/** How many bytes of a word have their highest bit set. */
export function countMarked(word: number): number {
  return Math.imul(word >>> 7 & 0x01010101, 0x01010101) >>> 24;
}

/** {@linkcode skipPlainWords} without words, for the last bytes of an input. */
export function skipPlain(bytes: Uint8Array, p: number, end: number): number {
  while (p < end) {
    const c = bytes[p];
    if (c < SPACE || c === QUOTE || c === BACKSLASH || c >= 0x80) break;
    p++;
  }
  return p;
}

/** Position of the first byte from `p` on that is a quote, a backslash, a control byte or not ASCII, or `end`. */
export function skipPlainWords(bytes: Uint8Array, view: DataView, p: number, end: number): number {
  for (const wordEnd = end - 4; p <= wordEnd; p += 4) {
    const marked = marks(view.getInt32(p, true));
    if (marked !== 0) return p + lowest(marked);
  }
  return skipPlain(bytes, p, end);
}
