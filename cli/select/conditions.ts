/**
 * Conditions of `--where`: a value at a pointer compared with a value of the command line.
 *
 * @module
 */

import {
  compareNumber,
  isEqualTo,
  isNumber,
  type WantedValue,
  wantedValueOf,
} from "../../parser/selecting/compare_values.ts";
import { validateBinary } from "../../validate_binary.ts";
import { compileMask } from "../../parser/selecting/compile_mask.ts";
import type { MaskNode, ValueRange } from "../../parser/selecting/mask_node.ts";
import { compilePointers, parsePointer, type PointerTree } from "../../parser/selecting/pointer_node.ts";
import { UsageError } from "../arguments.ts";
import { partAt, type SelectedRanges } from "./selected_copier.ts";

const OPERATORS = ["!=", "<=", ">=", "=", "<", ">"] as const;
type Operator = typeof OPERATORS[number];

const encoder = new TextEncoder();

/** Condition on the value at a pointer. */
export interface Condition {
  readonly tokens: readonly string[];
  readonly operator: Operator;
  readonly value: WantedValue;
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
    const json = encoder.encode(text.slice(at + operator.length));
    // A pointer may have these characters, too.
    if (validateBinary(json).ok) return makeCondition(text, at, operator, json);
    at += operator.length - 1;
  }
  if (first === undefined) fail(text, text.length, `expected one of ${OPERATORS.join(" ")} and a JSON value`);
  const at = first.at + first.operator.length;
  const word = text.slice(at);
  const hint = /^[\p{L}\p{N}_. /:-]+$/u.test(word) ? `; a string needs quotes: '/name="text"'` : "";
  fail(text, at, `expected a JSON value${hint}`);
}

function makeCondition(text: string, at: number, operator: Operator, json: Uint8Array): Condition {
  const value = wantedValueOf(json);
  if (value === null) fail(text, at + operator.length, "its value is nested too deep");
  if (/[<>]/.test(operator) && !isNumber(value.bytes[0])) {
    fail(text, at + operator.length, `'${operator}' compares numbers only`);
  }
  return { tokens: parseTokens(text.slice(0, at).trimEnd(), text), operator, value };
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
export function holds({ operator, value }: Condition, bytes: Uint8Array, start: number, end: number): boolean {
  if (operator === "=") return isEqualTo(value, bytes, start, end);
  if (operator === "!=") return !isEqualTo(value, bytes, start, end);
  if (!isNumber(bytes[start])) return false;
  const difference = compareNumber(value, bytes, start, end);
  if (operator === "<") return difference < 0;
  if (operator === ">") return difference > 0;
  return operator === "<=" ? difference <= 0 : difference >= 0;
}
