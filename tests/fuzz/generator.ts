/**
 * Generator of sequences of documents. The documents of a round share keys, shapes, strings and
 * style, and differ from each other in little: state that one call leaves behind must not deceive
 * the next. It is that of one session, as a worker has.
 */

import { Random } from "../../bench/support/random.ts";
import { keys as cachedKeys } from "../../parser/objects/key_cache.ts";
import { concat, FORMS, utf8 } from "../support/bytes.ts";
import { randomDocument, randomNumber, randomString } from "../support/random_documents.ts";
import { randomMiddle, spellings } from "../support/doubles.ts";
import { corrupt } from "../support/mutations.ts";
import { collidingKeys, collidingLongStrings, collidingShapes, collidingStrings, keysOfOneSlot } from "./collisions.ts";
import type { Step } from "./steps.ts";

/** Documents of a round. */
const ROUND_LENGTH = 64;

/** Sets of options of a session. Each is used again and again, since frozen options learn. */
const OPTION_SETS = 24;

/** Maximum number of documents of a session that later ones are made from. */
const POOL_LENGTH = 400;

/** Keys that engines and parsers treat in ways of their own, as they are spelled in JSON. */
const TRICKY_KEYS = [
  ...["__proto__", "__proto_\\u005f", "\\u005f_proto__", "constructor", "toString", "length", "hasOwnProperty", ""],
  ...["0", "1", "2", "10", "-1", "01", "4294967294", "4294967295", "4294967296", "9007199254740993", "1e3", "-0"],
  ...["a\\u0062", "\\u0061b", "\\\\", '\\"', "\\/", "\\n", "\\u0022", "\\u005c", "\\ud800", "\\u0000", "a\\\\", "é"],
  ...["中", "😀", "\\ud83d\\ude00", "\u2028", "\ufeff", "${x}", "*/", "'];", "\x7f"],
];

/** Integers that are safe and unsafe as doubles. */
const INTEGERS = [
  ...["0", "1", "-2", "9007199254740991", "-9007199254740991", "9007199254740992", "9007199254740993"],
  ...["-9007199254740993", "12345678901234567890", "-1234567890123456789012345678901234567890"],
];

/** Keys with an escape at their ends, after which V8's `JSON.parse` confuses keys. */
const ESCAPED_ENDS = ["\\\\", '\\"', "\\/", "\\n", "\\u0041", "\\u005c", "\\u00e9", "\\u4e2d"];

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;!?/'{}[]";
const WIDER = [..."éüßñ\xa0ÿ", ..."ĀЖא߿", ..."ࠀ中あ\u2028\ufeff\uffff", "😀", "𐀀", "\u{10ffff}"];
const ESCAPES = ["\\n", '\\"', "\\\\", "\\/", "\\t", "\\u0000", "\\u00e9", "\\u4e2d", "\\ud83d\\ude00", "\\ud800"];

/** Whitespace of documents: between tokens, and after a line feed for each level. */
const STYLES: [afterComma: string, beforeColon: string, afterColon: string, open: string, indent?: string][] = [
  ["", "", "", ""],
  ["", "", "", ""],
  [" ", "", " ", ""],
  ["\n", "", "", ""],
  ["", "", " ", "", "  "],
  ["", "", " ", "", "    "],
  ["", "", "  ", "", "\t"],
  [" ", " ", "\t", " "],
  ["\r\n  ", "", "\n", "\r\n"],
  ["         ", "   ", "     ", "       "],
];

let random = new Random(0);
/** Sizes at which something in the parser may change. */
let thresholds: number[] = [];
let optionSeeds: number[] = [];
/** Keys of the session and of the round, as spelled in JSON without quotes. */
let sessionKeys: string[] = [];
let keys: string[] = [];
/** Lists of keys. */
let shapes: string[][] = [];
/** Pairs of shapes whose hashes are equal. */
let shapePairs: [string[], string[]][] = [];
/** String tokens without quotes. */
let strings: string[] = [];
let style = STYLES[0];
const pool: Uint8Array[] = [utf8("[1]")];

/** Begins the session. It looks at the caches of the parser, to collide with what they hold. */
export function beginSession(seed: number, sizes: number[]): void {
  random = new Random(seed);
  thresholds = [...new Set(sizes)];
  optionSeeds = make(OPTION_SETS, () => random.below(2 ** 31));
}

/** Makes the steps of the next round. */
export function makeRound(): Step[] {
  beginRound();
  const steps: Step[] = [];
  while (steps.length < ROUND_LENGTH) {
    const bytes = document();
    if (bytes.length < 2_000 && !random.once(4)) {
      pool[pool.length < POOL_LENGTH ? pool.length : random.below(POOL_LENGTH)] = bytes;
    }
    steps.push(step(bytes));
    // Its beginning, whose end is where the other went on, and the same with another end.
    if (random.once(9) && bytes.length > 0) steps.push(step(bytes.slice(0, -1 - random.below(9))));
    if (random.once(20)) steps.push(step(corrupt(random, bytes, random.pick(pool))));
  }
  for (let i = random.below(3); i >= 0; i--) steps.push(severalDocuments(steps));
  return steps;
}

function make<T>(count: number, item: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => item(i));
}

function beginRound(): void {
  style = random.pick(STYLES);
  if (sessionKeys.length === 0 || random.once(40)) sessionKeys = make(60, newKey);
  keys = make(random.pick([1, 2, 4, 8, 20, 40]), () => {
    return random.once(3) ? newKey() : perturbKey(random.pick(sessionKeys));
  });
  if (random.once(6)) keys.push(...collidingKeys(random, random.pick([2, 5, 9])));
  if (random.once(12)) keys.push(...keysOfOneSlot(random, random.pick([4, 6, 12])));
  shapes = make(random.pick([1, 2, 3, 6]), () => make(random.pick([1, 2, 3, 3, 5, 8, 14]), () => random.pick(keys)));
  for (const shape of shapes.slice()) if (random.once(2)) shapes.push(perturbShape(shape));
  shapePairs = random.once(15) ? collidingShapePairs() : [];
  if (shapePairs.length > 0) style = STYLES[0];
  strings = make(random.pick([2, 5, 12, 40]), newString);
  for (let i = random.below(6); i > 0; i--) strings.push(perturb(random.pick(strings)));
  if (random.once(4)) strings.push(...collidingStrings(random, random.pick([2, 4, 10])));
  if (random.once(10)) strings.push(...collidingLongStrings(random, 4));
}

/** Makes pairs of shapes of one hash, from keys that the parser has cached. */
function collidingShapePairs(): [string[], string[]][] {
  const cached = cachedKeys.filter(({ id, name, size }) => {
    return id > 0 && size === name.length + 2 && /^[\w .-]+$/.test(name);
  });
  const names = new Map(cached.map(({ id, name }) => [id, name]));
  return collidingShapes(random, [...names.keys()], 3).map((pair) => {
    return pair.map((ids) => ids.map((id) => names.get(id)!)) as [string[], string[]];
  });
}

function newKey(): string {
  if (random.once(5)) return random.pick(TRICKY_KEYS);
  if (random.once(12)) {
    return random.characters(random.below(5), PLAIN).replaceAll('"', "") + random.pick(ESCAPED_ENDS);
  }
  if (random.once(12)) return newString();
  const around = random.once(8) ? nearLength(140) : random.below(20);
  return random.characters(Math.max(0, around - random.pick([0, 0, 1, 2, 3])), PLAIN);
}

function newString(): string {
  const length = random.once(25)
    ? nearLength(40)
    : random.pick([0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 15, 16, 17, 23, 24, 25, 26, 31, 32, 33, 60]);
  const kind = random.below(8);
  if (kind < 5) return random.characters(length, PLAIN);
  if (kind === 5) return randomString(random).slice(1, -1);
  const odd = random.pick(kind === 6 ? WIDER : ESCAPES);
  if (random.once(3)) return odd.repeat(length >> 1);
  const place = random.below(length + 1);
  return random.characters(place, PLAIN) + odd + random.characters(length - place, PLAIN);
}

/** Changes a character of a token without quotes, or its length. The token may become malformed. */
function perturb(text: string): string {
  const place = random.below(text.length);
  const code = text.charCodeAt(place);
  const escaped = Number.isNaN(code) || text.includes("\\")
    ? text[place] ?? ""
    : `\\u${code.toString(16).padStart(4, "0")}`;
  return random.pick([
    text.slice(0, place) + random.pick(PLAIN) + text.slice(place + 1),
    text + random.pick(PLAIN),
    text.slice(0, -1),
    text.slice(0, -1) + random.pick(PLAIN),
    random.pick(WIDER) + text,
    text.slice(0, place) + escaped + text.slice(place + 1),
  ]);
}

function perturbKey(key: string): string {
  return random.once(3) ? perturb(key) : key;
}

function perturbShape(shape: string[]): string[] {
  if (shape.length === 0) return [random.pick(keys)];
  const place = random.below(shape.length);
  return random.pick([
    shape.with(place, random.pick(keys)),
    shape.with(place, perturbKey(shape[place])),
    shape.slice(0, -1),
    [...shape, random.pick(keys)],
    shape.toReversed(),
  ]);
}

/** Returns a size next to a threshold. */
function near(threshold: number): number {
  return threshold + random.pick([-1, 0, 1, 0, -2, 2]);
}

/** Returns the length of a token next to a threshold, seldom above `most`. */
function nearLength(most: number): number {
  const limit = random.once(60) ? 9_000 : most;
  return near(random.pick(thresholds.filter((t) => t <= limit)));
}

/** Returns a size next to a threshold up to `most`; large ones are rare, since they cost time. */
function nearSize(most: number): number {
  const limit = random.once(2_000) ? most : random.once(500) ? 20_000 : random.once(15) ? 1_100 : 140;
  return near(random.pick(thresholds.filter((t) => t <= limit && t <= most)));
}

function document(): Uint8Array {
  if (random.once(14)) return corrupt(random, random.pick(pool), random.pick(pool));
  if (random.once(30)) return random.pick(pool);
  let bytes: Uint8Array = utf8(random.once(200_000) ? large() : random.pick(DOCUMENTS)());
  if (random.once(60)) bytes = concat([utf8("\ufeff"), bytes]);
  if (random.once(3)) bytes = corrupt(random, bytes, random.pick(pool));
  return random.once(8) ? padded(bytes) : bytes;
}

/** Makes a document as long as a threshold, or nearly, by bytes around its value. */
function padded(bytes: Uint8Array): Uint8Array {
  const most = random.once(30_000) ? 1 << 22 : random.once(500) ? 1 << 17 : random.once(4) ? 4_200 : 600;
  const sizes = thresholds.filter((t) => t >= bytes.length && t <= most);
  if (sizes.length === 0) return bytes;
  const missing = near(random.pick(sizes)) - bytes.length;
  if (missing <= 0) return bytes;
  const space = utf8(random.pick([" ", "\n"]).repeat(missing));
  if (missing < 5 || random.once(2)) return concat(random.once(2) ? [bytes, space] : [space, bytes]);
  const text = `"${"x".repeat(missing - 5)}"`;
  return concat(random.once(2) ? [utf8(`[${text},`), bytes, utf8("]")] : [utf8("["), bytes, utf8(`,${text}]`)]);
}

function step(bytes: Uint8Array): Step {
  const form = random.once(8) ? random.below(FORMS.length) : random.pick([0, 2, 3, 6, 8]);
  const cuts = random.once(4) ? someCuts(bytes.length) : null;
  // Seldom with options, since the reference takes long.
  const seed = random.once(5) ? random.pick(optionSeeds) : undefined;
  return { bytes, form, alignment: random.below(16), cuts, ...seed !== undefined && { seed } };
}

function someCuts(length: number): number[] {
  if (length < 200 && random.once(6)) return make(length, (i) => i);
  return make(1 + random.below(6), () => random.below(length + 1)).sort((a, b) => a - b);
}

/** Joins documents of a round, as JSON Lines or one after the other. */
function severalDocuments(steps: Step[]): Step {
  const multiple = random.pick(["lines", "concatenated"] as const);
  const separators = multiple === "lines" ? ["\n", "\n", "\r\n", "\n\n", "\n \n"] : ["\n", " ", "", "\n\n"];
  const documents = make(1 + random.below(8), () => random.pick(steps).bytes).filter(({ length }) => length < 5_000);
  const joined = concat(documents.flatMap((document) => [document, utf8(random.pick(separators))]));
  const bytes = random.once(3) ? corrupt(random, joined, random.pick(pool)) : joined;
  return { ...step(bytes), form: 0, cuts: someCuts(bytes.length), multiple, seed: random.pick(optionSeeds) };
}

// ---- Values.

/** Kinds of numbers. The first ones are the most common. */
const NUMBERS: (() => string)[] = [
  ...Array(4).fill(() => {
    return String(random.below(random.pick([10, 100, 1_000, 100_000, 2 ** 31])) - (random.once(5) ? 50 : 0));
  }),
  ...Array(2).fill(() => {
    const whole = random.below(random.pick([10, 1_000, 1e7]));
    return `${random.once(4) ? "-" : ""}${whole}.${random.digits(random.pick([1, 2, 3, 6, 12]))}`;
  }),
  () => digits(near(random.pick(thresholds.filter((t) => t <= 48)))),
  () => `0.${digits(near(random.pick(thresholds.filter((t) => t <= 48))))}`,
  () => `0.${"0".repeat(random.below(26))}${digits(random.integer(1, 20))}`,
  () => String((random.next() - 0.5) * 10 ** random.integer(-300, 300)),
  () => { // zeros that the exponent takes back, or nearly
    if (!random.once(10)) return String(random.next());
    const zeros = random.below(random.pick([30, 200, 1_200]));
    return `0.${"0".repeat(zeros)}${digits(random.integer(1, 18))}e${zeros + random.below(20)}`;
  },
  () => random.once(20) ? random.pick(spellings(randomMiddle(random), random)) : randomNumber(random),
  () => {
    if (random.once(50)) return digits(nearSize(20_000)) + random.pick(["", ".5", "e-1000", "e-5000"]);
    const exponent = random.below(random.pick([30, 330, 1e9]));
    return `${digits(random.integer(1, 25))}e${random.pick(["", "-", "+"])}${exponent}`;
  },
];

function number(): string {
  return random.pick(NUMBERS)();
}

function digits(count: number): string {
  const digit = random.pick(["0", "9", "5", ""]);
  const rest = digit !== "" && random.once(3) ? digit.repeat(count) : random.characters(count, "0123456789");
  return random.pick("123456789") + rest.slice(1);
}

function string(): string {
  return `"${random.once(6) ? newString() : random.pick(strings)}"`;
}

function leaf(): string {
  const kind = random.below(10);
  return kind < 4 ? number() : kind < 8 ? string() : random.pick(["true", "false", "null", "[]", "{}"]);
}

function value(depth: number, level: number): string {
  if (depth <= 0 || random.once(2)) return leaf();
  const inner = (): string => value(depth - 1, level + 1);
  return random.once(2) ? array(make(random.below(5), inner), level) : object(random.pick(shapes), inner, level);
}

function object(keys: string[], value: () => string, level = 0): string {
  const [, beforeColon, afterColon] = style;
  return join("{", "}", level, keys.map((key) => `"${key}"${beforeColon}:${afterColon}${value()}`));
}

function array(items: string[], level = 0): string {
  return join("[", "]", level, items);
}

function join(open: string, close: string, level: number, items: string[]): string {
  const [afterComma, , , afterOpen, indent] = style;
  if (items.length === 0) return open + close;
  if (indent === undefined) return open + afterOpen + items.join(`,${afterComma}`) + afterOpen + close;
  const lineFeed = `\n${indent.repeat(level + 1)}`;
  return `${open}${lineFeed}${items.join(`,${lineFeed}`)}\n${indent.repeat(level)}${close}`;
}

// ---- Documents.

function scalar(): string {
  const space = random.once(3) ? random.pick([" ", "\n", "\t\r\n ", "          "]) : "";
  return space + leaf() + (random.once(3) ? space : "");
}

/** Makes a document so large that the parser saves memory: rows that recur with small changes. */
function large(): string {
  const items = make(300, nested);
  const recent = [...items];
  for (let length = 0; length < (1 << 22) + random.below(100_000); length += items.at(-1)!.length) {
    if (random.once(9)) items.push(`"${perturb(random.pick(strings)).replaceAll('"', "")}"`);
    items.push(random.once(20) ? nested() : random.pick(recent));
    if (random.once(3)) recent[random.below(300)] = items.at(-1)!;
  }
  return array(items);
}

/** Makes rows of one shape, some of another, or many and then some of one with an equal hash. */
function rows(): string {
  if (shapePairs.length > 0 && random.once(2)) {
    const [first, second] = random.pick(shapePairs);
    const shapes = [...Array(random.pick([1, 30, 60])).fill(first), ...Array(random.below(4)).fill(second)];
    return array(shapes.map((shape) => object(shape, () => String(random.below(9)), 1)));
  }
  const main = random.pick(shapes);
  const isSimple = random.once(2);
  const member = (): string => isSimple ? String(random.below(9)) : value(random.once(9) ? 1 : 0, 2);
  return array(make(random.once(20) ? random.integer(20, 90) : random.below(8), () => {
    const shape = random.once(6) ? random.pick(shapes) : random.once(12) ? perturbShape(main) : main;
    return object(shape, member, 1);
  }));
}

function nested(): string {
  return value(random.pick([2, 3, 4, 6]), 0);
}

function numbers(): string {
  const count = random.once(12) ? nearSize(140_000) : random.below(24);
  const isPlain = count > 2_000 || random.once(3);
  const items = make(count, () => isPlain ? String(random.below(1_000)) : number());
  if (random.once(5)) items.splice(random.below(items.length + 1), 0, leaf());
  return array(items);
}

/** Makes few integers around the largest safe one. Some are malformed: two numbers as one. */
function exactNumbers(): string {
  const integer = (): string => random.pick(INTEGERS);
  const number = (): string => integer() + (random.once(6) ? random.pick(["-", "+", ".", "e", ".5-"]) + integer() : "");
  if (random.once(3)) return number();
  return random.once(2) ? array(make(random.below(5), number)) : object(random.pick(shapes), number);
}

function mixedList(): string {
  const count = random.once(10) ? nearSize(140_000) : random.below(20);
  const few = make(8, () => count > 5_000 ? random.pick(["1", "null", "[]"]) : value(1, 1));
  return array(make(count, () => random.pick(few)));
}

/** Makes a document of many levels, often next to a threshold. */
function deep(): string {
  const depth = random.once(2) ? Math.min(3_000, nearSize(2_100)) : random.below(70);
  const key = random.pick(keys).slice(0, 80);
  const [open, close] = random.pick([["[", "]"], [`{"${key}":`, "}"], [`[{"${key}":`, "}]"], ["[1,", ",2]"]]);
  return open.repeat(depth) + leaf() + close.repeat(depth);
}

/** Makes a document with one part next to a threshold: members, a string, a key or digits. */
function sized(): string {
  const size = Math.max(0, nearSize(140_000));
  const few = Math.min(size, 20_000);
  const place = random.below(Math.min(size, 4_000) + 1);
  return random.pick([
    () => {
      const prefix = random.pick(["k", "a longer prefix ", ""]);
      const keys = make(Math.min(size, 2_200), (i) => prefix + (random.once(50) ? 0 : i));
      return object(keys, () => String(random.below(9)));
    },
    () => `["${random.characters(Math.min(3, size), PLAIN)}${"x".repeat(Math.max(0, size - 3))}"]`,
    () => `["${"x".repeat(place)}${random.pick([...WIDER, ...ESCAPES])}${"y".repeat(Math.max(0, few - place))}",1]`,
    () => `{"${"k".repeat(few)}":1,"${"k".repeat(few)}":{}}`,
  ])();
}

/** Kinds of documents, each as often as it is made. */
const DOCUMENTS: (() => string)[] = ([
  [3, scalar],
  [10, () => object(random.pick(shapes), () => value(1, 1))],
  [12, rows],
  [8, nested],
  [5, numbers],
  [4, exactNumbers],
  [5, () => array(make(random.once(15) ? nearSize(3_000) : random.below(24), string))],
  [3, mixedList],
  [4, () => randomDocument(random)],
  [1, deep],
  [3, sized],
] as const).flatMap(([weight, make]) => Array<() => string>(weight).fill(make));
