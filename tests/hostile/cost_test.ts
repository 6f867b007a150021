/**
 * Costs of public functions and of the command line for inputs and arguments that an attacker
 * chooses: order, collisions, duplicates, depth. Twice the size takes at most 2.6 times as long.
 */

import { assertLess } from "@std/assert";
import { it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { locate, parseAt, type PointerPath } from "../../pointer.ts";
import { parseWithSchema, type StandardSchemaV1 } from "../../read_json.ts";
import { every, selectBinary, selector } from "../../select.ts";
import { validateBinary } from "../../validate_binary.ts";
import { shortestTime } from "./timing.ts";
import { utf8 } from "../support/bytes.ts";
import { describeLong } from "../support/long.ts";
import { readParts } from "../support/parts.ts";

const MAX_RATIO = 2.6;

/** Shortest time, in milliseconds, that is compared: less is noise. */
const MIN_TIME = 20;

/** Measurements until one is within the bound: a busy machine spoils some, never all. */
const ATTEMPTS = 8;

const ENOUGH = 65_536;

function repeated(count: number, item: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => item(i)).join();
}

/** Returns names that V8 hashes alike: integers beyond array indexes, a multiple of 2^32 apart. */
function integerNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(2 ** 32 * (count - i)));
}

/** Names of one length that agree in their first, middle and last bytes. */
function similarNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `a${String(i).padStart(7, "0")}m${String(7 * i).padStart(7, "0")}z`);
}

function objectOf(names: string[], value = "0"): Uint8Array {
  return utf8(`{${names.map((name) => `"${name}":${value}`)}}`);
}

/** Returns a schema that finds an issue at each path. */
function schemaOf(paths: PointerPath[]): StandardSchemaV1 {
  const issues = paths.map((path) => ({ message: "wrong", path }));
  return { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } } as StandardSchemaV1;
}

/** Ways to spend time, by name: each returns a call for a size. */
const COSTS: Record<string, (size: number) => () => unknown> = {
  "parseBinary() of names that collide": (size) => {
    const bytes = objectOf(integerNames(size));
    return () => parseBinary(bytes, { duplicateKeys: "reject" });
  },
  "parseBinary() with the first of duplicate names": (size) => {
    const bytes = objectOf(Array.from({ length: size }, (_, i) => `a${i % 3}`), "[1,{}]");
    return () => parseBinary(bytes, { duplicateKeys: "first" });
  },
  "parseBinary() with sources, nested": (size) => {
    // Not one nest of all: collecting garbage takes longer the deeper it is.
    const nest = '{"a":[1,'.repeat(100) + "2" + "]}".repeat(100);
    const bytes = utf8(`[${repeated(size / 50, () => nest)}]`);
    return () => parseBinary(bytes, { numbers: "source" });
  },
  "parseBinary() of BigInts": (size) => {
    const bytes = utf8(`[${repeated(size, (i) => `12345678901234567${i}`)}]`);
    return () => parseBinary(bytes, { integers: "bigint" });
  },
  "validateBinary() with guards, of names that collide": (size) => {
    const bytes = objectOf(integerNames(size));
    return () => validateBinary(bytes, { duplicateKeys: "reject", protoKeys: "reject" });
  },
  "selectBinary() of all members, which collide": (size) => {
    const bytes = objectOf(integerNames(size), '{"x":1}');
    const part = selector({ [every]: { x: true } });
    return () => selectBinary(bytes, part);
  },
  "selectBinary() of duplicate members": (size) => {
    const bytes = objectOf(Array.from({ length: size }, () => "a"), '{"x":[{"y":1}]}');
    const part = selector({ a: { x: [{ y: true }] } });
    return () => selectBinary(bytes, part);
  },
  "selector() and selectBinary() of names that agree in some bytes": (size) => {
    const names = similarNames(size);
    const bytes = objectOf(names.toReversed());
    return () => selectBinary(bytes, selector(Object.fromEntries(names.map((name) => [name, true]))));
  },
  "BinaryParser of lines with a selector, a byte at a time": (size) => {
    const bytes = utf8('{"a":{"b":1},"c":"x"}\n'.repeat(size >> 3));
    const parser = new BinaryParser({ multiple: "lines", select: selector({ a: { b: true } }), onValue() {} });
    return () => {
      parser.reset();
      for (let p = 0; p < bytes.length; p++) parser.push(bytes.subarray(p, p + 1));
      parser.end();
    };
  },
  "BinaryParser of a cut document with a selector, a byte at a time": (size) => {
    const bytes = utf8(`{"x":[${repeated(size >> 3, String)}],"a":1}`);
    const parser = new BinaryParser({ select: selector({ a: true }) });
    return () => {
      parser.reset();
      for (let p = 0; p < bytes.length; p++) parser.push(bytes.subarray(p, p + 1));
      parser.end();
    };
  },
  "BinaryParser of bad lines with options": (size) => {
    const bytes = utf8('{"a":[1,}\n{"a":1,"a":2}\n'.repeat(size));
    const parser = new BinaryParser({ multiple: "lines", duplicateKeys: "first", onValue() {} });
    return () => {
      parser.reset();
      parser.push(bytes);
      parser.end();
    };
  },
  "locate() of elements in descending order": (size) => {
    const bytes = utf8(`[${repeated(size, String)}]`);
    const paths = Array.from({ length: size }, (_, i) => [size - 1 - i]);
    return () => locate(bytes, paths);
  },
  "locate() of names that collide, or agree in some bytes": (size) => {
    const names = [...integerNames(size), ...similarNames(size)];
    const bytes = objectOf(names);
    return () => locate(bytes, names.map((name) => [name]));
  },
  "locate() below duplicates": (size) => {
    const bytes = utf8(`{${repeated(size, () => '"a":[0,0]')},"a":[${repeated(size, String)}]}`);
    const paths = Array.from({ length: size }, (_, i) => ["a", i]);
    return () => locate(bytes, paths);
  },
  "parseAt() below duplicates, the first of which counts": (size) => {
    const bytes = utf8(`{${repeated(size, () => '"a":[0,0]')}}`);
    const paths = Array.from({ length: size }, (_, i) => ["a", i]);
    return () => parseAt(bytes, paths, { stopWhenFound: true });
  },
  "locate() of nested values": (size) => {
    const depth = Math.ceil(Math.sqrt(size));
    const bytes = utf8("[".repeat(depth) + "]".repeat(depth));
    const paths = Array.from({ length: depth }, (_, i) => Array.from({ length: i }, () => 0));
    return () => locate(bytes, paths);
  },
  "issues of a schema at descending names": (size) => {
    const bytes = objectOf(integerNames(size));
    const schema = schemaOf(integerNames(size).toReversed().map((name) => [name]));
    return () => parseWithSchema(bytes, schema);
  },
  "issues of a schema below duplicates": (size) => {
    const bytes = utf8(`{${repeated(size, () => '"a":0')},"a":[${repeated(1_000, String)}]}`);
    const schema = schemaOf(Array.from({ length: 1_000 }, (_, i) => ["a", i]));
    return () => parseWithSchema(bytes, schema);
  },
  "issues of a schema at missing values": (size) => {
    const bytes = objectOf(similarNames(size));
    const schema = schemaOf(similarNames(size).map((name) => [name, "x", "y"]));
    return () => parseWithSchema(bytes, schema);
  },
  "select '{*:{x}}' of names that collide": (size) => {
    const bytes = objectOf(integerNames(size), '{"x":1}');
    return () => readParts({ mask: "{*:{x}}" }, bytes, false, ENOUGH);
  },
  "select '{a:{x}}' of duplicate names": (size) => {
    const bytes = objectOf(Array.from({ length: size }, () => "a"), '{"x":1}');
    return () => readParts({ mask: "{a:{x}}" }, bytes, false, ENOUGH);
  },
  "--where of a document with duplicates": (size) => {
    const bytes = utf8(`{${repeated(size, () => '"a":{"b":[1,2]}')},"a":{"b":[2]}}\n`);
    return () => readParts({ where: ['/a={"b":[2]}'] }, bytes, true);
  },
  "--where of values that nearly match": (size) => {
    const value = `[${repeated(size, (i) => `{"a\\u0062":${i}}`)}]`;
    const bytes = utf8(`{"a":${value}}\n`);
    const wanted = `/a=[${repeated(size, (i) => `{"ab":${i}.0}`)}]`;
    return () => readParts({ where: [wanted] }, bytes, true);
  },
  "--where of members within duplicates": (size) => {
    const bytes = utf8(`{"a":{${repeated(size, () => '"b":{"c":{"d":1}}')}}}\n`);
    return () => readParts({ where: ['/a={"b":{"c":{"d":2}}}'] }, bytes, true);
  },
  "each of the elements below duplicates": (size) => {
    const bytes = utf8(`{${repeated(size, () => '"a":0')},"a":[${repeated(size, String)}]}`);
    return () => readParts({ each: ["a"] }, bytes, false, ENOUGH);
  },
};

/** Returns the time of a call in milliseconds. */
function timeOf(call: () => unknown): number {
  return shortestTime(call, new Uint8Array(0), 3);
}

describeLong("twice the size takes at most 2.6 times as long", () => {
  for (const [name, callFor] of Object.entries(COSTS)) {
    it(`in ${name}`, () => {
      let size = 1_000;
      while (size < 64_000 && timeOf(callFor(size)) < MIN_TIME) size *= 2;
      const [small, large] = [callFor(size), callFor(2 * size)];
      let ratio = Infinity;
      for (let attempt = 0; attempt < ATTEMPTS && ratio >= MAX_RATIO; attempt++) {
        ratio = Math.min(ratio, timeOf(large) / Math.max(1, timeOf(small)));
      }
      assertLess(ratio, MAX_RATIO, `${size} and ${2 * size}`);
    });
  }
});
