/** Reference of conditions: follows paths in values, and tests what it finds. */

import { type Condition, type ConditionTest, every } from "../../select.ts";

/** Follows tokens in a value. Returns the values found: several of `every`. */
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

/** Compares a value with one of a condition: a number or a text with its like, nothing else. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return typeof a === "number" && typeof b !== "string" ? a - Number(b) : NaN;
}

/** Returns the code points of a text, apart from each other, so that none is half of a pair. */
const pointsOf = (text: unknown): string => Array.from(text as string, (character) => `${character}\n`).join("");

const TESTS: Record<ConditionTest[1], (found: unknown, wanted: unknown) => boolean> = {
  "=": equals,
  "!=": (found, wanted) => !equals(found, wanted),
  "<": (found, wanted) => compare(found, wanted) < 0,
  "<=": (found, wanted) => compare(found, wanted) <= 0,
  ">": (found, wanted) => compare(found, wanted) > 0,
  ">=": (found, wanted) => compare(found, wanted) >= 0,
  in: (found, wanted) => (wanted as readonly unknown[]).some((item) => equals(found, item)),
  exists: () => true,
  startsWith: (found, wanted) => typeof found === "string" && pointsOf(found).startsWith(pointsOf(wanted)),
  endsWith: (found, wanted) => typeof found === "string" && `\n${pointsOf(found)}`.endsWith(`\n${pointsOf(wanted)}`),
  contains: (found, wanted) => typeof found === "string" && `\n${pointsOf(found)}`.includes(`\n${pointsOf(wanted)}`),
};

export function fulfils(value: unknown, condition: Condition): boolean {
  if ("any" in condition) return condition.any.some((inner) => fulfils(value, inner));
  if ("all" in condition) return condition.all.every((inner) => fulfils(value, inner));
  if ("not" in condition) return !fulfils(value, condition.not);
  const [pointer, operator, wanted = true] = condition;
  const tokens = typeof pointer === "string" ? pointer.split("/").slice(1) : pointer;
  const found = valuesAt(tokens, value);
  if (operator === "exists") return found.length > 0 === wanted;
  return found.some((value) => TESTS[operator](value, wanted));
}

const SIGNS: Partial<Record<ConditionTest[1], string>> = { startsWith: "^=", endsWith: "$=", contains: "*=" };

/** Returns a condition as the command line takes it. */
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
