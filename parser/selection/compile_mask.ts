/** Compiles the mask of a caller to nodes. */

import { propertyNameOf } from "../base/decode_name.ts";
import { packedArray } from "../engine/arrays.ts";
import { NO_VIEW } from "../engine/no_bytes.ts";
import { makeKey } from "../objects/key.ts";
import { newGapTable } from "./gaps.ts";
import { newNameTable } from "./name_table.ts";
import { ALL_ENTRIES, MISSING, newNode, type SelectionNode, SOME_ENTRIES } from "./selection_node.ts";

/** Key of the mask for all members of an object that are not named. */
export const every: unique symbol = /* @__PURE__ */ Symbol("every");

/** Maximum levels of a mask: reading calls itself along it. */
const MAX_MASK_DEPTH = 200;

/** Maximum members of an object whose list of values is made by a literal. */
const LITERAL_VALUES = 4;

const NO_CHILDREN: readonly (SelectionNode | null)[] = [];

/** Makes the error for a part of a mask. */
function wrongMask(place: string, problem: string): TypeError {
  const where = place === "" ? "" : ` at "${place}"`;
  return new TypeError(`Cannot select by this mask: ${problem}${where}`);
}

/** Returns a token of a JSON Pointer (RFC 6901 §3). */
export function escapeToken(name: string): string {
  let token = "";
  for (let i = 0; i < name.length; i++) token += name[i] === "~" ? "~0" : name[i] === "/" ? "~1" : name[i];
  return token;
}

/** Makes the node of a mask. */
export function newMaskNode(
  wantsRanges: boolean,
  names: readonly string[] | null,
  children: readonly (SelectionNode | null)[] = NO_CHILDREN,
  rest?: SelectionNode | null,
  every?: SelectionNode | null,
): SelectionNode {
  const node = newNode(wantsRanges, every, rest);
  if (names !== null) {
    node.ofObject = rest === undefined ? SOME_ENTRIES : ALL_ENTRIES;
    node.names = names;
    node.children = children;
    for (let i = 0; i < names.length; i++) {
      node.members[propertyNameOf(names[i])] = i;
      if (names[i].length > node.longestName) node.longestName = names[i].length;
    }
  }
  node.table = newNameTable(node.names);
  prepare(node);
  return node;
}

/** Makes the node of a mask for the elements of an array at some indexes, in the order of these. */
export function newElementsNode(wantsRanges: boolean, indexes: readonly number[]): SelectionNode {
  const node = newNode(wantsRanges, undefined);
  const elements = indexes.map((index, member) => newNode(wantsRanges, undefined, undefined, null, member, index));
  node.ofArray = SOME_ENTRIES;
  node.names = indexes.map(String);
  node.children = elements;
  node.elements = elements.slice().sort((a, b) => a.index - b.index);
  prepare(node);
  return node;
}

/** Prepares a node for the whole walker. */
function prepare(node: SelectionNode): void {
  const { length } = node.names;
  node.noValues = packedArray<unknown>(length < LITERAL_VALUES ? LITERAL_VALUES : length, MISSING);
  node.firstKey = makeKey("", 0, 0, 0, NO_VIEW, -1);
  node.gaps = newGapTable();
  node.constructors = {
    found: -1,
    construct: null,
    all: { __proto__: null } as unknown as Record<number, never>,
    count: 0,
  };
}

/**
 * Lets the parts of a document replace those of the document before, in the same objects (`bytejson
 * select` of two members of log lines: +4 %).
 */
export function reuseParts(node: SelectionNode): void {
  const { length } = node.names;
  node.ownParts = packedArray<unknown>(length, MISSING);
  node.ownRange = { start: 0, end: 0 };
}

/** Prepares the nodes of pointers or conditions for the whole walker, which reuses their parts. */
export function prepareAll(node: SelectionNode): void {
  const { children, every, names } = node;
  prepare(node);
  reuseParts(node);
  node.table ??= newNameTable(names);
  for (const child of children) prepareAll(child!);
  if (every) prepareAll(every);
}

/**
 * Returns the node of a mask, or `null` for `true`.
 *
 * @throws {TypeError} If the mask is wrong; the message has the location, as a JSON Pointer.
 */
export function compileMask(mask: unknown): SelectionNode | null {
  return compile(mask, "", 0);
}

/** Returns the indexes of wanted elements. */
function indexesOf(mask: readonly unknown[], place: string): number[] {
  const met = new Set<unknown>();
  for (let i = 0; i < mask.length; i++) {
    const index = mask[i];
    if (!Number.isSafeInteger(index) || (index as number) < 0 || met.has(index)) {
      throw wrongMask(`${place}/${i}`, "expected different indexes, from 0,");
    }
    met.add(index);
  }
  return mask as number[];
}

function compile(mask: unknown, place: string, depth: number): SelectionNode | null {
  if (mask === true) return null;
  if (depth > MAX_MASK_DEPTH) throw wrongMask("", `it has more than ${MAX_MASK_DEPTH} levels, or contains itself`);
  if (typeof mask !== "object" || mask === null) {
    throw wrongMask(place, "expected true, an array of one mask or of indexes, or an object of masks");
  }
  if (Array.isArray(mask)) {
    if (mask.length > 0 && typeof mask[0] === "number") return newElementsNode(false, indexesOf(mask, place));
    if (mask.length !== 1) throw wrongMask(place, "expected one mask, for all elements, or indexes in an array");
    const element = compile(mask[0], `${place}/-`, depth + 1);
    return newMaskNode(false, null, NO_CHILDREN, undefined, element);
  }
  const masks = mask as Record<PropertyKey, unknown>;
  let rest: SelectionNode | null | undefined = undefined;
  for (const key of Object.getOwnPropertySymbols(mask)) {
    if (key !== every) throw wrongMask(place, `${String(key)} is not a name`);
    rest = compile(masks[every], `${place}/[every]`, depth + 1);
  }
  const names = Object.getOwnPropertyNames(mask);
  const children = names.map((name) => compile(masks[name], `${place}/${escapeToken(name)}`, depth + 1));
  return newMaskNode(false, names, children, rest);
}
