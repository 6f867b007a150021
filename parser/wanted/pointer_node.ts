/**
 * JSON Pointers (RFC 6901), compiled to one tree.
 *
 * @module
 */

import { defineElement } from "../engine/arrays.ts";
import { propertyNameOf } from "../base/decode_name.ts";
import { type NameTable, newNameTable } from "./name_table.ts";

/**
 * Pointer as an array of names and indexes, such as the `path` of an issue that a schema library
 * has found. An item may also be an object with a name or index as its `key` ([Standard
 * Schema](https://standardschema.dev)).
 */
export type PointerPath = readonly (PropertyKey | { readonly key: PropertyKey })[];

/** JSON Pointer: a text that begins with a slash, `""` for the whole document, or a path. */
export type Pointer = string | PointerPath;

/**
 * Node of the tree: a value on the path of one or more pointers. It knows where that value is in the
 * document read last.
 */
export interface PointerNode {
  /** Number of tokens that lead to it. */
  readonly depth: number;
  readonly outer: PointerNode | null;
  /** Next tokens of the pointers, and the nodes that they lead to. */
  names: string[];
  children: PointerNode[];
  /** Length of the longest name, in UTF-16 code units. */
  longestName: number;
  /** Children by name: see {@linkcode propertyNameOf}. */
  readonly members: Record<string, number>;
  /** Children by the bytes of their names; `null` if there are fewer than two. */
  table: NameTable | null;
  /** Number of the element of an array that the last token names, or -1. */
  readonly index: number;
  /** Children that are elements of an array, in the order of their indexes. */
  elements: PointerNode[];
  /** Number of pointers that end here or below. */
  pointerCount: number;
  /** Offsets of the first byte of the value, and after the last one. */
  start: number;
  end: number;
  /**
   * Number of values that have begun at this node, in all documents; and that of the outer node when
   * the last one began. If another value of the outer node has begun since, this one is stale.
   */
  valueCount: number;
  outerCount: number;
  /** Number of pointers below whose answers are certain, if the first value counts. */
  settled: number;
}

/** A compiled list of pointers. */
export interface PointerTree {
  readonly root: PointerNode;
  /** Nodes that the pointers lead to, in order. */
  readonly ends: readonly PointerNode[];
}

/** Largest number of an element. */
const MAX_INDEX = 2 ** 53 - 1;

const { isArray } = Array;
const { apply } = Reflect;
const { sort } = Array.prototype;

/** Returns a list with another item. A literal takes a tenth of the time of `defineElement`. */
function appended<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  defineElement(list, list.length, item);
  return list;
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
 * @throws {TypeError} If it is none.
 */
export function tokensOf(pointer: unknown): string[] {
  if (!isArray(pointer)) return parsePointer(pointer as string);
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
 * @throws {TypeError} If an item is no pointer.
 */
export function pointersOf(pointers: unknown): { tokens: string[][]; isList: boolean } {
  if (!isArray(pointers) || !isListOfPointers(pointers)) return { tokens: [tokensOf(pointers)], isList: false };
  let tokens: string[][] = [];
  for (let i = 0; i < pointers.length; i++) tokens = appended(tokens, tokensOf(pointers[i]));
  return { tokens, isList: true };
}

function isListOfPointers(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!isArray(item) && (typeof item !== "string" || item !== "" && item[0] !== "/")) return false;
  }
  return items.length > 0;
}

/** Returns the index of an array that a token names (RFC 6901 §4), or -1. */
function indexOfToken(token: string): number {
  if (token === "" || token.length > 1 && token[0] === "0") return -1;
  let index = 0;
  for (let i = 0; i < token.length; i++) {
    const digit = token[i];
    if (digit < "0" || digit > "9") return -1;
    index = 10 * index + +digit;
  }
  return index <= MAX_INDEX ? index : -1;
}

function newNode(outer: PointerNode | null, index: number): PointerNode {
  return {
    depth: outer === null ? 0 : outer.depth + 1,
    outer,
    names: [],
    children: [],
    longestName: 0,
    members: { __proto__: null } as unknown as Record<string, number>,
    table: null,
    index,
    elements: [],
    pointerCount: 0,
    start: 0,
    end: 0,
    valueCount: 0,
    outerCount: -1,
    settled: 0,
  };
}

/** Compiles pointers, each an array of tokens. */
export function compilePointers(pointers: readonly (readonly string[])[]): PointerTree {
  const root = newNode(null, -1);
  let ends: PointerNode[] = [];
  let forks: PointerNode[] = [];
  for (let i = 0; i < pointers.length; i++) {
    const tokens = pointers[i];
    let node = root;
    for (let depth = 0; depth < tokens.length; depth++) {
      node.pointerCount++;
      const token = tokens[depth];
      const key = propertyNameOf(token);
      let member = node.members[key];
      if (member === undefined) {
        member = node.members[key] = node.names.length;
        const child = newNode(node, indexOfToken(token));
        node.names = appended(node.names, token);
        node.longestName = Math.max(node.longestName, token.length);
        node.children = appended(node.children, child);
        if (child.index >= 0) node.elements = appended(node.elements, child);
        if (member === 1) forks = appended(forks, node);
      }
      node = node.children[member];
    }
    node.pointerCount++;
    ends = appended(ends, node);
  }
  for (let i = 0; i < forks.length; i++) {
    const fork = forks[i];
    fork.table = newNameTable(fork.names);
    apply(sort, fork.elements, [byIndex]);
  }
  return { root, ends };
}

function byIndex(a: PointerNode, b: PointerNode): number {
  return a.index - b.index;
}

/** Returns how many tokens on the way to a node lead to a value of the current document. */
export function depthFound(node: PointerNode): number {
  let { depth } = node;
  for (let { outer } = node; outer !== null; node = outer, outer = node.outer) {
    if (node.outerCount !== outer.valueCount) depth = outer.depth;
  }
  return depth;
}
