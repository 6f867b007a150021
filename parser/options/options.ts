/** Options that guard against hostile input, and options for exact numbers. */

import { checkOptions, GUARD_NAMES, isAmong } from "../base/option_names.ts";
import { refusedOption } from "../engine/argument_error.ts";
import { NO_OPTIONS } from "../engine/input.ts";
import type { ExactNumbers } from "../numbers/exact_number.ts";

/** Limits on the content of an input. Each is unlimited by default. */
export interface ParseLimits {
  /** Maximum number of arrays and objects within each other. Exceeding it fails as `too-deep`. */
  maxDepth?: number | undefined;
  /**
   * Maximum bytes between the quotes of a string or a name, with escapes as written. Exceeding it
   * fails as `string-too-long`.
   */
  maxStringBytes?: number | undefined;
  /** Maximum members of an object as written. Exceeding it fails as `too-many-members`. */
  maxMembers?: number | undefined;
  /** Maximum number of elements of one array. Exceeding it fails as `too-many-elements`. */
  maxElements?: number | undefined;
  /** Maximum bytes of the input. Exceeding it fails as `too-many-bytes`, and nothing is parsed. */
  maxBytes?: number | undefined;
}

/** Options of functions that check an input: limits, and contents that they refuse. */
export interface GuardOptions extends ParseLimits, ContentGuards {}

/** Options that refuse input for its contents. */
export interface ContentGuards {
  /**
   * `"reject"` refuses a name that an object has twice: the failure `duplicate-key`. Names are
   * compared after their escapes were decoded. `"last"`, the default, keeps the last of the values.
   */
  duplicateKeys?: "last" | "reject" | undefined;
  /**
   * `"reject"` refuses the name `__proto__`, and `prototype` in an object named `constructor`: the
   * failure `forbidden-key`. `"keep"` is the default.
   */
  protoKeys?: "keep" | "reject" | undefined;
  /**
   * `"reject"` refuses an integer beyond ±(2^53 − 1): the failure `unsafe-integer`. Integers are
   * numbers without point and exponent. `"number"`, the default, rounds them.
   */
  integers?: "number" | "reject" | undefined;
}

/** Options of functions that make values: limits, and treatment of names and numbers. */
export interface ParseOptions extends ParseLimits {
  /**
   * Treatment of a name that an object has twice: `"last"`, the default, keeps the last of the
   * values, `"first"` the first. `"reject"` is the failure `duplicate-key`. Names are compared
   * after their escapes were decoded.
   */
  duplicateKeys?: "last" | "first" | "reject" | undefined;
  /**
   * Treatment of the names that may poison a prototype if the value is copied: `__proto__`, and
   * `constructor` if its value is an object with a member `prototype`. `"keep"`, the default, makes
   * own properties of them, `"drop"` leaves them out, `"reject"` is the failure `forbidden-key`.
   */
  protoKeys?: "keep" | "drop" | "reject" | undefined;
  /**
   * Treatment of an integer beyond ±(2^53 − 1), which a number may not represent exactly:
   * `"number"`, the default, rounds it, `"bigint"` makes it a BigInt, `"reject"` is the failure
   * `unsafe-integer`. `"all-bigint"` makes a BigInt of every integer. Integers are numbers without
   * point and exponent.
   */
  integers?: "number" | "bigint" | "all-bigint" | "reject" | undefined;
  /**
   * `"source"` makes each number its own text or, with {@linkcode ParseOptions.number}, what that
   * returns. It takes precedence over BigInts. `"value"` is the default.
   */
  numbers?: "value" | "source" | undefined;
  /**
   * Converts numbers. Only with `numbers: "source"`. It gets the text of each number and its offset
   * in bytes, in the order of the input.
   */
  number?: ((text: string, offset: number) => unknown) | undefined;
}

/** Options of functions that read a source, where `maxBytes` limits the bytes read. */
export interface PieceGuardOptions extends Omit<ParseOptions, "maxBytes"> {}

/** Options of functions that follow a JSON Pointer to a value. */
export interface PointerGuardOptions extends Omit<ParseOptions, "duplicateKeys" | "protoKeys"> {
  /** `"reject"` refuses a name that an object has twice: the failure `duplicate-key`. */
  duplicateKeys?: "last" | "reject" | undefined;
  /**
   * `"reject"` refuses the name `__proto__`, and `prototype` in an object named `constructor`: the
   * failure `forbidden-key`.
   */
  protoKeys?: "keep" | "reject" | undefined;
}

type CheckedOptions = {
  readonly [Name in Exclude<keyof ParseOptions, "number">]-?: NonNullable<ParseOptions[Name]>;
};

/** Options, checked. */
export interface Guards extends CheckedOptions {
  readonly number: ParseOptions["number"];
  /** Facts learned from earlier inputs, if the options are frozen. */
  readonly learned: {
    /** Whether it had integers beyond ±(2^53 − 1), so that the next one may have some. */
    hasUnsafeIntegers: boolean;
  };
}

/**
 * Options for untrusted input, such as bodies of HTTP requests: at most 1 MiB, 64 levels, 10,000
 * members of an object and 100,000 elements of an array, no name twice, and none that may poison a
 * prototype. Spread it to change some: `{ ...UNTRUSTED, maxBytes: 65_536 }`.
 *
 * @example
 * ```ts
 * import { parseBinary, UNTRUSTED } from "@bytejson/bytejson/parse-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const body = new TextEncoder().encode('{"role": "user", "role": "admin"}');
 * const result = parseBinary(body, UNTRUSTED);
 * assertEquals(!result.ok && [result.code, result.offset, result.firstOffset], ["duplicate-key", 17, 1]);
 * ```
 */
export const UNTRUSTED: {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly maxStringBytes: number;
  readonly maxMembers: number;
  readonly maxElements: number;
  readonly duplicateKeys: "reject";
  readonly protoKeys: "reject";
} = /* @__PURE__ */ Object.freeze(
  {
    maxBytes: 1_048_576,
    maxDepth: 64,
    maxStringBytes: 1_048_576,
    maxMembers: 10_000,
    maxElements: 100_000,
    duplicateKeys: "reject",
    protoKeys: "reject",
  } as const,
);

type Choice = "duplicateKeys" | "protoKeys" | "integers" | "numbers";

/** Values of options: first the default, last those only of functions that make values. */
const CHOICES: Record<Choice, readonly string[]> = {
  duplicateKeys: ["last", "reject", "first"],
  protoKeys: ["keep", "reject", "drop"],
  integers: ["number", "reject", "bigint", "all-bigint"],
  numbers: ["value", "source"],
};

/** Default of each limit, `maxDepth` included: none. */
const NO_LIMIT = Infinity;

function checkLimit(name: string, value: unknown): number {
  if (value === undefined) return NO_LIMIT;
  if (typeof value === "number" && value >= 0 && (value === Infinity || Number.isInteger(value))) return value;
  throw refusedOption(name, value, "expected a non-negative integer, or Infinity");
}

function checkChoice<Value extends string>(
  name: Choice,
  value: unknown,
  mayBuild: boolean,
  makesNone: string,
): Value {
  const values = CHOICES[name];
  if (value === undefined) return values[0] as Value;
  const count = mayBuild ? values.length : name === "numbers" ? 1 : 2;
  if (isAmong(values, value)) {
    if (values.indexOf(value as string) >= count) throw refusedOption(name, value, makesNone);
    return value as Value;
  }
  let expected = `expected "${values[0]}"`;
  for (let i = 1; i < count; i++) expected += `${i === count - 1 ? " or" : ","} "${values[i]}"`;
  throw refusedOption(name, value, expected);
}

/**
 * Reads options that guard an input. Returns `null` if they guard against nothing. This and the
 * functions below throw a `TypeError` for an option that is unknown, misspelt or wrong.
 *
 * @param caller Name of the function for messages.
 * @param mayBuild Whether the function makes values, or only checks the input.
 * @param limitsBytes Whether `maxBytes` is a guard, or limits the bytes read from a source.
 */
function readGuards(options: ParseOptions, caller: string, mayBuild: boolean, limitsBytes: boolean): Guards | null {
  const { number } = options;
  const makesNone = `not an option of ${caller}, which makes no values`;
  const guards: Guards = {
    maxDepth: checkLimit("maxDepth", options.maxDepth),
    maxStringBytes: checkLimit("maxStringBytes", options.maxStringBytes),
    maxMembers: checkLimit("maxMembers", options.maxMembers),
    maxElements: checkLimit("maxElements", options.maxElements),
    maxBytes: limitsBytes ? checkLimit("maxBytes", options.maxBytes) : Infinity,
    duplicateKeys: checkChoice("duplicateKeys", options.duplicateKeys, mayBuild, makesNone),
    protoKeys: checkChoice("protoKeys", options.protoKeys, mayBuild, makesNone),
    integers: checkChoice("integers", options.integers, mayBuild, makesNone),
    numbers: checkChoice("numbers", options.numbers, mayBuild, makesNone),
    number,
    learned: { hasUnsafeIntegers: false },
  };
  if (number !== undefined) {
    if (typeof number !== "function") throw refusedOption("number", number, "expected a function");
    if (!mayBuild) throw refusedOption("number", number, makesNone);
    if (guards.numbers !== "source") throw new TypeError('Cannot use number: it needs numbers: "source"');
  }
  return guards.maxBytes < Infinity || needsCheck(guards) || needsBuilding(guards) ? guards : null;
}

/** Reads the guards of a function that reads a source, whose length it limits itself. */
export function pieceGuards(
  options: PieceGuardOptions,
  names: readonly string[],
  caller: string,
  mayBuild: boolean,
): Guards | null {
  if (options === NO_OPTIONS) return null;
  checkOptions(options, names, caller);
  return readGuards(options, caller, mayBuild, false);
}

/** Reads the guards for a function with a JSON Pointer. Refuses those that would redirect it. */
export function pointerGuards(
  options: PointerGuardOptions,
  names: readonly string[],
  caller: string,
  mayBuild: boolean,
  limitsBytes: boolean,
): Guards | null {
  if (options === NO_OPTIONS) return null;
  checkOptions(options, names, caller);
  refuseDropping(options, `not an option of ${caller}, whose pointer would lead elsewhere; "reject" is one`);
  return readGuards(options, caller, mayBuild, limitsBytes);
}

/** Reads the guards for values so far. Refuses those that need the complete value. */
export function partialGuards(options: PieceGuardOptions, names: readonly string[], caller: string): Guards | null {
  const guards = pieceGuards(options, names, caller, true);
  const reason = `not an option of ${caller}, which passes on values before they are complete`;
  if (options.number !== undefined) throw refusedOption("number", options.number, reason);
  refuseDropping(options, `${reason}; "reject" is one`);
  return guards;
}

/** @throws {TypeError} If options leave out members. */
function refuseDropping({ duplicateKeys, protoKeys }: ParseOptions, reason: string): void {
  if (duplicateKeys === "first") throw refusedOption("duplicateKeys", duplicateKeys, reason);
  if (protoKeys === "drop") throw refusedOption("protoKeys", protoKeys, reason);
}

/** Reads the guards among options of these names. */
export function guardsOf(
  options: unknown,
  caller: string,
  mayBuild: boolean,
  names: readonly string[] = GUARD_NAMES,
): Guards | null {
  if (options === undefined || options === NO_OPTIONS) return null;
  checkOptions(options, names, caller);
  return readGuards(options as ParseOptions, caller, mayBuild, true);
}

/** Guards of frozen objects of options, which are checked once. */
const checked = /* @__PURE__ */ new WeakMap<object, Guards | null>();

/** Reads the options of a function that makes values. Frozen options are checked once. */
export function buildingGuardsOf(options: unknown, caller: string): Guards | null {
  if (options === undefined) return null;
  if (options === UNTRUSTED) return UNTRUSTED_GUARDS;
  if (!Object.isFrozen(options)) return guardsOf(options, caller, true);
  let guards = checked.get(options as object);
  if (guards === undefined) {
    guards = guardsOf(options, caller, true);
    checked.set(options as object, guards);
  }
  return guards;
}

/** Returns whether an input may be refused for more than its length. */
export function needsCheck(guards: Guards): boolean {
  const { maxDepth, maxStringBytes, maxMembers, maxElements, duplicateKeys, protoKeys, integers } = guards;
  return Math.min(maxDepth, maxStringBytes, maxMembers, maxElements) < Infinity ||
    duplicateKeys === "reject" || protoKeys === "reject" || integers === "reject";
}

/** Returns whether values may differ from those of `JSON.parse`. */
export function needsBuilding(guards: Guards): boolean {
  return needsWholeText(guards) || exactNumbers(guards) !== null;
}

/** Returns whether values may differ in more than their numbers. */
export function needsWholeText({ duplicateKeys, protoKeys, number }: Guards): boolean {
  return duplicateKeys === "first" || protoKeys === "drop" || number !== undefined;
}

/** Returns how numbers are made; `null` for doubles. */
export function exactNumbers({ integers, numbers }: Guards, converted: unknown[] | null = null): ExactNumbers | null {
  const areTexts = numbers === "source";
  const areAllBigInts = integers === "all-bigint";
  if (!areTexts && !areAllBigInts && integers !== "bigint") return null;
  return { areTexts, areAllBigInts, converted, next: 0 };
}

const UNTRUSTED_GUARDS = /* @__PURE__ */ readGuards(UNTRUSTED, "parseBinary", true, true);
