/**
 * Options that guard against hostile input, and exact numbers, on the paths that few inputs take.
 * `matrix_test.ts` has random options.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type FailureCode, parseBinary, type ParseFailure, type ParseOptions } from "../../parse_binary.ts";
import { parseAt } from "../../pointer.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { every, type Mask, selectBinary, type Selector, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { show, utf8 } from "../support/bytes.ts";
import { evenCut, everyCut, piecesAt, readPieces } from "../support/cuts.ts";
import { assertSame } from "../support/difference.ts";
import { referenceParse } from "../support/reference.ts";
import { assertRead } from "../support/readers.ts";

/** Numbers that are none, or are followed by what may not follow. */
const MALFORMED_NUMBERS = [
  ...["", "1+2", "1-1", "1.5.5", "1e5e5", "1e5.5", "1.", "-", "01", "1e+", "1e+-2", "1.e5", "-.5"],
  ...["1-9007199254740993", "1.5-9007199254740993", "1e5-9007199254740993", "01-9007199254740993"],
  ...["9007199254740993-1", "-9007199254740993+1", "12345678901234567890-1", "9007199254740993e", "9007199254740993.x"],
  ...["09007199254740993", "9007199254740993.5.5", "9007199254740993e1-1", "9007199254740993", "1+9007199254740993"],
];

describe("numbers that are malformed, or unsafe", () => {
  it("fail where the grammar ends them, wherever they are cut, also after a call that made BigInts", () => {
    const bigint = Object.freeze({ integers: "bigint" } as const);
    const allBigint = Object.freeze({ integers: "all-bigint" } as const);
    for (const number of MALFORMED_NUMBERS) {
      for (
        const text of [number, `[${number}]`, `{"a":${number},"b":9007199254740993}`, `[1] ${number}`]
      ) {
        assertRead(utf8(text), { options: { integers: "reject" } }, everyCut(text.length));
        assertEquals(parseBinary(utf8("[9007199254740993]"), bigint), { ok: true, value: [9007199254740993n] });
        for (const options of [bigint, allBigint, { numbers: "source" }] as const) {
          assertRead(utf8(text), { options }, everyCut(text.length));
        }
      }
    }
  });

  it("become BigInts up to a million digits, and are too large beyond, in every reader", () => {
    const options = { integers: "bigint" } as const;
    const digits = "9".repeat(1_000_000);
    const result = parseBinary(utf8(`[${digits}]`), options);
    assertEquals(result.ok && (result.value as bigint[])[0] === 10n ** 1_000_000n - 1n, true);
    const text = `{"a":[[],${digits}7],"b":{"c":${digits}7}}`;
    const bytes = utf8(text);
    const results: [result: { ok: boolean }, offset: number][] = [
      [parseAt(bytes, "/b", options), text.length - digits.length - 3],
      [readPieces(new BinaryParser(options), [utf8("1"), utf8(digits)]), 0],
    ];
    // With a mask, all of the document is parsed with the options first.
    for (const mask of [true, { a: true }, { a: [true] }, { b: { c: true } }] as Mask[]) {
      const select: Selector<unknown> = selector(mask);
      results.push([selectBinary(bytes, select, options), 9]);
      results.push([readPieces(new BinaryParser({ ...options, select }), piecesAt(bytes, [7, text.length - 1])), 9]);
    }
    for (const [result, offset] of results) {
      const { code, offset: found } = result as ParseFailure;
      assertEquals([code, found], ["value-too-large", offset]);
    }
  });
});

it("a mask does not select within the objects and arrays that number() returns", () => {
  const number = (text: string): unknown => text === "1" ? { a: 1, b: 2 } : text === "2" ? [[3]] : undefined;
  const options = { numbers: "source", number } as const;
  const bytes = utf8('{"z":[1,2,3],"x":{"a":1,"b":1},"a":3,"__proto__":2,"7":2,"y":1,"i":[1,2,3]}');
  const select: Selector<unknown> = selector({
    x: { a: { a: true } },
    z: [{ b: [true] }],
    i: [0, 2, 3],
    a: true,
    [every]: [{ a: true }],
  } as unknown as Mask);
  const converted = { a: 1, b: 2 };
  const [z, i] = [[converted, [[3]], null], [converted, null, null]];
  const value = { x: { a: converted }, z, i, "7": [[3]], ["__proto__"]: [[3]], y: converted };
  assertEquals(selectBinary(bytes, select, options), { ok: true, value });
  assertEquals(readPieces(new BinaryParser({ ...options, select }), piecesAt(bytes, [9, 30])), { ok: true, value });
});

const repeated = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join();

describe("options on rare paths of the parser", () => {
  const reject = { duplicateKeys: "reject" } as const;
  const source = { numbers: "source" } as const;
  const constructors = '{"constructor":{"x":{},"prototype":1},"a":{"constructor":[]},"b":{"constructor":{"x":1}}}';
  const long = JSON.stringify({
    empty: [],
    elements: Array.from({ length: 40 }, (_, i) => i % 3 ? { a: i, b: "x" } : [i]),
  });
  const rows: [name: string, options: ParseOptions, texts: string[], mask?: Mask][] = [
    [
      "names that are longer than those that harm",
      { protoKeys: "reject" },
      [11, 66, 67, 1_000].map((length) => `{"${"_".repeat(length)}":1,"__proto__":2}`),
    ],
    ["long arrays, of elements that are left out too", source, [long], { empty: [true], elements: [{ a: true }] }],
    [
      "an object named constructor that is dropped by its second name",
      { protoKeys: "drop" },
      [constructors],
      { constructor: { x: true }, [every]: { constructor: true } } as unknown as Mask,
    ],
    [
      "members that come twice, or harm, where all are selected",
      { duplicateKeys: "first", protoKeys: "drop" },
      ['{"a":"x","a":1,"b":[2],"b":3,"__proto__":4}'],
      { [every]: true },
    ],
    [
      "long arrays and objects as deep as they come",
      { duplicateKeys: "first", ...source },
      [`${'{"a":1,"a":['.repeat(200)}${"0,".repeat(300)}0${"]}".repeat(200)}`],
    ],
    ["a long array that counts", { ...source, number: Number }, [`{"b":0,"b":[${"0,".repeat(300)}0]}`]],
    [
      "a name that comes twice before an object has very many",
      reject,
      ["0", "[]", '"x"'].flatMap((value) =>
        [100, 5_000].flatMap((count) => {
          const members = repeated(count, (i) => `"k${i}":${value}`);
          return [`{"k":0,"k":1,${members}}`, `{"k":[],"j":0,"k":[],${members}}`];
        })
      ),
    ],
    [
      "equal indexes in objects of few and of many members",
      reject,
      [2, 10, 17, 200, 1_500].flatMap((count) =>
        ["0", "[]", "{}"].flatMap((value) => {
          return ["x", "1"].map((last) => `[{${repeated(count, (i) => `"${i}":${value}`)},"${last}":${value}}]`);
        })
      ),
    ],
    [
      "indexes that are names here and numbers there",
      reject,
      Array.from(
        { length: 40 },
        (_, i) =>
          `[${repeated(50 + i, (k) => `{"${1_000 * i + 7 * k}": 0}`)},{"${i % 2 ? "7" : "\\u0037"}":1,"8":2,"7":3}]`,
      ),
    ],
  ];
  for (const [name, options, texts, mask] of rows) {
    it(`apply to ${name}`, () => {
      // Frozen options learn, and the second and third time keys and shapes are cached.
      const frozen = Object.freeze({ ...options });
      for (const text of texts) {
        for (const each of [options, frozen, frozen]) {
          assertRead(utf8(text), { options: each, ...mask && { mask } }, [[text.length >> 1]]);
        }
      }
    });
  }

  it("read a copy of shared memory", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(32)).fill(0x20);
    shared.set(utf8('{"a":9007199254740993,"a":2}'));
    const refused = referenceParse(shared.slice(), reject);
    const validator = new BinaryValidator({ multiple: "lines", ...reject });
    validator.push(shared);
    for (const result of [validateBinary(shared, reject), validator.end()]) assertEquals<unknown>(result, refused);
    const exact = selectBinary(shared, selector({ a: true }), { integers: "bigint", duplicateKeys: "first" });
    assertEquals(exact, { ok: true, value: { a: 9007199254740993n } });
  });

  it("buffer a value larger than the usual buffer, up to maxTokenBytes", () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `{"é":${i},"x":[${i}.50]}`);
    const bytes = utf8(`{"rows":[${rows}]}\n{"rows":[]}\n`);
    const lineEnd = bytes.indexOf(0x0a);
    const cut = evenCut(bytes, 60_000);
    const number = (text: string, offset: number): boolean =>
      new TextDecoder().decode(bytes.subarray(offset, offset + text.length)) === text;
    for (const select of [undefined, selector({ rows: [{ "é": true }] })]) {
      for (const maxTokenBytes of [lineEnd, 1_000_000, 1_000]) {
        const values: unknown[] = [];
        const failures: unknown[] = [];
        const parser = new BinaryParser({
          ...{ ...source, number, multiple: "lines", maxTokenBytes, select },
          onValue: ({ value }) => values.push(value),
          onInvalid: ({ failure, end }) => failures.push(failure.code, failure.offset, end),
        });
        readPieces(parser, piecesAt(bytes, cut));
        const isKept = maxTokenBytes > 1_000;
        assertEquals(failures, isKept ? [] : ["value-too-large", 0, lineEnd], `${maxTokenBytes}`);
        assertEquals(values.length, isKept ? 2 : 1);
        if (!isKept) continue;
        const expected = select === undefined ? { "é": true, x: [true] } : { "é": true };
        assertSame(values[0], { rows: rows.map(() => expected) });
      }
    }
  });
});

describe("limits at the sizes where the parser switches its method", () => {
  const SIZES = [0, 1, 2, 3, ...[4, 8, 16, 64, 128, 256, 512, 1_024, 4_096].flatMap((n) => [n - 1, n, n + 1])];
  const text = (size: number, character: string, rest = "x"): string => {
    const length = utf8(character).length;
    return character.repeat(Math.trunc(size / length)) + rest.repeat(size % length);
  };
  const codes = {
    maxStringBytes: "string-too-long",
    maxElements: "too-many-elements",
    maxMembers: "too-many-members",
    maxDepth: "too-deep",
  };
  const forms: { name: string; option: keyof typeof codes; make: (size: number) => string }[] = [
    { name: "ASCII strings", option: "maxStringBytes", make: (size) => `["${text(size, "x")}"]` },
    { name: "strings of two-byte characters", option: "maxStringBytes", make: (size) => `["${text(size, "é")}"]` },
    {
      name: "strings that end in an escape",
      option: "maxStringBytes",
      make: (size) => `["${text(size, "x").replace(/xx$/, "\\n")}"]`,
    },
    { name: "names", option: "maxStringBytes", make: (size) => `{"${text(size, "x")}":0}` },
    {
      name: "names with spaces before the colon",
      option: "maxStringBytes",
      make: (size) => `[0,{"${text(size, "é", "y")}"  :0}]`,
    },
    { name: "arrays of numbers", option: "maxElements", make: (size) => `[${repeated(size, String)}]` },
    { name: "arrays of strings", option: "maxElements", make: (size) => `[${repeated(size, () => '"x"')}]` },
    { name: "arrays of arrays", option: "maxElements", make: (size) => `[${repeated(size, () => "[]")}]` },
    {
      name: "numbers and a string",
      option: "maxElements",
      make: (size) => `[${repeated(size, (i) => i === size - 1 ? '""' : "1.5")}]`,
    },
    { name: "objects of scalars", option: "maxMembers", make: (size) => `{${repeated(size, (i) => `"k${i}":0`)}}` },
    { name: "objects of objects", option: "maxMembers", make: (size) => `{${repeated(size, (i) => `"k${i}":{}`)}}` },
    { name: "objects of indexes", option: "maxMembers", make: (size) => `{${repeated(size, (i) => `"${i}":[0]`)}}` },
    {
      name: "nested arrays",
      option: "maxDepth",
      make: (size) => "[".repeat(size) + (size === 0 ? "0" : "") + "]".repeat(size),
    },
    { name: "nested objects", option: "maxDepth", make: (size) => `${'{"a":'.repeat(size)}0${"}".repeat(size)}` },
  ];
  for (const { name, option, make } of forms) {
    it(`allow exactly the maximum: ${name}`, () => {
      for (const size of SIZES) {
        for (const more of ["", " ".repeat(600)]) {
          for (let times = 0; times < 2; times++) { // the second time, keys and shapes are cached
            assertEquals(parseBinary(utf8(make(size) + more), { [option]: size }).ok, true, `${size}`);
            const result = parseBinary(utf8(make(size + 1) + more), { [option]: size });
            assertEquals(result.ok ? "ok" : result.code, codes[option], `${size + 1}`);
          }
        }
      }
    });
  }

  it("apply to objects of generated constructors and to dictionaries, as do options for names", () => {
    const reject = { duplicateKeys: "reject" } as const;
    const proto = { protoKeys: "reject" } as const;
    const texts: { text: string; options: ParseOptions; code: FailureCode }[] = [
      { text: `{${repeated(10, (i) => `"k${i}":0`)}}`, options: { maxMembers: 9 }, code: "too-many-members" },
      { text: '{"a":1,"b":2,"a":3}', options: reject, code: "duplicate-key" },
      { text: '{"a":1,"__proto__":2}', options: proto, code: "forbidden-key" },
      { text: '{"constructor":{"prototype":2,"x":1},"y":1}', options: proto, code: "forbidden-key" },
      { text: `{${repeated(900, (i) => `"k${i}":0`)},"k899":{},"k0":1}`, options: reject, code: "duplicate-key" },
      { text: `{${repeated(900, (i) => `"k${i}":{}`)},"__proto__":1}`, options: proto, code: "forbidden-key" },
      { text: `{${repeated(200, (i) => `"${i}":{}`)},"7":1}`, options: reject, code: "duplicate-key" },
    ];
    for (const { text, options, code } of texts) {
      // Enough for a constructor, without options; large objects have none.
      const many = utf8(`[${repeated(text.length > 1_000 ? 5 : 100, () => text)}]`);
      for (let i = 0; i < 40; i++) parseBinary(many);
      for (const bytes of [utf8(text), many]) {
        const result = parseBinary(bytes, options);
        assertSame(result, referenceParse(bytes, options), () => `${show(bytes)} with ${JSON.stringify(options)}`);
        assertEquals(!result.ok && result.code, code, text.slice(0, 60));
      }
    }
  });
});
