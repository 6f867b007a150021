/**
 * Tests of the contract of `parseBinary`: values, forms of input, results, types of arguments.
 */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { numberAt } from "../../parser/numbers/number_runs.ts";
import { MAX_RUN } from "../../parser/numbers/limits.ts";
import { mantissaParts, numberValue } from "../../parser/numbers/read_number.ts";
import { keptStack, smallStack } from "../../parser/document/value_stack.ts";
import { parseBinary, type ParseFailure, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { parseAt } from "../../pointer.ts";
import { selectBinary, selector } from "../../select.ts";
import { Slice } from "../../slice.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { assertResult } from "../support/assertions.ts";
import { between, bytesOf, concat, FORMS, fromHex, type Input, show, utf8 } from "../support/bytes.ts";
import { difference, own, resultDifference } from "../support/difference.ts";

const BOM = fromHex("efbbbf");

/** Parses a text that must be JSON. */
function valueOf(input: Input): unknown {
  const result = parseBinary(input);
  assert(result.ok, `rejected: ${JSON.stringify(result)}`);
  return result.ok ? result.value : undefined;
}

/** Fails unless the bytes mean `value`, plain and in another place. */
function assertValue(bytes: Uint8Array, value: unknown): void {
  for (const input of [bytes, between("9", bytes), between('"', bytes)]) assertResult(input, { ok: true, value });
}

/** Fails unless these texts are read as `JSON.parse` reads them, each alone and many in an array. */
function assertTexts(texts: readonly string[]): void {
  for (const text of texts) {
    const value = JSON.parse(text);
    assertValue(utf8(text), value);
    assertValue(utf8(`[${Array(50).fill(text)}]`), Array.from({ length: 50 }, () => value));
  }
}

describe("values", () => {
  it("of every kind", () => {
    assertTexts([
      ...["null", "true", "false", "0", "-0", "-0.0", "0e1", "-0E-1", "7", "-12", "3.5", "1e3", "1E+3", "25e-2", '""'],
      ...['"a"', "[]", "{}", " [ ] ", "\t{\r\n}\n", "[1]", "[1,2]", "[1,2,3]", "[1,2,3,4]", "[1,2,3,4,5]"],
      "[0.5,1,-0]",
      ...['[1,null,true,"a",2]', "[null,1,2,3]", "[[],[[]],{}]", "[[1,2],[3,4],[5,6]]", '{"a":1}', '{"a":1,"b":2}'],
      ...['{"b":2,"a":1}', '{"":0}', '{"a":{"a":{"a":{}}}}', '{ "a" : [ 1 , 2 ] , "b" : null }'],
      '[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":3,"b":"z"}]',
      '[{"a":1,"b":2},{"b":1,"a":2},{"a":1},{"a":1,"b":2,"c":3},{}]',
    ]);
  });

  it("between spaces of every kind and number", () => {
    for (const space of [" ", "\t", "\n", "\r", "\r\n", "\n\t "]) {
      for (let times = 0; times <= 20; times++) {
        const s = space.repeat(times);
        const text =
          `${s}{${s}"a"${s}:${s}[${s}1${s},${s}"x"${s},${s}true${s},${s}{${s}}${s},${s}[${s}]${s}]${s},${s}` +
          `"b"${s}:${s}null${s}}${s}`;
        assertValue(utf8(text), { a: [1, "x", true, {}, []], b: null });
      }
    }
  });

  it("of arrays of every length", () => {
    for (let length = 0; length <= 100; length++) {
      const numbers = Array.from({ length }, (_, i) => i * 1.5);
      const words = Array.from({ length }, (_, i) => `w${i}`);
      const pairs = Array.from({ length }, (_, i) => [i, i + 1]);
      const late = [...numbers, "end"];
      for (const value of [numbers, words, pairs, late]) assertValue(utf8(JSON.stringify(value)), value);
    }
  });
});

describe("objects", () => {
  it("of names that are equal, indexes, inherited, or of any characters", () => {
    assertTexts([
      ...['{"a":1,"a":2}', '{"a":1,"b":2,"a":3}', '{"a":1,"\\u0061":2}', '{"a":{"x":1},"a":[]}'],
      ...['{"b":1,"2":2,"a":3,"1":4}', '{"4294967294":1,"0":2}', '{"4294967295":1,"0":2}', '{"a":1,"\\u0030":2}'],
      ...['{"01":1,"-1":2,"1.0":3,"1":4}', '{"__proto__":1}', '{"__proto__":null}', '{"__proto__":{"a":1}}'],
      ...['{"__proto__":[]}', '{"a":1,"__proto__":{},"b":2}', '{"__proto__":{},"__proto__":2}'],
      ...['{"\\u005f_proto__":{}}', '{"__proto_\\u005F":{},"__proto__":7}', '{"__proto__":{"__proto__":{}}}'],
      '{"constructor":1,"toString":2,"hasOwnProperty":3,"__defineGetter__":1,"valueOf":null,"length":5}',
      ...['{"\\u0000":1,"\\n":2,"\\"":3,"\\\\":4,"\\/":5}', '{"é":1,"中文":2,"😀":3,"\\ud83d\\ude01":4}'],
      ...['{"\\ud800":1,"\\udc00":2}', '{"e\u0301":1,"é":2}'],
    ]);
  });

  it("of many indexes, and of names that resemble them", () => {
    const names = [
      ..."0 00 01 -0 1.0 1e3 4294967294 4294967295 2147483648 999999999 \\u0031 a __proto__".split(" "),
      "",
    ];
    const nameOf = (i: number) => i % 3 ? i * 7919 % 10_007 : names[i / 3 % names.length];
    const members = Array.from({ length: 400 }, (_, i) => `"${nameOf(i)}":${i}`);
    const mapOf = (_: unknown, i: number) => `{${members.slice(i, i + 30 + i * 8).join(i % 2 ? "," : " , ")}}`;
    const maps = Array.from({ length: 40 }, mapOf);
    const text = `[${maps.join()}]`;
    const value = JSON.parse(text);
    assertValue(utf8(text), value);
    assertStrictEquals(JSON.stringify(valueOf(utf8(text))), JSON.stringify(value));
  });

  it("of keys of every length", () => {
    for (let length = 0; length <= 100; length++) {
      const names = [
        "k".repeat(length),
        `${"k".repeat(length)}é`,
        `中${"k".repeat(length)}`,
        `${"k".repeat(length)}\n`,
      ];
      const value = own(...names.map((name, i): [string, number] => [name, i]));
      assertValue(utf8(JSON.stringify([value, value, value])), [value, value, value]);
    }
  });

  it("of keys that differ in one character only, at any place", () => {
    const base = "abcdefghijklmnopqrst";
    const names = [base];
    for (let i = 0; i < base.length; i++) names.push(`${base.slice(0, i)}_${base.slice(i + 1)}`, base.slice(0, i));
    const value = own(...names.map((name, i): [string, number] => [name, i]));
    const rows = names.map((name, i) => own([name, i], ["z", i]));
    assertValue(utf8(JSON.stringify(value)), value);
    assertValue(utf8(JSON.stringify([...rows, ...rows, ...rows])), [...rows, ...rows, ...rows]);
  });

  it("of any number of keys", () => {
    for (const count of [1, 2, 7, 8, 9, 31, 32, 33, 100, 127, 128, 129, 255, 256, 257, 1000, 1024, 1025, 5000]) {
      const value = own(...Array.from({ length: count }, (_, i): [string, number] => [`key ${i}`, i]));
      assertValue(utf8(JSON.stringify([value, value, value])), [value, value, value]);
    }
  });

  it("whose rows change their keys, their order and their kinds of value", () => {
    const rows: unknown[] = [];
    for (let i = 0; i < 300; i++) {
      rows.push({ id: i, name: `n${i % 7}`, [i % 3 ? "x" : "y"]: i % 5 ? i : null, tags: [i, `${i}`] });
      if (i % 11 === 0) rows.push({ name: i, id: "text" }, { id: i }, {}, { tags: {}, name: [], id: { id: 1 } });
    }
    assertValue(utf8(JSON.stringify(rows)), rows);
  });
});

describe("strings", () => {
  it("with every escape", () => assertTexts([String.raw`"\"\\\/\b\f\n\r\t\u0041\u00e9\u4E2d\ud83D\uDe00"`, '"\x7f"']));

  it("with lone surrogates, kept as they are", () => {
    const surrogates = [
      ...["\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud800\\ud800\\udc00", "\\ud83dx\\ude00", "é\\ud83d中"],
      "\\ud83d😀",
      ...["😀\\ude00", "\\ud83d\\n\\ude00", "\\ud83d\\u0041"],
    ];
    assertTexts(surrogates.flatMap((text) => [`"${text}"`, `{"${text}":"${text}"}`]));
  });

  it("of every code point, in UTF-8 and escaped", () => {
    for (let block = 0; block < 0x110000; block += 0x100) {
      if (block >= 0xd800 && block < 0xe000) continue;
      if (block > 0x20000 && block < 0x10f000 && block % 0x5000 !== 0) continue;
      const points = Array.from({ length: 0x100 }, (_, i) => block + i);
      const text = String.fromCodePoint(...points);
      const plain = points.map((point) => JSON.stringify(String.fromCodePoint(point)).slice(1, -1)).join("");
      const escaped = Array.from({ length: text.length }, (_, i) => `\\u${hex(text.charCodeAt(i), 4)}`).join("");
      assertValue(utf8(`"${plain}"`), text);
      assertValue(utf8(`"${escaped}"`), text);
      assertValue(utf8(`{"${plain}":"${escaped}"}`), own([text, text]));
    }
  });

  it("of every single unit escaped", () => {
    const units = Array.from({ length: 0x10000 }, (_, i) => i);
    const text = units.map((unit) => `"\\u${hex(unit, 4)}","\\u${hex(unit, 4).toUpperCase()}"`).join();
    assertValue(utf8(`[${text}]`), units.flatMap((unit) => [String.fromCharCode(unit), String.fromCharCode(unit)]));
  });

  it("that begin with U+FEFF keep it", () => {
    assertTexts(['"\ufeffa"', '["\ufeff","\ufeff中","\ufeff\\n",{"\ufeff":1}]', `"\ufeff${"long ".repeat(2000)}"`]);
  });
});

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

describe("numbers, to the last bit", () => {
  const NUMBERS = [
    ...["0", "-0", "-0e999999999999", "0e999999999999", "0.000e-99999999999999999999", "2147483647", "2147483648"],
    ...["-2147483648", "4294967296", "9007199254740991", "9007199254740992", "9007199254740993"],
    ...["9007199254740994", "9223372036854775807", "18446744073709551615", "100000000000000000000", "1e21", "1e22"],
    ...["1e23", "0.1", "0.30000000000000004", "1.00000000000000011102230246251565404236316680908203125"],
    ...["1.00000000000000011102230246251565404236316680908203126", "1.0000000000000002", "105.6"],
    ...["65.613610999999975", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308"],
    ...["1e400", "-1e400", "1e99999999999999999999", "2.2250738585072014e-308", "2.2250738585072012e-308"],
    ...["2.2250738585072011e-308", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400"],
    ...["-1e-99999999999999999999", "1267650600228229401496703205376", "1e-7", "0.0001"],
    ...[`1${"0".repeat(1000)}e-1205`, `1${"0".repeat(1000)}e-1000`, `0.${"0".repeat(1000)}1e1001`],
    ...[`0.1${"0".repeat(1000)}`, `1${"0".repeat(20)}e-21`],
  ];

  /**
   * A number at every place where it may stand, with either sign; few bytes before the end of the
   * input, and many.
   */
  function assertNumber(text: string, number: number): void {
    const negative = text.startsWith("-") ? text.slice(1) : `-${text}`;
    const tail = "x".repeat(64);
    assertValue(utf8(text), number);
    assertValue(utf8(`${text}${" ".repeat(64)}`), number);
    assertValue(utf8(`[${negative}]`), [-number]);
    assertValue(utf8(`[${text} ,${negative},"${tail}"]`), [number, -number, tail]);
    assertValue(utf8(`{"a":${text},"b":${negative}\n,"c":"${tail}"}`), { a: number, b: -number, c: tail });
  }

  for (const text of NUMBERS) {
    it(text.length > 60 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text, () => assertNumber(text, JSON.parse(text)));
  }
});

describe("forms of input", () => {
  it("may be overwritten afterwards", () => {
    const value = { key: ["text", "é", "中文", "\n escaped", "long ".repeat(1000)], n: 1.5 };
    for (const [form, make] of FORMS) {
      const input = make(utf8(JSON.stringify([value, value])));
      const result = parseBinary(input);
      bytesOf(input).fill(0x39);
      const problem = resultDifference(result, { ok: true, value: [value, value] });
      assert(!problem, `${form}: ${problem}`);
    }
  });

  it("of a slice that is not within its buffer are refused by all that take slices, until it is again", () => {
    const [parser, validator] = [new BinaryParser(), new BinaryValidator()];
    const readers: ((slice: Slice) => unknown)[] = [
      parseBinary,
      validateBinary,
      (slice) => selectBinary(slice, selector(true)),
      (slice) => parseAt(slice, ""),
      (slice) => parser.push(slice),
      (slice) => validator.push(slice),
    ];
    const buffer = new ArrayBuffer(16, { maxByteLength: 64 });
    new Uint8Array(buffer).set(utf8('[1,2]"neighbour"'));
    const BAD = [[-1, 1], [0, 17], [16, 1], [17, 0], [0.5, 1], [0, 1.5], [0, -1], [NaN, 1], [0, Infinity]];
    for (const read of readers) {
      for (const [byteOffset, byteLength] of BAD) {
        const slice = Object.assign(new Slice(new Uint8Array(buffer)), { byteOffset, byteLength });
        assertThrows(() => read(slice), RangeError, "Cannot parse this slice: it is not within its buffer");
      }
      const slice = new Slice(new Uint8Array(buffer), 0, 5);
      buffer.resize(4);
      assertThrows(() => read(slice), RangeError, "it is not within its buffer");
      buffer.resize(16);
      read(slice); // the byte that was cut off is 0 now
    }
    const slice = new Slice(new Uint8Array(buffer));
    buffer.transfer();
    assertEquals((parseBinary(slice) as ParseFailure).code, "detached-buffer");
  });

  it("of a slice whose fields answer differently each time are read once", () => {
    let reads = 0;
    const slice = {
      buffer: utf8("[1,2]"),
      byteOffset: 0,
      get byteLength() {
        return reads++ === 0 ? 5 : 5_000;
      },
    };
    assertEquals(parseBinary(slice as unknown as Slice), { ok: true, value: [1, 2] });
    assertStrictEquals(reads, 1);
  });

  it("of an array with properties of its own under the names of a typed array's, which are not read", () => {
    const long = "x".repeat(2_000);
    for (const text of ["[1,2]", `[1,"${long}"]`, `["é\\n${long}"]`, "[1,x]", `[${" ".repeat(600)}x]`]) {
      const expected = parseBinary(utf8(text));
      for (const name of ["length", "byteLength", "byteOffset", "buffer", "subarray", "constructor"]) {
        for (const value of [1, 1e6, new ArrayBuffer(9), undefined]) {
          const bytes = utf8(text);
          Object.defineProperty(bytes, name, { value });
          assertEquals(parseBinary(bytes), expected, `${name} is ${value}`);
        }
        let reads = 0;
        const bytes = utf8(text);
        Object.defineProperty(bytes, name, { get: () => reads++ });
        assertEquals(parseBinary(bytes), expected, `${name} is an accessor`);
      }
    }
  });

  it("of an extended Uint8Array", () => {
    class Bytes extends Uint8Array {}
    assertEquals(parseBinary(Bytes.from(utf8("[1]"))), { ok: true, value: [1] });
  });
});

describe("a byte-order mark", () => {
  it("is skipped, once", () => {
    assertValue(concat([BOM, utf8('{"a":1}')]), { a: 1 });
    assertValue(concat([BOM, utf8(" 1 ")]), 1);
  });

  it("must be whole and come first", () => {
    const texts = [[" ", "\ufeff1"], ["1\ufeff"], ["[\ufeff]"], [0xef, 0xbb, "1"], [0xef, "1"], ["\ufeff\ufeff1"], [
      "\ufeff",
    ]];
    for (const text of texts) assertStrictEquals(parseBinary(utf8(...text)).ok, false, show(utf8(...text)));
  });
});

describe("results", () => {
  it("have the fields they are said to have, and no more", () => {
    assertEquals(Reflect.ownKeys(parseBinary(utf8("1"))), ["ok", "value"]);
    const fields = ["ok", "code", "message", "offset", "line", "column", "truncated"];
    assertEquals(Reflect.ownKeys(parseBinary(utf8("x"))), fields);
  });

  it("are new at each call, with all that is in them", () => {
    const bytes = utf8('[[],[],{},{},[1],[1],{"a":1},{"a":1}]');
    const lists = [valueOf(bytes), valueOf(bytes)] as object[][];
    const objects = new Set(lists.flat());
    assertStrictEquals(objects.size, 16, "an object came twice");
    lists[0].forEach((object) => Object.assign(object, { tampered: true }));
    (lists[0][0] as unknown[]).push(1);
    assertStrictEquals(difference(lists[1], [[], [], {}, {}, [1], [1], { a: 1 }, { a: 1 }]), undefined);
    assertStrictEquals(difference(valueOf(bytes), lists[1]), undefined);
    assert(parseBinary(utf8("x")) !== parseBinary(utf8("x")));
  });

  it("may be narrowed by `ok` and carry the type asked for", () => {
    const result: ParseResult<{ a: number }> = parseBinary<{ a: number }>(utf8('{"a":1}'));
    assertStrictEquals(result.ok ? result.value.a : result.message, 1);
  });
});

describe("numbers and their buffer", () => {
  it("are wiped from it when a call ends, well or not", () => {
    const texts = ["[1,2,3]", `[${"7,".repeat(5_000)}8]`, "[4,5,x]", "7.25", '{"a":1.25e7}', "[4,-]", "[1,2"];
    for (const text of [...texts, `[${"7,".repeat(300)}-]`]) {
      parseBinary(utf8(text));
      for (let i = 0; i < MAX_RUN; i++) assertStrictEquals(numberAt(i), 0.5, text.slice(0, 20));
      assertEquals([...numberValue, ...mantissaParts], [0, 0, 0], text.slice(0, 20));
    }
  });
});

describe("the stack of small inputs", () => {
  it("is wiped when a call ends, well or not", () => {
    const document = '[{"a":[1,"b",null,[true,{}]],"":{"c":[[],2.5]}},"d",[3,4,"e"]]';
    const units = ["1,", '"",', "[1,", '{"":', '{"":1,"":', "[[],", '["",', "1,1,1,1,1,1,1,1,1,[", "[{},"];
    const texts = units.flatMap((unit) => Array.from({ length: 90 }, (_, n) => `[${unit.repeat(n)}`))
      .concat(Array.from(document, (_, end) => document.slice(0, end)), document, `[${"1,".repeat(250)}2]`);
    for (const text of texts) {
      parseBinary(utf8(text));
      assertEquals(new Set(keptStack), new Set([null]), text);
    }
    assertStrictEquals(keptStack.length, smallStack(null).length);
  });
});

describe("the comparison these tests rely on", () => {
  const DIFFERENT: [actual: unknown, expected: unknown][] = [
    [1, 2],
    [0, -0],
    ["1", 1],
    ["a", "b"],
    ["\ud800", "\ud801"],
    [null, undefined],
    [null, {}],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [[1], { 0: 1 }],
    [new Array(1), [undefined]],
    [Object.assign([1], { a: 1 }), [1]],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: [{ b: [1, 2] }] }, { a: [{ b: [1, 3] }] }],
    [own(["__proto__", 1]), own(["__proto__", 2])],
    [own(["__proto__", {}]), {}],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [Object.setPrototypeOf({}, { a: 1 }), {}],
    [Object.freeze({ a: 1 }), { a: 1 }],
    [Object.preventExtensions([]), []],
    [Object.defineProperty({}, "a", { value: 1, enumerable: true }), { a: 1 }],
    [Object.defineProperty({}, "a", { value: 1, writable: true, configurable: true }), { a: 1 }],
    [Object.defineProperty({}, "a", { get: () => 1, enumerable: true, configurable: true }), { a: 1 }],
    [{ [Symbol.iterator]: 1 }, {}],
  ];

  it("sees every difference", () => {
    for (const [actual, expected] of DIFFERENT) {
      assert(difference(actual, expected) !== undefined, JSON.stringify(expected));
      assert(difference([{ a: [actual] }], [{ a: [expected] }]) !== undefined, JSON.stringify(expected));
    }
  });

  it("sees no other", () => {
    for (const [, value] of DIFFERENT) {
      const text = JSON.stringify([value]);
      assertStrictEquals(difference(JSON.parse(text), JSON.parse(text)), undefined);
    }
  });
});
