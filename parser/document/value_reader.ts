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
import { stateAtEnd } from "../validation/locate_failure.ts";
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
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { viewOf } from "../engine/input_view.ts";

/** Value of `quoteSearchedTo` while no string is incomplete. */
export const NO_STRING = -1;

/** Reader of consecutive values. */
export interface ValueReader {
  readonly buffer: ChunkBuffer;
  /** Position of the first unread byte. */
  position: number;
  /** End of the bytes that may be parsed, before a number that may continue in the next chunk. */
  parsableEnd: number;
  /** State of the automaton at the end of that number. */
  numberState: number;
  /** End of the readable bytes: all that have arrived, or those up to a violation. */
  readableEnd: number;
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
    parsableEnd: 0,
    numberState: VALUE,
    readableEnd: 0,
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
  reader.position = reader.parsableEnd = reader.readableEnd = 0;
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
    reader.parsableEnd -= moved;
    reader.readableEnd -= moved;
    if (reader.quoteSearchedTo !== NO_STRING) reader.quoteSearchedTo -= moved;
    forgetStrings(reader);
  }
  return moved;
}

/**
 * Shows a reader an input of `total` bytes through a window of `size` bytes, from the first unread
 * byte on, in place of chunks that arrive. Returns whether the window reaches the end. Such a
 * reader is never released: it would keep the input as a buffer.
 */
export function moveWindow(reader: ValueReader, input: Uint8Array, total: number, size: number): boolean {
  const { buffer, position, suspension } = reader;
  const origin = buffer.origin + position;
  const length = Math.min(size, total - origin);
  showBytes(buffer, viewOf(input, origin, length) as Uint8Array<ArrayBuffer>, origin);
  reader.position = reader.parsableEnd = suspension.position = 0;
  reader.quoteSearchedTo = NO_STRING;
  forgetStrings(reader);
  const isLast = buffer.origin + buffer.end === total;
  setParsableEnd(reader, 0, isLast);
  return isLast;
}

/**
 * Sets the end of the parsable bytes, after bytes were appended from `from` on: if `isLast`, the
 * last of the input. Otherwise a number at the end is left out: it is complete only once another
 * byte follows it.
 */
export function setParsableEnd(reader: ValueReader, from: number, isLast: boolean): void {
  const { bytes, end } = reader.buffer;
  reader.readableEnd = end;
  reader.parsableEnd = isLast ? end : startOfIncompleteNumber(bytes, from, end, reader.parsableEnd, reader.numberState);
  reader.numberState = incompleteNumber.state;
}

/**
 * Returns the end of the bytes to show to a reader that itself waits for the rest of a number, if
 * values are read up to `end`. It finds a wrong byte of a number at once.
 */
export function shownEnd({ parsableEnd, readableEnd }: ValueReader, end: number): number {
  return end >= parsableEnd ? readableEnd : end;
}

/**
 * Appends a text to an incomplete string that was searched for its end. Returns `false`, and
 * changes nothing, if there is no such string, or the text needs parsing.
 */
export function continueString(reader: ValueReader, text: string): boolean {
  const { buffer, quoteSearchedTo, stringState } = reader;
  if (quoteSearchedTo !== buffer.end || stringState !== STRING || !appendPlainText(buffer, text)) return false;
  reader.quoteSearchedTo = reader.parsableEnd = reader.readableEnd = buffer.end;
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
  reader.quoteSearchedTo = reader.parsableEnd = reader.readableEnd = end;
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
 * Reads a value, or continues a suspended one, from bytes up to `end`. Returns it, `INCOMPLETE`, or
 * `FAILED` after locating a failure. If `isLast`, no bytes of the value come later.
 *
 * Precondition: the value begins at the reader's position or after whitespace, or was suspended
 * there. After a value that was not suspended, {@linkcode placeReader} was called.
 */
export function readValue(reader: ValueReader, end: number, isLast: boolean): unknown {
  const { suspension, buffer: { arrived: bytes, view } } = reader;
  const shown = shownEnd(reader, end);
  suspension.isLast = isLast;
  if (reader.quoteSearchedTo !== NO_STRING && !isLast) {
    const state = readOnInString(bytes, view, reader.quoteSearchedTo, shown, reader.stringState);
    if (state < ACCEPT_BEFORE) {
      reader.quoteSearchedTo = shown;
      reader.stringState = state;
      return INCOMPLETE;
    }
    if (state === REJECT) end = shown;
  }
  reader.quoteSearchedTo = NO_STRING;
  const start = reader.position;
  let value = continueValue(suspension, bytes, view, start, end);
  if (value === INCOMPLETE && !mayGoOn(reader, end, shown)) {
    value = continueValue(suspension, bytes, view, suspension.position, shown); // fails
  }
  if (value === INCOMPLETE) reader.position = suspension.position;
  else if (value !== FAILED) reader.position = cursor.position;
  suspension.stackAge += reader.position - start;
  return value;
}

/**
 * Returns whether a value that was suspended at `end` may continue with the bytes up to `shown`,
 * which look like the beginning of a number. Begins to search for the closing quote of an
 * incomplete string.
 */
function mayGoOn(reader: ValueReader, end: number, shown: number): boolean {
  const { suspension: { stage, kind, position }, buffer: { arrived: bytes, view } } = reader;
  if (position < end && bytes[position] === QUOTE) {
    reader.quoteSearchedTo = shown;
    reader.stringState = readOnInString(bytes, view, end, shown, stateAtEnd());
    return reader.stringState < ACCEPT_BEFORE;
  }
  if (end >= shown) return true;
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
