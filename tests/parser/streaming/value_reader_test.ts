import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { appendChunk } from "../../../parser/streaming/chunk_buffer.ts";
import { dirtyRun } from "../../../parser/numbers/number_runs.ts";
import { dirtyLength } from "../../../parser/strings/make_string.ts";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { START } from "../../../parser/document/suspension.ts";
import { newTables, STACK_SIZE, tables } from "../../../parser/document/value_stack.ts";
import {
  beginReading,
  endReading,
  FAILED,
  hasClosingQuote,
  newValueReader,
  placeReader,
  readValue,
  releaseValueReader,
  reserveReaderBytes,
  resetValueReader,
  setParsableEnd,
  SUSPENDED,
  type ValueReader,
} from "../../../parser/streaming/value_reader.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { utf8 } from "../../support/bytes.ts";

/** Makes a reader whose buffer holds a text. */
function readerOf(text: string): ValueReader {
  const reader = newValueReader();
  reserveReaderBytes(reader, text.length);
  appendChunk(reader.buffer, utf8(text), 0, text.length);
  return reader;
}

describe("hasClosingQuote()", () => {
  const cases: { text: string; end: number; expected: boolean; searched: number }[] = [
    { text: '"abc', end: 4, expected: false, searched: 4 },
    { text: '"abc"', end: 5, expected: true, searched: 1 },
    { text: '"ab"', end: 4, expected: true, searched: 1 },
    { text: '"a\\"b', end: 5, expected: false, searched: 5 },
    { text: '"a\\\\"', end: 5, expected: true, searched: 1 },
    { text: '"abc"', end: 4, expected: false, searched: 4 },
    { text: '"ab"cd"', end: 3, expected: false, searched: 3 },
  ];
  for (const { text, end, expected, searched } of cases) {
    it(`${expected ? "finds" : "does not find"} that of ${text} before ${end}`, () => {
      const reader = readerOf(text);
      reader.quoteSearchedTo = 1;
      assertStrictEquals(hasClosingQuote(reader, end), expected);
      assertStrictEquals(reader.quoteSearchedTo, searched);
    });
  }
});

describe("setParsableEnd()", () => {
  for (
    const { text, isLast, expected } of [
      { text: "[1,23", isLast: false, expected: 3 },
      { text: "[1,23", isLast: true, expected: 5 },
      { text: "[1,2 ", isLast: false, expected: 5 },
    ] as const
  ) {
    it(`leaves ${text.length - expected} bytes out of ${JSON.stringify(text)}${isLast ? " at the end" : ""}`, () => {
      const reader = readerOf(text);
      setParsableEnd(reader, 0, isLast);
      assertEquals(reader.parsableEnd, expected);
    });
  }
});

/** Position up to which a string that is not cut was searched. */
const NO_STRING = -1;

/** Appends a text, and reads the value that it is a part of. */
function readMore(reader: ValueReader, text: string, isLast = false): unknown {
  const bytes = utf8(text);
  appendChunk(reader.buffer, bytes, 0, bytes.length);
  beginReading(reader);
  try {
    return readValue(reader, reader.buffer.end, isLast);
  } finally {
    endReading(reader);
  }
}

describe("newValueReader()", () => {
  it("is at the beginning of an input", () => {
    const { position, parsableEnd, quoteSearchedTo, cacheGeneration, tables } = newValueReader();
    assertEquals([position, parsableEnd, quoteSearchedTo, cacheGeneration, tables], [0, 0, NO_STRING, -1, null]);
  });
});

describe("reserveReaderBytes()", () => {
  /** Makes a reader with a full buffer, at a position, in the middle of a value. */
  function fullReader(position: number): ValueReader {
    const reader = readerOf("");
    const { length } = reader.buffer.bytes;
    appendChunk(reader.buffer, new Uint8Array(length), 0, length);
    Object.assign(reader, { position, parsableEnd: 300, quoteSearchedTo: 200, cacheGeneration: 5 });
    reader.suspension.position = position;
    reader.suspension.cache = ["a string"];
    return reader;
  }

  it("moves positions with the bytes, and forgets the strings at others", () => {
    const reader = fullReader(1);
    assertStrictEquals(reserveReaderBytes(reader, 9), 1);
    const { position, parsableEnd, quoteSearchedTo, cacheGeneration, suspension } = reader;
    assertEquals([position, parsableEnd, quoteSearchedTo, cacheGeneration], [0, 299, 199, -1]);
    assertEquals([suspension.position, suspension.cache], [0, []]);
  });

  it("leaves NO_STRING as it is", () => {
    const reader = fullReader(100);
    reader.quoteSearchedTo = NO_STRING;
    reserveReaderBytes(reader, 9);
    assertStrictEquals(reader.quoteSearchedTo, NO_STRING);
  });

  it("changes nothing if no bytes move, or if there is no memory", () => {
    const withRoom = fullReader(100);
    withRoom.buffer.end--;
    const withoutMemory = fullReader(100);
    // Twice as many bytes as are kept would be more than a buffer may have.
    withoutMemory.buffer.end = 2 ** 29 + 200;
    for (const [reader, moved] of [[withRoom, 0], [withoutMemory, -1]] as const) {
      assertStrictEquals(reserveReaderBytes(reader, 9), moved);
      const { position, parsableEnd, quoteSearchedTo, cacheGeneration, suspension } = reader;
      assertEquals([position, parsableEnd, quoteSearchedTo, cacheGeneration], [100, 300, 200, 5]);
      assertEquals([suspension.position, suspension.cache], [100, ["a string"]]);
    }
  });
});

describe("resetValueReader() and releaseValueReader()", () => {
  for (const release of [resetValueReader, releaseValueReader]) {
    it(`${release.name} releases everything that was read`, () => {
      const reader = readerOf("");
      assertStrictEquals(readMore(reader, '[["a string", "cut'), SUSPENDED);
      reader.buffer.origin = 7;
      reader.tables = { ids: new Int32Array(2 * STACK_SIZE), frames: new Int32Array(2 ** 14) };
      release(reader);
      const { buffer, position, parsableEnd, quoteSearchedTo, cacheGeneration, suspension, tables: own } = reader;
      assertEquals([position, parsableEnd, quoteSearchedTo, cacheGeneration], [0, 0, NO_STRING, -1]);
      assertEquals([suspension.stack.length, suspension.cache.length, buffer.bytes.length], [0, 0, 0]);
      assertEquals([suspension.stage, suspension.depth, suspension.top], [START, 0, 0]);
      const fresh = newTables();
      assertEquals([own!.ids.length, own!.frames.length], [fresh.ids.length, fresh.frames.length]);
      assertStrictEquals(buffer.origin, release === resetValueReader ? 0 : 7);
    });
  }
});

describe("readValue()", () => {
  const scalars = [["true", true], ["12 ", 12], ["null", null], ['"a"', "a"]] as const;
  for (const [text, value] of scalars) {
    it(`reads ${text} behind whitespace`, () => {
      assertStrictEquals(readMore(readerOf(""), ` \n${text}`), value);
    });
  }

  it("reads a container behind whitespace", () => {
    assertEquals(readMore(readerOf(""), " \n [1]"), [1]);
  });

  for (const byte of ["[", '"']) {
    it(`does not take a ${byte} of earlier bytes for the value to come`, () => {
      for (const text of ["  ", "[  "]) {
        const reader = readerOf("");
        reader.buffer.bytes.fill(byte.charCodeAt(0), 0, 100);
        assertStrictEquals(readMore(reader, text), SUSPENDED);
        assertEquals([reader.position, reader.quoteSearchedTo], [text.length, NO_STRING]);
        assertEquals(readMore(reader, text === "  " ? "12 " : "12]"), text === "  " ? 12 : [12]);
      }
    });
  }

  it("searches for a closing quote where a string is cut, and nowhere else", () => {
    const reader = readerOf("");
    // The text, the position of the next token, and that from which a quote is searched.
    const steps: { text: string; position: number; searched: number }[] = [
      { text: '["a', position: 1, searched: 3 },
      { text: "b", position: 1, searched: 4 },
      { text: 'c",', position: 7, searched: NO_STRING },
      { text: "tr", position: 7, searched: NO_STRING },
      { text: 'ue,"', position: 12, searched: 13 },
    ];
    for (const { text, position, searched } of steps) {
      assertStrictEquals(readMore(reader, text), SUSPENDED);
      assertEquals([reader.position, reader.quoteSearchedTo], [position, searched], text);
    }
    placeReader(reader, 0);
    assertEquals([reader.position, reader.quoteSearchedTo], [0, NO_STRING]);
    assertEquals(readMore(reader, '"]'), ["abc", true, ""]);
    assertStrictEquals(reader.quoteSearchedTo, NO_STRING);
  });

  it("is at the beginning of another value once one is complete", () => {
    const reader = readerOf("");
    assertStrictEquals(readMore(reader, '{"a":[1,'), SUSPENDED);
    assertEquals(readMore(reader, "2]} "), { a: [1, 2] });
    placeReader(reader, reader.position);
    const { depth, stage, top } = reader.suspension;
    assertEquals([depth, stage, top], [0, START, 0]);
  });

  it("fails at once at a scalar that no more bytes can complete", () => {
    assertStrictEquals(readMore(readerOf(""), "trx"), FAILED);
    assertStrictEquals(readMore(readerOf(""), "tr", true), FAILED);
    assertStrictEquals(readMore(readerOf(""), "tr"), SUSPENDED);
  });

  it("notices a malformed character, but does not take a cut one for it", () => {
    for (const [behind, expected] of [["", SUSPENDED], ['",', FAILED]] as const) {
      const reader = readerOf("");
      const bytes = utf8('["', 0xe4, behind);
      appendChunk(reader.buffer, bytes, 0, bytes.length);
      assertStrictEquals(readMore(reader, ""), expected);
      if (expected === SUSPENDED) assertStrictEquals(reader.position, 1);
      else assertEquals(failure, { code: "invalid-utf8", offset: 2 });
    }
  });

  it("makes tables small again once a value is complete or given up", () => {
    const { length } = tables.frames;
    const ends: ((reader: ValueReader) => void)[] = [
      (reader) => placeReader(reader, 0),
      (reader) => {
        assertStrictEquals(readValue(reader, reader.buffer.end, true), FAILED);
        placeReader(reader, reader.position);
      },
    ];
    for (const end of ends) {
      const reader = readerOf("[".repeat(length));
      beginReading(reader);
      assertStrictEquals(readValue(reader, reader.buffer.end, false), SUSPENDED);
      assertEquals(tables.frames.length > length, true);
      end(reader);
      assertStrictEquals(tables.frames.length, length);
      endReading(reader);
    }
  });
});

describe("setParsableEnd() of the first bytes", () => {
  it("leaves out all of them if they are the beginning of a number", () => {
    const reader = readerOf("-12");
    setParsableEnd(reader, 0, false);
    assertStrictEquals(reader.parsableEnd, 0);
  });
});

describe("beginReading() and endReading()", () => {
  it("keep the entries of a suspended value from other parses", () => {
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

  it("keep nothing of a value that is complete", () => {
    const reader = readerOf("");
    assertEquals(readMore(reader, `[1, 2.5, "${"é".repeat(50)}"]`), [1, 2.5, "é".repeat(50)]);
    assertEquals(reader.suspension.stack, []);
    assertEquals([dirtyRun, dirtyLength], [{ numbers: 0 }, { characters: 0 }]);
  });

  it("look anew at what a program has made of Array.prototype", () => {
    class Other extends Array {}
    const reader = readerOf("");
    const text = JSON.stringify(Array.from({ length: 20 }, () => "a"));
    readMore(reader, text);
    const species = Object.getOwnPropertyDescriptor(Array, Symbol.species)!;
    Object.defineProperty(Array, Symbol.species, { get: () => Other, configurable: true });
    try {
      const value = readMore(reader, text);
      assertStrictEquals(Object.getPrototypeOf(value), Array.prototype);
    } finally {
      Object.defineProperty(Array, Symbol.species, species);
    }
  });
});
