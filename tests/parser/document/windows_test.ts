/**
 * Windows onto inputs in `parser/document/windows.ts`. Inputs larger than an int32 counts are
 * parsed through them. Here the windows are small, so that documents of some kilobytes go through
 * many: the value, or the failure and its place, must be those of one piece.
 *
 * @module
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import { windowOf } from "../../../parser/engine/input_view.ts";
import { utf8 } from "../../support/bytes.ts";
import { difference } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";

/** Rows of every kind of token; none, and no run of numbers, is as long as the margins below. */
function document(rows: number): string {
  const row = (i: number): unknown => ({
    id: i,
    text: `text ${i}`.repeat(i % 5),
    "wide ü中": "中文".repeat(i % 4),
    numbers: Array.from({ length: i % 25 }, (_, n) => n * 0.25 - i),
    nested: [[], {}, [null, true, [false, `\\n${i}`]], { [`key ${i}`]: -i / 3 }],
  });
  return JSON.stringify(Array.from({ length: rows }, (_, i) => row(i)), null, rows % 3);
}

/** Value, or code and offset. */
function outcome(bytes: Uint8Array, windowSize?: number, margin?: number): unknown {
  const result = parseDocument(bytes, windowSize, margin);
  return result.ok ? result.value : { code: result.code, offset: result.offset };
}

describe("windows", () => {
  for (const [windowSize, margin] of [[1200, 800], [2000, 1000], [5000, 900]]) {
    it(`of ${windowSize} bytes, ${margin} of them margin, give the same value, and fail at the same place`, () => {
      for (let rows = 1; rows < 60; rows += 7) {
        const bytes = utf8(document(rows));
        const odd = new Uint8Array(bytes.length + 9).fill(0x22);
        odd.set(bytes, 5);
        for (const part of [bytes, odd.subarray(5, 5 + bytes.length)]) {
          assertEquals(difference(outcome(part, windowSize, margin), outcome(bytes)), undefined);
        }
      }
      const bytes = utf8(document(40));
      for (let offset = 1; offset < bytes.length; offset += 37) {
        const broken = bytes.slice();
        broken[offset] = 0x01;
        assertEquals(outcome(broken, windowSize, margin), outcome(broken));
        assertEquals(outcome(bytes.subarray(0, offset), windowSize, margin), outcome(bytes.subarray(0, offset)));
      }
    });
  }

  const gap = " ".repeat(900);
  const texts = [
    `[1${`,${" ".repeat(60)}2.5`.repeat(200)}]`,
    `[1,${gap}2,${gap}${gap}3]`,
    `[1${gap},2${gap}${gap}${gap},"x"${gap}]`,
    `{"a":1${gap},"b":[true${gap}${gap}],${gap}${gap}"c":{}${gap}${gap}}`,
    `{${gap}${gap}"a":[]${gap}${gap}${gap}}${gap}${gap}`,
    `${gap}${gap}${gap}${gap}[{"a":1}]${gap}`,
    `[[[1]${gap}${gap}]${gap}${gap}]${gap}${gap}${gap}`,
    `${gap}${gap}"a scalar"${gap}${gap}`,
    `\ufeff${gap}${gap}[1]`,
    `${" ".repeat(8400)}\ufeff[1]`,
    `${" ".repeat(8400)}\ufeff${gap}${gap}[1]`,
    `${gap}${gap}`,
    `[1${gap}${gap}2]`,
    `[1${gap}${gap}}`,
    `{"a":1${gap}${gap}]`,
    `{"a":1${gap}${gap}"b":2}`,
    `[1,${gap}${gap}]`,
    `{"a":1,${gap}${gap}}`,
    `[1]${gap}${gap}x`,
    `[1${gap}${gap}`,
    `[true${gap}${gap}\n${gap},x]`,
    `${gap}${gap}"\\x"${gap}`,
    `${gap}${gap}"`,
  ];
  it("are crossed by whitespace between tokens", () => {
    for (const text of texts) {
      const bytes = utf8(text);
      for (const [windowSize, margin] of [[1200, 800], [1201, 500], [700, 650]]) {
        assertEquals(outcome(bytes, windowSize, margin), outcome(bytes), text.replaceAll(gap, "␣"));
      }
    }
    for (let spaces = 0; spaces <= 45; spaces++) { // content at each place of a window
      for (const text of [`${" ".repeat(spaces)}[1]`, `[1]${" ".repeat(spaces)}x`, `[1]${" ".repeat(spaces)}`]) {
        const bytes = utf8(text);
        assertEquals(outcome(bytes, 20, 10), outcome(bytes), text);
      }
    }
  });

  it("fail on what is longer than a window's margin as too large, where it ends", () => {
    const bytes = utf8(`[${"1,".repeat(800)}"${"x".repeat(3000)}"]`);
    assertEquals(outcome(bytes, 1200, 800), { code: "value-too-large", offset: 1601 + 1200 });
  });

  it("may begin anywhere in a long array of numbers", () => {
    const numbers = Array.from({ length: 20_000 }, (_, i) => i % 7 === 0 ? i / 8 : i);
    const value = { numbers, after: [numbers.slice(0, 100), "x"] };
    assertEquals(difference(outcome(utf8(JSON.stringify(value)), 60_000, 50_000), value), undefined);
  });

  it("that are small take no string of a large one before them for their own", () => {
    const text = "a string that is long enough for the cache of large inputs";
    const strings = Array.from({ length: 75_000 }, (_, i) => i % 1000 === 0 ? `${text} ${i}` : text);
    const bytes = utf8(JSON.stringify(strings));
    assert(bytes.length > LARGE_INPUT + 100_000);
    assertEquals(difference(outcome(bytes, LARGE_INPUT, 50_000), strings), undefined);
  });
});

describe("windows onto shared memory", () => {
  function shared(text: string): Uint8Array {
    const input = new Uint8Array(new SharedArrayBuffer(text.length));
    input.set(utf8(text));
    return input;
  }

  /** Whether an argument of a constructor is a view of shared memory, so that it makes a copy. */
  const isShared = (source: unknown): boolean =>
    source instanceof Object.getPrototypeOf(Int8Array) && (source as Uint8Array).buffer instanceof SharedArrayBuffer;

  it("are copies, and others are none", () => {
    for (const [input, found] of [[shared("01234"), 0x32], [utf8("01234"), 7]] as const) {
      const window = windowOf(input, 1, 3)!;
      input[2] = 7;
      assertEquals([...window], [0x31, found, 0x33]);
    }
  });

  it("are failures at the window that cannot be copied", () => {
    for (const [count, failing, offset] of [[600, 1, 0], [2000, 2, 401]]) {
      const input = shared(`[${"1,".repeat(count)}1]`);
      const parse = (): unknown => failing === 1 ? outcome(input) : outcome(input, 1200, 800);
      let copies = 0;
      const isDenied = (source: unknown): boolean => isShared(source) && ++copies === failing;
      assertEquals(withoutMemory("Uint8Array", isDenied, parse), { code: "value-too-large", offset });
      assertEquals((parse() as unknown[]).length, count + 1);
    }
  });

  it("throw the engine's error where the stack ends, and nothing can be allocated", () => {
    const input = shared("[1]");
    let calls = 0;
    // The first call makes a view, the second a copy.
    assertThrows(() => withoutMemory("Uint8Array", () => ++calls > 1, () => windowOf(input, 0, 3)), RangeError);
    calls = 0;
    assertEquals(withoutMemory("Uint8Array", () => ++calls === 2, () => windowOf(input, 0, 3)), null);
  });
});
