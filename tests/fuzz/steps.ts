/**
 * Steps of a fuzzing sequence, and their oracle: `JSON.parse` after fatal decoding, and the
 * reference parser for failures and wherever the two differ.
 *
 * @module
 */

import { parseBinary, type ParseOptions, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { BinaryValidator, type GuardOptions, type ParseFailure, validateBinary } from "../../validate_binary.ts";
import { type Mask, selectBinary, selector } from "../../select.ts";
import { FORMS, NEIGHBOURS, textOf } from "../support/bytes.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { randomOptions } from "../support/guarded_documents.ts";
import {
  expectedOutcomes,
  type Outcome,
  type Reading,
  SeveralParser,
  streamedOutcomes,
  validatedOutcomes,
} from "../support/several_values.ts";
import { picked, randomMask } from "../support/masks.ts";
import { Random } from "../support/random.ts";
import { referenceParse, referenceResult } from "../support/reference.ts";

// V8 captures a stack trace for every SyntaxError, which is slow for a million of them.
Error.stackTraceLimit = 0;

/** An input, and how it is passed. */
export interface Step {
  bytes: Uint8Array;
  /** Index in `FORMS`; 0 stands for a view at `alignment` between hostile neighbours. */
  form: number;
  alignment: number;
  /** Places where the input is cut into pieces, in rising order; `null` to pass it whole only. */
  cuts: number[] | null;
  /** Separation of several documents in the input. */
  multiple?: "lines" | "concatenated";
  /** Seed of options that the input is read with, too. */
  seed?: number;
}

/** Counts of what was checked. */
export interface Counts {
  documents: number;
  valid: number;
  bytes: number;
  pieces: number;
  /** Documents that `JSON.parse` gives wrong keys: a bug of V8. */
  nativeBugs: number;
}

/** Returns counts of nothing. */
export function noCounts(): Counts {
  return { documents: 0, valid: 0, bytes: 0, pieces: 0, nativeBugs: 0 };
}

/** Depth up to which the reference parser, which recurses, has enough of the stack. */
const REFERENCE_DEPTH = 2_500;

/** Compares values that are mostly equal. Recurses, and leaves attributes to `difference`. */
function areEqual(actual: unknown, expected: unknown, depth: number): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  if (depth > 200) return difference(actual, expected) === undefined;
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return false;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    for (let i = 0; i < expected.length; i++) if (!areEqual(actual[i], expected[i], depth + 1)) return false;
    return true;
  }
  const keys = Object.keys(expected);
  const actualKeys = Object.keys(actual);
  if (keys.length !== actualKeys.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (actualKeys[i] !== key) return false;
    const [a, e] = [(actual as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key]];
    if (!areEqual(a, e, depth + 1)) return false;
  }
  return true;
}

function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
}

/** Value of `JSON.parse`, or `undefined` where it throws. */
function nativeValue(bytes: Uint8Array): { value: unknown } | undefined {
  const text = textOf(bytes);
  if (text === undefined) return undefined;
  try {
    return { value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

let checked = 0;

/** Compares a result with the expected one. Returns the problem in words. */
function problemOf(actual: ParseResult, bytes: Uint8Array, counts: Counts): string | undefined {
  const native = nativeValue(bytes);
  if (native !== undefined && actual.ok && areEqual(actual.value, native.value, 0)) {
    // Attributes of properties are compared now and then, since that takes time.
    return ++checked % 32 === 0 ? difference(actual.value, native.value) : undefined;
  }
  if (native !== undefined && !actual.ok) return `rejected: ${actual.message}`;
  if (native === undefined && actual.ok) return "accepted, unlike by JSON.parse";
  if (bytes.length > REFERENCE_DEPTH && depthOf(bytes) > REFERENCE_DEPTH) return undefined;
  const problem = resultDifference(actual, referenceParse(bytes));
  if (problem === undefined && native !== undefined) counts.nativeBugs++;
  return problem;
}

function failureText(result: { ok: true } | ParseFailure): string {
  return result.ok ? "valid" : JSON.stringify(result);
}

/** Passes an input whole, in its form: as a view, or as anything else that a caller may pass. */
function inputOf({ bytes, form, alignment }: Step): ReturnType<(typeof FORMS)[number][1]> {
  if (form > 0) return FORMS[form][1](bytes);
  const whole = new Uint8Array(bytes.length + alignment + 8).fill(NEIGHBOURS[alignment].charCodeAt(0));
  whole.set(bytes, alignment);
  return whole.subarray(alignment, alignment + bytes.length);
}

/** Calls `push` with each piece, a copy between hostile neighbours. */
function forPieces(bytes: Uint8Array, cuts: number[], push: (piece: Uint8Array) => void): void {
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    const whole = new Uint8Array(end - start + 6).fill(0x39);
    whole.set(bytes.subarray(start, end), 3);
    push(whole.subarray(3, 3 + end - start));
    start = end;
  }
}

/** Consumer of pieces: returns the problem with its result, given the result for the whole. */
type PieceTarget = (step: Step & { cuts: number[] }, whole: ParseResult) => string | undefined;

const validator = new BinaryValidator();
const parser = new BinaryParser();
let elements: unknown[] = [];
const elementParser = new BinaryParser({ multiple: "elements", onValue: ({ value }) => elements.push(value) });

/** Consumers of the pieces of one document, by name. */
const PIECE_TARGETS: Record<string, PieceTarget> = {
  BinaryValidator({ bytes, cuts }, whole) {
    validator.reset();
    forPieces(bytes, cuts, (piece) => validator.push(piece));
    const result = validator.end();
    if (result.ok && result.bytes !== bytes.length) return `counted ${result.bytes} bytes`;
    const [actual, expected] = [failureText(result.ok ? { ok: true } : result), failureText(whole)];
    return actual === expected || whole.ok && result.ok ? undefined : `${actual} instead of ${expected}`;
  },
  BinaryParser({ bytes, cuts }, whole) {
    parser.reset();
    forPieces(bytes, cuts, (piece) => parser.push(piece));
    const result = parser.end();
    if (result.ok && whole.ok && areEqual(result.value, whole.value, 0)) return undefined;
    return resultDifference(result, whole);
  },
  "BinaryParser of elements"({ bytes, cuts }, whole) {
    elements = [];
    elementParser.reset();
    forPieces(bytes, cuts, (piece) => elementParser.push(piece));
    const result = elementParser.end();
    if (!whole.ok || !Array.isArray(whole.value)) return result.ok ? "accepted" : undefined;
    if (!result.ok) return `rejected: ${result.message}`;
    return areEqual(elements, whole.value, 0) ? undefined : difference(elements, whole.value);
  },
};

/**
 * Valid documents between two new masks. Those in between meet the gaps that the selector has
 * learned.
 */
const MASK_INTERVAL = 16;
let mask: Mask = true;
let wanted = selector(mask);
let selections = 0;
let selectingParser = new BinaryParser({ select: wanted });

/**
 * Checks the selection from an input, whole and in pieces, by a mask made for an earlier document.
 */
function selectionProblem(
  step: Step,
  input: Parameters<typeof selectBinary>[0],
  whole: ParseResult,
): string | undefined {
  if (whole.ok && selections++ % MASK_INTERVAL === 0) {
    mask = randomMask(new Random(selections), whole.value);
    wanted = selector(mask);
    selectingParser = new BinaryParser({ select: wanted });
  }
  const expected: ParseResult = whole.ok ? { ok: true, value: picked(whole.value, mask) } : whole;
  const problem = resultDifference(selectBinary(input, wanted), expected);
  if (problem !== undefined || step.cuts === null) return problem;
  selectingParser.reset();
  forPieces(step.bytes, step.cuts, (piece) => selectingParser.push(piece));
  return resultDifference(selectingParser.end(), expected);
}

/** Deepest document that is read with options: the references recurse. */
const OPTIONS_DEPTH = 500;

/** Frozen options, and parsers that have read inputs with them before. */
interface Reader {
  options: ParseOptions;
  parser: BinaryParser;
  several: Record<"lines" | "concatenated", SeveralParser>;
}

const readers = new Map<number | undefined, Reader>();

/** Returns the options of a seed, none without one, and what has learned of earlier inputs. */
function readerOf(seed: number | undefined): Reader {
  let reader = readers.get(seed);
  if (reader === undefined) {
    const made = seed === undefined ? {} : randomOptions(new Random(seed));
    const options = Object.freeze({ ...made, maxBytes: undefined });
    const several = {
      lines: new SeveralParser("lines", options),
      concatenated: new SeveralParser("concatenated", options),
    };
    reader = { options, parser: new BinaryParser(options), several };
    readers.set(seed, reader);
  }
  return reader;
}

/**
 * Checks the effects of options on an input, whole, selected and in pieces. They are frozen and
 * fresh in turn.
 */
function optionsProblem(
  step: Step,
  input: Parameters<typeof selectBinary>[0],
): string | undefined {
  const { bytes, cuts, seed } = step;
  if (seed === undefined || depthOf(bytes) > OPTIONS_DEPTH) return undefined;
  const { options, parser } = readerOf(seed);
  const how = JSON.stringify(options);
  const expected = referenceResult(bytes, options);
  const part: ParseResult = expected.ok ? { ok: true, value: picked(expected.value, mask) } : expected;
  for (const [name, used] of [["frozen", options], ["fresh", { ...options }], ["frozen again", options]] as const) {
    const problem = resultDifference(parseBinary(input, used), expected) ??
      resultDifference(selectBinary(input, wanted, used), part);
    if (problem !== undefined) return `${how}, ${name}: ${problem}`;
  }
  if (cuts === null) return undefined;
  parser.reset();
  const selecting = new BinaryParser({ ...options, select: wanted });
  for (const [reader, result] of [[parser, expected], [selecting, part]] as const) {
    forPieces(bytes, cuts, (piece) => reader.push(piece));
    const problem = resultDifference(reader.end(), result);
    if (problem !== undefined) return `${how}, in pieces: ${problem}`;
  }
  return undefined;
}

/** Yields the pieces of an input: see {@linkcode forPieces}. */
function piecesOf({ bytes, cuts }: Step): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  forPieces(bytes, cuts ?? [], (piece) => pieces.push(piece));
  return pieces;
}

function outcomesProblem(name: string, actual: Outcome[], expected: Outcome[]): string | undefined {
  const problem = difference(actual, expected);
  return problem && `${name}: ${problem}`;
}

/**
 * Checks several documents: the outcome of each is that of its bytes alone, whatever was wrong
 * before it and wherever the input is cut. Deep ones are compared with those of the validator.
 */
function severalProblem(step: Step, seed: number | undefined): string | undefined {
  const { bytes, multiple } = step;
  const { options, several } = readerOf(seed);
  const pieces = piecesOf(step);
  const isDeep = depthOf(bytes) > OPTIONS_DEPTH;
  if (isDeep && seed !== undefined) return undefined;
  const fresh: Reading = { options: { ...options }, mask: true };
  const withoutValues = (outcomes: Outcome[]): Outcome[] => outcomes.map((one) => ({ ...one, value: undefined }));
  const { number: _, numbers, ...checks } = options;
  const mayValidate = options.duplicateKeys !== "first" && options.protoKeys !== "drop" &&
    options.integers !== "bigint" && numbers !== "source";
  const validated = mayValidate ? validatedOutcomes(pieces, multiple!, checks as GuardOptions) : undefined;
  if (isDeep) {
    const parsed = withoutValues(several[multiple!].parse(pieces));
    return outcomesProblem("BinaryParser", parsed, validated!) ??
      outcomesProblem("whole", validatedOutcomes([bytes], multiple!, {}), validated!);
  }
  const expected = expectedOutcomes(bytes, multiple!, fresh);
  const selected: Outcome[] = expected.map((outcome) => {
    return outcome.place.startsWith("line") ? { ...outcome, value: picked(outcome.value, mask) } : outcome;
  });
  several[multiple!].parse(pieces, pieces.length >> 1); // given up
  return outcomesProblem("alone, frozen", expectedOutcomes(bytes, multiple!, { options, mask: true }), expected) ??
    outcomesProblem("used parser", several[multiple!].parse(pieces), expected) ??
    outcomesProblem("new parser", new SeveralParser(multiple!, fresh.options).parse(pieces), expected) ??
    outcomesProblem("selecting", new SeveralParser(multiple!, options, wanted).parse(pieces), selected) ??
    (validated && outcomesProblem("BinaryValidator", validated, withoutValues(expected)));
}

/** Checks that a `JsonParseStream` with options gives the outcome of each document alone. */
export async function streamProblem(step: Step): Promise<string | undefined> {
  const { bytes, multiple, seed } = step;
  if (multiple === undefined || seed === undefined || depthOf(bytes) > OPTIONS_DEPTH) return undefined;
  const { options } = readerOf(seed);
  const readings: Reading[] = [{ options, mask: true }, { options: { ...options }, mask }];
  try {
    for (const reading of readings) {
      const streamed = await streamedOutcomes("JsonParseStream", [...piecesOf(step)], multiple, reading);
      const problem = outcomesProblem("JsonParseStream", streamed, expectedOutcomes(bytes, multiple, reading));
      if (problem !== undefined) return `with options ${JSON.stringify(options)}: ${problem}`;
    }
    return undefined;
  } catch (error) {
    return thrown(error);
  }
}

function thrown(error: unknown): string {
  return `threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
}

/** Runs a step. Returns the problem in words, or `undefined`. */
export function runStep(step: Step, counts: Counts): string | undefined {
  counts.documents++;
  counts.bytes += step.bytes.length;
  try {
    if (step.multiple !== undefined) {
      for (const seed of step.seed === undefined ? [undefined] : [undefined, step.seed]) {
        const problem = severalProblem(step, seed);
        if (problem !== undefined) return `with options ${JSON.stringify(readerOf(seed).options)}: ${problem}`;
      }
      return undefined;
    }
    const input = inputOf(step);
    const result = parseBinary(input);
    if (result.ok) counts.valid++;
    const parsed = problemOf(result, step.bytes, counts);
    if (parsed !== undefined) return `parseBinary: ${parsed}`;
    const [validated, expected] = [failureText(validateBinary(input)), failureText(result.ok ? { ok: true } : result)];
    if (validated !== expected) return `validateBinary: ${validated} instead of ${expected}`;
    const selected = selectionProblem(step, input, result);
    if (selected !== undefined) return `selectBinary: ${selected}`;
    const guarded = optionsProblem(step, input);
    if (guarded !== undefined) return `with options ${guarded}`;
    if (step.cuts !== null) {
      for (const [name, target] of Object.entries(PIECE_TARGETS)) {
        counts.pieces += step.cuts.length + 1;
        const problem = target(step as Step & { cuts: number[] }, result);
        if (problem !== undefined) return `${name}: ${problem}`;
      }
    }
    return undefined;
  } catch (error) {
    return thrown(error);
  }
}
