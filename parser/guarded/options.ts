/** Options that guard against hostile input, and options for exact numbers. */

const { apply, ownKeys } = Reflect;
const { isInteger } = Number;
const { freeze, isFrozen } = Object;
const { get, set } = WeakMap.prototype;

/** Limits of what an input may hold. Each is unlimited by default. */
export interface ParseLimits {
  /** Maximum number of arrays and objects within each other. More are the failure `too-deep`. */
  maxDepth?: number | undefined;
  /**
   * Maximum bytes between the quotes of a string or a name, escapes as they are spelled. More are
   * the failure `string-too-long`.
   */
  maxStringBytes?: number | undefined;
  /**
   * Maximum members of one object, as they are written. More are the failure `too-many-members`.
   */
  maxMembers?: number | undefined;
  /** Maximum number of elements of one array. More are the failure `too-many-elements`. */
  maxElements?: number | undefined;
  /** Maximum bytes of the input. More are the failure `too-many-bytes`, and nothing is parsed. */
  maxBytes?: number | undefined;
}

/** Options of functions that check an input: limits, and what it may not hold. */
export interface GuardOptions extends ParseLimits, ContentGuards {}

/** Options that refuse input for what it holds. */
export interface ContentGuards {
  /**
   * `"reject"` makes a name that an object has twice the failure `duplicate-key`. Names are
   * compared after their escapes were decoded. `"last"`, the default, keeps the last of the values.
   */
  duplicateKeys?: "last" | "reject" | undefined;
  /**
   * `"reject"` makes a name `__proto__`, and a name `prototype` in an object named `constructor`,
   * the failure `forbidden-key`. `"keep"` is the default.
   */
  protoKeys?: "keep" | "reject" | undefined;
  /**
   * `"reject"` makes an integer beyond ±(2^53 − 1) the failure `unsafe-integer`. Integers are
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
   * Treatment of an integer beyond ±(2^53 − 1), which a number may not hold exactly: `"number"`,
   * the default, rounds it, `"bigint"` makes it a BigInt, `"reject"` is the failure
   * `unsafe-integer`. Integers are numbers without point and exponent.
   */
  integers?: "number" | "bigint" | "reject" | undefined;
  /**
   * `"source"` makes each number its own text or, with {@linkcode ParseOptions.number}, what that
   * returns. It takes precedence over `integers: "bigint"`. `"value"` is the default.
   */
  numbers?: "value" | "source" | undefined;
  /**
   * Converts numbers. Only with `numbers: "source"`. It gets the text of each number and its offset
   * in bytes, in the order of the input.
   */
  number?: ((text: string, offset: number) => unknown) | undefined;
}

/** Options of functions that read a source, where `maxBytes` limits what is read. */
export interface PieceGuardOptions extends Omit<ParseOptions, "maxBytes"> {}

/** Options of functions that follow a JSON Pointer to a value. */
export interface PointerGuardOptions extends Omit<ParseOptions, "duplicateKeys" | "protoKeys"> {
  /** `"reject"` makes a name that an object has twice the failure `duplicate-key`. */
  duplicateKeys?: "last" | "reject" | undefined;
  /**
   * `"reject"` makes a name `__proto__`, and a name `prototype` in an object named `constructor`,
   * the failure `forbidden-key`.
   */
  protoKeys?: "keep" | "reject" | undefined;
}

type CheckedOptions = {
  readonly [Name in Exclude<keyof ParseOptions, "number">]-?: NonNullable<ParseOptions[Name]>;
};

/** Options, checked. */
export interface Guards extends CheckedOptions {
  readonly number: ParseOptions["number"];
  /** Knowledge from earlier inputs, if the options are frozen. */
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
} = /* @__PURE__ */ freeze(
  {
    maxBytes: 2 ** 20,
    maxDepth: 64,
    maxStringBytes: 2 ** 20,
    maxMembers: 10_000,
    maxElements: 100_000,
    duplicateKeys: "reject",
    protoKeys: "reject",
  } as const,
);

type Choice = "duplicateKeys" | "protoKeys" | "integers" | "numbers";

/** Values of options: the default first, last that of functions that make values alone. */
const CHOICES: Record<Choice, readonly string[]> = {
  duplicateKeys: ["last", "reject", "first"],
  protoKeys: ["keep", "reject", "drop"],
  integers: ["number", "reject", "bigint"],
  numbers: ["value", "source"],
};

export const GUARD_NAMES = [
  "maxDepth",
  "maxStringBytes",
  "maxMembers",
  "maxElements",
  "maxBytes",
  "duplicateKeys",
  "protoKeys",
  "integers",
  "numbers",
  "number",
] as const;

function refusedOption(name: string, value: unknown, reason: string): TypeError {
  return new TypeError(`Cannot use ${name}: ${shown(value)}: ${reason}`);
}

/** Shows a value in a message, even one that cannot be converted to a string. */
function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function") return "a function";
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

function checkLimit(name: string, value: unknown): number {
  if (value === undefined) return Infinity;
  if (typeof value === "number" && value >= 0 && (value === Infinity || isInteger(value))) return value;
  throw refusedOption(name, value, "expected an integer from 0 up, or Infinity");
}

function checkChoice<Value extends string>(
  name: Choice,
  value: unknown,
  mayBuild: boolean,
  makesNone: string,
): Value {
  const values = CHOICES[name];
  if (value === undefined) return values[0] as Value;
  const count = mayBuild ? values.length : values.length - 1;
  if (!mayBuild && values[count] === value) throw refusedOption(name, value, makesNone);
  if (includes(values, value)) return value as Value;
  let expected = `expected "${values[0]}"`;
  for (let i = 1; i < count; i++) expected += `${i === count - 1 ? " or" : ","} "${values[i]}"`;
  throw refusedOption(name, value, expected);
}

/** Returns whether two names are equal but for case, one letter, or two neighbours swapped. */
function isAlike(name: string, known: string): boolean {
  const a = name.toLowerCase();
  const b = known.toLowerCase();
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const left = a.length - start - end;
  const right = b.length - start - end;
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

/**
 * Checks that an object of options has no others than the known ones and those of a list or, if
 * `others` is `true`, that none is misspelt.
 *
 * @throws {TypeError} If it has.
 */
export function checkNames(options: object, caller: string, others: boolean | readonly string[]): void {
  const otherNames = typeof others === "object" ? others : [];
  const names = ownKeys(options);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (typeof name === "symbol" || includes(GUARD_NAMES, name) || includes(otherNames, name)) continue;
    const meant = closest(name, GUARD_NAMES) ?? closest(name, otherNames);
    if (others === true && meant === undefined) continue;
    const advice = meant === undefined ? "" : `; did you mean ${meant}?`;
    throw refusedOption(name, options[name as keyof object], `not an option of ${caller}${advice}`);
  }
}

function includes(names: readonly string[], name: unknown): boolean {
  for (let i = 0; i < names.length; i++) if (names[i] === name) return true;
  return false;
}

function closest(name: string, names: readonly string[]): string | undefined {
  for (let i = 0; i < names.length; i++) if (isAlike(name, names[i])) return names[i];
  return undefined;
}

/**
 * Reads options that guard an input. Returns `null` if they guard against nothing. This and the
 * functions below throw a `TypeError` for an option that is unknown, misspelt or wrong.
 *
 * @param caller Name of the function for messages.
 * @param mayBuild Whether the function makes values, or only checks the input.
 */
function readGuards(options: ParseOptions, caller: string, mayBuild: boolean): Guards | null {
  const { number } = options;
  const makesNone = `not an option of ${caller}, which makes no values`;
  const guards: Guards = {
    maxDepth: checkLimit("maxDepth", options.maxDepth),
    maxStringBytes: checkLimit("maxStringBytes", options.maxStringBytes),
    maxMembers: checkLimit("maxMembers", options.maxMembers),
    maxElements: checkLimit("maxElements", options.maxElements),
    maxBytes: checkLimit("maxBytes", options.maxBytes),
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

/** Reads the guards among other options. */
export function guardsAmong(options: ParseOptions, caller: string, mayBuild: boolean): Guards | null {
  checkNames(options, caller, true);
  return readGuards(options, caller, mayBuild);
}

/**
 * Returns the guards among options but `maxBytes`, for what limits the length by itself. None of
 * the others is left out, so that none is inherited.
 */
export function withoutMaxBytes(options: PieceGuardOptions): ParseOptions {
  const { maxDepth, maxStringBytes, maxMembers, maxElements } = options;
  const { duplicateKeys, protoKeys, integers, numbers, number } = options;
  const limits = { maxDepth, maxStringBytes, maxMembers, maxElements, maxBytes: undefined };
  return { ...limits, duplicateKeys, protoKeys, integers, numbers, number };
}

/**
 * Reads the guards among the options of a function that reads a source, whose length it limits by
 * itself. `others` is that of {@linkcode checkNames}.
 */
export function pieceGuards(
  options: PieceGuardOptions,
  caller: string,
  mayBuild: boolean,
  others: true | readonly string[] = true,
): Guards | null {
  checkNames(options, caller, others);
  return readGuards(withoutMaxBytes(options), caller, mayBuild);
}

/** Reads guards for a function with a JSON Pointer. Refuses those that would lead it elsewhere. */
export function pointerGuards(options: PointerGuardOptions, caller: string, mayBuild: boolean): Guards | null {
  const { duplicateKeys, protoKeys } = options as ParseOptions;
  const misleading = duplicateKeys === "first" ? "duplicateKeys" : protoKeys === "drop" ? "protoKeys" : null;
  if (misleading !== null) {
    throw refusedOption(
      misleading,
      (options as ParseOptions)[misleading],
      `not an option of ${caller}, whose pointer would lead elsewhere; "reject" is one`,
    );
  }
  return guardsAmong(options, caller, mayBuild);
}

/** Reads an argument of options, which is an object or `undefined`. */
export function guardsOf(options: unknown, caller: string, mayBuild: boolean): Guards | null {
  if (options === undefined) return null;
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Cannot use ${shown(options)} as options of ${caller}: expected an object`);
  }
  checkNames(options, caller, false);
  return readGuards(options, caller, mayBuild);
}

/** Guards of frozen objects of options, which are checked once. */
const checked = /* @__PURE__ */ new WeakMap<object, Guards | null>();

/**
 * Reads an argument of options of a function that makes values. Frozen options are checked once.
 */
export function buildingGuardsOf(options: unknown, caller: string): Guards | null {
  if (options === undefined) return null;
  if (options === UNTRUSTED) return UNTRUSTED_GUARDS;
  if (!isFrozen(options)) return guardsOf(options, caller, true);
  let guards = apply(get, checked, [options]) as Guards | null | undefined;
  if (guards === undefined) {
    guards = guardsOf(options, caller, true);
    apply(set, checked, [options, guards]);
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
export function needsBuilding({ duplicateKeys, protoKeys, integers, numbers }: Guards): boolean {
  return duplicateKeys === "first" || protoKeys === "drop" || integers === "bigint" || numbers === "source";
}

const UNTRUSTED_GUARDS = /* @__PURE__ */ readGuards(UNTRUSTED, "parseBinary", true);
