/**
 * Assertions for a page, in place of @std/assert, which comes from a registry.
 *
 * @module
 */

type ErrorClass = abstract new (...args: never[]) => Error;

function failed(problem: string, message?: string): Error {
  return new Error(message === undefined ? problem : `${problem}: ${message}`);
}

/** Throws unless `value` is truthy. */
export function assert(value: unknown, message?: string): asserts value {
  if (!value) throw failed("Assertion failed", message);
}

/** Throws unless both values are the same. */
export function assertStrictEquals(actual: unknown, expected: unknown, message?: string): void {
  if (!Object.is(actual, expected)) throw failed(`${show(actual)} instead of ${show(expected)}`, message);
}

/** Throws if both values are the same. */
export function assertNotStrictEquals(actual: unknown, unexpected: unknown, message?: string): void {
  if (Object.is(actual, unexpected)) throw failed(`${show(actual)} twice`, message);
}

/** Throws unless both values have the same structure. */
export function assertEquals(actual: unknown, expected: unknown, message?: string): void {
  if (!isEqual(actual, expected)) throw failed(`${show(actual)} instead of ${show(expected)}`, message);
}

/** Throws if both values have the same structure. */
export function assertNotEquals(actual: unknown, unexpected: unknown, message?: string): void {
  if (isEqual(actual, unexpected)) throw failed(`${show(actual)} twice`, message);
}

/** Throws unless a number is below another. */
export function assertLess(actual: number, bound: number, message?: string): void {
  if (!(actual < bound)) throw failed(`${actual} is not less than ${bound}`, message);
}

/** Throws unless a text matches. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) throw failed(`${show(actual)} does not match ${expected}`, message);
}

/** Throws unless a text contains another. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) throw failed(`${show(actual)} does not include ${show(expected)}`, message);
}

/** Throws unless a value is an instance of a class. */
export function assertInstanceOf(actual: unknown, expected: ErrorClass, message?: string): void {
  if (!(actual instanceof expected)) throw failed(`${show(actual)} is no ${expected.name}`, message);
}

/** Throws unless a function throws such an error; returns the error. */
export function assertThrows(body: () => unknown, expected: ErrorClass = Error, part = "", message?: string): Error {
  try {
    body();
  } catch (error) {
    return checkError(error, expected, part, message);
  }
  throw failed("Nothing was thrown", message);
}

/** Rejects unless a promise rejects with such an error; resolves with the error. */
export async function assertRejects(
  body: () => PromiseLike<unknown>,
  expected: ErrorClass = Error,
  part = "",
  message?: string,
): Promise<Error> {
  try {
    await body();
  } catch (error) {
    return checkError(error, expected, part, message);
  }
  throw failed("Nothing was rejected", message);
}

function checkError(error: unknown, expected: ErrorClass, part: string, message?: string): Error {
  assertInstanceOf(error, expected, message);
  assertStringIncludes((error as Error).message, part, message);
  return error as Error;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer) return isEqual(new Uint8Array(a), new Uint8Array(b));
  if ((a instanceof Map && b instanceof Map) || (a instanceof Set && b instanceof Set)) return isEqual([...a], [...b]);
  if (a instanceof Error && b instanceof Error && a.message !== b.message) return false;
  const keys = Reflect.ownKeys(a);
  if (keys.length !== Reflect.ownKeys(b).length) return false;
  type Indexed = Record<PropertyKey, unknown>;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual((a as Indexed)[key], (b as Indexed)[key]));
}

function show(value: unknown): string {
  let text: string | undefined;
  try {
    text = typeof value === "object" ? JSON.stringify(value) : String(value);
  } catch {
    // A circle or a BigInt; its type has to do.
  }
  text ??= Object.prototype.toString.call(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
