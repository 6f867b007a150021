/**
 * Steps of a fuzzing sequence, and their oracle: `JSON.parse` after fatal decoding, and the
 * reference parser for failures and wherever the two differ.
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import type { Mask } from "../../select.ts";
import { between, concat, FORMS, NEIGHBOURS, textOf } from "../support/bytes.ts";
import { readAgain } from "../support/cuts.ts";
import { assertSame, difference, resultDifference } from "../support/difference.ts";
import { picked, randomMask } from "../support/masks.ts";
import { randomOptions } from "../support/random_options.ts";
import { Random } from "../support/random.ts";
import {
  assertOutcomes,
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

/**
 * Valid documents between two new masks. Those in between meet the gaps that the selector
 * has learned.
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
 * Returns the reading with the options of a seed, if there is one, with the current mask
 * or without.
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

/** Returns outcomes with the parts that a mask wants. */
function masked(outcomes: Outcome[], mask: Mask): Outcome[] {
  return outcomes.map((outcome) => outcome.failure ? outcome : { ...outcome, value: picked(outcome.value, mask) });
}

/** Asserts what all readers give with the options of a seed: frozen ones, new ones, and with a mask. */
function assertInput(step: Step, seed: number | undefined, expected: Outcome[]): void {
  const reading = readingOf(seed, step.multiple);
  const readings: [Reading, Outcome[]][] = [
    [reading, expected],
    [{ ...reading, options: { ...reading.options } }, expected],
    [readingOf(seed, step.multiple, true), masked(expected, mask)],
  ];
  for (const [reading, outcomes] of readings) {
    assertOutcomes(inputOf(step), reading, null, outcomes);
    if (step.cuts !== null) assertOutcomes(step.bytes, reading, step.cuts, outcomes);
  }
}

/** Asserts the elements of one document. */
function assertElements(step: Step, whole: ParseResult): void {
  elements = [];
  const result = readAgain(elementParser, piecesOf(step));
  const isArray = whole.ok && Array.isArray(whole.value);
  if (result.ok !== isArray) throw new Error(`elements are ${result.ok ? "accepted" : `rejected: ${result.message}`}`);
  if (isArray) assertSame(elements, whole.value, () => "elements");
}

/**
 * Asserts that readers of several values agree about deep ones, on which the reference has no stack.
 */
function assertDeep(step: Step): void {
  const readers = readersOf(readingOf(undefined, step.multiple));
  const readings = readers.flatMap(([, read]) => [read(piecesOf(step)), read([step.bytes])]);
  const [first, ...others] = readings.map((outcomes) => outcomes.map((outcome) => ({ ...outcome, value: undefined })));
  for (const outcomes of others) assertSame(outcomes, first, () => "deep values");
}

/** Asserts what is read in a step, without options and with those of its seed. */
async function assertStep(step: Step, counts: Counts): Promise<void> {
  const { bytes, multiple, seed } = step;
  const isDeep = depthOf(bytes) > OPTIONS_DEPTH;
  if (multiple !== undefined) {
    if (isDeep) return assertDeep(step);
    for (const one of new Set([undefined, seed])) {
      assertInput(step, one, expectedOutcomes(bytes, readingOf(one, multiple)));
    }
    for (const isMasked of seed === undefined ? [] : [false, true]) {
      await assertStreamed(bytes, readingOf(seed, multiple, isMasked), step.cuts ?? []);
    }
    return;
  }
  const result = parseBinary(inputOf(step));
  const problem = problemOf(result, bytes, counts);
  if (problem !== undefined) throw new Error(`parseBinary: ${problem}`);
  if (result.ok) counts.valid++;
  if (result.ok && selections++ % MASK_INTERVAL === 0) {
    mask = randomMask(new Random(selections), result.value);
    maskedReadings.clear();
  }
  assertInput(step, undefined, outcomesOf(result));
  if (step.cuts !== null) assertElements(step, result);
  if (seed === undefined || isDeep) return;
  assertInput(step, seed, outcomesOf(referenceParse(bytes, readingOf(seed, multiple).options)));
}

/** Runs a step. Returns the problem in words, or `undefined`. */
export async function runStep(step: Step, counts: Counts): Promise<string | undefined> {
  counts.documents++;
  counts.bytes += step.bytes.length;
  counts.pieces += step.cuts ? step.cuts.length + 1 : 0;
  try {
    await assertStep(step, counts);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
