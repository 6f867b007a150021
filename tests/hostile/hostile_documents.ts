/**
 * Documents of any size that are made to cost time: for every loop, cache and table of the parser
 * one that would make it quadratic, or slow, if it could be.
 */

import { Random } from "../../bench/support/random.ts";
import type { ParseOptions } from "../../parse_binary.ts";
import { collidingKeys, keysOfOneSlot } from "../fuzz/collisions.ts";
import { utf8 } from "../support/bytes.ts";

/** Hostile document: its text of about `size` bytes, and options that read all of it by slower code. */
export type HostileDocument = [name: string, make: (size: number) => string, options?: ParseOptions];

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

const digits = (count: number): string => random.characters(count, "123456789");

/** Hostile documents: valid ones, then some whose failure is where a parser has done all its work. */
export const PLAIN: HostileDocument[] = [
  ["nested arrays", (size) => "[".repeat(size / 2) + "]".repeat(size / 2)],
  ["nested objects", (size) => '{"a":'.repeat(size / 6) + "1" + "}".repeat(size / 6)],
  ["nested pairs", (size) => '[{"b":'.repeat(size / 8) + "1" + "}]".repeat(size / 8)],
  ["nested arrays with neighbours", (size) => '["x",'.repeat(size / 8) + "1" + ",2]".repeat(size / 8)],
  ["nested long arrays", (size) => `["x"${",{}".repeat(513)},`.repeat(size / 1_550) + "1" + "]".repeat(size / 1_550)],
  ["nested wide objects", (size) => {
    const wide = Array.from({ length: 130 }, (_, i) => `"k${i}":0`).join();
    return `{${wide},"z":`.repeat(size / 1_100) + "1" + "}".repeat(size / 1_100);
  }],
  ["empty arrays", (size) => array(size, () => "[]")],
  ["empty objects", (size) => array(size, () => "{}")],
  ["arrays of one element", (size) => array(size, () => "[0]")],
  ["literals", (size) => array(size, (i) => ["true", "false", "null"][i % 3])],
  ["one integer", (size) => "7".repeat(size)],
  ["one fraction", (size) => `0.${"3".repeat(size)}`],
  ["one fraction of zeros and a digit", (size) => `1.${"0".repeat(size)}1`],
  ["one number that its exponent takes back", (size) => `1${"0".repeat(size)}e-${size}`],
  ["one exponent", (size) => `1e${"9".repeat(size)}`],
  ["one exponent of zeros", (size) => `1e${"0".repeat(size)}5`],
  ["exponents of 1,000 digits", (size) => array(size, () => `1e-${"9".repeat(1_000)}`)],
  ["integers of 1,000 digits", (size) => array(size, () => digits(1_000))],
  ["integers of 40 digits", (size) => array(size, () => digits(40))],
  ["integers of 19 digits", (size) => array(size, () => digits(19))],
  ["fractions of 21 digits", (size) => array(size, () => `0.${digits(21)}`)],
  ["numbers next to a tie", (size) => array(size, () => `9007199254740993.${"0".repeat(30)}1`)],
  ["subnormal numbers", (size) => array(size, () => `${digits(17)}e-340`)],
  ["small numbers", (size) => array(size, () => "0")],
  ["numbers as members", (size) => array(size, () => `{"a":${digits(30)}}`)],
  ["numbers and strings in turn", (size) => array(size, (i) => i % 2 ? '""' : "1")],
  ["runs of nine numbers", (size) => array(size, (i) => i % 10 ? "1" : '""')],
  ["runs of 513 numbers", (size) => array(size, (i) => i % 514 ? "1" : "null")],
  ["a comma, spaces, then a string", (size) => array(size, (i) => i % 2 ? '"a"' : `1,${" ".repeat(500)}2`)],
  ["keys of one hash in one object", (size) => object(size, (i) => `"${COLLIDING_KEYS[i % COLLIDING_KEYS.length]}":0`)],
  ["keys of one hash in many", (size) => array(size, (i) => `{"${COLLIDING_KEYS[i * 7 % COLLIDING_KEYS.length]}":0}`)],
  ["keys of one slot", (size) => array(size, (i) => `{"${SLOT_NAMES[i % 400]}":0}`)],
  ["two keys of one hash in turn", (size) => array(size, (i) => `{"${COLLIDING_KEYS[i % 2]}":0}`)],
  ["different keys in one object", (size) => object(size, (i) => `"key ${i}":0`)],
  ["integer-like keys", (size) => object(size, (i) => `"${i}":0`)],
  ["integer-like keys, descending", (size) => object(size, (i) => `"${9_999_999 - i}":0`)],
  ["integer-like keys, far apart", (size) => object(size, (i) => `"${i * 21_474 % 4_294_967_295}":0`)],
  ["the same key", (size) => object(size, () => '"a":0')],
  ["__proto__", (size) => object(size, () => '"__proto__":{}')],
  ["objects with __proto__", (size) => array(size, () => '{"__proto__":[],"a":1}')],
  ["escaped keys", (size) => array(size, (i) => `{"\\u006b\\u0065y${i % 9}":0}`)],
  ["different escaped keys", (size) => object(size, (i) => `"\\n${i}":0`)],
  ["keys of other scripts", (size) => array(size, (i) => `{"é中${i % 300}":0}`)],
  ["keys of 65 bytes", (size) => array(size, (i) => `{"${String(i % 99).padEnd(65, "k")}":0}`)],
  ["one key", (size) => `{"${"k".repeat(size)}":0}`],
  ["one escaped key", (size) => `{"${"\\n".repeat(size / 2)}":0}`],
  ["shapes, no two alike", (size) => array(size, (i) => `{"a${i}":0,"b${i}":0,"c":0}`)],
  ["orders of seven keys", (size) => array(size, () => `{${random.shuffle([..."abcdefg"]).map((k) => `"${k}":0`)}}`)],
  [
    "shapes that share their first keys",
    (size) => array(size, (i) => `{${Array.from({ length: 1 + i % 60 }, (_, k) => `"k${k}":0`)}}`),
  ],
  ["common shapes, more than are cached", (size) => array(size, (i) => `{"x${(i >> 6) % 3_000}":0,"y":1}`)],
  [
    "common shapes of 128 keys",
    (size) => array(size, (i) => `{${Array.from({ length: 128 }, (_, k) => `"${(i >> 6) % 20}${k}":0`)}}`),
  ],
  [
    "keys aimed at generated code",
    (size) => array(size, (i) => `{${CODE_NAMES.map((key) => `"${key}${i >> 7 & 15 || ""}":0`)}}`),
  ],
  ["predictions that are wrong", (size) => array(size, (i) => `{"a":0,"${"bcdef"[i * i % 5]}":0}`)],
  ["different strings", (size) => array(size, (i) => `"text ${i}"`)],
  ["strings of one hash", (size) => array(size, (i) => `"same${String(i % 1_000).padStart(40, "x")}end"`)],
  [
    "strings of 2,000 bytes and one hash",
    (size) => array(size, (i) => `"same${String(i % 90).padStart(1_993, "x")}end"`),
  ],
  ["one string", (size) => `"${"x".repeat(size)}"`],
  ...['\\"', "\\\\", "\\u4e2d", "\\ud800", "é", "中", "😀", "xé中😀\\n"].map((text): HostileDocument => {
    return [`one string of ${text}`, (size) => `"${text.repeat(size / utf8(text).length)}"`];
  }),
  ["one string that turns wide at its end", (size) => `"${"x".repeat(size)}中"`],
  ["strings that turn wide", (size) => array(size, () => `"${"x".repeat(5_000)}中"`)],
  ["strings of one escape", (size) => array(size, () => '"\\n"')],
  ["strings of 25 bytes", (size) => array(size, (i) => `"${String(i).padStart(25, "x")}"`)],
  ["empty strings", (size) => array(size, () => '""')],
  ["spaces", (size) => `${" ".repeat(size)}1`],
  ["line feeds", (size) => `${"\n".repeat(size)}1`],
  ["spaces around everything", (size) => array(size, () => " \t\r\n 1 \t\r\n ")],
  ["one space at a time", (size) => array(size, () => ' { "a" : 1 } ')],
  ["nested arrays without an end", (size) => "[".repeat(size)],
  ["nested objects without an end", (size) => '{"":'.repeat(size / 4)],
  ["a string without an end", (size) => `["${"x".repeat(size)}`],
  ["an escaped string without an end", (size) => `["${"\\n".repeat(size / 2)}`],
  ["a wide string without an end", (size) => `["${"中".repeat(size / 3)}`],
  ["a digit after which a letter comes", (size) => `[${"7".repeat(size)}x`],
  ["a bad byte after numbers", (size) => `${array(size, () => "1.5").slice(0, -1)},x]`],
  ["a bad byte after line feeds", (size) => `${"\n".repeat(size)}x`],
  ["a bad byte after carriage returns", (size) => `${"\r".repeat(size)}x`],
  ["a bad byte after lines of one byte", (size) => `[${"1,\n".repeat(size / 3)}x`],
  ["a bad byte after one line of CJK", (size) => `["${"中".repeat(size / 3)}"x`],
];

/** Returns a member whose name is an integer, which V8 hashes by its digits. */
const indexMember = (i: number): string => `"${0xffffffff - 1024 * i}":0`;

/** Hostile documents for each guard, which are refused at their end or changed throughout. */
export const GUARDED: Required<HostileDocument>[] = [
  [
    "names that are integers, the last one twice",
    (size) => object(size, indexMember).replace(/("\d+":0)}$/, "$1,$1}"),
    { duplicateKeys: "reject" },
  ],
  ["names of one hash, the last one twice", (size) => {
    const names = COLLIDING_KEYS.slice(0, size / 12);
    return `{${[...names, names.at(-1)].map((name) => `"${name}":0`)}}`;
  }, { duplicateKeys: "reject" }],
  [
    "escaped names, the last one twice",
    (size) => object(size, (i) => `"\\u00e9${i}":0`).replace(/(,"[^"]+":0)}$/, "$1$1}"),
    { duplicateKeys: "reject" },
  ],
  ["one name, again and again", (size) => object(size, () => '"a":0'), { duplicateKeys: "first" }],
  ["constructor without prototype", (size) => array(size, () => '{"constructor":{"name":0}}'), { protoKeys: "reject" }],
  ["constructor with prototype", (size) => array(size, () => '{"constructor":{"prototype":0}}'), { protoKeys: "drop" }],
  ["__proto__ within __proto__", (size) => `${'{"__proto__":'.repeat(size / 14)}0${"}".repeat(size / 14)}`, {
    protoKeys: "drop",
  }],
  ["arrays as deep as they may be", (size) => array(size, () => `${"[".repeat(64)}${"]".repeat(64)}`), {
    maxDepth: 65,
  }],
  [
    "one string too long, at the end",
    (size) => array(size / 2, () => '"four"').replace("]", `,"${"x".repeat(size / 2)}"]`),
    { maxStringBytes: 4 },
  ],
  [
    "one member too many, at the end",
    (size) => array(size, () => '{"a":0,"b":0}').replace(/]$/, ',{"a":0,"b":0,"c":0}]'),
    { maxMembers: 2 },
  ],
  ["one element too many, at the end", (size) => array(size, () => "[0,0]").replace(/]$/, ",[0,0,0]]"), {
    maxElements: 1_000_000,
  }],
  ["one byte too many", (size) => array(size, () => "0").padEnd(size, " "), { maxBytes: 1_000 }],
  [
    "one unsafe integer, at the end",
    (size) => array(size, () => "1234567890123456").replace(/.{16}]$/, "9007199254740992]"),
    { integers: "reject" },
  ],
  [
    "one __proto__ behind names like it",
    (size) => object(size, (i) => `"__proto_${i}":0`).replace(/}$/, ',"__proto__":0}'),
    { protoKeys: "reject" },
  ],
  ["numbers that the caller converts", (size) => array(size, () => "0.5"), { numbers: "source", number: Number }],
  ["integers of 1,000 digits", (size) => array(size, () => "7".repeat(1_000)), { integers: "bigint" }],
  ["unsafe integers", (size) => array(size, (i) => String(2n ** 60n + BigInt(i))), { integers: "bigint" }],
  ["numbers as their texts", (size) => array(size, () => "0"), { numbers: "source" }],
];

/** Makes a document's bytes. */
export function bytesOf([, make]: HostileDocument, size: number): Uint8Array {
  return utf8(make(Math.floor(size)));
}
