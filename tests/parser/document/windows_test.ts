/**
 * Windows onto inputs in `parser/document/windows.ts`. Inputs larger than an int32 counts are
 * parsed through them. Here the windows are small, so that documents of some kilobytes go through
 * many: the value, or the failure and its place, must be those of one piece.
 *
 * @module
 */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import { VALUE } from "../../../parser/validation/token_dfa.ts";
import { FAILED } from "../../../parser/document/parse_scalar.ts";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import { skipByteOrderMark, windowOf } from "../../../parser/engine/input_view.ts";
import {
  failInWindow,
  finishDocument,
  skipLeadingWindows,
  type WindowedInput,
} from "../../../parser/document/windows.ts";
import { difference } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";

const encoder = new TextEncoder();

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
    it(`of ${windowSize} bytes, ${margin} of them margin, give the same value`, () => {
      for (let rows = 1; rows < 60; rows += 7) {
        const bytes = encoder.encode(document(rows));
        assertEquals(difference(outcome(bytes, windowSize, margin), outcome(bytes)), undefined);
        const odd = new Uint8Array(bytes.length + 9).fill(0x22);
        odd.set(bytes, 5);
        const part = odd.subarray(5, 5 + bytes.length);
        assertEquals(difference(outcome(part, windowSize, margin), outcome(bytes)), undefined);
      }
    });

    it(`of ${windowSize} bytes, ${margin} of them margin, fail at the same place`, () => {
      const bytes = encoder.encode(document(40));
      for (let offset = 1; offset < bytes.length; offset += 37) {
        const broken = bytes.slice();
        broken[offset] = 0x01;
        const expected = outcome(broken);
        assertEquals(outcome(broken, windowSize, margin), expected);
        assert((expected as { offset: number }).offset <= offset);
        assertEquals(outcome(bytes.subarray(0, offset), windowSize, margin), outcome(bytes.subarray(0, offset)));
      }
    });
  }

  const gap = " ".repeat(900);

  for (
    const text of [
      `[1${`,${" ".repeat(60)}2.5`.repeat(200)}]`,
      `[1,${gap}2,${gap}${gap}3]`,
      `[1${gap},2${gap}${gap}${gap},"x"${gap}]`,
      `{"a":1${gap},"b":[true${gap}${gap}],${gap}${gap}"c":{}${gap}${gap}}`,
      `{${gap}${gap}"a":[]${gap}${gap}${gap}}${gap}${gap}`,
      `${gap}${gap}${gap}${gap}[{"a":1}]${gap}`,
      `[[[1]${gap}${gap}]${gap}${gap}]${gap}${gap}${gap}`,
      `${gap}${gap}"a scalar"${gap}${gap}`,
      `${" ".repeat(8400)}\ufeff[1]`,
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
    ]
  ) {
    it(`are crossed by whitespace between tokens: ${text.replaceAll(gap, "␣").slice(0, 80)}`, () => {
      const bytes = encoder.encode(text);
      for (const [windowSize, margin] of [[1200, 800], [1201, 500], [700, 650]]) {
        assertEquals(outcome(bytes, windowSize, margin), outcome(bytes), `windows of ${windowSize} bytes`);
      }
    });
  }

  it("fail on what is longer than a window's margin as too large, where it ends", () => {
    const bytes = encoder.encode(`[${"1,".repeat(800)}"${"x".repeat(3000)}"]`);
    assertEquals(outcome(bytes, 1200, 800), { code: "value-too-large", offset: 1601 + 1200 });
  });

  it("may begin anywhere in a long array of numbers", () => {
    const numbers = Array.from({ length: 20_000 }, (_, i) => i % 7 === 0 ? i / 8 : i);
    const bytes = encoder.encode(JSON.stringify({ numbers, after: [numbers.slice(0, 100), "x"] }));
    assertEquals(
      difference(outcome(bytes, 60_000, 50_000), { numbers, after: [numbers.slice(0, 100), "x"] }),
      undefined,
    );
  });
});

/** Input of a text, with windows of so many bytes. */
function windowedInput(text: string, windowSize: number): WindowedInput {
  const input = encoder.encode(text);
  return { input, total: input.length, windowSize, margin: windowSize >> 1, suspension: null };
}

describe("windowOf()", () => {
  it("returns a view of the input's memory", () => {
    const input = Uint8Array.of(9, 0, 1, 2, 3, 4, 9).subarray(1, 6);
    const window = windowOf(input, 1, 3)!;
    assertEquals([...window], [1, 2, 3]);
    input[2] = 7;
    assertEquals([...window], [1, 7, 3]);
  });

  it("returns a copy of shared memory", () => {
    const input = new Uint8Array(new SharedArrayBuffer(8), 2, 5);
    input.set([0, 1, 2, 3, 4]);
    const window = windowOf(input, 1, 3)!;
    input[2] = 7;
    assertEquals([...window], [1, 2, 3]);
  });
});

describe("shared memory that cannot be copied", () => {
  /** Copies text to shared memory. */
  function shared(text: string): Uint8Array {
    const bytes = encoder.encode(text);
    const input = new Uint8Array(new SharedArrayBuffer(bytes.length));
    input.set(bytes);
    return input;
  }

  /** Whether an argument of a constructor is a view of shared memory, so that it makes a copy. */
  const isShared = (source: unknown): boolean =>
    source instanceof Object.getPrototypeOf(Int8Array) && (source as Uint8Array).buffer instanceof SharedArrayBuffer;

  it("is a failure at the first window", () => {
    const input = shared(`[${"1,".repeat(600)}1]`);
    assertEquals(withoutMemory("Uint8Array", isShared, () => outcome(input)), { code: "value-too-large", offset: 0 });
    assertEquals((outcome(input) as unknown[]).length, 601);
  });

  it("is a failure where a later window begins", () => {
    const input = shared(`[${"1,".repeat(2000)}1]`);
    let copies = 0;
    const isSecond = (source: unknown): boolean => isShared(source) && ++copies > 1;
    const result = withoutMemory("Uint8Array", isSecond, () => outcome(input, 1200, 800));
    assertEquals(result, { code: "value-too-large", offset: 401 });
    assertEquals((outcome(input, 1200, 800) as unknown[]).length, 2001);
  });

  it("is no failure where the stack ends, and nothing can be allocated: the engine's error is thrown", () => {
    const input = shared("[1]");
    let calls = 0;
    // The first call makes a view, the second a copy.
    assertThrows(() => withoutMemory("Uint8Array", () => ++calls > 1, () => windowOf(input, 0, 3)), RangeError);
    calls = 0;
    assertEquals(withoutMemory("Uint8Array", () => ++calls === 2, () => windowOf(input, 0, 3)), null);
  });
});

describe("skipByteOrderMark()", () => {
  it("skips a whole byte-order mark at the start, and nothing else", () => {
    const mark = [0xef, 0xbb, 0xbf];
    assertEquals(skipByteOrderMark(Uint8Array.from(mark), 3), 3);
    assertEquals(skipByteOrderMark(Uint8Array.from([...mark, ...mark]), 6), 3);
    assertEquals(skipByteOrderMark(Uint8Array.from(mark), 2), 0);
    for (let place = 0; place < 3; place++) {
      assertEquals(skipByteOrderMark(Uint8Array.from(mark.with(place, 0xbe)), 3), 0);
    }
  });
});

describe("skipLeadingWindows()", () => {
  it("counts the whitespace of whole windows, but for the last", () => {
    for (let spaces = 0; spaces <= 45; spaces++) {
      const whole = Math.floor(spaces / 10) * 10;
      assertEquals(skipLeadingWindows(windowedInput(`${" ".repeat(spaces)}[${"1".repeat(20)}]`, 10)), whole);
    }
    assertEquals(skipLeadingWindows(windowedInput(" ".repeat(40), 10)), 30);
    assertEquals(skipLeadingWindows(windowedInput(" ".repeat(41), 10)), 40);
  });

  it("takes a byte-order mark for whitespace at the start alone", () => {
    assertEquals(skipLeadingWindows(windowedInput(`\ufeff${" ".repeat(40)}`, 10)), 40);
    assertEquals(skipLeadingWindows(windowedInput(`${" ".repeat(10)}\ufeff${" ".repeat(30)}`, 10)), 10);
  });
});

/** Finishes a document after its third byte, in its first window. */
function finish(windowed: WindowedInput, end: number): boolean {
  const { input } = windowed;
  return finishDocument(windowed, input.subarray(0, end), new DataView(input.buffer), 0, 3, end);
}

describe("finishDocument()", () => {
  it("accepts whitespace up to the end, in this window and those that follow", () => {
    for (let spaces = 0; spaces <= 35; spaces++) {
      const windowed = windowedInput(`[1]${" ".repeat(spaces)}`, 10);
      const end = Math.min(10, windowed.total);
      assert(finish(windowed, end), `${spaces} spaces`);
    }
  });

  it("records other content by its place in the input", () => {
    for (let spaces = 0; spaces <= 35; spaces++) {
      const windowed = windowedInput(`[1]${" ".repeat(spaces)}x${" ".repeat(9)}`, 10);
      assert(!finish(windowed, 10), `${spaces} spaces`);
      assertEquals(failure, { code: "trailing-content", offset: 3 + spaces });
    }
  });
});

describe("failInWindow()", () => {
  /** Returns the failure of a token at the beginning of a window of ten bytes. */
  function failureOf(token: string, origin: number): typeof failure {
    const windowed = windowedInput(`${" ".repeat(origin)}${token}`.padEnd(30), 10);
    const bytes = windowed.input.subarray(origin, origin + 10);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    assertStrictEquals(failInWindow(windowed, bytes, view, origin, 0, 10, VALUE, false), FAILED);
    return { ...failure };
  }

  it("makes the offset one of the input", () => {
    assertEquals(failureOf('"\\x"', 10), { code: "bad-escape", offset: 12 });
  });

  it("calls a token too large in which a window ends", () => {
    assertEquals(failureOf('"', 10), { code: "value-too-large", offset: 20 });
  });

  it("names the failure where the input ends with the last window", () => {
    assertEquals(failureOf('"', 20), { code: "unterminated-string", offset: 30 });
  });
});

describe("skipLeadingWindows() of a window with one byte of content", () => {
  it("stops at it, in every place", () => {
    for (let place = 0; place < 50; place++) {
      const text = `${" ".repeat(place)}1${" ".repeat(49 - place)}`;
      assertEquals(skipLeadingWindows(windowedInput(text, 10)), Math.floor(place / 10) * 10);
    }
  });
});

describe("a small window behind a large one", () => {
  it("takes no string of that one for its own", () => {
    const text = "a string that is long enough for the cache of large inputs";
    const strings = Array.from({ length: 75_000 }, (_, i) => i % 1000 === 0 ? `${text} ${i}` : text);
    const bytes = encoder.encode(JSON.stringify(strings));
    assert(bytes.length > LARGE_INPUT + 100_000);
    assertEquals(difference(outcome(bytes, LARGE_INPUT, 50_000), strings), undefined);
  });
});
