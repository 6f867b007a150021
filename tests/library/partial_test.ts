/**
 * Values so far, of `BinaryParser` and `parsePartial`: which they are, that they never change, and
 * that they share what is the same.
 */

import { assert, assertEquals, assertMatch, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseOptions } from "../../parse_binary.ts";
import {
  BinaryParser,
  type BinaryParserOptions,
  parsePartial,
  type ParsePartialOptions,
  type PartialResult,
  type PartialValue,
} from "../../parse_stream.ts";
import { selector } from "../../select.ts";
import { utf8 } from "../support/bytes.ts";
import { copiesAt, type Cut, evenCut, evenCuts, randomCut, readPieces } from "../support/cuts.ts";
import { assertSame, difference } from "../support/difference.ts";
import { randomDocument } from "../support/random_documents.ts";
import { corrupt } from "../support/mutations.ts";
import { RUNS_LONG, sharedFolder, withoutShared } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { withSeeds, withSeedsAsync } from "../support/random.ts";
import { ABSENT, referencePartial } from "../support/reference.ts";
import { itUnless } from "../support/skip.ts";

/** Returns the value so far, or {@linkcode ABSENT}. */
function partialOf(parser: BinaryParser): unknown {
  const result = parser.partial();
  if (result === undefined) return ABSENT;
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

/** Asserts that the later value extends the earlier one, and shares what is the same. */
function assertExtends(later: unknown, earlier: unknown, what: string): void {
  if (later === earlier) return;
  assert(difference(later, earlier) !== undefined, `not the same object: ${what}`);
  if (typeof earlier === "string" && typeof later === "string") return assert(later.startsWith(earlier), what);
  assert(typeof earlier === "object" && typeof later === "object", what);
  assertEquals(Array.isArray(later), Array.isArray(earlier), what);
  for (const name of Object.keys(earlier!)) {
    const [after, before] = [later, earlier].map((value) => Object.getOwnPropertyDescriptor(value, name)!.value);
    assertExtends(after, before, what);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the pieces of a document, most of those that are whole characters as text. */
function mixedPieces(bytes: Uint8Array, cut: Cut): (Uint8Array | string)[] {
  return copiesAt(bytes, cut).map((piece, i) => {
    try {
      return (i + cut[0]) % 4 > 0 ? decoder.decode(piece) : piece;
    } catch {
      return piece;
    }
  });
}

/** Reads a document cut at these places, and checks the value so far after each piece. */
function checkCut(bytes: Uint8Array, cut: Cut, options: ParseOptions = {}): void {
  const parser = new BinaryParser(options);
  const isUnique = parseBinary(bytes, { duplicateKeys: "reject" }).ok;
  const frozen: [value: unknown, copy: unknown][] = [];
  const pieces = mixedPieces(bytes, cut);
  let last: unknown = ABSENT;
  for (const [i, place] of cut.entries()) {
    parser.push(pieces[i]);
    const value = partialOf(parser);
    const what = `${new TextDecoder().decode(bytes)} at ${cut.slice(0, i + 1)}`;
    assertSame(value, referencePartial(bytes.subarray(0, place), options), () => what);
    if (isUnique && last !== ABSENT) assertExtends(value, last, what);
    assertStrictEquals(partialOf(parser), value, what);
    frozen.push([value, structuredClone(value === ABSENT ? null : value)]);
    last = value;
  }
  parser.push(pieces[cut.length]);
  const result = parser.end();
  assertSame(result, parseBinary(bytes, options));
  if (isUnique && result.ok && last !== ABSENT) assertExtends(result.value, last, "complete");
  for (const [value, copy] of frozen) {
    if (value !== ABSENT) assertSame(value, copy, () => "has changed");
  }
}

/** Options of which no number needs to be known before the next. */
const EXACT: ParseOptions[] = [{ integers: "bigint" }, { integers: "all-bigint" }, { numbers: "source" }];

/** Reads pieces. Returns the value so far after each, and the result. */
function readPartials(pieces: readonly (Uint8Array | string)[], options: BinaryParserOptions): unknown[] {
  const parser = new BinaryParser(options);
  const results = pieces.map((piece) => [parser.push(piece), parser.partial() ?? null]);
  return [...results, parser.end()];
}

describe("the value so far", () => {
  it("is what the reference reads at every cut", () => {
    const texts = [
      ' {"a":"x\\u00e9\\ud83d\\ude00y\\n\\ud83d","b":[1,-2.5e3 , {"c":null,"d":true}],"é😀":"é😀中","e":{}} ',
      '[[1],[1],[[]],"",{"":[{"__proto__":{"a":[]},"constructor":"é"}]},false,[["x"]]]',
      '{"2":"a","1":["b"],"a":{"b":1},"a":{"b":[[]]},"a":"c"}',
      ...['"a\\\\b\\""', "12 ", " true", "null", "[true,1]", '"\\udc00\\ud83dx"'],
    ];
    for (const text of texts) {
      const bytes = utf8(text);
      for (let first = 0; first <= bytes.length; first++) {
        for (const step of [1, 7]) {
          const [places] = evenCuts(bytes.length - first, step);
          checkCut(bytes, [first, ...places.map((place) => first + place)]);
        }
      }
    }
  });

  it("has the numbers of the options, at every cut", () => {
    const list = Array.from({ length: 300 }, (_, i) => `${i % 7 ? i : -i}${i % 5 ? "" : ".0"}`).join(",");
    const texts = [
      '[1,[-0,12345678901234567890,1.0],{"a":9007199254740993,"b":[-1e3,0]},7]',
      ...["12345678901234567890 ", " -1 ", "0", '[1,"x",1234567 , 12345678901]', '{"1":1,"0":[2 ]}'],
    ];
    for (const options of EXACT) {
      for (const text of texts) {
        const bytes = utf8(text);
        for (let at = 0; at <= bytes.length; at++) checkCut(bytes, [at], options);
        checkCut(bytes, Array.from(bytes, (_, i) => i), options);
      }
      const bytes = utf8(`{"a":[${list}],"b":1}`);
      checkCut(bytes, evenCut(bytes, 31), options);
      const [first, last] = [partialOf, partialOf].map(() => new BinaryParser(options));
      first.push("[[1,9007199254740993,");
      last.push("[[1.5,");
      assertSame(partialOf(first), referencePartial(utf8("[[1,9007199254740993,"), options));
      assertSame(readPieces(last, ["2]]"]), parseBinary(utf8("[[1.5,2]]"), options));
      assertSame(readPieces(first, ["2]]"]), parseBinary(utf8("[[1,9007199254740993,2]]"), options));
    }
  });

  for (const [group, rounds] of [[describe, 1_500], [describeLong, 30_000]] as const) {
    group(`at cuts of ${rounds} random documents`, () => {
      it("is what the reference reads", () =>
        withSeeds(rounds, (random) => {
          const bytes = utf8(randomDocument(random));
          for (let i = 0; i < 4; i++) checkCut(bytes, randomCut(random, bytes.length));
          checkCut(bytes, randomCut(random, bytes.length), random.pick(EXACT));
          const corrupted = corrupt(random, bytes);
          const cut = randomCut(random, corrupted.length);
          assertSame(readPartials(mixedPieces(corrupted, cut), {}).at(-1), parseBinary(corrupted));
          const options = { [random.pick(["maxBytes", "maxTokenBytes", "maxDepth"])]: 1 + random.below(bytes.length) };
          const [mixed, expected] = [mixedPieces, copiesAt].map((pieces) => readPartials(pieces(bytes, cut), options));
          assertSame(mixed, expected, () => JSON.stringify(options));
        }));
    });
  }

  itUnless(withoutShared("conformance"))("is what the reference reads at every cut of conformance files", () => {
    for (const set of ["json_test_suite", "nativejson_jsonchecker", "nativejson_roundtrip", "simdjson_jsonchecker"]) {
      const folder = sharedFolder(`conformance/${set}`)!;
      for (const { name } of Deno.readDirSync(folder)) {
        const bytes = Deno.readFileSync(new URL(encodeURIComponent(name), folder));
        if (bytes.length > (RUNS_LONG ? 1_500 : 80) || !parseBinary(bytes).ok) continue;
        for (let at = 0; at <= bytes.length; at++) checkCut(bytes, [at]);
        checkCut(bytes, Array.from(bytes, (_, i) => i));
      }
    }
  });

  it("is right in wide containers, whose entries are flushed from the stack", () => {
    const members = Array.from({ length: 700 }, (_, i) => [`k${i * 7 % 900}`, i % 5 ? i : [`v${i}`]]);
    const elements = Array.from({ length: 3000 }, (_, i) => i % 7 === 0 ? [i] : `s${i}`);
    for (const value of [elements, Object.fromEntries(members), elements.map((_, i) => i / 3)]) {
      const bytes = utf8(JSON.stringify(value));
      checkCut(bytes, evenCut(bytes, 397));
    }
  });

  it("takes any number of levels, and names that poison prototypes", () => {
    const levels = 200_000;
    const parser = new BinaryParser();
    parser.push("[".repeat(levels));
    let depth = 0;
    for (let value = partialOf(parser); Array.isArray(value); value = value[0]) depth++;
    assertEquals(depth, levels);
    for (const size of [4_096, 8_192, 16_384, 65_536, 131_072, 262_144]) { // of buffers, which the text fills
      parser.reset();
      parser.push(`"\\n${"a".repeat(size - 3)}`);
      assertEquals(partialOf(parser), `\n${"a".repeat(size - 3)}`);
    }
    const poisoned = new BinaryParser();
    poisoned.push('{"__proto__":{"polluted":"ye');
    assertSame(partialOf(poisoned), { ["__proto__"]: { polluted: "ye" } });
    assertEquals("polluted" in {}, false);
  });

  it("does not depend on what the caller does to the values that it received", () => {
    const parser = new BinaryParser();
    parser.push('{"a":["b');
    const { a } = Object.freeze(partialOf(parser)) as { a: string[] };
    Object.freeze(a);
    parser.push('"],"d":{"e":1 ');
    const { d } = partialOf(parser) as { d: Record<string, number> };
    delete d.e;
    d.f = 1;
    parser.push('},"c":[1,');
    assertEquals(partialOf(parser), { a: ["b"], d: { e: 1 }, c: [1] });
    (partialOf(parser) as { c: number[] }).c.push(7);
    parser.push("2]}");
    assertEquals(parser.end(), { ok: true, value: { a: ["b"], d: { e: 1 }, c: [1, 2] } });
  });

  it("is a failure once a string is malformed", () => {
    for (const wrong of [utf8("\\x"), Uint8Array.of(0xff)]) {
      const parser = new BinaryParser();
      parser.push('["ab');
      assertEquals(parser.partial(), { ok: true, value: ["ab"], isComplete: false });
      assertEquals(parser.push(wrong), false);
      assertEquals(parser.partial()?.ok, false);
    }
  });

  it("ends before malformed UTF-8 in a long string, which is a failure once the string ends", () => {
    const parser = new BinaryParser();
    const start = "a".repeat(2_000);
    parser.push('["a');
    parser.push(utf8(start, 0xff, start));
    const value = partialOf(parser);
    assertEquals(value, [`a${start}`]);
    parser.push(utf8(start));
    assertStrictEquals(partialOf(parser), value);
    assertEquals(parser.push(utf8('"')), false);
    assertEquals(parser.partial()?.ok, false);
  });

  it("is returned once before a failure, unless it was returned before", () => {
    const rows: [texts: string[], before: unknown][] = [
      [['["a', 'bc", 1, x'], { ok: true, value: ["abc", 1], isComplete: false }],
      [['["a', "b\0"], { ok: true, value: ["ab"], isComplete: false }],
      [["[1", "] x"], { ok: true, value: [1], isComplete: true }],
      [["[1", ",2", ",]"], { ok: true, value: [1, 2], isComplete: false }],
    ];
    for (const [texts, before] of rows) {
      const parser = new BinaryParser();
      for (const text of texts) {
        parser.push(text);
        if (text !== texts.at(-1)) parser.partial();
      }
      assertEquals(parser.partial(), before as PartialResult);
      assertEquals([parser.partial()?.ok, parser.partial()?.ok], [false, false]);
    }
  });

  it("is undefined before the value, complete at its end, and a failure behind it", () => {
    const parser = new BinaryParser({ maxDepth: 2, protoKeys: "reject" });
    const rows: [text: string, result: PartialResult | undefined][] = [
      ["", undefined],
      [" [1", { ok: true, value: [], isComplete: false }],
      ["]", { ok: true, value: [1], isComplete: true }],
      ["]", parseBinary(utf8(" [1]]")) as PartialResult],
    ];
    for (const [text, result] of rows) {
      parser.push(text);
      assertEquals(parser.partial(), result);
    }
    parser.end();
    assertThrows(() => parser.partial(), Error, "the input has ended");
    parser.reset();
    parser.push('{"a":["b');
    assertEquals(partialOf(parser), { a: ["b"] });
    parser.push('c",[');
    assertEquals(partialOf(parser), { a: ["bc"] });
    const result = parser.partial();
    assertEquals(result?.ok === false && result.code, "too-deep");
  });

  it("is a TypeError for readers that have none", () => {
    const options = [
      ...[{ multiple: "lines" }, { select: selector({ a: true }) }, { duplicateKeys: "first" }, { protoKeys: "drop" }],
      { numbers: "source", number: Number },
    ] as ParsePartialOptions[];
    for (const option of options) {
      assertThrows(() => new BinaryParser(option).partial(), TypeError, "Cannot make a value so far");
      if (!("multiple" in option)) assertThrows(() => parsePartial([], option), TypeError, "Cannot");
    }
  });
});

it("chunks of text may cut a surrogate pair and alternate with bytes, and fail at a lone surrogate", () => {
  const read = (chunks: (string | Uint8Array)[]) => readPieces(new BinaryParser(), chunks);
  const text = '{"a😀":"é\\ud83d😀 中"}';
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const chunks = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      assertEquals(read(chunks), parseBinary(utf8(text)));
    }
  }
  const long = "é".repeat(100_000);
  assertEquals(read([utf8('["'), long, utf8('"]')]), { ok: true, value: [long] });
  const message = "Lone surrogate in text at position 3 (line 2 column 2)";
  for (const guards of [{}, { maxBytes: 100 }, { maxDepth: 9 }, { protoKeys: "drop" }] as const) {
    for (
      const chunks of [
        ...[['[\n"\ud83d', 'x"]'], ['[\n"\ud83d', utf8('"]')], ['[\n"\ude00"]'], ["[\n", '"\ude00\ud83d"]']],
        ...[['[\n"\ud83d', '\ud83d"]'], ['[\n"\udc00', '"]'], [utf8('[\n"'), '\ud83dx"]']],
      ]
    ) {
      const result = readPieces(new BinaryParser(guards), chunks);
      assertEquals(!result.ok && [result.code, result.offset, result.message], ["invalid-utf8", 3, message]);
    }
  }
  const invalid = "Invalid UTF-8 in JSON at position 1 (line 1 column 2)";
  for (
    const chunks of [['"', Uint8Array.of(0xed, 0xa0)], [Uint8Array.of(0x22, 0xed), 'x"'], [
      '"',
      Uint8Array.of(0xff),
      "é",
    ]]
  ) {
    const result = read(chunks);
    assertEquals(!result.ok && result.message, invalid);
  }
});

const resultsOf = (...given: Parameters<typeof parsePartial>): Promise<PartialResult[]> =>
  Array.fromAsync(parsePartial(...given));

describe("the incomplete value", () => {
  /** Returns the results of a source, and the message of its error. */
  async function endOf(source: Iterable<string>, options: ParsePartialOptions): Promise<unknown[]> {
    const seen: unknown[] = [];
    try {
      for await (const result of parsePartial(source, options)) {
        seen.push(result.ok ? { value: result.value, isComplete: result.isComplete } : result.code);
      }
    } catch (error) {
      seen.push((error as Error).message);
    }
    return seen.slice(-2);
  }

  const TEXT = '{"title":"Pancakes \\u00e9","steps":["Mix it all",{"n":[1,-25.5,true]},"W\u{1f600}"],"x":{}}';

  /** Ways in which a text ends: what follows it, the error of the source, and the result. */
  const ENDS: { after: string; error: string | undefined; expected: RegExp }[] = [
    { after: "", error: undefined, expected: /^[a-z-]+$/ },
    { after: "", error: "gone", expected: /^gone$/ },
    { after: "\0", error: undefined, expected: /./ },
  ];

  function* cut(text: string, size: number, error: string | undefined): Iterable<string> {
    for (let p = 0; p < text.length; p += size) yield text.slice(p, p + size);
    if (error !== undefined) throw new Error(error);
  }

  it("comes once before the failure or the source's error, wherever the input is cut", async () => {
    for (let length = 1; length < TEXT.length; length++) {
      const text = TEXT.slice(0, length);
      const parser = new BinaryParser();
      parser.push(text);
      const reached = parser.partial();
      for (const { after, error, expected } of ENDS) {
        if (after !== "" && /[-.\d]$|tr?u?e?$/.test(text)) continue; // the byte completes a number, or is in a literal
        for (const size of [1, 8, 1000]) {
          for (const interval of [0, 50]) {
            const [value, end] = await endOf(cut(text + after, size, error), { interval });
            assertMatch(String(end), expected, text);
            assertEquals(value, { value: reached?.ok && reached.value, isComplete: false }, `${text} by ${size}`);
          }
        }
      }
    }
  });

  it("is complete before trailing text, but not where a limit is exceeded", async () => {
    for (const size of [1, 3, 1000]) {
      for (const interval of [0, 50]) {
        const seen = await endOf(cut('{"a":[1]} and so on', size, undefined), { interval });
        assertEquals(seen, [{ value: { a: [1] }, isComplete: true }, "trailing-content"]);
        const limited = await endOf(cut('{"a":["bcd', size, undefined), { interval, maxBytes: 8 });
        assertEquals(limited, [{ value: { a: ["b"] }, isComplete: false }, "Cannot read more than 8 bytes"]);
      }
    }
  });

  /** Texts that a guard refuses, or the grammar where it has failed before. */
  const VIOLATIONS: [text: string, guards: ParsePartialOptions][] = [
    ['{"a":"b", "__proto__": 1}', { protoKeys: "reject" }],
    ['{"a":"b", "c":{"d":[1, 2], "d": 1}}', { duplicateKeys: "reject" }],
    ['{"a":"b", "c": [[[1]]]}', { maxDepth: 3 }],
    ['[1, "a", -9007199254740993, 2]', { integers: "reject" }],
    ['{"a":"b", "c": [1, 2, {"d":3}, 4]}', { maxElements: 2 }],
    ['{"a":"b", "c": {"d":[1], "e":2}, "f":3}', { maxMembers: 2 }],
    ['["a", "bcdefghi", "b"]', { maxStringBytes: 3 }],
    ['["\\u0061b", {"a":"cd\\u00e9f"}]', { maxStringBytes: 7 }],
    ['["a", x, [[]]]', { maxDepth: 1 }],
    ["[1, 2.50, [[3]]]", { maxDepth: 2, integers: "bigint" }],
  ];

  it("comes before what a guard refuses, and not with it", async () => {
    for (const [text, guards] of VIOLATIONS) {
      const failure = parseBinary(utf8(text), guards);
      if (failure.ok) throw new Error(`${text} is not refused`);
      const before = new BinaryParser();
      before.push(text.slice(0, failure.offset));
      const value = before.partial();
      const expected = [value?.ok && { value: value.value, isComplete: false }, failure.code];
      for (const size of [1, 2, 3, 5, 8, 1000]) {
        for (const interval of [0, 50]) {
          assertEquals(await endOf(cut(text, size, undefined), { interval, ...guards }), expected);
        }
        const parser = new BinaryParser(guards);
        parser.partial();
        for (const piece of cut(text, size, undefined)) if (!parser.push(piece)) break;
        assertEquals([parser.partial(), parser.partial()], [value, failure], `${text} by ${size}`);
      }
    }
  });

  it("comes before the failure of a token that is too long", async () => {
    const long = await endOf(['["a', "bcdefghijklmn", "o"], { maxTokenBytes: 10 });
    assertEquals(long, [{ value: ["abcdefghijklmn"], isComplete: false }, "value-too-large"]);
  });

  it("ends before half a surrogate pair at the end of incomplete text", async () => {
    const [value, code] = await endOf(['["a', "b\ud83d"], {});
    assertEquals([value, code], [{ value: ["ab"], isComplete: false }, "unterminated-string"]);
    assertEquals((await endOf(["[] \ud83d"], {})).at(-1), "trailing-content");
  });
});

/** Fails to compile unless two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function assertType<_ extends true>(): void {}

interface Tree {
  name: "root" | "leaf";
  children: Tree[];
}

type Block = { type: "text"; text: string } | { type: "code"; lines: 1 | 2 };
type PartialBlock = { readonly type?: string; readonly text?: string } | {
  readonly type?: string;
  readonly lines?: number;
};

it("PartialValue is the type of what may have arrived", () => {
  assertType<Same<PartialValue<"text" | "code" | `id-${number}` | (string & { brand: "Id" })>, string>>();
  assertType<Same<PartialValue<1 | 2n | null>, number | bigint | null>>();
  assertType<Same<PartialValue<true | undefined>, true | undefined>>(); // a literal appears when it is complete
  assertType<Same<PartialValue<unknown>, unknown>>();
  // deno-lint-ignore no-explicit-any
  assertType<Same<PartialValue<any>, any>>();
  assertType<
    Same<
      PartialValue<{ a: "x"; b?: 1; readonly c: { d: "y" }[] }>,
      { readonly a?: string; readonly b?: number; readonly c?: readonly { readonly d?: string }[] }
    >
  >();
  assertType<Same<PartialValue<Record<string, "x">>, { readonly [name: string]: string | undefined }>>();
  assertType<Same<PartialValue<("a" | 1)[]>, readonly (string | number)[]>>();
  assertType<Same<PartialValue<["a", { b: 1 }]>, readonly [string?, { readonly b?: number }?]>>();
  assertType<Same<PartialValue<[1, ..."a"[]]>, readonly (string | number)[]>>();
  assertType<Same<PartialValue<Block>, PartialBlock>>();
  const parser = new BinaryParser<Tree>();
  parser.push('{"name":"ro');
  const result = parser.partial();
  if (!result?.ok || result.isComplete) throw new Error("not a value so far");
  const { name, children = [] } = result.value;
  assertType<Same<typeof name, string | undefined>>();
  assertEquals([name, children[0]?.children?.[0]?.name], ["ro", undefined]);
});

describe("parsePartial()", () => {
  it("returns at most one value per chunk, if it has changed, and the complete one at the end", async () => {
    const results = await resultsOf(["[", " ", "1", "2", ',"a', 'b"', " ", "]", " "]);
    assertEquals(results, [
      { ok: true, value: [], isComplete: false },
      { ok: true, value: [12, "a"], isComplete: false },
      { ok: true, value: [12, "ab"], isComplete: false },
      { ok: true, value: [12, "ab"], isComplete: true },
    ]);
    assertStrictEquals((results[2] as { value: unknown }).value, (results[3] as { value: unknown }).value);
    assertEquals((await resultsOf([utf8(`[${"1,".repeat(200_000)}`), utf8("1]")], { timeSlice: Infinity })).length, 3);
  });

  it("passes on what partial() returns after each piece, of text and bytes", () =>
    withSeedsAsync(60, async (random) => {
      const text = `${random.words(random.below(20))}${random.pick(["", "é", "\\n", "\\ud83d\\ude00"])}`;
      const bytes = utf8(`[${randomDocument(random)},{"${text}":["${text}${text}"],"b":"${text}"},"${text}"]`);
      const pieces = mixedPieces(bytes, evenCut(bytes, 1 + random.below(9)));
      const parser = new BinaryParser();
      const expected: unknown[] = [];
      let last: unknown = ABSENT;
      for (const piece of pieces) {
        parser.push(piece);
        const result = parser.partial();
        if (!result?.ok || result.value === last) continue;
        last = result.value;
        expected.push(structuredClone(last));
      }
      const seen: unknown[] = [];
      const copies: unknown[] = [];
      for await (const result of parsePartial(pieces)) {
        if (!result.ok || result.isComplete) continue;
        seen.push(result.value);
        copies.push(structuredClone(result.value));
      }
      assertSame(seen, expected);
      assertSame(copies, expected, () => "has changed");
    }));

  it("lengthens the last string of objects of any width", async () => {
    const text = "one two three four";
    for (let width = 1; width <= 12; width++) {
      const last = `k${width - 1}`;
      const object = Object.fromEntries(Array.from({ length: width }, (_, i) => [`k${i}`, i]));
      const source = JSON.stringify({ ...object, [last]: text });
      let length = 0;
      for await (const result of parsePartial(source.match(/.{1,3}/g)!)) {
        const value = result.ok && result.value as Record<string, string>;
        if (!value || typeof value[last] !== "string") continue;
        assertEquals(value, { ...object, [last]: text.slice(0, value[last].length) });
        assert(value[last].length >= length, "is shorter than before");
        length = value[last].length;
      }
      assertEquals(length, text.length, `${width} members`);
    }
  });

  it("lengthens a string in arrays within an object of very many members", async () => {
    const beginning = `[{${Array.from({ length: 700 }, (_, i) => `"k${i}":0`)},"last":[["`;
    const pieces = [beginning, ..."x".repeat(12_000).match(/.{40}/g)!, '"]]}]'];
    let arrived = 0;
    function* source(): Generator<string> {
      for (const piece of pieces) {
        arrived += piece.length;
        yield piece;
      }
    }
    const lengths = new Set<number>();
    for await (const result of parsePartial<[{ last?: [[string?]?] }]>(source())) {
      if (!result.ok) throw new Error(result.message);
      const { length } = result.value[0]?.last?.[0]?.[0] ?? "";
      if (!result.isComplete) assertEquals(length, arrived - beginning.length);
      lengths.add(length);
    }
    assert(lengths.size > 3, `${lengths.size} values`);
  });

  it("reads the same from texts as from their bytes, however long they are", async () => {
    for (const length of [1, 63, 64, 65, 66, 67, 68, 200, 5000]) {
      for (const stop of ["", '"', '","', "\\n", "\n", "\x7f", "é", "\u{1f600}"]) {
        for (const at of [0, 1, length >> 1, length - 1]) {
          const plain = "abcdefghij".repeat(500).slice(0, length);
          const texts = ['[["a', plain, plain.slice(0, at) + stop + plain.slice(at), plain, 'a"]]'];
          const expected = await resultsOf(texts.map((text) => utf8(text)));
          assertSame(await resultsOf(texts), expected, () => `${JSON.stringify(stop)} at ${at} of ${length}`);
        }
      }
    }
  });

  it("takes sources of text", async () => {
    const chunks = ["{", '"a":tr', "ue}"];
    const expected = [{}, { a: true }, { a: true }];
    async function* iterate<T>(items: T[]): AsyncGenerator<T> {
      yield* items;
    }
    for (const source of [chunks, iterate(chunks), ReadableStream.from(chunks)]) {
      const results = await resultsOf(source as Iterable<string>);
      assertEquals(results.map((result) => result.ok && result.value), expected);
    }
    const long = JSON.stringify("é".repeat(200_000));
    assertEquals((await resultsOf([long])).at(-1), { ok: true, value: JSON.parse(long), isComplete: true });
    for (const source of ["text", 7, null]) {
      assertThrows(() => parsePartial(source as unknown as Iterable<string>), TypeError);
    }
    await assertRejects(async () => await resultsOf([7] as unknown as Iterable<string>), TypeError);
  });

  it("counts the bytes of text for maxBytes", async () => {
    assertEquals((await resultsOf(['["é', '"]'], { maxBytes: 6 })).length, 2);
    assertEquals((await resultsOf(['["é中😀', '"]'], { maxBytes: 13 })).length, 2);
    await assertRejects(() => resultsOf(['["é中😀', '"]'], { maxBytes: 12 }), RangeError, "12 bytes");
    await assertRejects(() => resultsOf(['["é', '"]'], { maxBytes: 5 }), RangeError, "5 bytes");
    await assertRejects(() => resultsOf([utf8('["é'), '"]'], { maxBytes: 5 }), RangeError, "5 bytes");
  });

  it("waits for the interval between two values, and then returns the latest", async () => {
    const arrival = Promise.withResolvers<void>();
    async function* source(): AsyncGenerator<string> {
      yield "[1,";
      yield "2,";
      yield "3,";
      await arrival.promise;
      yield "4,";
      yield "5]";
    }
    let time = 0;
    performance.now = () => time; // a busy machine may take longer than the interval for a chunk
    try {
      const values = parsePartial(source(), { interval: 30 });
      const read = async (): Promise<unknown> => {
        const { value } = await values.next();
        return value?.ok && value.value;
      };
      assertEquals(await read(), [1]);
      assertEquals(await read(), [1, 2, 3]); // though no chunk comes
      time = 30;
      arrival.resolve();
      assertEquals(await read(), [1, 2, 3, 4]);
      assertEquals(await read(), [1, 2, 3, 4, 5]);
      assertEquals(await read(), undefined);
    } finally {
      Reflect.deleteProperty(performance, "now");
    }
    for (const interval of [-1, NaN, "1"]) {
      assertThrows(() => parsePartial([], { interval: interval as number }), TypeError, "milliseconds");
    }
  });

  it("is complete before the error of a source that fails while nobody waits", async () => {
    const failure = Promise.withResolvers<never>();
    async function* source(): AsyncGenerator<string> {
      yield "[";
      yield "1]";
      await failure.promise;
    }
    performance.now = () => 0; // within the interval, however busy the machine is
    try {
      const values = parsePartial(source(), { interval: 5 });
      assertEquals((await values.next()).value, { ok: true, value: [], isComplete: false });
      assertEquals((await values.next()).value, { ok: true, value: [1], isComplete: false }); // by a timer
      failure.reject(new Error("broken"));
      await new Promise((resolve) => setTimeout(resolve));
      assertEquals((await values.next()).value, { ok: true, value: [1], isComplete: true });
      await assertRejects(() => values.next(), Error, "broken");
      assertEquals((await values.next()).done, true);
    } finally {
      Reflect.deleteProperty(performance, "now");
    }
  });

  it("copies wide containers in time proportional to what arrives", async () => {
    const count = 20_000;
    const documents = {
      "an array": JSON.stringify(Array.from({ length: count }, (_, i) => i)),
      "an object": JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))),
      "a string in arrays": `${"[".repeat(2000)}"${"x".repeat(count)}"${"]".repeat(2000)}`,
    };
    for (const [name, text] of Object.entries(documents)) {
      let copied = 0;
      for await (const result of parsePartial(text.match(/.{1,10}/g)!)) {
        let value: unknown = result.ok && result.value;
        while (typeof value === "object" && value !== null) {
          const { length } = Object.keys(value);
          copied += Math.max(0, length * (Array.isArray(value) ? 1 : 16) - 256);
          value = (value as unknown[])[0];
        }
      }
      assert(copied <= 20 * text.length, `${name}: ${copied} of ${text.length} bytes`);
      assert(copied > 0 || name.startsWith("a string"), name);
    }
  });
});
