/**
 * Skips whitespace between tokens (RFC 8259 §2).
 *
 * @module
 */

import * as cursors from "./cursor.ts";
import * as swar from "./swar.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const needsLineCount = cursors.needsLineCount;
const FOUR_SPACES = swar.FOUR_SPACES, lowestByte = swar.lowestByte;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

type SkipWhitespace = (bytes: Uint8Array, p: number, end: number) => number;

/** Returns the position of the first byte from `p` on that is not whitespace, or `end`. */
export const skipWhitespace = /* @__PURE__ */ (function skipWhitespace(bytes, p, end) {
  while (p < end) {
    const c = bytes[p];
    if (c !== SPACE && c !== TAB) {
      if (c !== LINE_FEED && c !== CARRIAGE_RETURN) break;
      needsLineCount.passed = 1;
    }
    p++;
  }
  return p;
} satisfies SkipWhitespace).valueOf() as SkipWhitespace;

/** Eight spaces as a double: one comparison tests eight bytes, in either byte order. */
const EIGHT_SPACES = /* @__PURE__ */ new Float64Array(/* @__PURE__ */ new Uint8Array(8).fill(SPACE).buffer)[0];

type SkipIndentation = (bytes: Uint8Array, view: DataView, p: number, end: number) => number;

/**
 * Does what {@linkcode skipWhitespace} does, faster for the whitespace of real documents: one
 * space, or a line feed and spaces.
 *
 * Precondition: `p < end` and `bytes[p] <= SPACE`.
 */
export const skipIndentation = /* @__PURE__ */ (function skipIndentation(bytes, view, p, end) {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const c = bytes[p];
  if (c === SPACE) {
    p++;
    if (p < end && bytes[p] > SPACE) return p;
  } else if (c === LINE_FEED) {
    needsLineCount.passed = 1;
    p++;
    const last = end - 8;
    while (p <= last && view.getFloat64(p, true) === EIGHT_SPACES) p += 8;
    if (p <= last) {
      if (view.getInt32(p, true) === FOUR_SPACES) p += 4;
      const nonSpaces = view.getInt32(p, true) ^ FOUR_SPACES;
      if (nonSpaces !== 0) p += lowestByte(nonSpaces);
      if (bytes[p] > SPACE) return p;
    }
  }
  return skipWhitespace(bytes, p, end);
} satisfies SkipIndentation).valueOf() as SkipIndentation;
