/** Conditions of `--where`: those of the library, written as text. */

import { type WantedValue, wantedValueOf } from "../../parser/wanted/compare_values.ts";
import { isComparison, isTooDeep, type Operator, type Test } from "../../parser/wanted/conditions.ts";
import { parsePointer } from "../../parser/wanted/pointers.ts";
import { validateBinary } from "../../validate_binary.ts";
import { UsageError } from "../arguments.ts";
import { meantPointer } from "./pointer_notations.ts";

/** Operators between a pointer and a value, the longer ones first. */
const SIGNS = ["!=", "<=", ">=", "=", "<", ">"] as const;

/** Operators of other languages, with the one that they mean here. */
const FOREIGN: Readonly<Record<string, string>> = {
  "==": "=",
  "===": "=",
  "!==": "!=",
  "=>": ">=",
  "=<": "<=",
  "<>": "!=",
  "=~": "=",
};

/** Joint of two conditions in one text. A name may have some of these, but not after an operator. */
const JOINT =
  /\s(?:&&|\|\||and|or)\s+(?=\/)|(?:\s(?:&&|\|\||and|or)\s|[\s,;&|]+(?=\/))(?<=(?:[=<>]|\sexists\b|\sin\s).*)/is;

const encoder = new TextEncoder();

/**
 * Parses a condition, such as `/level="error"`, `/level in ["error","fatal"]` or `/user exists`.
 *
 * @throws {UsageError} If it is wrong; the error points to the place.
 */
export function parseCondition(text: string): Test {
  const word = /\s+(?:exists(?:\s+(true|false))?\s*|in\s+(\[.*))$/s.exec(text);
  if (word !== null) {
    refuseForeign(text, word.index);
    const tokens = testedTokens(text.slice(0, word.index), text);
    if (word[2] === undefined) return { tokens, operator: "exists", values: [], exists: word[1] !== "false" };
    const at = text.length - word[2].length;
    const values = readWanted(text, at)?.items;
    if (values !== undefined) return { tokens, operator: "in", values, exists: true };
    refuseForeign(text, text.length);
    fail(text, at, "expected an array of JSON values");
  }
  let first: { at: number; sign: Operator } | undefined;
  for (let at = 0; at < text.length; at++) {
    const sign = SIGNS.find((sign) => text.startsWith(sign, at));
    if (sign === undefined) continue;
    first ??= { at, sign };
    // A pointer may have these characters, too.
    const end = at + sign.length;
    const value = readWanted(text, end);
    if (value !== undefined) return makeTest(text, end, sign, value);
    at = end - 1;
  }
  refuseForeign(text, text.length);
  const wrongWord = /\s(?:exists|in)(?=[\s[]|$)/i.exec(text);
  if (wrongWord !== null) fail(text, wrongWord.index + 1, "expected 'exists', 'exists false' or 'in [VALUE,…]'");
  if (first === undefined) fail(text, text.length, `expected one of ${SIGNS.join(" ")} in exists, and a JSON value`);
  const at = first.at + first.sign.length;
  const value = text.slice(at);
  const hint = /^[\p{L}\p{N}_. /:-]+$/u.test(value) ? `; a string needs quotes: '/name="text"'` : "";
  fail(text, at, `expected a JSON value${hint}`);
}

/** Makes the test with a value that begins at a position, after the operator. */
function makeTest(text: string, at: number, operator: typeof SIGNS[number], value: WantedValue): Test {
  refuseForeign(text, at);
  if (isComparison(operator) && value.decimal === null) fail(text, at, `'${operator}' compares numbers only`);
  const pointer = text.slice(0, at - operator.length).trimEnd();
  return { tokens: testedTokens(pointer, text), operator, values: [value], exists: true };
}

/** Refuses what would be a pointer with operators in it, before the value or the word at `end`. */
function refuseForeign(text: string, end: number): void {
  const joined = text.slice(0, end);
  const joint = JOINT.exec(joined);
  if (joint !== null) {
    const at = joint.index + joint[0].search(/\S|$/);
    fail(text, at, "one condition for each --where, all of which must hold; 'in' takes several values");
  }
  const not = /\snot\s*$/i.exec(joined);
  if (not !== null) fail(text, not.index + 1, "'not' is no operator; '!=' excludes a value, 'exists false' all values");
  const sign = /[=!<>~]{2,}/.exec(joined);
  const meant = sign === null ? undefined : FOREIGN[sign[0]];
  if (meant !== undefined) fail(text, sign!.index, `'${sign![0]}' is no operator; expected '${meant}'`);
}

/** Returns the JSON value that begins at a position; `undefined` if it is none. */
function readWanted(text: string, at: number): WantedValue | undefined {
  const bytes = encoder.encode(text.slice(at));
  if (!validateBinary(bytes).ok) return undefined;
  const value = wantedValueOf(bytes);
  if (value === null) fail(text, at, "its value is nested too deep");
  return value;
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
    const meant = at === 0 ? meantPointer(pointer.trim()) : undefined;
    const hint = meant === undefined ? "" : ` (did you mean '${meant}'?)`;
    const problem = at === 0
      ? `a pointer begins with '/'${hint}`
      : "'~' is written '~0' in a pointer, and '/' in a name '~1'";
    throw new UsageError(`wrong pointer: ${problem}`, undefined, { text, at });
  }
}

function testedTokens(pointer: string, text: string): string[] {
  const tokens = parseTokens(pointer, text);
  if (isTooDeep(tokens)) fail(text, 0, "its pointer has too many tokens");
  return tokens;
}

function fail(text: string, at: number, problem: string): never {
  throw new UsageError(`wrong condition: ${problem}`, undefined, { text, at });
}
