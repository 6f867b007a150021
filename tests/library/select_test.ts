/**
 * `selector` and `selectBinary`: rules of masks, arguments, types, and learning from documents.
 * `matrix_test.ts` has random masks.
 */

import { assert, assertEquals, assertLess, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseFailure, type ParseResult } from "../../parse_binary.ts";
import { every, type Mask, selectBinary, type Selector, selector } from "../../select.ts";
import { BinaryParser, JsonParseStream, parseStream, parseValues, type StreamedValue } from "../../parse_stream.ts";
import { utf8 } from "../support/bytes.ts";
import { evenCuts, everyCut } from "../support/cuts.ts";
import { own } from "../support/difference.ts";
import { picked } from "../support/masks.ts";
import { assertRead, assertWhole, type Reading } from "../support/readers.ts";

const LONG = " ".repeat(600);

/**
 * Asserts the selection from a text: at the beginning and far from the end of an input, and at each
 * cut of it. The value also has to be the part picked from the value of `JSON.parse`.
 */
function assertSelects(text: string, mask: Mask, value: unknown): void {
  const bytes = utf8(text);
  assertRead(bytes, { mask }, everyCut(bytes.length), { ok: true, value });
  for (const longer of [text, LONG + text, text + LONG]) assertRead(utf8(longer), { mask });
  assert(!("polluted" in {}));
}

function valueIn<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new SyntaxError(result.message);
  return result.value;
}

const SCALARS = ["null", "true", "false", "0", "-0", "12.5e3", '"text"', '""'].map((
  text,
): [string, unknown] => [text, JSON.parse(text)]);
const WHOLE = { a: [1, { b: null }], c: "é\n", d: -1.5e300, e: true, f: false, g: {}, h: [], i: 1234567890123 };
const MANY = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, [true] as const]));
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
const OF_INHERITED = own(...INHERITED.map((name): [string, true] => [name, true])) as Mask;
const POISON = '{"valueOf":1,"__proto__":{"polluted":true},"constructor":null,"hasOwnProperty":[2]}';
const NUMBERED = '{"b":0,"10":1,"2":2,"01":3,"-1":4,"4294967294":5,"4294967295":6,"1e3":7}';
const OF_X = { [every]: { x: true } } as const;

/** Selections from texts, by the rule that each shows. */
const RULES: Record<string, [text: string, mask: Mask, expected: unknown][]> = {
  "members come in the order of the mask, and missing ones stay missing": [
    ['{"a":1,"b":2,"c":3}', { c: true, a: true, d: true }, { c: 3, a: 1 }],
    ['{"b":2}', { a: true, c: { d: true } }, {}],
    [' { "a" : { "b" : [ 1 ] } , "x" : { } } ', { x: { y: true }, a: { b: true } }, { x: {}, a: { b: [1] } }],
  ],
  "members are taken whole under true": [
    [JSON.stringify(WHOLE), Object.fromEntries(Object.keys(WHOLE).map((name) => [name, true])), WHOLE],
    [JSON.stringify(WHOLE), { [every]: true }, WHOLE],
  ],
  "an empty mask selects no member": [
    ['{"a":1,"b":[{}]}', {}, {}],
    ['[{"a":1},2,[]]', [{}], [{}, 2, null]],
  ],
  "scalars are selected whatever the mask": SCALARS.flatMap(([text, value]) => [
    ...[{ a: true }, [{ a: true }], { [every]: [true] }].map((mask) => [text, mask, value] as [string, Mask, unknown]),
    [`{"a":${text},"b":${text},"c":${text}}`, { a: { x: true }, b: [true], ...OF_X }, { a: value, b: value, c: value }],
    [`[${text},${text}]`, [{ a: true }], [value, value]],
  ]),
  "containers of the other kind are left out: null in arrays, undefined as the whole value": [
    ['{"a":[1],"b":{"x":1},"c":1}', { a: { x: true }, b: [true], c: true }, { c: 1 }],
    ['{"a":[1],"b":{"x":1},"c":[]}', OF_X, { b: { x: 1 } }],
    ['[[1],{"a":1,"b":2},[],{}]', [{ a: true }], [null, { a: 1 }, null, {}]],
    ['[[1],{"a":1},[],{}]', [[true]], [[1], null, [], null]],
    ["[1,[2]]", { a: true }, undefined],
    ['{"a":1}', [true], undefined],
  ],
  "arrays keep the selected part of each element": [
    ['[{"a":1,"b":2},{"b":3},{"a":{"c":4}}]', [{ a: true }], [{ a: 1 }, {}, { a: { c: 4 } }]],
    ["[[[1,2],[]],[],[[3]]]", [[[true]]], [[[1, 2], []], [], [[3]]]],
    [
      '{"a":[ ],"b":[\n{"c":[{"d":1,"e":2}]}\n]}',
      { a: [{ x: true }], b: [{ c: [{ d: true }] }] },
      { a: [], b: [{ c: [{ d: 1 }] }] },
    ],
  ],
  "every is the mask of all other members, which follow the named ones in input order": [
    [
      '{"d":{"x":1,"y":2},"b":{"x":3},"c":4,"a":{"y":5}}',
      { a: true, b: { y: true }, ...OF_X },
      { a: { y: 5 }, b: {}, d: { x: 1 }, c: 4 },
    ],
    ['{"a":{"p":{"x":1,"y":2},"q":{"x":3}},"b":{}}', { [every]: OF_X }, { a: { p: { x: 1 }, q: { x: 3 } }, b: {} }],
    ['{"2":1,"b":2,"1":3,"a":4}', { b: true, [every]: true }, own(["1", 3], ["2", 1], ["b", 2], ["a", 4])],
    ['{"every":1,"*":2,"Symbol(every)":3}', { every: true, "*": true }, { every: 1, "*": 2 }],
  ],
  "members with the same name give the last one": [
    ['{"a":1,"b":2,"a":3}', { a: true }, { a: 3 }],
    ['{"a":{"x":1},"a":{"y":2}}', { a: { x: true, y: true } }, { a: { y: 2 } }],
    ['{"\\u0061":2,"a":1}', { a: true }, { a: 1 }],
    ['{"a":1,"b":2,"a":3}', { [every]: true }, { a: 3, b: 2 }],
    ['{"a":1,"x":2,"a":3}', { x: true, [every]: true }, { x: 2, a: 3 }],
  ],
  "of members with the same name none is selected if the last one is left out": [
    ...[{ a: { x: true } } as const, OF_X].flatMap((mask): [string, Mask, unknown][] => [
      ['{"a":{"x":1},"a":[2]}', mask, {}],
      ['{"a":1,"a":[2]}', mask, {}],
      ['{"a":[2],"a":{"x":1}}', mask, { a: { x: 1 } }],
      ['{"a":{"x":1},"a":[2],"a":null}', mask, { a: null }],
    ]),
    ['{"m1":[1],"m2":[2],"m1":{}}', MANY, { m2: [2] }],
  ],
  "under every, a repeated member keeps the position of the first one": [
    ['{"a":1,"b":2,"a":[],"c":3,"a":4}', OF_X, { a: 4, b: 2, c: 3 }],
    ['{"a":[],"b":{"x":2},"a":{"x":1}}', OF_X, { a: { x: 1 }, b: { x: 2 } }],
    ['{"b":1,"a":[],"c":{"x":2},"a":{"x":3}}', { c: true, ...OF_X }, { c: { x: 2 }, b: 1, a: { x: 3 } }],
  ],
  "names are compared after escapes are decoded": [
    [
      '{"\\u0061":1,"b\\n":2,"\\"":3,"\\\\":4,"c\\/d":5}',
      { a: true, "b\n": true, '"': true, "\\": true, "c/d": true },
      { a: 1, "b\n": 2, '"': 3, "\\": 4, "c/d": 5 },
    ],
    ['{"n\\u0061me":1}', { name: true, "n\\u0061me": true }, { name: 1 }],
    ['{"\\u0000":1,"":2}', { "": true, "\0": true }, { "": 2, "\0": 1 }],
  ],
  "names are compared by code units, surrogates included": [
    ['{"é":1,"中":2,"😀":3,"\\u00e9":4}', { "😀": true, "中": true, "é": true }, { "😀": 3, "中": 2, "é": 4 }],
    ['{"\\ud83d\\ude00":1}', { "😀": true }, { "😀": 1 }],
    [
      '{"\\udc00\\ud800":3,"\\ud800":1,"\\udc00":2}',
      own(["\ud800", true], ["\udc00", true], ["\udc00\ud800", true]) as Mask,
      own(["\ud800", 1], ["\udc00", 2], ["\udc00\ud800", 3]),
    ],
    ['{"\ufffd":1}', own(["\ud800", true]) as Mask, {}],
    ['{"e\u0301":1}', { "\u00e9": true }, {}], // "é" of one code point, and of two
  ],
  "names that objects inherit are own members": [
    [
      POISON,
      OF_INHERITED,
      own(["__proto__", { polluted: true }], ["constructor", null], ["hasOwnProperty", [2]], ["valueOf", 1]),
    ],
    [POISON, { [every]: true }, JSON.parse(POISON)],
    [
      '{"__proto__":{"__proto__":{"a":1},"b":2}}',
      own(["__proto__", own(["__proto__", true])]) as Mask,
      { ["__proto__"]: { ["__proto__"]: { a: 1 } } },
    ],
  ],
  "names that are numbers come first, in order": [
    [NUMBERED, { [every]: true }, JSON.parse(NUMBERED)],
    [
      NUMBERED,
      { b: true, 10: true, 2: true, "01": true, 4294967294: true, 4294967295: true },
      { 2: 2, 10: 1, 4294967294: 5, b: 0, "01": 3, 4294967295: 6 },
    ],
  ],
  "masks may have no prototype, or be frozen": [
    ['{"a":1,"b":{"c":2}}', Object.assign(Object.create(null), { a: true }), { a: 1 }],
    ['{"a":1,"b":{"c":2}}', Object.freeze({ b: Object.freeze({ c: true }) }), { b: { c: 2 } }],
  ],
};

describe("masks", () => {
  for (const [rule, rows] of Object.entries(RULES)) {
    it(rule, () => {
      for (const [text, mask, expected] of rows) assertSelects(text, mask, expected);
    });
  }

  it("may have any number of members, more than constructors take", () => {
    for (const count of [1, 4, 5, 30, 31, 32, 33, 64, 300]) {
      const names = Array.from({ length: count }, (_, i) => `member ${i}`);
      const mask = Object.fromEntries(names.map((name) => [name, true as const]));
      const reading: Reading = { mask };
      // More sets of members than there are constructors.
      const sets = count < 30 || count > 33 ? [] : Array.from({ length: 100 }, (_, left) => left);
      for (const left of sets) {
        const document = Object.fromEntries(names.filter((_, i) => i % 15 !== left % 15).map((name) => [name, left]));
        assertWhole(utf8(JSON.stringify(document)), reading, { ok: true, value: document });
      }
      for (const step of [1, 2, 3, count]) {
        const there = names.filter((_, i) => i % step === 0);
        const text = JSON.stringify(Object.fromEntries(["other", ...there].toReversed().map((name) => [name, [name]])));
        for (const each of [mask, { ...mask, [every]: true }]) {
          assertRead(utf8(text), { mask: each }, evenCuts(text.length, 50));
        }
      }
    }
  });

  const ALIKE: Record<string, string[]> = {
    "are beginnings of each other": Array.from({ length: 100 }, (_, i) => "abcdefghij".repeat(10).slice(0, i)),
    "share length, first, last and middle byte": Array.from(
      { length: 900 },
      (_, i) => `a${10 + i % 30}m${10 + Math.floor(i / 30)}z`,
    ),
    "are 3,000": Array.from({ length: 3_000 }, (_, i) => `name ${Math.imul(i, 0x9e3779b1) >>> 0}`),
  };
  for (const [how, names] of Object.entries(ALIKE)) {
    it(`distinguish names that ${how}`, () => {
      const wanted = names.filter((_, i) => i % 3 > 0).toReversed();
      const mask = Object.fromEntries(wanted.map((name, i) => [name, i % 2 === 0 ? [true] as const : true as const]));
      const rows = Array.from({ length: 3 }, (_, i) => {
        const there = names.filter((_, j) => j % (i + 1) === 0);
        return Object.fromEntries(there.map((name, j): [string, unknown] => [name, j % 2 === 0 ? [j] : { j }]));
      });
      const text = JSON.stringify(rows);
      assertRead(utf8(text), { mask: [mask] }, [[text.length >> 1]]);
    });
  }

  it("select from arrays and maps of any length, and strings that recur after a long value", () => {
    const lists = [1, 8, 9, 17, 1_024, 1_025, 2_000].map((length) =>
      Array.from({ length }, (_, i) => ({ a: i, b: `text ${i % 7}`, c: [i] }))
    );
    const map = Object.fromEntries(lists[6].map((row, i) => [`key ${i}`, row]));
    const texts = Array.from({ length: 700 }, (_, i) => `text ${i}`);
    const long = Array.from({ length: 6 }, (_, i) => ({
      c: texts.flatMap((text) => [text, text, [text]]),
      ...Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`s${j}`, texts[(97 * i + 31 * j) % texts.length]])),
    }));
    for (const value of [...lists, map, long, Array.from({ length: 2_000 }, (_, i) => `${i % 50}ab`)]) {
      const text = JSON.stringify(value);
      for (const part of [{ b: true, a: true }, { c: [true], [every]: true }] as Mask[]) {
        const mask: Mask = Array.isArray(value) ? [part] : { [every]: part };
        assertRead(utf8(text), { mask }, evenCuts(text.length, 9_999).take(1));
      }
    }
  });
});

describe("selector()", () => {
  it("refuses what is not a mask, and says where", () => {
    const expected = "expected true, an array of one mask or of indexes, or an object of masks";
    const one = "expected one mask, for all elements, or indexes in an array";
    const indexes = "expected different indexes, from 0,";
    const rows: [mask: unknown, message: string][] = [
      ...[false, null, 1, "a", 1n, Symbol("a"), () => true].flatMap((wrong): [unknown, string][] => [
        [wrong, expected],
        [{ a: wrong }, `${expected} at "/a"`],
        [{ a: [{ b: wrong }] }, `${expected} at "/a/-/b"`],
        [{ [every]: { "x/y": { "~": wrong } } }, `${expected} at "/[every]/x~1y/~0"`],
      ]),
      [{ a: undefined }, `${expected} at "/a"`],
      [[], one],
      [{ a: [true, true] }, `${one} at "/a"`],
      ...[[-1], [0.5], [NaN], [0, 1, 0], [0, true], [0, "1"], [0, { a: true }]].map((wrong): [unknown, string] => [
        { a: wrong },
        `${indexes} at "/a/${wrong.length - 1}"`,
      ]),
      [{ a: Array(1) }, `${expected} at "/a/-"`],
      [{ [Symbol("other")]: true }, "Symbol(other) is not a name"],
      [{ a: { [Symbol.iterator]: true } }, 'Symbol(Symbol.iterator) is not a name at "/a"'],
    ];
    for (const [mask, words] of rows) {
      const message = `Cannot select by this mask: ${words}`;
      assertStrictEquals(assertThrows(() => selector(mask as Mask), TypeError).message, message);
      assertThrows(() => selector<unknown>()(mask as Mask), TypeError, message);
    }
    assertThrows(() => selector(undefined as unknown as Mask), TypeError, expected);
  });

  it("takes masks of 200 levels, and refuses deeper ones and those that contain themselves", () => {
    const deep = (levels: number): Mask => {
      let mask: Mask = true;
      for (let level = 0; level < levels; level++) mask = level % 2 === 0 ? { a: mask } : [mask];
      return mask;
    };
    const text = '[{"a":'.repeat(100) + "1" + "}]".repeat(100);
    assertRead(utf8(text), { mask: deep(200) }, evenCuts(text.length, 70));
    assertThrows(() => selector(deep(202)), TypeError, "more than 200 levels");
    const cyclic: Record<string, Mask> = {};
    cyclic.a = cyclic;
    assertThrows(() => selector(cyclic), TypeError, "contains itself");
  });

  it("makes a frozen selector, which the mask changes no more", () => {
    const mask: { a: Mask; b?: Mask } = { a: { x: true } };
    const select = selector(mask as Mask);
    assert(Object.isFrozen(select));
    assertThrows(() => Object.assign(select, { a: 1 }), TypeError);
    mask.b = true;
    mask.a = [true];
    assertEquals(selectBinary(utf8('{"a":{"x":1},"b":2}'), select), { ok: true, value: { a: { x: 1 } } });
  });

  it("returns a function if it gets no mask", () => {
    const select = selector<{ a: number; b: string }>()({ b: true });
    assertEquals(selectBinary(utf8('{"a":1,"b":"x"}'), select), { ok: true, value: { b: "x" } });
  });

  it("is the only argument that selectBinary() and readers of streams accept", async () => {
    const select = { a: true } as unknown as Selector;
    const wrong = [select, true, undefined, null, [true], "a", Object.create(selector(true))];
    const calls = [
      ...wrong.map((select) => () => selectBinary(utf8("1"), select as Selector)),
      ...[() => new BinaryParser({ select }), () => new JsonParseStream({ select })],
      ...[() => parseValues([], { select }), () => parseStream([], { select })],
    ];
    const message = "Cannot select by this argument: expected a selector, as selector(…) makes of a mask";
    for (const call of calls) await assertRejects(async () => await call(), TypeError, message);
  });
});

describe("the unselected part of a stream", () => {
  const MEBIBYTE = 2 ** 20;
  const PARTS: Record<string, [before: string, part: string, after: string]> = {
    "a string": ['{"a":1,"x":"', "text é\\n", '","b":2}'],
    "an array": ['{"a":1,"x":[0', ",1234567", '],"b":2}'],
    "an object of one name": ['{"a":1,"x":{"y":0', ',"y":{}', '},"b":2}'],
    whitespace: ['{"a":1,"x":0', " \n      ", ',"b":2}'],
  };

  it("is not buffered", () => {
    for (const [name, [before, part, after]] of Object.entries(PARTS)) {
      const chunk = utf8(part.repeat(Math.floor(MEBIBYTE / utf8(part).length)));
      const parser = new BinaryParser({ select: selector({ b: true, a: true }), maxTokenBytes: 1_000 });
      parser.push(utf8(before));
      parser.push(chunk);
      const { external } = Deno.memoryUsage();
      for (let pushed = 1; pushed < 16; pushed++) parser.push(chunk);
      assertLess(Deno.memoryUsage().external - external, 6 * MEBIBYTE, name);
      parser.push(utf8(after));
      assertEquals(parser.end(), { ok: true, value: { b: 2, a: 1 } });
    }
  });

  it("counts against maxTokenBytes where it is selected", () => {
    const parser = new BinaryParser({ select: selector({ x: true }), maxTokenBytes: 1_000 });
    parser.push(utf8('{"a":1,"x":"'));
    for (let pushed = 0; pushed < 30; pushed++) parser.push(utf8("x".repeat(100)));
    assertEquals((parser.end() as ParseFailure).code, "value-too-large");
  });
});

describe("what a selector caches of a document", () => {
  it("is bounded: more gaps than it caches, or longer ones, change no value", () => {
    const mask = [{ id: true, name: true }] as const;
    const reading: Reading = { mask };
    const wide = Array.from({ length: 400 }, (_, i) => ({ [`only ${i}`]: i, id: i, [`also ${i}`]: [], name: "x" }));
    const long = Array.from({ length: 90 }, (_, i) => ({ ["n".repeat(i)]: 1, id: i, ["m".repeat(90 - i)]: 2 }));
    const texts = [wide, long].map((rows) => JSON.stringify(rows));
    for (const text of [...texts, texts[1].replaceAll(":", `:${" ".repeat(70)}`), ...texts]) {
      assertWhole(utf8(text), reading, { ok: true, value: picked(JSON.parse(text), mask) });
    }
  });

  it("keeps locations right: lines and columns after gaps with line ends or beyond ASCII", () => {
    const rows = (name: string, space: string): string =>
      Array.from({ length: 40 }, (_, i) => `{"id":${i},${space}"${name}":0,${space}"name":"x"}`).join(`,${space}`);
    for (const [name, space] of [["é", " "], ["a", "\n"], ["a", "\r\n"], ["b", "\r"], ["😀", "\n\n"]]) {
      const learned: Reading = { mask: [{ id: true, name: true }] };
      assertRead(utf8(`[${rows(name, space)}]`), learned);
      const wrong = utf8(`[${rows(name, space)},{"id" 1}]`);
      assertWhole(wrong, learned, parseBinary(wrong));
      const later = utf8(`[${rows("c", " ")},{"id" 1}]`);
      assertWhole(later, learned, parseBinary(later));
    }
  });
});

/** Type of the selection of a selector. */
type SelectedBy<S> = S extends Selector<infer T> ? T : never;

/** `true` if two types take the same values. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

/** Is an error of the type checker if its argument is not `true`. */
function assertType<_Same extends true>(): void {}

describe("types of selected values", () => {
  interface Page {
    next: string | null;
    data: { id: number; customer: { name: string; tags?: string[] } | null }[];
    prices: Record<string, { net: number; tax: number }>;
  }

  it("have the structure of the mask with unknown leaves, or are taken from a type", () => {
    const select = selector({ next: true, data: [{ id: true }], prices: { [every]: { net: true } } });
    type Expected = {
      next?: unknown;
      data?: { id?: unknown }[];
      prices?: { [name: string]: { net?: unknown } };
    } | undefined;
    assertType<Same<SelectedBy<typeof select>, Expected>>();
    const whole = selector(true);
    assertType<Same<SelectedBy<typeof whole>, unknown>>();
    const value = valueIn(selectBinary(utf8('{"data":[{"id":7}],"prices":{"a":{"net":1}}}'), select));
    // @ts-expect-error: what the mask does not select is not there
    assertEquals([value?.data?.[0].id, value?.prices?.a.net, value?.other], [7, 1, undefined]);
    const ofPage = selector<Page>()({ data: [{ customer: { name: true } }], prices: { [every]: { net: true } } });
    type Selected = { data: { customer: { name: string } | null }[]; prices: { [name: string]: { net: number } } };
    assertType<Same<SelectedBy<typeof ofPage>, Selected>>();
    const tags = selector<Page>()({ data: [{ customer: { tags: true } }] });
    assertType<Same<SelectedBy<typeof tags>, { data: { customer: { tags?: string[] } | null }[] }>>();
    const some = selector({ data: [2, 0] });
    assertType<Same<SelectedBy<typeof some>, { data?: [unknown, unknown] } | undefined>>();
    const position = selector<{ at: [x: number, name: string]; tags: string[] }>()({ at: [1, 0], tags: [3] });
    assertType<Same<SelectedBy<typeof position>, { at: [string | null, number | null]; tags: [string | null] }>>();
    const all = selector<Page>()({ [every]: true });
    assertType<Same<SelectedBy<typeof all>, Page>>();
  });

  it("are checked against the type", () => {
    const ofPage = selector<Page>();
    // @ts-expect-error: there is no such member
    ofPage({ nextPage: true });
    // @ts-expect-error: there is no such member of a member
    ofPage({ data: [{ name: true }] });
    // @ts-expect-error: an array has no members
    ofPage({ data: { id: true } });
    // @ts-expect-error: an object has no elements
    ofPage({ prices: [true] });
    // @ts-expect-error: nor any at an index
    ofPage({ prices: [0] });
    assertThrows(() => {
      // @ts-expect-error: false is no mask
      selector({ a: false });
    }, TypeError);
  });

  it("apply to parsers of streams", () => {
    const select = selector<Page>()({ next: true });
    const parser = new BinaryParser({ select, multiple: "lines", onValue: ({ value }) => void names.push(value.next) });
    const names: (string | null)[] = [];
    parser.push(utf8('{"next":"a","data":[]}\n{"data":[],"next":null}\n'));
    assertEquals(parser.end().ok, true);
    assertEquals(names, ["a", null]);
    const stream = new JsonParseStream({ select });
    type Streamed = typeof stream.readable extends ReadableStream<StreamedValue<infer T>> ? T : never;
    assertType<Same<Streamed, { next: string | null }>>();
  });
});

it("names too long for a generated constructor, and an unselected number at the end, are read", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => name.repeat(4_000));
  const mask = own([a, true], [b, true], ["toString", true], ["__proto__", true], [c, true]) as Mask;
  assertRead(utf8(`{"${b}":1,"${a}":2,"other":3,"__proto__":{},"toString":5,"${c}":4}`), { mask });
  const bytes = utf8(`{${" ".repeat(5_000)}"unwanted":12`);
  assertRead(bytes, { mask: { a: true } }, [[bytes.length - 1]]);
});
