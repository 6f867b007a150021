/**
 * Conditions on the values at JSON Pointers, compiled and tested on bytes. Makes no value.
 *
 * @module
 */

import { defineElement } from "../engine/arrays.ts";
import { cursor } from "../base/cursor.ts";
import { compareNumber, isEqualTo, isNumber, wantedOf, type WantedValue } from "./compare_values.ts";
import { testedObject, testNode } from "./compile_mask.ts";
import { locateValues } from "./locate_values.ts";
import type { MaskNode } from "./mask_node.ts";
import { compilePointers, depthFound, type Pointer, type PointerTree, tokensOf } from "./pointer_node.ts";
import { type Selection, selectValue } from "./select_value.ts";

/** JSON value that a condition compares with. Integers beyond 2^53 are exact as `bigint`. */
export type ConditionValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ConditionValue[]
  | { readonly [name: string]: ConditionValue };

/**
 * Condition on the value at a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).
 *
 * - `=` and `!=` compare as JSON values: numbers by value, strings without their escapes, arrays and
 *   objects by content, whatever the order of names.
 * - `<`, `<=`, `>` and `>=` compare numbers, exactly. No other value fulfils them.
 * - `in` is `=` for one of several values.
 * - `exists` is fulfilled by any value or, with `false`, if there is none.
 *
 * Without a value at the pointer, no condition is fulfilled but that with `exists` and `false`. The
 * last of members with the same name counts.
 */
export type Condition =
  | readonly [pointer: Pointer, operator: "=" | "!=", value: ConditionValue]
  | readonly [pointer: Pointer, operator: "<" | "<=" | ">" | ">=", value: number | bigint]
  | readonly [pointer: Pointer, operator: "in", values: readonly ConditionValue[]]
  | readonly [pointer: Pointer, operator: "exists", exists?: boolean];

/** Operators of conditions. */
export const OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "in", "exists"] as const;
export type Operator = typeof OPERATORS[number];

/** Condition with its parts checked. */
export interface Test {
  readonly tokens: readonly string[];
  readonly operator: Operator;
  /** Values to compare with: several for `in`, none for `exists`. */
  readonly values: readonly WantedValue[];
  /** Whether there must be a value. */
  readonly exists: boolean;
}

/** All conditions of a filter, and where their values are looked for. */
export interface Conditions {
  readonly tests: readonly Test[];
  /** Tree of the values that a mask can have; `null` if it takes pointers. */
  readonly root: TestedNode | null;
  readonly tree: PointerTree;
}

/** Value that is tested, or has members that are. */
interface TestedNode {
  readonly names: string[];
  readonly members: TestedNode[];
  readonly tests: Test[];
  /** Mask whose leaves are answers of tests. */
  mask: MaskNode | null;
  /** Whether no value fulfils all tests here and below. */
  canBeMissing: boolean;
}

const { isArray } = Array;
const { isFinite } = Number;

function wrongCondition(number: number, problem: string): TypeError {
  return new TypeError(`Cannot filter by ${number < 0 ? "this" : `condition ${number}`}: ${problem}`);
}

/**
 * Reads conditions, as programs write them.
 *
 * @throws {TypeError} If one is wrong. The message has its number, from 0.
 */
export function conditionsOf(conditions: unknown): Conditions {
  if (!isArray(conditions)) {
    throw wrongCondition(-1, 'expected an array of conditions such as ["/level", "=", "error"]');
  }
  const tests: Test[] = [];
  for (let i = 0; i < conditions.length; i++) defineElement(tests, i, testOf(conditions[i], i));
  return compileTests(tests);
}

function testOf(condition: unknown, number: number): Test {
  if (!isArray(condition)) throw wrongCondition(number, 'expected an array such as ["/level", "=", "error"]');
  const { length } = condition;
  const pointer = length > 0 ? condition[0] : undefined;
  const operator = length > 1 ? condition[1] : undefined;
  const value = length > 2 ? condition[2] : undefined;
  if (!isOperator(operator)) {
    let expected = "";
    for (let i = 0; i < OPERATORS.length; i++) expected += `${i === 0 ? "" : " "}${OPERATORS[i]}`;
    throw wrongCondition(number, `expected one of the operators ${expected}`);
  }
  if (length !== 3 && !(length === 2 && operator === "exists")) {
    throw wrongCondition(number, `expected a pointer, "${operator}" and a value`);
  }
  let tokens: string[];
  try {
    tokens = tokensOf(pointer);
  } catch {
    throw wrongCondition(number, 'expected a JSON Pointer such as "/http/status"');
  }
  if (operator === "exists") {
    if (length === 3 && typeof value !== "boolean") throw wrongCondition(number, '"exists" takes true or false');
    return { tokens, operator, values: [], exists: length === 2 || value };
  }
  const values: WantedValue[] = [];
  if (operator === "in") {
    if (!isArray(value)) throw wrongCondition(number, '"in" takes an array of values');
    for (let i = 0; i < value.length; i++) defineElement(values, i, wantedValue(value[i], number));
  } else {
    defineElement(values, 0, wantedValue(value, number));
    if (isComparison(operator) && typeof value !== "number" && typeof value !== "bigint") {
      throw wrongCondition(number, `"${operator}" compares numbers`);
    }
  }
  return { tokens, operator, values, exists: true };
}

function isOperator(operator: unknown): operator is Operator {
  for (let i = 0; i < OPERATORS.length; i++) if (OPERATORS[i] === operator) return true;
  return false;
}

/** Returns whether an operator compares numbers by size. */
export function isComparison(operator: Operator): boolean {
  return operator[0] === "<" || operator[0] === ">";
}

function wantedValue(value: unknown, number: number): WantedValue {
  const wanted = typeof value === "number" && !isFinite(value) ? null : wantedOf(value, 0);
  if (wanted === null) throw wrongCondition(number, "expected a JSON value, of up to 256 levels");
  return wanted;
}

/** Compiles conditions. All of them must hold. */
export function compileTests(tests: readonly Test[]): Conditions {
  const pointers: (readonly string[])[] = [];
  for (let i = 0; i < tests.length; i++) defineElement(pointers, i, tests[i].tokens);
  return { tests, root: rootOf(tests), tree: compilePointers(pointers) };
}

/** Levels of the deepest mask. Deeper pointers take the tree. */
const MAX_DEPTH = 100;

/**
 * Returns a tree of the tested values that a mask can have, or `null` if none can: the elements of
 * an array one by one, a value both whole and in parts, or all of a document.
 */
function rootOf(tests: readonly Test[]): TestedNode | null {
  const root = newTestedNode();
  for (let i = 0; i < tests.length; i++) {
    const { tokens } = tests[i];
    if (tokens.length === 0 || tokens.length > MAX_DEPTH) return null;
    let node = root;
    for (let depth = 0; depth < tokens.length; depth++) {
      const token = tokens[depth];
      if (token !== "" && !(token[0] < "0" || token[0] > "9")) return null; // may be an index
      if (node.tests.length > 0) return null;
      let member = -1;
      for (let k = 0; k < node.names.length; k++) if (node.names[k] === token) member = k;
      if (member < 0) {
        member = node.names.length;
        defineElement(node.names, member, token);
        defineElement(node.members, member, newTestedNode());
      }
      node = node.members[member];
    }
    if (node.names.length > 0) return null;
    defineElement(node.tests, node.tests.length, tests[i]);
  }
  if (tests.length === 0) return null;
  compileMasks(root);
  return root;
}

function newTestedNode(): TestedNode {
  return { names: [], members: [], tests: [], mask: null, canBeMissing: true };
}

/** Sets the mask of a node and of those below. Returns it. */
function compileMasks(node: TestedNode): MaskNode {
  const { tests, names, members } = node;
  if (tests.length > 0) {
    for (let i = 0; i < tests.length; i++) node.canBeMissing &&= !tests[i].exists;
    return node.mask = testNode((bytes, start, end) => {
      for (let i = 0; i < tests.length; i++) if (!holds(tests[i], bytes, start, end)) return false;
      return true;
    });
  }
  const children: MaskNode[] = [];
  for (let i = 0; i < members.length; i++) {
    defineElement(children, i, compileMasks(members[i]));
    node.canBeMissing &&= members[i].canBeMissing;
  }
  return node.mask = testedObject(names, children);
}

/**
 * Reads the value at `p` as far as it takes to test it. Returns whether it fulfils all conditions.
 * The position after it is in `cursor`, or a sentinel: the value is cut, or a failure was located.
 *
 * Precondition: there is a root.
 */
export function selectMatch({ root }: Conditions, selection: Selection, p: number): boolean {
  const answers = selectValue(selection, root!.mask, p);
  return cursor.position >= 0 && isFulfilled(root!, answers);
}

/** Returns whether the tests at a node and below are fulfilled: by answers where its mask has selected. */
function isFulfilled({ members, canBeMissing }: TestedNode, answers: unknown): boolean {
  if (typeof answers === "boolean") return answers;
  if (!isArray(answers)) return canBeMissing;
  for (let i = 0; i < members.length; i++) if (!isFulfilled(members[i], answers[i])) return false;
  return true;
}

/**
 * Returns whether the value at `p` fulfils all conditions.
 *
 * Precondition: it is well-formed, and ends before position 2^31.
 */
export function isMatchAt(conditions: Conditions, bytes: Uint8Array, view: DataView, p: number): boolean {
  locateValues(bytes, view, p, conditions.tree, false);
  return isMatch(conditions, bytes);
}

/** Returns whether the values at the nodes of the tree, which were located, fulfil all conditions. */
export function isMatch({ tests, tree: { ends } }: Conditions, bytes: Uint8Array): boolean {
  for (let i = 0; i < tests.length; i++) {
    const node = ends[i];
    if (depthFound(node) < node.depth) {
      if (tests[i].exists) return false;
    } else if (!holds(tests[i], bytes, node.start, node.end)) {
      return false;
    }
  }
  return true;
}

/** Returns whether a condition holds for the value `bytes[start, end)`. */
export function holds(
  { operator, values, exists }: Test,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (operator === "exists") return exists;
  if (isComparison(operator)) {
    if (!isNumber(bytes[start])) return false;
    const difference = compareNumber(values[0], bytes, start, end);
    if (difference === 0) return operator === "<=" || operator === ">=";
    return difference < 0 === (operator[0] === "<");
  }
  for (let i = 0; i < values.length; i++) if (isEqualTo(values[i], bytes, start, end)) return operator !== "!=";
  return operator === "!=";
}
