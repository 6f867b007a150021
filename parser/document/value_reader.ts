/**
 * Reads values from the bytes of a stream as they arrive, one parse after the other. A parse is
 * suspended where the bytes end.
 */

import { QUOTE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { skipPlain } from "../base/swar.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { beginParse, endParse } from "./parse_document.ts";
import { continueValue } from "./parse_container.ts";
import { FAILED } from "./parse_scalar.ts";
import { incompleteNumber, startOfIncompleteNumber } from "./parse_windows.ts";
import { cacheGeneration, newStringCache } from "../strings/string_cache.ts";
import {
  AT_VALUE,
  BEFORE_VALUE,
  INCOMPLETE,
  newSuspension,
  releaseSuspendedStack,
  resetSuspension,
  START,
  type Suspension,
} from "./suspension.ts";
import { newTables, OBJECT, releaseTables, type Tables, tables } from "./value_stack.ts";
import { setFailure, stateAtEnd } from "../validation/locate_failure.ts";
import { ACCEPT_BEFORE, readOnInString, REJECT, STRING, VALUE } from "../validation/token_dfa.ts";
import {
  appendPlainText,
  type ChunkBuffer,
  MAX_LOOKED_AT,
  newChunkBuffer,
  releaseChunkBuffer,
  reserveBytes,
  showBytes,
  USUAL_SIZE,
} from "./chunk_buffer.ts";
import { PARSE_WINDOW, SMALL_INPUT } from "../engine/input_sizes.ts";
import { viewOf } from "../engine/input_view.ts";

/** Value of `quoteSearchedTo` while no string is incomplete. */
export const NO_STRING = -1;

/** Reader of consecutive values. */
export interface ValueReader {
  readonly buffer: ChunkBuffer;
  /** Position of the first unread byte. */
  position: number;
  /** Whether no bytes follow those that have arrived. */
  isInputEnd: boolean;
  /**
   * Position of the number that ends the bytes that have arrived, and may continue in the next
   * chunk; the end if there is none. State of the automaton at the end of that number.
   */
  numberStart: number;
  numberState: number;
  /**
   * End of the bytes of the current value: of those that may be parsed, before such a number, and
   * of the readable ones. They are all that have arrived, those of a line, or those up to a
   * violation.
   */
  parsableEnd: number;
  readableEnd: number;
  /** Whether no bytes of the current value come later. */
  isLast: boolean;
  /** Position up to which an incomplete string has no closing quote. */
  quoteSearchedTo: number;
  /** State of the automaton there. */
  stringState: number;
  readonly suspension: Suspension;
  /**
   * Tables of the suspended parse. Without one, another pair or `null`: most inputs arrive in one
   * chunk, and need none (34 KB: 6 % less time).
   */
  tables: Tables | null;
  /** Generation of the string cache: see `cacheGeneration`. */
  cacheGeneration: number;
}

export function newValueReader(): ValueReader {
  return {
    buffer: newChunkBuffer(),
    position: 0,
    isInputEnd: false,
    numberStart: 0,
    numberState: VALUE,
    parsableEnd: 0,
    readableEnd: 0,
    isLast: false,
    quoteSearchedTo: NO_STRING,
    stringState: STRING,
    suspension: newSuspension(),
    tables: null,
    cacheGeneration: -1,
  };
}

/** Releases the memory of a reader: its bytes, and its unfinished value. */
export function releaseValueReader(reader: ValueReader): void {
  releaseChunkBuffer(reader.buffer);
  reader.position = reader.numberStart = 0;
  showAll(reader);
  reader.quoteSearchedTo = NO_STRING;
  resetSuspension(reader.suspension);
  releaseSuspendedStack(reader.suspension);
  forgetStrings(reader);
  if (reader.tables !== null) releaseTables(reader.tables);
}

/** Empties the string cache, before the bytes that it refers to are dropped. */
function forgetStrings(reader: ValueReader): void {
  reader.suspension.cache = [];
  reader.cacheGeneration = -1;
}

/** Makes room for some of `arriving` bytes by dropping those before `from`: see `reserveBytes`. */
export function reserveReaderBytes(reader: ValueReader, from: number, arriving: number): number {
  const moved = reserveBytes(reader.buffer, from, arriving);
  if (moved > 0) {
    reader.position -= moved;
    reader.suspension.position = reader.position;
    reader.numberStart -= moved;
    showAll(reader);
    if (reader.quoteSearchedTo !== NO_STRING) reader.quoteSearchedTo -= moved;
    forgetStrings(reader);
  }
  return moved;
}

/**
 * Reads a value of an input of `total` bytes, from the reader's position on, through windows in
 * place of chunks. `read` reads from each, which begins at the first unread byte. A window without a
 * whole token is followed by one of twice its size. Returns the value, or `FAILED`.
 *
 * Such a reader is never released: it would keep the input as a buffer.
 */
export function readWindows(
  reader: ValueReader,
  input: Uint8Array,
  total: number,
  windowSize: number,
  read: () => unknown,
): unknown {
  const { buffer, suspension } = reader;
  for (let size = windowSize;; size = reader.position === 0 ? 2 * size : windowSize) {
    if (size > PARSE_WINDOW) {
      // not covered: needs a token of 2 GiB
      setFailure("value-too-large", 0);
      return FAILED;
    }
    const origin = buffer.origin + reader.position;
    const length = Math.min(size, total - origin);
    showBytes(buffer, viewOf(input, origin, length) as Uint8Array<ArrayBuffer>, origin);
    reader.position = reader.numberStart = suspension.position = 0;
    reader.quoteSearchedTo = NO_STRING;
    forgetStrings(reader);
    showChunk(reader, 0, origin + length === total);
    const value = read();
    if (value !== INCOMPLETE) return value;
  }
}

/**
 * Shows a reader the bytes that were appended from `from` on: if `isInputEnd`, the last of the
 * input. Otherwise a number at the end may not be parsed: it is complete only once another byte
 * follows it.
 */
export function showChunk(reader: ValueReader, from: number, isInputEnd: boolean): void {
  const { bytes, end } = reader.buffer;
  reader.isInputEnd = isInputEnd;
  reader.numberStart = isInputEnd
    ? end
    : startOfIncompleteNumber(bytes, from, end, reader.numberStart, reader.numberState);
  reader.numberState = incompleteNumber.state;
  showAll(reader);
}

/** Lets the current value continue to the end of the bytes that have arrived. */
export function showAll(reader: ValueReader): void {
  reader.parsableEnd = reader.numberStart;
  reader.readableEnd = reader.buffer.end;
  reader.isLast = reader.isInputEnd;
}

/** Ends the bytes of the current value at `end`: if `isLast`, no others of it come later. */
export function limitValue(reader: ValueReader, end: number, isLast: boolean): void {
  reader.parsableEnd = Math.min(end, reader.numberStart);
  reader.readableEnd = end;
  reader.isLast = isLast;
}

/**
 * Appends a text to an incomplete string that was searched for its end. Returns `false`, and
 * changes nothing, if there is no such string, or the text needs parsing.
 */
export function continueString(reader: ValueReader, text: string): boolean {
  const { buffer, quoteSearchedTo, stringState } = reader;
  if (quoteSearchedTo !== buffer.end || stringState !== STRING || !appendPlainText(buffer, text)) return false;
  reader.quoteSearchedTo = reader.numberStart = reader.readableEnd = buffer.end;
  return true;
}

/**
 * Like {@linkcode continueString}, for longer texts, with the bytes that were appended from
 * position `from` on (one string of 1 MB by 1 KB: half the time).
 */
export function continueStringFrom(reader: ValueReader, from: number): boolean {
  const { buffer: { bytes, view, end }, quoteSearchedTo, stringState } = reader;
  if (end - from <= MAX_LOOKED_AT || quoteSearchedTo !== from || stringState !== STRING) return false;
  if (skipPlain(bytes, view, from, end) < end) return false;
  reader.quoteSearchedTo = reader.numberStart = reader.readableEnd = end;
  return true;
}

/** Begins reading values. Pair each call with one of {@linkcode endReading}. */
export function beginReading(reader: ValueReader): void {
  beginParse();
  if (reader.suspension.stage !== START) swapTables(reader);
  if (reader.cacheGeneration !== cacheGeneration.value) {
    reader.suspension.cache = newStringCache(USUAL_SIZE);
    reader.cacheGeneration = cacheGeneration.value;
  }
}

/** Ends reading values, so that another parse may begin. */
export function endReading(reader: ValueReader): void {
  if (reader.suspension.stage === START) releaseSuspendedStack(reader.suspension);
  else swapTables(reader);
  endParse(SMALL_INPUT + 1);
}

function swapTables(reader: ValueReader): void {
  const own = reader.tables ??= newTables();
  const { ids, frames } = tables;
  tables.ids = own.ids;
  tables.frames = own.frames;
  own.ids = ids;
  own.frames = frames;
}

/**
 * Reads the current value, or continues a suspended one. Returns it, `INCOMPLETE`, or `FAILED` after
 * locating a failure.
 *
 * Precondition: the value begins at the reader's position or after whitespace, or was suspended
 * there. After a value that was not suspended, {@linkcode placeReader} was called.
 */
export function readValue(reader: ValueReader): unknown {
  const { suspension, buffer: { arrived: bytes, view }, readableEnd, isLast } = reader;
  let end = reader.parsableEnd;
  suspension.isLast = isLast;
  if (reader.quoteSearchedTo !== NO_STRING && !isLast) {
    const state = readOnInString(bytes, view, reader.quoteSearchedTo, readableEnd, reader.stringState);
    if (state < ACCEPT_BEFORE) {
      reader.quoteSearchedTo = readableEnd;
      reader.stringState = state;
      return INCOMPLETE;
    }
    if (state === REJECT) end = readableEnd;
  }
  reader.quoteSearchedTo = NO_STRING;
  const start = reader.position;
  let value = continueValue(suspension, bytes, view, start, end);
  if (value === INCOMPLETE && !mayGoOn(reader, end)) {
    value = continueValue(suspension, bytes, view, suspension.position, readableEnd); // fails
  }
  if (value === INCOMPLETE) reader.position = suspension.position;
  else if (value !== FAILED) reader.position = cursor.position;
  suspension.stackAge += reader.position - start;
  return value;
}

/**
 * Returns whether a value that was suspended at `end` may continue with the other readable bytes,
 * which look like the beginning of a number. Begins to search for the closing quote of an
 * incomplete string.
 */
function mayGoOn(reader: ValueReader, end: number): boolean {
  const { suspension: { stage, kind, position }, buffer: { arrived: bytes, view }, readableEnd } = reader;
  if (position < end && bytes[position] === QUOTE) {
    reader.quoteSearchedTo = readableEnd;
    reader.stringState = readOnInString(bytes, view, end, readableEnd, stateAtEnd());
    return reader.stringState < ACCEPT_BEFORE;
  }
  if (end >= readableEnd) return true;
  if (skipWhitespace(bytes, position, end) < end) return false; // within a literal
  return stage === START || stage === BEFORE_VALUE || stage === AT_VALUE && kind < OBJECT;
}

/**
 * Places a reader at the beginning of a value, at `position` or after whitespace there. Nothing is
 * left over from the one before, whether it is complete, has failed, or was suspended.
 *
 * Precondition: the byte at `position` was not dropped.
 */
export function placeReader(reader: ValueReader, position: number): void {
  reader.position = position;
  reader.quoteSearchedTo = NO_STRING;
  resetSuspension(reader.suspension);
  releaseTables();
}
