/**
 * Filters: `matches`, and `where` of streams and of the command line. `matrix_test.ts` has random
 * conditions of streams.
 */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PartReader } from "../../cli/select/part_reader.ts";
import { parseBinary, type ParseFailure } from "../../parse_binary.ts";
import { BinaryParser, JsonParseStream, parseValues } from "../../parse_stream.ts";
import { conditionsOf } from "../../parser/selection/conditions.ts";
import { matchDocument } from "../../parser/selection/match_document.ts";
import { type Condition, type ConditionValue, every, matches } from "../../select.ts";
import { utf8 } from "../support/bytes.ts";
import { conditionText, fulfils, randomCondition, SPELLINGS, VALUES } from "../support/random_conditions.ts";
import { PROFILES } from "../support/random_documents.ts";
import { readParts } from "../support/read_parts.ts";
import { type Random, sampled, withSeeds } from "../support/random.ts";

/** Asserts whether a text matches: as a whole, and on the command line, in pieces of a size. */
function assertMatches(text: string, where: readonly Condition[], value: boolean, size: number): void {
  const bytes = utf8(text);
  const how = () => `${text} by ${conditionText({ all: where })}`;
  assertEquals(matches(bytes, where), { ok: true, value }, how());
  const output = value ? `${text}\n` : "";
  for (const texts of [where.map(conditionText), [conditionText({ all: where })]]) {
    assertEquals(readParts({ where: texts }, utf8(`${text}\n`), true), output, how());
    assertEquals(readParts({ where: texts }, utf8(`${text}\n`), true, size), output, `${how()}, in pieces`);
  }
}

/**
 * Masks of the command line: none, of members that conditions may name, and one with all others.
 */
const MASKS = [undefined, "{a,b:{c}}", "{b:[{a}],*}"];

/** Asserts the same output of lines whole, in pieces, and in parts as threads read them. */
function assertSameInParts(documents: readonly string[], where: readonly Condition[], random: Random): void {
  const mask = random.pick(MASKS);
  // An array is a failure where the mask has an object.
  const texts = mask === undefined ? documents : documents.filter((text) => !text.trimStart().startsWith("["));
  const wheres = where.map(conditionText);
  const kept = texts.filter((text) => where.every((condition) => fulfils(JSON.parse(text), condition)));
  const expected = readParts(mask === undefined ? { where: [" exists"] } : { mask }, linesOf(kept), true);
  const how = () => `${texts.join("\n")} by ${wheres.join(" and ")}: ${mask}`;
  const bytes = linesOf(texts);
  const selection = { where: wheres, ...mask !== undefined && { mask } };
  assertEquals(readParts(selection, bytes, true), expected, how());
  assertEquals(readParts(selection, bytes, true, 1 + random.below(60)), expected, `${how()}, in pieces`);
  const reader = new PartReader({ kind: "parts", selected: mask, wheres, isRaw: false, maxDiagnostics: Infinity });
  const cut = random.below(texts.length + 1);
  const outputs = [texts.slice(0, cut), texts.slice(cut)].map((texts) => {
    const bytes = linesOf(texts);
    const block = { bytes: Uint8Array.from([...bytes, ..." ".repeat(8)], Number), at: 0, end: bytes.length, offset: 0 };
    return reader.read({ lines: block, resultsLeft: Infinity })[0].output;
  });
  assertEquals(outputs.map((output) => new TextDecoder().decode(output)).join(""), expected, `${how()}, by threads`);
}

const linesOf = (texts: readonly string[]): Uint8Array => utf8(texts.map((text) => `${text}\n`).join(""));

describe("where", () => {
  it("gives the same result by matches() and on the command line, in pieces of any size", () => {
    withSeeds(1_000, (random) => {
      const texts = Array.from({ length: 1 + random.below(5) }, () => {
        return PROFILES["few values in many spellings"](random).replaceAll(/[\n\r]/g, " ");
      });
      // Lines near the end of a chunk are read in another way.
      if (random.once(3)) texts.push(`"${"x".repeat(5000)}"`);
      const where = Array.from({ length: 1 + random.below(3) }, () => randomCondition(random));
      for (const text of texts) {
        const value = where.every((condition) => fulfils(JSON.parse(text), condition));
        assertMatches(text, where, value, 8 + random.below(40));
      }
      // Longer ones are read in several pieces.
      const [first, second] = [random.pick(texts), random.pick(texts)];
      const long = `{"a":${first},"x":"${"y".repeat(5000)}","b":[${second},{"a":${first}}],"c":${second}}`;
      assertMatches(long, where, where.every((condition) => fulfils(JSON.parse(long), condition)), 8);
      if (random.once(3)) assertSameInParts(texts, where, random);
    });
  });

  it("evaluates every condition, whatever kind of value is at its path", () => {
    const base = { a: { b: [1, { c: "x" }] }, d: "y" };
    const paths: (string | typeof every)[][] = [
      [],
      ["a"],
      ["a", "b"],
      ["a", "b", "1"],
      ["a", "b", "1", "c"],
      ["a", every],
      ["a", "b", every],
      ["a", "b", every, "c"],
      ["d"],
      [every, every],
    ];
    const kinds = [2, "x", "", true, null, [], {}, [[1]], { b: [0, 0] }, { c: "x" }, [{ c: 1 }, { c: "x" }], { 1: 1 }];
    /** Replaces the value at a path, if there is one. */
    const replaced = (value: unknown, path: readonly unknown[], other: unknown): unknown => {
      if (path.length === 0) return other;
      if (typeof value !== "object" || value === null) return value;
      const copy = structuredClone(value) as Record<string, unknown>;
      for (const name of Object.keys(copy)) {
        if (path[0] === every || path[0] === name) copy[name] = replaced(copy[name], path.slice(1), other);
      }
      return copy;
    };
    const values = [base, ...paths.flatMap((path) => kinds.map((kind) => replaced(base, path, kind)))];
    const texts = [...new Set(values.map((value) => JSON.stringify(value)))];
    const tests = paths.flatMap((path): Condition[] => [
      [path, "exists"],
      [path, "exists", false],
      [path, "!=", "x"],
      [path, "in", ["x", 1, { c: "x" }]],
    ]);
    const lines = utf8(texts.join("\n"));
    for (const [i, one] of tests.entries()) {
      for (const other of tests.slice(i)) {
        for (const where of [[one, other], [{ any: [one, other] }]]) {
          if (!sampled()) continue;
          const holds = texts.map((text) => where.every((condition) => fulfils(JSON.parse(text), condition)));
          const kept = (): string[] => texts.filter((_, i) => holds[i]);
          const how = conditionText({ all: where });
          const found: string[] = [];
          const parser = new BinaryParser({
            multiple: "lines",
            where,
            onValue: ({ value }) => found.push(JSON.stringify(value)),
          });
          parser.push(lines);
          parser.end();
          assertEquals(found, kept(), how);
          for (const [i, text] of texts.entries()) {
            assertEquals(matches(utf8(text), where), { ok: true, value: holds[i] }, `${text} by ${how}`);
          }
          const output = kept().map((text) => `${text}\n`).join("");
          assertEquals(readParts({ where: where.map(conditionText) }, lines, true), output, how);
        }
      }
    }
  });

  it("compares values by content, and numbers exactly, whatever their size", () => {
    for (const [json] of VALUES) {
      const condition: Condition = { all: [["", "=", JSON.parse(json)], ["", "in", [JSON.parse(json), 5, "x"]]] };
      const where: Condition[] = [condition, ["", "exists"], ["/no", "exists", false], ["/no", "exists", false]];
      for (const text of SPELLINGS) {
        const value = fulfils(JSON.parse(text), condition);
        assertEquals(matches(utf8(text), where), { ok: true, value }, `${json} and ${text}`);
      }
    }
    const cases: { json: string; condition: [string, unknown]; holds: boolean }[] = [
      { json: "9007199254740993", condition: ["=", 9007199254740992n], holds: false },
      { json: "9007199254740993", condition: [">", 9007199254740992n], holds: true },
      { json: "9007199254740993.0", condition: ["=", 9007199254740993n], holds: true },
      { json: "1e400", condition: [">", 1e308], holds: true },
      { json: "-1e-400", condition: ["<", 0], holds: true },
      { json: "0.1", condition: ["=", 0.1], holds: true },
      { json: "0.1000000000000000055511151231257827", condition: ["=", 0.1], holds: false },
    ];
    for (const { json, condition: [operator, value], holds } of cases) {
      assertEquals(
        matches(utf8(json), [["", operator, value] as unknown as Condition]),
        { ok: true, value: holds },
        json,
      );
    }
  });

  it("takes more tests than fit the bits of one pass, and paths that exclude each other in one tree", () => {
    const numbers = Array.from({ length: 100 }, (_, i) => i);
    const one: Condition = { any: numbers.map((i): Condition => [`/a/${i % 7}`, "=", i]) };
    const all = numbers.map((i): Condition => ["/a/0", "!=", i]);
    const mixed: Condition[] = [[["a", every], "=", 7], ["/a/1", "=", 8], [["a", every, "b"], "exists", false], [
      [every, "1"],
      "exists",
    ]];
    for (const text of ["[7]", "[0,99]", "[100]", "[7,8]", "[0,8,7]", "[7,9]", '[7,8,{"b":1}]', '{"1":8,"x":7}']) {
      for (const where of [[one], [{ not: one }], all, mixed, [one, ...all]]) {
        const value = where.every((condition) => fulfils(JSON.parse(`{"a":${text}}`), condition));
        assertMatches(`{"a":${text}}`, where, value, 8);
      }
    }
  });

  it("is an option of all streams of values, with and without batches", async () => {
    const lines = ['{"l":"e","n":1}', '{"l":"i","n":2}', '{"l":"i",', '"n":5}', '{"l":"e","n":3}', '{"l":"e","n":4}'];
    const where: Condition[] = [["/l", "=", "e"], ["/n", "<", 4]];
    const source = () => new Blob([lines.join("\n") + " ".repeat(5000)]).stream();
    const single = await Array.fromAsync(parseValues(source(), { where }));
    assertEquals(single.map(({ index }) => index), [0, 2, 3, 4]);
    assertEquals(await Array.fromAsync(source().pipeThrough(new JsonParseStream({ where }))), single);
    const options = { where, batch: true } as const;
    assertEquals(await Array.fromAsync(parseValues(source(), options)), [single]);
    assertEquals(await Array.fromAsync(source().pipeThrough(new JsonParseStream(options))), [single]);
  });

  it("counts the values it leaves out in the index of a failure", async () => {
    for (const text of ["[1,2,3,x]", "[1,2,1,{}x]", "[2,2"]) {
      const source = () => [utf8(text)];
      const last = async (where?: Condition[]) => {
        return (await Array.fromAsync(parseValues(source(), { multiple: "elements", where }))).at(-1);
      };
      assertEquals(await last([["", "=", 1]]), await last(), text);
    }
  });

  it("returns a batch for each chunk with results, and one for what follows the last chunk", async () => {
    const chunks = ["1\n2", "\n", "", "x", "\n3\n", "4\n".repeat(9)].map((text) => utf8(text));
    const batches = await Array.fromAsync(parseValues(chunks, { batch: true, detachChunks: false }));
    const found = batches.map((batch) => batch.map((result) => result.ok ? result.value : result.code));
    assertEquals(found, [[1], [2], ["unexpected-token", 3], Array(9).fill(4)]);
    const first = parseValues(["[1,2", "]x"].map((text) => utf8(text)), { batch: true, multiple: "elements" });
    assertEquals((await first.next()).value?.length, 1);
    assertEquals((await first.next()).value?.map(({ ok }) => ok), [true, false]);
    assertEquals(await first.next(), { done: true, value: undefined });
    assertThrows(() => parseValues([], { batch: 1 as never }), TypeError, 'expected "batch" to be a boolean');
  });

  it("limits the bytes of an incomplete value", () => {
    const failures: string[] = [];
    const where: Condition[] = [["/a", "=", 1]];
    const parser = new BinaryParser({
      multiple: "lines",
      where,
      maxTokenBytes: 100,
      onFailure: ({ code }) => failures.push(code),
    });
    for (let i = 0; i < 50; i++) parser.push(utf8(i === 0 ? "{" : '"a":[1, 2, 3],'));
    parser.end();
    assertEquals(failures.length, 1);
  });

  const WRONG: [conditions: unknown, words: string][] = [
    ...[{}, { any: 1 }, { not: undefined }, { any: [], all: [] }, { or: [] }, null, 5].map(
      (condition): [unknown, string] => [[["/a", "exists"], condition], "condition 1: expected an array such as"],
    ),
    [[{ any: [["/a", "exists"], ["/b"]] }], "condition 0: expected one of the operators"],
    [[[["a", Symbol()], "exists"]], "condition 0: expected a JSON Pointer"],
    [{}, "Cannot filter by this: expected an array of conditions"],
    [["/a"], "condition 0: expected an array such as"],
    ...[[[]], [["/a"]]].map((wrong): [unknown, string] => [wrong, "condition 0: expected one of the operators"]),
    [
      [["/a", "=", 1], ["/a", "==", 1]],
      "condition 1: expected one of the operators = != < <= > >= in exists startsWith",
    ],
    [[["a", "=", 1]], "condition 0: expected a JSON Pointer"],
    [[["/a".repeat(201), "exists"]], "condition 0: expected a JSON Pointer of up to 200 tokens"],
    [[["/a", "="]], 'expected a pointer, "=" and a value'],
    [[["/a", "=", 1, 2]], 'expected a pointer, "=" and a value'],
    [[["/a", "<", true]], '"<" compares numbers or strings'],
    [[["/a", "contains", 1]], '"contains" compares strings'],
    [[["/a", "in", 1]], '"in" takes an array'],
    [[["/a", "exists", 1]], '"exists" takes true or false'],
    ...[undefined, NaN, Infinity, Symbol(), () => {}, new Date(), [undefined], { a: 1n, b: new Map() }, {
      [Symbol()]: 1,
    }].map((value) => [[["/a", "=", value]], "condition 0: expected a JSON value"] as [unknown, string]),
  ];

  it("says which condition is wrong, and why", () => {
    for (const [conditions, words] of WRONG) {
      assertStringIncludes(assertThrows(() => matches(utf8("1"), conditions as never), TypeError).message, words);
      assertThrows(() => new BinaryParser({ multiple: "lines", where: conditions as never }), TypeError, words);
    }
    const nested = (levels: number): Condition =>
      Array.from({ length: levels }).reduce<Condition>((not) => ({ not }), ["/a", "exists"]);
    assertEquals(matches(utf8("1"), [nested(32)]), { ok: true, value: false });
    assertThrows(() => matches(utf8("1"), [nested(33)]), TypeError, "condition 0: expected up to 32 levels");
    const WRONG_TEXTS = {
      "it has more than 32 levels": `${"not ".repeat(33)}/a exists`,
      "too many tokens": `${"/a".repeat(201)}=1`,
      "nested too deep": `/a=${"[".repeat(300)}${"]".repeat(300)}`,
    };
    for (const [words, text] of Object.entries(WRONG_TEXTS)) {
      assertThrows(() => readParts({ where: [text] }, utf8("1"), true), Error, words);
    }
    const deep = Array.from({ length: 300 }).reduce<ConditionValue>((inner) => [inner], 1);
    assertThrows(() => matches(utf8("1"), [["", "=", deep]]), TypeError, "up to 256 levels");
    const cyclic: ConditionValue[] = [];
    cyclic.push(cyclic);
    assertThrows(() => matches(utf8("1"), [["", "=", cyclic]]), TypeError, "up to 256 levels");
  });

  it('needs "multiple", and refuses options that drop members', () => {
    const where: Condition[] = [["/a", "=", 1]];
    assertThrows(() => new BinaryParser({ where }), TypeError, '"where" needs "multiple"');
    for (const option of [{ duplicateKeys: "first" }, { protoKeys: "drop" }] as const) {
      assertThrows(() => parseValues([], { where, ...option }), TypeError, "conditions would test what it leaves out");
    }
  });

  it("copies the conditions when the parser is made", () => {
    const condition = ["/a", "=", [1]];
    const parser = new BinaryParser({ multiple: "lines", where: [condition] as never, onValue: () => count++ });
    let count = 0;
    (condition[2] as unknown as number[])[0] = 2;
    parser.push(utf8('{"a":[1]}\n{"a":[2]}\n'));
    parser.end();
    assertEquals(count, 1);
  });

  it("reads an input of more than 2 GiB in windows, wherever they end", () => {
    const long = Array.from({ length: 2_000 }, (_, i) => i);
    const documents = [
      { x: "y".repeat(5_000), a: long, b: [{ c: long }, { c: 1 }], d: { c: { c: long } } },
      ["y".repeat(5_000), long, { c: long }, [{ c: long }, 1]],
    ];
    const paths = [[], ["a"], ["1"], ["b", "0", "c"], ["b", every, "c"], [every], [every, "c"], [every, every, "c"]];
    for (const document of documents) {
      const bytes = utf8(JSON.stringify(document));
      const wrong = utf8(JSON.stringify(document).replaceAll("1999]", "1999,]"));
      const failure = parseBinary(wrong) as ParseFailure;
      for (const path of paths) {
        for (const test of [[path, "exists"], [path, "=", long], [path, "in", [1, long]]] as Condition[]) {
          const conditions = conditionsOf([test]);
          const expected = { ok: true, value: fulfils(document, test) } as const;
          for (const size of [8, 6_000]) {
            assertEquals(matchDocument(bytes, conditions, size), expected, `${conditionText(test)} by ${size}`);
            assertEquals(matchDocument(wrong, conditions, size), failure, `${conditionText(test)} by ${size}`);
          }
        }
      }
    }
  });

  it("fails for malformed JSON as parseBinary does", () => {
    const text = '{"a":{"c":1},"b":[{"c":2}]}';
    const conditions: Condition[] = [[[every, "c"], "exists"], [[every, every, "c"], "=", 2]];
    for (let p = 0; p < text.length; p++) {
      for (const wrong of [text.slice(0, p), `${text.slice(0, p)};${text.slice(p + 1)}`]) {
        const bytes = utf8(wrong);
        const expected = parseBinary(bytes);
        if (!expected.ok) assertEquals(matches(bytes, conditions), expected, wrong);
      }
    }
    assertEquals(matches(utf8('{"a":1,}'), []).ok, false);
    assertEquals(matches(new Uint8Array(structuredClone(new ArrayBuffer(8), {})), []).ok, false);
    assertEquals(matches(utf8("7"), []), { ok: true, value: true });
  });
});
