/**
 * Readers of the library in one table, and the reference for all of them: `JSON.parse` after an
 * independent parser, and an independent reading of options, masks and conditions. A reader is
 * tested in every combination of options, mask, conditions and separation that it takes, whole or
 * in pieces.
 */

import { parseBinary, type ParseFailure, type ParseOptions, type ParseResult } from "../../parse_binary.ts";
import {
  BinaryParser,
  type BinaryParserOptions,
  type BytesOption,
  JsonParseStream,
  parsePartial,
  parseStream,
  parseValues,
  type ParseValuesOptions,
  type StreamedValue,
  type ValueSeparation,
} from "../../parse_stream.ts";
import { parseDocument } from "../../parser/document/parse_document.ts";
import { conditionsOf } from "../../parser/selection/conditions.ts";
import { matchDocument } from "../../parser/selection/match_document.ts";
import { selectLargeInput } from "../../parser/selection/select_large.ts";
import { valueMaker } from "../../parser/selection/value_maker.ts";
import { maskOf, Selector as SourceSelector } from "../../parser/selection/selector.ts";
import { readJson } from "../../read_json.ts";
import { type Condition, every, type Mask, matches, selectBinary, type Selector, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { bytesOf as viewOf, concat, type Input, show } from "./bytes.ts";
import { conditionText, fulfils } from "./random_conditions.ts";
import { copiesAt, type Cut, piecesAt, readPieces } from "./cuts.ts";
import { assertSame } from "./difference.ts";
import { checksOf } from "./random_options.ts";
import { lengthened, showMask, WAIT } from "./masks.ts";
import { pick } from "./picking.ts";
import {
  failureOf,
  placeAt,
  referenceParse,
  referencePartial,
  referenceRead,
  referenceTree,
  referenceValues,
} from "./reference.ts";

/** Way to read an input. Readers are reused for all inputs that are read with the same object. */
export interface Reading {
  options?: ParseOptions & Pick<BinaryParserOptions, "maxTokenBytes">;
  mask?: Mask;
  where?: readonly Condition[];
  /** Separation of several values; there is one document without it. */
  separation?: ValueSeparation;
}

/** Value that was read, or failure. That of a document has no location. */
export interface Outcome {
  index: number;
  start: number;
  end: number;
  line: number;
  failure: ParseFailure | null;
  value: unknown;
}

/** Reads one input after the other. It abandons one after `pieceLimit` pieces. */
export type Read = (pieces: Iterable<Input>, pieceLimit?: number) => Outcome[];

export interface Reader {
  name: string;
  /** Whether it takes an input whole only. */
  isWhole: boolean;
  makesValues: boolean;
  takes(reading: Reading): boolean;
  open(reading: Reading): Read;
}

/** Reads a document as it is, by default options. */
export const PLAIN: Reading = {};

type Found = { index: number; start: number; end: number; line?: number };

function outcomeOf({ index, start, end, line = 0 }: Found, failure: ParseFailure | null, value?: unknown): Outcome {
  return failure === null
    ? { index, start, end, line, failure, value }
    : { index, start, end, line: failure.line, failure, value: undefined };
}

/** Returns a member as a pair, any other value as it is. */
function entryOf(key: string | undefined, value: unknown): unknown {
  return key === undefined ? value : [key, value];
}

/** Returns a failure without what streams and `readJson` add to it. */
function failureIn(result: ParseFailure): ParseFailure {
  const { ok, code, message, offset, line, column, truncated, firstOffset } = result;
  const failure: ParseFailure = { ok, code, message, offset, line, column, truncated };
  return firstOffset === undefined ? failure : { ...failure, firstOffset };
}

function outcomeIn(result: StreamedValue): Outcome {
  if (!result.ok) return outcomeOf(result, failureIn(result));
  return outcomeOf(result, null, entryOf(result.key, result.value));
}

/** Returns the outcomes of one document: its only one. */
export function outcomesOf(result: { ok: true; value?: unknown } | ParseFailure): Outcome[] {
  const place = { index: 0, start: 0, end: 0 };
  return [result.ok ? outcomeOf(place, null, result.value) : outcomeOf(place, result)];
}

function selectorOf(mask: Mask): Selector<unknown> {
  return selector(mask) as Selector<unknown>;
}

/**
 * Reads pieces. Fails unless `push()` has returned `false` since the first failure that the reader
 * has reported, which `end()` has to return.
 */
function pushAll(
  reader: { reset(): void; push(piece: Uint8Array): boolean; end(): ParseResult | { ok: true; bytes: number } },
  pieces: Iterable<Input>,
  failures: readonly ParseFailure[] | undefined,
  pieceLimit: number,
) {
  reader.reset();
  let length = 0;
  for (const piece of pieces as Iterable<Uint8Array>) {
    if (pieceLimit-- === 0) return { ok: true } as const;
    length += piece.length;
    if (reader.push(piece) !== (failures?.length === 0) && failures) {
      throw new Error("push() reports a failure wrongly");
    }
  }
  const result = reader.end();
  const isFirst = result.ok ? !(failures?.length! > 0) : failures === undefined || result === failures[0];
  if (!isFirst) throw new Error("end() does not return the first failure");
  if ("bytes" in result && result.bytes !== length) throw new Error(`${result.bytes} bytes instead of ${length}`);
  return result;
}

/** Makes a row of a function that takes an input whole. */
function whole(
  name: string,
  makesValues: boolean,
  takes: Reader["takes"],
  open: (reading: Reading) => (input: Input) => ParseResult | ParseFailure | { ok: true },
): Reader {
  return {
    name,
    isWhole: true,
    makesValues,
    takes,
    open(reading) {
      const read = open(reading);
      return ([input]) => outcomesOf(read(input));
    },
  };
}

const isDocument = ({ where, separation }: Reading): boolean => (where ?? separation) === undefined;
const isWholeDocument = ({ where, separation, options }: Reading): boolean =>
  (where ?? separation ?? options) === undefined;
const takesConditions = ({ where, separation, options, mask }: Reading): boolean => {
  return where !== undefined && (separation ?? options ?? mask) === undefined;
};

let windows = 0;

/** Returns the size of a window, small enough for short inputs to go through several. */
function nextWindow(): number {
  return 8 + windows++ % 40;
}

/** Returns the length of the longest token, which a window of the parser has to hold. */
function longestToken(bytes: Uint8Array): number {
  const tokens = new TextDecoder("latin1").decode(bytes).match(/"(?:\\[^]|[^"\\])*"?|[^\s[\]{},:"]+/g) ?? [];
  return tokens.reduce((longest, { length }) => Math.max(longest, length), 0); // too many for arguments
}

/** Makes a parser that reads in a way. */
export function openParser({ options, mask, where, separation: multiple }: Reading): Read {
  let outcomes: Outcome[] = [];
  let failures: ParseFailure[] = [];
  const select = mask === undefined ? undefined : selectorOf(mask);
  const isPlain = (options ?? select ?? multiple) === undefined;
  const parser = new BinaryParser(
    isPlain ? undefined : {
      ...options,
      select,
      where,
      multiple,
      ...multiple && {
        onValue: (found) => outcomes.push(outcomeOf(found, null, entryOf(found.key, found.value))),
        onInvalid: (found) => outcomes.push(outcomeOf(found, found.failure)),
        onFailure: (failure) => failures.push(failure),
      },
    },
  );
  return (pieces, pieceLimit = Infinity) => {
    outcomes = [];
    failures = [];
    const result = pushAll(parser, pieces, multiple && failures, pieceLimit);
    return multiple === undefined ? outcomesOf(result) : outcomes;
  };
}

/** Whether public modules are those of the sources. Internal functions take no selector of a build. */
const TESTS_SOURCES = selectorOf(true) instanceof SourceSelector;

/** All readers that give their results at once. */
export const READERS: Reader[] = [
  whole(
    "parseBinary",
    true,
    (reading) => isDocument(reading) && reading.mask === undefined,
    ({ options }) => (input) => {
      return parseBinary(input, options);
    },
  ),
  whole("selectBinary", true, isDocument, ({ mask = true, options }) => {
    const select = selectorOf(mask);
    return (input) => selectBinary(input, select, options);
  }),
  whole("validateBinary", false, (reading) => isDocument(reading) && takesChecks(reading), ({ options }) => (input) => {
    return validateBinary(input, options && checksOf(options));
  }),
  whole("matches", true, takesConditions, ({ where }) => (input) => matches(input, where!)),
  whole("matches in windows", true, takesConditions, ({ where }) => {
    const conditions = conditionsOf(where);
    return (input) => matchDocument(viewOf(input), conditions, nextWindow());
  }),
  whole(
    "parseBinary in windows",
    true,
    (reading) => isWholeDocument(reading) && reading.mask === undefined,
    () => (input) => {
      const bytes = viewOf(input);
      return parseDocument(bytes, Math.max(nextWindow(), 1 + longestToken(bytes)));
    },
  ),
  whole(
    "selectBinary in windows",
    true,
    (reading) => TESTS_SOURCES && isWholeDocument(reading) && reading.mask !== undefined && reading.mask !== true,
    ({ mask }) => {
      const { node } = maskOf(selectorOf(mask!))!;
      return (input) => selectLargeInput(viewOf(input), node, valueMaker, nextWindow());
    },
  ),
  {
    name: "BinaryParser",
    isWhole: false,
    makesValues: true,
    takes: ({ where, separation }) => where === undefined || separation !== undefined,
    open: openParser,
  },
  {
    name: "BinaryValidator",
    isWhole: false,
    makesValues: false,
    takes: (reading) => takesChecks(reading) && reading.where === undefined && !areEntries(reading.separation),
    open({ options, separation }) {
      let outcomes: Outcome[] = [];
      let failures: ParseFailure[] = [];
      const multiple = separation as "lines" | "concatenated" | undefined;
      const validator = new BinaryValidator({
        ...options && checksOf(options),
        ...multiple && {
          multiple,
          onDocument: (found) => void outcomes.push(outcomeOf(found, found.failure)),
          onFailure: (failure) => void failures.push(failure),
        },
      });
      return (pieces, pieceLimit = Infinity) => {
        outcomes = [];
        failures = [];
        const result = pushAll(validator, pieces, multiple && failures, pieceLimit);
        return multiple === undefined ? outcomesOf(result.ok ? { ok: true } : result) : outcomes;
      };
    },
  },
];

/** Returns whether values are entries of one container. */
export function areEntries(separation: ValueSeparation | undefined): separation is "elements" | "members" {
  return separation === "elements" || separation === "members";
}

/** Returns whether nothing of a reading changes values. */
function takesChecks({ options, mask }: Reading): boolean {
  return mask === undefined && (options === undefined || checksOf(options) !== undefined);
}

const opened = new WeakMap<Reading, [reader: Reader, read: Read][]>();

/** Returns the readers that read in a way, each as it was left by the input before. */
export function readersOf(reading: Reading): [reader: Reader, read: Read][] {
  let readers = opened.get(reading);
  if (readers === undefined) {
    readers = READERS.filter((reader) => reader.takes(reading)).map((reader) => [reader, reader.open(reading)]);
    opened.set(reading, readers);
  }
  return readers;
}

/** Function that reads the values of pieces. */
type ReadStream = (pieces: Uint8Array[], options?: ParseValuesOptions & BytesOption) => Promise<StreamedValue[]>;

export const STREAMS: Record<string, ReadStream> = {
  parseValues: (pieces, options) => Array.fromAsync(parseValues(pieces, options)),
  JsonParseStream: (pieces, options) => {
    return Array.fromAsync(ReadableStream.from(pieces).pipeThrough(new JsonParseStream(options)));
  },
};

// deno-lint-ignore no-explicit-any
type AnyOptions = any;

/** Functions that read the document of a stream. */
const DOCUMENT_STREAMS: Record<string, (pieces: Uint8Array[], options: AnyOptions) => Promise<unknown>> = {
  parseStream,
  readJson: (pieces, options) => readJson(new Blob(pieces as BlobPart[]).stream(), options),
  parsePartial: async (pieces, options) => (await Array.fromAsync(parsePartial(pieces, options))).at(-1),
};

/** Reads pieces by each function of streams that takes a reading. */
async function* streamed(bytes: Uint8Array, reading: Reading, cut: Cut): AsyncGenerator<[name: string, Outcome[]]> {
  const { options, mask, where, separation: multiple } = reading;
  const select = mask && selectorOf(mask);
  for (const [name, read] of Object.entries(multiple === undefined ? DOCUMENT_STREAMS : {})) {
    if (name === "parsePartial" && !takesChecks(reading)) continue;
    const result = await read(copiesAt(bytes, cut), { ...options, ...select && { select } }) as ParseResult;
    yield [name, outcomesOf(result.ok ? result : failureIn(result))];
  }
  const ways = multiple === undefined ? [] : [false, true].flatMap((keeps) => {
    return Object.entries(STREAMS).map(([name, read]) => [keeps, name, read] as const);
  });
  for (const [keeps, name, read] of ways) {
    const results = await read(copiesAt(bytes, cut), { ...options, multiple, select, where, bytes: keeps });
    const outcomes = results.map((result) => {
      assertSame(`${result.bytes}`, `${keeps ? bytes.slice(result.start, result.end) : undefined}`);
      return outcomeIn(result);
    });
    yield [name, outcomes];
  }
}

/** Returns the part of a result that a mask wants. */
export function partOf(result: ParseResult, mask: Mask = true): ParseResult {
  return result.ok ? { ok: true, value: pick(result.value, mask, every) } : result;
}

/**
 * Returns the result of a document in pieces: a refusal before the byte after `maxBytes`
 * comes first.
 */
function resultInPieces(bytes: Uint8Array, options: ParseOptions): ParseResult {
  const { maxBytes = Infinity, ...rest } = options;
  if (bytes.length <= maxBytes) return referenceParse(bytes, rest);
  const { refusal } = referenceRead(bytes, rest);
  // Only the next byte says whether an integer has ended.
  const certainAt = refusal === null ? Infinity : refusal.certainAt + Number(refusal.code === "unsafe-integer");
  return referenceParse(bytes, certainAt > maxBytes ? { maxBytes } : rest);
}

/** Returns what the reference reads of an input. Entries have to be those of a valid container. */
export function expectedOutcomes(bytes: Uint8Array, reading: Reading, isWhole = false): Outcome[] {
  const { options = {}, mask, where, separation } = reading;
  const isFulfilled = (value: unknown): boolean => !where || where.every((condition) => fulfils(value, condition));
  if (separation === undefined) {
    const result = isWhole ? referenceParse(bytes, options) : resultInPieces(bytes, options);
    if (where && result.ok) return outcomesOf({ ok: true, value: isFulfilled(result.value) });
    return outcomesOf(partOf(result, mask));
  }
  const values = areEntries(separation)
    ? entriesOf(bytes, options, separation === "members")
    : referenceValues(bytes, separation, options);
  return values.flatMap((found) => {
    const { key, reading, start, end }: typeof found & { key?: string } = found;
    if (reading.refusal !== null) return [outcomeOf(found, failureOf(bytes, reading.refusal))];
    // Conditions are of values as they are, whatever options make of them.
    const unchanged = where && referenceParse(bytes.subarray(start, end));
    if (unchanged?.ok && !isFulfilled(unchanged.value)) return [];
    return [outcomeOf(found, null, entryOf(key, pick(reading.value, mask ?? true, every)))];
  });
}

/** Returns the entries of a valid container, as values of their own. */
function entriesOf(
  bytes: Uint8Array,
  options: ParseOptions,
  haveKeys: boolean,
): (ReturnType<typeof referenceValues>[number] & { key?: string })[] {
  return Array.from(referenceTree(bytes, options).entries!, ([key, { value, start, end }], index) => {
    const { line } = placeAt(bytes, start);
    return { index, start, end, line, reading: { refusal: null, value }, ...haveKeys && { key } };
  });
}

/** Describes a reading for an error. */
function showReading({ options, mask, where, separation }: Reading, cut: Cut | null): string {
  return JSON.stringify({
    ...options,
    separation,
    mask: mask && showMask(mask),
    where: where && conditionText({ all: where }),
    cut,
  });
}

/** Returns whether whitespace is put into the document, so that readers do not wait for its end. */
function isLengthened({ mask, options, separation }: Reading): boolean {
  return mask !== undefined && (options ?? separation) === undefined;
}

/**
 * Asserts what readers of one kind give for an input: of a whole one, or of one in pieces at a cut.
 */
export function assertOutcomes(input: Input, reading: Reading, cut: Cut | null, expected: Outcome[]): void {
  const valueless = expected.map((outcome) => ({ ...outcome, value: undefined }));
  for (const [reader, read] of readersOf(reading)) {
    if (reader.isWhole !== (cut === null)) continue;
    const pieces = (): Iterable<Input> => cut === null ? [input] : piecesAt(input as Uint8Array, cut);
    const how = () => `${show(input)} by ${reader.name}, ${showReading(reading, cut)}`;
    assertSame(read(pieces()), reader.makesValues ? expected : valueless, how);
    if (cut !== null && reading.separation) read(pieces(), 1 + cut.length >> 1); // abandoned, for the next input
  }
}

/** Asserts the result of an input, in any form, by each reader that takes it whole. */
export function assertWhole(input: Input, reading: Reading, result: ParseResult): void {
  assertOutcomes(input, reading, null, outcomesOf(result));
}

/**
 * Asserts that every reader that takes a reading gives what the reference expects, or the result of
 * a document: whole, and in pieces at each cut. Returns what is expected in pieces.
 */
export function assertRead(
  bytes: Uint8Array,
  reading: Reading = PLAIN,
  cuts: Iterable<Cut> = [],
  result?: ParseResult,
): Outcome[] {
  const given = result && outcomesOf(result);
  const expectedOfWhole = given ?? expectedOutcomes(bytes, reading, true);
  // New selectors learn of an input.
  for (let times = reading.mask === undefined || opened.has(reading) ? 1 : 3; times > 0; times--) {
    assertOutcomes(bytes, reading, null, expectedOfWhole);
  }
  const expected = given ?? expectedOutcomes(bytes, reading);
  const long = isLengthened(reading) ? lengthened(bytes) : bytes;
  const expectedOfLong = long === bytes || expected[0].failure === null ? expected : expectedOutcomes(long, reading);
  for (const cut of cuts) {
    assertOutcomes(bytes, reading, cut, expected);
    if (long === bytes) continue;
    assertOutcomes(long, reading, cut.map((offset) => offset && offset + WAIT), expectedOfLong);
  }
  return expected;
}

/** Asserts that every function of streams that takes a reading gives what the reference expects. */
export async function assertStreamed(bytes: Uint8Array, reading: Reading, cut: Cut): Promise<void> {
  const expected = expectedOutcomes(bytes, reading);
  for await (const [name, outcomes] of streamed(bytes, reading, cut)) {
    assertSame(outcomes, expected, () => `${show(bytes)} by ${name}, ${showReading(reading, cut)}`);
  }
}

/** Asserts that a limit of the bytes of a stream is an error, but after all that is complete before it. */
export async function assertLimited(bytes: Uint8Array, reading: Reading, cut: Cut, maxBytes: number): Promise<void> {
  const { options, mask, where, separation: multiple } = reading;
  const given = { ...options, maxBytes, where, select: mask && selectorOf(mask) };
  const how = () => `${show(bytes)}, ${showReading(reading, cut)}, limited to ${maxBytes} bytes`;
  const { message } = new RangeError(`Cannot read more than ${maxBytes} bytes`);
  if (multiple === undefined) {
    const expected = partOf(resultInPieces(bytes, { ...options, maxBytes }), mask);
    const result = await parseStream(copiesAt(bytes, cut), given).catch((error) => error.message);
    const isBeyond = !expected.ok && expected.offset >= maxBytes && bytes.length > maxBytes;
    return assertSame(result, isBeyond ? message : expected, how);
  }
  const expected = expectedOutcomes(bytes, reading);
  const streams = [
    parseValues(copiesAt(bytes, cut), { ...given, multiple }),
    ReadableStream.from(copiesAt(bytes, cut)).pipeThrough(new JsonParseStream({ ...given, multiple })),
  ];
  for (const stream of streams as AsyncIterable<StreamedValue>[]) {
    const outcomes: Outcome[] = [];
    let error: unknown;
    try {
      for await (const result of stream) outcomes.push(outcomeIn(result));
    } catch (thrown) {
      error = (thrown as Error).message;
    }
    assertSame(error, bytes.length > maxBytes ? message : undefined, how);
    // A line is complete with its line feed.
    const complete = expected.filter(({ end }) => {
      const endOfLine = multiple === "lines" ? bytes.indexOf(0x0a, end) : end;
      return endOfLine >= 0 && endOfLine < maxBytes;
    });
    assertSame(outcomes, expected.slice(0, Math.max(outcomes.length, complete.length)), how);
  }
}

/**
 * Asserts that a damaged container gives the failure of the document, after the same entries
 * wherever it is cut.
 */
export function assertEntriesRefused(bytes: Uint8Array, reading: Reading, cut: Cut): void {
  const { options = {}, mask, separation } = reading;
  const failure = referenceParse(bytes, options);
  if (failure.ok) return;
  const how = () => `${show(bytes)}, ${showReading(reading, cut)}`;
  const read = (pieces: Iterable<Uint8Array>): { values: unknown[]; result: unknown } => {
    const values: unknown[] = [];
    const parser = parserOf(reading, ({ key, value }) => values.push(entryOf(key, value)));
    return { values, result: readPieces(parser, pieces) };
  };
  const { values, result } = read([bytes]);
  assertSame(read(piecesAt(bytes, cut)), { values, result }, how);
  if (/^expected-(array|object)$/.test((result as ParseFailure).code)) return;
  assertSame(result, failure, how);
  if (separation === "members" || reading.where) return; // which may be equal, or left out
  const { maxBytes: _, ...rest } = options;
  // A number ends with the byte that is wrong.
  const partial = referencePartial(concat([bytes.subarray(0, failure.offset), Uint8Array.of(0x20)]), rest);
  const before = Array.isArray(partial) ? partial : [];
  assertSame(values, before.slice(0, values.length).map((value) => pick(value, mask ?? true, every)), how);
  if (values.length < before.length - 1) throw new Error(`${how()}: ${values.length} of ${before.length} elements`);
}

/** Returns options without those that change values, which validators do not have. */
function guardsOf({ numbers: _, number: _number, duplicateKeys, protoKeys, integers, ...limits }: ParseOptions) {
  return {
    ...limits,
    duplicateKeys: duplicateKeys === "first" ? undefined : duplicateKeys,
    protoKeys: protoKeys === "drop" ? undefined : protoKeys,
    integers: integers === "reject" ? integers : undefined,
  };
}

function parserOf(
  { options, mask, where, separation }: Reading,
  onValue?: BinaryParserOptions<unknown>["onValue"],
): BinaryParser {
  const select = mask && selectorOf(mask);
  return new BinaryParser({ ...options, select, where, multiple: separation, ...onValue && { onValue } });
}

/**
 * Asserts that a parser refuses an input with the same byte as the validator. Only a parser of
 * entries knows that a container is missing.
 */
export function assertRefusedAtOnce(
  bytes: Uint8Array,
  reading: Reading,
  parser: { push(byte: Uint8Array): boolean; end(): { ok: true } | ParseFailure } = parserOf(reading),
): void {
  const { options = {}, separation } = reading;
  const guards = guardsOf(options);
  const validator = new BinaryValidator(
    separation && !areEntries(separation) ? { ...guards, multiple: separation } : guards,
  );
  for (let p = 0; p < bytes.length; p++) {
    const byte = bytes.subarray(p, p + 1);
    const isRight = parser.push(byte);
    if (isRight !== validator.push(byte)) {
      const result = parser.end();
      if (!result.ok && /^expected-(array|object)$/.test(result.code)) return;
      throw new Error(`${show(bytes)} at byte ${p}: ${JSON.stringify(result)}, ${showReading(reading, null)}`);
    }
    if (!isRight) return;
  }
}
