/**
 * Parses consecutive chunks: appends each to the unread bytes of the previous one, parses, and
 * notifies the sink.
 */

import { lineCountHints } from "../base/cursor.ts";
import { encodeUtf8, UNIT_BYTES } from "../base/encode_utf8.ts";
import { describeFailure, type ParseResult } from "../base/failure.ts";
import { appendChunk, appendText, showArrived } from "../document/chunk_buffer.ts";
import {
  beginReading,
  continueString,
  continueStringFrom,
  endReading,
  NO_STRING,
  reserveReaderBytes,
  showChunk,
} from "../document/value_reader.ts";
import { lengthOf } from "../engine/input.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { NO_BYTES } from "../engine/no_bytes.ts";
import { learnFromStream, prepareForStream } from "../engine/young_generation.ts";
import type { Guards } from "../options/options.ts";
import type { Filter } from "../selection/conditions.ts";
import type { PartSource } from "../selection/selector.ts";
import { isIncompleteByteOrderMark, setFailure } from "../validation/locate_failure.ts";
import {
  beginValueAt,
  BETWEEN,
  canRecover,
  countTo,
  failAtLocated,
  failAtMaxBytes,
  newParserState,
  ParserSink,
  type ParserState,
  reportFailure,
  resetParserState,
  SKIPPING,
  WITHIN,
} from "./parser_state.ts";
import type { ElementReader } from "./read_elements.ts";
import { MAX_INCOMPLETE_LINE, readValues } from "./read_values.ts";
import type { ValueSeparation } from "./stream_options.ts";
import { guardValueAt, newValueReaders, releaseReaders } from "./value_readers.ts";

/** Default of the option `maxTokenBytes`: about the longest string of V8. */
const MAX_TOKEN_BYTES = 2 ** 29;

export interface ChunkParser {
  readonly state: ParserState;
  readonly elements: ElementReader | null;
  readonly maxTokenBytes: number;
  readonly maxBytes: number;
  /**
   * Reader of the text before an embedded value; `null` if none is expected, or once it has begun.
   */
  prose: ProseReader | null;
}

/** Reader of chunks in which the value may not have begun. */
export interface ProseReader {
  /** Reads a chunk. Sets the parser's `prose` to `null` once the value begins. */
  read(parser: ChunkParser, chunk: Uint8Array): void;
  /** Ends the input, in which no value has begun. */
  end(parser: ChunkParser): void;
}

/**
 * Makes a parser at the beginning of an input.
 *
 * @param source Mask of each value; `null` for all of it.
 * @param guards Guards of each value; `null` for none.
 * @param filter Conditions of each value; `null` for none.
 * @throws {TypeError} If `maxTokenBytes` is not a positive number.
 */
export function newChunkParser(
  multiple: ValueSeparation | undefined,
  elements: ElementReader | null,
  source: PartSource | null,
  maxTokenBytes: number = MAX_TOKEN_BYTES,
  guards: Guards | null,
  sink: ParserSink = new ParserSink(),
  filter: Filter | null = null,
): ChunkParser {
  if (typeof maxTokenBytes !== "number" || !(maxTokenBytes > 0)) {
    throw new TypeError("Cannot set maxTokenBytes: expected a positive number of bytes");
  }
  const readers = newValueReaders(source, maxTokenBytes, guards, filter, elements !== null);
  const maxIncompleteLine = sink.wantsFailuresAtOnce ? 0 : Math.min(MAX_INCOMPLETE_LINE, maxTokenBytes);
  const state = newParserState(multiple, readers, sink, maxIncompleteLine);
  return { state, elements, maxTokenBytes, maxBytes: guards === null ? Infinity : guards.maxBytes, prose: null };
}

export function resetChunkParser({ state, elements }: ChunkParser): void {
  resetParserState(state);
  elements?.reset(elements);
}

/** Releases memory after a call that threw. The parser must be reset before it is used again. */
export function releaseChunkParser({ state }: ChunkParser): void {
  state.value = undefined;
  state.sink.clear();
  releaseReaders(state.readers);
}

/** Returns whether more bytes matter: nothing has failed, or the parser can recover from the failure. */
export function needsMoreBytes(state: ParserState): boolean {
  return (state.failure === null || canRecover(state)) && !state.isCertain;
}

/**
 * Parses a chunk, or `null` for one whose buffer is detached, and notifies the sink. Returns
 * `false` once the input has had a failure.
 *
 * @throws {TypeError} If a callback detaches or resizes the buffer of the chunk.
 */
export function parseChunk(parser: ChunkParser, chunk: Uint8Array | null): boolean {
  const { state } = parser;
  if (chunk === null) reportFailure(state, describeFailure(NO_BYTES, "detached-buffer", 0));
  else if (needsMoreBytes(state)) {
    if (parser.prose === null) readChunk(parser, chunk);
    else parser.prose.read(parser, chunk);
  }
  return endChunk(state);
}

/**
 * Releases memory that is no longer needed, and notifies the sink. Returns whether nothing
 * has failed.
 */
function endChunk(state: ParserState): boolean {
  if (!needsMoreBytes(state)) releaseReaders(state.readers);
  state.sink.flush();
  return state.failure === null;
}

/** Encodes a string as UTF-8 and parses it. Returns `false` once the input has had a failure. */
function parseText(parser: ChunkParser, text: string): boolean {
  const { state, maxBytes, prose } = parser;
  const { buffer, quoteSearchedTo } = state.reader;
  if (quoteSearchedTo !== NO_STRING && appendToOpenString(parser, text)) return endChunk(state);
  const from = buffer.end;
  if (maxBytes < Infinity || prose !== null || UNIT_BYTES * text.length > buffer.bytes.length - from) {
    return parseChunk(parser, encodeUtf8(text));
  }
  if (needsMoreBytes(state)) {
    // Encoded in the buffer itself: an array, a view and a copy cost twice as much as parsing
    // eight characters.
    appendText(buffer, text);
    if (mayPass(parser) && continueStringFrom(state.reader, from)) endPassed(parser, text);
    else readArrived(parser, from, false);
  }
  return endChunk(state);
}

/**
 * Appends a text that only lengthens an incomplete string, without parsing it (texts of 8
 * characters: a third of the time of a call). Returns `false` if it is another text.
 */
function appendToOpenString(parser: ChunkParser, text: string): boolean {
  const { state: { reader }, maxBytes } = parser;
  const { origin, end } = reader.buffer;
  if (!mayPass(parser) || origin + end + text.length > maxBytes || !continueString(reader, text)) return false;
  endPassed(parser, text);
  return true;
}

/** Returns whether text that only lengthens an incomplete string needs no parsing. */
function mayPass({ state: { readers, multiple }, elements }: ChunkParser): boolean {
  return readers.isPlain && elements === null && multiple === undefined;
}

/** Ends a text that was appended without parsing it. */
function endPassed({ state, maxTokenBytes }: ChunkParser, text: string): void {
  const { buffer, position } = state.reader;
  state.sink.afterText(state, text);
  if (buffer.end - position > maxTokenBytes) failAtIncompleteToken(state);
}

/** Parses the rest at the end of the input, and notifies the sink. */
export function endChunks(parser: ChunkParser): void {
  const { state } = parser;
  const { buffer } = state.reader;
  showArrived(buffer);
  if (needsMoreBytes(state)) readArrived(parser, buffer.end, true);
  state.sink.flush();
}

/** Returns the result of an input that has ended, and releases its memory. */
export function takeResult(parser: ChunkParser): ParseResult {
  const { state } = parser;
  const { origin, end } = state.reader.buffer;
  if (growsWithInput(parser)) learnFromStream(origin + end);
  const result = state.failure ?? { ok: true, value: state.value } as const;
  state.value = undefined;
  releaseReaders(state.readers);
  return result;
}

/** Returns whether the result is one value of about the size of the input. */
function growsWithInput({ state, elements }: ChunkParser): boolean {
  return state.multiple === undefined && state.readers.parts === null && elements === null;
}

export function readChunk(parser: ChunkParser, chunk: Uint8Array): void {
  const { state } = parser;
  const { buffer } = state.reader;
  if (growsWithInput(parser)) {
    const before = buffer.origin + buffer.end;
    prepareForStream(before, before + lengthOf(chunk));
  }
  // Measured again: `prepareForStream` may have run user code.
  const length = Math.min(lengthOf(chunk), parser.maxBytes - buffer.origin - buffer.end);
  for (let start = 0; start < length;) {
    if (start > 0 && lengthOf(chunk) < length) {
      throw new TypeError("Cannot parse the rest of this chunk: a callback detached or resized its buffer");
    }
    if (buffer.end === buffer.bytes.length && !reserveChunk(state, length - start)) {
      if (!canRecover(state)) return;
      readArrived(parser, buffer.end, false); // skips the rest of the line, which makes room
      continue;
    }
    const from = buffer.end;
    start += appendChunk(buffer, chunk, start, length);
    readArrived(parser, from, false);
    if (!needsMoreBytes(state)) return;
    if (start < length) state.sink.flush();
  }
  if (lengthOf(chunk) > length) failAtMaxBytes(state, chunk[length]);
}

/** Makes room in the full buffer for some of `arriving` bytes. Returns `false` after a failure. */
function reserveChunk(state: ParserState, arriving: number): boolean {
  const { reader, sink, phase } = state;
  countTo(state, reader.position);
  let moved = reserveReaderBytes(reader, sink.keptFrom(state), arriving);
  // An invalid line that is too large to keep: skip it without keeping its bytes.
  if (moved < 0 && phase === SKIPPING) moved = reserveReaderBytes(reader, reader.position, arriving);
  if (moved < 0) {
    failAtIncompleteToken(state);
    return false;
  }
  state.counted -= moved;
  state.lineSearchedTo = Math.max(0, state.lineSearchedTo - moved);
  return true;
}

/**
 * Reads the bytes that have arrived, after some were appended from position `from` on: if
 * `isInputEnd`, the last of the input.
 */
function readArrived({ state, elements, maxTokenBytes }: ChunkParser, from: number, isInputEnd: boolean): void {
  const { reader } = state;
  showChunk(reader, from, isInputEnd);
  beginReading(reader);
  lineCountHints.passed = lineCountHints.passedNonAscii = 0;
  try {
    if (reader.buffer.origin + reader.position > 0 || passByteOrderMark(state)) {
      if (elements === null) readValues(state);
      else elements.read(state, elements); // not a method: see `ElementReader`
    }
    state.sink.afterReading(state);
  } finally {
    endReading(reader);
    if ((lineCountHints.passed | lineCountHints.passedNonAscii) !== 0) state.mustCount = true;
  }
  if (state.phase === SKIPPING || state.isCertain) return;
  const { sink } = state;
  const keptFrom = sink.keepsValues ? sink.keptFrom(state) : reader.position;
  if (reader.buffer.end - keptFrom > maxTokenBytes) failAtIncompleteToken(state);
}

/** Passes a byte-order mark at the beginning of the input. Returns `false` while it is incomplete. */
function passByteOrderMark(state: ParserState): boolean {
  const { reader, location } = state;
  const { bytes, end } = reader.buffer;
  const length = skipByteOrderMark(bytes, end);
  if (length === 0) return reader.isInputEnd || !isIncompleteByteOrderMark(bytes, end);
  reader.position = state.counted = location.excessBytes = length;
  if (canRecover(state)) { // the mark begins a value
    state.start = 0;
    state.line = 1;
    state.phase = WITHIN;
    guardValueAt(state.readers, length, location);
  }
  return true;
}

/** Fails at the incomplete token at the reader's position, which is too long. */
function failAtIncompleteToken(state: ParserState): void {
  const { position } = state.reader;
  // A number, or a byte-order mark, does not begin a value until its end has arrived.
  if (state.phase === BETWEEN) beginValueAt(state, position);
  setFailure("value-too-large", position);
  failAtLocated(state, false);
}

function isHighSurrogate(unit: number): boolean {
  return unit >>> 10 === 0x36;
}

/** Parses consecutive chunks of text or bytes. */
export class TextChunks {
  /** First half of a surrogate pair whose second half has not arrived. */
  #half = "";

  /** Parses a chunk of text or bytes. Returns what {@linkcode parseChunk} returns. */
  parse(parser: ChunkParser, chunk: string | Uint8Array | null): boolean {
    if (typeof chunk === "string") return this.#parseText(parser, chunk);
    this.#parseHalf(parser);
    parser.state.isText = false;
    return parseChunk(parser, chunk);
  }

  /** Parses a text except for half a surrogate pair at its end. */
  #parseText(parser: ChunkParser, text: string): boolean {
    if (this.#half !== "") text = this.#half + text;
    const last = text.length - 1;
    const endsInHalf = last >= 0 && isHighSurrogate(text.charCodeAt(last));
    this.#half = endsInHalf ? text.slice(last) : "";
    parser.state.isText = true;
    return parseText(parser, endsInHalf ? text.slice(0, last) : text);
  }

  /** Ends the input. If it ends within a string, it may also end within a surrogate pair. */
  end(parser: ChunkParser): void {
    if (parser.state.reader.quoteSearchedTo !== NO_STRING) this.#half = "";
    this.#parseHalf(parser);
  }

  /** Parses half a surrogate pair without its other half, which fails. */
  #parseHalf(parser: ChunkParser): void {
    if (this.#half === "") return;
    const half = encodeUtf8(this.#half);
    this.#half = "";
    parseChunk(parser, half);
  }
}
