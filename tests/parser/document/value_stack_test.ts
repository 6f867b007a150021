/** Stack of values whose container is open: long arrays, and the limits of the engine. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
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
import { withSeeds } from "../../support/random.ts";

const MERGED_SEGMENTS = constantOf("parser/document/value_stack.ts", "MERGED_SEGMENTS");

/** Reads `count` numbers, 0.5 and on, which the next call takes for the run. */
function readRun(count: number): void {
  const bytes = utf8(`${Array.from({ length: count }, (_, i) => i + 0.5).join()}]`);
  const { length } = bytes;
  assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 0, length, length, length), count);
}

/** Array that grows by elements and runs, and is flushed after each of them. */
class FlushedArray {
  readonly base = 5;
  readonly stack: unknown[] = freshStack([0, 1, 2, 3, 4], 5, STACK_SIZE);
  top = 5;
  isFlushed = false;
  readonly expected: unknown[] = [];

  /** Adds elements, and the numbers read last. */
  flush(elements: unknown[], numbers: number): void {
    for (const element of elements) this.stack[this.top++] = element;
    this.expected.push(...elements, ...numberArray(numbers));
    this.top = flushArray(this.stack, this.base, this.top, this.isFlushed, numbers);
    this.isFlushed = true;
    assertStrictEquals(segmentCount(this.base), this.top - this.base);
  }

  assertFinished(): void {
    assertEquals(finishFlushedArray(this.stack, this.base, this.top), this.expected);
    assertEquals(this.stack.slice(0, this.base), [0, 1, 2, 3, 4]);
  }
}

describe("smallStack() and freshStack()", () => {
  it("return a stack of their own each time, which holds the entries in use and no other", () => {
    for (const make of [() => smallStack(null), () => freshStack([], 0, STACK_SIZE)]) {
      make().fill("value");
      assertEquals(new Set(make()), new Set([null]));
    }
    assertEquals(freshStack(["a", "b", "c", "d"], 3, 6), ["a", "b", "c", null, null, null]);
  });
});

describe("the tables beside the stack", () => {
  it("grow by half, keep what is in use, and shrink after a call", () => {
    const { ids, frames } = tables;
    releaseTables();
    assert(tables.ids === ids && tables.frames === frames);
    frames[frames.length - 1] = 7;
    assert(growFrames());
    assertEquals([tables.frames.length, tables.frames[frames.length - 1]], [frames.length * 1.5, 7]);
    assert(growFrames());
    assertStrictEquals(tables.frames.length % 2, 0, "two words a frame");
    frames[frames.length - 1] = 0;
    tables.ids = new Int32Array(2 * STACK_SIZE);
    releaseTables();
    assertEquals([tables.ids.length, tables.frames.length], [ids.length, frames.length]);
  });
});

describe("flushArray()", () => {
  it("makes a segment of elements and one of numbers, and none of nothing", () => {
    const array = new FlushedArray();
    readRun(3);
    array.flush(["a", "b"], 3);
    array.flush([], 0);
    assertEquals(array.stack.slice(array.base, array.top), [["a", "b"], [0.5, 1.5, 2.5]]);
    array.assertFinished();
  });

  it("merges 256 segments, and 256 merged ones, so that there are never as many as a call has arguments", () => {
    const array = new FlushedArray();
    let most = 0;
    for (let i = 0; i < MERGED_SEGMENTS ** 2 + MERGED_SEGMENTS + 3; i++) {
      array.flush([i], 0);
      most = Math.max(most, segmentCount(array.base));
      if (i === MERGED_SEGMENTS - 1 || i === MERGED_SEGMENTS ** 2 - 1) {
        assertStrictEquals(segmentCount(array.base), 1);
      }
    }
    assertStrictEquals(most, 2 * (MERGED_SEGMENTS - 1));
    array.assertFinished();
  });

  it("keeps the order of random elements and runs", () => {
    withSeeds(50, (random) => {
      const array = new FlushedArray();
      for (let i = random.below(700); i > 0; i--) {
        const run = random.once(2) ? 1 + random.below(6) : 0;
        if (run > 0) readRun(run);
        array.flush(Array.from({ length: random.below(4) }, () => `element ${random.below(1000)}`), run);
      }
      array.stack[array.top++] = "last";
      array.expected.push("last");
      array.assertFinished();
    });
  });
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
