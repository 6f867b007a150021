/** Assertions about results of `parseBinary`, and about all readers that must agree with it. */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { locate } from "../../pointer.ts";
import { every, type Mask, selectBinary, type Selector, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { concat, type Form, type Input, show, utf8 } from "./bytes.ts";
import { type Cut, everyCut, piecesAt, readAgain } from "./cuts.ts";
import { resultDifference } from "./difference.ts";
import { assertSelectedFromPieces, partOf, showMask } from "./masks.ts";
import { nativeDifference } from "./native.ts";
import { sampled } from "./random.ts";
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

/** Masks, one for an input after the other. The first one skips whatever it meets. */
const MASKS: Mask[] = [
  { "a name that is not there": true },
  { a: [{ b: true }], [every]: [true] },
  [{ [every]: { [every]: true }, id: true }],
  { k: true, a: { b: true, c: [true] }, list: [{ id: true }] },
  [[true]],
];
const selectors = MASKS.map((mask) => selector(mask) as Selector<unknown>);
let inputs = 0;
/** One in so many inputs in pieces is selected from, too: that takes longer. */
const SELECTED_ONCE_IN = 7;
let pieced = 0;

/** Pointers that documents of tests have, and that they lack. */
const POINTERS = ["/a/1/b", "/c", "/c/d/1", "/1/0", ""] as const;

/** Finds a difference between a validation and a result. */
export function validationDifference(actual: { ok: boolean }, expected: ParseResult): string | undefined {
  if (!actual.ok || !expected.ok) return resultDifference(actual as ParseResult, expected);
}

/** Asserts that parsers and validators give an expected result, from pieces at each cut. */
export function assertPieces(bytes: Uint8Array, expected: ParseResult, cuts: Iterable<Cut>): void {
  for (const cut of cuts) {
    const problem = resultDifference(readAgain(parser, piecesAt(bytes, cut)), expected) ??
      validationDifference(readAgain(validator, piecesAt(bytes, cut)), expected);
    if (problem) throw new Error(`${show(bytes)}, cut at ${cut}: ${problem}`);
  }
}

/**
 * Asserts that readers of whole inputs, as they are and in other forms, give the result of the
 * reference parser.
 */
function assertWhole(bytes: Uint8Array, wanted: number, forms: Iterable<Form>): ParseResult {
  const expected = assertAgreement(bytes, forms);
  const part = partOf(expected, MASKS[wanted]);
  const others = Array.from(forms).filter(sampled);
  for (const input of [bytes, ...others.map(([, make]) => make(bytes))]) {
    const results = [validateBinary(input), selectBinary(input, selectors[0]), ...locate(input, POINTERS)];
    let problem = resultDifference(selectBinary(input, selectors[wanted]), part);
    for (const result of results) problem ??= validationDifference(result, expected);
    if (problem) throw new Error(`${show(input)}, ${showMask(MASKS[wanted])}: ${problem}`);
  }
  return expected;
}

/**
 * Asserts that all readers give the result of the reference parser: parsers, validators, selectors
 * and those that follow pointers. They read the bytes in some forms, with room for words behind
 * them, and in pieces at each cut.
 */
export function assertReadAlike(
  bytes: Uint8Array,
  cuts: Iterable<Cut> = everyCut(bytes.length),
  forms: Iterable<Form> = [],
): ParseResult {
  const wanted = inputs++ % MASKS.length;
  assertWhole(concat([bytes, utf8(" ".repeat(64))]), wanted, []);
  const expected = assertWhole(bytes, wanted, forms);
  const part = partOf(expected, MASKS[wanted]);
  for (const cut of cuts) {
    assertPieces(bytes, expected, [cut]);
    if (++pieced % SELECTED_ONCE_IN !== 0) continue;
    assertSelectedFromPieces(bytes, selectors[wanted], part, cut, showMask(MASKS[wanted]));
  }
  return expected;
}
