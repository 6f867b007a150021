/**
 * Steps of a fuzzing sequence, and their oracle: `JSON.parse` after fatal decoding, and the
 * reference parser for failures and wherever the two differ.
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import type { Mask } from "../../select.ts";
import { between, concat, FORMS, type Input, NEIGHBOURS, textOf } from "../support/bytes.ts";
import { readAgain } from "../support/cuts.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { picked, randomMask } from "../support/masks.ts";
import { randomOptions } from "../support/options.ts";
import { Random } from "../support/random.ts";
import {
  assertStreamed,
  expectedOutcomes,
  type Outcome,
  outcomesOf,
  readersOf,
  type Reading,
} from "../support/readers.ts";
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

export function noCounts(): Counts {
  return { documents: 0, valid: 0, bytes: 0, pieces: 0, nativeBugs: 0 };
}

/** Depth up to which the reference parser, which recurses, has enough of the stack. */
const REFERENCE_DEPTH = 2_500;

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

/** Compares a result with the expected one. Returns the problem in words. */
function problemOf(actual: ParseResult, bytes: Uint8Array, counts: Counts): string | undefined {
  const native = nativeValue(bytes);
  if (native !== undefined && actual.ok && difference(actual.value, native.value) === undefined) return undefined;
  if (native !== undefined && !actual.ok) return `rejected: ${actual.message}`;
  if (native === undefined && actual.ok) return "accepted, unlike by JSON.parse";
  if (bytes.length > REFERENCE_DEPTH && depthOf(bytes) > REFERENCE_DEPTH) return undefined;
  const problem = resultDifference(actual, referenceParse(bytes));
  if (problem === undefined && native !== undefined) counts.nativeBugs++;
  return problem;
}

/** Passes an input whole, in its form: as a view, or as anything else that a caller may pass. */
function inputOf({ bytes, form, alignment }: Step): ReturnType<(typeof FORMS)[number][1]> {
  if (form > 0) return FORMS[form][1](bytes);
  return between(NEIGHBOURS[alignment], concat([new Uint8Array(alignment), bytes])).subarray(alignment);
}

/** Returns the pieces of an input, each a copy between hostile neighbours. */
function piecesOf({ bytes, cuts }: Step): Uint8Array[] {
  const ends = [...cuts ?? [], bytes.length];
  return ends.map((end, i) => between("999", bytes.subarray(i === 0 ? 0 : ends[i - 1], end)));
}

/** Comparisons of a step: what was read, and the problem in words if there is one. */
type Checks = Generator<[what: string, problem: string | undefined]>;

/**
 * Valid documents between two new masks. Those in between meet the gaps that the selector has
 * learned.
 */
const MASK_INTERVAL = 16;
let mask: Mask = true;
let selections = 0;

let elements: unknown[] = [];
const elementParser = new BinaryParser({ multiple: "elements", onValue: ({ value }) => elements.push(value) });

/** Deepest document that is read with options: the references recurse. */
const OPTIONS_DEPTH = 500;

/**
 * Readings with frozen options, whose readers have read earlier inputs, without and with the
 * current mask.
 */
const plainReadings = new Map<string, Reading>();
const maskedReadings = new Map<string, Reading>();

/**
 * Returns the reading with the options of a seed, if there is one, with the current mask or
 * without.
 */
function readingOf(seed: number | undefined, multiple: Step["multiple"], isMasked = false): Reading {
  const readings = isMasked ? maskedReadings : plainReadings;
  const name = `${seed} ${multiple}`;
  let reading = readings.get(name);
  if (reading === undefined) {
    const options = seed === undefined ? {} : { ...randomOptions(new Random(seed)), maxBytes: undefined };
    reading = { options: Object.freeze(options), ...multiple && { separation: multiple }, ...isMasked && { mask } };
    readings.set(name, reading);
  }
  return reading;
}

function withoutValues(outcomes: Outcome[]): Outcome[] {
  return outcomes.map((outcome) => ({ ...outcome, value: undefined }));
}

/** Returns outcomes with the parts that a mask wants. */
function masked(outcomes: Outcome[], mask: Mask): Outcome[] {
  return outcomes.map((outcome) => outcome.failure ? outcome : { ...outcome, value: picked(outcome.value, mask) });
}

/** Checks all readers that take a reading, after they have abandoned an input of several values. */
function* readerChecks(step: Step, reading: Reading, expected: Outcome[]): Checks {
  const valueless = withoutValues(expected);
  for (const [{ name, isWhole, makesValues }, read] of readersOf(reading)) {
    if (!isWhole && step.cuts === null) continue;
    const pieces: Input[] = isWhole ? [inputOf(step)] : piecesOf(step);
    if (reading.separation) read(pieces, pieces.length >> 1);
    const what = reading.mask === undefined ? name : `${name} that selects`;
    yield [what, difference(read(pieces), makesValues ? expected : valueless)];
  }
}

/** Checks all readers of an input with the options of a seed: frozen ones and new ones in turn. */
function* inputChecks(step: Step, seed: number | undefined, expected: Outcome[]): Checks {
  const reading = readingOf(seed, step.multiple);
  yield* readerChecks(step, reading, expected);
  yield* readerChecks(step, { ...reading, options: { ...reading.options } }, expected);
  yield* readerChecks(step, readingOf(seed, step.multiple, true), masked(expected, mask));
}

/** Checks the elements of one document. */
function* elementChecks(step: Step, whole: ParseResult): Checks {
  elements = [];
  const result = readAgain(elementParser, piecesOf(step));
  const isArray = whole.ok && Array.isArray(whole.value);
  yield ["elements", result.ok === isArray ? undefined : result.ok ? "accepted" : `rejected: ${result.message}`];
  if (isArray) yield ["elements", difference(elements, whole.value)];
}

/**
 * Checks that readers of several values agree about deep ones, on which the reference has no stack.
 */
function* deepChecks(step: Step): Checks {
  const readers = readersOf(readingOf(undefined, step.multiple));
  const [first, ...others] = readers.flatMap((
    [, read],
  ) => [withoutValues(read(piecesOf(step))), withoutValues(read([step.bytes]))]);
  for (const outcomes of others) yield ["deep values", difference(outcomes, first)];
}

/** Runs a step, without options and with those of its seed. */
async function* stepChecks(step: Step, counts: Counts): AsyncGenerator<[what: string, problem: string | undefined]> {
  const { bytes, multiple, seed } = step;
  const isDeep = depthOf(bytes) > OPTIONS_DEPTH;
  if (multiple !== undefined) {
    if (isDeep) return yield* deepChecks(step);
    for (const one of new Set([undefined, seed])) {
      yield* inputChecks(step, one, expectedOutcomes(bytes, readingOf(one, multiple)));
    }
    if (seed === undefined) return;
    for (const isMasked of [false, true]) {
      await assertStreamed(bytes, readingOf(seed, multiple, isMasked), step.cuts ?? []);
    }
    return;
  }
  const result = parseBinary(inputOf(step));
  yield ["parseBinary", problemOf(result, bytes, counts)];
  if (result.ok) counts.valid++;
  if (result.ok && selections++ % MASK_INTERVAL === 0) {
    mask = randomMask(new Random(selections), result.value);
    maskedReadings.clear();
  }
  yield* inputChecks(step, undefined, outcomesOf(result));
  if (step.cuts !== null) yield* elementChecks(step, result);
  if (seed === undefined || isDeep) return;
  yield* inputChecks(step, seed, outcomesOf(referenceParse(bytes, readingOf(seed, multiple).options)));
}

/** Runs a step. Returns the problem in words, or `undefined`. */
export async function runStep(step: Step, counts: Counts): Promise<string | undefined> {
  counts.documents++;
  counts.bytes += step.bytes.length;
  counts.pieces += step.cuts ? step.cuts.length + 1 : 0;
  const options = step.seed === undefined
    ? ""
    : ` (options ${JSON.stringify(readingOf(step.seed, step.multiple).options)})`;
  try {
    for await (const [what, problem] of stepChecks(step, counts)) {
      if (problem !== undefined) return `${what}: ${problem}${options}`;
    }
    return undefined;
  } catch (error) {
    return `threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}${options}`;
  }
}
