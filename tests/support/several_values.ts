/** Values of one input, and what the reference expects of each. */

import type { ParseFailure, ParseOptions } from "../../parse_binary.ts";
import {
  BinaryParser,
  type BinaryParserOptions,
  JsonParseStream,
  parseValues,
  type ParseValuesOptions,
  type StreamedValue,
  type ValueSeparation,
} from "../../parse_stream.ts";
import { type Condition, type Mask, type Selector, selector } from "../../select.ts";
import { BinaryValidator, type GuardOptions, type ValidatedDocument } from "../../validate_binary.ts";
import { fulfils } from "./conditions.ts";
import { picked } from "./masks.ts";
import { failureOf, referenceValues } from "./reference.ts";

/** Separation of values that goes on after an invalid one. */
export type Separation = "lines" | "concatenated";

/** One of several values. */
export interface Outcome {
  index: number;
  start: number;
  end: number;
  /** Line of the value, or failure with its place. */
  place: string;
  value: unknown;
}

/** Options, without `maxBytes`, what to select of each value, and which values to keep. */
export interface Reading {
  options: ParseOptions;
  mask: Mask;
  where?: readonly Condition[] | undefined;
}

/** Makes an outcome of a value, or of its failure. */
function outcomeOf(
  { index, start, end, line }: { index: number; start: number; end: number; line?: number },
  failure: ParseFailure | null,
  value?: unknown,
): Outcome {
  if (failure === null) return { index, start, end, place: `line ${line}`, value };
  const { code, offset, firstOffset } = failure;
  const first = firstOffset === undefined ? "" : `, first at ${firstOffset}`;
  const place = `${code} at ${offset} (${failure.line}:${failure.column})${first}`;
  return { index, start, end, place, value: undefined };
}

/** Returns what is expected of the values of an input. */
export function expectedOutcomes(
  bytes: Uint8Array,
  multiple: Separation,
  { options, mask, where }: Reading,
): Outcome[] {
  const wholes = where && referenceValues(bytes, multiple);
  return referenceValues(bytes, multiple, options).flatMap((found, i) => {
    const { reading } = found;
    if (reading.refusal !== null) return [outcomeOf(found, failureOf(bytes, reading.refusal))];
    const whole = wholes?.[i].reading;
    if (whole?.refusal === null && !where!.every((condition) => fulfils(whole.value, condition))) return [];
    return [outcomeOf(found, null, picked(reading.value, mask))];
  });
}

/** Reads pieces; fails unless the answers of the reader are those to the failures that it has told. */
function readPieces(
  reader: BinaryParser | BinaryValidator,
  pieces: Iterable<Uint8Array>,
  failures: readonly ParseFailure[],
  pieceLimit = Infinity,
): void {
  for (const piece of pieces) {
    if (pieceLimit-- === 0) return;
    if (reader.push(piece) !== (failures.length === 0)) throw new Error("push() tells of a failure too early, or late");
  }
  const result = reader.end();
  if (result.ok ? failures.length > 0 : result !== failures[0]) {
    throw new Error("end() does not tell the first failure");
  }
}

/** Parser of several values, for one input after the other. */
export class SeveralParser {
  readonly #parser: BinaryParser;
  #outcomes: Outcome[] = [];
  #failures: ParseFailure[] = [];

  constructor(multiple: ValueSeparation, options: BinaryParserOptions, select?: Selector<unknown>) {
    this.#parser = new BinaryParser({
      ...options,
      multiple,
      select,
      onValue: (found) => this.#outcomes.push(outcomeOf(found, null, found.value)),
      onInvalid: (found) => this.#outcomes.push(outcomeOf(found, found.failure)),
      onFailure: (failure) => this.#failures.push(failure),
    });
  }

  /** Parses the pieces of an input. Gives it up after `pieceLimit` of them. */
  parse(pieces: Iterable<Uint8Array>, pieceLimit = Infinity): Outcome[] {
    this.#outcomes = [];
    this.#failures = [];
    this.#parser.reset();
    readPieces(this.#parser, pieces, this.#failures, pieceLimit);
    return this.#outcomes;
  }
}

/** Validates the pieces of an input, by options that change no values. */
export function validatedOutcomes(
  pieces: Iterable<Uint8Array>,
  multiple: Separation,
  options: GuardOptions,
): Outcome[] {
  const outcomes: Outcome[] = [];
  const onDocument = (found: ValidatedDocument) => void outcomes.push(outcomeOf(found, found.failure));
  const failures: ParseFailure[] = [];
  const onFailure = (failure: ParseFailure) => void failures.push(failure);
  readPieces(new BinaryValidator({ ...options, multiple, onDocument, onFailure }), pieces, failures);
  return outcomes;
}

/** Function that reads the values of pieces. */
type ReadStream = (pieces: Uint8Array[], options?: ParseValuesOptions) => Promise<StreamedValue[]>;

export const STREAMS: Record<string, ReadStream> = {
  parseValues: (pieces, options) => Array.fromAsync(parseValues(pieces, options)),
  JsonParseStream: (pieces, options) => {
    return Array.fromAsync(ReadableStream.from(pieces).pipeThrough(new JsonParseStream(options)));
  },
};

/** Reads the values of pieces by one of the {@linkcode STREAMS}. */
export async function streamedOutcomes(
  stream: string,
  pieces: Uint8Array[],
  multiple: Separation,
  { options, mask, where }: Reading,
): Promise<Outcome[]> {
  const select = selector(mask) as Selector<unknown>;
  const results = await STREAMS[stream](pieces, { ...options, multiple, select, where });
  return results.map((result) => outcomeOf(result, result.ok ? null : result, result.ok ? result.value : undefined));
}
