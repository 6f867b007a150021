/**
 * Inputs and arguments made to cost time: none may cost more than in proportion to its size. `deno
 * task test hostile` holds documents to that.
 */

import { assertEquals, assertLess } from "@std/assert";
import { it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { locate, parseAt, type PointerPath } from "../../pointer.ts";
import { parseWithSchema, type StandardSchemaV1 } from "../../read_json.ts";
import { every, selectBinary, selector } from "../../select.ts";
import { validateBinary } from "../../validate_binary.ts";
import { type Call, inChunks, shortestTime } from "./processor_time.ts";
import { assertFailure } from "../support/assertions.ts";
import { utf8 } from "../support/bytes.ts";
import { describeLong } from "../support/long.ts";
import { readParts } from "../support/read_parts.ts";

/** Measurements until one is within the bound: a busy machine spoils some, never all. */
const ATTEMPTS = 8;

const list = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join();
const paths = (count: number, path: (i: number) => PointerPath): PointerPath[] => {
  return Array.from({ length: count }, (_, i) => path(i));
};

/** Returns names that V8 hashes alike: integers beyond array indexes, a multiple of 2^32 apart. */
function integerNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(2 ** 32 * (count - i)));
}

/** Names of one length that agree in their first, middle and last bytes. */
function similarNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `a${String(i).padStart(7, "0")}m${String(7 * i).padStart(7, "0")}z`);
}

const both = (count: number): string[] => [...integerNames(count), ...similarNames(count)];
const same = (count: number): string[] => Array.from({ length: count }, () => "a");
const objectOf = (names: string[], value = "0"): string => `{${names.map((name) => `"${name}":${value}`)}}`;
/** Returns an object of duplicates, the last of which has the elements that paths lead to. */
const duplicates = (count: number, value: string, last = count): string => {
  return `{${list(count, () => `"a":${value}`)},"a":[${list(last, String)}]}`;
};

/** Returns a schema that finds an issue at each path. */
function schemaOf(paths: PointerPath[]): StandardSchemaV1 {
  const issues = paths.map((path) => ({ message: "wrong", path }));
  return { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } } as StandardSchemaV1;
}

const ENOUGH = 65_536;
// Not one nest of all: collecting garbage takes longer the deeper it is.
const NEST = '{"a":[1,'.repeat(100) + "2" + "]}".repeat(100);

/** Ways to spend time, by name: a text of a size, and the call for that size. */
const COSTS: Record<string, [textOf: (size: number) => string, callFor: (size: number) => Call]> = {
  "parseBinary() with sources, nested": [
    (size) => `[${list(size / 50, () => NEST)}]`,
    () => (bytes) => parseBinary(bytes, { numbers: "source" }),
  ],
  "selectBinary() of all members, which collide": [(size) => objectOf(integerNames(size), '{"x":1}'), () => {
    const part = selector({ [every]: { x: true } });
    return (bytes) => selectBinary(bytes, part);
  }],
  "selectBinary() of duplicate members": [(size) => objectOf(same(size), '{"x":[{"y":1}]}'), () => {
    const part = selector({ a: { x: [{ y: true }] } });
    return (bytes) => selectBinary(bytes, part);
  }],
  "selector() and selectBinary() of names that agree in some bytes": [
    (size) => objectOf(similarNames(size).toReversed()),
    (size) => {
      const mask = Object.fromEntries(similarNames(size).map((name) => [name, true] as const));
      return (bytes) => selectBinary(bytes, selector(mask));
    },
  ],
  "BinaryParser of lines with a selector, a byte at a time": [
    (size) => '{"a":{"b":1},"c":"x"}\n'.repeat(size >> 3),
    () => inChunks(new BinaryParser({ multiple: "lines", select: selector({ a: { b: true } }), onValue() {} }), 1),
  ],
  "BinaryParser of a cut document with a selector, a byte at a time": [
    (size) => `{"x":[${list(size >> 3, String)}],"a":1}`,
    () => inChunks(new BinaryParser({ select: selector({ a: true }) }), 1),
  ],
  "BinaryParser of bad lines with options": [
    (size) => '{"a":[1,}\n{"a":1,"a":2}\n'.repeat(size),
    () => inChunks(new BinaryParser({ multiple: "lines", duplicateKeys: "first", onValue() {} }), Infinity),
  ],
  "locate() of elements in descending order": [(size) => `[${list(size, String)}]`, (size) => {
    const descending = paths(size, (i) => [size - 1 - i]);
    return (bytes) => locate(bytes, descending);
  }],
  "locate() of names that collide, or agree in some bytes": [(size) => objectOf(both(size)), (size) => {
    const names = both(size).map((name) => [name]);
    return (bytes) => locate(bytes, names);
  }],
  "locate() below duplicates": [(size) => duplicates(size, "[0,0]"), (size) => {
    const elements = paths(size, (i) => ["a", i]);
    return (bytes) => locate(bytes, elements);
  }],
  "parseAt() below duplicates, the first of which counts": [(size) => objectOf(same(size), "[0,0]"), (size) => {
    const elements = paths(size, (i) => ["a", i]);
    return (bytes) => parseAt(bytes, elements, { stopWhenFound: true });
  }],
  "locate() of nested values": [
    (size) => "[".repeat(Math.ceil(Math.sqrt(size))) + "]".repeat(Math.ceil(Math.sqrt(size))),
    (size) => {
      const nested = paths(Math.ceil(Math.sqrt(size)), (i) => Array.from({ length: i }, () => 0));
      return (bytes) => locate(bytes, nested);
    },
  ],
  "issues of a schema at descending names": [(size) => objectOf(integerNames(size)), (size) => {
    const schema = schemaOf(integerNames(size).toReversed().map((name) => [name]));
    return (bytes) => parseWithSchema(bytes, schema);
  }],
  "issues of a schema below duplicates": [(size) => duplicates(size, "0", 1_000), () => {
    const schema = schemaOf(paths(1_000, (i) => ["a", i]));
    return (bytes) => parseWithSchema(bytes, schema);
  }],
  "issues of a schema at missing values": [(size) => objectOf(similarNames(size)), (size) => {
    const schema = schemaOf(similarNames(size).map((name) => [name, "x", "y"]));
    return (bytes) => parseWithSchema(bytes, schema);
  }],
  "select '{*:{x}}' of names that collide": [
    (size) => objectOf(integerNames(size), '{"x":1}'),
    () => (bytes) => readParts({ mask: "{*:{x}}" }, bytes, false, ENOUGH),
  ],
  "select '{a:{x}}' of duplicate names": [
    (size) => objectOf(same(size), '{"x":1}'),
    () => (bytes) => readParts({ mask: "{a:{x}}" }, bytes, false, ENOUGH),
  ],
  "--where of a document with duplicates": [
    (size) => `{${list(size, () => '"a":{"b":[1,2]}')},"a":{"b":[2]}}\n`,
    () => (bytes) => readParts({ where: ['/a={"b":[2]}'] }, bytes, true),
  ],
  "--where of values that nearly match": [
    (size) => `{"a":[${list(size, (i) => `{"a\\u0062":${i}}`)}]}\n`,
    (size) => {
      const wanted = `/a=[${list(size, (i) => `{"ab":${i}.0}`)}]`;
      return (bytes) => readParts({ where: [wanted] }, bytes, true);
    },
  ],
  "--where of members within duplicates": [
    (size) => `{"a":{${list(size, () => '"b":{"c":{"d":1}}')}}}\n`,
    () => (bytes) => readParts({ where: ['/a={"b":{"c":{"d":2}}}'] }, bytes, true),
  ],
  "--where of lines by a list of values": [
    (size) => Array.from({ length: size }, (_, i) => `{"a":"\\u0061${i}"}\n{"a":${i}e1}\n`).join(""),
    (size) => {
      const wanted = `/a in [${list(size, (i) => `"b${i}",1${i}`)}]`;
      return (bytes) => readParts({ where: [wanted] }, bytes, true);
    },
  ],
  "--where of a part that a text nearly has": [
    (size) => `{"a":"${"x".repeat(100 * size)}"}\n`,
    (size) => (bytes) => readParts({ where: [`/a*="${"x".repeat(50 * size)}y"`] }, bytes, true),
  ],
  "each of the elements below duplicates": [
    (size) => duplicates(size, "[]"),
    () => (bytes) => readParts({ each: ["a"] }, bytes, false, ENOUGH),
  ],
};

/**
 * Maximum ratio of times for twice the size, and the shortest time in milliseconds: below it, a
 * single collection of garbage counts.
 */
const [MAX_RATIO, MIN_COST] = [2.6, 40];

describeLong("twice the size takes at most 2.6 times as long", () => {
  for (const [name, [textOf, callFor]] of Object.entries(COSTS)) {
    it(`in ${name}`, () => {
      /** Returns a function that measures the call for a size, in milliseconds. */
      const timing = (size: number): () => number => {
        const [bytes, call] = [utf8(textOf(size)), callFor(size)];
        return () => shortestTime(call, bytes, 3);
      };
      let size = 1_000;
      while (size < 256_000 && timing(size)() < MIN_COST) size *= 2;
      const [small, large] = [timing(size), timing(2 * size)];
      let ratio = Infinity;
      for (let attempt = 0; attempt < ATTEMPTS && ratio >= MAX_RATIO; attempt++) {
        ratio = Math.min(ratio, large() / Math.max(1, small()));
      }
      assertLess(ratio, MAX_RATIO, `${size} and ${2 * size}`);
    });
  }
});

describeLong("ten million", () => {
  it("levels are parsed and validated", () => {
    const levels = 10_000_000;
    const bytes = new Uint8Array(2 * levels).fill(0x5b, 0, levels).fill(0x5d, levels);
    assertEquals(validateBinary(bytes), { ok: true });
    const result = parseBinary(bytes);
    let depth = 0;
    for (let value = result.ok && result.value; Array.isArray(value); value = value[0]) depth++;
    assertEquals(depth, levels);
    assertFailure(bytes.subarray(0, levels), "unexpected-end", levels);
  });

  it("digits are one number", () => {
    const digits = "7".repeat(10_000_000);
    const rows = { [digits]: Infinity, [`0.${digits}`]: 7 / 9, [`${digits}e-10000000`]: 7 / 9, [`1e-${digits}`]: 0 };
    for (const [text, value] of Object.entries(rows)) assertEquals(parseBinary(utf8(text)), { ok: true, value });
  });
});
