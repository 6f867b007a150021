/**
 * Exact comparison of results, and objects to compare values with. Runs in any runtime.
 *
 * @module
 */

import { difference } from "../../bench/support/difference.ts";
import type { ParseResult } from "../../parse_binary.ts";

export { difference };

const FAILURE_FIELDS = ["code", "message", "offset", "line", "column", "truncated"] as const;

/**
 * Finds a difference between two results: outcome, value, or any field of a failure.
 *
 * @returns The difference in words, or `undefined` for equal results.
 */
export function resultDifference(actual: ParseResult, expected: ParseResult): string | undefined {
  if (actual.ok && expected.ok) return difference(actual.value, expected.value);
  if (actual.ok) return `accepted instead of ${JSON.stringify(expected)}`;
  if (expected.ok) return `rejected: ${actual.message}, offset ${actual.offset}`;
  if (FAILURE_FIELDS.every((field) => actual[field] === expected[field])) return undefined;
  return `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
}

/** Creates an object of properties in the given order; `"__proto__"` is one like any other. */
export function own(...properties: [key: string, value: unknown][]): object {
  const object = {};
  for (const [key, value] of properties) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return object;
}
