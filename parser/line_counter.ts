/**
 * Counts the lines of bytes that the streaming parser has read, in the fields of the validator's
 * machine. A failure needs them, and by then the bytes are gone.
 *
 * @module
 */

import * as failures from "./failure.ts";
import * as swar from "./swar.ts";
import * as validator from "./validator.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { countUtf16Units } = failures;
const { HIGH_BITS } = swar;
const { countPendingReturn, endLine } = validator;
type Machine = validator.Machine;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Bytes of a word. */
const WORD = 4;
const LINE_FEEDS = 0x0a0a0a0a;
const RETURNS = 0x0d0d0d0d;
/** Most words whose counts fit the bytes of an int32. */
const MAX_WORDS = 255;

/**
 * Counts the lines that end in `bytes[from, to)`, and the excess bytes of the last one. The byte at
 * 0 has offset `origin` in the input.
 *
 * Precondition: the bytes before `from` were counted.
 */
export function countLines(
  machine: Machine,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  from: number,
  to: number,
): void {
  if (from >= to) return;
  countPendingReturn(machine, origin + from, bytes[from]);
  const counts = countLineFeeds(bytes, view, from, to);
  if (counts < 0) {
    countBytewise(machine, bytes, origin, from, to);
    return;
  }
  if (counts > 1) {
    machine.lines += counts >> 1;
    machine.excessBytes = 0;
    const start = from;
    for (from = to; from > start && bytes[from - 1] !== LINE_FEED;) from--;
    machine.lineStart = origin + from;
  }
  if ((counts & 1) !== 0) machine.excessBytes += excessBytes(bytes, view, from, to);
}

/** Does what {@linkcode countLines} does, byte by byte. */
function countBytewise(machine: Machine, bytes: Uint8Array, origin: number, from: number, to: number): void {
  for (let p = from; p < to; p++) {
    const c = bytes[p];
    if (c === LINE_FEED) endLine(machine, origin + p + 1);
    else if (c === CARRIAGE_RETURN) {
      if (p + 1 === to) machine.isReturnPending = true;
      else if (bytes[p + 1] !== LINE_FEED) endLine(machine, origin + p + 1);
    } else if (c >= 0x80) machine.excessBytes += excessOf(c);
  }
}

/**
 * Returns by how much the bytes of a character outnumber its UTF-16 code units, given one of its
 * bytes: 1 for a continuation byte, except for one of the three in a four-byte sequence, and 0 for
 * any other.
 */
function excessOf(byte: number): number {
  return byte < 0xc0 ? 1 : byte >= 0xf0 ? -1 : 0;
}

/**
 * Counts line feeds, four bytes at a time without a branch. Returns twice their number, plus 1 if
 * not all bytes are ASCII; -1 if there is a carriage return.
 */
function countLineFeeds(bytes: Uint8Array, view: DataView, from: number, to: number): number {
  let p = from | 0;
  const wordEnd = (to | 0) - WORD;
  let count = 0;
  let returns = 0;
  let all = 0;
  while (p <= wordEnd) {
    let counts = 0; // one of each byte of the words
    for (const last = Math.min(wordEnd, p + MAX_WORDS * WORD - WORD); p <= last; p += WORD) {
      const word = view.getInt32(p, true);
      all |= word;
      const others = word ^ LINE_FEEDS;
      counts = counts + (~((others & 0x7f7f7f7f) + 0x7f7f7f7f | others) >>> 7 & 0x01010101) | 0;
      returns |= (word ^ RETURNS) - 0x01010101 & ~(word ^ RETURNS); // `hasZeroByte`
    }
    count += (counts & 0xff) + (counts >>> 8 & 0xff) + (counts >>> 16 & 0xff) + (counts >>> 24);
  }
  for (; p < to; p++) {
    const c = bytes[p];
    if (c === LINE_FEED) count++;
    else if (c === CARRIAGE_RETURN) return -1;
    all |= c;
  }
  if ((returns & HIGH_BITS) !== 0) return -1;
  return 2 * count + ((all & HIGH_BITS) === 0 ? 0 : 1);
}

/** Returns by how much bytes outnumber their UTF-16 code units. */
function excessBytes(bytes: Uint8Array, view: DataView, from: number, to: number): number {
  let p = from | 0;
  let excess = 0;
  for (const wordEnd = (to | 0) - WORD; p <= wordEnd; p += WORD) {
    excess += WORD - countUtf16Units(view.getInt32(p, true));
  }
  for (; p < to; p++) if (bytes[p] >= 0x80) excess += excessOf(bytes[p]);
  return excess;
}
