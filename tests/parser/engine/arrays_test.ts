/** Copies and joins of arrays, in `parser/engine/arrays.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  copyRange,
  doubled,
  joinArrays,
  packedArray,
  resetArrayPrototypeCheck,
} from "../../../parser/engine/arrays.ts";
import { loadFresh } from "../../support/modules.ts";

/** Places where a program can change the results of `slice` and `concat`. */
const CHANGES: { name: string; target: object; key: PropertyKey; descriptor: PropertyDescriptor }[] = [
  { name: "nothing", target: {}, key: "key", descriptor: { value: 1 } },
  {
    name: "Array.prototype.constructor, by a value",
    target: Array.prototype,
    key: "constructor",
    descriptor: { value: class extends Array {} },
  },
  {
    name: "Array.prototype.constructor, by a getter",
    target: Array.prototype,
    key: "constructor",
    descriptor: { get: () => Set },
  },
  { name: "Array[Symbol.species]", target: Array, key: Symbol.species, descriptor: { get: () => Set } },
  {
    name: "Array.prototype[Symbol.isConcatSpreadable]",
    target: Array.prototype,
    key: Symbol.isConcatSpreadable,
    descriptor: { value: false },
  },
  {
    name: "Object.prototype[Symbol.isConcatSpreadable]",
    target: Object.prototype,
    key: Symbol.isConcatSpreadable,
    descriptor: { value: false },
  },
];

for (const { name, target, key, descriptor } of CHANGES) {
  describe(`where a program has changed ${name}`, () => {
    /** Returns a result computed after the change, which is undone. */
    function changed<T>(compute: () => T): T {
      const before = Object.getOwnPropertyDescriptor(target, key);
      Object.defineProperty(target, key, { ...descriptor, configurable: true });
      resetArrayPrototypeCheck();
      try {
        return compute();
      } finally {
        if (before) Object.defineProperty(target, key, before);
        else Reflect.deleteProperty(target, key);
        resetArrayPrototypeCheck();
      }
    }

    /** Fails unless an array is an ordinary one with these elements. */
    function assertOrdinary(array: unknown[], expected: unknown[]): void {
      assertEquals(Object.getOwnPropertyDescriptors(array), Object.getOwnPropertyDescriptors(expected));
      assertEquals([Array.isArray(array), Object.getPrototypeOf(array)], [true, Array.prototype]);
    }

    it("copyRange() returns the elements from the start up to the end", () => {
      assertOrdinary(changed(() => copyRange([1, "b", null, [4]], 1, 3)), ["b", null]);
      assertOrdinary(changed(() => copyRange([1, 2], 0, 2)), [1, 2]);
      assertOrdinary(changed(() => copyRange([1, 2], 1, 1)), []);
    });

    it("joinArrays() returns the elements of all arrays, in order", () => {
      assertOrdinary(changed(() => joinArrays<unknown>([[1, [2]], [], ["c"], [null, 5]])), [1, [2], "c", null, 5]);
      assertOrdinary(changed(() => joinArrays([[]])), []);
    });

    it("doubled() and packedArray() repeat elements", () => {
      assertOrdinary(changed(() => doubled([1, 2])), [1, 2, 1, 2]);
      for (const length of [1, 2, 3, 8, 9]) {
        assertOrdinary(changed(() => packedArray(length, "x")), Array.from({ length }, () => "x"));
      }
    });
  });
}

describe("where a program has replaced concat or slice before the module was loaded", () => {
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
    it(`arrays are right if ${name}`, async () => {
      const before = Object.getOwnPropertyDescriptors(Array.prototype);
      for (const [method, value] of Object.entries(methods)) {
        Object.defineProperty(Array.prototype, method, { ...before.concat, value });
      }
      let arrays: typeof import("../../../parser/engine/arrays.ts");
      try {
        arrays = await loadFresh("parser/engine/arrays.ts");
      } finally {
        Object.defineProperty(Array.prototype, "concat", before.concat);
        Object.defineProperty(Array.prototype, "slice", before.slice);
      }
      arrays.resetArrayPrototypeCheck();
      assertEquals(arrays.copyRange([1, 2, 3], 1, 3), [2, 3]);
      assertEquals(arrays.joinArrays([[1], [4]]), [1, 4]);
      assertEquals(arrays.packedArray(3, "a"), ["a", "a", "a"]);
    });
  }
});

describe("resetArrayPrototypeCheck()", () => {
  const define = (object: object, key: PropertyKey, descriptor: PropertyDescriptor) => (): void => {
    Object.defineProperty(object, key, { ...descriptor, configurable: true });
  };
  class Other extends Array {}
  const several: [name: string, changes: (() => unknown)[]][] = [
    ["that there is Array.prototype.constructor", [() => Reflect.deleteProperty(Array.prototype, "constructor")]],
    ["the constructor and the species", [
      define(Array.prototype, "constructor", { value: Other }),
      define(Array, Symbol.species, { get: () => Other }),
    ]],
    ["the constructor, and what descriptors inherit", [
      define(Array.prototype, "constructor", { get: () => Other }),
      define(Object.prototype, "value", { value: Array }),
    ]],
    ["the prototype of Array.prototype", [
      () => Object.setPrototypeOf(Array.prototype, { __proto__: Object.prototype, [Symbol.isConcatSpreadable]: false }),
    ]],
  ];
  for (const { name, target, key, descriptor } of CHANGES) several.push([name, [define(target, key, descriptor)]]);

  /**
   * Restores everything that tests change, in an order in which nothing that this function calls is
   * changed.
   */
  function undoing(): () => void {
    const places = [[Object.prototype, "value"], [Array.prototype, "constructor"], [Array, Symbol.species]] as const;
    const spreadable = [Array.prototype, Object.prototype].map((object) =>
      [object, Symbol.isConcatSpreadable] as const
    );
    const before = [...places, ...spreadable].map(([object, key]) => {
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

  for (const [name, changes] of several) {
    it(`makes the next parse look whether a program has changed ${name}`, async () => {
      const undo = undoing();
      let arrays!: typeof import("../../../parser/engine/arrays.ts");
      for (const [i, isChanged] of [true, false, true, false, true, false].entries()) {
        // The first look is once after a change, and once before.
        if (i % 3 === 0) arrays = await loadFresh("parser/engine/arrays.ts");
        let results: unknown[][];
        try {
          if (isChanged) { for (const change of changes) change(); }
          results = [arrays.copyRange([1, 2, 3], 0, 2), arrays.joinArrays([[1], [2, 3]])];
        } finally {
          undo();
        }
        assertEquals(results, [[1, 2], [1, 2, 3]]);
        for (const result of results) assertStrictEquals(Object.getPrototypeOf(result), Array.prototype);
        arrays.resetArrayPrototypeCheck();
      }
    });
  }
});
