/**
 * Copies and joins packed arrays by `slice` and `concat`, which the engine implements as memory
 * copies. Both consult `Array` and its prototype (ECMA-262 §10.4.2.2, ArraySpeciesCreate). If a
 * program has modified these, slow loops that define each element are used instead. Neither way
 * runs code of the program.
 */

const ARRAY_PROTOTYPE = Array.prototype;
const { concat, slice } = ARRAY_PROTOTYPE;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const OBJECT_PROTOTYPE = Object.prototype;
const { isConcatSpreadable, species } = Symbol;
const { apply } = Reflect;

/** Length of the longest array. For a longer one, V8 throws a `RangeError` or ends the process. */
export const MAX_ARRAY = 0x7fffffd;

/** Original getter of `Array[Symbol.species]`, which returns its receiver. */
const speciesGetter = /* @__PURE__ */ getOwnPropertyDescriptor(Array, species)?.get;

/** Whether `slice` and `concat` work. Loops that rely on a wrong copy might not end. */
const areBuiltIn = /* @__PURE__ */ copySample();

function copySample(): boolean {
  try {
    const copy = slice.call([1, 2, 3], 1, 3);
    const joined = apply(concat, [], [[1], copy]);
    return copy.length === 2 && joined.length === 3 && joined[0] === 1 && joined[2] === 3;
  } catch {
    // not covered: needs methods that were replaced before loading, as in check_faults.ts
    return false;
  }
}

/** Whether `slice` makes plain arrays, and `concat` flattens: 1, 0, or -1 if not known yet. */
let slicesPlainly = -1;
let concatsPlainly = -1;

/** Resets the check of `Array.prototype`. Call it when a parse begins. */
export function resetArrayPrototypeCheck(): void {
  slicesPlainly = -1;
  concatsPlainly = -1;
}

/**
 * Returns whether `slice` makes plain arrays. Checks once a parse (70 ns), since nothing in a parse
 * can change the answer. Reads descriptors, because reading a property could run an accessor.
 */
function canSlice(): boolean {
  if (slicesPlainly < 0) {
    slicesPlainly = Number(
      areBuiltIn && hasOwnAttribute(ARRAY_PROTOTYPE, "constructor", "value", Array) &&
        hasOwnAttribute(Array, species, "get", speciesGetter),
    );
  }
  return slicesPlainly === 1;
}

/** Returns whether an own property has an attribute, which the descriptor might also inherit. */
function hasOwnAttribute(object: object, key: PropertyKey, attribute: "get" | "value", expected: unknown): boolean {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, attribute) && descriptor[attribute] === expected;
}

/** Returns whether `concat` flattens into a plain array, and no prototype keeps it from that. */
function canConcat(): boolean {
  if (concatsPlainly < 0) {
    concatsPlainly = Number(
      canSlice() && getPrototypeOf(ARRAY_PROTOTYPE) === OBJECT_PROTOTYPE &&
        !hasOwn(ARRAY_PROTOTYPE, isConcatSpreadable) && !hasOwn(OBJECT_PROTOTYPE, isConcatSpreadable),
    );
  }
  return concatsPlainly === 1;
}

/** Adds or replaces an element. A store beyond the end would call a setter of a prototype. */
export function defineElement(array: unknown[], index: number, value: unknown): void {
  defineProperty(
    array,
    index,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
}

/** Returns a new array of exactly `array[start, end)`. */
export function copyRange<T>(array: T[], start: number, end: number): T[] {
  if (canSlice()) return slice.call(array, start, end) as T[];
  const copy: T[] = [];
  for (let i = start; i < end; i++) defineElement(copy, i - start, array[i]);
  return copy;
}

/** Returns a new array of exactly the elements of all `arrays`. Precondition: 1 to 4,096 arrays. */
export function joinArrays<T>(arrays: T[][]): T[] {
  if (canConcat()) return apply(concat, [], arrays) as T[];
  const joined: T[] = [];
  for (let i = 0, n = 0; i < arrays.length; i++) {
    for (let j = 0; j < arrays[i].length; j++) defineElement(joined, n++, arrays[i][j]);
  }
  return joined;
}

/** Returns a new array of all elements, twice. */
export function doubled<T>(array: T[]): T[] {
  return joinArrays([array, array]);
}

/** Returns a packed array. `push` and `fill` would call a setter of an index on a prototype. */
export function packedArray<T>(length: number, element: T): T[] {
  let array = [element];
  while (array.length < length) array = doubled(array);
  return copyRange(array, 0, length);
}
