/** Random options of parsers. */

import type { ParseOptions } from "../../parse_binary.ts";
import type { GuardOptions } from "../../validate_binary.ts";
import type { Random } from "./random.ts";

/** Returns random options, each of which may be left out. */
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
  if (sometimes()) options.integers = random.pick(["number", "bigint", "all-bigint", "reject"] as const);
  if (random.once(5)) {
    options.numbers = "source";
    if (sometimes()) options.number = (text, offset) => `${text} at ${offset}`;
  }
  return options;
}

/** Returns the options that a validator takes; `undefined` if some change values. */
export function checksOf({ numbers, number: _, ...options }: ParseOptions): GuardOptions | undefined {
  const { duplicateKeys, protoKeys, integers } = options;
  const builds = duplicateKeys === "first" || protoKeys === "drop" || integers?.endsWith("bigint") ||
    numbers === "source";
  return builds ? undefined : options as GuardOptions;
}
