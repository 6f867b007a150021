/**
 * Masks, compiled: what is wanted of a value, node by node.
 *
 * @module
 */

import type { Constructor } from "../objects/generated_constructors.ts";
import type { Key } from "../objects/key.ts";
import type { GapTable } from "./gaps.ts";
import type { NameTable } from "./name_table.ts";

/** Kinds of nodes: the container that a node applies to, or none. */
export const OBJECT_MASK = 0;
export const ARRAY_MASK = 1;
export const RANGE_MASK = 2;

/** Node of a mask; `null` in its place takes a value whole. */
export interface MaskNode {
  readonly kind: number;
  /**
   * Whether leaves become {@linkcode ValueRange}s, and objects arrays of them: `null` or `MISSING`
   * for absent members.
   */
  readonly wantsRanges: boolean;
  /** Names of the wanted members of an object, in the order of the mask. */
  readonly names: readonly string[];
  /** Members by name, from 0. Without a prototype. */
  readonly members: Readonly<Record<string, number>>;
  /** Masks of these members. */
  readonly children: readonly (MaskNode | null)[];
  /** Members by the bytes of their names. */
  readonly table: NameTable;
  /** Mask of all other members; `undefined` if they are not wanted. */
  readonly rest: MaskNode | null | undefined;
  /** Mask of the elements of an array. */
  readonly element: MaskNode | null;
  /** Test of a leaf, whose answer takes the place of the range; `null` for none. */
  readonly test: LeafTest | null;
  /** Values of an object before its members are read: as many as names, and four at least. */
  readonly noValues: unknown[];
  /** Entry before the first key of an object, where all members are read. */
  readonly firstKey: Key;
  /** Gaps of the objects met so far. */
  readonly gaps: GapTable;
  /** Constructors of the objects met so far: see `selected_object.ts`. */
  readonly constructors: SelectedConstructors;
}

/** Returns whether the value `bytes[start, end)` fulfils the conditions on it. */
export type LeafTest = (bytes: Uint8Array, start: number, end: number) => boolean;

/** Positions of a value's first byte, and after its last one. */
export interface ValueRange {
  readonly start: number;
  readonly end: number;
}

/** Constructors of selected objects: one for each set of members. */
export interface SelectedConstructors {
  /** Members of the objects that `construct` makes, one bit each. */
  found: number;
  /** `null` if none was made, or none can be. */
  construct: Constructor | null;
  /** Constructors by the members of their objects. Without a prototype. */
  readonly all: Record<number, Constructor>;
  count: number;
}
