/**
 * Arrays without holes. No function calls an index setter that user code has put on a prototype: a
 * store beyond the end of an array, `push` and `fill` would.
 */

/** Maximum length of an array. For a longer one, V8 throws a `RangeError` or ends the process. */
export const MAX_ARRAY = 0x7fffffd;

/** Adds or replaces an element. */
export function defineElement(array: unknown[], index: number, value: unknown): void {
  Object.defineProperty(
    array,
    index,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
}

/** Returns a new array of exactly the elements of all `arrays`. Precondition: 1 to 4,096 arrays. */
export function joinArrays<T>(arrays: T[][]): T[] {
  return ([] as T[]).concat(...arrays);
}

/**
 * Returns a packed array, in which all elements are the same. It is joined from parts of an eighth or
 * less, since doubling leaves as much garbage as it makes, and V8 collects sooner.
 */
export function packedArray<T>(length: number, element: T): T[] {
  let part = [element];
  while (8 * part.length < length) part = part.concat(part, part, part, part, part, part, part);
  const parts = [part, part, part, part, part, part, part, part];
  return part.slice(0, length % part.length).concat(...parts.slice(0, length / part.length));
}
