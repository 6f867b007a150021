/** Reads values as they arrive: the only one of an input, or several, on lines or concatenated. */

import { CARRIAGE_RETURN, LINE_FEED, RECORD_SEPARATOR, SPACE, TAB } from "../base/ascii.ts";
import { LINE_END_IN_KEYS, lineCountHints } from "../base/cursor.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { endLine } from "../base/line_counter.ts";
import { DONE, VALUE } from "../validation/token_dfa.ts";
import {
  AFTER,
  beginValueAt,
  BETWEEN,
  canRecover,
  countTo,
  endValue,
  failAtLocated,
  failAtToken,
  type ParserState,
  reportInvalid,
  reportValue,
  rewind,
  SKIPPING,
  WITHIN,
} from "./parser_state.ts";
import { type BufferedValue, leaveValue, readNext, testValue } from "./value_readers.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { INCOMPLETE } from "../document/suspension.ts";
import { limitValue, readValue, showAll } from "../document/value_reader.ts";

/** Lines whose end is searched for first, after an invalid value or one that spans lines. */
const DELIMITED_LINES = 1024;

/** Maximum bytes of a line that waits for its end, unless tokens are limited to fewer. */
export const MAX_INCOMPLETE_LINE = 4096;

/** Reads the bytes that have arrived. */
export function readValues(state: ParserState): void {
  const { reader, readers, multiple, sink } = state;
  const { bytes } = reader.buffer;
  const { buffered, isPlain } = readers;
  const isDelimited = buffered !== null && buffered.guards !== null ||
    readers.parts !== null && readers.parts.isDelimited;
  for (;;) {
    if (multiple !== undefined) showAll(reader);
    if (multiple === "lines" && state.phase === BETWEEN && !isDelimited) {
      if (state.delimitedLines > 0) state.delimitedLines--;
      else if (!readLines(state)) return;
    }
    if (multiple === "lines" || state.phase === SKIPPING) {
      const lineEnd = findLineEnd(state);
      if (lineEnd >= 0) limitValue(reader, lineEnd, true);
      else if (state.phase === SKIPPING) limitValue(reader, reader.buffer.end, reader.isInputEnd);
    }
    const { parsableEnd: limit, readableEnd, isLast } = reader;
    if (state.phase === BETWEEN && !beginValue(state)) {
      if (limit >= reader.numberStart || multiple !== "lines") return;
      passLineEnd(state, limit);
      continue;
    }
    if (state.phase === WITHIN) {
      const value = isPlain ? readValue(reader) : readNext(readers);
      if (value === INCOMPLETE) return;
      if (value === FAILED) failAtLocated(state);
      else endValue(state, value);
      if (state.isCertain) return;
    }
    if (state.phase === AFTER) {
      const valueEnd = reader.position;
      reader.position = skipWhitespace(bytes, valueEnd, readableEnd);
      if (multiple === undefined && sink.changesState(state, valueEnd)) {
        if (!state.isCertain) readValues(state);
        return;
      }
      if (reader.position < readableEnd) failAtToken(state, readableEnd, DONE);
      else if (multiple === undefined || !isLast) return;
      else reportValue(state);
      if (state.isCertain) return;
    }
    if (state.phase === SKIPPING) {
      if (!canRecover(state)) return;
      const failedHere = state.failedAt === reader.buffer.origin + reader.position;
      if (multiple === "concatenated" && failedHere && isAtSeparator(state)) {
        reportInvalid(state, reader.position);
        continue;
      }
      state.mustCount = true;
      const lineEnd = findLineEnd(state);
      if (lineEnd < 0) {
        reader.position = reader.buffer.end;
        if (reader.isInputEnd) reportInvalid(state, reader.position);
        return;
      }
      reader.position = lineEnd;
      reportInvalid(state, lineEnd);
    }
    if (multiple === "lines" && reader.position >= limit) {
      if (limit >= reader.buffer.end) return;
      passLineEnd(state, limit);
    }
  }
}

/**
 * Reads the values of whole lines, without searching for the end of a line first: counting lines
 * shows whether a value spans several (JSON Lines: 10 to 25 % faster).
 *
 * Returns `false` if more bytes must arrive. Otherwise leaves a line to {@linkcode readValues}: its
 * value is invalid, spans lines, or is not followed by the end of the line.
 */
function readLines(state: ParserState): boolean {
  const { reader, readers, location, maxIncompleteLine } = state;
  const { buffer, parsableEnd } = reader;
  const { bytes } = buffer;
  let wholeTo = reader.isInputEnd ? buffer.end : -1;
  const { guard, buffered, isPlain } = readers;
  while (!state.isCertain) {
    if (buffered !== null && buffered.guards === null && guard === null) passLines(state, buffered);
    if (buffer.end - reader.position < maxIncompleteLine) {
      // An incomplete line would end in branches that have never run. Each makes V8 discard what it
      // has compiled (`bytejson select --where`, 50 MB: 400 → 300 ms).
      if (wholeTo < 0) wholeTo = buffer.arrived.lastIndexOf(LINE_FEED) + 1;
      if (reader.position >= wholeTo && wholeTo < buffer.end) return false;
    }
    if (!beginsLine(state) && !beginValue(state)) return false;
    const start = reader.position;
    const { excessBytes, lines, lineStart } = location;
    const value = isPlain ? readValue(reader) : readNext(readers);
    if (value === INCOMPLETE) {
      const lineEnd = buffer.arrived.indexOf(LINE_FEED, start);
      if (lineEnd < 0) {
        state.lineSearchedTo = buffer.end;
        return false;
      }
    } else if (value !== FAILED) {
      let p = reader.position;
      if (isOnOneLine(state) && p < parsableEnd && bytes[p] === LINE_FEED) {
        leaveValue(readers, p);
        state.end = buffer.origin + p;
        state.value = value;
        reportValue(state);
        passPlainEnd(state, p);
        continue;
      }
      countTo(state, p);
      if (location.lines === lines) {
        endValue(state, value);
        while (p < parsableEnd && isBlank(bytes[p])) p++;
        if (p > reader.position) state.mustCount = true;
        reader.position = p;
        if (p >= parsableEnd || bytes[p] !== LINE_FEED) return true;
        reportValue(state);
        passLineEnd(state, p);
        continue;
      }
      location.lines = lines;
      location.lineStart = lineStart;
      location.excessBytes = excessBytes;
      state.counted = start;
      state.mustCount = true;
    }
    rewind(state, start);
    state.delimitedLines = DELIMITED_LINES;
    return true;
  }
  return false;
}

/** Passes plain lines without a match, up to the end of the chunk (1 % match: +6 %). */
function passLines(state: ParserState, buffered: BufferedValue): void {
  const { reader } = state;
  const { buffer, parsableEnd } = reader;
  const last = Math.min(parsableEnd, buffer.end - MAX_INCOMPLETE_LINE);
  for (;;) {
    if (reader.position >= last || !isPlainLine(state)) return;
    testValue(buffered, reader);
    const { end } = buffered;
    if (buffered.isMatch || end < 0 || end >= parsableEnd || buffer.bytes[end] !== LINE_FEED || !isOnOneLine(state)) {
      buffered.testedAt = reader.position;
      return;
    }
    state.count++;
    passPlainEnd(state, end);
  }
}

/** Passes the end of a line up to which nothing has to be counted. */
function passPlainEnd(state: ParserState, lineEnd: number): void {
  const { reader, location } = state;
  endLine(location, reader.buffer.origin + lineEnd + 1);
  reader.position = state.counted = state.lineSearchedTo = lineEnd + 1;
  lineCountHints.passedNonAscii = 0;
}

/** Returns whether a value begins at the reader, with nothing to count or skip before it. */
function isPlainLine({ reader: { buffer, parsableEnd, position }, counted, location }: ParserState): boolean {
  return position < parsableEnd && buffer.bytes[position] > SPACE && position === counted &&
    !location.isReturnPending && buffer.origin + position > 0;
}

/** Begins the value at the reader in the simple case: `beginValue` without calls. */
function beginsLine(state: ParserState): boolean {
  const { reader: { buffer, position }, location, readers } = state;
  if (readers.guard !== null || !isPlainLine(state)) return false;
  state.start = buffer.origin + position;
  state.line = location.lines + 1;
  state.phase = WITHIN;
  return true;
}

/**
 * Returns whether no line has ended in the bytes that are not counted yet. Then their characters
 * need not be counted either, once the line ends (JSON Lines in UTF-8: a tenth faster).
 */
function isOnOneLine({ mustCount, location }: ParserState): boolean {
  return !mustCount && !location.isReturnPending &&
    (lineCountHints.passed | lineCountHints.isInKeys & LINE_END_IN_KEYS) === 0;
}

/** Returns whether a byte is whitespace within a line. */
function isBlank(byte: number): boolean {
  return byte === SPACE || byte === CARRIAGE_RETURN || byte === TAB;
}

/** Returns the position of the next line feed, or -1 if there is none yet. */
function findLineEnd(state: ParserState): number {
  const { buffer, position } = state.reader;
  const from = Math.max(position, state.lineSearchedTo);
  const found = buffer.arrived.indexOf(LINE_FEED, from);
  state.lineSearchedTo = found < 0 ? buffer.end : found;
  return found;
}

function passLineEnd(state: ParserState, lineEnd: number): void {
  if (state.counted >= lineEnd && !state.location.isReturnPending) return passPlainEnd(state, lineEnd);
  state.reader.position = state.lineSearchedTo = lineEnd + 1;
  state.mustCount = true;
}

/** Returns whether the reader is at the separator before a value of a sequence (RFC 7464). */
function isAtSeparator({ reader: { buffer, position } }: ParserState): boolean {
  return position < buffer.end && buffer.bytes[position] === RECORD_SEPARATOR;
}

/** Begins the next value. Returns `false` if no byte of it has arrived, or is on the line. */
function beginValue(state: ParserState): boolean {
  const { reader, multiple } = state;
  const { buffer: { bytes }, parsableEnd } = reader;
  reader.position = skipWhitespace(bytes, reader.position, parsableEnd);
  while (multiple === "concatenated" && reader.position < parsableEnd && isAtSeparator(state)) {
    reader.position = skipWhitespace(bytes, reader.position + 1, parsableEnd);
  }
  if (reader.position < parsableEnd) {
    beginValueAt(state, reader.position);
    return true;
  }
  if (multiple !== undefined || !reader.isInputEnd) return false;
  failAtToken(state, parsableEnd, VALUE);
  return true;
}
