/** Arrays of more elements than a test can write, and the limits of the engine. */

import { assertEquals, assertLessOrEqual, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MAX_ARRAY } from "../../../parser/engine/arrays.ts";
import { FAILED } from "../../../parser/document/parse_scalar.ts";
import { BEFORE_VALUE, newSuspension, resumeMember } from "../../../parser/document/suspension.ts";
import {
  ARRAY,
  DICTIONARY,
  finishFlushedArray,
  flushArray,
  freshStack,
  growFrames,
  growOrFlush,
  pushRun,
  releaseTables,
  segmentCount,
  SHORT_RUN,
  SLACK,
  smallStack,
  STACK_SIZE,
  tables,
} from "../../../parser/document/value_stack.ts";
import { numberArray, readNumberRun } from "../../../parser/numbers/number_runs.ts";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf } from "../../support/modules.ts";
import { Random, withSeeds } from "../../support/random.ts";

const MERGED_SEGMENTS = constantOf("parser/document/value_stack.ts", "MERGED_SEGMENTS");

/** Reads `count` numbers, 0.5 and on, which the next call takes for the run. */
function readRun(count: number): void {
  const bytes = utf8(`${Array.from({ length: count }, (_, i) => i + 0.5).join()}]`);
  const { length } = bytes;
  assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 0, length, length, length), count);
}

describe("an array that is flushed into segments", () => {
  /** Flushes an array after elements and runs, and asserts that it has them all in the end. */
  function assertFlushed(random: Random, flushes: number): void {
    const base = 5;
    const stack: unknown[] = freshStack([0, 1, 2, 3, 4], base, STACK_SIZE);
    const expected: unknown[] = [];
    let top = base;
    let most = 0;
    for (let i = 0; i < flushes; i++) {
      const run = random.once(3) ? 1 + random.below(6) : 0;
      if (run > 0) readRun(run);
      const elements = Array.from({ length: random.below(3) + 1 }, () => `element ${random.below(1000)}`);
      for (const element of elements) stack[top++] = element;
      expected.push(...elements, ...numberArray(run));
      top = flushArray(stack, base, top, i > 0, run);
      most = Math.max(most, top - base);
      assertStrictEquals(segmentCount(base), top - base);
    }
    stack[top++] = "last";
    assertEquals(finishFlushedArray(stack, base, top), [...expected, "last"]);
    assertEquals(stack.slice(0, base), [0, 1, 2, 3, 4]);
    assertLessOrEqual(most, 2 * MERGED_SEGMENTS, "segments, which are arguments of a call");
  }

  it("has its elements in order", () => withSeeds(40, (random) => assertFlushed(random, 1 + random.below(700))));

  it("has its elements in order, segments merged twice", () =>
    assertFlushed(new Random(1), MERGED_SEGMENTS ** 2 + 300));
});

describe("limits of the engine", () => {
  /** Stack of the greatest length. V8 keeps an array without elements of that length in a table. */
  const largest: unknown[] = new Array(MAX_ARRAY);

  it("finishFlushedArray() returns null for more elements than an array holds", () => {
    const half = Math.ceil(MAX_ARRAY / 2);
    for (const length of [MAX_ARRAY, MAX_ARRAY + 1]) {
      tables.ids[0] = 2;
      const array = finishFlushedArray([new Array(half), new Array(length - half)], 0, 2);
      assertStrictEquals(array?.length, length === MAX_ARRAY ? length : undefined);
    }
  });

  it("growOrFlush() and pushRun() return null for the longest stack", () => {
    assertStrictEquals(growOrFlush(largest, 0, MAX_ARRAY - SLACK, DICTIONARY), null);
    readRun(SHORT_RUN + 1);
    assertStrictEquals(pushRun(largest, 0, MAX_ARRAY - SLACK - 1, ARRAY, SHORT_RUN + 1, false), null);
  });

  it("resumeMember() fails if an object has no room for its member", () => {
    const stack = smallStack(null);
    [stack[0], stack[1]] = [Object.freeze({}), "name"];
    const bytes = utf8("1 ");
    const suspension = { ...newSuspension(), kind: DICTIONARY, top: 2, stack, stage: BEFORE_VALUE };
    assertStrictEquals(resumeMember(suspension, bytes, new DataView(bytes.buffer), 2), FAILED);
    assertStrictEquals(failure.code, "value-too-large");
  });

  for (const [size, isRefused] of [[STACK_SIZE, false], [2 ** 18, false], [2 ** 19, true]] as const) {
    it(`growOrFlush() ${isRefused ? "returns null" : "throws"} if the engine fails to copy ${size} entries`, () => {
      const { slice } = Array.prototype;
      const call = (): never => {
        throw new RangeError("Invalid array length");
      };
      const stack: unknown[] = size === STACK_SIZE ? freshStack([], 0, size) : new Array(size);
      Object.defineProperty(slice, "call", { value: call, configurable: true });
      try {
        const grow = (): unknown => growOrFlush(stack, size - 1, size, ARRAY);
        if (isRefused) assertStrictEquals(grow(), null);
        else assertThrows(grow, RangeError, "Invalid array length");
      } finally {
        Reflect.deleteProperty(slice, "call");
        releaseTables();
      }
    });
  }

  it("growFrames() returns false without memory, and throws the engine's error where the stack ends", () => {
    const { length } = tables.frames;
    const grow = (): boolean => withoutMemory("Int32Array", () => true, growFrames);
    assertStrictEquals(grow(), false);
    assertThrows(() => withoutMemory("Uint8Array", () => true, grow), RangeError);
    assertStrictEquals(tables.frames.length, length);
  });
});
