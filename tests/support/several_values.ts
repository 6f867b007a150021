/**
 * Values of one input, and what is expected of each: the result of `parseBinary` for its bytes
 * alone.
 *
 * @module
 */

import { describeFailure } from "../../parser/base/failure.ts";
import { parseBinary, type ParseFailure, type ParseOptions, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser, JsonParseStream, type StreamedValue } from "../../parse_stream.ts";
import { type Mask, type Selector, selector } from "../../select.ts";
import { BinaryValidator, type GuardOptions, type ValidatedDocument } from "../../validate_binary.ts";
import { concat, utf8 } from "./bytes.ts";
import { picked } from "./masks.ts";

const LINE_FEED = 0x0a;

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

/** Options, without `maxBytes`, and what to select of each value. */
export interface Reading {
  options: ParseOptions;
  mask: Mask;
}

function placeOf({ code, offset, line, column, firstOffset }: ParseFailure): string {
  return `${code} at ${offset} (${line}:${column})${firstOffset === undefined ? "" : `, first at ${firstOffset}`}`;
}

/** Returns the place after the line of a byte. */
function lineEndAfter(bytes: Uint8Array, offset: number): number {
  const found = bytes.indexOf(LINE_FEED, offset);
  return found < 0 ? bytes.length : found;
}

/** Returns the places of the values from an offset on, as they are without options. */
function documentsFrom(bytes: Uint8Array, from: number, multiple: Separation): ValidatedDocument[] {
  const rest = bytes.map((byte, i) => i < from && byte !== LINE_FEED && byte !== 0x0d ? 0x20 : byte);
  const documents: ValidatedDocument[] = [];
  const validator = new BinaryValidator({ multiple, onDocument: (document) => documents.push(document) });
  validator.push(rest);
  validator.end();
  return documents;
}

/** Returns the result of the bytes from `start` to `end` alone, placed in the whole input. */
function resultAlone(bytes: Uint8Array, start: number, end: number, options: ParseOptions): ParseResult {
  // A byte-order mark is one only at the beginning of the whole input.
  const shift = start === 0 ? 0 : start - 1;
  const text = start === 0 ? bytes.subarray(0, end) : concat([utf8(" "), bytes.subarray(start, end)]);
  const { number } = options;
  const shifted = number && { ...options, number: (text: string, at: number) => number(text, at + shift) };
  const result = parseBinary(text, shifted ?? options);
  if (result.ok) return result;
  const { code, offset, firstOffset } = result;
  const placed = describeFailure(bytes, code, offset + shift);
  return firstOffset === undefined ? placed : { ...placed, firstOffset: firstOffset + shift };
}

/** Returns what is expected of the values of an input. */
export function expectedOutcomes(bytes: Uint8Array, multiple: Separation, { options, mask }: Reading): Outcome[] {
  const outcomes: Outcome[] = [];
  let documents = documentsFrom(bytes, 0, multiple);
  for (let i = 0; i < documents.length; i++) {
    const { start, end, line, failure } = documents[i];
    const index = outcomes.length;
    // The wrong byte may be a line feed, unless it ends the text.
    const textEnd = multiple === "lines" ? lineEndAfter(bytes, start) : failure === null ? end : end + 1;
    const result = resultAlone(bytes, start, textEnd, options);
    if (result.ok) {
      outcomes.push({ index, start, end, place: `line ${line}`, value: picked(result.value, mask) });
      continue;
    }
    const lineEnd = lineEndAfter(bytes, result.offset);
    outcomes.push({ index, start, end: lineEnd, place: placeOf(result), value: undefined });
    if (failure === null || lineEnd < end) { // the rest of the line is not read
      documents = documentsFrom(bytes, lineEnd, multiple);
      i = -1;
    }
  }
  return outcomes;
}

/** Parser of several values, for one input after the other. */
export class SeveralParser {
  readonly #parser: BinaryParser;
  #outcomes: Outcome[] = [];

  constructor(multiple: Separation, options: ParseOptions, select?: Selector<unknown>) {
    this.#parser = new BinaryParser({
      ...options,
      multiple,
      select,
      onValue: ({ index, start, end, line, value }) =>
        this.#outcomes.push({ index, start, end, place: `line ${line}`, value }),
      onInvalid: ({ index, start, end, failure }) =>
        this.#outcomes.push({ index, start, end, place: placeOf(failure), value: undefined }),
    });
  }

  /** Parses the pieces of an input. Gives it up after `pieceLimit` of them. */
  parse(pieces: Iterable<Uint8Array>, pieceLimit = Infinity): Outcome[] {
    const outcomes = this.#outcomes = [];
    this.#parser.reset();
    for (const piece of pieces) {
      if (pieceLimit-- === 0) return outcomes;
      this.#parser.push(piece);
    }
    this.#parser.end();
    return outcomes;
  }
}

/** Validates the pieces of an input, by options that change no values. */
export function validatedOutcomes(
  pieces: Iterable<Uint8Array>,
  multiple: Separation,
  options: GuardOptions,
): Outcome[] {
  const outcomes: Outcome[] = [];
  const onDocument = ({ index, start, end, line, failure }: ValidatedDocument): void => {
    outcomes.push({ index, start, end, place: failure === null ? `line ${line}` : placeOf(failure), value: undefined });
  };
  const validator = new BinaryValidator({ ...options, multiple, onDocument });
  for (const piece of pieces) validator.push(piece);
  validator.end();
  return outcomes;
}

/** Parses the pieces of an input by a `JsonParseStream`. */
export async function streamedOutcomes(
  pieces: Iterable<Uint8Array>,
  multiple: Separation,
  { options, mask }: Reading,
): Promise<Outcome[]> {
  const stream = new JsonParseStream({ ...options, multiple, select: selector(mask) as Selector<unknown> });
  const writer = stream.writable.getWriter();
  const written = (async () => {
    for (const piece of pieces) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  })();
  const outcomes: Outcome[] = [];
  for await (const result of stream.readable) outcomes.push(outcomeOf(result));
  await written;
  return outcomes;
}

function outcomeOf(result: StreamedValue): Outcome {
  const { index, start, end, line } = result;
  return result.ok
    ? { index, start, end, place: `line ${line}`, value: result.value }
    : { index, start, end, place: placeOf(result), value: undefined };
}
