/** Exact comparison of values and results. Runs in any runtime. */

import type { ParseResult } from "../../parse_binary.ts";

interface Pair {
  actual: object;
  expected: object;
  path: string;
}

/**
 * Finds a difference between two JSON values in kind, number (bit for bit, so -0 is not 0), text,
 * prototype, keys and their order, array length, holes, or attributes of a property. Does not
 * recurse, so that depth is unlimited.
 *
 * @returns The path and the difference in words, or `undefined` for equal values.
 */
export function difference(actual: unknown, expected: unknown): string | undefined {
  const pending: Pair[] = [];
  const compare = (a: unknown, e: unknown, path: string, key: string | number): string | undefined => {
    if (isObject(a) && isObject(e)) pending.push({ actual: a, expected: e, path: join(path, key) });
    else if (!Object.is(a, e)) return `${join(path, key)} is ${name(a)} instead of ${name(e)}`;
    return undefined;
  };

  let problem = compare(actual, expected, "", "value");
  for (let pair = pending.pop(); pair && !problem; pair = pending.pop()) {
    const { actual, expected, path } = pair;
    const shape = shapeDifference(actual, expected);
    if (shape) return `${path} ${shape}`;
    if (Array.isArray(actual) && Array.isArray(expected)) {
      for (let i = 0; i < expected.length && !problem; i++) problem = compare(actual[i], expected[i], path, i);
    } else {
      for (const key of Object.keys(expected)) {
        const property = Object.getOwnPropertyDescriptor(actual, key)!;
        if (!property.writable || !property.enumerable || !property.configurable) {
          return `${join(path, key)} is not a plain property`;
        }
        problem ??= compare(property.value, (expected as Record<string, unknown>)[key], path, key);
      }
    }
  }
  return problem;
}

/** Fails unless two values are the same, bit for bit. `how` describes them. */
export function assertSame(actual: unknown, expected: unknown, how: () => string = () => "values differ"): void {
  const problem = difference(actual, expected);
  if (problem !== undefined) throw new Error(`${how()}: ${problem}`);
}

/** Extends the path to a value, such as `value.a.0.b`; a long path is cut off. */
function join(path: string, key: string | number): string {
  if (path === "") return String(key);
  return path.length < 100 ? `${path}.${key}` : path.endsWith("…") ? path : `${path}…`;
}

/** Describes a difference between two objects other than in the values of their properties. */
function shapeDifference(actual: object, expected: object): string | undefined {
  if (Array.isArray(actual) !== Array.isArray(expected)) return "is an array on one side only";
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return "has another prototype";
  if (!Object.isExtensible(actual)) return "is not extensible";
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `has ${actual.length} elements instead of ${expected.length}`;
  }
  const keys = Reflect.ownKeys(actual);
  const expectedKeys = Reflect.ownKeys(expected);
  for (let i = 0; i < Math.max(keys.length, expectedKeys.length); i++) {
    if (keys[i] !== expectedKeys[i]) return `has key ${name(keys[i])} where ${name(expectedKeys[i])} belongs`;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function name(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value);
  if (Object.is(value, -0)) return "-0";
  return isObject(value) ? (Array.isArray(value) ? "an array" : "an object") : String(value);
}

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

/** Creates an object with properties in the given order. `"__proto__"` is an ordinary one. */
export function own(...properties: [key: string, value: unknown][]): object {
  const object = {};
  for (const [key, value] of properties) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return object;
}
