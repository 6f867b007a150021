/** Copies and joins of arrays in `parser/engine/arrays.ts`, in programs that have changed `Array`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { loadFresh } from "../../support/modules.ts";

type Arrays = typeof import("../../../parser/engine/arrays.ts");

const PATH = "parser/engine/arrays.ts";

class Other extends Array {}

const define = (object: object, key: PropertyKey, descriptor: PropertyDescriptor) => (): void => {
  Object.defineProperty(object, key, { ...descriptor, configurable: true });
};

/** Places where a program can change the results of `slice` and `concat`. */
const CHANGES: Record<string, (() => unknown)[]> = {
  nothing: [],
  "Array.prototype.constructor, by a value": [define(Array.prototype, "constructor", { value: Other })],
  "Array.prototype.constructor, by a getter": [define(Array.prototype, "constructor", { get: () => Set })],
  "that there is Array.prototype.constructor": [() => Reflect.deleteProperty(Array.prototype, "constructor")],
  "Array[Symbol.species]": [define(Array, Symbol.species, { get: () => Set })],
  "the constructor and the species": [
    define(Array.prototype, "constructor", { value: Other }),
    define(Array, Symbol.species, { get: () => Other }),
  ],
  "the constructor, and what descriptors inherit": [
    define(Array.prototype, "constructor", { get: () => Other }),
    define(Object.prototype, "value", { value: Array }),
  ],
  "Array.prototype[Symbol.isConcatSpreadable]": [
    define(Array.prototype, Symbol.isConcatSpreadable, { value: false }),
  ],
  "Object.prototype[Symbol.isConcatSpreadable]": [
    define(Object.prototype, Symbol.isConcatSpreadable, { value: false }),
  ],
  "the prototype of Array.prototype": [
    () => Object.setPrototypeOf(Array.prototype, { __proto__: Object.prototype, [Symbol.isConcatSpreadable]: false }),
  ],
};

/**
 * Restores everything that tests change, in an order in which nothing that this function calls is
 * changed.
 */
function undoing(): () => void {
  const places: [object: object, key: PropertyKey][] = [
    [Object.prototype, "value"],
    [Array.prototype, "constructor"],
    [Array, Symbol.species],
    [Array.prototype, Symbol.isConcatSpreadable],
    [Object.prototype, Symbol.isConcatSpreadable],
  ];
  const before = places.map(([object, key]) => {
    return { object, key, descriptor: Object.getOwnPropertyDescriptor(object, key) };
  });
  return () => {
    Object.setPrototypeOf(Array.prototype, Object.prototype);
    for (const { object, key, descriptor } of before) {
      if (descriptor) Object.defineProperty(object, key, descriptor);
      else Reflect.deleteProperty(object, key);
    }
  };
}

/** Results of the functions, and the arrays that they have to equal. */
function resultsOf({ copyRange, doubled, joinArrays, packedArray }: Arrays): [unknown[], unknown[]][] {
  return [
    [copyRange([1, "b", null, [4]], 1, 3), ["b", null]],
    [copyRange([1, 2], 1, 1), []],
    [joinArrays<unknown>([[1, [2]], [], ["c"], [null, 5]]), [1, [2], "c", null, 5]],
    [joinArrays([[]]), []],
    [doubled([1, 2]), [1, 2, 1, 2]],
    [packedArray(1, "x"), ["x"]],
    [packedArray(9, "x"), ["x", "x", "x", "x", "x", "x", "x", "x", "x"]],
  ];
}

describe("copies and joins of arrays", () => {
  for (const [name, changes] of Object.entries(CHANGES)) {
    it(`are ordinary arrays before and after a program has changed ${name}`, async () => {
      const undo = undoing();
      let arrays!: Arrays;
      for (const [i, isChanged] of [true, false, true, false, true, false].entries()) {
        // The first look is once after a change, and once before.
        if (i % 3 === 0) arrays = await loadFresh(PATH);
        let results: [unknown[], unknown[]][];
        try {
          if (isChanged) { for (const change of changes) change(); }
          results = resultsOf(arrays);
        } finally {
          undo();
        }
        for (const [array, expected] of results) {
          assertEquals(Object.getOwnPropertyDescriptors(array), Object.getOwnPropertyDescriptors(expected));
          assertEquals([Array.isArray(array), Object.getPrototypeOf(array)], [true, Array.prototype]);
        }
        arrays.resetArrayPrototypeCheck();
      }
    });
  }

  const fail = (): never => {
    throw new TypeError();
  };
  const fakes: [name: string, methods: Partial<Record<"concat" | "slice", () => unknown>>][] = [
    ["concat throws", { concat: fail }],
    ["slice throws", { slice: fail }],
    ["concat returns nothing", { concat: () => [] }],
    ["slice returns nothing", { slice: () => [] }],
    ["concat returns no array", { concat: () => undefined }],
    ["slice returns no array", { slice: () => undefined }],
    ["slice returns other elements", { slice: () => [0, 0] }],
    ["concat returns another first element", { concat: () => [0, 2, 3] }],
    ["concat returns another last element", { concat: () => [1, 2, 4] }],
    ["concat returns too many elements", { concat: () => [1, 2, 3, 4] }],
    ["slice returns nothing, and concat always the same", { slice: () => [], concat: () => [1, 2, 3] }],
  ];
  for (const [name, methods] of fakes) {
    it(`are right if ${name} since before the module was loaded`, async () => {
      const { concat, slice } = Array.prototype;
      Object.assign(Array.prototype, methods);
      let arrays: Arrays;
      try {
        arrays = await loadFresh(PATH);
      } finally {
        Object.assign(Array.prototype, { concat, slice });
      }
      for (const [array, expected] of resultsOf(arrays)) assertEquals(array, expected);
    });
  }
});
