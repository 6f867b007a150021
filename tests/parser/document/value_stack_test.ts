/** Limits of the engine for arrays, objects and stacks, which only functions of the stack reach. */

import { assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MAX_ARRAY } from "../../../parser/engine/arrays.ts";
import { parseContainer } from "../../../parser/document/parse_container.ts";
import { FAILED } from "../../../parser/document/parse_scalar.ts";
import { BEFORE_VALUE, newSuspension } from "../../../parser/document/suspension.ts";
import {
  ARRAY,
  DICTIONARY,
  finishFlushedArray,
  freshStack,
  growFrames,
  growOrFlush,
  pushRun,
  releaseTables,
  SHORT_RUN,
  SLACK,
  smallStack,
  STACK_SIZE,
  tables,
} from "../../../parser/document/value_stack.ts";
import { readNumberRun } from "../../../parser/numbers/number_runs.ts";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";

/** Reads `count` numbers, 0.5 and on, which the next call takes for the run. */
function readRun(count: number): void {
  const bytes = utf8(`${Array.from({ length: count }, (_, i) => i + 0.5).join()}]`);
  const { length } = bytes;
  assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 0, length, length), count);
}

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

  it("parseContainer() fails if an object has no room for its member", () => {
    const stack = smallStack(null);
    [stack[0], stack[1]] = [Object.freeze({}), "name"];
    const bytes = utf8("1 ");
    const suspension = { ...newSuspension(), kind: DICTIONARY, top: 2, depth: 2, stack, stage: BEFORE_VALUE };
    assertStrictEquals(parseContainer(suspension, bytes, new DataView(bytes.buffer), 0, 2), FAILED);
    assertStrictEquals(failure.code, "value-too-large");
  });

  for (const [size, isRefused] of [[STACK_SIZE, false], [2 ** 18, false], [2 ** 19, true]] as const) {
    it(`growOrFlush() ${isRefused ? "returns null" : "throws"} if the engine fails to copy ${size} entries`, () => {
      const { slice } = Array.prototype;
      const stack: unknown[] = size === STACK_SIZE ? freshStack([], 0, size) : new Array(size);
      Array.prototype.slice = (): never => {
        throw new RangeError("Invalid array length");
      };
      try {
        const grow = (): unknown => growOrFlush(stack, size - 1, size, ARRAY);
        if (isRefused) assertStrictEquals(grow(), null);
        else assertThrows(grow, RangeError, "Invalid array length");
      } finally {
        Array.prototype.slice = slice;
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
