/** Conditions on the values at JSON Pointers, compiled and tested on bytes. Makes no value. */

import { defineElement } from "../engine/arrays.ts";
import { cursor } from "../base/cursor.ts";
import { propertyNameOf } from "../base/decode_name.ts";
import { compareNumber, isEqualTo, isNumber, wantedOf, type WantedValue } from "./compare_values.ts";
import { prepareAll } from "./compile_mask.ts";
import { compilePointers, type Pointer, type PointerTree, tokensOf } from "./pointers.ts";
import { MISSING } from "./selected_object.ts";
import { NO_ENTRIES, SOME_TESTED, type ValueTest, type Wanted } from "./wanted.ts";
import { type Selection, selectValue } from "./whole_walker.ts";

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
 * - `=` and `!=` compare as JSON values: numbers by value, strings without their escapes, arrays
 *   and
 *   objects by content, whatever the order of names.
 * - `<`, `<=`, `>` and `>=` compare numbers, exactly. No other value fulfils them.
 * - `in` is `=` for one of several values.
 * - `exists` holds if there is a value or, with `false`, if there is none.
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

/** All conditions of a filter, and the tree of the values that they test. */
export interface Conditions {
  readonly tests: readonly Test[];
  readonly tree: PointerTree;
  /** Members that lead from the root to the node of each test. */
  readonly paths: readonly (readonly number[])[];
}

const { isArray } = Array;

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
  if (isTooDeep(tokens)) throw wrongCondition(number, `expected a JSON Pointer of up to ${MAX_POINTER_DEPTH} tokens`);
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
  const wanted = wantedOf(value, 0);
  if (wanted === null) throw wrongCondition(number, "expected a JSON value, of up to 256 levels");
  return wanted;
}

/** Levels of the deepest pointer of a condition: reading calls itself along the tree. */
const MAX_POINTER_DEPTH = 200;

/** Returns whether a pointer is too deep for a condition. */
export function isTooDeep(tokens: readonly string[]): boolean {
  return tokens.length > MAX_POINTER_DEPTH;
}

/** Compiles conditions. All of them must hold. */
export function compileTests(tests: readonly Test[]): Conditions {
  const pointers: (readonly string[])[] = [];
  for (let i = 0; i < tests.length; i++) defineElement(pointers, i, tests[i].tokens);
  const tree = compilePointers(pointers);
  const paths: number[][] = [];
  for (let i = 0; i < tests.length; i++) {
    const { tokens } = tests[i];
    const members: number[] = [];
    let node: Wanted = tree.root;
    for (let depth = 0; depth < tokens.length; depth++) {
      defineElement(members, depth, node.members[propertyNameOf(tokens[depth])]);
      node = node.children[members[depth]]!;
    }
    defineElement(paths, i, members);
    const canBeMissing = !tests[i].exists;
    const { test } = node;
    if (test === null) node.test = { holds: holdAll, canBeMissing, tests: [tests[i]] };
    else {
      defineElement(test.tests, test.tests.length, tests[i]);
      test.canBeMissing &&= canBeMissing;
    }
    if (node.ofObject !== NO_ENTRIES) node.ofObject = SOME_TESTED;
    if (node.ofArray !== NO_ENTRIES) node.ofArray = SOME_TESTED;
  }
  prepareAll(tree.root);
  return { tests, tree, paths };
}

/**
 * Reads the value at `p` as far as it takes to test it. Returns whether it fulfils all conditions.
 * The position after it is in `cursor`, or a sentinel: the value is cut, or a failure was located.
 */
export function selectMatch(conditions: Conditions, selection: Selection, p: number): boolean {
  const answers = selectValue(selection, conditions.tree.root, p);
  return cursor.position >= 0 && areFulfilled(conditions, answers);
}

/** Returns whether all answers of the values that were met fulfil the tests. */
function areFulfilled({ tree: { ends }, paths }: Conditions, answers: unknown): boolean {
  for (let i = 0; i < paths.length; i++) {
    const members = paths[i];
    let answer = answers;
    for (let k = 0; k < members.length; k++) answer = isArray(answer) ? answer[members[k]] : undefined;
    if (answer === false) return false;
    if ((answer === undefined || answer === null || answer === MISSING) && !ends[i].test!.canBeMissing) return false;
  }
  return true;
}

function holdAll(test: ValueTest, bytes: Uint8Array, start: number, end: number): boolean {
  const tests = test.tests as Test[];
  for (let i = 0; i < tests.length; i++) if (!holds(tests[i], bytes, start, end)) return false;
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

/** Filter of values. Other folders call no others of its functions: see `CompiledMask`. */
export interface Filter {
  readonly conditions: Conditions;
  readonly selectMatch: typeof selectMatch;
}

/** Makes a filter of compiled conditions. */
export function filterBy(conditions: Conditions): Filter {
  return { conditions, selectMatch };
}

/**
 * Makes a filter of conditions, as programs write them.
 *
 * @throws {TypeError} If one is wrong.
 */
export function filterOf(conditions: unknown): Filter {
  return filterBy(conditionsOf(conditions));
}
