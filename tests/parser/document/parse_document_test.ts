/**
 * Documents of the kinds that the main loop, its recursive twin, the validator and the loop that
 * skips tell apart: each is read by all of them, whole and cut anywhere.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { indexKeys, MIN_INDEXES } from "../../../parser/objects/key_cache.ts";
import { SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import { USUAL_SIZE } from "../../../parser/document/chunk_buffer.ts";
import { PointerParser } from "../../../parser/streaming/document_parser.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { every, type Mask } from "../../../select.ts";
import { validateBinary } from "../../../validate_binary.ts";
import { assertAgreement, assertReadAlike, assertValue } from "../../support/assertions.ts";
import { utf8 } from "../../support/bytes.ts";
import { evenCuts } from "../../support/cuts.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { lengthened } from "../../support/masks.ts";
import { sampled } from "../../support/random.ts";
import { assertRead, assertRefusedAtOnce, PLAIN, type Reading } from "../../support/readers.ts";
import { parseByRecursion } from "../../support/recursion.ts";
import { referenceParse } from "../../support/reference.ts";

/** Beginnings, behind which sequences of tokens follow. Words read the beginning of a token. */
const CONTEXTS = ["", "[", '["a",', "[[1,2],", "{", '{"a":', '{"a":1,', '[{"a":{},'];
const TOKENS = [
  ...["[", "]", "{", "}", ",", ":", " ", "\n    ", '"b"', '"b', '"b\\x"', '"\x01"', '"b":2', "'b'"],
  ...["1", "-", "01", "1.", "1e", "+1", "-2.5e3", "123456789012", "9999999999,"],
  ...["true", "false", "null", "tru", "fals", "xull", "trux", "Y", "^", "~"],
];

/** Yields each sequence of up to so many tokens of which all but the last one may go on. */
function* sequences(length: number, start: string): Generator<string> {
  for (const token of TOKENS) {
    const text = start + token;
    yield text;
    const result = validateBinary(utf8(text));
    if (length > 1 && (result.ok || result.truncated)) yield* sequences(length - 1, text);
  }
}

describe("documents", () => {
  it("with any token behind others are read alike by all readers, cut anywhere", () => {
    for (const context of CONTEXTS) for (const text of sequences(1, context)) assertReadAlike(utf8(text));
  });

  it("with any token behind others are refused with the byte that makes them wrong, by each kind of parser", () => {
    const source = { numbers: "source" } as const;
    const limited = { ...source, maxElements: 1 };
    const readings: Reading[] = [PLAIN, { options: source }, { options: limited }, { separation: "elements" }];
    readings.push({ options: { maxDepth: 9, maxMembers: 1 } }, { options: { maxElements: 1 }, mask: { a: [true] } });
    for (const mask of [{ a: true }, [{ b: true }]] as Mask[]) readings.push({ mask });
    for (const separation of ["lines", "concatenated"] as const) {
      readings.push({ separation }, { separation, options: limited }, { separation, mask: { a: true } });
      readings.push({ separation, where: [["/a", "=", 1]], options: { maxElements: 9 } });
    }
    for (const context of CONTEXTS) {
      for (const text of sequences(1, context)) {
        for (const reading of readings) assertRefusedAtOnce(utf8(text), reading);
        if (text[0] !== "{" || !sampled()) continue;
        const long = lengthened(utf8(text));
        for (const at of ["/a", "/a/0", "/b"]) assertRefusedAtOnce(long, PLAIN, new PointerParser(at, {}));
        const rest = { "a\n": true, [every]: { b: true } } as const;
        for (const mask of [{ a: true }, { a: [{ b: true }] }, rest] as Mask[]) assertRefusedAtOnce(long, { mask });
      }
    }
  });

  it("with any two tokens behind others are read alike by all readers, byte by byte", () => {
    for (const context of CONTEXTS) {
      for (const text of sequences(2, context)) {
        if (sampled()) assertRead(utf8(text), PLAIN, evenCuts(text.length, 1), assertAgreement(utf8(text)));
      }
    }
  });

  it("may have whitespace around them, up to each size that selects another method", () => {
    for (const text of ["1", "-0.5", "true", '"a"', "", "x", "nul", "1 x", "1\n2", "[1]", "[1] ]", "{}"]) {
      for (const gap of [1, 2, 14, 15, 16, 17, SMALL_INPUT - 1, SMALL_INPUT]) {
        const spaces = " ".repeat(gap);
        for (const whole of [`${spaces}${text}`, `${text}${spaces}`, `\n${spaces}${text}\t`]) {
          for (const mark of ["", "\ufeff"]) assertAgreement(utf8(mark + whole));
        }
      }
    }
  });

  it("are read up to the bytes that have arrived, whatever is left in the buffer behind them", () => {
    const texts = CONTEXTS.flatMap((context) => [...sequences(1, context)]);
    for (const [i, text] of texts.filter((text) => text.length > 2 && !/\n|^ *$/.test(text)).entries()) {
      const expected = referenceParse(utf8(text));
      for (const stale of ["5,", "]", '\\"', "}", ":1"].filter((_, k) => (i + k) % 5 < 2)) {
        const place = 1 + (text.length + stale.length) % (text.length - 1);
        // The buffer is full after the first piece, and its rest is moved to the front for
        // the second.
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

  it("end where the input ends, even if bytes behind it would complete them", () => {
    // Deeper than recursion, or not valid: the loop parses all of it, in memory that ends with it.
    const tokens = ['"text"', "12", "-1.5e3", '"\\n\\u00e9"', '"é"', "true", "123456789012", '{"a long key":[1]}'];
    const bytes = utf8(`${"[".repeat(101)}${" ".repeat(512)}${tokens.join()},${tokens.join(" , ")}`);
    for (let end = 613; end <= bytes.length; end++) assertReadAlike(bytes.slice(0, end), []);
  });
});

describe("long and deep documents", () => {
  /** Asserts the value of a text: whole, by recursion, and in pieces. */
  function assertParsed(value: unknown, text = JSON.stringify(value)): void {
    const bytes = utf8(text);
    assertValue(bytes, value);
    const cuts = bytes.length < 3_000 ? [[], [9]] : [[], ...evenCuts(bytes.length, 997)].slice(0, 2);
    assertRead(bytes, PLAIN, cuts, { ok: true, value });
  }

  it("with arrays of strings, numbers and both have all elements", () => {
    for (const length of [1, 8, 9, 54, 55, 64, 65, 511, 512, 513, 1014, 1023, 1024, 1025, 4095, 4096, 4097]) {
      const strings = Array(length).fill("a");
      const numbers = Array.from({ length }, (_, i) => i);
      const long = "a run that ends near the end of the input is taken for a cut one".repeat(2);
      assertParsed([...strings, 1, 2]);
      assertParsed({ a: [...numbers, "a", 1.5, long, ...numbers], next: strings.slice(0, 20) });
      assertParsed([strings, numbers, "a", [...strings, []], numbers.map((i) => i % 9 ? i : "b")]);
      assertParsed(numbers.map((i) => ({ i, list: Array(i % 40 ? i % 7 : i % 700).fill(i % 2 ? i : "c") })));
    }
  });

  it("with so many arrays or pieces that segments are merged, once or twice, have all elements", () => {
    const arrays = Array.from({ length: 140_000 }, (_, i) => i % 1_000 ? "[]" : `[],${i},"${i}"`);
    const numbers = Array.from({ length: 800_000 }, (_, i) => i % 10);
    for (const [text, size] of [[`[${arrays}]`, 100_000], [`[${numbers}]`, 24]] as const) {
      const bytes = utf8(text);
      const parser = new BinaryParser();
      for (let p = 0; p < bytes.length; p += size) parser.push(bytes.subarray(p, p + size));
      for (const result of [parseBinary(bytes), parser.end(), parseByRecursion(bytes)!]) {
        assert(result.ok && JSON.stringify(result.value) === text);
      }
    }
  });

  it("with objects of few and of many members have all members and their contents", () => {
    for (const length of [1, 4, 27, 28, 64, 127, 128, 129, 255, 256, 257, 600, 3000]) {
      for (const value of [1, "a", {}, [1, 2], ["a", { b: 1 }]]) {
        const object = Object.fromEntries(Array.from({ length }, (_, i) => [`key ${i}`, value]));
        assertParsed(object);
        assertParsed([object, { a: object, b: 1 }]);
      }
    }
  });

  it("with many levels keep the values before and after the nested ones", () => {
    for (const depth of [30, 99, 100, 101, 1100]) {
      for (const [open, close] of [["[", "]"], ['{"a":', "}"], ['["a",', ',"b"]'], ['[1,2,{"a":1,"b":', "}]"]]) {
        const text = `${open.repeat(depth)}[]${close.repeat(depth)}`;
        assertParsed(JSON.parse(text), text);
      }
    }
  });

  it("with many containers are read recursively, and deep ones by the loop", () => {
    for (const item of ["[]", "{}", "[1]", '["a"]', '{"a":1}', '{"a":[]}', "[[],{}]"]) {
      assertParsed(Array(300).fill(JSON.parse(item)));
    }
    for (const [open, close] of [["[", "]"], ['{"a":', "}"]]) {
      const [deep, deeper] = [100, 101].map((depth) => utf8(open.repeat(depth) + "1" + close.repeat(depth)));
      assertEquals([parseByRecursion(deep)?.ok, parseByRecursion(deeper)], [true, undefined]);
    }
  });

  it("with many names that are array indexes use the cache of indexes, deep or not", () => {
    const row = (i: number) => Array.from({ length: 40 }, (_, j) => `"${7000 + (i * 977 + j * 7919) % 90_000}":${j}`);
    const rows = Array.from({ length: 20 }, (_, i) => `{"id":${i},${row(i).join()}}`).join();
    for (const levels of [1, 200]) {
      const bytes = utf8("[".repeat(levels) + rows + "]".repeat(levels));
      assertReadAlike(bytes, []);
      assertStrictEquals(parseBinary(bytes).ok, true);
      assert(indexKeys.score >= MIN_INDEXES, `score ${indexKeys.score}`);
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

  it("are not read recursively", () => {
    const outer = `[${'"a",'.repeat(500)}`.repeat(2);
    for (const inner of [`[${'"b",'.repeat(100)}"c"]`, `[${"1,".repeat(100)}"c"]`, `{${'"a":1,'.repeat(100)}"b":2}`]) {
      const bytes = utf8(`${outer}${inner}]]`);
      const parse = (): unknown => parseByRecursion(bytes);
      assertStrictEquals(withoutMemory("Int32Array", (size) => typeof size === "number", parse), undefined);
      assertReadAlike(bytes, []);
    }
  });
});
