/** Reference of filters: follows pointers in values, and tests conditions. */

import type { Condition } from "../../select.ts";

/** Follows tokens in a value. Returns an array of the value found; an empty one if there is none. */
export function valuesAt(tokens: readonly string[], value: unknown): unknown[] {
  for (const token of tokens) {
    if (typeof value !== "object" || value === null) return [];
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(token) || !Object.hasOwn(value, token)) return [];
    value = (value as Record<string, unknown>)[token];
  }
  return [value];
}

/** Returns whether two values are equal, whatever the order of names. */
function equals(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b) || Object.keys(a).length !== Object.keys(b).length) return false;
  return Object.entries(a).every(([name, value]) => Object.hasOwn(b, name) && equals(value, b[name as keyof object]));
}

const COMPARISONS: Record<string, (found: number, other: number) => boolean> = {
  "<": (found, other) => found < other,
  "<=": (found, other) => found <= other,
  ">": (found, other) => found > other,
  ">=": (found, other) => found >= other,
};

export function fulfils(value: unknown, [pointer, operator, wanted = true]: Condition): boolean {
  const tokens = typeof pointer === "string" ? pointer.split("/").slice(1) : pointer.map(String);
  const found = valuesAt(tokens, value);
  if (operator === "exists") return found.length > 0 === wanted;
  if (found.length === 0) return false;
  if (operator === "=" || operator === "!=") return equals(found[0], wanted) === (operator === "=");
  if (operator === "in") return (wanted as readonly unknown[]).some((item) => equals(found[0], item));
  return typeof found[0] === "number" && COMPARISONS[operator](found[0], Number(wanted));
}
