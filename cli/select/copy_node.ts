/**
 * Masks and pointers, compiled to nodes along which the wanted bytes of documents are copied.
 *
 * @module
 */

import { propertyNameOf } from "../../parser/base/decode_name.ts";
import { compileMask, every } from "../../parser/wanted/compile_mask.ts";
import type { Wanted } from "../../parser/wanted/wanted.ts";
import { type NameTable, newNameTable } from "../../parser/wanted/name_table.ts";
import type { ObjectPicture, Picture } from "./mask_text.ts";

/** Kinds of nodes: values copied whole, and containers copied in part. */
export const WHOLE = 0;
export const OBJECT = 1;
export const ARRAY = 2;
/** The object or array at a token of a pointer. */
export const STEP = 3;
/** The array whose elements are results of their own. */
export const ELEMENTS = 4;

/** Node of a mask or of a pointer. */
export interface CopyNode {
  readonly kind: number;
  /**
   * Mask for the parser, which selects ranges by it; `null` if it cannot: `*` needs the bytes of
   * names.
   */
  readonly mask: Wanted | null;
  /** Wanted members, their nodes, and the bytes that are written before the value of each. */
  readonly members: Readonly<Record<string, number>>;
  readonly table: NameTable;
  readonly children: readonly CopyNode[];
  readonly prefixes: readonly Uint8Array[];
  /** Numbers of these members in `mask`, whose order differs if names are numbers. */
  readonly numbers: readonly number[];
  /** Node of all other members, or `null`. */
  readonly rest: CopyNode | null;
  /** Node of the elements of an array, or of the one with this index. */
  readonly element: CopyNode | null;
  readonly index: number;
}

/** Levels of the deepest mask that the parser compiles. */
const MAX_MASK_DEPTH = 200;

const encoder = new TextEncoder();

function newNode(
  kind: number,
  mask: Wanted | null,
  more: Partial<CopyNode> = {},
  names: readonly string[] = [],
): CopyNode {
  const members = { __proto__: null } as unknown as Record<string, number>;
  names.forEach((name, member) => members[name] = member);
  return {
    kind,
    mask,
    members,
    table: newNameTable(names),
    children: [],
    prefixes: names.map((name) => encoder.encode(`${JSON.stringify(name)}:`)),
    numbers: names.map((name) => mask?.members[propertyNameOf(name)] ?? -1),
    rest: null,
    element: null,
    index: -1,
    ...more,
  };
}

/** Node of a value that is copied whole. */
const WHOLE_VALUE = newNode(WHOLE, null);

/** Compiles a mask. */
export function compilePicture(picture: Picture): CopyNode {
  return compile(picture, hasRest(picture) ? null : compileMask(plainMask(picture), true));
}

/** @param mask The same, compiled by the parser; `null` if the parser cannot do so. */
function compile(picture: Picture, mask: Wanted | null): CopyNode {
  if (picture === true) return WHOLE_VALUE;
  if (picture.element !== undefined) {
    return newNode(ARRAY, mask, { element: compilePart(picture.element, mask && mask.every!) });
  }
  const { members, rest } = picture as ObjectPicture;
  const names = [...members.keys()];
  const children = names.map((name) =>
    compilePart(members.get(name)!, mask && mask.children[mask.members[propertyNameOf(name)]])
  );
  return newNode(OBJECT, mask, { children, rest: rest === undefined ? null : compilePart(rest, null) }, names);
}

function compilePart(picture: Picture, mask: Wanted | null): CopyNode {
  return mask === null ? compilePicture(picture) : compile(picture, mask);
}

function hasRest(picture: Picture): boolean {
  if (picture === true) return false;
  if (picture.element !== undefined) return hasRest(picture.element);
  const { members, rest } = picture as ObjectPicture;
  return rest !== undefined || [...members.values()].some(hasRest);
}

/** Returns a mask as programs write it. */
function plainMask(picture: Picture): unknown {
  if (picture === true) return true;
  if (picture.element !== undefined) return [plainMask(picture.element)];
  const { members, rest } = picture as ObjectPicture;
  const entries = Array.from(members, ([name, member]) => [name, plainMask(member)]);
  return { ...Object.fromEntries(entries), ...rest !== undefined && { [every]: plainMask(rest) } };
}

/**
 * Compiles the tokens of a pointer.
 *
 * @param hasElements Whether the elements of the array there are wanted, one by one.
 */
export function compileTokens(tokens: readonly string[], hasElements: boolean): CopyNode {
  let node = hasElements ? newNode(ELEMENTS, null, { element: WHOLE_VALUE }) : WHOLE_VALUE;
  for (const token of tokens.toReversed()) {
    const index = /^(?:0|[1-9]\d{0,15})$/.test(token) ? Number(token) : -1;
    node = newNode(STEP, null, { children: [node], element: node, index }, [token]);
  }
  return node;
}

/** Path of members to a value: a mask of it alone, and the numbers of the members. */
export interface NamePath {
  readonly mask: Wanted;
  readonly numbers: readonly number[];
}

/** Returns the path of a pointer's value, or `null` if it may lead through arrays. */
export function namePathOf(root: CopyNode): NamePath | null {
  const names: string[] = [];
  let node = root;
  for (; node.kind === STEP; node = node.children[0]) {
    if (node.index >= 0) return null;
    names.push(Object.keys(node.members)[0]);
  }
  if (names.length > MAX_MASK_DEPTH) return null;
  const mask = names.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), true);
  return { mask: compileMask(mask, true)!, numbers: names.map(() => 0) };
}
