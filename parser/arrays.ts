/**
 * Packed arrays copied and joined by the engine's own memory copies. `slice` and `concat` consult `Array` and its prototype
 * (ECMA-262 §10.4.2.2, ArraySpeciesCreate); where a program has changed what they would see there, the same is done by definition,
 * slowly. No code of the program's runs either way.
 *
 * @module
 */

const PROTOTYPE = Array.prototype;
const { concat, slice } = PROTOTYPE;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const OBJECT_PROTOTYPE = Object.prototype;
const { isConcatSpreadable, species } = Symbol;

/** Most elements of an array: V8 throws a `RangeError` for more, or ends the process. Other engines hold more. */
export const MAX_ARRAY = 0x7fffffd;

/** The accessor that every realm is born with: it returns its receiver. */
const speciesGetter = getOwnPropertyDescriptor(Array, species)?.get;

/** Whether `slice` makes plain arrays, and `concat` flattens them into one: 1 if so, 0 if not, -1 if that has to be looked up. */
let slicesPlainly = -1;
let concatsPlainly = -1;

/** To be called when a parse begins: what was known of `Array.prototype` is no longer certain. */
export function forgetArrayPrototype(): void {
  slicesPlainly = -1;
  concatsPlainly = -1;
}

/**
 * Looks at what `slice` consults. Descriptors are read and not properties, as an accessor would run; once a parse (70 ns), since nothing
 * that a parse does can change the answer.
 */
function canSlice(): boolean {
  if (slicesPlainly < 0) {
    slicesPlainly = Number(has(PROTOTYPE, "constructor", "value", Array) && has(Array, species, "get", speciesGetter));
  }
  return slicesPlainly === 1;
}

/** Returns whether a property has such an attribute of its own: a descriptor inherits from `Object.prototype` too. */
function has(object: object, key: PropertyKey, attribute: "get" | "value", expected: unknown): boolean {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, attribute) && descriptor[attribute] === expected;
}

/** Looks at what `concat` consults: that, and on the way to `Object.prototype` whether arrays are spread. */
function canConcat(): boolean {
  if (concatsPlainly < 0) {
    concatsPlainly = Number(
      canSlice() && getPrototypeOf(PROTOTYPE) === OBJECT_PROTOTYPE &&
        !hasOwn(PROTOTYPE, isConcatSpreadable) && !hasOwn(OBJECT_PROTOTYPE, isConcatSpreadable),
    );
  }
  return concatsPlainly === 1;
}

function defineElement(array: unknown[], index: number, value: unknown): void {
  defineProperty(
    array,
    index,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
}

/** Returns a new array of `array[start, end)`, of exactly that size. */
export function copyRange<T>(array: T[], start: number, end: number): T[] {
  if (canSlice()) return slice.call(array, start, end) as T[];
  const copy: T[] = [];
  for (let i = start; i < end; i++) defineElement(copy, i - start, array[i]);
  return copy;
}

/** Returns a new array of the elements of all `arrays`, of exactly that size. Precondition: 1 to 4,096 arrays. */
export function joinArrays<T>(arrays: T[][]): T[] {
  if (canConcat()) return Reflect.apply(concat, [], arrays) as T[];
  const joined: T[] = [];
  for (let i = 0, n = 0; i < arrays.length; i++) {
    for (let j = 0; j < arrays[i].length; j++) defineElement(joined, n++, arrays[i][j]);
  }
  return joined;
}

/** Returns `array` followed by itself: capacity for as much again. */
export function doubled<T>(array: T[]): T[] {
  return joinArrays([array, array]);
}

/**
 * Returns a packed array of `length` times the same element. `push` and `fill` would store through a setter that a program has put
 * under an index of a prototype.
 */
export function packedArray<T>(length: number, element: T): T[] {
  let array = [element];
  while (array.length < length) array = doubled(array);
  return copyRange(array, 0, length);
}
