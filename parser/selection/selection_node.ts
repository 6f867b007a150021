/**
 * Tree of the selected parts of a document, to which masks, JSON Pointers, conditions and outlines of
 * the command line are compiled. `whole_walker.ts` reads whole values along a tree, and
 * `path_walker.ts` values that may be incomplete.
 */

import { OPEN_BRACE, OPEN_BRACKET } from "../base/ascii.ts";
import { decodeName, hasEscape, MAX_ESCAPE, propertyNameOf } from "../base/decode_name.ts";
import type { Constructor } from "../objects/generated_constructors.ts";
import type { Key } from "../objects/key.ts";
import type { FoundPlace } from "./found_place.ts";
import type { GapTable } from "./gaps.ts";
import { findMember, type NameTable } from "./name_table.ts";

/** A node wants no entries of a container. */
export const NO_ENTRIES = 0;
/** A node wants members by name, or elements by index. */
export const SOME_ENTRIES = 1;
/** A node wants the same, and has tests of the container itself. */
export const SOME_TESTED = 2;
/** A node wants all entries. */
export const ALL_ENTRIES = 3;

/**
 * Value of a member that is missing, in masks with more than `MAX_BITS` names, or that was left
 * out, among those that the mask does not name. No input has this value.
 */
export const MISSING: object = {};

/**
 * Node of the tree: the selected parts of a value. `null` in its place: all of the value. A node that
 * wants no entries is a leaf: it applies to any value, and the other nodes to containers.
 */
export interface SelectionNode {
  /** Wanted entries of an object, and of an array. */
  ofObject: number;
  ofArray: number;
  /** Names of the selected members of an object, in the order of the mask, and their nodes. */
  names: readonly string[];
  children: readonly (SelectionNode | null)[];
  /** Members by name: see {@linkcode propertyNameOf}. */
  readonly members: Record<string, number>;
  /** Members by the bytes of their names; `null` for fewer than two that pointers name. */
  table: NameTable | null;
  /** Maximum length of a name, in UTF-16 code units. */
  longestName: number;
  /** Node of all other members; `undefined` if they are not wanted. */
  readonly rest: SelectionNode | null | undefined;
  /** Node of each element of an array; `undefined` if some are wanted, or none. */
  readonly every: SelectionNode | null | undefined;
  /** Children that are elements, in the order of their indexes. */
  elements: readonly SelectionNode[];
  /** Number of the node among its siblings, and its index as an element, or -1. */
  readonly member: number;
  readonly index: number;
  /**
   * Whether leaves become {@linkcode ValueRange}s, and objects arrays of them, with `MISSING` or
   * `null` for missing members.
   */
  wantsRanges: boolean;
  /**
   * Tests of the value in a tree of conditions, all of whose nodes have some or none; `null` in
   * other trees. The result of each value is then a set of the tests that hold in it, as bits.
   */
  test: ValueTest | null;
  /** Place of the value of a pointer; `null` in masks. */
  readonly place: FoundPlace | null;
  // For the whole walker: `null` if it does not read along the node.
  /** Values of a container before its entries are read: as many as names, and four at least. */
  noValues: unknown[] | null;
  /** Parts and range that all documents reuse; `null` if a document may have several. */
  ownParts: unknown[] | null;
  ownRange: { start: number; end: number } | null;
  /** Entry before the first key of an object, where all members are read. */
  firstKey: Key | null;
  /** Gaps of the objects seen so far. */
  gaps: GapTable | null;
  /** Constructors of the objects seen so far: see `value_maker.ts`. */
  constructors: SelectedConstructors | null;
}

/**
 * Makes a node that wants no entries by name or index.
 *
 * @param every Node of each element of an array; `undefined` for none.
 */
export function newNode(
  wantsRanges: boolean,
  every: SelectionNode | null | undefined,
  rest: SelectionNode | null | undefined = undefined,
  place: FoundPlace | null = null,
  member = -1,
  index = -1,
): SelectionNode {
  return {
    ofObject: NO_ENTRIES,
    ofArray: every === undefined ? NO_ENTRIES : ALL_ENTRIES,
    names: [],
    children: [],
    members: { __proto__: null } as unknown as Record<string, number>,
    table: null,
    longestName: 0,
    rest,
    every,
    elements: [],
    member,
    index,
    wantsRanges,
    test: null,
    place,
    noValues: null,
    ownParts: null,
    ownRange: null,
    firstKey: null,
    gaps: null,
    constructors: null,
  };
}

/** Tests of a value. */
export interface ValueTest {
  /**
   * Returns the bits of the tests that hold for `bytes[start, end)`. Gets the tests themselves, so
   * that one function serves all: V8 inlines it.
   */
  readonly answer: (test: ValueTest, bytes: Uint8Array, start: number, end: number) => number;
  readonly tests: readonly unknown[];
}

/** Positions of a value's first byte, and after its last one. */
export interface ValueRange {
  readonly start: number;
  readonly end: number;
}

/** Constructors of selected objects: one for each set of members. */
export interface SelectedConstructors {
  /** Members of the objects that `construct` makes, one bit each. */
  found: number;
  /** Constructor of those objects; `null` if there is none. */
  construct: Constructor | null;
  /** Constructors by the members of their objects. Without a prototype. */
  readonly all: Record<number, Constructor>;
  count: number;
}

/** Returns whether a node applies to any value. */
export function isLeaf({ ofObject, ofArray }: SelectionNode): boolean {
  return ofObject + ofArray === NO_ENTRIES;
}

/** Returns whether a value with this first byte is a container. */
export function isContainer(c: number): boolean {
  return c === OPEN_BRACE || c === OPEN_BRACKET;
}

/** Returns whether a node wants entries of a value with this first byte. */
export function wantsEntries({ ofObject, ofArray }: SelectionNode, c: number): boolean {
  return c === OPEN_BRACE ? ofObject !== NO_ENTRIES : c === OPEN_BRACKET && ofArray !== NO_ENTRIES;
}

/** Returns the member whose name the well-formed `bytes[start, end)` spell, or -1. */
export function memberNamed(
  { longestName, members, table }: SelectionNode,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end - start > MAX_ESCAPE * longestName) return -1;
  if (table !== null && !hasEscape(bytes, start, end)) return findMember(table, bytes, start, end);
  return members[propertyNameOf(decodeName(bytes, start, end))] ?? -1;
}
