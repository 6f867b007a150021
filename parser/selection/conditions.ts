/**
 * Conditions on the values at paths, compiled and tested on bytes. Makes no value.
 *
 * The paths of conditions become a tree, along which the whole walker reads. It returns the tests
 * that hold, as bits: a test holds if a value at its path fulfils it. From these bits, it evaluates
 * whether the conditions hold together.
 */

import { cursor } from "../base/cursor.ts";
import { defineElement } from "../engine/arrays.ts";
import {
  compareTo,
  contains,
  endsWith,
  expectedOf,
  type ExpectedValue,
  isEqualTo,
  isIn,
  listOf,
  searchTable,
  startsWith,
  type ValueList,
} from "./compare_values.ts";
import { every, prepareAll } from "./compile_mask.ts";
import { addChild, indexOfToken, type Pointer, sortElements, tokensOf } from "./pointers.ts";
import type { Selection } from "./selection.ts";
import { ALL_ENTRIES, newNode, NO_ENTRIES, type SelectionNode, SOME_TESTED, type ValueTest } from "./selection_node.ts";
import { selectValue } from "./whole_walker.ts";

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
 * Test of the value at a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).
 *
 * - `=` and `!=` compare as JSON values: numbers by value, strings without their escapes, arrays
 *   and objects by content, in any order of names.
 * - `<`, `<=`, `>` and `>=` compare numbers exactly, and strings by their code points. A string and
 *   a number never fulfil them.
 * - `startsWith`, `endsWith` and `contains` look for a text in a string.
 * - `in` is `=` for one of several values.
 * - `exists` is fulfilled by any value or, with `false`, if there is none.
 *
 * Without a value at the pointer, only a test with `exists` and `false` is fulfilled. The last of
 * members with the same name counts.
 *
 * A pointer that is an array may have {@linkcode every} for each element of an array and each
 * member of an object: one of them has to fulfil the test.
 */
export type ConditionTest =
  | readonly [pointer: Pointer, operator: "=" | "!=", value: ConditionValue]
  | readonly [pointer: Pointer, operator: "<" | "<=" | ">" | ">=", value: number | bigint | string]
  | readonly [pointer: Pointer, operator: "startsWith" | "endsWith" | "contains", text: string]
  | readonly [pointer: Pointer, operator: "in", values: readonly ConditionValue[]]
  | readonly [pointer: Pointer, operator: "exists", exists?: boolean];

/**
 * Condition on a JSON text: a {@linkcode ConditionTest}, one or all of several conditions, or the
 * opposite of a condition. They can be nested 32 levels deep.
 *
 * `not` also holds if the value of a test is missing.
 */
export type Condition =
  | ConditionTest
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly not: Condition };

/** Operators of conditions. */
export const OPERATORS = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "exists",
  "startsWith",
  "endsWith",
  "contains",
] as const;
export type Operator = typeof OPERATORS[number];

/** Names and indexes that lead to a value, or {@linkcode every} for each of them. */
export type Path = readonly (string | typeof every)[];

/** Test with its parts checked. */
export interface Test {
  readonly path: Path;
  readonly operator: Operator;
  /** Value to compare with; `null` for `exists`. */
  readonly value: ExpectedValue | null;
  /** Values of `in`, and table of `contains`. */
  readonly list: ValueList | null;
  readonly table: Int32Array | null;
}

/** Condition with its parts checked. */
export type Rule = Test | { readonly joint: "any" | "all" | "not"; readonly rules: readonly Rule[] };

/** Test, and the bit for it among the answers of a pass over the value. */
interface PlacedTest extends Test {
  readonly pass: number;
  readonly bit: number;
}

type Formula = PlacedTest | { readonly joint: "any" | "all" | "not"; readonly formulas: readonly Formula[] };

/** Compiled conditions. */
export interface Conditions {
  /** Trees of the tests, each of which is read in a separate pass. */
  readonly passes: readonly SelectionNode[];
  /** Bits of the tests that hold, by pass. */
  readonly answers: Int32Array;
  /** Formula that has to hold. */
  readonly formula: Formula;
}

/** Maximum levels of a path: reading calls itself along the tree. */
const MAX_PATH = 200;

/** Levels of nested conditions. */
export const MAX_NESTING = 32;

/** Tests of a pass: with one bit each, their answers are small integers in every engine. */
const MAX_TESTS = 30;

function wrongCondition(number: number, problem: string): TypeError {
  return new TypeError(`Cannot filter by ${number < 0 ? "this" : `condition ${number}`}: ${problem}`);
}

/**
 * Reads the conditions of a caller.
 *
 * @throws {TypeError} If one is wrong. The message has its number, from 0.
 */
export function conditionsOf(conditions: unknown): Conditions {
  if (!Array.isArray(conditions)) {
    throw wrongCondition(-1, 'expected an array of conditions such as ["/level", "=", "error"]');
  }
  return compileRules(Array.from(conditions, (condition, number) => ruleOf(condition, number, 0)));
}

function ruleOf(condition: unknown, number: number, depth: number): Rule {
  if (Array.isArray(condition)) return testOf(condition, number);
  if (depth === MAX_NESTING) throw wrongCondition(number, `expected up to ${MAX_NESTING} levels`);
  const joints = typeof condition === "object" && condition !== null ? Object.keys(condition) : [];
  const joint = joints.length === 1 ? joints[0] : "";
  const inner = joint === "" ? undefined : (condition as Record<string, unknown>)[joint];
  if (joint === "not" && inner !== undefined) return { joint, rules: [ruleOf(inner, number, depth + 1)] };
  if (joint !== "any" && joint !== "all" || !Array.isArray(inner)) {
    throw wrongCondition(number, 'expected an array such as ["/level", "=", "error"], or { any }, { all } or { not }');
  }
  return { joint, rules: Array.from(inner, (condition) => ruleOf(condition, number, depth + 1)) };
}

function testOf(condition: readonly unknown[], number: number): Rule {
  // Not destructured, here and below: an iterator that is not finished looks for `return`, up to
  // `Object.prototype`.
  const { length } = condition;
  const pointer = length > 0 ? condition[0] : undefined;
  const operator = length > 1 ? condition[1] : undefined;
  const value = length > 2 ? condition[2] : undefined;
  if (!isOperator(operator)) throw wrongCondition(number, `expected one of the operators ${OPERATORS.join(" ")}`);
  if (length !== 3 && !(length === 2 && operator === "exists")) {
    throw wrongCondition(number, `expected a pointer, "${operator}" and a value`);
  }
  let path: Path;
  try {
    path = pathOf(pointer);
  } catch {
    throw wrongCondition(number, 'expected a JSON Pointer such as "/http/status"');
  }
  if (isTooDeep(path)) throw wrongCondition(number, `expected a JSON Pointer of up to ${MAX_PATH} tokens`);
  if (operator === "exists") {
    if (length === 3 && typeof value !== "boolean") throw wrongCondition(number, '"exists" takes true or false');
    return existsRule(path, value !== false);
  }
  if (operator === "in" && !Array.isArray(value)) throw wrongCondition(number, '"in" takes an array of values');
  const operand = expectedOf(value, 0);
  if (operand === null) throw wrongCondition(number, "expected a JSON value, of up to 256 levels");
  const needed = neededOperand(operator, operand);
  if (needed !== null) throw wrongCondition(number, `"${operator}" compares ${needed}`);
  return newTest(path, operator, operand);
}

function isOperator(operator: unknown): operator is Operator {
  return OPERATORS.includes(operator as Operator);
}

function pathOf(pointer: unknown): Path {
  if (!Array.isArray(pointer)) return tokensOf(pointer);
  return Array.from(pointer, (item) => item === every ? every : tokensOf([item])[0]);
}

/** Returns whether a path is too deep for a condition. */
export function isTooDeep(path: Path): boolean {
  return path.length > MAX_PATH;
}

/** Returns the kind of values that an operator needs, if this is none of them; otherwise `null`. */
export function neededOperand(operator: Operator, { content, decimal }: ExpectedValue): string | null {
  switch (operator) {
    case "<":
    case "<=":
    case ">":
    case ">=":
      return content === null && decimal === null ? "numbers or strings" : null;
    case "startsWith":
    case "endsWith":
    case "contains":
      return content === null ? "strings" : null;
  }
  return null;
}

/** Makes a test. The value of `in` is an array. */
export function newTest(path: Path, operator: Operator, value: ExpectedValue | null): Test {
  return {
    path,
    operator,
    value,
    list: operator === "in" ? listOf(value!.items) : null,
    table: operator === "contains" ? searchTable(value!) : null,
  };
}

/** Makes the rule that there is a value at a path, or that there is none. */
export function existsRule(path: Path, exists: boolean): Rule {
  const test = newTest(path, "exists", null);
  return exists ? test : { joint: "not", rules: [test] };
}

/** Compiles rules, all of which must hold. */
export function compileRules(rules: readonly Rule[]): Conditions {
  const passes: PlacedTest[][] = [[]];
  const formula = place({ joint: "all", rules }, passes);
  return {
    passes: passes.map((tests) => compilePass(tests)),
    answers: new Int32Array(passes.length),
    formula,
  };
}

/** Places the tests of a rule in passes. */
function place(rule: Rule, passes: PlacedTest[][]): Formula {
  if ("joint" in rule) return { joint: rule.joint, formulas: rule.rules.map((rule) => place(rule, passes)) };
  let pass = passes.findIndex((tests) =>
    tests.length < MAX_TESTS && !tests.some((test) => cannotShareTree(test, rule))
  );
  if (pass < 0) {
    pass = passes.length;
    defineElement(passes, pass, []);
  }
  const test = { ...rule, pass, bit: 1 << passes[pass].length };
  passes[pass] = [...passes[pass], test];
  return test;
}

/** Returns whether two paths diverge at an `every`. No tree can have both. */
function cannotShareTree({ path: a }: Test, { path: b }: Test): boolean {
  const i = a.findIndex((token, i) => i >= b.length || token !== b[i]);
  return i >= 0 && i < b.length && (a[i] === every || b[i] === every);
}

/** Compiles tests to a tree. */
function compilePass(tests: readonly PlacedTest[]): SelectionNode {
  const root = newConditionNode(tests, 0, -1, -1);
  prepareAll(root);
  return root;
}

/** Makes the node shared by tests whose paths lead to it, or through it. */
function newConditionNode(tests: readonly PlacedTest[], depth: number, member: number, index: number): SelectionNode {
  const own = tests.filter(({ path }) => path.length === depth);
  const groups = new Map<Path[number], PlacedTest[]>();
  for (const test of tests) {
    if (test.path.length === depth) continue;
    const token = test.path[depth];
    groups.set(token, [...groups.get(token) ?? [], test]);
  }
  const ofEvery = groups.get(every);
  const each = ofEvery && newConditionNode(ofEvery, depth + 1, -1, -1);
  const node = newNode(true, each, each, null, member, index);
  node.test = { answer, tests: own };
  if (each !== undefined) node.ofObject = ALL_ENTRIES;
  else {
    groups.forEach((group, token) => {
      const name = token as string;
      addChild(node, name, newConditionNode(group, depth + 1, node.names.length, indexOfToken(name)));
    });
    sortElements(node);
    if (own.length > 0) {
      if (node.ofObject !== NO_ENTRIES) node.ofObject = SOME_TESTED;
      if (node.ofArray !== NO_ENTRIES) node.ofArray = SOME_TESTED;
    }
  }
  return node;
}

/**
 * Reads and validates the value at `p`, and tests it. Returns whether it fulfils all conditions.
 * The position after it is in `cursor`, or a sentinel after a failure was located.
 */
export function fulfils(conditions: Conditions, selection: Selection, p: number): boolean {
  const { passes, answers } = conditions;
  for (let i = 0; i < passes.length; i++) {
    const answer = selectValue(selection, passes[i], p);
    if (cursor.position < 0) return false;
    answers[i] = answer as number;
  }
  return areFulfilled(conditions);
}

/** Returns whether the answers of all passes fulfil the conditions. */
export function areFulfilled({ answers, formula }: Conditions): boolean {
  return isTrue(formula, answers);
}

function isTrue(formula: Formula, answers: Int32Array): boolean {
  if ("bit" in formula) return (answers[formula.pass] & formula.bit) !== 0;
  const { joint, formulas } = formula;
  if (joint === "not") return !isTrue(formulas[0], answers);
  const isAny = joint === "any";
  for (let i = 0; i < formulas.length; i++) if (isTrue(formulas[i], answers) === isAny) return isAny;
  return !isAny;
}

function answer({ tests }: ValueTest, bytes: Uint8Array, start: number, end: number): number {
  let bits = 0;
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i] as PlacedTest;
    if (holds(test, bytes, start, end)) bits |= test.bit;
  }
  return bits;
}

/** Returns whether a test holds for the value `bytes[start, end)`. */
function holds({ operator, value, list, table }: Test, bytes: Uint8Array, start: number, end: number): boolean {
  switch (operator) {
    case "=":
      return isEqualTo(value!, bytes, start, end);
    case "!=":
      return !isEqualTo(value!, bytes, start, end);
    case "<":
      return compareTo(value!, bytes, start, end) < 0;
    case "<=":
      return compareTo(value!, bytes, start, end) <= 0;
    case ">":
      return compareTo(value!, bytes, start, end) > 0;
    case ">=":
      return compareTo(value!, bytes, start, end) >= 0;
    case "in":
      return isIn(list!, bytes, start, end);
    case "exists":
      return true;
    case "startsWith":
      return startsWith(value!, bytes, start, end);
    case "endsWith":
      return endsWith(value!, bytes, start, end);
    case "contains":
      return contains(value!, table!, bytes, start, end);
  }
}

/** Filter of values. Other folders call no other functions of this file: see `CompiledMask`. */
export interface Filter {
  readonly conditions: Conditions;
  readonly fulfils: typeof fulfils;
}

/** Makes a filter of compiled conditions. */
export function filterBy(conditions: Conditions): Filter {
  return { conditions, fulfils };
}

/**
 * Makes a filter from the conditions of a caller.
 *
 * @throws {TypeError} If one is wrong.
 */
export function filterOf(conditions: unknown): Filter {
  return filterBy(conditionsOf(conditions));
}
