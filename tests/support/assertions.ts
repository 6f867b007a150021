/** Assertions about results of `parseBinary`, and about all readers that must agree with it. */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { locate } from "../../pointer.ts";
import { every, type Mask } from "../../select.ts";
import { concat, type Form, type Input, show, utf8 } from "./bytes.ts";
import { type Cut, everyCut } from "./cuts.ts";
import { resultDifference } from "./difference.ts";
import { nativeDifference } from "./native.ts";
import { sampled } from "./random.ts";
import { assertRead, assertWhole, partOf, PLAIN, type Reading } from "./readers.ts";
import { recursionProblem } from "./recursion.ts";
import { referenceParse } from "./reference.ts";

/** Asserts the result of an input. The error names the form of the input. */
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
 * Asserts that bytes, as they are and in other forms, have the result of the reference parser, and
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

/** Masks, used for the inputs in turn. The first one skips everything. */
const SELECTIONS: Reading[] = ([
  { "a name that is not there": true },
  { a: [{ b: true }], [every]: [true] },
  [{ [every]: { [every]: true }, id: true }],
  { k: true, a: { b: true, c: [true] }, list: [{ id: true }] },
  [[true]],
] as Mask[]).map((mask) => ({ mask }));
let inputs = 0;
/** One in this many inputs in pieces is selected from, too, which takes longer. */
const SELECTED_ONCE_IN = 7;
let pieced = 0;

/** Pointers, some of which lead to a value in the documents of tests. */
const POINTERS = ["/a/1/b", "/c", "/c/d/1", "/1/0", ""] as const;

/** Asserts the result from readers of whole inputs, and from those that follow pointers. */
function assertInput(input: Input, selection: Reading, expected: ParseResult): void {
  assertWhole(input, PLAIN, expected);
  assertWhole(input, selection, partOf(expected, selection.mask));
  assertLocated(input, expected);
}

function assertLocated(input: Input, expected: ParseResult): void {
  for (const result of locate(input, POINTERS)) {
    const problem = result.ok && expected.ok ? undefined : resultDifference(result as ParseResult, expected);
    if (problem) throw new Error(`${show(input)}, located: ${problem}`);
  }
}

/**
 * Asserts that all readers give the result of the reference parser: those of the table, with and
 * without a mask, and those that follow pointers. They read the bytes in some forms, with room for
 * words after them, and in pieces at each cut.
 */
export function assertReadAlike(
  bytes: Uint8Array,
  cuts: Iterable<Cut> = everyCut(bytes.length),
  forms: Iterable<Form> = [],
): ParseResult {
  const selection = SELECTIONS[inputs++ % SELECTIONS.length];
  const padded = concat([bytes, utf8(" ".repeat(64))]);
  assertInput(padded, selection, assertAgreement(padded));
  const all = Array.from(forms);
  const expected = assertAgreement(bytes, all);
  for (const [, make] of all.filter(sampled)) assertInput(make(bytes), selection, expected);
  assertLocated(bytes, expected);
  const places = Array.from(cuts);
  assertRead(bytes, PLAIN, places, expected);
  const selected = places.filter(() => ++pieced % SELECTED_ONCE_IN === 0);
  assertRead(bytes, selection, selected, partOf(expected, selection.mask));
  return expected;
}
