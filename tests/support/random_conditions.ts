/** Random conditions, and their reference, which follows paths in values. */

import type { Random } from "../../bench/support/random.ts";
import { type Condition, type ConditionTest, type ConditionValue, every } from "../../select.ts";

/** Values by their JSON, with other spellings of the same value. */
export const VALUES: readonly [json: string, spellings: string[]][] = [
  ["1", ["1", "1.0", "10e-1", "0.1E1"]],
  ["-2.5", ["-2.5", "-25e-1", "-2.50"]],
  ["0", ["0", "-0", "0e9", "0.0"]],
  ["1000", ["1000", "1e3", "1E+3"]],
  ['"a"', ['"a"', '"\\u0061"']],
  ['"é\\n"', ['"é\\n"', '"\\u00e9\\u000a"']],
  ['"\\"\\\\"', ['"\\"\\\\"', '"\\u0022\\u005c"']],
  ['"aabaab"', ['"aabaab"', '"aab\\u0061ab"']],
  ['"😀"', ['"😀"', '"\\ud83d\\ude00"']],
  ["null", ["null"]],
  ["true", ["true"]],
  ["[]", ["[]", "[ ]"]],
  ["[1,[2]]", ["[1,[2]]", "[ 1e0, [2.0] ]"]],
  ['{"x":1,"y":[]}', ['{"x":1,"y":[]}', '{"y":[],"x":1}', '{"x":2,"y":[],"\\u0078":1}']],
  ['{"x":2}', ['{"x":2}']],
  ["{}", ["{}"]],
];
export const SPELLINGS: string[] = VALUES.flatMap(([, spellings]) => spellings);
/** Names of members that conditions may ask for. */
export const CONDITION_NAMES = ["a", "b", "c", "0", "1", "é", "", "__proto__"];
const TEXTS = VALUES.map(([json]) => JSON.parse(json)).filter((value) => typeof value === "string");
/** Parts of texts, and other texts. */
const PARTS = ["", "\n", "\\", "\ud83d", "\ude00", "b", "ab", "aaba", "abaab", "aabaaba", ...TEXTS];
const OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "in", "exists", "startsWith", "endsWith", "contains"] as const;
const NUMBERS = [-2.5, 0, 1, 1000, 1n, 7];

/** Follows tokens in a value. Returns the values found, several for `every`. */
export function valuesAt(tokens: readonly unknown[], value: unknown): unknown[] {
  if (tokens.length === 0) return [value];
  if (typeof value !== "object" || value === null) return [];
  const [token, ...rest] = tokens;
  if (token === every) return Object.values(value).flatMap((inner) => valuesAt(rest, inner));
  const name = String(token);
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name) || !Object.hasOwn(value, name)) return [];
  return valuesAt(rest, (value as Record<string, unknown>)[name]);
}

/** Returns whether two values are equal, whatever the order of names. */
function equals(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b) || Object.keys(a).length !== Object.keys(b).length) return false;
  return Object.entries(a).every(([name, value]) => Object.hasOwn(b, name) && equals(value, b[name as keyof object]));
}

/** Compares texts by code points. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => Array.from(text, (character) => character.codePointAt(0)!));
  for (const [i, point] of left.entries()) if (point !== right[i]) return point - (right[i] ?? -1);
  return left.length - right.length;
}

/** Compares a value with that of a condition, if both are numbers or both are texts. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return typeof a === "number" && typeof b !== "string" ? a - Number(b) : NaN;
}

/** Returns the code points of a text, separated so that none is half of a pair. */
const pointsOf = (text: unknown): string => Array.from(text as string, (character) => `${character}\n`).join("");

const TESTS: Record<ConditionTest[1], (found: unknown, expected: unknown) => boolean> = {
  "=": equals,
  "!=": (found, expected) => !equals(found, expected),
  "<": (found, expected) => compare(found, expected) < 0,
  "<=": (found, expected) => compare(found, expected) <= 0,
  ">": (found, expected) => compare(found, expected) > 0,
  ">=": (found, expected) => compare(found, expected) >= 0,
  in: (found, expected) => (expected as readonly unknown[]).some((item) => equals(found, item)),
  exists: () => true,
  startsWith: (found, expected) => typeof found === "string" && pointsOf(found).startsWith(pointsOf(expected)),
  endsWith: (found, expected) =>
    typeof found === "string" && `\n${pointsOf(found)}`.endsWith(`\n${pointsOf(expected)}`),
  contains: (found, expected) =>
    typeof found === "string" && `\n${pointsOf(found)}`.includes(`\n${pointsOf(expected)}`),
};

export function fulfils(value: unknown, condition: Condition): boolean {
  if ("any" in condition) return condition.any.some((inner) => fulfils(value, inner));
  if ("all" in condition) return condition.all.every((inner) => fulfils(value, inner));
  if ("not" in condition) return !fulfils(value, condition.not);
  const [pointer, operator, expected = true] = condition;
  const tokens = typeof pointer === "string" ? pointer.split("/").slice(1) : pointer;
  const found = valuesAt(tokens, value);
  if (operator === "exists") return found.length > 0 === expected;
  return found.some((value) => TESTS[operator](value, expected));
}

const SIGNS: Partial<Record<ConditionTest[1], string>> = { startsWith: "^=", endsWith: "$=", contains: "*=" };

/** Returns a condition in the syntax of the command line. */
export function conditionText(condition: Condition): string {
  if ("not" in condition) return `not (${conditionText(condition.not)})`;
  if ("any" in condition || "all" in condition) {
    const [inner, word] = "any" in condition ? [condition.any, " or "] : [condition.all, " and "];
    if (inner.length === 0) return ` exists ${word === " and "}`;
    return `(${inner.map(conditionText).join(word)})`;
  }
  const [pointer, operator, value] = condition;
  const tokens = typeof pointer === "string" ? pointer.split("/").slice(1) : pointer;
  const path = tokens.map((token) => token === every ? "/*" : `/${JSON.stringify(String(token))}`).join("");
  if (operator === "exists") return `${path} exists${value === false ? " false" : ""}`;
  const json = JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? Number(inner) : inner);
  return operator === "in" ? `${path} in ${json}` : `${path}${SIGNS[operator] ?? operator}${json}`;
}

/** Generates a condition, or a tree of them. */
export function randomCondition(random: Random, depth = 0): Condition {
  const inner = () => Array.from({ length: random.below(4) }, () => randomCondition(random, depth + 1));
  if (depth < 3 && random.once(3)) {
    return random.pick<() => Condition>([
      () => ({ any: inner() }),
      () => ({ all: inner() }),
      () => ({ not: randomCondition(random, depth + 1) }),
    ])();
  }
  const tokens = Array.from(
    { length: random.below(3) + Number(!random.once(8)) },
    () => random.pick([...CONDITION_NAMES, every]),
  );
  const isText = random.once(2) && !tokens.includes(every);
  const pointer = isText ? tokens.map((token) => `/${String(token)}`).join("") : tokens;
  const value = (): ConditionValue => JSON.parse(random.pick(VALUES)[0]);
  const operator = random.pick(OPERATORS);
  switch (operator) {
    case "exists":
      return random.once(2) ? [pointer, operator] : [pointer, operator, random.once(2)];
    case "in":
      return [pointer, operator, Array.from({ length: random.below(9) }, value)];
    case "=":
    case "!=":
      return [pointer, operator, value()];
    case "startsWith":
    case "endsWith":
    case "contains":
      return [pointer, operator, random.pick(PARTS)];
    default:
      return [pointer, operator, random.pick<string | number | bigint>(random.once(2) ? PARTS : NUMBERS)];
  }
}
