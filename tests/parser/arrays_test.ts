/** Copies and joins of arrays, in `parser/arrays.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { copyRange, doubled, joinArrays, packedArray, resetArrayPrototypeCheck } from "../../parser/arrays.ts";

/** Places where a program can change what `slice` and `concat` make. */
const CHANGES: [name: string, target: object, key: PropertyKey, descriptor: PropertyDescriptor][] = [
  ["nothing", {}, "key", { value: 1 }],
  ["Array.prototype.constructor, by a value", Array.prototype, "constructor", { value: class extends Array {} }],
  ["Array.prototype.constructor, by a getter", Array.prototype, "constructor", { get: () => Set }],
  ["Array[Symbol.species]", Array, Symbol.species, { get: () => Set }],
  ["Array.prototype[Symbol.isConcatSpreadable]", Array.prototype, Symbol.isConcatSpreadable, { value: false }],
  ["Object.prototype[Symbol.isConcatSpreadable]", Object.prototype, Symbol.isConcatSpreadable, { value: false }],
];

for (const [name, target, key, descriptor] of CHANGES) {
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

describe("resetArrayPrototypeCheck()", () => {
  const [, ...changes] = CHANGES;
  for (const [name, target, key, descriptor] of changes) {
    it(`makes the next parse look whether a program has changed ${name}`, () => {
      const before = Object.getOwnPropertyDescriptor(target, key);
      const lengths: number[][] = [];
      for (const isChanged of [false, true, false, true]) {
        if (isChanged) Object.defineProperty(target, key, { ...descriptor, configurable: true });
        resetArrayPrototypeCheck();
        const arrays = [copyRange([1, 2, 3], 0, 2), joinArrays([[1], [2, 3]])];
        if (before) Object.defineProperty(target, key, before);
        else Reflect.deleteProperty(target, key);
        assertEquals(arrays.map((array) => Object.getPrototypeOf(array)), [Array.prototype, Array.prototype]);
        lengths.push(arrays.map(({ length }) => length));
      }
      resetArrayPrototypeCheck();
      assertEquals(lengths, [[2, 3], [2, 3], [2, 3], [2, 3]]);
    });
  }
});
