/**
 * Compiles a mask, as a program writes it, to nodes.
 *
 * @module
 */

import { defineElement, packedArray, resetArrayPrototypeCheck } from "../engine/arrays.ts";
import { makeKey } from "../objects/key.ts";
import { newGapTable } from "./gaps.ts";
import { ARRAY_MASK, type LeafTest, type MaskNode, OBJECT_MASK, RANGE_MASK } from "./mask_node.ts";
import { newNameTable } from "./name_table.ts";
import { MISSING } from "./selected_object.ts";

/** Key of the mask for all members of an object that are not named. */
export const every: unique symbol = /* @__PURE__ */ Symbol("every");

/** Levels of the deepest mask: reading calls itself along it. */
const MAX_MASK_DEPTH = 200;

/** Values of an object with up to so many members are made by a literal. */
const LITERAL_VALUES = 4;

const { isArray } = Array;
const { ownKeys } = Reflect;
const NO_VIEW = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));
const NO_NAMES: readonly string[] = [];
const NO_CHILDREN: readonly (MaskNode | null)[] = [];

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

function newNode(
  kind: number,
  wantsRanges: boolean,
  names: readonly string[],
  children: readonly (MaskNode | null)[],
  rest: MaskNode | null | undefined,
  element: MaskNode | null,
  test: LeafTest | null = null,
): MaskNode {
  resetArrayPrototypeCheck(); // no parse begins here, and reading the mask may run code of the program
  const members = { __proto__: null } as unknown as Record<string, number>;
  for (let i = 0; i < names.length; i++) members[names[i]] = i;
  return {
    kind,
    wantsRanges,
    names,
    members,
    children,
    table: newNameTable(names),
    rest,
    element,
    test,
    noValues: packedArray<unknown>(names.length < LITERAL_VALUES ? LITERAL_VALUES : names.length, MISSING),
    firstKey: makeKey("", 0, 0, 0, NO_VIEW, -1),
    gaps: newGapTable(),
    constructors: {
      found: -1,
      construct: null,
      all: { __proto__: null } as unknown as Record<number, never>,
      count: 0,
    },
  };
}

/** Mask of the whole range of a value. */
const RANGE = /* @__PURE__ */ newNode(RANGE_MASK, true, NO_NAMES, NO_CHILDREN, undefined, null);

/** Returns the node of a leaf that is tested. */
export function testNode(test: LeafTest): MaskNode {
  return newNode(RANGE_MASK, true, NO_NAMES, NO_CHILDREN, undefined, null, test);
}

/** Returns the node of an object some of whose members are tested. */
export function testedObject(names: readonly string[], children: readonly MaskNode[]): MaskNode {
  return newNode(OBJECT_MASK, true, names, children, undefined, null);
}

/**
 * Returns the node of a mask, or `null` for `true`.
 *
 * @param wantsRanges Whether ranges are wanted in place of values: see {@linkcode MaskNode}.
 * @throws {TypeError} If the mask is wrong; the message names the place, as a JSON Pointer.
 */
export function compileMask(mask: unknown, wantsRanges: boolean = false): MaskNode | null {
  return compile(mask, wantsRanges, "", 0);
}

function compile(mask: unknown, wantsRanges: boolean, place: string, depth: number): MaskNode | null {
  if (mask === true) return wantsRanges ? RANGE : null;
  if (depth > MAX_MASK_DEPTH) throw wrongMask("", `it has more than ${MAX_MASK_DEPTH} levels, or contains itself`);
  if (typeof mask !== "object" || mask === null) {
    throw wrongMask(place, "expected true, an array of one mask or an object of masks");
  }
  if (isArray(mask)) {
    if (mask.length !== 1) throw wrongMask(place, "expected one mask, for all elements, in an array");
    const element = compile(mask[0], wantsRanges, `${place}/-`, depth + 1);
    return newNode(ARRAY_MASK, wantsRanges, NO_NAMES, NO_CHILDREN, undefined, element);
  }
  const names: string[] = [];
  const children: (MaskNode | null)[] = [];
  let rest: MaskNode | null | undefined = undefined;
  const keys = ownKeys(mask);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const child = (mask as Record<PropertyKey, unknown>)[key];
    if (typeof key === "string") {
      const node = compile(child, wantsRanges, `${place}/${escapeToken(key)}`, depth + 1);
      defineElement(children, names.length, node);
      defineElement(names, names.length, key);
    } else if (key === every) {
      rest = compile(child, wantsRanges, `${place}/[every]`, depth + 1);
    } else {
      throw wrongMask(place, `${String(key)} is no name`);
    }
  }
  return newNode(OBJECT_MASK, wantsRanges, names, children, rest, null);
}
