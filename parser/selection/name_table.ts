/** Finds the wanted member that a name spells, by the bytes of the name. */

import { encodeUtf8 } from "../base/encode_utf8.ts";

/** Slots for each name. */
const SLOTS_PER_NAME = 2;

/** Names by their bytes, in a hash table. */
export interface NameTable {
  /** UTF-8 of all names, one after the other, and where each begins; one more for the end. */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  /** First member of each hash plus 1, or 0; and the next one of the same hash plus 1. */
  readonly heads: Int32Array;
  readonly chain: Int32Array;
}

/** Secret of this process, so that nobody can choose colliding names: issues may be untrusted. */
const seed = /* @__PURE__ */ randomSeed();

function randomSeed(): number {
  return Math.random() * 2 ** 32 | 0;
}

/** Hashes a name (FNV-1a, with a secret beginning, and high bits mixed into low ones). */
function hashName(bytes: Uint8Array, start: number, end: number): number {
  let hash = seed;
  for (let p = start; p < end; p++) hash = Math.imul(hash ^ bytes[p], 0x01000193);
  return Math.imul(hash ^ hash >>> 15, 0x85ebca6b) ^ hash >>> 13;
}

/** Makes the table of names. */
export function newNameTable(names: readonly string[]): NameTable {
  const encoded = names.map((name) => encodeUtf8(name));
  let size = 0;
  for (const { length } of encoded) size += length;
  const bytes = new Uint8Array(size);
  const starts = new Int32Array(names.length + 1);
  let slots = 1;
  while (slots < SLOTS_PER_NAME * names.length) slots *= 2;
  const heads = new Int32Array(slots);
  const chain = new Int32Array(names.length);
  for (let member = 0, p = 0; member < names.length; member++) {
    bytes.set(encoded[member], p);
    const end = p + encoded[member].length;
    const slot = hashName(bytes, p, end) & slots - 1;
    chain[member] = heads[slot];
    heads[slot] = member + 1;
    starts[member + 1] = p = end;
  }
  return { bytes, starts, heads, chain };
}

/**
 * Returns the member whose name is `bytes[start, end)`, or -1. The name has no escapes.
 *
 * Cost: linear in the name.
 */
export function findMember(table: NameTable, bytes: Uint8Array, start: number, end: number): number {
  const { heads, starts } = table;
  const length = end - start;
  search: for (let next = heads[hashName(bytes, start, end) & heads.length - 1]; next !== 0;) {
    const member = next - 1;
    next = table.chain[member];
    const p = starts[member];
    if (starts[member + 1] - p !== length) continue;
    for (let i = length - 1; i >= 0; i--) if (table.bytes[p + i] !== bytes[start + i]) continue search;
    return member;
  }
  return -1;
}
