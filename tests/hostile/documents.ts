/**
 * Documents of any size that are made to cost time: for every loop, cache and table of the parser
 * one that would make it quadratic, or slow, if it could be.
 *
 * @module
 */

import { Random } from "../../bench/support/random.ts";
import type { ParseOptions } from "../../parse_binary.ts";
import { collidingKeys, keysOfOneSlot } from "../fuzz/collisions.ts";
import { utf8 } from "../support/bytes.ts";

/** Hostile document: a text of about `size` bytes. */
export interface HostileDocument {
  name: string;
  make: (size: number) => string;
}

/** Repeats the results of a function up to a size, between brackets. */
function list(open: string, close: string, size: number, make: (i: number) => string): string {
  const items: string[] = [];
  for (let i = 0, length = 2; length < size; i++) {
    const item = make(i);
    items.push(item);
    length += item.length + 1;
  }
  return open + items.join() + close;
}

const array = (size: number, make: (i: number) => string): string => list("[", "]", size, make);
const object = (size: number, make: (i: number) => string): string => list("{", "}", size, make);

const random = new Random(1);

/** Keys whose 32-bit hashes are equal, and keys that compete for one slot of the key cache. */
const COLLIDING_KEYS = [...new Set(collidingKeys(random, 20_000))];
const SLOT_NAMES = keysOfOneSlot(random, 400);

/** Names aimed at generated code. */
const CODE_NAMES = ['\\"', "\\\\", "\u2028", "${x}", "*/", "__proto__", "\\u0000", "\\ud800", "'];//", "constructor"];

/** Orders of the keys a to g. */
const ORDERS = Array.from({ length: 5_040 }, (_, i) => {
  const keys = [..."abcdefg"];
  return Array.from({ length: 7 }, (_, k) => {
    const [key] = keys.splice(i % keys.length, 1);
    i = Math.floor(i / (7 - k));
    return key;
  });
});

const digits = (count: number): string => random.characters(count, "123456789");

/** Hostile documents that are valid. */
export const VALID: HostileDocument[] = [
  { name: "nested arrays", make: (size) => "[".repeat(size / 2) + "]".repeat(size / 2) },
  { name: "nested objects", make: (size) => '{"a":'.repeat(size / 6) + "1" + "}".repeat(size / 6) },
  { name: "nested pairs", make: (size) => '[{"b":'.repeat(size / 8) + "1" + "}]".repeat(size / 8) },
  { name: "nested arrays with neighbours", make: (size) => '["x",'.repeat(size / 8) + "1" + ",2]".repeat(size / 8) },
  {
    name: "nested long arrays",
    make: (size) => `["x"${",{}".repeat(513)},`.repeat(size / 1_550) + "1" + "]".repeat(size / 1_550),
  },
  {
    name: "nested wide objects",
    make: (size) => {
      const wide = Array.from({ length: 130 }, (_, i) => `"k${i}":0`).join();
      return `{${wide},"z":`.repeat(size / 1_100) + "1" + "}".repeat(size / 1_100);
    },
  },
  { name: "empty arrays", make: (size) => array(size, () => "[]") },
  { name: "empty objects", make: (size) => array(size, () => "{}") },
  { name: "arrays of one element", make: (size) => array(size, () => "[0]") },
  { name: "literals", make: (size) => array(size, (i) => ["true", "false", "null"][i % 3]) },
  { name: "one integer", make: (size) => "7".repeat(size) },
  { name: "one fraction", make: (size) => `0.${"3".repeat(size)}` },
  { name: "one fraction of zeros and a digit", make: (size) => `1.${"0".repeat(size)}1` },
  { name: "one number that its exponent takes back", make: (size) => `1${"0".repeat(size)}e-${size}` },
  { name: "one exponent", make: (size) => `1e${"9".repeat(size)}` },
  { name: "one exponent of zeros", make: (size) => `1e${"0".repeat(size)}5` },
  { name: "exponents of 1,000 digits", make: (size) => array(size, () => `1e-${"9".repeat(1_000)}`) },
  { name: "integers of 1,000 digits", make: (size) => array(size, () => digits(1_000)) },
  { name: "integers of 40 digits", make: (size) => array(size, () => digits(40)) },
  { name: "integers of 19 digits", make: (size) => array(size, () => digits(19)) },
  { name: "fractions of 21 digits", make: (size) => array(size, () => `0.${digits(21)}`) },
  { name: "numbers next to a tie", make: (size) => array(size, () => `9007199254740993.${"0".repeat(30)}1`) },
  { name: "subnormal numbers", make: (size) => array(size, () => `${digits(17)}e-340`) },
  { name: "small numbers", make: (size) => array(size, () => "0") },
  { name: "numbers as members", make: (size) => array(size, () => `{"a":${digits(30)}}`) },
  { name: "numbers and strings in turn", make: (size) => array(size, (i) => i % 2 ? '""' : "1") },
  { name: "runs of nine numbers", make: (size) => array(size, (i) => i % 10 ? "1" : '""') },
  { name: "runs of 513 numbers", make: (size) => array(size, (i) => i % 514 ? "1" : "null") },
  {
    name: "a comma, then spaces, then a string",
    make: (size) => array(size, (i) => i % 2 ? '"a"' : `1,${" ".repeat(500)}2`),
  },
  {
    name: "keys of one hash in one object",
    make: (size) => object(size, (i) => `"${COLLIDING_KEYS[i % COLLIDING_KEYS.length]}":0`),
  },
  {
    name: "keys of one hash in many",
    make: (size) => array(size, (i) => `{"${COLLIDING_KEYS[i * 7 % COLLIDING_KEYS.length]}":0}`),
  },
  { name: "keys of one slot", make: (size) => array(size, (i) => `{"${SLOT_NAMES[i % 400]}":0}`) },
  { name: "two keys of one hash in turn", make: (size) => array(size, (i) => `{"${COLLIDING_KEYS[i % 2]}":0}`) },
  { name: "different keys in one object", make: (size) => object(size, (i) => `"key ${i}":0`) },
  { name: "integer-like keys", make: (size) => object(size, (i) => `"${i}":0`) },
  { name: "integer-like keys, descending", make: (size) => object(size, (i) => `"${9_999_999 - i}":0`) },
  { name: "integer-like keys, far apart", make: (size) => object(size, (i) => `"${i * 21_474 % 4_294_967_295}":0`) },
  { name: "the same key", make: (size) => object(size, () => '"a":0') },
  { name: "__proto__", make: (size) => object(size, () => '"__proto__":{}') },
  { name: "objects with __proto__", make: (size) => array(size, () => '{"__proto__":[],"a":1}') },
  { name: "escaped keys", make: (size) => array(size, (i) => `{"\\u006b\\u0065y${i % 9}":0}`) },
  { name: "different escaped keys", make: (size) => object(size, (i) => `"\\n${i}":0`) },
  { name: "keys of other scripts", make: (size) => array(size, (i) => `{"é中${i % 300}":0}`) },
  { name: "keys of 65 bytes", make: (size) => array(size, (i) => `{"${String(i % 99).padEnd(65, "k")}":0}`) },
  { name: "one key", make: (size) => `{"${"k".repeat(size)}":0}` },
  { name: "one escaped key", make: (size) => `{"${"\\n".repeat(size / 2)}":0}` },
  { name: "shapes, no two alike", make: (size) => array(size, (i) => `{"a${i}":0,"b${i}":0,"c":0}`) },
  {
    name: "orders of seven keys",
    make: (size) => array(size, (i) => `{${ORDERS[i * 37 % 5_040].map((k) => `"${k}":0`)}}`),
  },
  {
    name: "shapes that share their first keys",
    make: (size) => array(size, (i) => `{${Array.from({ length: 1 + i % 60 }, (_, k) => `"k${k}":0`)}}`),
  },
  {
    name: "common shapes, more than are cached",
    make: (size) => array(size, (i) => `{"x${(i >> 6) % 3_000}":0,"y":1}`),
  },
  {
    name: "common shapes of 128 keys",
    make: (size) => array(size, (i) => `{${Array.from({ length: 128 }, (_, k) => `"${(i >> 6) % 20}${k}":0`)}}`),
  },
  {
    name: "keys aimed at generated code",
    make: (size) => array(size, (i) => `{${CODE_NAMES.map((key) => `"${key}${i >> 7 & 15 || ""}":0`)}}`),
  },
  { name: "predictions that are wrong", make: (size) => array(size, (i) => `{"a":0,"${"bcdef"[i * i % 5]}":0}`) },
  { name: "different strings", make: (size) => array(size, (i) => `"text ${i}"`) },
  {
    name: "strings of one hash",
    make: (size) => array(size, (i) => `"same${String(i % 1_000).padStart(40, "x")}end"`),
  },
  {
    name: "strings of 2,000 bytes and one hash",
    make: (size) => array(size, (i) => `"same${String(i % 90).padStart(1_993, "x")}end"`),
  },
  { name: "one string", make: (size) => `"${"x".repeat(size)}"` },
  { name: "one string of quotes", make: (size) => `"${'\\"'.repeat(size / 2)}"` },
  { name: "one string of backslashes", make: (size) => `"${"\\\\".repeat(size / 2)}"` },
  { name: "one string of \\u escapes", make: (size) => `"${"\\u4e2d".repeat(size / 6)}"` },
  { name: "one string of lone surrogates", make: (size) => `"${"\\ud800".repeat(size / 6)}"` },
  { name: "one string of accents", make: (size) => `"${"é".repeat(size / 2)}"` },
  { name: "one string of CJK", make: (size) => `"${"中".repeat(size / 3)}"` },
  { name: "one string of emoji", make: (size) => `"${"😀".repeat(size / 4)}"` },
  { name: "one string that turns wide at its end", make: (size) => `"${"x".repeat(size)}中"` },
  { name: "one string that turns wide in turn", make: (size) => `"${"xé中😀\\n".repeat(size / 12)}"` },
  { name: "strings that turn wide", make: (size) => array(size, () => `"${"x".repeat(5_000)}中"`) },
  { name: "strings of one escape", make: (size) => array(size, () => '"\\n"') },
  { name: "strings of 25 bytes", make: (size) => array(size, (i) => `"${String(i).padStart(25, "x")}"`) },
  { name: "empty strings", make: (size) => array(size, () => '""') },
  { name: "spaces", make: (size) => `${" ".repeat(size)}1` },
  { name: "line feeds", make: (size) => `${"\n".repeat(size)}1` },
  { name: "spaces around everything", make: (size) => array(size, () => " \t\r\n 1 \t\r\n ") },
  { name: "one space at a time", make: (size) => array(size, () => ' { "a" : 1 } ') },
];

/** Hostile documents that are not valid: the failure is where a parser has done all its work. */
export const INVALID: HostileDocument[] = [
  { name: "nested arrays without an end", make: (size) => "[".repeat(size) },
  { name: "nested objects without an end", make: (size) => '{"":'.repeat(size / 4) },
  { name: "a string without an end", make: (size) => `["${"x".repeat(size)}` },
  { name: "an escaped string without an end", make: (size) => `["${"\\n".repeat(size / 2)}` },
  { name: "a wide string without an end", make: (size) => `["${"中".repeat(size / 3)}` },
  { name: "a digit after which a letter comes", make: (size) => `[${"7".repeat(size)}x` },
  { name: "a bad byte after numbers", make: (size) => `${array(size, () => "1.5").slice(0, -1)},x]` },
  { name: "a bad byte after line feeds", make: (size) => `${"\n".repeat(size)}x` },
  { name: "a bad byte after carriage returns", make: (size) => `${"\r".repeat(size)}x` },
  { name: "a bad byte after lines of one byte", make: (size) => `[${"1,\n".repeat(size / 3)}x` },
  { name: "a bad byte after one line of CJK", make: (size) => `["${"中".repeat(size / 3)}"x` },
];

/** Hostile document for options: a guard has to read all of it by slower code. */
export interface GuardedDocument extends HostileDocument {
  options: ParseOptions;
}

/** Returns a member whose name is an integer, which V8 hashes by its digits. */
const indexMember = (i: number): string => `"${0xffffffff - 1024 * i}":0`;

/** Hostile documents for each guard, which are refused at their end or changed throughout. */
export const GUARDED: GuardedDocument[] = [
  {
    name: "names that are integers, the last one twice",
    make: (size) => object(size, indexMember).replace(/("\d+":0)}$/, "$1,$1}"),
    options: { duplicateKeys: "reject" },
  },
  {
    name: "names of one hash, the last one twice",
    make: (size) => {
      const names = COLLIDING_KEYS.slice(0, size / 12);
      return `{${[...names, names.at(-1)].map((name) => `"${name}":0`)}}`;
    },
    options: { duplicateKeys: "reject" },
  },
  {
    name: "escaped names, the last one twice",
    make: (size) => object(size, (i) => `"\\u00e9${i}":0`).replace(/(,"[^"]+":0)}$/, "$1$1}"),
    options: { duplicateKeys: "reject" },
  },
  {
    name: "one name, again and again",
    make: (size) => object(size, () => '"a":0'),
    options: { duplicateKeys: "first" },
  },
  {
    name: "objects named constructor without prototype",
    make: (size) => array(size, () => '{"constructor":{"name":0}}'),
    options: { protoKeys: "reject" },
  },
  {
    name: "objects named constructor with prototype",
    make: (size) => array(size, () => '{"constructor":{"prototype":0}}'),
    options: { protoKeys: "drop" },
  },
  {
    name: "__proto__ within __proto__",
    make: (size) => `${'{"__proto__":'.repeat(size / 14)}0${"}".repeat(size / 14)}`,
    options: { protoKeys: "drop" },
  },
  {
    name: "arrays as deep as they may be",
    make: (size) => array(size, () => `${"[".repeat(64)}${"]".repeat(64)}`),
    options: { maxDepth: 65 },
  },
  {
    name: "a string that is one byte too long, behind others",
    make: (size) => array(size / 2, () => '"four"').replace("]", `,"${"x".repeat(size / 2)}"]`),
    options: { maxStringBytes: 4 },
  },
  {
    name: "one member too many, behind other objects",
    make: (size) => array(size, () => '{"a":0,"b":0}').replace(/]$/, ',{"a":0,"b":0,"c":0}]'),
    options: { maxMembers: 2 },
  },
  {
    name: "one element too many, behind other arrays",
    make: (size) => array(size, () => "[0,0]").replace(/]$/, ",[0,0,0]]"),
    options: { maxElements: 1_000_000 },
  },
  {
    name: "one byte too many",
    make: (size) => array(size, () => "0").padEnd(size, " "),
    options: { maxBytes: 1_000 },
  },
  {
    name: "one unsafe integer, behind others",
    make: (size) => array(size, () => "1234567890123456").replace(/.{16}]$/, "9007199254740992]"),
    options: { integers: "reject" },
  },
  {
    name: "names that may poison, behind others",
    make: (size) => object(size, (i) => `"__proto_${i}":0`).replace(/}$/, ',"__proto__":0}'),
    options: { protoKeys: "reject" },
  },
  {
    name: "numbers that the program converts",
    make: (size) => array(size, () => "0.5"),
    options: { numbers: "source", number: Number },
  },
  {
    name: "integers of 1,000 digits",
    make: (size) => array(size, () => "7".repeat(1_000)),
    options: { integers: "bigint" },
  },
  {
    name: "unsafe integers",
    make: (size) => array(size, (i) => String(2n ** 60n + BigInt(i))),
    options: { integers: "bigint" },
  },
  { name: "numbers as their texts", make: (size) => array(size, () => "0"), options: { numbers: "source" } },
];

/** Makes a document's bytes. */
export function bytesOf({ make }: HostileDocument, size: number): Uint8Array {
  return utf8(make(Math.floor(size)));
}
