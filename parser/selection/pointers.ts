/** JSON Pointers (RFC 6901), compiled to one tree. */

import { defineElement } from "../engine/arrays.ts";
import { propertyNameOf } from "../base/decode_name.ts";
import { type FoundPlace, newPlace } from "./found_place.ts";
import { newNameTable } from "./name_table.ts";
import { ALL_ENTRIES, newNode, type SelectionNode, SOME_ENTRIES } from "./selection_node.ts";

/**
 * Pointer as an array of names and indexes, such as the `path` of an issue that a schema
 * library has found. An item may also be an object with a name or index as its `key`
 * ([Standard Schema](https://standardschema.dev)).
 */
export type PointerPath = readonly (PropertyKey | { readonly key: PropertyKey })[];

/** JSON Pointer: a text that begins with a slash, `""` for the whole document, or a path. */
export type Pointer = string | PointerPath;

/** A compiled list of pointers. */
export interface PointerTree {
  readonly root: PointerNode;
  /** Nodes that the pointers lead to, in order. */
  readonly ends: readonly PointerNode[];
}

/** Node that pointers lead to or through. */
export type PointerNode = SelectionNode & { readonly place: FoundPlace };

/** Maximum index of an element. */
const MAX_INDEX = 2 ** 53 - 1;

/** Returns a list with another item: short ones by literals, ten times as fast. */
function appended<T>(list: readonly T[], item: T): T[] {
  switch (list.length) {
    case 0:
      return [item];
    case 1:
      return [list[0], item];
    case 2:
      return [list[0], list[1], item];
    case 3:
      return [list[0], list[1], list[2], item];
  }
  defineElement(list as T[], list.length, item);
  return list as T[];
}

function notPointer(): TypeError {
  return new TypeError('Cannot follow this JSON Pointer: expected a text such as "/data/items", or an array of names');
}

/**
 * Returns the tokens of a JSON Pointer (RFC 6901 §3 and §4).
 *
 * @throws {TypeError} If the text is not a JSON Pointer.
 */
export function parsePointer(pointer: string): string[] {
  let tokens: string[] = [];
  if (pointer === "") return tokens;
  if (typeof pointer !== "string" || pointer[0] !== "/") throw notPointer();
  let token = "";
  for (let i = 1; i < pointer.length; i++) {
    const character = pointer[i];
    if (character === "/") {
      tokens = appended(tokens, token);
      token = "";
    } else if (character === "~") {
      const digit = ++i < pointer.length ? pointer[i] : "";
      if (digit !== "0" && digit !== "1") throw notPointer();
      token += digit === "0" ? "~" : "/";
    } else {
      token += character;
    }
  }
  return appended(tokens, token);
}

/**
 * Returns the tokens of a pointer: of a text, or of an array of names, indexes and objects with
 * such a `key`.
 *
 * @throws {TypeError} If it is not one.
 */
export function tokensOf(pointer: unknown): string[] {
  if (!Array.isArray(pointer)) return parsePointer(pointer as string);
  let tokens: string[] = [];
  for (let i = 0; i < pointer.length; i++) {
    const item: unknown = pointer[i];
    const key = typeof item === "object" && item !== null ? (item as { key: unknown }).key : item;
    if (typeof key !== "string" && typeof key !== "number") throw notPointer();
    tokens = appended(tokens, `${key}`);
  }
  return tokens;
}

/**
 * Returns the tokens of each pointer of a list, or of the only pointer. An array is a list if all
 * its items are arrays, or texts that may be pointers.
 *
 * @throws {TypeError} If an item is not a pointer.
 */
export function pointersOf(pointers: unknown): { tokens: string[][]; isList: boolean } {
  if (!Array.isArray(pointers) || !isListOfPointers(pointers)) return { tokens: [tokensOf(pointers)], isList: false };
  let tokens: string[][] = [];
  for (let i = 0; i < pointers.length; i++) tokens = appended(tokens, tokensOf(pointers[i]));
  return { tokens, isList: true };
}

function isListOfPointers(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!Array.isArray(item) && (typeof item !== "string" || item !== "" && item[0] !== "/")) return false;
  }
  return items.length > 0;
}

/** Returns the index of an array that a token names (RFC 6901 §4), or -1. */
export function indexOfToken(token: string): number {
  if (token === "" || token.length > 1 && token[0] === "0") return -1;
  let index = 0;
  for (let i = 0; i < token.length; i++) {
    const digit = token[i];
    if (digit < "0" || digit > "9") return -1;
    index = 10 * index + +digit;
  }
  return index <= MAX_INDEX ? index : -1;
}

/** Makes the node of the value at a token of pointers. */
function newPointerNode(
  outer: FoundPlace | null,
  member: number,
  index: number,
  every: SelectionNode | null | undefined = undefined,
  rest: SelectionNode | null | undefined = undefined,
): PointerNode {
  return newNode(true, every, rest, newPlace(outer), member, index) as PointerNode;
}

/** Compiles pointers, each an array of tokens. */
export function compilePointers(pointers: readonly (readonly string[])[]): PointerTree {
  const root = newPointerNode(null, -1, -1);
  let ends: PointerNode[] = [];
  let forks: PointerNode[] = [];
  for (let i = 0; i < pointers.length; i++) {
    const tokens = pointers[i];
    let node = root;
    for (let depth = 0; depth < tokens.length; depth++) {
      node.place.pointerCount++;
      const token = tokens[depth];
      let member = node.members[propertyNameOf(token)];
      if (member === undefined) {
        member = addChild(node, token, newPointerNode(node.place, node.names.length, indexOfToken(token)));
        if (member === 1) forks = appended(forks, node);
      }
      node = node.children[member] as PointerNode;
    }
    node.place.pointerCount++;
    ends = appended(ends, node);
  }
  for (let i = 0; i < forks.length; i++) {
    const fork = forks[i];
    fork.table = newNameTable(fork.names);
    sortElements(fork);
  }
  return { root, ends };
}

/** Compiles a pointer to an array or object, all of whose elements or members are wanted. */
export function compileElements(tokens: readonly string[], ofObject = false): PointerTree {
  const { length } = tokens;
  const entriesOf = (depth: number) => {
    const all = depth === length ? null : undefined;
    return ofObject ? [undefined, all] as const : [all, undefined] as const;
  };
  const root = newPointerNode(null, -1, -1, ...entriesOf(0));
  let node = root;
  for (let depth = 0; depth < length; depth++) {
    const child = newPointerNode(node.place, 0, indexOfToken(tokens[depth]), ...entriesOf(depth + 1));
    addChild(node, tokens[depth], child);
    node = child;
  }
  if (ofObject) node.ofObject = ALL_ENTRIES;
  return { root, ends: [node] };
}

/** Adds the child that a token leads to. Returns its number. */
export function addChild(node: SelectionNode, token: string, child: SelectionNode): number {
  const member = node.names.length;
  node.members[propertyNameOf(token)] = member;
  node.names = appended(node.names, token);
  node.children = appended(node.children, child);
  if (token.length > node.longestName) node.longestName = token.length;
  node.ofObject = SOME_ENTRIES;
  if (child.index >= 0) {
    node.elements = appended(node.elements, child);
    node.ofArray = SOME_ENTRIES;
  }
  return member;
}

/** Puts the wanted elements of an array in the order of their indexes. */
export function sortElements({ elements }: SelectionNode): void {
  (elements as SelectionNode[]).sort((a, b) => a.index - b.index);
}
