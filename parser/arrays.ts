/**
 * Packed arrays copied and joined by the engine's own memory copies. Those consult `Array.prototype`; where a program has changed
 * what they would see there, the same is done by definition, slowly.
 *
 * @module
 */

const PROTOTYPE = Array.prototype;
const { concat, slice } = PROTOTYPE;
const { defineProperty } = Object;

/** Whether `slice` and `concat` make plain arrays, and `concat` flattens them (ECMA-262 §10.4.2.2, ArraySpeciesCreate). */
function isPristine(): boolean {
  try {
    return PROTOTYPE.constructor === Array && Array[Symbol.species] === Array &&
      (PROTOTYPE as { [Symbol.isConcatSpreadable]?: boolean })[Symbol.isConcatSpreadable] === undefined;
  } catch {
    return false; // an accessor stands there now
  }
}

function defineElement(array: unknown[], index: number, value: unknown): void {
  defineProperty(
    array,
    index,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
}

/** A new array of `array[start, end)`, of exactly that size. */
export function copyRange<T>(array: T[], start: number, end: number): T[] {
  if (isPristine()) return slice.call(array, start, end) as T[];
  const copy: T[] = [];
  for (let i = start; i < end; i++) defineElement(copy, i - start, array[i]);
  return copy;
}

/** A new array of the elements of all `arrays`, of exactly that size. Precondition: one array at least, at most 1,000. */
export function joinArrays<T>(arrays: T[][]): T[] {
  if (isPristine()) return Reflect.apply(concat, [], arrays) as T[];
  const joined: T[] = [];
  for (let i = 0, n = 0; i < arrays.length; i++) {
    for (let j = 0; j < arrays[i].length; j++) defineElement(joined, n++, arrays[i][j]);
  }
  return joined;
}

/** `array` followed by itself: room for as much again. */
export function doubled<T>(array: T[]): T[] {
  return joinArrays([array, array]);
}
