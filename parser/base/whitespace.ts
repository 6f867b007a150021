/** Skips whitespace between tokens (RFC 8259 §2). */

import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from "./ascii.ts";
import { lineCountHints } from "./cursor.ts";
import { FOUR_SPACES, lowestByte } from "./swar.ts";

/** Returns the position of the first byte from `p` on that is not whitespace, or `end`. */
export function skipWhitespace(bytes: Uint8Array, p: number, end: number): number {
  while (p < end) {
    const c = bytes[p];
    if (c !== SPACE && c !== TAB) {
      if (c !== LINE_FEED && c !== CARRIAGE_RETURN) break;
      lineCountHints.passed = 1;
    }
    p++;
  }
  return p;
}

/** Eight spaces as a double: one comparison tests eight bytes, in either byte order. */
const EIGHT_SPACES = /* @__PURE__ */ eightSpaces();

function eightSpaces(): number {
  return new Float64Array(new Uint8Array(8).fill(SPACE).buffer)[0];
}

/**
 * Like {@linkcode skipWhitespace}, but faster for the whitespace of real documents: one
 * space, or a line feed and spaces.
 *
 * Precondition: `p < end` and `bytes[p] <= SPACE`.
 */
export function skipIndentation(bytes: Uint8Array, view: DataView, p: number, end: number): number {
  p |= 0; // "Integers": see ARCHITECTURE.md
  end |= 0;
  const c = bytes[p];
  if (c === SPACE) {
    p++;
    if (p < end && bytes[p] > SPACE) return p;
  } else if (c === LINE_FEED) {
    lineCountHints.passed = 1;
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
}
