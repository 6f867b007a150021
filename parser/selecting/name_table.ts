/**
 * Finds the wanted member that a name spells, by the bytes of the name.
 *
 * @module
 */

import { defineElement } from "../engine/arrays.ts";
import { encodeUtf8 } from "./utf8.ts";
import type { NameTable } from "./mask_node.ts";

/** Kept, so that a program that replaces the global cannot make a search endless. */
const Words = Int32Array;

/** Slots for each name. */
const SLOTS_PER_NAME = 2;

/** Hashes a name: its length, and up to three bytes of it. */
function hashName(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  const hash = bytes[start] ^ bytes[end - 1] << 8 ^ bytes[start + end >> 1] << 16 ^ end - start << 24;
  return Math.imul(hash, 0x9e3779b1) ^ Math.imul(hash, 0x85ebca6b) >>> 15;
}

/** Makes the table of names. */
export function newNameTable(names: readonly string[]): NameTable {
  const encoded: Uint8Array[] = [];
  let size = 0;
  for (let i = 0; i < names.length; i++) {
    const bytes = encodeUtf8(names[i]);
    defineElement(encoded, i, bytes);
    size += bytes.length;
  }
  const bytes = new Uint8Array(size);
  const starts = new Words(names.length + 1);
  let slots = 1;
  while (slots < SLOTS_PER_NAME * names.length) slots *= 2;
  const heads = new Words(slots);
  const chain = new Words(names.length);
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
 * Cost: a few comparisons; the names of a mask are the program's, so hashes do not collide by
 * design of a stranger, and a mask of colliding names slows down nothing else.
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
