/**
 * Tests of the contract of `parseBinary`: values, forms of input, results, types of arguments.
 */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { keptStack, smallStack } from "../../parser/document/value_stack.ts";
import { parseBinary, type ParseFailure, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { parseAt } from "../../pointer.ts";
import { selectBinary, selector } from "../../select.ts";
import { Slice } from "../../slice.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { assertResult } from "../support/assertions.ts";
import { between, bytesOf, FORMS, type Input, utf8 } from "../support/bytes.ts";
import { assertSame, difference, own } from "../support/difference.ts";

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

const SURROGATES = [
  ...["\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud800\\ud800\\udc00", "\\ud83dx\\ude00", "é\\ud83d中", "\\ud83d😀"],
  ...["😀\\ude00", "\\ud83d\\n\\ude00", "\\ud83d\\u0041"],
];

describe("values", () => {
  const texts: Record<string, string[]> = {
    "objects with names that are equal, indexes, inherited, or of any characters": [
      ...['{"a":1,"a":2}', '{"a":1,"b":2,"a":3}', '{"a":1,"\\u0061":2}', '{"a":{"x":1},"a":[]}'],
      ...['{"b":1,"2":2,"a":3,"1":4}', '{"4294967294":1,"0":2}', '{"4294967295":1,"0":2}', '{"a":1,"\\u0030":2}'],
      ...['{"01":1,"-1":2,"1.0":3,"1":4}', '{"__proto__":1}', '{"__proto__":null}', '{"__proto__":{"a":1}}'],
      ...['{"__proto__":[]}', '{"a":1,"__proto__":{},"b":2}', '{"__proto__":{},"__proto__":2}'],
      ...['{"\\u005f_proto__":{}}', '{"__proto_\\u005F":{},"__proto__":7}', '{"__proto__":{"__proto__":{}}}'],
      '{"constructor":1,"toString":2,"hasOwnProperty":3,"__defineGetter__":1,"valueOf":null,"length":5}',
      ...['{"\\u0000":1,"\\n":2,"\\"":3,"\\\\":4,"\\/":5}', '{"é":1,"中文":2,"😀":3,"\\ud83d\\ude01":4}'],
      ...['{"\\ud800":1,"\\udc00":2}', '{"e\u0301":1,"é":2}'],
    ],
    "every escape": [String.raw`"\"\\\/\b\f\n\r\t\u0041\u00e9\u4E2d\ud83D\uDe00"`, '"\x7f"'],
    "lone surrogates as they are": SURROGATES.flatMap((text) => [`"${text}"`, `{"${text}":"${text}"}`]),
    "U+FEFF at the beginning of strings": [
      '["\ufeff","\ufeff中","\ufeff\\n",{"\ufeff":1}]',
      `"\ufeff${"long ".repeat(2000)}"`,
    ],
  };
  for (const [what, each] of Object.entries(texts)) {
    it(`have ${what}`, () => {
      for (const text of each) {
        assertValue(utf8(text), JSON.parse(text));
        assertValue(utf8(`[${Array(50).fill(text)}]`), Array.from({ length: 50 }, () => JSON.parse(text)));
      }
    });
  }

  it("have many indexes, and names too long for a generated constructor", () => {
    const indexes = (k: number) => `{${Array.from({ length: 60 }, (_, i) => `"${(i + k) * 7919 % 10_007}": ${i}`)}}`;
    const long = `{${Array.from({ length: 128 }, (_, i) => `"${"name".repeat(14)}${i}":${i}`)}}`;
    for (const text of [`[${Array.from({ length: 40 }, (_, k) => indexes(k))}]`, `[${Array(400).fill(long)}]`]) {
      assertValue(utf8(text), JSON.parse(text));
    }
  });

  it("have every code point, in UTF-8 and escaped", () => {
    for (let block = 0; block < 0x110000; block += 0x100) {
      if (block >= 0xd800 && block < 0xe000) continue;
      if (block > 0x20000 && block < 0x10f000 && block % 0x5000 !== 0) continue;
      const points = Array.from({ length: 0x100 }, (_, i) => block + i);
      const text = String.fromCodePoint(...points);
      const plain = points.map((point) => JSON.stringify(String.fromCodePoint(point)).slice(1, -1)).join("");
      const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0"));
      const escaped = units.map((unit) => `\\u${unit}`).join("");
      assertValue(utf8(`"${plain}"`), text);
      assertValue(utf8(`"${escaped}"`), text);
      assertValue(utf8(`{"${plain}":"${escaped}"}`), own([text, text]));
    }
  });
});

describe("forms of input", () => {
  it("may be overwritten after the call", () => {
    const value = { key: ["text", "é", "中文", "\n escaped", "long ".repeat(1000)], n: 1.5 };
    for (const [form, make] of FORMS) {
      const input = make(utf8(JSON.stringify([value, value])));
      const result = parseBinary(input);
      bytesOf(input).fill(0x39);
      assertSame(result, { ok: true, value: [value, value] }, () => form);
    }
  });

  it("a slice beyond its buffer is refused by every function that takes slices, until it fits again", () => {
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

  it("a slice whose accessors change their answers is read once", () => {
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

  it("of an array with properties of its own under the names of a typed array's, which change nothing", () => {
    const long = "x".repeat(2_000);
    const pushed = (reader: BinaryParser | BinaryValidator, bytes: Uint8Array) => (reader.push(bytes), reader.end());
    for (const text of ["[1,2]", `[1,"${long}"]`, `["é\\n${long}"]`, "[1,x]", `[${" ".repeat(600)}x]`]) {
      const expected = parseBinary(utf8(text));
      for (const name of ["length", "byteLength", "byteOffset", "buffer", "subarray", "constructor"]) {
        for (const value of [1, 1e6, new ArrayBuffer(9), undefined]) {
          class Bytes extends Uint8Array {}
          const bytes = Object.defineProperty(Bytes.from(utf8(text)), name, { value });
          assertEquals(parseBinary(bytes), expected, `${name} is ${value}`);
          assertEquals<unknown>(pushed(new BinaryParser(), bytes), expected);
          assertEquals(pushed(new BinaryValidator(), bytes).ok, expected.ok);
        }
        assertEquals(parseBinary(Object.defineProperty(utf8(text), name, { get: () => 1 })), expected, name);
      }
    }
  });
});

describe("results", () => {
  it("have the documented fields and no others", () => {
    assertEquals(Reflect.ownKeys(parseBinary(utf8("1"))), ["ok", "value"]);
    const fields = ["ok", "code", "message", "offset", "line", "column", "truncated"];
    assertEquals(Reflect.ownKeys(parseBinary(utf8("x"))), fields);
  });

  it("are new objects at each call, at every level", () => {
    const bytes = utf8('[[],[],{},{},[1],[1],{"a":1},{"a":1}]');
    const lists = [valueOf(bytes), valueOf(bytes)] as object[][];
    assertStrictEquals(new Set(lists.flat()).size, 16, "an object came twice");
    lists[0].forEach((object) => Object.assign(object, { tampered: true }));
    (lists[0][0] as unknown[]).push(1);
    assertSame(lists[1], [[], [], {}, {}, [1], [1], { a: 1 }, { a: 1 }]);
    assertSame(valueOf(bytes), lists[1]);
    assert(parseBinary(utf8("x")) !== parseBinary(utf8("x")));
  });

  it("may be narrowed by `ok` and carry the type asked for", () => {
    const result: ParseResult<{ a: number }> = parseBinary<{ a: number }>(utf8('{"a":1}'));
    assertStrictEquals(result.ok ? result.value.a : result.message, 1);
  });
});

it("the stack of small inputs is wiped when a call ends, also after a failure", () => {
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

it("difference() of these tests finds every difference", () => {
  const different: [actual: unknown, expected: unknown][] = [
    ...[[1, 2], [0, -0], ["1", 1], ["\ud800", "\ud801"], [null, undefined], [null, {}]] as [unknown, unknown][],
    ...[[[1], [1, 2]], [[1, 2], [1]], [[1], { 0: 1 }], [new Array(1), [undefined]]] as [unknown, unknown][],
    [Object.assign([1], { a: 1 }), [1]],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [own(["__proto__", {}]), {}],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [Object.freeze({ a: 1 }), { a: 1 }],
    [Object.preventExtensions([]), []],
    [Object.defineProperty({}, "a", { value: 1, enumerable: true }), { a: 1 }],
    [Object.defineProperty({}, "a", { value: 1, writable: true, configurable: true }), { a: 1 }],
    [{ [Symbol.iterator]: 1 }, {}],
  ];
  for (const [actual, expected] of different) {
    for (const [a, e] of [[actual, expected], [[{ a: [actual] }], [{ a: [expected] }]]]) {
      assert(difference(a, e) !== undefined, JSON.stringify(expected));
    }
    const text = JSON.stringify([expected]);
    assertSame(JSON.parse(text), JSON.parse(text));
  }
});
