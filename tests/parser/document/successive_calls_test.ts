/** Effects of a call on the next one, and of changes while it runs. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { tables } from "../../../parser/document/value_stack.ts";
import { SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import { USUAL_SIZE } from "../../../parser/document/chunk_buffer.ts";
import { parseBinary, type ParseFailure } from "../../../parse_binary.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { Slice } from "../../../slice.ts";
import { validateBinary } from "../../../validate_binary.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf, withGlobals } from "../../support/modules.ts";

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

describe("a call", () => {
  const PARSERS = [(bytes: Uint8Array) => parseBinary(bytes), (bytes: Uint8Array) => parseBinary(new Slice(bytes))];

  /** Fails unless texts that end with a digit are parsed to their end, and no further. */
  function assertNothingLeft(): void {
    for (const parse of PARSERS) {
      for (let length = 2; length < 30; length++) {
        assertEquals((parse(utf8(`[${"1".padStart(length - 1)}`)) as ParseFailure).offset, length);
      }
      assertEquals(parse(utf8("[1]")), { ok: true, value: [1] });
    }
  }

  it("reads no byte of an earlier input, not even of a call that could not clean up", () => {
    for (const before of [...PARSERS, validateBinary]) {
      for (const length of [16, 17, 30, 100, SMALL_INPUT - 1, SMALL_INPUT]) {
        for (const text of ["1", ",1", "] ", "1e"]) {
          before(utf8(text.repeat(length).slice(0, length)));
          assertNothingLeft();
        }
      }
    }
    for (const before of PARSERS) {
      for (const text of [",1".repeat(50), '"secret"', '["secret", 12.5]']) {
        assertThrows(() => withMethod(DataView.prototype, "setFloat64", stop, () => before(utf8(text))), RangeError);
        assertNothingLeft();
      }
    }
  });

  it("releases the tables of a deep input whose call could not, and of a value in pieces", () => {
    const { length } = tables.frames;
    const deep = utf8(`${"[".repeat(3000)}${"]".repeat(3000)}`);
    assertThrows(() => withoutMemory("Int32Array", (size) => size === length, () => parseBinary(deep)), RangeError);
    assert(tables.frames.length > length);
    assertEquals(parseBinary(utf8("[1]")), { ok: true, value: [1] });
    assertStrictEquals(tables.frames.length, length);
    for (const [rest, isValid] of [[deep.subarray(3000), true], [utf8("x"), false], [utf8(""), false]] as const) {
      const parser = new BinaryParser();
      parser.push(deep.subarray(0, 3000));
      parser.push(rest);
      assertEquals([parser.end().ok, tables.frames.length], [isValid, length]);
    }
  });

  it("parses what is left of an input that user code resizes while the heap is measured", async () => {
    // The first look comes after so many bytes.
    const size = constantOf("parser/engine/young_generation.ts", "BYTES_BEFORE_COLLECTING");
    const bytes = new Uint8Array(new ArrayBuffer(size, { maxByteLength: 2 ** 25 }));
    bytes.set(utf8("[1]"));
    const getHeapSpaceStatistics = (): void => bytes.buffer.resize(3);
    const process = { versions: { v8: "15" }, getBuiltinModule: () => ({ getHeapSpaceStatistics }) };
    const result = await withGlobals({ process }, () => Promise.resolve(parseBinary(bytes)));
    assertEquals([result, bytes.length], [{ ok: true, value: [1] }, 3]);
  });
});

describe("shared memory that changes during a call", () => {
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
    assertEquals([bytes[0], (result as ParseFailure).line], [0x20, 601]);
  });
});

describe("a value in pieces", () => {
  it("is read to its end, also where the stack is renewed, and finds whitespace full of earlier bytes", () => {
    for (const item of ['"a",', "[],", '{"a":[1]},', "1,"]) {
      const values: unknown[] = [];
      const parser = new BinaryParser({ multiple: "elements", onValue: ({ value }) => values.push(value) });
      const count = Math.floor(150_000 / item.length);
      parser.push(utf8(`[${item.repeat(count)}`));
      assertEquals([values.length >= count - 1, values[0]], [true, JSON.parse(item.slice(0, -1))]);
    }
    for (const byte of ["[", '"']) { // which a line before has left in the buffer
      const values: unknown[] = [];
      const parser = new BinaryParser({ multiple: "lines", onValue: ({ value }) => values.push(value) });
      parser.push(utf8(`${"[".repeat(9)}${byte.repeat(USUAL_SIZE - 10)}\n`));
      for (const piece of ["  ", "12 ", "\n[ ", " 12]", '\n  "', 'a"']) parser.push(utf8(piece));
      parser.end();
      assertEquals(values, [12, [12], "a"]);
    }
  });
});
