/**
 * `BinaryParser`: the results are those of `parseBinary`, wherever the input is cut.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { assert, assertEquals, assertLess, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { detach } from "../../detach.ts";
import { parseBinary, type ParseFailure, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser, type BinaryParserOptions, type ValueSeparation } from "../../parse_stream.ts";
import { BinaryValidator } from "../../validate_binary.ts";
import { USUAL_SIZE } from "../../parser/streaming/chunk_buffer.ts";
import { needsLineCount } from "../../parser/base/cursor.ts";
import { concat, FORMS, type Input, show, utf8 } from "../support/bytes.ts";
import { cutTests } from "../support/conformance.ts";
import {
  assertAtEachCut,
  type Cut,
  cutsAround,
  evenCuts,
  manyCuts,
  piecesAt,
  randomCut,
  singleCuts,
} from "../support/cuts.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { runDeno, sharedFolder } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { withoutMemory } from "../support/memory_limit.ts";
import { constantOf } from "../support/modules.ts";
import { placedMutantsOf, prefixesOf, SEEDS } from "../support/mutants.ts";
import { withSeeds } from "../support/random.ts";
import type { StreamWork } from "../processes/count_stream_work.ts";

/** Bytes of the first buffer, which drops what it has held once it is full. */
const FIRST_SIZE = constantOf("parser/streaming/chunk_buffer.ts", "FIRST_SIZE");

const parser = new BinaryParser();

/** Parses pieces of a document with a parser that has parsed others before. */
function parsePieces(pieces: Iterable<Input>): ParseResult {
  parser.reset();
  for (const piece of pieces) parser.push(piece);
  return parser.end();
}

/** Asserts that bytes give the result of `parseBinary` at each cut. */
function assertCuts(bytes: Uint8Array, cuts: Iterable<Cut>): ParseResult {
  const expected = parseBinary(bytes);
  assertAtEachCut(bytes, cuts, parsePieces, expected, resultDifference);
  return expected;
}

/** Returns the value of a result that has one. */
function valueIn<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new Error(`rejected: ${result.message}`);
  return result.value;
}

/** Returns the code of a failure. */
function codeIn(result: ParseResult): string {
  return result.ok ? "accepted" : result.code;
}

/** Asserts that a call throws a `TypeError` with a message, word for word. */
function assertTypeError(call: () => unknown, message: string): void {
  assertStrictEquals(assertThrows(call, TypeError).message, message);
}

/** Value or failure that a parser of several values passes on. */
type Passed =
  & { index: number; start: number; end: number; line: number }
  & (
    | { value: unknown }
    | { failure: ParseFailure }
  );

/** Values and failures of an input, and its result. */
interface Reading {
  passed: Passed[];
  failures: ParseFailure[];
  result: ParseResult;
}

function readValues(pieces: Iterable<Input>, options: BinaryParserOptions): Reading {
  const passed: Passed[] = [];
  const failures: ParseFailure[] = [];
  const parser = new BinaryParser({
    ...options,
    onValue: (value) => passed.push(value),
    onInvalid: (value) => passed.push(value),
    onFailure: (failure) => failures.push(failure),
  });
  for (const piece of pieces) {
    const isValid = parser.push(piece);
    assertStrictEquals(isValid, failures.length === 0);
  }
  return { passed, failures, result: parser.end() };
}

/** Returns the results of a validator and of `parseBinary` for an input of several documents. */
function expectedReading(bytes: Uint8Array, multiple: "lines" | "concatenated"): Reading {
  const passed: Passed[] = [];
  const failures: ParseFailure[] = [];
  const validator = new BinaryValidator({
    multiple,
    onDocument({ failure, ...place }) {
      if (failure !== null) return void passed.push({ failure, ...place });
      passed.push({ value: valueIn(parseBinary(bytes.slice(place.start, place.end))), ...place });
    },
    onFailure: (failure) => void failures.push(failure),
  });
  validator.push(bytes);
  const result = validator.end();
  return { passed, failures, result: result.ok ? { ok: true, value: undefined } : result };
}

function assertReading(bytes: Uint8Array, cuts: Iterable<Cut>, options: BinaryParserOptions, expected: Reading): void {
  assertAtEachCut(bytes, cuts, (pieces) => readValues(pieces, options), expected);
}

describeLong("BinaryParser agrees with parseBinary on conformance files cut anywhere", () => {
  for (const { name, documents } of cutTests()) {
    it(name, () => {
      for (const { bytes, cuts, isValid } of documents()) {
        const { ok } = assertCuts(bytes, cuts);
        if (isValid !== undefined) assertStrictEquals(ok, isValid);
      }
    });
  }
});

describe("BinaryParser agrees with parseBinary", () => {
  for (const text of SEEDS) {
    const seed = utf8(text);
    it(`on every prefix of ${show(seed)}, cut anywhere`, () => {
      for (const prefix of prefixesOf(seed)) assertCuts(prefix, manyCuts(prefix.length));
    });
    it(`on every significant change of ${show(seed)}, cut around it`, () => {
      for (const [mutant, place] of placedMutantsOf(seed.slice())) assertCuts(mutant, cutsAround(place, mutant.length));
    });
    it(`on ${show(seed)} in chunks of every form`, () => {
      for (const [form, make] of FORMS) {
        for (const [place] of singleCuts(seed.length)) {
          parser.reset();
          parser.push(make(seed.slice(0, place)));
          parser.push(make(seed.slice(place)));
          const problem = resultDifference(parser.end(), parseBinary(seed));
          if (problem) throw new Error(`${show(seed)}, cut at ${place}, as ${form}: ${problem}`);
        }
      }
    });
  }

  it("on random documents, cut at random", () => {
    withSeeds(1_500, (random) => {
      const bytes = utf8(randomDocument(random));
      assertStrictEquals(assertCuts(bytes, Array.from({ length: 5 }, () => randomCut(random, bytes.length))).ok, true);
    });
  });

  it("on random documents, in single bytes", () => {
    withSeeds(300, (random) => {
      const bytes = utf8(randomDocument(random));
      assertCuts(bytes, evenCuts(bytes.length, 1));
    });
  });

  it("on random documents, cut anywhere", () => {
    withSeeds(100, (random) => {
      const bytes = utf8(randomDocument(random));
      if (bytes.length < 2_000) assertCuts(bytes, singleCuts(bytes.length));
    });
  });

  it("on corrupted documents, cut at random", () => {
    withSeeds(1_500, (random) => {
      const document = utf8(randomDocument(random));
      for (let times = 0; times < 3; times++) {
        const bytes = corrupt(random, document);
        assertCuts(bytes, Array.from({ length: 3 }, () => randomCut(random, bytes.length)));
      }
    });
  });

  it("on large arrays of rows, in pieces of many sizes", () => {
    withSeeds(12, (random) => {
      const row = randomDocument(random);
      const length = 1 + Math.ceil(random.below(500_000) / row.length);
      const bytes = utf8("[", ...Array.from({ length }, () => `${row},`), "0]");
      for (const size of [10 + random.below(30), 1 + random.below(5_000), 65_536]) {
        assertCuts(bytes, [[...evenCuts(bytes.length, size)][0]]);
        const corrupted = corrupt(random, bytes);
        assertCuts(corrupted, [[...evenCuts(corrupted.length, size)][0]]);
      }
    });
  });

  it("on runs of numbers, cut anywhere", () => {
    withSeeds(200, (random) => {
      const spacing = random.pick([",", ", ", " , ", ",\n"]);
      const number = (): string => {
        return random.pick([
          String(random.below(256)),
          (random.next() * 2 - 1).toFixed(6),
          String(random.next() * 1e20),
          String(random.digits(9)),
        ]);
      };
      const bytes = utf8("[", Array.from({ length: 1 + random.below(60) }, number).join(spacing), "]");
      assertStrictEquals(assertCuts(bytes, singleCuts(bytes.length)).ok, true);
    });
  });

  it("on strings of every length around a cut", () => {
    for (const character of ["a", "é", "中", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00"]) {
      for (let length = 0; length < 40; length++) {
        const bytes = utf8(`{"${character.repeat(length)}":"${character.repeat(length)}"}`);
        assertCuts(bytes, singleCuts(bytes.length));
      }
    }
  });
});

describeLong("BinaryParser agrees with parseBinary", () => {
  it("on the corpus, in pieces", () => {
    const corpus = sharedFolder("corpus");
    if (corpus === undefined) return;
    for (const { name } of Deno.readDirSync(corpus)) {
      if (!name.endsWith(".json")) continue;
      const bytes = Deno.readFileSync(new URL(name, corpus));
      withSeeds(1, (random) => {
        assertCuts(bytes, [[...evenCuts(bytes.length, 1 + random.below(70_000))][0], randomCut(random, bytes.length)]);
      });
    }
  });
});

describe("BinaryParser", () => {
  it("ignores empty chunks", () => {
    const empty = new Uint8Array(0);
    const bytes = utf8('{"a":"b\\u0041é",\n"c":-1.5e3} ');
    const pieces = [...bytes].flatMap((byte) => [empty, Uint8Array.of(byte), empty, empty]);
    assertEquals(parsePieces(pieces), parseBinary(bytes));
    assertEquals(parsePieces([empty, empty]), parseBinary(empty));
  });

  it("parses the same input again after reset()", () => {
    const parser = new BinaryParser();
    for (const text of ["[1,", '{"a', "[1]", "}", '"\\u00', "\ufeff", "[\r", "12"]) {
      parser.push(utf8(text));
      parser.reset();
      parser.push(utf8('{"a":'));
      parser.push(utf8("[7]}"));
      assertEquals(parser.end(), { ok: true, value: { a: [7] } });
      parser.reset();
    }
  });

  it("returns values that differ from those of another input", () => {
    const parser = new BinaryParser<number[]>();
    parser.push(utf8("[1"));
    parser.push(utf8(",2]"));
    const first = parser.end();
    parser.reset();
    parser.push(utf8("[3,"));
    parser.push(utf8("4]"));
    assertEquals(parser.end(), { ok: true, value: [3, 4] });
    assertEquals(first, { ok: true, value: [1, 2] });
  });

  it("push() returns false from the first failure on, and end() returns that failure", () => {
    const parser = new BinaryParser();
    assert(parser.push(utf8("[1,")));
    assert(parser.push(utf8("")));
    assert(!parser.push(utf8("]")));
    assert(!parser.push(utf8("2]")));
    assertEquals(parser.end(), parseBinary(utf8("[1,]")));
  });

  it("counts the first byte of its first input", () => {
    const parser = new BinaryParser();
    parser.push(utf8("\n]"));
    assertEquals(parser.end(), parseBinary(utf8("\n]")));
  });

  it("counts lines behind line feeds that are left in the buffer", () => {
    const pieces = [`[${"\n".repeat(USUAL_SIZE - 1)}`, "\r"].map((piece) => utf8(piece));
    assertEquals(parsePieces(pieces), parseBinary(concat(pieces)));
  });

  it("counts the lines of what it has dropped", () => {
    const bytes = utf8(`[${"1,\n".repeat(150_000)}é]`);
    assertCuts(bytes, [[], ...evenCuts(bytes.length, 100_000)]);
  });

  for (
    const part of [
      ...["\n", "\r", "\r\n", "\t\n", "\n        \n", " \r"].flatMap((space, i) => [
        `${space}1`,
        `1${space}`,
        `[1,${space}2]`,
        `[1${space},2]`,
        `[${space}]`,
        `{"a${i}"${space}:1}`, // names differ: they are cached with the space
        `{"a":${space}1}`,
        `{"a":1${space}}`,
        `[1.25e3,${space}-2${space}]`,
      ]),
      ...["é", "aaaaaaaaé", "éaaaaaaaa", "é".repeat(5), "\\né", "\\u00e9é", "あ", "\\u3042é", "aé😀", "é".repeat(5_000)]
        .flatMap((text) => [`"${text}"`, `["${text}","${text}"]`, `{"${text}":1}`]),
    ]
  ) {
    it(`counts lines and columns of ${show(utf8(part))} once they are dropped`, () => {
      const { isInKeys } = needsLineCount;
      needsLineCount.isInKeys = 0; // documents before this one have set it
      const bytes = utf8(`[${part},${"0,".repeat(FIRST_SIZE)}x`);
      assertCuts(bytes, [...evenCuts(bytes.length, 1_000)].slice(0, 1));
      const line = utf8(`${part.replaceAll("\n", "")}\n{"b":[1]}\r\n ${part} \n x`);
      for (const multiple of ["lines", "concatenated"] as const) {
        assertReading(line, [[]], { multiple }, expectedReading(line, multiple));
      }
      needsLineCount.isInKeys |= isInKeys;
    });
  }

  for (const name of ['"né"', '"line"\n', '"return"\r', '"あ":\n']) {
    it(`counts lines and columns of the cached name ${show(utf8(name))}`, () => {
      needsLineCount.isInKeys = 0;
      const member = name.includes(":") ? `${name}1` : `${name}:1`;
      const bytes = utf8(`[${`{${member}},`.repeat(FIRST_SIZE / 4)}x`);
      assertCuts(bytes, [...evenCuts(bytes.length, 1_000)].slice(0, 1));
      needsLineCount.isInKeys = 1;
    });
  }

  it("fails at once if the first bytes are no byte-order mark", () => {
    for (const bytes of [[0xef, 0x41], [0xef, 0xbb, 0x41]]) {
      assert(!new BinaryParser().push(Uint8Array.from(bytes)));
    }
  });

  it("tells of the first failure alone, and of no invalid value", () => {
    const pieces = ["x\n]", "\n1\n", "]\n"].map((piece) => utf8(piece));
    const { passed, failures, result } = readValues(pieces, { maxTokenBytes: 1 });
    assertEquals([passed, failures], [[], [result]]);
    assertStrictEquals(codeIn(result), "unexpected-token");
  });

  it("push() throws after end(), and reset() begins a new input", () => {
    const parser = new BinaryParser();
    parser.push(utf8("[1]"));
    parser.end();
    assertThrows(() => parser.push(utf8("[2]")), Error, "end");
    parser.reset();
    parser.push(utf8("[2]"));
    assertEquals(parser.end(), { ok: true, value: [2] });
  });

  it("push() takes a detached chunk for a failure", () => {
    const bytes = utf8("1]");
    detach(bytes);
    const parser = new BinaryParser();
    assert(parser.push(utf8("[")));
    assert(!parser.push(bytes));
    assertEquals(parser.end(), parseBinary(bytes));
    const { failures } = readValues([utf8("["), bytes, utf8("x")], {});
    assertEquals(failures, [parseBinary(bytes)]);
  });

  it("push() throws a TypeError for what is neither bytes nor text, and stays as it was", () => {
    const parser = new BinaryParser();
    parser.push(utf8("[1"));
    for (const input of [2, null, undefined, [1], new Int8Array(2), {}]) {
      assertThrows(() => parser.push(input as unknown as Uint8Array), TypeError);
    }
    parser.push(utf8("2]"));
    assertEquals(parser.end(), { ok: true, value: [12] });
  });

  it("refers to no chunk after push()", () => {
    const bytes = utf8('{"key":["text é",12.5,true,{"key":null}]}');
    const parseDetaching = (pieces: Iterable<Uint8Array>): ParseResult => {
      parser.reset();
      for (const piece of pieces) {
        parser.push(piece);
        assert(piece.length === 0 || detach(piece));
      }
      return parser.end();
    };
    assertAtEachCut(bytes, singleCuts(bytes.length), parseDetaching, parseBinary(bytes), resultDifference);
  });

  it("takes chunks of memory that changes size between two of them", () => {
    const buffer = new ArrayBuffer(4, { maxByteLength: 64 });
    const view = new Uint8Array(buffer);
    parser.reset();
    view.set(utf8("[12,"));
    parser.push(view);
    buffer.resize(9);
    view.set(utf8('"abc",3.5'));
    parser.push(view);
    buffer.resize(1);
    view.set(utf8("]"));
    parser.push(view);
    assertEquals(parser.end(), { ok: true, value: [12, "abc", 3.5] });
  });

  it("shares nothing with other parsers and calls between two chunks", () => {
    withSeeds(40, (random) => {
      const inputs = Array.from({ length: 2 + random.below(4) }, () => {
        const document = utf8(randomDocument(random));
        const bytes = random.once(3) ? corrupt(random, document) : document;
        const size = 1 + random.below(random.pick([3, 20, 300]));
        return { bytes, parser: new BinaryParser(), start: 0, size };
      });
      const waiting = new Set(inputs);
      while (waiting.size > 0) {
        const input = random.pick([...waiting]);
        const { bytes, parser, start, size } = input;
        input.start += size;
        parser.push(bytes.slice(start, start + size));
        if (random.once(2)) {
          const other = utf8(randomDocument(random));
          assert(parseBinary(other).ok);
          parseBinary(corrupt(random, other));
        }
        if (input.start < bytes.length) continue;
        waiting.delete(input);
        const problem = resultDifference(parser.end(), parseBinary(bytes));
        if (problem) throw new Error(`${show(bytes)} in pieces of ${size}: ${problem}`);
      }
    });
  });

  it("can be given up at any chunk", () => {
    const bytes = utf8('[{"a":1.5,"b":["é\\n"]},{"a":2,"b":[]},{"a":');
    for (let length = 0; length < bytes.length; length++) {
      new BinaryParser().push(bytes.slice(0, length));
      assertEquals(parseBinary(utf8('[{"a":1,"b":2}]')), { ok: true, value: [{ a: 1, b: 2 }] });
    }
  });

  it("reads endless whitespace in constant memory", () => {
    const spaces = new Uint8Array(65_536).fill(0x20);
    const parser = new BinaryParser();
    for (const place of ["", "[", "[1", "[1,"]) {
      parser.reset();
      parser.push(utf8(place));
      const { external } = Deno.memoryUsage();
      for (let i = 0; i < 300; i++) assert(parser.push(spaces));
      assertLess(Deno.memoryUsage().external - external, 8 * 2 ** 20);
      assert(!parser.end().ok);
    }
  });

  for (
    const { kind, start, more } of [
      { kind: "string", start: '["', more: "a" },
      { kind: "string with escapes", start: '["\\n', more: "\\n" },
      { kind: "key", start: '{"', more: "k" },
      { kind: "number", start: "[1", more: "0" },
    ]
  ) {
    it(`fails at a ${kind} of more than maxTokenBytes`, () => {
      const parser = new BinaryParser({ maxTokenBytes: 10_000 });
      parser.push(utf8(start));
      const chunk = utf8(more.repeat(100));
      let pushes = 0;
      while (parser.push(chunk) && pushes < 1_000) pushes++;
      const result = parser.end();
      assertStrictEquals(codeIn(result), "value-too-large");
      assert(pushes * chunk.length <= 10_100, `${pushes} chunks of ${chunk.length} bytes`);
    });
  }

  it("accepts tokens of at most maxTokenBytes, and any number of them", () => {
    const parser = new BinaryParser<string[]>({ maxTokenBytes: 50 });
    const text = `["${"a".repeat(40)}","${"b".repeat(40)}",1234567890]`;
    const parseAll = (pieces: Iterable<Uint8Array>): ParseResult => {
      parser.reset();
      for (const piece of pieces) assert(parser.push(piece));
      return parser.end();
    };
    assertAtEachCut(utf8(text), evenCuts(text.length, 7), parseAll, parseBinary(utf8(text)), resultDifference);
  });

  for (
    const { kind, start, more } of [
      { kind: "string", start: '"', more: "a" },
      { kind: "string in an array", start: '["', more: "a" },
      { kind: "key", start: '{"', more: "k" },
      { kind: "number", start: "", more: "7" },
      { kind: "number in an array", start: "[", more: "7" },
    ]
  ) {
    it(`fails at the first byte of a ${kind} beyond maxTokenBytes`, () => {
      const token = `${start.slice(-1) === '"' ? '"' : ""}${more.repeat(10)}`.slice(0, 10);
      const parser = new BinaryParser({ maxTokenBytes: token.length });
      assert(parser.push(utf8(start.replace('"', ""), token)));
      assert(!parser.push(utf8(more)));
      const { code, offset } = parser.end() as ParseFailure;
      assertEquals([code, offset], ["value-too-large", start.replace('"', "").length]);
    });
  }

  for (const maxTokenBytes of [NaN, -1, 0, "10", null]) {
    it(`throws a TypeError for maxTokenBytes: ${maxTokenBytes}`, () => {
      assertTypeError(
        () => new BinaryParser({ maxTokenBytes: maxTokenBytes as number }),
        "Cannot limit tokens this way: expected a positive number of bytes",
      );
    });
  }

  it("accepts a limit of one byte", () => {
    const parser = new BinaryParser({ maxTokenBytes: 1 });
    for (const byte of "[1,[]]") assert(parser.push(utf8(byte)));
    assertEquals(parser.end(), { ok: true, value: [1, []] });
  });

  it("throws a TypeError for a JSON Pointer without elements", () => {
    for (const multiple of [undefined, "lines", "concatenated"] as const) {
      assertTypeError(
        () => new BinaryParser({ multiple, at: "/a" }),
        'Cannot use a JSON Pointer here: "at" needs multiple: "elements"',
      );
    }
  });

  for (const [unit, code] of [['{"a":', "value-too-large"], ["[", "value-too-large"]]) {
    it(`fails on levels of ${unit} for which the engine has no memory, cut before each`, () => {
      const parser = new BinaryParser();
      withoutMemory("Int32Array", (size) => typeof size === "number" && size > 2_048, () => {
        for (let level = 0; level < 1_100; level++) for (const byte of unit) parser.push(utf8(byte));
      });
      assertStrictEquals(codeIn(parser.end()), code);
    });
  }

  it("takes no calls after a reset() that threw, until the next", () => {
    const parser = new BinaryParser();
    parser.push(utf8("[".repeat(2_000)));
    withoutMemory("Int32Array", () => true, () => assertThrows(() => parser.reset(), RangeError));
    assertThrows(() => parser.push(utf8("[1]")), Error, "reset() begins a new input");
    assertThrows(() => parser.end(), Error, "reset() begins a new input");
    parser.reset();
    parser.push(utf8("[1]"));
    assertEquals(parser.end(), { ok: true, value: [1] });
  });

  it("parses more levels than its tables have room for at first, cut before each", () => {
    const parser = new BinaryParser();
    for (let level = 0; level < 1_100; level++) for (const piece of ['{"a"', ":"]) parser.push(utf8(piece));
    parser.push(utf8(`1${"}".repeat(1_100)}`));
    assert(parser.end().ok);
  });

  it("parses objects of more members than the stack has room for, cut anywhere", () => {
    const members = Array.from({ length: 700 }, (_, i) => `"key ${i}" : ${i % 3 ? i : `[${i}]`}`);
    const bytes = utf8(`{${members}}`);
    for (const size of [1, 3, 4, 50]) assertCuts(bytes, [evenCuts(bytes.length, size).next().value!]);
  });

  it("fails on a token for which the engine has no memory", () => {
    const parser = new BinaryParser();
    const chunk = utf8("a".repeat(200_000));
    withoutMemory("Uint8Array", (size) => typeof size === "number" && size > 2 ** 18, () => {
      parser.push(utf8('["'));
      for (let i = 0; i < 3; i++) parser.push(chunk);
    });
    assertStrictEquals(codeIn(parser.end()), "value-too-large");
  });

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`goes on after a token for which the engine has no memory, in ${multiple}`, () => {
      const long = `["${"a".repeat(600_000)}"]`;
      const bytes = utf8(`[0]\n${long}\n[1]\n${long} [2\n[3]\n`);
      const pieces = Array.from({ length: 7 }, (_, i) => bytes.subarray(200_000 * i, 200_000 * (i + 1)));
      const isDenied = (size: unknown): boolean => typeof size === "number" && size > 2 ** 18;
      const { passed, failures } = withoutMemory("Uint8Array", isDenied, () => readValues(pieces, { multiple }));
      assertEquals(
        passed.map((value) => ["value" in value ? value.value : value.failure.code, value.start, value.line]),
        [[[0], 0, 1], ["value-too-large", 4, 2], [[1], 600_009, 3], ["value-too-large", 600_013, 4], [
          [3],
          1_200_021,
          5,
        ]],
      );
      assertEquals(failures.map(({ code, line }) => [code, line]), [["value-too-large", 2], ["value-too-large", 4]]);
    });
  }

  it("throws a TypeError for another separation", () => {
    for (const multiple of ["", "line", 1, null]) {
      assertTypeError(
        () => new BinaryParser({ multiple: multiple as ValueSeparation }),
        'Cannot separate values this way: expected "lines", "concatenated" or "elements"',
      );
    }
  });
});

const SEPARATIONS = ["lines", "concatenated", "elements"] as const;

describeLong("BinaryParser", () => {
  it("parses 10 million levels in chunks of 1 KiB", () => {
    const depth = 10_000_000;
    const opening = new Uint8Array(1_024).fill(0x5b);
    const closing = new Uint8Array(1_024).fill(0x5d);
    const parser = new BinaryParser();
    for (let i = 0; i < depth; i += 1_000) assert(parser.push(opening.subarray(0, 1_000)));
    for (let i = 0; i < depth; i += 1_000) assert(parser.push(closing.subarray(0, 1_000)));
    let levels = 0;
    for (let value = valueIn(parser.end()); Array.isArray(value); value = value[0]) levels++;
    assertStrictEquals(levels, depth);
  });

  it("parses a string of 100 MB in chunks of 64 KiB", () => {
    const length = 100_000_000;
    const chunk = new Uint8Array(65_536).fill(0x61);
    const parser = new BinaryParser<string>();
    parser.push(utf8('["'));
    for (let start = 0; start < length; start += chunk.length) {
      assert(parser.push(chunk.subarray(0, Math.min(chunk.length, length - start))));
    }
    parser.push(utf8('"]'));
    assertStrictEquals(valueIn(parser.end())[0].length, length);
  });

  it("copies and searches each byte a few times, however long a token, a line or whitespace is", async () => {
    const { success, output } = await runDeno([
      "run",
      "--quiet",
      "--no-check",
      "--no-config",
      "tests/processes/count_stream_work.ts",
    ]);
    assert(success, output);
    const work: StreamWork = JSON.parse(output);
    for (const [kind, times] of Object.entries(work)) assertLess(times, 6, kind);
  });
});

describe("BinaryParser with callbacks", () => {
  const INPUTS = { lines: "1\n2\n3\n", concatenated: "1 2 3 ", elements: "[1,2,3]" };
  const BAD_INPUTS = { lines: "x\n2\n3\n", concatenated: "x\n2 3 ", elements: "[x,2,3]" };

  for (const multiple of SEPARATIONS) {
    for (const callback of ["onValue", "onFailure"] as const) {
      it(`takes no calls after ${callback} of ${multiple} threw, until reset()`, () => {
        const error = new Error("no more");
        let throws = true;
        const parser = new BinaryParser({
          multiple,
          [callback]() {
            if (throws) throw error;
          },
        });
        const bytes = utf8((callback === "onValue" ? INPUTS : BAD_INPUTS)[multiple]);
        assertStrictEquals(assertThrows(() => parser.push(bytes)), error);
        assertThrows(() => parser.push(bytes), Error, "an earlier call threw");
        assertThrows(() => parser.end(), Error, "an earlier call threw");
        throws = false;
        parser.reset();
        assert(parser.push(utf8(INPUTS[multiple])));
        assert(parser.end().ok);
      });
    }

    it(`refuses calls from within a callback of ${multiple}`, () => {
      const refusals: string[] = [];
      const parser: BinaryParser = new BinaryParser({
        multiple,
        onValue() {
          for (const call of [() => parser.push(utf8("1")), () => parser.end(), () => parser.reset()]) {
            refusals.push(assertThrows(call, Error).message);
          }
        },
      });
      assert(parser.push(utf8(INPUTS[multiple])));
      assert(parser.end().ok);
      const actions = ["parse a chunk", "end the input", "reset the parser"];
      const expected = actions.map((action) => `Cannot ${action}: a callback of this parser is running`);
      assertEquals(refusals, [...expected, ...expected, ...expected]);
    });

    it(`allows other parsers and parseBinary() within a callback of ${multiple}`, () => {
      const values: unknown[] = [];
      const documents: Record<typeof multiple, string> = {
        lines: '{"a":["x",1.5]}\n{"a":["y",2.5]}\n',
        concatenated: '{"a":["x",1.5]}{"a":["y",2.5]}',
        elements: '[{"a":["x",1.5]},{"a":["y",2.5]}]',
      };
      const bytes = utf8(documents[multiple]);
      assertAtEachCut(bytes, manyCuts(bytes.length), (pieces) => {
        values.length = 0;
        const parser = new BinaryParser({
          multiple,
          onValue({ value }) {
            values.push(value);
            assertEquals(parseBinary(utf8('{"a":["z",3]}')), { ok: true, value: { a: ["z", 3] } });
            assertEquals(parsePieces([utf8('{"a":["z'), utf8('",3]}')]), { ok: true, value: { a: ["z", 3] } });
          },
        });
        for (const piece of pieces) parser.push(piece);
        assert(parser.end().ok);
        return values;
      }, [{ a: ["x", 1.5] }, { a: ["y", 2.5] }]);
    });

    it(`keeps no value of ${multiple} that it has passed on`, () => {
      let values = 0;
      const parser = new BinaryParser({ multiple, onValue: () => void values++ });
      const row = multiple === "elements" ? '{"id":1,"tags":["a","b"]},' : '{"id":1,"tags":["a","b"]}\n';
      if (multiple === "elements") parser.push(utf8("["));
      const chunk = utf8(row.repeat(2_000));
      for (let i = 0; i < 100; i++) parser.push(chunk);
      if (multiple === "elements") parser.push(utf8("0]"));
      assert(parser.end().ok);
      assertStrictEquals(values, multiple === "elements" ? 200_001 : 200_000);
    });
  }

  it("takes no calls after a callback threw in end(), until reset()", () => {
    let throws = true;
    const parser = new BinaryParser({
      multiple: "lines",
      onValue() {
        if (throws) throw new Error("by the callback");
      },
    });
    parser.push(utf8("1"));
    assertThrows(() => parser.end(), Error, "by the callback");
    assertThrows(() => parser.push(utf8("1")), Error, "Cannot parse a chunk");
    parser.reset();
    throws = false;
    parser.push(utf8("1"));
    assertEquals(parser.end(), { ok: true, value: undefined });
  });

  for (
    const [change, act] of [
      ["detaches", (buffer) => void detach(buffer)],
      ["shortens", (buffer) => buffer.resize(USUAL_SIZE)],
    ] as [string, (buffer: ArrayBuffer) => void][]
  ) {
    it(`throws a TypeError if a callback ${change} a chunk that is not read to its end`, () => {
      const buffer = new ArrayBuffer(USUAL_SIZE + 1, { maxByteLength: USUAL_SIZE + 1 });
      const chunk = new Uint8Array(buffer).fill(0x20);
      chunk.set(utf8("1\n"));
      const parser = new BinaryParser({ multiple: "lines", onValue: () => act(buffer) });
      assertTypeError(
        () => parser.push(chunk),
        "Cannot parse the rest of this chunk: a callback detached or resized its buffer",
      );
    });
  }

  it("survives a callback that detaches or resizes the chunk, or says so", () => {
    for (const multiple of SEPARATIONS) {
      const buffer = new ArrayBuffer(16, { maxByteLength: 32 });
      const chunk = new Uint8Array(buffer);
      chunk.set(utf8(multiple === "elements" ? "[1,22,33,44,55]" : "1 \n22\n33\n44\n55\n"));
      const values: unknown[] = [];
      const parser = new BinaryParser({
        multiple,
        onValue({ value }) {
          values.push(value);
          if (values.length === 1) buffer.resize(4);
        },
      });
      try {
        parser.push(chunk);
        parser.end();
      } catch (error) {
        assert(error instanceof TypeError, String(error));
      }
      assertStrictEquals(values[0], 1);
    }
  });
});

describe("BinaryParser of lines and concatenated documents", () => {
  for (const multiple of ["lines", "concatenated"] as const) {
    for (
      const { kind, pieces, place } of [
        { kind: "number", pieces: ["7\n\n ", " 23456", "7\n8\n"], place: { index: 1, start: 5, end: 11, line: 3 } },
        { kind: "number", pieces: ["12345", "6\n8\n"], place: { index: 0, start: 0, end: 6, line: 1 } },
        { kind: "string", pieces: ['7\n"', "2345", '"\n8\n'], place: { index: 1, start: 2, end: 8, line: 2 } },
        {
          kind: "string after an invalid line",
          pieces: ['x\n"', "2345", '"\n8\n'],
          place: { index: 1, start: 2, end: 8, line: 2 },
        },
        {
          kind: "number after an invalid line",
          pieces: ["x\n", "23456", "\n8\n"],
          place: { index: 1, start: 2, end: 7, line: 2 },
        },
        {
          kind: "string in an array",
          pieces: ['[1,"', "2345", '"\n8\n'],
          place: { index: 0, start: 0, end: 9, line: 1 },
        },
        {
          kind: "string in objects",
          pieces: ['7\n{"a":{"b":"', "2345", '"\n8\n'],
          place: { index: 1, start: 2, end: 18, line: 2 },
        },
        { kind: "name", pieces: ['{"a":1,"b', "2345", '":\n8\n'], place: { index: 0, start: 0, end: 15, line: 1 } },
      ] as { kind: string; pieces: string[]; place: Omit<Passed, "value" | "failure"> }[]
    ) {
      it(`gives the place of a ${kind} of more than maxTokenBytes in ${multiple}: ${JSON.stringify(pieces)}`, () => {
        const { passed, failures } = readValues(pieces.map((piece) => utf8(piece)), { multiple, maxTokenBytes: 4 });
        const { failure, ...found } = passed[place.index] as Passed & { failure: ParseFailure };
        assertEquals(found, place);
        assertEquals([failure.code, failure.line], ["value-too-large", place.line]);
        assertStrictEquals(failures.at(-1), failure);
        const { value, index } = passed.at(-1) as Passed & { value: unknown };
        assertEquals([value, index], [8, place.index + 1]);
      });
    }

    it(`makes no value of ${multiple} of what comes before and after a token of more than maxTokenBytes`, () => {
      const pieces = ['[1,"', "2345", '"\n', "2]\n", "8\n"].map((piece) => utf8(piece));
      const { passed } = readValues(pieces, { multiple, maxTokenBytes: 4 });
      const values = passed.map((one) => "value" in one ? one.value : one.failure.code);
      const expected = multiple === "lines" ? ["trailing-content"] : [2, "unexpected-token"];
      assertEquals(values, ["value-too-large", ...expected, 8]);
    });

    for (
      const text of [
        "",
        " \n\r\n \t\n",
        "1\n2\n",
        "1\n2",
        '{"a":1}\r\n{"a":2}\r\n',
        '{"a":1}{"a":2}[3]"4"5 6',
        "\ufeff[1]\n[2]",
        "[1]\n[\n[3]\n]\n4",
        "tru\ntrue\n",
        '"a\nb"\n1',
        "1 2\n3 4\n",
        "[1,]{}\n{}x{}\n0",
        '{"a":\n1}\n{"b":2}',
        "nul",
        "-\n-1\n1.\n",
        "1\x0e\n2\n",
        "1!\n2 \t\r\n3",
        "1\r2\r\n3\r\r 4",
        "1\r\r  }\n2",
        '{"a":\nx y\n1',
        '[1,\n"é"]\n2',
      ]
    ) {
      it(`reads ${JSON.stringify(text)} as ${multiple}, cut anywhere`, () => {
        const bytes = utf8(text);
        assertReading(bytes, manyCuts(bytes.length), { multiple }, expectedReading(bytes, multiple));
      });
    }

    for (
      const [kind, text] of [
        ["of any length after an invalid one", "x\n" + `"${"a".repeat(1_000)}"\n`.repeat(600)],
        ["longer than the buffer", `"${"a".repeat(300_000)}"\n2\nx\n"${"b".repeat(300_000)}"\n5\n`],
        ["that end where the buffer does", `"${"a".repeat(USUAL_SIZE - 2)}"\n2\n`],
        ["whose value ends where the buffer does", `x\n"${"a".repeat(USUAL_SIZE - 4)}"\n3\n`],
        ["that end where the buffer does, and are invalid", `${"x".repeat(USUAL_SIZE)}\n2\n`],
      ]
    ) {
      it(`reads lines ${kind} as ${multiple}`, () => {
        const bytes = utf8(text);
        const cuts = [USUAL_SIZE, 100_000, 65_536].map((size) => evenCuts(bytes.length, size).next().value!);
        assertReading(bytes, [[], ...cuts], { multiple }, expectedReading(bytes, multiple));
      });
    }

    for (
      const [kind, pieces] of [
        ["spaces", [" ".repeat(USUAL_SIZE), '"a"', "\n2\n"]],
        ["line feeds", ["\n".repeat(USUAL_SIZE), '"a"', "x\n2\n"]],
        ["a byte-order mark", ["x".repeat(FIRST_SIZE), `\ufeff${"y".repeat(FIRST_SIZE - 4)}\n`, "1\n"]],
      ] as [string, string[]][]
    ) {
      it(`reads ${multiple} behind ${kind} that are left in the buffer`, () => {
        const chunks = pieces.map((piece) => utf8(piece));
        assertEquals(readValues(chunks, { multiple }), expectedReading(concat(chunks), multiple));
      });
    }

    it(`reads ${multiple} without callbacks`, () => {
      const parser = new BinaryParser({ multiple });
      assert(parser.push(utf8("1\n")));
      assert(!parser.push(utf8("x\n2\n")));
      assertStrictEquals(codeIn(parser.end()), "unexpected-token");
    });

    it(`passes each value of ${multiple} on as soon as its line has ended, and each failure at once`, () => {
      const values: unknown[] = [];
      const parser = new BinaryParser({ multiple, onValue: ({ value }) => values.push(value) });
      assert(parser.push(utf8("\ufeff1\n[2]\n")));
      assertEquals(values, [1, [2]]);
      assert(!parser.push(utf8("x")));
      parser.push(utf8("y\n4\n[5]\n6 \n7\n"));
      assertEquals(values, [1, [2], 4, [5], 6, 7]);
    });

    it(`agrees with BinaryValidator on random ${multiple}`, () => {
      withSeeds(400, (random) => {
        const separators = multiple === "lines" ? ["\n", "\r\n", "\n\n"] : ["\n", "", " ", "\n\n"];
        const parts = Array.from({ length: random.below(12) }, () => {
          const text = randomDocument(random);
          const document = utf8(multiple === "lines" ? text.replaceAll(/[\n\r]/g, " ") : text);
          return concat([random.once(4) ? corrupt(random, document) : document, utf8(random.pick(separators))]);
        });
        const bytes = concat(parts);
        const cuts = [[], ...Array.from({ length: 4 }, () => randomCut(random, bytes.length))];
        assertReading(bytes, cuts, { multiple }, expectedReading(bytes, multiple));
      });
    });
  }
});

describe("BinaryParser and a byte-order mark beyond the first buffer", () => {
  const places: { place: string; before: string; after: string }[] = [
    { place: "a line feed", before: "\n", after: "1" },
    { place: "a carriage return", before: "\r", after: "1" },
    { place: "a carriage return and spaces", before: "\r  ", after: "[1]" },
    { place: "a carriage return, line feed and space", before: "\r\n ", after: "[2]" },
    { place: "a value", before: "\n1 ", after: "2" },
    { place: "a carriage return within a value", before: "\n[1,\r", after: "2]" },
  ];
  /** Inputs in which a part begins behind the bytes that the first buffer had room for. */
  const inputs: [mode: ValueSeparation | undefined, make: (part: string) => string][] = [
    [undefined, (part) => `${" ".repeat(FIRST_SIZE)}${part}`],
    [undefined, (part) => `[${"1,".repeat(FIRST_SIZE)}${part}]`],
    ["lines", (part) => `${"[1]\n".repeat(FIRST_SIZE / 4)}[2] \n${part}\n[3]\n`],
    ["concatenated", (part) => `${"[1]\n".repeat(FIRST_SIZE / 4)}[2] \n${part}\n[3]\n`],
    ["elements", (part) => `[${"1,".repeat(FIRST_SIZE)}${part}]`],
  ];

  for (const [mode, make] of inputs) {
    for (const { place, before, after } of places) {
      it(`reports it behind ${place}, in ${mode ?? `one document: ${make("").slice(0, 1)}…`}`, () => {
        const bytes = utf8(make(`${before}\ufeff${after}`));
        for (const size of [FIRST_SIZE, FIRST_SIZE - 1, 1_000, 100_000]) {
          const cut = evenCuts(bytes.length, size).next().value!;
          if (mode === "lines" || mode === "concatenated") {
            assertReading(bytes, [cut], { multiple: mode }, expectedReading(bytes, mode));
          } else {
            const { result } = readValues(piecesAt(bytes, cut), { multiple: mode });
            assertEquals(result, parseBinary(bytes));
            assert(!result.ok);
          }
        }
      });
    }
  }
});

describe("BinaryParser of elements", () => {
  /** Returns the elements of an array as `parseBinary` has them, without places. */
  function elementsOf(text: string, at = "", pieces: Iterable<Uint8Array> = [utf8(text)]): unknown[] {
    const bytes = utf8(text);
    const { passed, result } = readValues(pieces, { multiple: "elements", at });
    assert(result.ok, `${text}: ${JSON.stringify(result)}`);
    passed.forEach(({ index, start, end, ...rest }, i) => {
      assertStrictEquals(index, i);
      const alone = { ok: true, value: valueIn(parseBinary(bytes.slice(start, end))), line: rest.line };
      assertStrictEquals(difference({ ok: true, ...rest }, alone), undefined);
    });
    return passed.map((element) => "value" in element ? element.value : element);
  }

  const ITEMS: unknown[] = [1, "two", [3], { four: 4 }, null, true, [], {}, -5.5e-3];
  const LIST = JSON.stringify(ITEMS);

  for (
    const [at, text] of [
      ["", LIST],
      ["", ` ${LIST} \n`],
      ["", `\ufeff${LIST}`],
      ["/a", `{"a":${LIST}}`],
      ["/a", `{"b":[0,{"a":[9]}],"a":${LIST},"c":{"a":[8]}}`],
      ["/data/items", `{"items":[1],"data":{"x":{"items":[2]},"items":${LIST}},"data2":{"items":[3]}}`],
      ["/0", `[${LIST},[7]]`],
      ["/2/a", `[{"a":[1]},{"a":[2]},{"a":${LIST}},{"a":[4]}]`],
      ["/1/1/1", `[0,[0,[0,${LIST}]]]`],
      ["/10", `[0,1,2,3,4,5,6,7,8,9,${LIST},11]`],
      ["/", `{"":${LIST}}`],
      ["//", `{"":{"":${LIST}}}`],
      ["/a~1b", `{"a/b":${LIST}}`],
      ["/m~0n", `{"m~n":${LIST}}`],
      ["/~01", `{"~1":${LIST},"/":[1]}`],
      ["/é", `{"\\u00e9":${LIST}}`],
      ['/"', `{"\\"":${LIST}}`],
      ["/0", `{"00":[1],"0":${LIST}}`],
      ["/01", `{"01":${LIST}}`],
      ["/-", `{"-":${LIST}}`],
      ["/__proto__/a", `{"__proto__":{"a":${LIST}}}`],
      ["/a b", `{"a b":${LIST}}`],
      ["/a", `{"b":[1,\n{"c":\r\n2}],\n"a":${LIST}}`],
      ["/a", `{"a":${LIST},"a":[7]}`],
      ["/a/b", `{"a":{},"a":{"b":${LIST}},"a":{"b":[8]}}`],
    ]
  ) {
    it(`reads those at ${JSON.stringify(at)} of ${text.slice(0, 60)}, cut anywhere`, () => {
      const bytes = utf8(text);
      assertAtEachCut(bytes, manyCuts(bytes.length), (pieces) => elementsOf(text, at, pieces), ITEMS);
    });
  }

  it("gives index, start, end and line of each", () => {
    const text = '{"n":\n[ 1 ,\n {"a":2},\r\n"x"]}';
    const bytes = utf8(text);
    const passed = [
      { value: 1, index: 0, start: 8, end: 9, line: 2 },
      { value: { a: 2 }, index: 1, start: 13, end: 20, line: 3 },
      { value: "x", index: 2, start: 23, end: 26, line: 4 },
    ];
    const expected = { passed, failures: [], result: { ok: true as const, value: undefined } };
    assertReading(bytes, manyCuts(bytes.length), { multiple: "elements", at: "/n" }, expected);
  });

  it("has none in an empty array", () => {
    for (const text of ["[]", " [ ] "]) assertEquals(elementsOf(text), []);
    assertEquals(elementsOf('{"a":[]}', "/a"), []);
  });

  for (
    const [at, text] of [
      ["", "{}"],
      ["", "0"],
      ["", "9"],
      ["", "-1"],
      ["", '"text"'],
      ["", "null"],
      ["", "true"],
      ["", "false"],
      ["/a", "{}"],
      ["/a", "[]"],
      ["/a", '{"b":[1]}'],
      ["/a", '{"a":{}}'],
      ["/a", '{"a":"[1]"}'],
      ["/a", '{"a":12}'],
      ["/a/b", '{"a":[1]}'],
      ["/a/b", '{"a":1}'],
      ["/0", "[1]"],
      ["/1", "[[1]]"],
      ["/-", "[[1]]"],
      ["/00", "[[1]]"],
      ["/01", "[[0],[1]]"],
      ["/1e0", "[[0],[1]]"],
    ]
  ) {
    it(`fails with "expected-array" at ${JSON.stringify(at)} of ${text}, cut anywhere`, () => {
      const bytes = utf8(text);
      const whole = readValues([bytes], { multiple: "elements", at });
      assertStrictEquals(codeIn(whole.result), "expected-array");
      assertReading(bytes, manyCuts(bytes.length), { multiple: "elements", at }, whole);
    });
  }

  for (
    const [at, text] of [
      ["", "[1,2"],
      ["", "[1,2]x"],
      ["", "[1,2,]"],
      ["", "[1 2]"],
      ["", '[1,{"a":}]'],
      ["", "x"],
      ["", ":"],
      ["", "/"],
      ["", ""],
      ["/a", '{"a":[1,2],}'],
      ["/a", '{"b":tru,"a":[1,2]}'],
      ["/a", '{"b":"\\x","a":[1,2]}'],
      ["/a", '{"a":[1,2]'],
      ["/a", '{"a":[1,2]} {'],
      ["/a", '{"a":[1,2],"b":[1,}'],
      ["/a", "{1}"],
      ["/a", '{"b" 1}'],
      ["/a", '{"b":1,2}'],
      ["/a", '{"b":1 2}'],
      ["/0/a", "[0 1]"],
      ["/0/a", '[{"b":[]} 1]'],
      ["/1", "[1,]"],
      ["/2", "[1,]"],
      ["/a", '{"\x01":1}'],
      ["/a", '{"b":1,"\\x":1}'],
      ["/a", '{"é":[1,'],
    ]
  ) {
    it(`fails as parseBinary() does at ${JSON.stringify(at)} of ${JSON.stringify(text)}, cut anywhere`, () => {
      const bytes = utf8(text);
      const whole = readValues([bytes], { multiple: "elements", at });
      assertEquals(whole.result, parseBinary(bytes));
      assertStrictEquals(whole.failures.length, 1);
      assertReading(bytes, manyCuts(bytes.length), { multiple: "elements", at }, whole);
    });
  }

  for (
    const [at, text] of [
      ["/a", '{"b":[{"x":1}],"a":[1,2],"c":{"d":3}}'],
      ["/0/é", '[{"\\"n":0,"é":[]}]'],
      ["/1", "[[0],[[1],2],3]"],
    ]
  ) {
    it(`fails as parseBinary() does on every prefix of ${text}`, () => {
      const bytes = utf8(text);
      for (const prefix of prefixesOf(bytes.subarray(0, -1))) {
        const cuts = [[], Array.from(prefix, (_, i) => i)];
        const read = (pieces: Iterable<Uint8Array>): ParseResult =>
          readValues(pieces, { multiple: "elements", at }).result;
        assertAtEachCut(prefix, cuts, read, parseBinary(prefix), resultDifference);
      }
    });
  }

  it("passes an element on as soon as it is complete, and a failure as soon as it is certain", () => {
    for (
      const { pieces, count, isValid } of [
        { pieces: ['{"a":[1,2,'], count: 2, isValid: true },
        { pieces: ['{"long na', 'me":0,"a":[1,'], count: 1, isValid: true },
        { pieces: ['{"long \\', '"na', 'me":0,"a":[1,'], count: 1, isValid: true },
        { pieces: ['{"\x01'], count: 0, isValid: false },
        { pieces: ['{"na', "me\x01"], count: 0, isValid: true },
        { pieces: ['{"na', 'me\x01"'], count: 0, isValid: false },
      ] as { pieces: string[]; count: number; isValid: boolean }[]
    ) {
      let values = 0;
      const parser = new BinaryParser({ multiple: "elements", at: "/a", onValue: () => void values++ });
      const answers = pieces.map((piece) => parser.push(utf8(piece)));
      assertEquals([values, answers.at(-1)], [count, isValid], JSON.stringify(pieces));
    }
    const parser = new BinaryParser({ multiple: "elements", at: "/a" });
    assert(parser.push(utf8('{"n', 0xc3)));
    assert(!parser.push(utf8('"'))); // in the place of a byte that follows
  });

  it("counts columns behind a byte-order mark within a text that was dropped", () => {
    const [first, second] = [`{"x":"${"a".repeat(FIRST_SIZE - 6)}`, `\ufeff${"a".repeat(FIRST_SIZE - 3)}`];
    const pieces = [first, second, '",}'].map((piece) => utf8(piece));
    const { result } = readValues(pieces, { multiple: "elements", at: "/a" });
    assertEquals(result, parseBinary(concat(pieces)));
  });

  it("finds them again after reset()", () => {
    const values: unknown[] = [];
    const parser = new BinaryParser({ multiple: "elements", at: "/a/b", onValue: ({ value }) => values.push(value) });
    for (const text of ['{"a":{"b":[1,2]', '{"a":{"b":[1,2]}}', '{"a":[', '{"a":', '{"x":[1']) {
      parser.push(utf8(text));
      parser.reset();
      values.length = 0;
      parser.push(utf8('{"a":{"b":[3,4]}}'));
      assert(parser.end().ok);
      assertEquals(values, [3, 4]);
      parser.reset();
    }
  });

  it("agrees with parseBinary() on random arrays, cut at random", () => {
    withSeeds(300, (random) => {
      const rows = Array.from({ length: random.below(20) }, () => randomDocument(random));
      const text = `{"x":${randomDocument(random)},"a/b":[${rows.join(",")}],"y":${randomDocument(random)}}`;
      const bytes = utf8(text);
      const whole = valueIn(parseBinary<{ "a/b": unknown[] }>(bytes));
      for (let times = 0; times < 4; times++) {
        const elements = elementsOf(text, "/a~1b", piecesAt(bytes, randomCut(random, bytes.length)));
        assertStrictEquals(difference(elements, whole["a/b"]), undefined);
        const corrupted = corrupt(random, bytes);
        const { result } = readValues(piecesAt(corrupted, randomCut(random, corrupted.length)), {
          multiple: "elements",
          at: "/a~1b",
        });
        const expected = parseBinary(corrupted);
        if (!expected.ok && codeIn(result) !== "expected-array") {
          const problem = resultDifference(result, expected);
          if (problem) throw new Error(`${show(corrupted)}: ${problem}`);
        }
      }
    });
  });

  for (const at of ["a", "a/b", "/a~", "/~2", "/~a", 1, ["/a"], ["/", "a"]]) {
    it(`throws a TypeError for the pointer ${JSON.stringify(at)}`, () => {
      assertTypeError(
        () => new BinaryParser({ multiple: "elements", at: at as string }),
        'Cannot follow this JSON Pointer: expected a text such as "/data/items", or an array of names',
      );
    });
  }
});

describe("BinaryParser with strings of one hash", () => {
  it("does not take a string for an earlier one after the stack was renewed within an element", () => {
    // Both strings have one slot of the string cache, and one length.
    const [first, second] = ["same_a________________end", "same_b________________end"];
    const padding = (count: number): null[] => Array(count).fill(null);
    const elements = [padding(5_000), [first, ...padding(2_000), second], [second], padding(50_000)];
    const found: unknown[] = [];
    const parser = new BinaryParser({ multiple: "elements", onValue: ({ value }) => found.push(value) });
    parser.push(utf8(JSON.stringify(elements)));
    assertEquals(parser.end().ok, true);
    assertEquals(found, elements);
  });
});
