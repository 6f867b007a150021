/** Values that are read in pieces, among other parses and after them. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { tables } from "../../../parser/document/value_stack.ts";
import { dirtyRun } from "../../../parser/numbers/number_runs.ts";
import { USUAL_SIZE } from "../../../parser/streaming/chunk_buffer.ts";
import { dirtyLength } from "../../../parser/strings/make_string.ts";
import { parseBinary, type ParseFailure } from "../../../parse_binary.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { utf8 } from "../../support/bytes.ts";

describe("a value in pieces", () => {
  it("keeps its entries from other parses", () => {
    const strings = Array.from({ length: 4000 }, (_, i) => `string ${i}`);
    const rows = [{ a: 1, b: [2], c: "3" }, { d: 4, e: [5], f: "6" }];
    const texts = [[strings.slice(0, 1500), rows], [strings, rows.toReversed()]].map((value) => JSON.stringify(value));
    const bytes = texts.map((text) => utf8(text));
    for (let cut = 1; cut < bytes[0].length; cut += cut < bytes[0].length - 70 ? 1997 : 7) {
      const parsers = bytes.map(() => new BinaryParser());
      parsers.forEach((parser, i) => parser.push(bytes[i].subarray(0, bytes[i].length - bytes[0].length + cut)));
      for (const other of bytes) parseBinary(other);
      parsers.forEach((parser, i) => {
        parser.push(bytes[i].subarray(bytes[i].length - bytes[0].length + cut));
        assertEquals(parser.end(), { ok: true, value: JSON.parse(texts[i]) });
      });
    }
  });

  it("leaves tables as small as they were, and no character and number, once it is complete or given up", () => {
    const { length } = tables.frames;
    const levels = 3 * length;
    const text = `${"[".repeat(levels)}1, 2.5, "${"é".repeat(50)}"${"]".repeat(levels)}`;
    for (const [rest, isValid] of [[text.slice(2 * length), true], ["x", false], ["", false]] as const) {
      const parser = new BinaryParser();
      parser.push(utf8(text.slice(0, 2 * length)));
      parser.push(utf8(rest));
      assertStrictEquals(parser.end().ok, isValid);
      assertEquals([tables.frames.length, dirtyRun.numbers, dirtyLength.characters], [length, 0, 0]);
    }
  });

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

  it("is no string that would end on the next line", () => {
    const found: unknown[] = [];
    const onInvalid = ({ failure: { code, offset } }: { failure: ParseFailure }): void => void found.push(code, offset);
    const parser = new BinaryParser({ multiple: "lines", onValue: ({ value }) => found.push(value), onInvalid });
    for (const piece of ['"ab', 'c\n"x"\n']) parser.push(utf8(piece));
    assertEquals([parser.end().ok, found], [false, ["unterminated-string", 4, "x"]]);
  });

  it("is an ordinary array, whatever a program has made of Array.prototype since the last one", () => {
    class Other extends Array {}
    const text = utf8(JSON.stringify(Array(20).fill("a")));
    const species = Object.getOwnPropertyDescriptor(Array, Symbol.species)!;
    const values: unknown[] = [];
    const parser = new BinaryParser({
      multiple: "concatenated",
      onValue: ({ value }) => values[values.length] = value,
    });
    parser.push(text);
    Object.defineProperty(Array, Symbol.species, { get: () => Other, configurable: true });
    try {
      parser.push(text);
    } finally {
      Object.defineProperty(Array, Symbol.species, species);
    }
    assertEquals(values.map((value) => Object.getPrototypeOf(value) === Array.prototype), [true, true]);
  });
});
