import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { appendChunk } from "../../parser/chunk_buffer.ts";
import {
  hasClosingQuote,
  makeReaderRoom,
  newValueReader,
  setLimit,
  type ValueReader,
} from "../../parser/value_reader.ts";
import { utf8 } from "../support/bytes.ts";

/** Makes a reader whose buffer holds a text. */
function readerOf(text: string): ValueReader {
  const reader = newValueReader();
  makeReaderRoom(reader, text.length);
  appendChunk(reader.buffer, utf8(text), 0, text.length);
  return reader;
}

describe("hasClosingQuote()", () => {
  const cases: [text: string, end: number, expected: boolean, searched: number][] = [
    ['"abc', 4, false, 4],
    ['"abc"', 5, true, 1],
    ['"a\\"b', 5, false, 5],
    ['"a\\\\"', 5, true, 1],
    ['"abc"', 4, false, 4],
    ['"ab"cd"', 3, false, 3],
  ];
  for (const [text, end, expected, searched] of cases) {
    it(`${expected ? "finds" : "does not find"} that of ${text} before ${end}`, () => {
      const reader = readerOf(text);
      reader.searched = 1;
      assertStrictEquals(hasClosingQuote(reader, end), expected);
      assertStrictEquals(reader.searched, searched);
    });
  }
});

describe("setLimit()", () => {
  for (const [text, isLast, expected] of [["[1,23", false, 3], ["[1,23", true, 5], ["[1,2 ", false, 5]] as const) {
    it(`leaves ${text.length - expected} bytes out of ${JSON.stringify(text)}${isLast ? " at the end" : ""}`, () => {
      const reader = readerOf(text);
      setLimit(reader, 0, isLast);
      assertEquals(reader.limit, expected);
    });
  }
});
