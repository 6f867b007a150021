/**
 * What the suites of `parseBinary` assert.
 *
 * @module
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { type Form, type Input, show } from "./bytes.ts";
import { resultDifference } from "./difference.ts";
import { nativeDifference } from "./native.ts";
import { referenceParse } from "./reference.ts";

/** Fails unless an input gets the expected result; says in which form it was given. */
export function assertResult(input: Input, expected: ParseResult, form = "it is"): ParseResult {
  const result = parseBinary(input);
  const problem = resultDifference(result, expected);
  if (problem) throw new Error(`${show(input)}, as ${form}: ${problem}`);
  return result;
}

/** Fails unless an input has the expected value. */
export function assertValue(input: Input, value: unknown): void {
  assertResult(input, { ok: true, value });
}

/** Fails unless an input is refused for the expected reason at the expected offset. */
export function assertFailure(input: Input, code: string, offset: number): void {
  const result = parseBinary(input);
  const found = result.ok ? "accepted" : `${result.code} at ${result.offset}`;
  if (found !== `${code} at ${offset}`) throw new Error(`${show(input)}: ${found} instead of ${code} at ${offset}`);
}

/**
 * Fails unless bytes get, as they are and in the given forms, the result that the reference parser has for them, and
 * `JSON.parse` is of the same mind.
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
