/** Stack of values whose container is open, in `parser/document/value_stack.ts`. */

import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MAX_ARRAY } from "../../../parser/engine/arrays.ts";
import { numberArray, readNumberRun } from "../../../parser/numbers/number_runs.ts";
import { SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import { stackUpdate } from "../../../parser/document/value_stack.ts";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import {
  ARRAY,
  DICTIONARY,
  elementArray,
  finishFlushedArray,
  FLUSH_LENGTH,
  flushArray,
  FLUSHED_ARRAY,
  freshStack,
  growFrames,
  growOrFlush,
  keptStack,
  MAX_KEPT_STACK_INPUT,
  OBJECT,
  pushRun,
  releaseTables,
  segmentCount,
  SHORT_RUN,
  SLACK,
  smallStack,
  STACK_SIZE,
  tables,
} from "../../../parser/document/value_stack.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf, loadFreshWith } from "../../support/modules.ts";
import { withSeeds } from "../../support/random.ts";

const DICTIONARY_MEMBERS = constantOf("parser/document/value_stack.ts", "DICTIONARY_MEMBERS");
const MERGED_SEGMENTS = constantOf("parser/document/value_stack.ts", "MERGED_SEGMENTS");

/** Returns a stack of the usual size, filled with numbers from 0 on up to `top`. */
function stackOf(top: number): unknown[] {
  const stack = freshStack([], 0, STACK_SIZE);
  for (let i = 0; i < top; i++) stack[i] = i;
  return stack;
}

/** Reads `count` numbers, 0.5 and on, which the next call takes for the run. */
function readRun(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i + 0.5);
  const bytes = new TextEncoder().encode(`${numbers.join()}]`);
  const { length } = bytes;
  assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 0, length, length, length), count);
  return numbers;
}

/** Array that grows by elements and runs, and is flushed after each of them. */
class FlushedArray {
  readonly base = 5;
  readonly stack: unknown[] = stackOf(5);
  top = 5;
  isFlushed = false;
  readonly expected: unknown[] = [];

  /** Adds elements, and the numbers read last. */
  flush(elements: unknown[], numbers: number): void {
    for (const element of elements) this.stack[this.top++] = element;
    this.expected.push(...elements, ...numberArray(numbers));
    this.top = flushArray(this.stack, this.base, this.top, this.isFlushed, numbers);
    this.isFlushed = true;
  }

  assertFinished(): void {
    assertEquals(finishFlushedArray(this.stack, this.base, this.top), this.expected);
    assertEquals(this.stack.slice(0, this.base), [0, 1, 2, 3, 4]);
  }
}

describe("smallStack() and freshStack()", () => {
  it("return a stack of their own each time", () => {
    assertNotStrictEquals(smallStack(null), smallStack(null));
    assertNotStrictEquals(freshStack([], 0, 8), freshStack([], 0, 8));
  });

  it("return stacks without values, that holds none of an earlier one", () => {
    const first = freshStack([], 0, STACK_SIZE);
    first.fill("value");
    assertEquals(freshStack([], 0, STACK_SIZE), Array(STACK_SIZE).fill(null));
    smallStack(null).fill("value");
    assertEquals(new Set(smallStack(null)), new Set([null]));
  });

  it("keep the entries in use, and no other", () => {
    const stack = freshStack(["a", "b", "c", "d"], 3, 6);
    assertEquals(stack, ["a", "b", "c", null, null, null]);
  });
});

describe("growFrames()", () => {
  it("makes room for half as many more, and keeps those in use", () => {
    const { length } = tables.frames;
    tables.frames[length - 1] = 7;
    assert(growFrames());
    assertStrictEquals(tables.frames.length, length * 1.5);
    assertStrictEquals(tables.frames[length - 1], 7);
    assert(growFrames());
    assertStrictEquals(tables.frames.length % 2, 0, "two words a frame");
    tables.frames[length - 1] = 0;
    releaseTables();
  });
});

describe("releaseTables()", () => {
  it("makes stackUpdate tables as small as they were, and leaves small ones", () => {
    const { ids, frames } = tables;
    releaseTables();
    assertStrictEquals(tables.ids, ids);
    assertStrictEquals(tables.frames, frames);
    assert(growFrames());
    tables.ids = new Int32Array(2 * STACK_SIZE);
    releaseTables();
    assertEquals([tables.ids.length, tables.frames.length], [ids.length, frames.length]);
  });
});

describe("flushArray()", () => {
  it("moves elements and numbers into segments", () => {
    const array = new FlushedArray();
    readRun(3);
    array.flush(["a", "b"], 3);
    assertStrictEquals(array.top, array.base + 2);
    assertEquals(array.stack.slice(array.base, array.top), [["a", "b"], [0.5, 1.5, 2.5]]);
    assertStrictEquals(segmentCount(array.base), 2);
  });

  it("makes no segment of nothing", () => {
    const array = new FlushedArray();
    array.flush(["a"], 0);
    array.flush([], 0);
    assertStrictEquals(segmentCount(array.base), 1);
    array.assertFinished();
  });

  it("merges 256 segments", () => {
    const array = new FlushedArray();
    for (let i = 0; i < MERGED_SEGMENTS - 1; i++) array.flush([i, `${i}`], 0);
    assertStrictEquals(segmentCount(array.base), MERGED_SEGMENTS - 1);
    array.flush(["last"], 0);
    assertStrictEquals(segmentCount(array.base), 1);
    assertStrictEquals(array.top, array.base + 1);
    assertEquals(array.stack[array.base], array.expected);
    array.assertFinished();
  });

  it("merges 256 segments where the last flush adds two", () => {
    const array = new FlushedArray();
    readRun(2);
    for (let i = 0; i < MERGED_SEGMENTS - 1; i++) array.flush([i], 0);
    array.flush(["last"], 2);
    assertStrictEquals(segmentCount(array.base), 1);
    array.assertFinished();
  });

  it("merges 256 merged segments, so that there are never as many as a call has arguments", () => {
    const array = new FlushedArray();
    let most = 0;
    for (let i = 0; i < MERGED_SEGMENTS ** 2 + MERGED_SEGMENTS + 3; i++) {
      array.flush([i], 0);
      assertStrictEquals(segmentCount(array.base), array.top - array.base);
      most = Math.max(most, segmentCount(array.base));
      if (i === MERGED_SEGMENTS ** 2 - 1) assertStrictEquals(segmentCount(array.base), 1);
    }
    assertStrictEquals(most, 2 * (MERGED_SEGMENTS - 1));
    array.assertFinished();
  });

  it("keeps the order of random elements and runs", () => {
    withSeeds(50, (random) => {
      const array = new FlushedArray();
      for (let i = random.below(700); i > 0; i--) {
        const run = random.once(2) ? readRun(1 + random.below(6)).length : 0;
        array.flush(Array.from({ length: random.below(4) }, () => `element ${random.below(1000)}`), run);
      }
      array.assertFinished();
    });
  });
});

describe("finishFlushedArray()", () => {
  it("adds the elements behind the segments", () => {
    const array = new FlushedArray();
    array.flush(["a"], 0);
    array.stack[array.top++] = "b";
    array.expected.push("b");
    array.assertFinished();
  });

  it("returns null for more elements than an array holds", () => {
    const stack = stackOf(0);
    const half = Math.ceil(MAX_ARRAY / 2);
    for (const length of [MAX_ARRAY, MAX_ARRAY + 1]) {
      // V8 keeps arrays without elements of that length in a table.
      stack[0] = new Array(half);
      stack[1] = new Array(length - half);
      tables.ids[0] = 2;
      assertStrictEquals(finishFlushedArray(stack, 0, 2)?.length, length === MAX_ARRAY ? length : undefined);
    }
  });
});

describe("elementArray()", () => {
  it("returns the elements of every number of them, from every base", () => {
    const stack = stackOf(100);
    for (let base = 0; base < 10; base++) {
      for (let top = base + 1; top < 60; top++) {
        assertEquals(elementArray(stack, base, top), stack.slice(base, top));
      }
    }
  });
});

describe("pushRun()", () => {
  it("pushes a run that does not end its array", () => {
    for (const kind of [ARRAY, FLUSHED_ARRAY]) {
      for (const run of [1, SHORT_RUN, FLUSH_LENGTH]) {
        const stack = stackOf(3);
        const numbers = readRun(run);
        assertStrictEquals(pushRun(stack, 3, 3, kind, run, false), stack);
        assertEquals([stackUpdate.top, stackUpdate.kind], [3 + run, kind]);
        assertEquals(stack.slice(3, 3 + run), numbers);
      }
    }
  });

  it("makes a segment of a run that ends its array, or is longer than FLUSH_LENGTH", () => {
    for (const [run, isLast] of [[1, true], [FLUSH_LENGTH, true], [FLUSH_LENGTH + 1, false]] as const) {
      const stack = stackOf(5);
      const numbers = readRun(run);
      assertStrictEquals(pushRun(stack, 3, 5, ARRAY, run, isLast), stack);
      assertEquals([stackUpdate.top, stackUpdate.kind], [5, FLUSHED_ARRAY]);
      assertEquals(stack.slice(3, 5), [[3, 4], numbers]);
    }
  });

  it("adds a segment to those of a flushed array", () => {
    const array = new FlushedArray();
    array.flush(["a"], 0);
    array.expected.push(...readRun(4));
    pushRun(array.stack, array.base, array.top, FLUSHED_ARRAY, 4, true);
    array.top = stackUpdate.top;
    assertStrictEquals(segmentCount(array.base), 2);
    array.assertFinished();
  });

  it("grows a stack that has no room for a run and what may follow it", () => {
    for (const top of [STACK_SIZE - FLUSH_LENGTH - SLACK - 1, STACK_SIZE - FLUSH_LENGTH - SLACK, STACK_SIZE - 1]) {
      const stack = stackOf(top);
      const numbers = readRun(FLUSH_LENGTH);
      const larger = pushRun(stack, 0, top, ARRAY, FLUSH_LENGTH, false)!;
      assertStrictEquals(larger.length, top + FLUSH_LENGTH >= STACK_SIZE - SLACK ? 2 * STACK_SIZE : STACK_SIZE);
      assertEquals(larger.slice(0, stackUpdate.top), [...stackOf(top).slice(0, top), ...numbers]);
      assert(tables.ids.length >= larger.length);
    }
    releaseTables();
  });
});

describe("growOrFlush()", () => {
  it("flushes an array of FLUSH_LENGTH elements", () => {
    const stack = stackOf(2 + FLUSH_LENGTH);
    tables.ids[2] = 7; // from what was there before
    assertStrictEquals(growOrFlush(stack, 2, 2 + FLUSH_LENGTH, ARRAY), stack);
    assertEquals([stackUpdate.top, stackUpdate.kind], [3, FLUSHED_ARRAY]);
    assertEquals(stack[2], stackOf(2 + FLUSH_LENGTH).slice(2, 2 + FLUSH_LENGTH));
  });

  it("counts the elements behind the segments of a flushed array, not the segments", () => {
    for (const elements of [FLUSH_LENGTH - 1, FLUSH_LENGTH]) {
      const array = new FlushedArray();
      for (let i = 0; i < 100; i++) array.flush([i], 0);
      for (let i = 0; i < elements; i++) array.stack[array.top++] = `element ${i}`;
      growOrFlush(array.stack, array.base, array.top, FLUSHED_ARRAY);
      assertStrictEquals(stackUpdate.top, elements < FLUSH_LENGTH ? array.top : array.base + 101);
      assertStrictEquals(stackUpdate.kind, FLUSHED_ARRAY);
    }
  });

  it("leaves a short container on the stack", () => {
    for (const [kind, size] of [[ARRAY, FLUSH_LENGTH - 1], [OBJECT, 2 * DICTIONARY_MEMBERS - 2], [DICTIONARY, 1]]) {
      for (const base of [0, 300]) {
        const top = base + size;
        const stack = stackOf(top);
        assertStrictEquals(growOrFlush(stack, base, top, kind), stack);
        assertEquals([stackUpdate.top, stackUpdate.kind], [top, kind]);
        assertEquals(stack, stackOf(top));
      }
    }
  });

  it("makes a dictionary of an object of DICTIONARY_MEMBERS members", () => {
    const stack = stackOf(1);
    const top = 1 + 2 * DICTIONARY_MEMBERS;
    for (let i = 1; i < top; i += 2) [stack[i], stack[i + 1]] = [i === 3 ? "__proto__" : `key ${i}`, i];
    const members = Array.from({ length: DICTIONARY_MEMBERS }, (_, i) => [stack[1 + 2 * i], stack[2 + 2 * i]]);
    assertStrictEquals(growOrFlush(stack, 1, top, OBJECT), stack);
    assertEquals([stackUpdate.top, stackUpdate.kind], [2, DICTIONARY]);
    assertEquals(Object.entries(stack[1] as object), members);
  });

  it("makes a small stack one of the usual size, whatever is on it", () => {
    const stack = smallStack(null);
    stack[0] = "a";
    const larger = growOrFlush(stack, 0, 1, ARRAY)!;
    assertEquals([larger.length, larger[0]], [STACK_SIZE, "a"]);
    assertEquals([stackUpdate.top, stackUpdate.kind], [1, ARRAY]);
  });

  it("doubles a full stack that no flush makes room on, and its table", () => {
    for (const top of [STACK_SIZE - SLACK - 1, STACK_SIZE - SLACK, STACK_SIZE - 1]) {
      tables.ids[top - 1] = 9;
      const larger = growOrFlush(stackOf(top), top - 2, top, ARRAY)!;
      assertStrictEquals(larger.length, top >= STACK_SIZE - SLACK ? 2 * STACK_SIZE : STACK_SIZE);
      assertEquals(larger.slice(0, top), stackOf(top).slice(0, top));
      assert(tables.ids.length >= larger.length);
      assertStrictEquals(tables.ids[top - 1], 9);
      tables.ids[top - 1] = 0;
    }
    releaseTables();
  });

  it("leaves a table that is larger than the stack will be", () => {
    tables.ids = new Int32Array(4 * STACK_SIZE);
    const { ids } = tables;
    assertStrictEquals(growOrFlush(stackOf(STACK_SIZE), STACK_SIZE, STACK_SIZE, ARRAY)!.length, 2 * STACK_SIZE);
    assertStrictEquals(tables.ids, ids);
    releaseTables();
  });
});

describe("limits of the engine", () => {
  /** Stack of the greatest length. V8 keeps an array without elements of that length in a table. */
  const largest: unknown[] = new Array(MAX_ARRAY);

  it("growOrFlush() returns null for the longest stack", () => {
    assertStrictEquals(growOrFlush(largest, 0, MAX_ARRAY - SLACK, DICTIONARY), null);
  });

  it("pushRun() returns null for a run that the longest stack has no room for", () => {
    readRun(SHORT_RUN + 1);
    assertStrictEquals(pushRun(largest, 0, MAX_ARRAY - SLACK - 1, ARRAY, SHORT_RUN + 1, false), null);
  });

  it("growOrFlush() returns null if there is no memory for the ids of a longer stack", () => {
    const top = STACK_SIZE - SLACK;
    assertStrictEquals(
      withoutMemory("Int32Array", () => true, () => growOrFlush(stackOf(top), top, top, ARRAY)),
      null,
    );
    assertStrictEquals(tables.ids.length, STACK_SIZE);
  });

  for (const [size, isRefused] of [[STACK_SIZE, false], [2 ** 18, false], [2 ** 19, true]] as const) {
    it(`growOrFlush() ${isRefused ? "returns null" : "throws"} if the engine fails to copy ${size} entries`, () => {
      const { slice } = Array.prototype;
      const call = (): never => {
        throw new RangeError("Invalid array length");
      };
      const stack: unknown[] = size === STACK_SIZE ? stackOf(0) : new Array(size);
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

  it("growFrames() throws the engine's error where the stack ends, and nothing can be allocated", () => {
    const { length } = tables.frames;
    const grow = (): unknown => withoutMemory("Int32Array", () => true, growFrames);
    assertThrows(() => withoutMemory("Uint8Array", () => true, grow), RangeError);
    assertStrictEquals(tables.frames.length, length);
  });

  it("growFrames() returns false if there is no memory for more frames", () => {
    const { length } = tables.frames;
    assertStrictEquals(withoutMemory("Int32Array", () => true, growFrames), false);
    assertStrictEquals(tables.frames.length, length);
  });
});

/** Length of the stack of small inputs. */
const ENTRIES = 64;
/** Documents that put as many values as they can on the stack: begin, repeated part, end. */
const DENSE: { begin: string; repeated: string; end: string }[] = [
  { begin: "[", repeated: '"",', end: '""]' },
  { begin: "[", repeated: "[],", end: "[]]" },
  { begin: "[", repeated: "{},", end: "1]" },
  { begin: '[""', repeated: ",1", end: "]" },
  { begin: "[null", repeated: ",1", end: "]" },
  { begin: "{", repeated: '"":1,', end: '"":1}' },
  { begin: "{", repeated: '"a":[],', end: '"b":{}}' },
  { begin: "[", repeated: "[", end: "]" },
  { begin: "[1,", repeated: "[2,", end: "]" },
  { begin: '{"":', repeated: '{"":', end: "1}" },
  { begin: "[", repeated: '"a",{"":', end: "}" },
];

describe("the stack of small inputs", () => {
  it("holds nothing after a call, valid or not, of any size", () => {
    for (const { begin, repeated, end } of DENSE) {
      for (let count = 0; begin.length + count * repeated.length <= SMALL_INPUT; count += 1 + (count >> 3)) {
        for (const document of [begin + repeated.repeat(count) + end, begin + repeated.repeat(count)]) {
          parseBinary(new TextEncoder().encode(document));
          assertEquals(keptStack.findIndex((entry) => entry !== null), -1, document);
          assertEquals(keptStack.length, ENTRIES);
        }
      }
    }
  });

  it("is not that of larger inputs", () => {
    keptStack[0] = keptStack[ENTRIES - 1] = "kept";
    // Through windows, since the first inputs are parsed by recursion otherwise.
    const larger = new TextEncoder().encode(`["a", ${" ".repeat(2 * SMALL_INPUT)}"b"]`);
    assertEquals(parseDocument(larger, SMALL_INPUT, 64), { ok: true, value: ["a", "b"] });
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], ["kept", "kept"]);
    parseBinary(new TextEncoder().encode(`["a", "b"${" ".repeat(SMALL_INPUT - 10)}]`));
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], ["kept", "kept"]);
    parseBinary(new TextEncoder().encode(`["a", "b"${" ".repeat(MAX_KEPT_STACK_INPUT - 11)}]`));
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], [null, null]);
  });

  it("is that of further inputs where that is faster", async () => {
    const path = "parser/document/value_stack.ts";
    const limitWith = async (globals: Record<string, unknown>): Promise<number> =>
      (await loadFreshWith<typeof import("../../../parser/document/value_stack.ts")>(path, globals))
        .MAX_KEPT_STACK_INPUT;
    const errorWith = (property: string): unknown =>
      class extends Error {
        readonly [property] = "";
      };
    assertEquals(MAX_KEPT_STACK_INPUT, 128);
    assertEquals(await limitWith({ Error: errorWith("sourceURL") }), SMALL_INPUT);
    assertEquals(await limitWith({ Error: errorWith("fileName") }), SMALL_INPUT);
  });
});
