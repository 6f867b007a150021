/**
 * Steps of a fuzzing sequence, and their oracle: `JSON.parse` after fatal decoding, and the
 * reference parser for failures and wherever the two differ.
 *
 * @module
 */

import { describeFailure } from "../../parser/base/failure.ts";
import { parseBinary, type ParseOptions, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser, JsonParseStream } from "../../parse_stream.ts";
import { BinaryValidator, type ParseFailure, validateBinary, type ValidatedDocument } from "../../validate_binary.ts";
import { type Mask, selectBinary, selector } from "../../select.ts";
import { FORMS, NEIGHBOURS, textOf } from "../support/bytes.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { referenceRead } from "../support/guard_reference.ts";
import { randomOptions } from "../support/guarded_documents.ts";
import { picked, randomMask } from "../support/masks.ts";
import { Random } from "../support/random.ts";
import { referenceParse } from "../support/reference.ts";

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

/** Inputs between two that are read with options, since the reference takes long. */
const OPTIONS_INTERVAL = 8;
let untilOptions = 0;

/** Deepest valid document that is read with options: the reference recurses. */
const OPTIONS_DEPTH = 500;

/** Checks the effects of random options on a valid input, whole, selected and in pieces. */
function optionsProblem(
  step: Step,
  input: Parameters<typeof selectBinary>[0],
  whole: ParseResult,
): string | undefined {
  if (!whole.ok || untilOptions++ % OPTIONS_INTERVAL > 0 || depthOf(step.bytes) > OPTIONS_DEPTH) return undefined;
  const options: ParseOptions = { ...randomOptions(new Random(untilOptions)), maxBytes: undefined };
  const { bytes } = step;
  const reading = referenceRead(bytes, options);
  const expected: ParseResult = reading.refusal === null
    ? { ok: true, value: reading.value }
    : describeFailure(bytes, reading.refusal.code, reading.refusal.offset);
  const part: ParseResult = expected.ok ? { ok: true, value: picked(expected.value, mask) } : expected;
  const problem = resultDifference(parseBinary(input, options), expected) ??
    resultDifference(selectBinary(input, wanted, options), part);
  if (problem !== undefined || step.cuts === null) return problem && `${JSON.stringify(options)}: ${problem}`;
  for (const [select, result] of [[undefined, expected], [wanted, part]] as const) {
    const guarded = new BinaryParser({ ...options, select });
    forPieces(bytes, step.cuts, (piece) => guarded.push(piece));
    const problem = resultDifference(guarded.end(), result);
    if (problem !== undefined) return `${JSON.stringify(options)}, in pieces: ${problem}`;
  }
  return undefined;
}

type Separated = [documents: ValidatedDocument[], result: string];

/** Validates several documents in pieces. */
function validateSeveral({ bytes, multiple }: Step, cuts: number[]): Separated {
  const documents: ValidatedDocument[] = [];
  const several = new BinaryValidator({ multiple: multiple!, onDocument: (document) => documents.push(document) });
  forPieces(bytes, cuts, (piece) => several.push(piece));
  const result = several.end();
  return [documents, failureText(result)];
}

/** Parses several documents in pieces. Checks the value of each, and returns all but the values. */
function parseSeveral({ bytes, multiple }: Step, cuts: number[]): Separated {
  const documents: ValidatedDocument[] = [];
  let wrong: string | undefined;
  const several = new BinaryParser({
    multiple: multiple!,
    onValue({ value, index, start, end, line }) {
      const expected = parseBinary(bytes.subarray(start, end));
      if (!expected.ok || !areEqual(value, expected.value, 0)) wrong ??= `value ${index} is wrong`;
      documents.push({ index, start, end, line, failure: null });
    },
    onInvalid: ({ index, start, end, line, failure }) => documents.push({ index, start, end, line, failure }),
  });
  forPieces(bytes, cuts, (piece) => several.push(piece));
  const result = several.end();
  return [documents, wrong ?? failureText(result.ok ? { ok: true } : result)];
}

/** Splits JSON Lines into the bytes of lines that are not blank, each with its offset. */
function linesOf(bytes: Uint8Array): [start: number, line: Uint8Array][] {
  const lines: [number, Uint8Array][] = [];
  for (let start = 0; start <= bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d)) lines.push([start, line]);
    start = end + 1;
  }
  return lines;
}

/**
 * Checks several documents: cuts change nothing, and each line of JSON Lines has the failure of the
 * reference parser.
 */
function severalProblem(step: Step): string | undefined {
  const [documents, result] = validateSeveral(step, []);
  const cut = validateSeveral(step, step.cuts ?? []);
  if (JSON.stringify(cut) !== JSON.stringify([documents, result])) return `differs if cut at ${step.cuts}`;
  const parsed = JSON.stringify(parseSeveral(step, step.cuts ?? []));
  if (parsed !== JSON.stringify([documents, result])) {
    return `BinaryParser: ${parsed} instead of ${JSON.stringify([documents, result])}`;
  }
  const hasByteOrderMark = step.bytes.some((byte, i) => byte === 0xef && step.bytes[i + 1] === 0xbb);
  if (hasByteOrderMark) return undefined;
  const problem = severalOptionsProblem(step, documents);
  if (problem !== undefined) return `with options ${problem}`;
  if (step.multiple !== "lines" || depthOf(step.bytes) > REFERENCE_DEPTH) return undefined;
  const lines = linesOf(step.bytes);
  if (lines.length !== documents.length) return `${documents.length} documents on ${lines.length} lines`;
  for (const [i, [start, line]] of lines.entries()) {
    const expected = referenceParse(line);
    const { failure } = documents[i];
    const actual = failure === null ? "valid" : `${failure.code} at ${failure.offset}`;
    const wanted = expected.ok ? "valid" : `${expected.code} at ${start + expected.offset}`;
    if (actual !== wanted) return `document ${i} is ${actual} instead of ${wanted}`;
  }
  return undefined;
}

/** Outcome of a document among several: its value, or its failure in words. */
type Outcome = { value: unknown } | string;

/** Returns the outcome of a document that begins at `start`, read alone. */
function outcomeOf(bytes: Uint8Array, start: number, options: ParseOptions): Outcome {
  const result = parseBinary(bytes, options);
  return result.ok ? { value: result.value } : `${result.code} at ${start + result.offset}`;
}

/** Returns the first difference of outcomes in words. */
function outcomeProblem(actual: Outcome[], expected: Outcome[]): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} outcomes instead of ${expected.length}`;
  for (const [i, outcome] of actual.entries()) {
    const wanted = expected[i];
    const isSame = typeof outcome === "string" || typeof wanted === "string"
      ? outcome === wanted
      : areEqual(outcome.value, wanted.value, 0);
    if (!isSame) return `outcome ${i} is ${JSON.stringify(outcome)} instead of ${JSON.stringify(wanted)}`;
  }
  return undefined;
}

/** Inputs of several documents that one parser with frozen options reads before the next is made. */
const PARSER_LIFE = 6;

/** Returns random options whose effect on a document does not depend on where it stands. */
function optionsOfSeveral(seed: number): ParseOptions {
  const options = randomOptions(new Random(seed));
  const number = options.number && ((text: string): unknown => `number ${text}`);
  return { ...options, maxBytes: undefined, number };
}

/** Parser with frozen options for several documents, and the outcomes of the current input. */
function newLearningParser(multiple: "lines" | "concatenated", seed: number) {
  const outcomes: Outcome[] = [];
  const random = optionsOfSeveral(seed);
  // Concatenated values go on elsewhere after a refusal, so only options that change values are given.
  const { duplicateKeys, protoKeys, integers, numbers, number } = random;
  const options: ParseOptions = Object.freeze(
    multiple === "lines" ? random : {
      duplicateKeys: duplicateKeys === "first" ? "first" : "last",
      protoKeys: protoKeys === "drop" ? "drop" : "keep",
      integers: integers === "bigint" ? "bigint" : "number",
      ...numbers && { numbers },
      ...number && { number },
    },
  );
  const parser = new BinaryParser({
    ...options,
    multiple,
    onValue: ({ value }) => outcomes.push({ value }),
    onInvalid: ({ failure }) => outcomes.push(`${failure.code} at ${failure.offset}`),
  });
  return { options, parser, outcomes, seed };
}

/** By separation. */
const learning = { lines: newLearningParser("lines", 1), concatenated: newLearningParser("concatenated", 1) };
let severalInputs = 0;

/**
 * Checks several documents with random options against each of them read alone, with the same
 * options: the parser has read other inputs before.
 */
function severalOptionsProblem({ bytes, cuts, multiple }: Step, documents: ValidatedDocument[]): string | undefined {
  severalInputs++;
  if (severalInputs % PARSER_LIFE === 0) learning[multiple!] = newLearningParser(multiple!, severalInputs);
  const { options, parser, outcomes } = learning[multiple!];
  outcomes.length = 0;
  parser.reset();
  forPieces(bytes, cuts ?? [], (piece) => parser.push(piece));
  parser.end();
  const alone = (options: ParseOptions): Outcome[] =>
    multiple === "lines"
      ? linesOf(bytes).map(([start, line]) => outcomeOf(line, start, options))
      : documents.map(({ start, end, failure }) =>
        failure === null
          ? outcomeOf(bytes.subarray(start, end), start, options)
          : `${failure.code} at ${failure.offset}`
      );
  const expected = alone({ ...options });
  const problem = outcomeProblem(outcomes, expected) ?? outcomeProblem(alone(options), expected);
  return problem && `${JSON.stringify(options)}: ${problem}`;
}

/** Checks that `JsonParseStream` gives the results of `BinaryParser` for several documents. */
export async function streamProblem({ bytes, cuts, multiple }: Step): Promise<string | undefined> {
  if (multiple === undefined) return undefined;
  const options = optionsOfSeveral(bytes.length);
  const expected: Outcome[] = [];
  const parser = new BinaryParser({
    ...options,
    multiple,
    onValue: ({ value }) => expected.push({ value }),
    onInvalid: ({ failure }) => expected.push(`${failure.code} at ${failure.offset}`),
  });
  parser.push(bytes);
  parser.end();
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      forPieces(bytes, cuts ?? [], (piece) => controller.enqueue(piece.slice()));
      controller.close();
    },
  });
  const actual: Outcome[] = [];
  for await (const result of pieces.pipeThrough(new JsonParseStream({ ...options, multiple }))) {
    actual.push(result.ok ? { value: result.value } : `${result.code} at ${result.offset}`);
  }
  const problem = outcomeProblem(actual, expected);
  return problem && `JsonParseStream with ${JSON.stringify(options)}: ${problem}`;
}

/** Runs a step. Returns the problem in words, or `undefined`. */
export function runStep(step: Step, counts: Counts): string | undefined {
  counts.documents++;
  counts.bytes += step.bytes.length;
  try {
    if (step.multiple !== undefined) return severalProblem(step);
    const input = inputOf(step);
    const result = parseBinary(input);
    if (result.ok) counts.valid++;
    const parsed = problemOf(result, step.bytes, counts);
    if (parsed !== undefined) return `parseBinary: ${parsed}`;
    const [validated, expected] = [failureText(validateBinary(input)), failureText(result.ok ? { ok: true } : result)];
    if (validated !== expected) return `validateBinary: ${validated} instead of ${expected}`;
    const selected = selectionProblem(step, input, result);
    if (selected !== undefined) return `selectBinary: ${selected}`;
    const guarded = optionsProblem(step, input, result);
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
    return `threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
  }
}
