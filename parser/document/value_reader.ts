/**
 * Reads values from the bytes of a stream as they arrive, one parse after the other. A parse is
 * suspended where the bytes end.
 *
 * @module
 */

import { LOWER_E, MINUS, OPEN_BRACE, OPEN_BRACKET, PLUS, POINT, QUOTE, ZERO } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { parseContainer } from "./parse_container.ts";
import { beginParse, endParse } from "./parse_document.ts";
import { FAILED, parseScalar } from "./parse_scalar.ts";
import { hasClosingQuote } from "../strings/read_string.ts";
import { cacheGeneration, newStringCache } from "../strings/string_cache.ts";
import {
  AFTER_VALUE,
  BEFORE_COLON,
  BEFORE_VALUE,
  newSuspension,
  releaseSuspendedStack,
  resetSuspension,
  resumeMember,
  START,
  SUSPENDED,
  type Suspension,
} from "./suspension.ts";
import { newTables, releaseTables, type Tables, tables } from "./value_stack.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { type ChunkBuffer, newChunkBuffer, releaseChunkBuffer, reserveBytes, USUAL_SIZE } from "./chunk_buffer.ts";
import type { WindowedInput } from "./windows.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { viewOf } from "../engine/input_view.ts";
import { locateFailure } from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";

export { FAILED, SUSPENDED };

/** Value of `quoteSearchedTo` while no string is cut. */
export const NO_STRING = -1;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Reader of consecutive values. */
export interface ValueReader {
  readonly buffer: ChunkBuffer;
  /** Position of the first unread byte. */
  position: number;
  /** End of the bytes that may be parsed, before a number that may continue in the next chunk. */
  parsableEnd: number;
  /** Position up to which a cut string has no closing quote. */
  quoteSearchedTo: number;
  readonly suspension: Suspension;
  /** Argument of `parseContainer`, made once. */
  readonly windowed: WindowedInput & { input: Uint8Array; total: number };
  /**
   * Tables of the suspended parse. Without one, another pair or `null`: most inputs arrive in one
   * chunk, and need none (34 KB: 6 % less time).
   */
  tables: Tables | null;
  /** Number of the string cache: see `cacheGeneration`. */
  cacheGeneration: number;
}

export function newValueReader(): ValueReader {
  const suspension = newSuspension();
  return {
    buffer: newChunkBuffer(),
    position: 0,
    parsableEnd: 0,
    quoteSearchedTo: NO_STRING,
    suspension,
    windowed: { input: NO_BYTES, total: 0, windowSize: 0, margin: 0, suspension },
    tables: null,
    cacheGeneration: -1,
  };
}

/** Resets a reader to the beginning of an input, and releases its memory. */
export function resetValueReader(reader: ValueReader): void {
  releaseValueReader(reader);
  reader.buffer.origin = 0;
}

/** Releases the memory of a reader: its bytes, and its unfinished value. */
export function releaseValueReader(reader: ValueReader): void {
  releaseChunkBuffer(reader.buffer);
  reader.windowed.input = NO_BYTES;
  reader.position = reader.parsableEnd = 0;
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

/**
 * Makes room in the buffer for some of `arriving` bytes, by dropping those before `from`. Returns by
 * how much the kept bytes have moved down, or -1 if there is no memory.
 */
export function reserveReaderBytes(reader: ValueReader, from: number, arriving: number): number {
  const moved = reserveBytes(reader.buffer, from, arriving);
  if (moved > 0) {
    reader.position -= moved;
    reader.suspension.position = reader.position;
    reader.parsableEnd -= moved;
    if (reader.quoteSearchedTo !== NO_STRING) reader.quoteSearchedTo -= moved;
    forgetStrings(reader);
  }
  return moved;
}

/**
 * Shows a reader an input of `total` bytes through a window of `size` bytes, from the first unread
 * byte on, in place of chunks that arrive. Returns whether the window reaches the end. Such a reader
 * is never released: it would keep the input as a buffer.
 */
export function moveWindow(reader: ValueReader, input: Uint8Array, total: number, size: number): boolean {
  const { buffer, position, suspension } = reader;
  buffer.origin += position;
  buffer.end = Math.min(size, total - buffer.origin);
  buffer.bytes = buffer.arrived = viewOf(input, buffer.origin, buffer.end) as Uint8Array<ArrayBuffer>;
  buffer.view = new DataView(buffer.bytes.buffer, buffer.bytes.byteOffset, buffer.end);
  reader.position = reader.parsableEnd = suspension.position = 0;
  reader.quoteSearchedTo = NO_STRING;
  forgetStrings(reader);
  const isLast = buffer.origin + buffer.end === total;
  setParsableEnd(reader, 0, isLast);
  return isLast;
}

/**
 * Sets the end of the parsable bytes, after bytes were appended from `from` on: if `isLast`, the
 * last of the input. Else a number at the end is left out: it is complete only once another byte
 * follows it.
 */
export function setParsableEnd(reader: ValueReader, from: number, isLast: boolean): void {
  const { bytes, end } = reader.buffer;
  let limit = end;
  if (!isLast) {
    while (limit > from && mayBeOfNumber(bytes[limit - 1])) limit--;
    if (limit === from) limit = reader.parsableEnd; // the number left out before continues
    // No number begins with what may only be within one, such as the last letter of `true`.
    while (limit < end && bytes[limit] - ZERO >>> 0 > 9 && bytes[limit] !== MINUS) limit++;
  }
  reader.parsableEnd = limit;
}

function mayBeOfNumber(byte: number): boolean {
  return byte - ZERO >>> 0 <= 9 || (byte | 0x20) === LOWER_E || byte === POINT || byte === MINUS || byte === PLUS;
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
 * Reads a value, or continues a suspended one, from bytes up to `end`. Returns it, `SUSPENDED`, or
 * `FAILED` after locating a failure. If `isLast`, no bytes of the value come later.
 *
 * Precondition: the value begins at the reader's position or after whitespace, or was suspended
 * there. After a value that was not suspended, {@linkcode placeReader} was called.
 */
export function readValue(reader: ValueReader, end: number, isLast: boolean): unknown {
  const { suspension, buffer: { arrived: bytes, view } } = reader;
  suspension.mayContinue = !isLast;
  if (reader.quoteSearchedTo !== NO_STRING && !isLast) {
    if (!hasClosingQuote(bytes, reader.position, reader.quoteSearchedTo, end)) {
      reader.quoteSearchedTo = end;
      return SUSPENDED;
    }
  }
  reader.quoteSearchedTo = NO_STRING;
  const start = reader.position;
  const value = continueValue(reader, bytes, view, start, end);
  if (value === SUSPENDED) {
    reader.position = suspension.position;
    if (reader.position < end && bytes[reader.position] === QUOTE) reader.quoteSearchedTo = end;
  } else if (value !== FAILED) {
    reader.position = cursor.position;
  }
  suspension.stackAge += reader.position - start;
  return value;
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

function continueValue(reader: ValueReader, bytes: Uint8Array, view: DataView, p: number, end: number): unknown {
  const { suspension } = reader;
  const { stage } = suspension;
  if (stage === START) {
    p = skipWhitespace(bytes, p, end);
    if (p >= end || bytes[p] !== OPEN_BRACE && bytes[p] !== OPEN_BRACKET) {
      suspension.position = p;
      const value = parseScalar(bytes, view, p, end);
      if (value !== FAILED) return value;
      return locateFailure(bytes, view, p, end, VALUE, false, !suspension.mayContinue) ? FAILED : SUSPENDED;
    }
  } else if (stage === BEFORE_COLON || stage === BEFORE_VALUE) {
    const stopped = resumeMember(suspension, bytes, view, end);
    if (stopped !== null) return stopped;
    p = suspension.position;
  }
  // The main loop expects no whitespace before a comma or closing bracket here.
  if (suspension.stage === AFTER_VALUE) p = skipWhitespace(bytes, p, end);
  const { windowed } = reader;
  windowed.input = bytes;
  windowed.total = end;
  return parseContainer(windowed, bytes, view, 0, p, end);
}
