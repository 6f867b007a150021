/** Random documents and options in which guards matter. */

import type { ParseOptions } from "../../parse_binary.ts";
import type { GuardOptions } from "../../validate_binary.ts";
import { nestedDocument, randomDocument, randomNumber } from "./documents.ts";
import type { Random } from "./random.ts";

const NAMES = [
  ...["a", "b", "\\u0061", "1", "2", "\\u0031", "é", "\\u00e9", "", "__proto__", "\\u005f_proto__", "constructor"],
  ...["constr\\u0075ctor", "prototype", "prototyp\\u0065", "toString", "a longer name", "10", "😀"],
];
const FEW_NAMES = ["a", "b", "\\u0061", "__proto__", "constructor", "constructor", "prototype", "1"];

export function shortDocument(random: Random): string {
  return nestedDocument(random, FEW_NAMES, 3);
}

/** Returns a random document, a long one now and then. */
export function guardedDocument(random: Random): string {
  const mark = random.once(10) ? "\ufeff" : "";
  const text = random.once(3) ? randomDocument(random) : nestedDocument(random, NAMES, 6);
  if (!random.once(6)) return mark + text;
  const value = random.pick([() => randomNumber(random), () => nestedDocument(random, NAMES, 1)]);
  const name = (i: number): string => random.once(300) ? random.pick(NAMES) : `k${i}`;
  const count = random.below(700);
  const long = random.pick([
    `[${Array.from({ length: count }, value)}]`,
    `{${Array.from({ length: count }, (_, i) => `"${name(i)}":${value()}`)}}`,
    `"${"long é".repeat(900)}"`,
  ]);
  return `${mark}{"${random.pick(NAMES)}":${text},"${random.pick(NAMES)}":[${long}]}`;
}

/** Returns random options: each one that is guarded by, or not. */
export function randomOptions(random: Random): ParseOptions {
  const options: ParseOptions = {};
  const sometimes = (): boolean => random.once(3);
  if (sometimes()) options.maxDepth = random.below(7);
  if (sometimes()) options.maxStringBytes = random.pick([0, 3, 8, 20, 4096, 5000, 6000]);
  if (sometimes()) options.maxMembers = random.pick([0, 1, 3, 100, 128, 300, 600]);
  if (sometimes()) options.maxElements = random.pick([0, 1, 3, 16, 17, 300, 600]);
  if (random.once(10)) options.maxBytes = random.below(100);
  if (sometimes()) options.duplicateKeys = random.pick(["last", "first", "reject"] as const);
  if (sometimes()) options.protoKeys = random.pick(["keep", "drop", "reject"] as const);
  if (sometimes()) options.integers = random.pick(["number", "bigint", "reject"] as const);
  if (random.once(5)) {
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
