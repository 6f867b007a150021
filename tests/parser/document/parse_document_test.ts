/** Calls of `parser/document/parse_document.ts` that are interrupted in the middle. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import { mantissaParts, numberValue } from "../../../parser/numbers/read_number.ts";
import { dirtyRun } from "../../../parser/numbers/number_runs.ts";
import { dirtyLength } from "../../../parser/strings/make_string.ts";
import { parseDocument, parseRange } from "../../../parser/document/parse_document.ts";
import { takeValue } from "../../../parser/document/parse_recursively.ts";
import { tables } from "../../../parser/document/value_stack.ts";
import type { ParseResult } from "../../../parse_binary.ts";
import { utf8 } from "../../support/bytes.ts";
import { resultDifference } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf, loadFreshWith, withGlobals } from "../../support/modules.ts";
import { referenceParse } from "../../support/reference.ts";

const TYPED_ARRAY_PROTOTYPE = Object.getPrototypeOf(Uint8Array.prototype);

/** Calls `body` while a method of a prototype is another function. */
function withMethod<T>(prototype: object, name: string, method: (...args: never[]) => unknown, body: () => T): T {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
  Object.defineProperty(prototype, name, { ...descriptor, value: method });
  try {
    return body();
  } finally {
    Object.defineProperty(prototype, name, descriptor);
  }
}

describe("parseDocument()", () => {
  it("cleans up after a call that could not", () => {
    const stop = (): never => {
      throw new RangeError("stack");
    };
    for (const text of ['"secret"', '["secret", 12.5]']) {
      assertThrows(
        () => withMethod(DataView.prototype, "setFloat64", stop, () => parseDocument(utf8(text))),
        RangeError,
      );
      assertEquals(parseDocument(utf8("[1]")), { ok: true, value: [1] });
    }
  });

  it("copies small inputs of every length, in Safari too", async () => {
    class SafariError extends Error {
      readonly sourceURL = "";
    }
    for (const globals of [{}, { Error: SafariError }]) {
      const path = "parser/document/parse_document.ts";
      const { parseDocument } = await loadFreshWith<typeof import("../../../parser/document/parse_document.ts")>(
        path,
        globals,
      );
      for (let length = 0; length <= 100; length++) {
        const text = "x".repeat(length);
        assertEquals(parseDocument(utf8(`["${text}"]`)), { ok: true, value: [text] });
        assertEquals(parseDocument(utf8("[1]")), { ok: true, value: [1] });
      }
    }
  });

  it("releases the tables of a deep input whose call could not", () => {
    const { length } = tables.frames;
    const deep = utf8(`${"[".repeat(3000)}${"]".repeat(3000)}`);
    assertThrows(() => withoutMemory("Int32Array", (size) => size === length, () => parseDocument(deep)), RangeError);
    assert(tables.frames.length > length);
    assertEquals(parseDocument(utf8("[1]")), { ok: true, value: [1] });
    assertEquals(tables.frames.length, length);
  });

  for (const length of [17, 512]) {
    it(`parses the ${length} bytes that shared memory had when the call began, though it grows while it is copied`, () => {
      const buffer = new SharedArrayBuffer(length, { maxByteLength: 2048 });
      const bytes = new Uint8Array(buffer);
      bytes.set(utf8(`[${"1,".repeat((length - 3) / 2)}${" ".repeat((length - 3) % 2)}1]`));
      const { set } = Uint8Array.prototype;
      let calls = 0;
      const grow = function (this: Uint8Array, source: Uint8Array): void {
        if (calls++ === 0) {
          buffer.grow(2048);
          bytes.fill(0x20, length);
        }
        Reflect.apply(set, this, [source]);
      };
      const expected = JSON.parse(new TextDecoder().decode(bytes.slice()));
      const result = withMethod(TYPED_ARRAY_PROTOTYPE, "set", grow, () => parseDocument(bytes));
      assertEquals(result, { ok: true, value: expected });
    });
  }

  it("parses the bytes that shared memory had, though it grows by some that fit the copy", () => {
    const buffer = new SharedArrayBuffer(20, { maxByteLength: 100 });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8("[1,2,3,4,5,6,7,8,99]"));
    const { set } = Uint8Array.prototype;
    let calls = 0;
    const grow = function (this: Uint8Array, source: Uint8Array): void {
      if (calls++ === 0) {
        buffer.grow(100);
        bytes.fill(0x78, 20);
      }
      Reflect.apply(set, this, [source]);
    };
    const result = withMethod(TYPED_ARRAY_PROTOTYPE, "set", grow, () => parseDocument(bytes));
    assertEquals(result, { ok: true, value: [1, 2, 3, 4, 5, 6, 7, 8, 99] });
    assertEquals(parseDocument(utf8("[1,2,3,4,5,6,7,8,9]")), { ok: true, value: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
  });
});

/** Parses a small input as an argument that is bytes, and as one that is a slice. */
const PARSERS: Record<string, (bytes: Uint8Array) => unknown> = {
  "parseDocument()": (bytes) => parseDocument(bytes),
  "parseRange()": (bytes) => parseRange(bytes, 0, bytes.length),
};

for (const [name, parse] of Object.entries(PARSERS)) {
  describe(`${name} of an input of any size`, () => {
    it("agrees with the reference parser on scalars, and on what surrounds them", () => {
      const texts = [
        "1",
        "-0.5",
        "true",
        "null",
        '"a"',
        "",
        "x",
        "nul",
        "1 x",
        "1\n2",
        '"a" "b"',
        "[1]",
        "[1] ]",
        "{}",
      ];
      for (const text of texts) {
        for (const gap of [0, 1, 2, 14, 15, 16, 17, SMALL_INPUT - 1, SMALL_INPUT]) {
          const spaces = " ".repeat(gap);
          for (const mark of ["", "\ufeff"]) {
            for (const whole of [`${spaces}${text}`, `${text}${spaces}`, `\n${spaces}${text}\t`]) {
              const bytes = utf8(mark + whole);
              const problem = resultDifference(parse(bytes) as ParseResult, referenceParse(bytes));
              if (problem) throw new Error(`${JSON.stringify(mark + whole)}: ${problem}`);
            }
          }
        }
      }
    });
  });

  describe(`${name} after another call`, () => {
    /** Fails unless texts that end with a digit are parsed to their end, and no further. */
    function assertNothingLeft(): void {
      for (let length = 2; length < 30; length++) {
        const { offset } = parse(utf8(`[${"1".padStart(length - 1)}`)) as { offset: number };
        assertEquals(offset, length);
      }
    }

    it("reads no byte of that one", () => {
      for (const length of [16, 17, 30, 100, SMALL_INPUT - 1, SMALL_INPUT]) {
        for (const before of Object.values(PARSERS)) {
          for (const text of ["1", ",1", "] ", "1e"]) {
            before(utf8(text.repeat(length).slice(0, length)));
            assertNothingLeft();
          }
        }
      }
    });

    it("reads no byte of that one though it could not clean up", () => {
      const stop = (): never => {
        throw new RangeError("stack");
      };
      for (const before of Object.values(PARSERS)) {
        const bytes = utf8(",1".repeat(50));
        assertThrows(() => withMethod(DataView.prototype, "setFloat64", stop, () => before(bytes)), RangeError);
        assertNothingLeft();
      }
    });

    it("looks anew at what a program has made of Array.prototype", () => {
      class Other extends Array {}
      const bytes = utf8(JSON.stringify(Array.from({ length: 20 }, () => "a")));
      const species = Object.getOwnPropertyDescriptor(Array, Symbol.species)!;
      const [, result] = [species, { get: () => Other, configurable: true }].map((descriptor) => {
        Object.defineProperty(Array, Symbol.species, descriptor);
        try {
          return parse(bytes) as { value: unknown };
        } finally {
          Object.defineProperty(Array, Symbol.species, species);
        }
      });
      assertEquals(Object.getPrototypeOf(result.value), Array.prototype);
    });
  });

  describe(`${name} keeps nothing of its input`, () => {
    it("as a value", () => {
      for (const length of [10, SMALL_INPUT, SMALL_INPUT + 1]) {
        parse(utf8(`["${"a".repeat(length - 4)}"]`));
        assertEquals(takeValue(), undefined);
      }
    });

    it("in the buffers of numbers and characters", () => {
      for (let count = 0; count < 80; count++) {
        const value = ["é".repeat(32), Array.from({ length: count }, (_, i) => i + 0.5)];
        assertEquals(parse(utf8(JSON.stringify(value))), { ok: true, value });
        assertEquals([dirtyRun, dirtyLength], [{ numbers: 0 }, { characters: 0 }]);
      }
      for (const text of ["[5]", "[1.25e9,7.5]", "-1.5e300", '{"a":123456789.5}']) {
        parse(utf8(text));
        assertEquals([dirtyRun, dirtyLength], [{ numbers: 0 }, { characters: 0 }]);
        assertEquals([...numberValue, ...mantissaParts], [0, 0, 0]);
      }
    });
  });
}

describe("parseRange()", () => {
  it("parses a range of any size, anywhere in its buffer", () => {
    for (const size of [SMALL_INPUT, SMALL_INPUT + 1, 600, 2000]) {
      const value = "a".repeat(size - 2);
      const bytes = utf8(`12345"${value}"67890`).subarray(2);
      assertEquals(parseRange(bytes, 3, size), { ok: true, value });
    }
  });

  it("reads no byte behind the range", () => {
    for (
      const text of ["9[1234567890123456789012345678901234567890", `9[${"1,".repeat(30)}`, `9[${"12,".repeat(30)}`]
    ) {
      for (let size = 2; size < 40; size++) {
        const { code, offset } = parseRange(utf8(text), 1, size) as { code: string; offset: number };
        assertEquals([code, offset], [text[size] === "," ? "unexpected-end" : "expected-comma-or-bracket", size]);
      }
    }
  });
});

describe("parseDocument() of memory that changes during the call", () => {
  it("reads none of the bytes that shared memory grew by", () => {
    const buffer = new SharedArrayBuffer(20, { maxByteLength: 100 });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8(`[${"1".padStart(19)}`));
    const { set } = Uint8Array.prototype;
    const grow = function (this: Uint8Array, source: Uint8Array): void {
      if (buffer.byteLength === 20) {
        buffer.grow(100);
        for (let i = 20; i < 100; i++) bytes[i] = i % 2 === 0 ? 0x31 : 0x2c;
      }
      Reflect.apply(set, this, [source]);
    };
    const result = withMethod(TYPED_ARRAY_PROTOTYPE, "set", grow, () => parseDocument(bytes));
    for (const { offset } of [result, parseDocument(bytes.slice(0, 20))] as { offset: number }[]) {
      assertEquals(offset, 20);
    }
  });

  it("counts the lines of shared memory as they were when the call began", () => {
    const text = utf8(`${"\n".repeat(600)}["a value", x`);
    const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
    bytes.set(text);
    const { getInt32 } = DataView.prototype;
    const change = function (this: DataView, position: number, isLittle: boolean): number {
      bytes.fill(0x20, 0, 600);
      return Reflect.apply(getInt32, this, [position, isLittle]);
    };
    const result = withMethod(DataView.prototype, "getInt32", change, () => parseDocument(bytes));
    assertEquals([bytes[0], (result as { line: number }).line], [0x20, 601]);
  });

  it("parses what is left of an input that a program resizes while the heap is looked at", async () => {
    // The first look comes after so many bytes.
    const buffer = new ArrayBuffer(constantOf("parser/engine/young_generation.ts", "BYTES_BEFORE_COLLECTING"), {
      maxByteLength: 2 ** 25,
    });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8("[1]"));
    const getHeapSpaceStatistics = (): void => buffer.resize(3);
    const process = { versions: { v8: "15" }, getBuiltinModule: () => ({ getHeapSpaceStatistics }) };
    const result = await withGlobals({ process }, () => Promise.resolve(parseDocument(bytes)));
    assertEquals([result, buffer.byteLength], [{ ok: true, value: [1] }, 3]);
  });
});
