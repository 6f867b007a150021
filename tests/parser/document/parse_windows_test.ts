/**
 * Windows onto inputs larger than an int32 counts. Here they are small, so that documents of some
 * kilobytes go through many: the value, or the failure and its place, must be those of one piece.
 * `tests/support/readers.ts` has readers in windows, for documents of all kinds.
 */

import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import { windowOf } from "../../../parser/engine/input_view.ts";
import { utf8 } from "../../support/bytes.ts";
import { difference } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";

/** Value, or code and offset. */
function outcome(bytes: Uint8Array, windowSize?: number): unknown {
  const result = parseDocument(bytes, windowSize);
  return result.ok ? result.value : { code: result.code, offset: result.offset };
}

/** Asserts that windows change nothing. */
function assertSame(bytes: Uint8Array, windowSize: number, how = ""): void {
  const problem = difference(outcome(bytes, windowSize), outcome(bytes));
  if (problem) throw new Error(`${how} in windows of ${windowSize} bytes: ${problem}`);
}

describe("windows", () => {
  it("may end within whitespace between tokens", () => {
    const gap = " ".repeat(900);
    const texts = [
      ...["[1,_2,__3]", '[1_,2___,"x"_]', '{"a":1_,"b":[true__],__"c":{}__}', '{__"a":[]___}__', '____[{"a":1}]_'],
      ...["[[[1]__]__]___", '__"a scalar"__', "\ufeff_[1]", "__", "[1__2]", "[1__}", '{"a":1__]', '{"a":1__"b":2}'],
      ...["[1,__]", '{"a":1,__}', "[1]__x", "[1__", "[true__\n_,x]", '__"\\x"_', '__"'],
    ].map((text) => text.replaceAll("_", gap));
    texts.push(`[1${`,${" ".repeat(60)}2.5`.repeat(200)}]`);
    for (const rest of ["[1]", `${gap}${gap}[1]`]) texts.push(`${" ".repeat(8400)}\ufeff${rest}`);
    for (const text of texts) {
      for (const size of [1200, 1201, 700, 50]) assertSame(utf8(text), size, text.replaceAll(gap, "_"));
    }
    for (let spaces = 0; spaces <= 45; spaces++) { // content at each place of a window
      for (const text of ["_[1]", "[1]_x", "[1]_"]) {
        assertSame(utf8(text.replace("_", " ".repeat(spaces))), 20, text);
      }
    }
  });

  it("fail with value-too-large where the window ends, for a token longer than a window", () => {
    const surroundings = [[`[${"1,".repeat(800)}`, "]"], [" ".repeat(1601), " "], ['{"key" :'.padStart(1601), "}"]];
    for (const token of [`"${"x".repeat(3000)}"`, "1".repeat(3000)]) {
      for (const [before, after] of surroundings) {
        assertEquals(outcome(utf8(before + token + after), 1200), { code: "value-too-large", offset: 1601 + 1200 });
      }
    }
  });

  it("may begin anywhere in a long array of numbers", () => {
    const numbers = Array.from({ length: 20_000 }, (_, i) => i % 7 === 0 ? i / 8 : i);
    assertSame(utf8(JSON.stringify({ numbers, after: [numbers.slice(0, 100), "x"] })), 60_000);
  });

  it("that are small do not reuse cached strings of a large one before them", () => {
    const text = "a string that is long enough for the cache of large inputs";
    const strings = Array.from({ length: 75_000 }, (_, i) => i % 1000 === 0 ? `${text} ${i}` : text);
    assertSame(utf8(JSON.stringify(strings)), LARGE_INPUT);
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

  it("are copied, and others are not", () => {
    for (const [input, found] of [[shared("01234"), 0x32], [utf8("01234"), 7]] as const) {
      const window = windowOf(input, 1, 3)!;
      input[2] = 7;
      assertEquals([...window], [0x31, found, 0x33]);
    }
  });

  it("fail at the window that cannot be copied", () => {
    for (const [count, failing, offset] of [[600, 1, 0], [2000, 2, 1199]]) {
      const input = shared(`[${"1,".repeat(count)}1]`);
      const parse = (): unknown => failing === 1 ? outcome(input) : outcome(input, 1200);
      let copies = 0;
      const isDenied = (source: unknown): boolean => isShared(source) && ++copies === failing;
      assertEquals(withoutMemory("Uint8Array", isDenied, parse), { code: "value-too-large", offset });
      assertEquals((parse() as unknown[]).length, count + 1);
    }
  });

  it("throw the engine's error on a stack overflow, where nothing can be allocated", () => {
    const input = shared("[1]");
    let calls = 0;
    // The first call makes a view, the second a copy.
    assertThrows(() => withoutMemory("Uint8Array", () => ++calls > 1, () => windowOf(input, 0, 3)), RangeError);
    calls = 0;
    assertEquals(withoutMemory("Uint8Array", () => ++calls === 2, () => windowOf(input, 0, 3)), null);
  });
});
