/**
 * Documents of the kinds that the main loop, its recursive twin and the validator tell apart: each is
 * read by all of them, whole and cut anywhere.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { indexKeys, MIN_INDEXES } from "../../../parser/objects/key_cache.ts";
import { USUAL_SIZE } from "../../../parser/streaming/chunk_buffer.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { fillingDocuments, storesThroughAccessors } from "../../support/array_accessors.ts";
import { assertPieces, assertReadAlike, assertValue } from "../../support/assertions.ts";
import { utf8 } from "../../support/bytes.ts";
import { evenCuts } from "../../support/cuts.ts";
import { difference } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { parseByRecursion } from "../../support/recursion.ts";
import { referenceParse } from "../../support/reference.ts";

/** Documents with every kind of value, of failure, and of whitespace. */
const DOCUMENTS = [
  '{"a":[1,{"b":null}],"c":"d","":{"e":[[]]}}',
  ' { "a" : [ 1 , { "b" : null } ] ,\n    "c" : "d" } ',
  '{"a":[1,-2.5e3,"b\\n",{},[],true,false,null,"é"],"key":{"d":"long enough to be read by words"}}',
  "[0,-1,2.5,-3e4,[5E-6,7.0e+8],123456789,1234567890123]",
  '[true,false,null,[true],{"a":true,"b":false,"c":null}]',
  '[{},[],{"a":{}},[[]],"",["",{}]]',
  '["\\n",1,"é",2,[3,4,"x"],5,6]',
  '["text","ab","text","ab",{"text":"ab"}]',
  '{"1":1,"0":[2],"__proto__":{"valueOf":3},"a":4,"a":5}',
  '[{"__proto__":1,"a":2,"a":3},{"valueOf":1},{"1":1,"0":2}]',
  ...["[1,2", '["a",1', '{"a":1', '{"a":1,', '{"a"', '{"a":', "[", "[[1],", "[[]", '{"a":{"b":[1,2', "[tru", '["a'],
  ...['{"a": ', '{"a":1 ', '{"a":1, ', "[1 ", "[1, ", '["a" ', '["a", ', "[ ", "{ ", '{"a" ', "[[] ", '{"a":[] '],
  ...["[true ", '[{"a":true},]', '[{"a":1},{"b":2,}]', "[[true],]", '[{"a":[null]},2,]', "[{ },]", "[[ ],]"],
  ...['{"a":{ },}', "[[ ],[1,]]"],
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
  ...[
    "[1] x",
    "[1]]",
    "{}1",
    "[]\n[]",
    '{"a":1} ,',
    "[[]]  ",
    '{"a":{}}\n\n}',
    '"a" "b"',
    "1\n2",
    "tru",
    "nul,",
    "fals!",
  ],
  ...["[1 2]", '["a" 1]', '{"a" 1}', '{"a":1 "b":2}', '{"a":1]', "[1}", '["a"}', '{"a":[]]', "[{}}", "{]", "[}"],
  ...["[,1]", "[1,]", '{,"a":1}', '{"a":1,}', "{1:2}", '{"a":,"b":1}', "[01]", '["a",01]', "[1:2]", '["a",1:]', "[:]"],
  ...["[trux]", "[nulx]", "[falsx]", "[xrue]", '["a",-]', "[-]", '{"a":-}', "[1.]", '{"a":1.}', '["a",1e]', "[+1]"],
  ...['{"a":1,b":2}', '{"a":1,"b:2}', '{"a\\x":1}', '["\\x"]', '["\x01"]', '{"a":"\x01"}', "[[[1,]]]", '{"a":{"b":}}'],
  ...['{"a":[1}}', '{"a":{"b":1]}', '{"a":1)', '[{"a":1]]'],
];

/** Tokens in the place of a value, of which words of four bytes may read the beginning. */
const TOKENS = [
  ...["01", "1:", "+1", "-", "--1", "1.", "1e", ":", "/", "00", "trux", "nulx", "falsx", "xalse", "fxlse", "xrue"],
  ...["xull", "tree", "x", "]", "}", ",", ""],
];

/** What stands in the place of a member. */
const MEMBERS = [
  ...['b":2', '"b\\x":2', '"\\x":2', '"b', '"b"', '"b":', '"b" 2', '"b"2', '"b"::2', ":2", "2", '"b"=2', "", ","],
  ...['"\x01":2', '"b":2 "c":3', '"b":2;"c":3', '"b":2]', "'b':2", '["b":2]', '"b":2:3'],
];

describe("documents", () => {
  it("of every kind of token are read alike, cut anywhere", () => {
    for (const text of DOCUMENTS) assertReadAlike(utf8(text));
  });

  it("are read alike with anything in the place of a value", () => {
    for (const token of TOKENS) {
      for (const text of [`["a",${token},"more bytes"]`, `{"a":${token},"b":"more bytes"}`, `[[1,2,3],${token}]`]) {
        assertReadAlike(utf8(text));
      }
    }
  });

  it("are read alike with anything in the place of a member", () => {
    for (const member of MEMBERS) {
      for (const text of [`{"a":1,${member},"more bytes":3}`, `{${member},"more bytes":3}`, `[{"a":1,${member}}]`]) {
        assertReadAlike(utf8(text));
      }
    }
  });

  it("are read alike between whitespace, where a key was predicted and where none was", () => {
    for (const gap of ["", " ", "\n", "\n    ", "\t", "  \r\n"]) {
      const text = ['{"one":1,"two":[2],"three":{"four":"5"}}', '{"one":-6,"two":[],"three":{}}'].join(",");
      const spaced = utf8(`[${text}]`.replaceAll(/[[\]{}:,]/g, `${gap}$&${gap}`));
      for (let times = 0; times < 3; times++) assertReadAlike(spaced, [[spaced.length >> 1]]);
    }
  });

  it("are read up to the bytes that have arrived, whatever the buffer holds behind them", () => {
    for (const text of DOCUMENTS) {
      if (text.length < 3 || text.includes("\n")) continue;
      const expected = referenceParse(utf8(text));
      for (const stale of ["5,", "]", '\\"', "}", ":1"]) {
        const place = 1 + (text.length + stale.length) % (text.length - 1);
        // The buffer is full after the first piece, and its rest is moved to the front for the second.
        const start = USUAL_SIZE - place;
        const filler = `"${stale.repeat((start - 3) / stale.length)}"\n`.padStart(start);
        let found: unknown;
        const parser = new BinaryParser({
          multiple: "lines",
          onValue: ({ line, value }) => line > 1 && (found = { ok: true, value }),
          onInvalid: ({ failure: { code, offset } }) => found = { code, offset: offset - start },
        });
        parser.push(utf8(filler, text.slice(0, place)));
        for (const byte of text.slice(place)) parser.push(utf8(byte));
        parser.end();
        const wanted = expected.ok ? expected : { code: expected.code, offset: expected.offset };
        assertEquals(found, wanted, `${text}, cut at ${place} behind ${stale}`);
      }
    }
  });

  it("are read to their end though more bytes would complete them", () => {
    // Deeper than recursion, or not valid: the loop parses all of it, in memory that ends with it.
    const tokens = ['"text"', "12", "-1.5e3", '"\\n\\u00e9"', '"é"', "true", "123456789012", '{"a long key":[1]}'];
    const bytes = utf8(`${"[".repeat(101)}${" ".repeat(512)}${tokens.join()},${tokens.join(" , ")}`);
    for (let end = 613; end <= bytes.length; end++) assertReadAlike(bytes.slice(0, end), []);
  });

  it("of several values are read one after the other, whatever follows", () => {
    const values = [[1], { a: [2] }, [[]], {}, ["b", 3], { a: "c" }];
    for (const gap of ["", " ", "\n"]) {
      const found: unknown[] = [];
      const parser = new BinaryParser({ multiple: "concatenated", onValue: ({ value }) => found.push(value) });
      parser.push(utf8(values.map((value) => JSON.stringify(value)).join(gap)));
      assertEquals(found, values);
      assertStrictEquals(parser.end().ok, true);
    }
  });
});

describe("long and deep documents", () => {
  /** Asserts the value of a text: whole, by recursion, and in pieces. */
  function assertParsed(value: unknown, text = JSON.stringify(value)): void {
    const bytes = utf8(text);
    assertValue(bytes, value);
    const cuts = bytes.length < 3_000 ? [[], [9]] : [[], ...evenCuts(bytes.length, 997)].slice(0, 2);
    assertPieces(bytes, { ok: true, value }, cuts);
  }

  it("of arrays of strings, of numbers, and of both have their elements", () => {
    for (const length of [1, 8, 9, 54, 55, 64, 65, 511, 512, 513, 1014, 1023, 1024, 1025, 4095, 4096, 4097]) {
      const strings = Array(length).fill("a");
      const numbers = Array.from({ length }, (_, i) => i);
      const long = "a run that ends near the end of the input is taken for a cut one".repeat(2);
      assertParsed([...strings, 1, 2]);
      assertParsed({ a: [...numbers, "a", 1.5, long, ...numbers], next: strings.slice(0, 20) });
      assertParsed([strings, numbers, "a", [...strings, []]]);
      assertParsed(Array.from({ length }, (_, i) => i % 9 ? i : "b"));
      assertParsed(
        Array.from({ length }, (_, i) => ({ i, list: Array(i % 40 ? i % 7 : i % 700).fill(i % 2 ? i : "c") })),
      );
    }
  });

  it("of objects of few members and of many have their members, and what these contain", () => {
    for (const length of [1, 4, 27, 28, 64, 127, 128, 129, 255, 256, 257, 600, 3000]) {
      for (const value of [1, "a", {}, [1, 2], ["a", { b: 1 }]]) {
        const object = Object.fromEntries(Array.from({ length }, (_, i) => [`key ${i}`, value]));
        assertParsed(object);
        assertParsed([object, { a: object, b: 1 }]);
      }
    }
  });

  it("of many levels have values before and after those within", () => {
    for (const depth of [30, 99, 100, 101, 1100]) {
      for (const [open, close] of [["[", "]"], ['{"a":', "}"], ['["a",', ',"b"]'], ['[1,2,{"a":1,"b":', "}]"]]) {
        const text = `${open.repeat(depth)}[]${close.repeat(depth)}`;
        assertParsed(JSON.parse(text), text);
      }
    }
  });

  it("of many containers are not taken for deep ones", () => {
    for (const item of ["[]", "{}", "[1]", '["a"]', '{"a":1}', '{"a":[]}', "[[],{}]"]) {
      assertParsed(Array(300).fill(JSON.parse(item)));
    }
  });

  it("deeper than 100 levels are left to the loop by recursion", () => {
    for (const [open, close] of [["[", "]"], ['{"a":', "}"]]) {
      const [deep, deeper] = [100, 101].map((depth) => utf8(open.repeat(depth) + "1" + close.repeat(depth)));
      assertEquals([parseByRecursion(deep)?.ok, parseByRecursion(deeper)], [true, undefined]);
    }
  });

  it("of rows do not get the keys, the segments or the shapes of others", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ a: i, b: i }));
    for (const row of rows.slice(0, 100)) assertParsed(row); // so that their shape has a constructor
    assertParsed([rows, { c: 1, b: 2 }, { a: 1, c: 2, b: 3 }, { b: 4 }, rows.slice(0, 9)]);
    const array = [...Array(20).keys(), "a", "a string that keeps the run from the end".repeat(2)];
    for (let i = 0; i < 100; i++) {
      for (
        const value of [{ [`id ${i}`]: 1 }, { [`id ${i}`]: 2 }, array, { x: { a: 1, b: 2 } }, { y: { c: 1, b: 2 } }]
      ) {
        assertParsed(value);
      }
    }
    const members = Array.from({ length: 110 }, (_, i) => [`member ${i}`, i]);
    for (let i = 0; i < 50; i++) assertParsed(Object.fromEntries([[`first ${i}`, 0], ...members]));
    for (
      const levels of [
        "[[],".repeat(1100) + "1" + "]".repeat(1100),
        `[${"1,".repeat(100)}`.repeat(12) + '"a"' + "]".repeat(12),
      ]
    ) {
      assertParsed(rows);
      // The two objects are at the same place of the stack, whose table of ids has grown meanwhile.
      assertParsed([["a", "b", { a: 1, b: 2 }], JSON.parse(levels), { c: 3, b: 4 }]);
    }
  });

  it("of many names that are array indexes are read by their numbers, deep or not", () => {
    const row = (i: number) => Array.from({ length: 40 }, (_, j) => `"${7000 + (i * 977 + j * 7919) % 90_000}":${j}`);
    const rows = Array.from({ length: 20 }, (_, i) => `{"id":${i},${row(i).join()}}`).join();
    for (const levels of [1, 200]) {
      const bytes = utf8("[".repeat(levels) + rows + "]".repeat(levels));
      assertReadAlike(bytes, []);
      assertStrictEquals(parseBinary(bytes).ok, true);
      assert(indexKeys.missed >= MIN_INDEXES, `${indexKeys.missed} missed`);
    }
  });

  it("are stored within the stack, where a program has defined accessors", () => {
    const documents = fillingDocuments([25, 30, 35, 40, 50, 60, 70, 80, 100, 600]);
    // The stack grows before it is made anew, which takes this many bytes, and after that.
    const padding = Array(14_000).fill("padding");
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
        parsed.add(parseBinary(text));
        parsed.add(parseByRecursion(text) ?? parseBinary(text));
      }
    });
    assertEquals(found, []);
    const expected = documents.flatMap((value) => Array(3).fill({ ok: true, value }));
    assertStrictEquals(difference([...parsed], expected), undefined);
  });

  it("define the names that a program has added to Object.prototype since the last one", () => {
    const members = (name: string) => Array.from({ length: 40 }, (_, i): [string, number] => [`${name} ${i}`, i]);
    assertParsed(Object.fromEntries(members("before")));
    const after: [string, number][] = [...members("after"), ["added", 1]];
    const bytes = utf8(`{${after.map(([name, value]) => `"${name}":${value}`).join()}}`);
    Object.defineProperty(Object.prototype, "added", { value: "inherited", configurable: true });
    try {
      const parser = new BinaryParser();
      parser.push(bytes);
      for (const result of [parser.end(), parseBinary(bytes), parseByRecursion(bytes)]) {
        assertEquals(Object.entries((result as { value: object }).value), after);
      }
    } finally {
      Reflect.deleteProperty(Object.prototype, "added");
    }
  });
});

describe("documents for which there is no memory", () => {
  const opening = '["a","b",';
  const run = Array(100).fill(1).join();
  const rows: { what: string; text: string; offset: number }[] = [
    // The innermost bracket needs no frame: it is closed at once.
    { what: "a bracket", text: `${"[".repeat(1026)}${"]".repeat(1026)}`, offset: 1024 },
    {
      what: "a value",
      text: `${opening.repeat(600)}0${"]".repeat(600)}`,
      offset: Math.ceil((1024 - 10) / 2) * opening.length,
    },
    {
      what: "a run of numbers",
      text: `${opening.repeat(500)}[${run},"c"]${"]".repeat(500)}`,
      offset: 500 * opening.length + 1 + run.length,
    },
  ];
  for (const { what, text, offset } of rows) {
    it(`fail at ${what}`, () => {
      const bytes = utf8(text);
      const result = withoutMemory("Int32Array", (size) => typeof size === "number", () => parseBinary(bytes));
      assertEquals(!result.ok && [result.code, result.offset], ["value-too-large", offset]);
      assertEquals(parseBinary(bytes), { ok: true, value: JSON.parse(text) });
    });
  }

  it("are left to the loop by recursion", () => {
    const outer = `[${'"a",'.repeat(500)}`.repeat(2);
    for (const inner of [`[${'"b",'.repeat(100)}"c"]`, `[${"1,".repeat(100)}"c"]`, `{${'"a":1,'.repeat(100)}"b":2}`]) {
      const bytes = utf8(`${outer}${inner}]]`);
      const parse = (): unknown => parseByRecursion(bytes);
      assertStrictEquals(withoutMemory("Int32Array", (size) => typeof size === "number", parse), undefined);
      assertReadAlike(bytes, []);
    }
  });
});
