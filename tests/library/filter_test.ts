/** Filters: `where` of streams, and `matches`, against an independent reading. */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { ParseOptions } from "../../parse_binary.ts";
import { BinaryParser, JsonParseStream, parseValues } from "../../parse_stream.ts";
import { type Condition, type ConditionValue, type Mask, matches, type Selector, selector } from "../../select.ts";
import { show, utf8 } from "../support/bytes.ts";
import { fulfils } from "../support/conditions.ts";
import { type Cut, evenCuts, piecesAt, singleCuts } from "../support/cuts.ts";
import { nestedDocument } from "../support/documents.ts";
import { assertSame } from "../support/difference.ts";
import { type Random, withSeeds } from "../support/random.ts";
import { expectedOutcomes, SeveralParser } from "../support/several_values.ts";

/** Values by their JSON, which differs from that of others only by spelling. */
const VALUES: [json: string, spellings: string[]][] = [
  ["1", ["1", "1.0", "10e-1", "0.1E1"]],
  ["-2.5", ["-2.5", "-25e-1", "-2.50"]],
  ["0", ["0", "-0", "0e9", "0.0"]],
  ["1000", ["1000", "1e3", "1E+3"]],
  ['"a"', ['"a"', '"\\u0061"']],
  ['"é\\n"', ['"é\\n"', '"\\u00e9\\u000a"']],
  ['"\\"\\\\"', ['"\\"\\\\"', '"\\u0022\\u005c"']],
  ['"😀"', ['"😀"', '"\\ud83d\\ude00"']],
  ["null", ["null"]],
  ["true", ["true"]],
  ["[]", ["[]", "[ ]"]],
  ["[1,[2]]", ["[1,[2]]", "[ 1e0, [2.0] ]"]],
  ['{"x":1,"y":[]}', ['{"x":1,"y":[]}', '{"y":[],"x":1}', '{"x":2,"y":[],"\\u0078":1}']],
  ['{"x":2}', ['{"x":2}']],
  ["{}", ["{}"]],
];
const SPELLINGS = VALUES.flatMap(([, spellings]) => spellings);
const NAMES = ["a", "b", "c", "0", "1", "é", "", "__proto__"];
const OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "in", "exists"] as const;

/** Joins texts, among which an invalid one may come. */
function joined(random: Random, texts: readonly string[], multiple: "lines" | "concatenated"): string {
  const invalid = random.once(3) ? [multiple === "lines" ? random.pick(['{"a":1,}', '{"a":\n1}']) : "[1 2]"] : [];
  return texts.toSpliced(random.below(texts.length + 1), 0, ...invalid).join(random.pick(["\n", "\r\n", "\n\n"]));
}

function randomCondition(random: Random): Condition {
  const tokens = Array.from({ length: random.below(3) + Number(!random.once(8)) }, () => random.pick(NAMES));
  const pointer = random.once(2) ? tokens : tokens.map((token) => `/${token}`).join("");
  const value = (): ConditionValue => JSON.parse(random.pick(VALUES)[0]);
  const operator = random.pick(OPERATORS);
  if (operator === "exists") return random.once(2) ? [pointer, operator] : [pointer, operator, random.once(2)];
  if (operator === "in") return [pointer, operator, [value(), value(), value()]];
  if (operator === "=" || operator === "!=") return [pointer, operator, value()];
  return [pointer, operator, random.pick([-2.5, 0, 1, 1000, 1n, 7])];
}

/** Options and masks by which values are read that conditions filter. */
const READINGS: { options: ParseOptions; mask: Mask }[] = [
  { options: {}, mask: true },
  { options: {}, mask: { a: true, b: { c: true } } },
  { options: { duplicateKeys: "last", maxDepth: 50, integers: "bigint" }, mask: true },
  { options: { numbers: "source" }, mask: true },
];

describe("where", () => {
  for (const multiple of ["lines", "concatenated", "elements"] as const) {
    it(`filters ${multiple} as the reference does, however they are cut`, () => {
      withSeeds(400, (random) => {
        const texts = Array.from(
          { length: 1 + random.below(5) },
          () => nestedDocument(random, NAMES, 3, SPELLINGS).replaceAll(/[\n\r]/g, " "),
        );
        // Lines near the end of a chunk are read in another way.
        if (random.once(3)) texts.push(`"${"x".repeat(5000)}"`);
        const where = Array.from({ length: 1 + random.below(3) }, () => randomCondition(random));
        for (const text of texts) {
          const value = where.every((condition) => fulfils(JSON.parse(text), condition));
          assertEquals(matches(utf8(text), where), { ok: true, value });
        }
        const { options, mask } = random.pick(READINGS);
        const select = selector(mask) as Selector<unknown>;
        const isFulfilled = ({ index }: { index: number }) =>
          where.every((one) => fulfils(JSON.parse(texts[index]), one));
        const bytes = utf8(multiple === "elements" ? `[${texts.join(" ,")}]` : joined(random, texts, multiple));
        const expected = multiple === "elements"
          ? new SeveralParser(multiple, options, select).parse([bytes]).filter(isFulfilled)
          : expectedOutcomes(bytes, multiple, { options, mask, where });
        const parser = new SeveralParser(multiple, { ...options, where }, select);
        const cuts: Cut[] = [
          [],
          [random.below(bytes.length)],
          ...evenCuts(bytes.length, 1),
          ...(bytes.length < 200 ? singleCuts(bytes.length) : []),
        ];
        const how = JSON.stringify(where, (_, value) => typeof value === "bigint" ? `${value}n` : value);
        for (const cut of cuts) {
          assertSame(parser.parse(piecesAt(bytes, cut)), expected, () => `${show(bytes)} by ${how}, cut at ${cut}`);
        }
      });
    });
  }

  it("compares values by content, and numbers exactly, whatever their size", () => {
    for (const [json] of VALUES) {
      const wanted: Condition = ["", "=", JSON.parse(json)];
      const where: Condition[] = [wanted, ["", "exists"], ["/no", "exists", false], ["/no", "exists", false]];
      for (const text of SPELLINGS) {
        const value = fulfils(JSON.parse(text), wanted);
        assertEquals(matches(utf8(text), where), { ok: true, value }, `${json} and ${text}`);
      }
    }
    const cases: [json: string, condition: Condition[2] extends never ? never : [string, unknown], holds: boolean][] = [
      ["9007199254740993", ["=", 9007199254740992n], false],
      ["9007199254740993", [">", 9007199254740992n], true],
      ["9007199254740993.0", ["=", 9007199254740993n], true],
      ["1e400", [">", 1e308], true],
      ["-1e-400", ["<", 0], true],
      ["0.1", ["=", 0.1], true],
      ["0.1000000000000000055511151231257827", ["=", 0.1], false],
    ];
    for (const [json, [operator, value], holds] of cases) {
      assertEquals(matches(utf8(json), [["", operator, value] as never]), { ok: true, value: holds }, json);
    }
  });

  it("is an option of all streams of values, also in batches", async () => {
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

  it("passes on a batch for each chunk that has results, and what follows the last one", async () => {
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

  it("limits the bytes of a cut value", () => {
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
    [{}, "Cannot filter by this: expected an array of conditions"],
    [["/a"], "condition 0: expected an array such as"],
    ...[[[]], [["/a"]]].map((wrong): [unknown, string] => [wrong, "condition 0: expected one of the operators"]),
    [[["/a", "=", 1], ["/a", "==", 1]], "condition 1: expected one of the operators = != < <= > >= in exists"],
    [[["a", "=", 1]], "condition 0: expected a JSON Pointer"],
    [[["/a".repeat(201), "exists"]], "condition 0: expected a JSON Pointer of up to 200 tokens"],
    [[["/a", "="]], 'expected a pointer, "=" and a value'],
    [[["/a", "=", 1, 2]], 'expected a pointer, "=" and a value'],
    [[["/a", "<", "1"]], '"<" compares numbers'],
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
    const deep = Array.from({ length: 300 }).reduce<ConditionValue>((inner) => [inner], 1);
    assertThrows(() => matches(utf8("1"), [["", "=", deep]]), TypeError, "up to 256 levels");
    const cyclic: ConditionValue[] = [];
    cyclic.push(cyclic);
    assertThrows(() => matches(utf8("1"), [["", "=", cyclic]]), TypeError, "up to 256 levels");
  });

  it("needs several values, and all members", () => {
    const where: Condition[] = [["/a", "=", 1]];
    assertThrows(() => new BinaryParser({ where }), TypeError, '"where" needs "multiple"');
    for (const option of [{ duplicateKeys: "first" }, { protoKeys: "drop" }] as const) {
      assertThrows(() => parseValues([], { where, ...option }), TypeError, "conditions would test what it leaves out");
    }
  });

  it("reads a program's conditions once", () => {
    const condition = ["/a", "=", [1]];
    const parser = new BinaryParser({ multiple: "lines", where: [condition] as never, onValue: () => count++ });
    let count = 0;
    (condition[2] as unknown as number[])[0] = 2;
    parser.push(utf8('{"a":[1]}\n{"a":[2]}\n'));
    parser.end();
    assertEquals(count, 1);
  });

  it("answers for bytes that are no JSON as parseBinary does", () => {
    assertEquals(matches(utf8('{"a":1,}'), []).ok, false);
    assertEquals(matches(new Uint8Array(structuredClone(new ArrayBuffer(8), {})), []).ok, false);
    assertEquals(matches(utf8("7"), []), { ok: true, value: true });
  });
});
