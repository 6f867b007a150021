/**
 * Random documents and options in which guards matter.
 *
 * @module
 */

import type { ParseOptions } from "../../parse_binary.ts";
import type { GuardOptions } from "../../validate_binary.ts";
import type { Random } from "./random.ts";

const NAMES = [
  ...["a", "b", "\\u0061", "1", "2", "\\u0031", "é", "\\u00e9", "", "__proto__", "\\u005f_proto__", "constructor"],
  ...["constr\\u0075ctor", "prototype", "prototyp\\u0065", "toString", "a longer name", "10", "😀"],
];
const NUMBERS = [
  ...["0", "-0", "1", "-1.5", "1e3", "9007199254740991", "9007199254740992", "-9007199254740993", "9999999999999999"],
  ...["12345678901234567890", "-12345678901234567890123456789", "1234567890123456.5", "12345678901234567890e2"],
  ...["123456789012345678", "1E400", "0.1234567890123456789", "-9007199254740991", "1000000000000000", "4.0"],
];
const STRINGS = ["", "x", "four", "é中😀", '\\\\\\"\\n', "\\ud83d\\ude00", "twelve bytes", "{[,:]}"];
const SPACES = ["", "", "", " ", "\n", "\r\n", "\r", "\t "];

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)];
}

/** Returns a random object or array of objects, without spaces for the most part. */
export function shortDocument(random: Random): string {
  const names = ["a", "b", "\\u0061", "__proto__", "constructor", "constructor", "prototype", "1"];
  const valueAt = (depth: number): string => {
    if (depth === 0 || random.below(4) === 0) return random.below(3) > 0 ? pick(random, NUMBERS) : '"x"';
    const count = random.below(4);
    const values = Array.from({ length: count }, () => valueAt(depth - 1));
    if (random.below(4) === 0) return `[${values.join()}]`;
    return `{${values.map((value) => `"${pick(random, names)}":${value}`).join(pick(random, [",", " , "]))}}`;
  };
  return valueAt(3);
}

/** Returns a random document, a long one now and then. */
export function guardedDocument(random: Random): string {
  const space = (): string => pick(random, SPACES);
  const separated = (parts: string[]): string => parts.map((part) => space() + part + space()).join();
  const valueAt = (depth: number): string => {
    const kind = random.below(depth > 5 ? 4 : 9);
    if (kind === 0) return pick(random, NUMBERS);
    if (kind === 1) return random.below(60) === 0 ? `"${"long é".repeat(900)}"` : `"${pick(random, STRINGS)}"`;
    if (kind === 2) return pick(random, ["true", "false", "null"]);
    if (kind === 3) return pick(random, ["[]", "{}", `{${space()}}`, "0"]);
    const isLong = random.below(40) === 0;
    const count = isLong ? random.below(700) : random.below(5);
    if (kind < 6) {
      const element = isLong && random.below(2) === 0
        ? () => pick(random, NUMBERS)
        : () => valueAt(depth + (isLong ? 5 : 1));
      return `[${separated(Array.from({ length: count }, element))}]`;
    }
    const nameOf = (i: number): string => isLong && random.below(300) > 0 ? `k${i}` : pick(random, NAMES);
    const member = (_: unknown, i: number): string =>
      `"${nameOf(i)}"${space()}:${space()}${valueAt(depth + (isLong ? 5 : 1))}`;
    return `{${separated(Array.from({ length: count }, member))}}`;
  };
  const mark = random.below(10) === 0 ? "\ufeff" : "";
  return mark + space() + valueAt(0) + space();
}

/** Returns random options: each one that is guarded by, or not. */
export function randomOptions(random: Random, mayBuild = true): ParseOptions {
  const options: ParseOptions = {};
  const sometimes = (): boolean => random.below(3) === 0;
  if (sometimes()) options.maxDepth = random.below(7);
  if (sometimes()) options.maxStringBytes = pick(random, [0, 3, 8, 20, 4096, 5000, 6000]);
  if (sometimes()) options.maxMembers = pick(random, [0, 1, 3, 100, 128, 300, 600]);
  if (sometimes()) options.maxElements = pick(random, [0, 1, 3, 16, 17, 300, 600]);
  if (random.below(10) === 0) options.maxBytes = random.below(100);
  if (sometimes()) options.duplicateKeys = pick(random, mayBuild ? ["last", "first", "reject"] : ["last", "reject"]);
  if (sometimes()) options.protoKeys = pick(random, mayBuild ? ["keep", "drop", "reject"] : ["keep", "reject"]);
  if (sometimes()) options.integers = pick(random, mayBuild ? ["number", "bigint", "reject"] : ["number", "reject"]);
  if (mayBuild && random.below(5) === 0) {
    options.numbers = "source";
    if (sometimes()) options.number = (text, offset) => `${text} at ${offset}`;
  }
  return options;
}

/** Returns the options that a validator takes; `undefined` if some change values. */
export function checksOf({ numbers, number: _, ...options }: ParseOptions): GuardOptions | undefined {
  const { duplicateKeys, protoKeys, integers } = options;
  const builds = duplicateKeys === "first" || protoKeys === "drop" || integers === "bigint" || numbers === "source";
  return builds ? undefined : options as GuardOptions;
}
