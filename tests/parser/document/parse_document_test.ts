/** Whole inputs: small ones, which are copied, shared memory, and calls that were interrupted. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import { takeValue } from "../../../parser/document/parse_recursively.ts";
import { keptStack, MAX_KEPT_STACK_INPUT, tables } from "../../../parser/document/value_stack.ts";
import { SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import { smallBytes } from "../../../parser/engine/small_copy.ts";
import { dirtyRun } from "../../../parser/numbers/number_runs.ts";
import { mantissaParts, numberValue } from "../../../parser/numbers/read_number.ts";
import { dirtyLength } from "../../../parser/strings/make_string.ts";
import { parseBinary, type ParseResult } from "../../../parse_binary.ts";
import { Slice } from "../../../slice.ts";
import { validateBinary } from "../../../validate_binary.ts";
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

function stop(): never {
  throw new RangeError("stack");
}

/** Makes an error of Safari. */
class SafariError extends Error {
  readonly sourceURL = "";
}

/** Ways to pass a small input. */
const PARSERS: Record<string, (bytes: Uint8Array) => ParseResult> = {
  "parseBinary()": (bytes) => parseBinary(bytes),
  "parseBinary() of a slice": (bytes) => parseBinary(new Slice(bytes)),
};

for (const [name, parse] of Object.entries(PARSERS)) {
  describe(name, () => {
    it("agrees with the reference parser on scalars of any size, and on what surrounds them", () => {
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
              const problem = resultDifference(parse(bytes), referenceParse(bytes));
              if (problem) throw new Error(`${JSON.stringify(mark + whole)}: ${problem}`);
            }
          }
        }
      }
    });

    /** Fails unless texts that end with a digit are parsed to their end, and no further. */
    function assertNothingLeft(): void {
      for (let length = 2; length < 30; length++) {
        assertEquals((parse(utf8(`[${"1".padStart(length - 1)}`)) as { offset: number }).offset, length);
      }
      assertEquals(parse(utf8("[1]")), { ok: true, value: [1] });
    }

    it("reads no byte of an earlier input, not even of a call that could not clean up", () => {
      for (const before of [...Object.values(PARSERS), validateBinary]) {
        for (const length of [16, 17, 30, 100, SMALL_INPUT - 1, SMALL_INPUT]) {
          for (const text of ["1", ",1", "] ", "1e"]) {
            before(utf8(text.repeat(length).slice(0, length)));
            assertNothingLeft();
          }
        }
      }
      for (const before of Object.values(PARSERS)) {
        for (const text of [",1".repeat(50), '"secret"', '["secret", 12.5]']) {
          assertThrows(() => withMethod(DataView.prototype, "setFloat64", stop, () => before(utf8(text))), RangeError);
          assertNothingLeft();
        }
      }
    });

    it("keeps nothing of its input, valid or not, of any size", () => {
      for (let count = 0; count < 80; count++) {
        const value = ["é".repeat(32), Array.from({ length: count }, (_, i) => i + 0.5)];
        assertEquals(parse(utf8(JSON.stringify(value))), { ok: true, value });
        assertEquals([dirtyRun.numbers, dirtyLength.characters], [0, 0]);
      }
      for (const text of ["[5]", "[1.25e9,7.5]", "-1.5e300", '{"a":123456789.5}', '["a",', `["${"a".repeat(600)}"]`]) {
        parse(utf8(text));
        assertEquals([dirtyRun.numbers, dirtyLength.characters, takeValue()], [0, 0, undefined]);
        assertEquals([...numberValue, ...mantissaParts], [0, 0, 0]);
      }
      for (let size = 0; size <= SMALL_INPUT; size++) {
        parse(new Uint8Array(size).fill(0x31));
        assert(smallBytes.every((byte) => byte === 0), `${size} bytes`);
      }
    });

    it("looks anew at what a program has made of Array.prototype", () => {
      class Other extends Array {}
      const bytes = utf8(JSON.stringify(Array.from({ length: 20 }, () => "a")));
      const species = Object.getOwnPropertyDescriptor(Array, Symbol.species)!;
      parse(bytes);
      Object.defineProperty(Array, Symbol.species, { get: () => Other, configurable: true });
      try {
        assertEquals(Object.getPrototypeOf((parse(bytes) as { value: unknown }).value), Array.prototype);
      } finally {
        Object.defineProperty(Array, Symbol.species, species);
      }
    });
  });
}

describe("parseDocument()", () => {
  it("copies small inputs of every length, in Safari too", async () => {
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

  it("parses what is left of an input that a program resizes while the heap is looked at", async () => {
    // The first look comes after so many bytes.
    const size = constantOf("parser/engine/young_generation.ts", "BYTES_BEFORE_COLLECTING");
    const bytes = new Uint8Array(new ArrayBuffer(size, { maxByteLength: 2 ** 25 }));
    bytes.set(utf8("[1]"));
    const getHeapSpaceStatistics = (): void => bytes.buffer.resize(3);
    const process = { versions: { v8: "15" }, getBuiltinModule: () => ({ getHeapSpaceStatistics }) };
    const result = await withGlobals({ process }, () => Promise.resolve(parseDocument(bytes)));
    assertEquals([result, bytes.length], [{ ok: true, value: [1] }, 3]);
  });
});

describe("parseBinary() of a slice", () => {
  it("of any size, anywhere in its buffer", () => {
    for (const size of [SMALL_INPUT, SMALL_INPUT + 1, 600, 2000]) {
      const value = "a".repeat(size - 2);
      const bytes = utf8(`12345"${value}"67890`).subarray(2);
      assertEquals(parseBinary(new Slice(bytes, 3, size)), { ok: true, value });
    }
  });

  it("reads no byte behind it", () => {
    for (
      const text of ["9[1234567890123456789012345678901234567890", `9[${"1,".repeat(30)}`, `9[${"12,".repeat(30)}`]
    ) {
      for (let size = 2; size < 40; size++) {
        const { code, offset } = parseBinary(new Slice(utf8(text), 1, size)) as { code: string; offset: number };
        assertEquals([code, offset], [text[size] === "," ? "unexpected-end" : "expected-comma-or-bracket", size]);
      }
    }
  });
});

describe("shared memory that changes during a call", () => {
  /** Parses shared memory that grows once, when it is copied. Other bytes fill what it grew by. */
  function parseGrowing(text: string, larger: number, fill: (i: number) => number): ParseResult {
    const { length } = text;
    const buffer = new SharedArrayBuffer(length, { maxByteLength: larger });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8(text));
    const { set } = Uint8Array.prototype;
    const grow = function (this: Uint8Array, source: Uint8Array): void {
      if (buffer.byteLength === length) {
        buffer.grow(larger);
        for (let i = length; i < larger; i++) bytes[i] = fill(i);
      }
      Reflect.apply(set, this, [source]);
    };
    return withMethod(TYPED_ARRAY_PROTOTYPE, "set", grow, () => parseBinary(bytes));
  }

  it("is read as long as it was when the call began", () => {
    for (const [length, larger] of [[17, 2048], [512, 2048], [20, 100]]) {
      const text = `[${"1,".repeat((length - 3) / 2)}${" ".repeat((length - 3) % 2)}1]`;
      for (const byte of [0x20, 0x78]) {
        assertEquals(parseGrowing(text, larger, () => byte), { ok: true, value: JSON.parse(text) });
        assertEquals(parseBinary(utf8("[1,2,3,4,5,6,7,8,9]")), { ok: true, value: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
      }
    }
    const cut = `[${"1".padStart(19)}`;
    const result = parseGrowing(cut, 100, (i) => i % 2 === 0 ? 0x31 : 0x2c);
    assertEquals(resultDifference(result, referenceParse(utf8(cut))), undefined);
  });

  it("has the lines that it had when the call began", () => {
    const text = utf8(`${"\n".repeat(600)}["a value", x`);
    const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
    bytes.set(text);
    const { getInt32 } = DataView.prototype;
    const change = function (this: DataView, position: number, isLittle: boolean): number {
      bytes.fill(0x20, 0, 600);
      return Reflect.apply(getInt32, this, [position, isLittle]);
    };
    const result = withMethod(DataView.prototype, "getInt32", change, () => parseBinary(bytes));
    assertEquals([bytes[0], (result as { line: number }).line], [0x20, 601]);
  });
});

describe("the stack of small inputs", () => {
  const ENTRIES = 64;

  /** Documents that put as many values as they can on the stack: begin, repeated part, end. */
  const DENSE: [begin: string, repeated: string, end: string][] = [
    ["[", '"",', '""]'],
    ["[", "[],", "[]]"],
    ["[", "{},", "1]"],
    ['[""', ",1", "]"],
    ["{", '"":1,', '"":1}'],
    ["{", '"a":[],', '"b":{}}'],
    ["[", "[", "]"],
    ["[1,", "[2,", "]"],
    ['{"":', '{"":', "1}"],
    ["[", '"a",{"":', "}"],
  ];

  it("holds nothing after a call, valid or not, of any size", () => {
    for (const [begin, repeated, end] of DENSE) {
      for (let count = 0; begin.length + count * repeated.length <= SMALL_INPUT; count += 1 + (count >> 3)) {
        for (const document of [begin + repeated.repeat(count) + end, begin + repeated.repeat(count)]) {
          parseBinary(utf8(document));
          assertEquals([keptStack.findIndex((entry) => entry !== null), keptStack.length], [-1, ENTRIES], document);
        }
      }
    }
  });

  it("is not that of larger inputs", () => {
    keptStack[0] = keptStack[ENTRIES - 1] = "kept";
    // Through windows, since the first inputs are parsed by recursion otherwise.
    const larger = utf8(`["a", ${" ".repeat(2 * SMALL_INPUT)}"b"]`);
    assertEquals(parseDocument(larger, SMALL_INPUT, 64), { ok: true, value: ["a", "b"] });
    parseBinary(utf8(`["a", "b"${" ".repeat(SMALL_INPUT - 10)}]`));
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], ["kept", "kept"]);
    parseBinary(utf8(`["a", "b"${" ".repeat(MAX_KEPT_STACK_INPUT - 11)}]`));
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], [null, null]);
  });

  it("is that of further inputs where that is faster", async () => {
    const limitIn = async (Error: unknown): Promise<number> => {
      type Stack = typeof import("../../../parser/document/value_stack.ts");
      return (await loadFreshWith<Stack>("parser/document/value_stack.ts", { Error })).MAX_KEPT_STACK_INPUT;
    };
    class FirefoxError extends Error {
      readonly fileName = "";
    }
    assertEquals([MAX_KEPT_STACK_INPUT, await limitIn(SafariError), await limitIn(FirefoxError)], [
      128,
      SMALL_INPUT,
      SMALL_INPUT,
    ]);
  });
});
