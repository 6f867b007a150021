/** Random documents with every kind of token. */

import type { Random } from "../../bench/support/random.ts";
import { CONDITION_NAMES, SPELLINGS } from "./random_conditions.ts";

const SPACES = ["", "", "", "", " ", "\n", "\r\n", "\r", "\t", "    ", "\n        ", " \t\n\r "];

const CHARACTERS = [
  ..."aAzZ09 _-'/:,{}[]#\x7f",
  ..."éÿ\x80\xa0",
  ..."ĀЖא߿",
  ..."ࠀ中あ\u2028\ufeff\uffff",
  ..."😀𐀀\u{10ffff}",
  "abcdefgh",
  "plain words of some length, ",
];

const ESCAPED = [
  ...['\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"],
  ...["\\u0000", "\\u001f", "\\u0022", "\\u005C", "\\u00e9", "\\u4e2d", "\\uFFFF", "\\u2028"],
  ...["\\ud83d\\ude00", "\\uD800", "\\udc00", "\\udfff\\ud800", "\\ud800\\ud800\\udc00", "\\uD83Dx"],
];

const KEYS = [
  ...["a", "b", "id", "name", "type", "value", "a longer key with spaces", "", "é", "中", "😀"],
  ...["0", "1", "2", "10", "-1", "01", "4294967294", "4294967295", "4294967296", "9007199254740993", "1e3"],
  ...["__proto__", "__proto_\\u005f", "\\u005f_proto__", "constructor", "toString", "length", "hasOwnProperty"],
  ...["a\\u0062", "\\u0061", "\\\\", '\\"', "\\ud800", "\\u0000", "a\\\\", "\\u0030"],
];

/** Numbers at the limits of integers, of rounding and of exponents. */
export const NUMBERS: string[] = [
  ...["0", "-0", "1", "-1", "9", "10", "255", "65536", "2147483647", "-2147483648", "2147483648", "4294967295"],
  ...["1073741823", "1073741824", "-1073741825", "999999999", "1000000000", "9007199254740991", "9007199254740993"],
  ...["123456789012345678", "18446744073709551615", "18446744073709551616", "1e22", "1e23", "-1e-400", "1e400"],
  ...["0e0", "-0.0", "-0e-0", "0E+999999999999", "0.1", "0.30000000000000004", "5e-324", "2.4703282292062327e-324"],
  ...["2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072011e-308"],
  ...["1.00000000000000011102230246251565404236316680908203125", "65.613616999999977", "1e-7", "123456.789E+3"],
  ...[
    "1.00000000000000011102230246251565404236316680908203126",
    "65.613610999999975",
    "1267650600228229401496703205376",
  ],
  ...["9007199254740992", "2.2250738585072012e-308", "-0e999999999999", "-1e-99999999999999999999"],
];

export function randomDocument(random: Random): string {
  return space(random) + randomValue(random, random.below(5)) + space(random);
}

function space(random: Random): string {
  return random.pick(SPACES);
}

function randomValue(random: Random, depth: number): string {
  if (depth > 0 && !random.once(4)) return random.pick([randomArray, randomObject, randomRows])(random, depth - 1);
  return random.pick([randomNumber, randomNumber, randomString, randomString, randomLiteral])(random);
}

function randomLiteral(random: Random): string {
  return random.pick(["true", "false", "null", "[]", "{}"]);
}

function randomDigits(random: Random, from: number, to: number): string {
  return random.repeat(from, to, () => String(random.below(10)));
}

/** Generates a number: a known edge case, or digits, fraction and exponent of any length. */
export function randomNumber(random: Random): string {
  if (random.once(3)) return random.pick(NUMBERS);
  let text = random.once(3) ? "-" : "";
  text += random.once(4)
    ? "0"
    : String(1 + random.below(9)) + randomDigits(random, 0, random.pick([0, 1, 5, 9, 18, 40]));
  if (random.once(2)) text += `.${randomDigits(random, 1, random.pick([1, 2, 6, 16, 20, 60]))}`;
  if (random.once(4)) {
    text += random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + randomDigits(random, 1, random.pick([1, 2, 3, 5]));
  }
  return text;
}

/** Generates a string in quotes: plain, of many scripts, or with many escapes. */
export function randomString(random: Random): string {
  const longest = random.pick([0, 1, 3, 8, 20, 70]);
  const escapes = random.pick([0, 0, 2, 8]);
  const characters = random.once(2) ? CHARACTERS : CHARACTERS.slice(0, 10);
  const piece = (): string => escapes && random.once(escapes) ? random.pick(ESCAPED) : random.pick(characters);
  return `"${random.repeat(0, longest, piece)}"`;
}

function randomKey(random: Random): string {
  if (random.once(5)) return randomString(random);
  return `"${random.pick(KEYS)}"`;
}

function randomArray(random: Random, depth: number): string {
  const item = random.once(2)
    ? () => randomValue(random, depth)
    : random.pick([randomNumber, randomString, randomLiteral]).bind(undefined, random);
  return list(random, "[", "]", Array.from({ length: random.below(9) }, item));
}

function randomObject(random: Random, depth: number): string {
  return object(random, depth, Array.from({ length: random.below(9) }, () => randomKey(random)));
}

/** Generates an array of objects with the same keys, with a few exceptions. */
function randomRows(random: Random, depth: number): string {
  const keys = Array.from({ length: 1 + random.below(5) }, () => randomKey(random));
  const rows = Array.from({ length: random.below(12) }, () => {
    if (random.once(6)) return randomObject(random, depth);
    return object(random, depth, random.once(6) ? keys.slice(random.below(keys.length)) : keys);
  });
  return list(random, "[", "]", rows);
}

function object(random: Random, depth: number, keys: string[]): string {
  const member = (key: string): string => `${key}${space(random)}:${space(random)}${randomValue(random, depth - 1)}`;
  return list(random, "{", "}", keys.map(member));
}

function list(random: Random, open: string, close: string, items: string[]): string {
  return open + space(random) + items.join(`${space(random)},${space(random)}`) + space(random) + close;
}

/** Generates a nested document with recurring names, in given spellings. */
export function nestedDocument(
  random: Random,
  names: readonly string[],
  depth = 4,
  scalars: readonly string[] = [...NUMBERS, '"x\\n😀"', "null", '""', "true"],
): string {
  const space = (): string => random.pick(["", "", " ", "\n", "\r\n"]);
  const kind = random.below(depth > 0 ? 9 : 4);
  if (kind < 4) return random.pick(scalars);
  const items = Array.from({ length: random.below(4) }, () => {
    const value = nestedDocument(random, names, depth - 1, scalars);
    const name = kind < 6 ? "" : `"${random.pick(names)}"${space()}:${space()}`;
    return `${space()}${name}${value}${space()}`;
  });
  return kind < 6 ? `[${items.join()}]` : `{${items.join()}}`;
}

const RECURRING_NAMES = [
  ...["a", "b", "\\u0061", "1", "2", "\\u0031", "é", "\\u00e9", "", "__proto__", "\\u005f_proto__", "constructor"],
  ...["constr\\u0075ctor", "prototype", "prototyp\\u0065", "toString", "a longer name", "10", "😀"],
];
const FEW_NAMES = ["a", "b", "\\u0061", "__proto__", "constructor", "constructor", "prototype", "1"];

/** Generates a document whose names recur in many spellings, with occasional long parts. */
function guardedDocument(random: Random): string {
  const mark = random.once(10) ? "\ufeff" : "";
  const text = random.once(3) ? randomDocument(random) : nestedDocument(random, RECURRING_NAMES, 6);
  if (!random.once(6)) return mark + text;
  const value = random.pick([() => randomNumber(random), () => nestedDocument(random, RECURRING_NAMES, 1)]);
  const name = (i: number): string => random.once(300) ? random.pick(RECURRING_NAMES) : `k${i}`;
  const count = random.below(700);
  const long = random.pick([
    `[${Array.from({ length: count }, value)}]`,
    `{${Array.from({ length: count }, (_, i) => `"${name(i)}":${value()}`)}}`,
    `"${"long é".repeat(900)}"`,
  ]);
  return `${mark}{"${random.pick(RECURRING_NAMES)}":${text},"${random.pick(RECURRING_NAMES)}":[${long}]}`;
}

/** Line ends, and characters with bytes that differ from a line end in one bit. */
const LINES: [characters: string[], ends: string[]][] = [
  [[..."aaaa \x7fJM"], ["\n"]],
  [[..."aéʊ中ꊊ😀\u8d8d\u{10ffff}\u{40000}"], ["\n"]],
  [[..."aé中😀"], ["\n", "\r", "\r\n"]],
];

/** Generates strings on separate lines. The parser counts blocks of 255 words at once. */
function linesOfText(random: Random): string {
  const [characters, ends] = random.pick(LINES);
  const longest = random.pick([3, 30, 300, 3_000]);
  const text = () =>
    random.pick(characters).repeat(random.below(longest)) + random.repeat(0, 20, () => random.pick(characters));
  return `[${random.repeat(0, 4, () => `"${text()}",${random.pick(ends).repeat(1 + random.below(2))}`)}0]`;
}

/** Generates a fraction with so many digits that the last ones decide the rounding. */
function longFraction(random: Random): string {
  const length = random.pick([16, 17, 18, 19, 19, 20, 22]);
  return `${random.below(random.pick([1, 10, 10, 100, 1_000]))}.${randomDigits(random, length, length)}`;
}

/** Generates many tokens of one kind, in one array or in objects of one member. */
function tokens(random: Random, make: (random: Random) => string): string {
  const items = Array.from({ length: random.pick([1, 5, 40]) }, () => make(random));
  return random.once(2) ? `[${items}]` : `[${items.map((item) => `{"k":${item}}`).join(",\n  ")}]`;
}

/** Kinds of random documents. */
export const PROFILES: Record<string, (random: Random) => string> = {
  "any kind of token": randomDocument,
  "few names that recur": (random) => nestedDocument(random, FEW_NAMES, 3),
  "many names that recur, and long parts": guardedDocument,
  "few values in many spellings": (random) => nestedDocument(random, CONDITION_NAMES, 3, SPELLINGS),
  "numbers": (random) => tokens(random, random.once(3) ? longFraction : randomNumber),
  "strings": (random) => tokens(random, randomString),
  "lines of text": linesOfText,
};

/** Tokens, and parts of tokens. */
const PIECES = [
  ...["{", "}", "[", "]", ":", ",", '"', "\\", "-", ".", "e", "0", "1", "9", " ", "\n", "\r", "\0", "\x7f"],
  ...["true", "false", "nul", "null", '"a"', '"a":', "[[", "]]", "12.5e3", "\\u0061", "\\ud83d", "é", "中", "😀"],
];

const RIGHT = [
  "0",
  "-0",
  "7",
  "42",
  "-255",
  "65536",
  "0.5",
  "-1.25",
  "0.0625",
  "123456789.123456789",
  "1e5",
  "-2.5E-7",
];
const WRONG = ["00", "-", "01", "-01", "1.", ".5", "1.2.3", "--1", "1-", "1e", "+1", "1 2", "é", "", '"'];
const FRAMES = [["[", "]"], ["[", "]"], ["[[", "],0]"], ['{"a":[', "]}"], ['{"a":', "}"], ["[", ""]];

/** Generates a run of numbers, of which some may be malformed. */
function numberRun(random: Random): string {
  const spacing = random.pick([",", ",", ", ", ",  ", " , ", ",\n"]);
  const mistakes = random.pick([0, 0, 100, 10]);
  const number = () => random.pick(mistakes > 0 && random.once(mistakes) ? WRONG : [...RIGHT, randomNumber(random)]);
  const run = random.repeat(1, 30, () => number() + (random.once(99) ? ",," : spacing));
  const [before, after] = random.pick(FRAMES);
  return before + run + random.pick(RIGHT) + after;
}

/** Values and whitespace that move lines or columns. */
const MOVING = [
  ...['"a"', '"é"', '"\\né"', '"\\néè"', '"中"', '"\\n中"', '"😀"', '"\\n😀"', '"é\\n中"', `"${"a".repeat(30)}é"`],
  ...[`"${"é".repeat(40)}"`, "1\r", "1\r\n", "1 \r", "1\r\r\n", "1\n\n", "1\n\r", "1\r \n", "1\n        "],
  ...["1\r\n   ", "[\n1\r]", "[\r1]", "[1,\r2]", "tru\u00e9", "1 \u00e9\r2", '"\u00e9', "[1\r\n,2]", "[\r1,\n2]"],
];

/** Ends of keys after which the key cache holds a line end, or a byte beyond ASCII. */
const KEY_ENDS = ['":', 'é":', '":\n', '"\n:', '"\r:', '"\r\n:'];

/** Generates values that move lines and columns, with a failure behind them. */
function movingValues(random: Random): string {
  const value = () => random.once(3) ? `{"key ${random.below(1e9)}${random.pick(KEY_ENDS)}1}` : random.pick(MOVING);
  return random.pick([`[${value()},${value()}, 3 x`, `${value()} 1 x`, `${value()}\n x`]);
}

/** Kinds of random texts, of which many are malformed. */
export const MALFORMED: Record<string, (random: Random) => string> = {
  "tokens in random order": (random) => random.repeat(1, 12, () => random.pick(PIECES)),
  "runs of numbers": numberRun,
  "a failure behind values that move it": movingValues,
};
