/**
 * Conditions of `--where`: a value at a pointer compared with a value of the command line.
 *
 * @module
 */

import { BACKSLASH, MINUS, QUOTE, ZERO } from "../../parser/base/ascii.ts";
import { compileMask } from "../../parser/selecting/compile_mask.ts";
import type { MaskNode, ValueRange } from "../../parser/selecting/mask_node.ts";
import { compilePointers, parsePointer, type PointerTree } from "../../parser/selecting/pointer_node.ts";
import { UsageError } from "../arguments.ts";
import { partAt, type SelectedRanges } from "./selected_copier.ts";

const OPERATORS = ["!=", "<=", ">=", "=", "<", ">"] as const;
type Operator = typeof OPERATORS[number];

/** Longest integer that a double holds exactly, in bytes. */
const EXACT_DIGITS = 15;

const INTEGER = /^-?\d+$/;

/** Bytes of the longest JSON of a UTF-16 code unit. */
const MAX_UNIT_BYTES = 6;
/** Most bytes that V8 makes a string of. */
const MAX_TEXT_BYTES = 2 ** 28;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Condition on the value at a pointer. */
export interface Condition {
  readonly tokens: readonly string[];
  readonly operator: Operator;
  readonly value: unknown;
  /** JSON of the value, as short as can be, and its bytes. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** All conditions of a command line. */
export interface Conditions {
  readonly all: readonly Condition[];
  /** Mask of the values, and where each is in what it selects; `null` if that takes a tree. */
  readonly mask: MaskNode | null;
  readonly paths: readonly (readonly number[])[];
  readonly tree: PointerTree;
}

/**
 * Parses a condition, such as `/level="error"`.
 *
 * @throws {UsageError} If it is wrong; the error points to the place.
 */
export function parseCondition(text: string): Condition {
  let first: { at: number; operator: Operator } | undefined;
  for (let at = 0; at < text.length; at++) {
    const operator = OPERATORS.find((operator) => text.startsWith(operator, at));
    if (operator === undefined) continue;
    first ??= { at, operator };
    const parsed = parseJson(text.slice(at + operator.length));
    // A pointer may have these characters, too.
    if (parsed !== undefined) return makeCondition(text, at, operator, parsed.value);
    at += operator.length - 1;
  }
  if (first === undefined) fail(text, text.length, `expected one of ${OPERATORS.join(" ")} and a JSON value`);
  const at = first.at + first.operator.length;
  const word = text.slice(at);
  const hint = /^[\p{L}\p{N}_. /:-]+$/u.test(word) ? `; a string needs quotes: '/name="text"'` : "";
  fail(text, at, `expected a JSON value${hint}`);
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function makeCondition(text: string, at: number, operator: Operator, value: unknown): Condition {
  if (/[<>]/.test(operator) && typeof value !== "number") {
    fail(text, at + operator.length, `'${operator}' compares numbers only`);
  }
  const tokens = parseTokens(text.slice(0, at).trimEnd(), text);
  // The text of a number may say more than the number.
  const json = typeof value === "number" ? text.slice(at + operator.length).trim() : JSON.stringify(value);
  return { tokens, operator, value, text: json, bytes: encoder.encode(json) };
}

/**
 * Parses a pointer of the command line.
 *
 * @param text Text that it begins, if that has more.
 * @throws {UsageError} If it is wrong; the error points to the place.
 */
export function parseTokens(pointer: string, text: string = pointer): string[] {
  try {
    return parsePointer(pointer);
  } catch {
    const at = pointer.startsWith("/") ? pointer.search(/~(?![01])/) : 0;
    const problem = at === 0 ? "a pointer begins with '/'" : "'~' is written '~0' in a pointer, and '/' in a name '~1'";
    throw new UsageError(`wrong pointer: ${problem}`, undefined, { text, at });
  }
}

function fail(text: string, at: number, problem: string): never {
  throw new UsageError(`wrong condition: ${problem}`, undefined, { text, at });
}

/** Compiles conditions. All of them must hold. */
export function compileConditions(all: readonly Condition[]): Conditions {
  const tree = compilePointers(all.map(({ tokens }) => tokens));
  const pointers = all.map(({ tokens }) => tokens);
  // A mask cannot have the elements of an array one by one, or a value both whole and in parts.
  const isPlain = pointers.every((tokens) => tokens.length > 0 && !tokens.some((token) => /^\d+$/.test(token))) &&
    !pointers.some((one) =>
      pointers.some((other) => one.length < other.length && one.every((token, i) => token === other[i]))
    );
  if (!isPlain) return { all, mask: null, paths: [], tree };
  const mask = compileMask(maskOf(pointers), true)!;
  const paths = pointers.map((tokens) => {
    let node: MaskNode | null = mask;
    return tokens.map((token) => {
      const number = node!.members[token];
      node = node!.children[number];
      return number;
    });
  });
  return { all, mask, paths, tree };
}

/** Returns the mask of the values at pointers. */
function maskOf(pointers: readonly (readonly string[])[]): unknown {
  if (pointers.some((tokens) => tokens.length === 0)) return true;
  const names = new Set(pointers.map(([name]) => name));
  return Object.fromEntries(
    Array.from(
      names,
      (name) => [name, maskOf(pointers.filter(([first]) => first === name).map((tokens) => tokens.slice(1)))],
    ),
  );
}

/** Returns whether what `conditions.mask` selects fulfils all conditions. */
export function matches({ all, paths }: Conditions, selected: SelectedRanges, bytes: Uint8Array): boolean {
  for (let i = 0; i < all.length; i++) {
    const value = partAt(selected, paths[i]);
    if (value === undefined || value === null || Array.isArray(value)) return false;
    const { start, end } = value as ValueRange;
    if (!holds(all[i], bytes, start, end)) return false;
  }
  return true;
}

/** Returns whether a condition holds for the value `bytes[start, end)`. */
export function holds(condition: Condition, bytes: Uint8Array, start: number, end: number): boolean {
  const { operator, value } = condition;
  if (operator === "=") return isEqual(condition, bytes, start, end);
  if (operator === "!=") return !isEqual(condition, bytes, start, end);
  const first = bytes[start];
  if (first !== MINUS && (first < ZERO || first > 0x39)) return false;
  const difference = compareNumbers(decoder.decode(bytes.subarray(start, end)), condition.text, value as number);
  if (operator === "<") return difference < 0;
  if (operator === ">") return difference > 0;
  return operator === "<=" ? difference <= 0 : difference >= 0;
}

/** Returns whether a value equals that of a condition. */
function isEqual(condition: Condition, bytes: Uint8Array, start: number, end: number): boolean {
  const { bytes: wanted, value } = condition;
  const first = bytes[start];
  if (hasBytes(bytes, start, end, wanted)) return true;
  if (typeof value === "string") {
    // A text without escapes has a single form in JSON.
    if (first !== QUOTE || end - start > MAX_UNIT_BYTES * value.length + 2) return false;
    if (!hasBackslash(bytes, start, end)) return false;
    return JSON.parse(decoder.decode(bytes.subarray(start, end))) === value;
  }
  if (typeof value === "number") {
    if (first !== MINUS && (first < ZERO || first > 0x39)) return false;
    return compareNumbers(decoder.decode(bytes.subarray(start, end)), condition.text, value) === 0;
  }
  if (typeof value !== "object" || value === null || first !== wanted[0]) return false;
  if (end - start > MAX_TEXT_BYTES) return false;
  return isDeepEqual(JSON.parse(decoder.decode(bytes.subarray(start, end))), value);
}

function hasBytes(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

function hasBackslash(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === BACKSLASH) return true;
  return false;
}

/** Compares two numbers by their texts: long integers exactly, others as doubles. */
function compareNumbers(a: string, b: string, bValue: number): number {
  if (Math.max(a.length, b.length) > EXACT_DIGITS && INTEGER.test(a) && INTEGER.test(b)) return compareIntegers(a, b);
  const number = Number(a);
  return number < bValue ? -1 : number > bValue ? 1 : 0;
}

function compareIntegers(a: string, b: string): number {
  const sign = a.startsWith("-") ? -1 : 1;
  if (sign !== (b.startsWith("-") ? -1 : 1)) return /^-?0$/.test(a) && /^-?0$/.test(b) ? 0 : sign;
  if (a.length !== b.length) return a.length < b.length ? -sign : sign;
  return a < b ? -sign : a > b ? sign : 0;
}

/** Returns whether two values are the same JSON, apart from the order of members. */
function isDeepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) =>
    Object.hasOwn(b, key) && isDeepEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])
  );
}
