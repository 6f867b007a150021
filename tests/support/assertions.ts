/**
 * Assertions about results of `parseBinary`.
 *
 * @module
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { type Form, type Input, show } from "./bytes.ts";
import { resultDifference } from "./difference.ts";
import { nativeDifference } from "./native.ts";
import { recursionProblem } from "./recursion.ts";
import { referenceParse } from "./reference.ts";

/** Asserts the result of an input. The error names the form in which the input was passed. */
export function assertResult(input: Input, expected: ParseResult, form = "it is"): ParseResult {
  const result = parseBinary(input);
  let problem = resultDifference(result, expected);
  if (input instanceof Uint8Array) problem ??= recursionProblem(input, expected);
  if (problem) throw new Error(`${show(input)}, as ${form}: ${problem}`);
  return result;
}

/** Asserts the value of an input. */
export function assertValue(input: Input, value: unknown): void {
  assertResult(input, { ok: true, value });
}

/** Asserts the code and offset of a failure. */
export function assertFailure(input: Input, code: string, offset: number): void {
  const result = parseBinary(input);
  const found = result.ok ? "accepted" : `${result.code} at ${result.offset}`;
  if (found !== `${code} at ${offset}`) throw new Error(`${show(input)}: ${found} instead of ${code} at ${offset}`);
}

/**
 * Asserts that bytes give the result of the reference parser, as they are and in other forms, and
 * that `JSON.parse` agrees.
 */
export function assertAgreement(
  bytes: Uint8Array,
  forms: Iterable<Form> = [],
  expected: ParseResult = referenceParse(bytes),
): ParseResult {
  const result = assertResult(bytes, expected);
  const problem = nativeDifference(result, bytes);
  if (problem) throw new Error(`${show(bytes)}: ${problem}`);
  for (const [form, make] of forms) assertResult(make(bytes), expected, form);
  return result;
}
