/**
 * Gaps: all bytes between two values of an object, such as `, "name": `. The objects of a document
 * have few different gaps. Each one is read once; after that it is recognised by its words, which
 * needs neither the grammar nor the name (22 documents and masks, without gaps: 0.93 of the speed,
 * apache_builds 0.74).
 *
 * A table belongs to a node of a mask. It keeps the bytes of gaps between calls, names of members
 * among them, up to {@linkcode MAX_GAPS}.
 */

import { CARRIAGE_RETURN, LINE_FEED } from "../base/ascii.ts";
import { lineCountHints } from "../base/cursor.ts";

// Fields of an entry, in words.
/** Length of the gap in bytes. */
export const LENGTH = 0;
/** Last four bytes of the gap. */
export const LAST = 1;
/** Entry of the gap that followed last: the prediction. */
export const NEXT = 2;
/** Index of the wanted member that the gap names, or -1. */
export const MEMBER = 3;
/** Next entry with the same hash. */
const CHAIN = 4;
/** First word of the gap's bytes. */
export const WORDS = 5;
/** Words of an entry. */
export const STRIDE = 24;

/** Maximum bytes of a gap: an entry holds all its words but the last. */
const MAX_GAP = 4 * (STRIDE - WORDS);
/** Minimum bytes of a gap: one word. */
const MIN_GAP = 4;

/** Maximum number of gaps of a table. */
const MAX_GAPS = 124;
const HASH_BITS = 7;

/** Entry before the first gap of an object. */
export const START = 0;
/** Placeholder entry, which matches nothing. */
export const NONE: number = STRIDE;
const FIXED_ENTRIES = 2;

/** Length of a gap that no input has. */
const NO_LENGTH = 0x3fffffff;

/**
 * Budget of prediction: a hit adds 1, a miss costs {@linkcode MISS_COST}, and each object adds
 * {@linkcode OBJECT_REWARD}, so that prediction is tried again occasionally. At 0 nothing is
 * predicted or learned, since comparing would cost more than it saves.
 */
const FIRST_BUDGET = 128;
export const MAX_BUDGET = 512;
export const MISS_COST = 4;
export const OBJECT_REWARD = 4;

/** Gaps of the objects that a node of a mask has seen. */
export interface GapTable {
  /** Entries, {@linkcode STRIDE} words each; {@linkcode NO_GAPS} until one is learned. */
  words: Int32Array;
  /** First entry of each hash; 0 for none. */
  heads: Int16Array;
  count: number;
  budget: number;
  /** Whether a gap has a line end outside strings, or a byte beyond ASCII: see `lineCountHints`. */
  hasLineEnd: boolean;
  hasNonAscii: boolean;
}

const NO_GAPS = /* @__PURE__ */ new Int32Array(FIXED_ENTRIES * STRIDE);
NO_GAPS[NONE + LENGTH] = NO_LENGTH;
NO_GAPS[START + NEXT] = NO_GAPS[NONE + NEXT] = NONE;
const NO_HEADS = /* @__PURE__ */ new Int16Array(0);

/** Makes an empty table. */
export function newGapTable(): GapTable {
  return {
    words: NO_GAPS,
    heads: NO_HEADS,
    count: FIXED_ENTRIES,
    budget: FIRST_BUDGET,
    hasLineEnd: false,
    hasNonAscii: false,
  };
}

/** Returns the entry of the gap at `p`, of `length` bytes; 0 if there is none. */
function findGap(table: GapTable, view: DataView, p: number, length: number, last: number, hash: number): number {
  const { words, heads } = table;
  for (let entry = heads[hash]; entry !== 0; entry = words[entry + CHAIN]) {
    if (words[entry + LENGTH] !== length || words[entry + LAST] !== last) continue;
    let k = 0;
    while (k < length - 4 && words[entry + WORDS + (k >> 2)] === view.getInt32(p + k, true)) k += 4;
    if (k >= length - 4) return entry;
  }
  return 0;
}

/** Notes what skipped gaps may have had: see `lineCountHints`. */
export function noteLines({ hasLineEnd, hasNonAscii }: GapTable): void {
  if (hasLineEnd) lineCountHints.passed = 1;
  if (hasNonAscii) lineCountHints.passedNonAscii = 1;
}

/**
 * Learns the gap between `p` and `q`, which was read in full, and predicts it after the entry
 * `previous`. Returns its entry, or {@linkcode NONE} if the table has no room for it.
 *
 * @param member Number of the wanted member that it names, or -1.
 * @param end Position after the last byte that may be read.
 */
export function learnGap(
  table: GapTable,
  previous: number,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  q: number,
  end: number,
  member: number,
): number {
  const length = q - p;
  if (length < MIN_GAP || length > MAX_GAP || q > end) return NONE;
  if (table.words === NO_GAPS) {
    table.words = new Int32Array((FIXED_ENTRIES + MAX_GAPS) * STRIDE);
    table.words.set(NO_GAPS);
    table.heads = new Int16Array(1 << HASH_BITS);
  }
  const { words, heads } = table;
  const last = view.getInt32(q - 4, true);
  const before = view.getInt32(q - Math.min(length, 8), true);
  const hash = Math.imul(last ^ before >>> 7 ^ length << 4, 0x9e3779b1) >>> 32 - HASH_BITS;
  let entry = findGap(table, view, p, length, last, hash);
  if (entry === 0) {
    if (table.count === FIXED_ENTRIES + MAX_GAPS) return NONE;
    entry = table.count * STRIDE;
    words[entry + LENGTH] = length;
    words[entry + LAST] = last;
    words[entry + NEXT] = NONE;
    words[entry + MEMBER] = member;
    for (let k = 0; k < length - 4; k += 4) words[entry + WORDS + (k >> 2)] = view.getInt32(p + k, true);
    words[entry + CHAIN] = heads[hash];
    for (let i = p; i < q; i++) {
      if (bytes[i] >= 0x80) table.hasNonAscii = true;
      else if (bytes[i] === LINE_FEED || bytes[i] === CARRIAGE_RETURN) table.hasLineEnd = true;
    }
    heads[hash] = entry; // last: a stack that ends before leaves no half-made entry
    table.count++;
  }
  if (previous !== NONE) words[previous + NEXT] = entry;
  noteLines(table);
  return entry;
}
