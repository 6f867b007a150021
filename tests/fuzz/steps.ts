/**
 * Steps of a fuzzing sequence, and their oracle: `JSON.parse` after fatal decoding, and the
 * reference parser for failures and wherever the two differ.
 */

import { parseBinary, type ParseOptions, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { type Mask, selectBinary, selector } from "../../select.ts";
import { validationDifference } from "../support/assertions.ts";
import { between, concat, FORMS, NEIGHBOURS, textOf } from "../support/bytes.ts";
import { readAgain } from "../support/cuts.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { checksOf, randomOptions } from "../support/guarded_documents.ts";
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
let wanted = selector(mask);
let selections = 0;

let elements: unknown[] = [];
const elementParser = new BinaryParser({ multiple: "elements", onValue: ({ value }) => elements.push(value) });

/** Deepest document that is read with options: the references recurse. */
const OPTIONS_DEPTH = 500;

/** Options, frozen, and parsers that have read inputs with them before. */
class Readers {
  readonly options: ParseOptions;
  readonly parser: BinaryParser;
  /** None if options change values. */
  readonly validator: BinaryValidator | undefined;
  readonly several: Record<"lines" | "concatenated", SeveralParser>;
  #wanted = wanted;
  #selecting: BinaryParser;

  constructor(seed: number | undefined) {
    const made = seed === undefined ? {} : randomOptions(new Random(seed));
    const options = this.options = Object.freeze({ ...made, maxBytes: undefined });
    this.parser = new BinaryParser(options);
    const checks = checksOf(options);
    this.validator = checks && new BinaryValidator(checks);
    this.several = {
      lines: new SeveralParser("lines", options),
      concatenated: new SeveralParser("concatenated", options),
    };
    this.#selecting = new BinaryParser({ ...options, select: wanted });
  }

  /** Returns a parser that selects by the mask of the moment. */
  get selecting(): BinaryParser {
    if (this.#wanted !== wanted) this.#selecting = new BinaryParser({ ...this.options, select: wanted });
    this.#wanted = wanted;
    return this.#selecting;
  }
}

const readers = new Map<number | undefined, Readers>();

/** Returns the options of a seed, none without one, and what has learned of earlier inputs. */
function readersOf(seed: number | undefined): Readers {
  if (!readers.has(seed)) readers.set(seed, new Readers(seed));
  return readers.get(seed)!;
}

/** Checks all readers of one document, with options that are frozen and fresh in turn. */
function* documentChecks(
  step: Step,
  { options, parser, selecting, validator }: Readers,
  expected: ParseResult,
): Checks {
  const { bytes, cuts } = step;
  const input = inputOf(step);
  const part: ParseResult = expected.ok ? { ok: true, value: picked(expected.value, mask) } : expected;
  for (const used of Object.keys(options).length > 1 ? [options, { ...options }, options] : [options]) {
    yield ["parseBinary", resultDifference(parseBinary(input, used), expected)];
    yield ["selectBinary", resultDifference(selectBinary(input, wanted, used), part)];
  }
  if (validator) yield ["validateBinary", validationDifference(validateBinary(input, checksOf(options)), expected)];
  if (cuts === null) return;
  const pieces = piecesOf(step);
  yield ["BinaryParser", resultDifference(readAgain(parser, pieces), expected)];
  yield ["selecting BinaryParser", resultDifference(readAgain(selecting, pieces), part)];
  const validated = validator && readAgain(validator, pieces);
  if (validated) yield ["BinaryValidator", validationDifference(validated, expected)];
  if (validated?.ok) yield ["bytes of BinaryValidator", difference(validated.bytes, bytes.length)];
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
 * Checks several documents: the outcome of each is that of its bytes alone, whatever was wrong
 * before it and wherever the input is cut. Deep ones are compared with those of the validator.
 */
function* severalChecks(step: Step, { options, several }: Readers): Checks {
  const multiple = step.multiple!;
  const { bytes } = step;
  const pieces = piecesOf(step);
  const withoutValues = (outcomes: Outcome[]): Outcome[] => outcomes.map((one) => ({ ...one, value: undefined }));
  const checks = checksOf(options);
  const validated = checks && validatedOutcomes(pieces, multiple, checks);
  if (depthOf(bytes) > OPTIONS_DEPTH) {
    yield ["BinaryParser", difference(withoutValues(several[multiple].parse(pieces)), validated)];
    yield ["BinaryValidator, whole", difference(validatedOutcomes([bytes], multiple, {}), validated)];
    return;
  }
  const fresh = { ...options };
  const expected = expectedOutcomes(bytes, multiple, { options: fresh, mask: true });
  const selected: Outcome[] = expected.map((outcome) => {
    return outcome.place.startsWith("line") ? { ...outcome, value: picked(outcome.value, mask) } : outcome;
  });
  several[multiple].parse(pieces, pieces.length >> 1); // given up
  yield ["alone, frozen", difference(expectedOutcomes(bytes, multiple, { options, mask: true }), expected)];
  yield ["used parser", difference(several[multiple].parse(pieces), expected)];
  yield ["new parser", difference(new SeveralParser(multiple, fresh).parse(pieces), expected)];
  yield ["selecting", difference(new SeveralParser(multiple, options, wanted).parse(pieces), selected)];
  if (validated) yield ["BinaryValidator", difference(validated, withoutValues(expected))];
}

/** Runs a step, without options and with those of its seed. */
async function* stepChecks(step: Step, counts: Counts): AsyncGenerator<[what: string, problem: string | undefined]> {
  const { bytes, multiple, seed } = step;
  const hasOptions = seed !== undefined && depthOf(bytes) <= OPTIONS_DEPTH;
  if (multiple !== undefined) {
    yield* severalChecks(step, readersOf(undefined));
    if (!hasOptions) return;
    yield* severalChecks(step, readersOf(seed));
    const { options } = readersOf(seed);
    const readings: Reading[] = [{ options, mask: true }, { options: { ...options }, mask }];
    for (const reading of readings) {
      const streamed = await streamedOutcomes("JsonParseStream", piecesOf(step), multiple, reading);
      yield ["JsonParseStream", difference(streamed, expectedOutcomes(bytes, multiple, reading))];
    }
    return;
  }
  const result = parseBinary(inputOf(step));
  yield ["parseBinary", problemOf(result, bytes, counts)];
  if (result.ok) counts.valid++;
  if (result.ok && selections++ % MASK_INTERVAL === 0) {
    mask = randomMask(new Random(selections), result.value);
    wanted = selector(mask);
  }
  yield* documentChecks(step, readersOf(undefined), result);
  if (step.cuts !== null) yield* elementChecks(step, result);
  if (hasOptions) yield* documentChecks(step, readersOf(seed), referenceParse(bytes, readersOf(seed).options));
}

/** Runs a step. Returns the problem in words, or `undefined`. */
export async function runStep(step: Step, counts: Counts): Promise<string | undefined> {
  counts.documents++;
  counts.bytes += step.bytes.length;
  counts.pieces += step.cuts ? step.cuts.length + 1 : 0;
  const options = step.seed === undefined ? "" : ` (options ${JSON.stringify(readersOf(step.seed).options)})`;
  try {
    for await (const [what, problem] of stepChecks(step, counts)) {
      if (problem !== undefined) return `${what}: ${problem}${options}`;
    }
    return undefined;
  } catch (error) {
    return `threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}${options}`;
  }
}
