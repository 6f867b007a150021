/**
 * Assertions about results of `parseBinary`, and about all that must agree with it.
 *
 * @module
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { selectBinary, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { concat, type Form, type Input, show, utf8 } from "./bytes.ts";
import { assertAtEachCut, type Cut, everyCut } from "./cuts.ts";
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

const validator = new BinaryValidator();
const parser = new BinaryParser();
/** Skips whatever it meets: no document of a test has this name. */
const skipper = selector({ "a name that is not there": true });

/** Finds a difference between a validation and a result. */
function validationDifference(actual: { ok: true } | ParseResult, expected: ParseResult): string | undefined {
  if (!actual.ok || !expected.ok) return resultDifference(actual as ParseResult, expected);
}

/** Reads the pieces of an input. */
function readPieces<T>(
  reader: { reset(): void; push(piece: Uint8Array): boolean; end(): T },
  pieces: Iterable<Uint8Array>,
): T {
  reader.reset();
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

/** Asserts that parsers and validators give an expected result, from pieces at each cut. */
export function assertPieces(bytes: Uint8Array, expected: ParseResult, cuts: Iterable<Cut>): void {
  for (const cut of cuts) {
    assertAtEachCut(bytes, [cut], (pieces) => readPieces(parser, pieces), expected, resultDifference);
    assertAtEachCut<{ ok: true } | ParseResult>(bytes, [cut], (pieces) => readPieces(validator, pieces), expected, (
      actual,
    ) => validationDifference(actual, expected));
  }
}

/**
 * Asserts that parsers, validators and the loop that skips give the result of the reference parser:
 * of bytes alone, of bytes with room for words behind them, and of pieces at each cut.
 */
export function assertReadAlike(bytes: Uint8Array, cuts: Iterable<Cut> = everyCut(bytes.length)): void {
  for (const input of [bytes, concat([bytes, utf8(" ".repeat(64))])]) {
    const expected = assertAgreement(input);
    for (const result of [validateBinary(input), selectBinary(input, skipper)]) {
      const problem = validationDifference(result as ParseResult, expected);
      if (problem) throw new Error(`${show(input)}, not parsed: ${problem}`);
    }
    if (input === bytes) assertPieces(bytes, expected, cuts);
  }
}
