/** The main loop of the parser, in `parser/document/parse_container.ts`. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { appendChunk } from "../../../parser/streaming/chunk_buffer.ts";
import { indexKeys, MIN_INDEXES } from "../../../parser/objects/key_cache.ts";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import {
  beginReading,
  endReading,
  FAILED,
  newValueReader,
  readValue,
  reserveReaderBytes,
  setParsableEnd,
  SUSPENDED,
} from "../../../parser/streaming/value_reader.ts";
import type { ParseResult } from "../../../parse_binary.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { fillingDocuments, storesThroughAccessors } from "../../support/array_accessors.ts";
import { concat, utf8 } from "../../support/bytes.ts";
import { assertAtEachCut, everyCut, singleCuts } from "../../support/cuts.ts";
import { difference, resultDifference } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf } from "../../support/modules.ts";
import { referenceParse } from "../../support/reference.ts";

/**
 * Fails unless a text is too large at a place where tables cannot grow, and valid where they can.
 */
function assertTooLarge(text: string, offset: number): void {
  const bytes = utf8(text);
  const result = withoutMemory("Int32Array", (size) => typeof size === "number", () => parseDocument(bytes));
  const { ok, code, offset: found } = result as { ok: boolean; code?: string; offset?: number };
  assertEquals({ ok, code, offset: found }, { ok: false, code: "value-too-large", offset });
  assertEquals(parseDocument(bytes), { ok: true, value: JSON.parse(text) });
}

describe("parseContainer() without memory for larger tables", () => {
  it("fails at the bracket that has no frame", () => {
    // The innermost bracket needs none: it is closed at once.
    const depth = 1026;
    assertTooLarge(`${"[".repeat(depth)}${"]".repeat(depth)}`, depth - 2);
  });

  it("fails at the value that the stack has no room for", () => {
    const opening = '["a","b",';
    const depth = 600;
    const full = Math.ceil((1024 - 10) / 2);
    assertTooLarge(`${opening.repeat(depth)}0${"]".repeat(depth)}`, full * opening.length);
  });

  it("fails behind the run of numbers that the stack has no room for", () => {
    const opening = '["a","b",';
    const depth = 500;
    const run = Array.from({ length: 100 }, () => 1).join();
    const before = opening.repeat(depth).length + 1 + run.length;
    assertTooLarge(`${opening.repeat(depth)}[${run},"c"]${"]".repeat(depth)}`, before);
  });
});

/** Documents with every kind of value, of failure, and of whitespace. */
const DOCUMENTS = [
  '{"a":[1,{"b":null}],"c":"d","":{"e":[[]]}}',
  ' { "a" : [ 1 , { "b" : null } ] ,\n    "c" : "d" } ',
  "[0,-1,2.5,-3e4,[5E-6,7.0e+8],123456789,1234567890123]",
  '[true,false,null,[true],{"a":true,"b":false,"c":null}]',
  '[{},[],{"a":{}},[[]],"",["",{}]]',
  '["\\n",1,"é",2,[3,4,"x"],5,6]',
  '["text","ab","text","ab",{"text":"ab"}]',
  '{"1":1,"0":[2],"__proto__":{"valueOf":3},"a":4,"a":5}',
  ...["[1,2", '["a",1', '{"a":1', '{"a":1,', '{"a"', '{"a":', "[", "[[1],", "[[]", '{"a":{"b":[1,2', "[tru", '["a'],
  ...[
    '{"a": ',
    '{"a":1 ',
    '{"a":1, ',
    "[1 ",
    "[1, ",
    '["a" ',
    '["a", ',
    "[ ",
    "{ ",
    '{"a" ',
    "[[] ",
    '{"a":[] ',
    "[true ",
  ],
  ...[
    '[{"a":true},]',
    '[{"a":1},{"b":2,}]',
    "[[true],]",
    '[{"a":[null]},2,]',
    "[{ },]",
    "[[ ],]",
    '{"a":{ },}',
    "[[ ],[1,]]",
  ],
  ...['["a",01,2]', '{"a":01}', '{"a":1:}', '["a",1:,2]', '{"a":00,"b":1}', '{"a":1}}', '["a",1;2]', '["a",1\n,2\n]'],
  ...['["a",12345678901,2]', '{"a":1234567890123,"b":0}', '["a",9999999999,999999999,1]', '{"a":9999999999}'],
  ...[
    "[true",
    "[null",
    "[false",
    '{"a":true',
    '{"a":false',
    '["a",null',
    "[xalse]",
    '["a",xull,1]',
    '{"a":fals,"b":1}',
  ],
  ...["[Y", "[Y]", "{y", "{y}", '["a",[Y,1]', "[^", "[^]", "{~}", '["a",{~,1]', "[_]", "[[Z]]", "{|}", "[{z]]"],
  ...["[1] x", "[1]]", "{}1", "[]\n[]", '{"a":1} ,', "[[]]  ", '{"a":{}}\n\n}'],
  ...["[1 2]", '["a" 1]', '{"a" 1}', '{"a":1 "b":2}', '{"a":1]', "[1}", '["a"}', '{"a":[]]', "[{}}", "{]", "[}"],
  ...["[,1]", "[1,]", '{,"a":1}', '{"a":1,}', "{1:2}", '{"a":,"b":1}', "[01]", '["a",01]', "[1:2]", '["a",1:]', "[:]"],
  ...["[trux]", "[nulx]", "[falsx]", "[xrue]", '["a",-]', "[-]", '{"a":-}', "[1.]", '{"a":1.}', '["a",1e]', "[+1]"],
  ...['{"a":1,b":2}', '{"a":1,"b:2}', '{"a\\x":1}', '["\\x"]', '["\x01"]', '{"a":"\x01"}', "[[[1,]]]", '{"a":{"b":}}'],
];

describe("parseContainer()", () => {
  /** Fails unless a result is that of the reference parser. */
  function assertResult(result: ParseResult, bytes: Uint8Array, how: string): void {
    const problem = resultDifference(result, referenceParse(bytes));
    if (problem) throw new Error(`${new TextDecoder().decode(bytes)} ${how}: ${problem}`);
  }

  it("agrees with the reference parser on every kind of token", () => {
    for (const text of DOCUMENTS) assertResult(parseDocument(utf8(text)) as ParseResult, utf8(text), "whole");
  });

  it("agrees with the reference parser where the input is cut, wherever that is", () => {
    const parser = new BinaryParser();
    for (const text of DOCUMENTS) {
      const bytes = utf8(text);
      const parsePieces = (pieces: Iterable<Uint8Array>): ParseResult => {
        parser.reset();
        for (const piece of pieces) parser.push(piece);
        return parser.end();
      };
      assertAtEachCut(bytes, everyCut(bytes.length), parsePieces, referenceParse(bytes), resultDifference);
    }
  });

  /** Reads a container from pieces of its text, with other bytes in the buffer behind each. */
  function readBetween(pieces: Iterable<Uint8Array>, rest: string): unknown {
    const reader = newValueReader();
    reserveReaderBytes(reader, 1);
    const { bytes } = reader.buffer;
    for (let i = 0; i < 100; i++) bytes[i] = rest.charCodeAt(i % rest.length);
    const all = Array.from(pieces, (piece) => piece.slice());
    for (const [i, piece] of all.entries()) {
      const isLast = i === all.length - 1;
      const from = reader.buffer.end;
      appendChunk(reader.buffer, piece, 0, piece.length);
      setParsableEnd(reader, from, isLast);
      beginReading(reader);
      const value = readValue(reader, reader.parsableEnd, isLast);
      endReading(reader);
      if (value === FAILED) return { code: failure.code, offset: failure.offset };
      if (value !== SUSPENDED) return value;
    }
    return "suspended";
  }

  it("reads nothing behind the bytes that have arrived", () => {
    for (const text of DOCUMENTS) {
      const bytes = utf8(text.trim());
      const result = referenceParse(bytes);
      if (!result.ok && result.code === "trailing-content") continue;
      const expected = result.ok ? result.value : { code: result.code, offset: result.offset };
      for (const rest of ["5,", "]", '"', "}", ":1"]) {
        assertAtEachCut(bytes, singleCuts(bytes.length), (pieces) => readBetween(pieces, rest), expected);
      }
    }
  });
});

describe("parseContainer() of long containers", () => {
  /** Fails unless a text has the value of `JSON.parse`, in one piece and in several. */
  function assertParsed(...texts: string[]): void {
    const values = texts.map((text) => JSON.parse(text));
    for (const size of [2 ** 30, 997]) {
      for (const [i, text] of texts.entries()) {
        const parser = new BinaryParser();
        for (let start = 0; start < text.length; start += size) parser.push(utf8(text.slice(start, start + size)));
        const result = parser.end();
        assertEquals(result.ok && difference(result.value, values[i]), undefined, text.slice(0, 100));
      }
    }
  }

  it("parses arrays of strings, of numbers, and of both", () => {
    for (const length of [1, 8, 9, 54, 55, 64, 65, 512, 513, 1014, 1025, 4097]) {
      const strings = Array.from({ length }, () => "a");
      const numbers = Array.from({ length }, (_, i) => i);
      const long = "a run that ends near the end of the input is taken for a cut one".repeat(2);
      for (
        const array of [[...strings, 1, 2], [...numbers, "a", 1.5, long], [strings, numbers, "a"], [...strings, []]]
      ) {
        assertParsed(JSON.stringify(array), JSON.stringify({ array, next: array.slice(0, 20) }));
      }
    }
  });

  it("parses objects of few members and of many, and what they contain", () => {
    for (const length of [1, 4, 27, 28, 64, 127, 128, 129, 600]) {
      const members = (value: unknown) => Array.from({ length }, (_, i) => [`key ${i}`, value]);
      for (const value of [1, "a", {}, [1, 2], ["a", { b: 1 }]]) {
        const object = Object.fromEntries(members(value));
        assertParsed(JSON.stringify(object), JSON.stringify([object, { a: object, b: 1 }]));
      }
    }
  });

  it("parses levels of containers, with values before and after those within", () => {
    for (const depth of [30, 1100]) {
      for (const [open, close] of [["[", "]"], ['{"a":', "}"], ['["a",', ',"b"]'], ['[1,2,{"a":1,"b":', "}]"]]) {
        assertParsed(`${open.repeat(depth)}[]${close.repeat(depth)}`);
      }
    }
  });

  it("stores nothing beyond its stack, where a program has defined accessors", () => {
    const documents = fillingDocuments([25, 50, 60, 70, 80, 100, 600]);
    // The stack grows before it is made anew, which takes this many bytes, and after that.
    const padding = Array.from({ length: 14_000 }, () => "padding");
    const deep = JSON.parse("[[],".repeat(1100) + "1" + "]".repeat(1100));
    documents.push([padding.slice(0, 700), deep, padding], [deep, padding, deep, padding]);
    const texts = documents.map((document) => utf8(JSON.stringify(document)));
    const parsed = new Set<unknown>();
    const parser = new BinaryParser();
    const found = storesThroughAccessors(() => {
      for (const text of texts) {
        parser.reset();
        parser.push(text);
        parsed.add(parser.end());
        parsed.add(parseDocument(text));
      }
    });
    assertEquals(found, []);
    assertEquals(
      difference([...parsed], documents.flatMap((value) => [{ ok: true, value }, { ok: true, value }])),
      undefined,
    );
  });

  it("reads the numbers of objects one by one, whatever ids their keys have", () => {
    const members = Array.from({ length: 110 }, (_, i) => [`member ${i}`, i]);
    for (let first = 0; first < 50; first++) {
      assertParsed(JSON.stringify(Object.fromEntries([[`first ${first}`, 0], ...members])));
    }
  });

  it("looks anew at what a program has made of Object.prototype", () => {
    const members = (name: string) => Array.from({ length: 40 }, (_, i): [string, number] => [`${name} ${i}`, i]);
    assertParsed(JSON.stringify(Object.fromEntries(members("before"))));
    const after: [string, number][] = [...members("after"), ["added", 1]];
    Object.defineProperty(Object.prototype, "added", { value: "inherited", configurable: true });
    try {
      const parser = new BinaryParser();
      parser.push(utf8(`{${after.map(([name, value]) => `"${name}":${value}`).join()}}`));
      const result = parser.end() as { value: object };
      assertEquals(Object.entries(result.value), after);
    } finally {
      Reflect.deleteProperty(Object.prototype, "added");
    }
  });

  it("reads many names that are array indexes as numbers", () => {
    const row = (i: number) => Array.from({ length: 40 }, (_, j) => `"${7000 + (i * 977 + j * 7919) % 90_000}":${j}`);
    const rows = Array.from({ length: 20 }, (_, i) => `{"id":${i},${row(i).join()}}`);
    const levels = 200; // too many for recursion
    const bytes = utf8("[".repeat(levels) + rows.join() + "]".repeat(levels));
    assertEquals(resultDifference(parseDocument(bytes) as ParseResult, referenceParse(bytes)), undefined);
    assert(indexKeys.missed >= MIN_INDEXES, `${indexKeys.missed} missed`);
  });

  it("does not take the keys of another object for its own", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ a: i, b: i }));
    assertParsed(JSON.stringify([rows, { c: 1, b: 2 }, { a: 1, c: 2, b: 3 }, { b: 4 }, rows.slice(0, 9)]));
    for (let times = 0; times < 20; times++) assertParsed('{"first":{"a":1,"b":2}}', '{"second":{"c":1,"b":2}}');
  });
});

describe("parseContainer() of a buffer that has moved", () => {
  /** Bytes of the buffer that a chunk makes full. */
  const SIZE = constantOf("parser/streaming/chunk_buffer.ts", "FIRST_SIZE");

  it("agrees with the reference parser where the rest of the input is at its beginning", () => {
    const texts = [
      '{"":1,"":2,"":{"":3}}',
      '["a",1,{"b":[2],"c":3}]',
      '{"a":[],"b":2}',
      "[1 x]",
      '{"a":1 x}',
      "[1,]",
      '{"a":1]',
      '["a" "b"]',
      "[[1}",
    ];
    const parser = new BinaryParser();
    for (const text of texts) {
      for (let place = 1; place < text.length; place++) {
        const first = utf8(text.slice(0, place).padEnd(SIZE));
        const rest = utf8(text.slice(place));
        parseDocument(utf8(text)); // so that its keys are predicted
        parser.reset();
        reserveReaderBytes(newValueReader(), 1); // takes the larger buffer that a parser has released
        parser.push(first);
        parser.push(rest);
        const whole = concat([first, rest]);
        const problem = resultDifference(parser.end(), referenceParse(whole));
        if (problem) throw new Error(`${text}, with spaces at ${place}: ${problem}`);
      }
    }
  });
});

describe("parseContainer() of a long piece", () => {
  it("reads it to its end, also where it makes a fresh stack", () => {
    for (const item of ['"a",', "[],", '{"a":[1]},', "1,"]) {
      const text = `[${item.repeat(150_000 / item.length)}`;
      const reader = newValueReader();
      reserveReaderBytes(reader, text.length);
      appendChunk(reader.buffer, utf8(text), 0, text.length);
      beginReading(reader);
      assertEquals(readValue(reader, reader.buffer.end, false), SUSPENDED);
      endReading(reader);
      assert(reader.position >= text.length - 1, `${text.length - reader.position} bytes are left`);
    }
  });
});

describe("parseContainer() of a run of numbers", () => {
  it("takes no id of an earlier key for the number of segments", () => {
    const array = [
      ...Array.from({ length: 20 }, (_, i) => i),
      "a",
      "a string that keeps the run from the end".repeat(2),
    ];
    for (let i = 0; i < 100; i++) {
      for (const value of [{ [`of id ${i}`]: 1 }, { [`of id ${i}`]: 2 }, array]) {
        assertEquals(parseDocument(utf8(JSON.stringify(value))), { ok: true, value });
      }
    }
  });
});

describe("parseContainer() of several values", () => {
  it("reads one after the other, whatever follows it", () => {
    const values = [[1], { a: [2] }, [[]], {}, ["b", 3], { a: "c" }];
    for (const gap of ["", " ", "\n"]) {
      const text = values.map((value) => JSON.stringify(value)).join(gap);
      const reader = newValueReader();
      reserveReaderBytes(reader, text.length);
      appendChunk(reader.buffer, utf8(text), 0, text.length);
      beginReading(reader);
      for (const value of values) assertEquals(readValue(reader, reader.buffer.end, false), value);
      endReading(reader);
      assertEquals(reader.position, text.length);
    }
  });

  it("takes no string for an earlier one of the same hash, once it has made a fresh stack", () => {
    // Both strings have one slot of the string cache, and one length.
    const [first, second] = ["same_a________________end", "same_b________________end"];
    const padding = (count: number): null[] => Array(count).fill(null);
    const values = [padding(5_000), [first, ...padding(2_000), second], [second], padding(50_000)];
    const found: unknown[] = [];
    const parser = new BinaryParser({ multiple: "concatenated", onValue: ({ value }) => found.push(value) });
    parser.push(utf8(values.map((value) => JSON.stringify(value)).join(" ")));
    assertEquals(parser.end().ok, true);
    assertEquals(difference(found, values), undefined);
  });
});

describe("parseContainer() after an error of the engine", () => {
  it("takes no closing bracket of the input before for one of its own", () => {
    const { slice } = Array.prototype;
    const call = (): never => {
      throw new RangeError("Invalid array length");
    };
    let errors = 0;
    for (let count = 50; count < 66; count++) {
      const parser = new BinaryParser();
      parser.push(utf8(`[${'"a",'.repeat(count)}"a"`));
      Object.defineProperty(slice, "call", { value: call, configurable: true });
      try {
        parser.push(utf8("]"));
      } catch {
        errors++; // the stack was to grow
      } finally {
        Reflect.deleteProperty(slice, "call");
      }
      for (const text of ["[1,]", '["a",]', '{"a":1,}', '[1"a"]']) {
        assertEquals((parseDocument(utf8(text)) as ParseResult).ok, false, text);
      }
    }
    assert(errors > 0);
  });
});

describe("parseContainer() of objects behind a stack that has grown", () => {
  it("knows their keys by the table that has grown with it", () => {
    const parser = new BinaryParser();
    const parse = (text: string): void => {
      parser.reset();
      parser.push(utf8(text));
      const result = parser.end();
      assertEquals(result.ok && difference(result.value, JSON.parse(text)), undefined);
    };
    const levels = ["[[],".repeat(1100) + "1" + "]".repeat(1100)];
    levels.push(`[${"1,".repeat(99)}1,`.repeat(12) + '"a"' + "]".repeat(12));
    for (const deep of levels) {
      parse(JSON.stringify(Array.from({ length: 1000 }, (_, i) => ({ a: i, b: i }))));
      // The two objects are at the same place of the stack.
      parse(`[["a","b",{"a":1,"b":2}],${deep},{"c":3,"b":4}]`);
    }
  });
});

describe("parseContainer() of a predicted key", () => {
  const NAME = "abcdefghijklmnopqrstuvwx";
  /** Fails unless the result of a document is that of the reference parser. */
  function assertResult(text: string): void {
    const bytes = utf8(text);
    const problem = resultDifference(parseDocument(bytes) as ParseResult, referenceParse(bytes));
    if (problem) throw new Error(`${text}: ${problem}`);
  }

  for (let length = 0; length <= NAME.length; length++) {
    const name = NAME.slice(0, length);
    it(`tells ${JSON.stringify(name)} from others that differ in a byte`, () => {
      const others = Array.from(name, (_, i) => `${name.slice(0, i)}X${name.slice(i + 1)}`);
      others.push(`${name}y`, name.slice(0, -1), `${name}\\"`, `${name} `);
      for (const other of others) {
        assertResult(`[{"${name}":1},{"${name}":1},{"${name}":1},{"${other}":2},{"${name}":3}]`);
      }
    });

    it(`requires a colon after ${JSON.stringify(name)}`, () => {
      const separators = ["", " ", "x", "::", ": :", ";", " :", ": ", ' "', "\n:\n    ", ":\t"];
      for (const separator of separators) {
        assertResult(`[{"${name}":1},{"${name}":1},{"${name}"${separator}1},{"${name}":1}]`);
        assertResult(`[{"${name}":1},{"${name}":1},{"${name}"${separator}`);
        assertResult(`[{"${name}":1},{"${name}":1},{"${name}${separator}`);
      }
    });
  }
});

describe("parseContainer() of a whole input that ends early", () => {
  it("reads nothing behind its end", () => {
    // Deeper than recursion, or not valid: the loop parses all of it, in memory that ends with it.
    const tokens = ['"text"', "12", "-1.5e3", '"\\n\\u00e9"', '"é"', "true", "123456789012", '{"a long key":[1]}'];
    const text = `${"[".repeat(101)}${" ".repeat(512)}${tokens.join()},${tokens.join(" , ")}`;
    const bytes = utf8(text);
    for (let end = 613; end <= bytes.length; end++) {
      const part = bytes.slice(0, end);
      const problem = resultDifference(parseDocument(part) as ParseResult, referenceParse(part));
      if (problem) throw new Error(`${end} bytes: ${problem}`);
    }
  });
});
