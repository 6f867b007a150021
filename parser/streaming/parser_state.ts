/** State of a chunked parser: the current value, its position, and reports. */

import { MARK_LEAD } from "../base/ascii.ts";
import { lineCountHints } from "../base/cursor.ts";
import { failureAtOffset, loneSurrogate, type ParseFailure } from "../base/failure.ts";
import { countLines, countPendingReturn, type LineLocation, newLineLocation } from "../base/line_counter.ts";
import type { ValueReader } from "../document/value_reader.ts";
import { failure as located, isTruncation, locateFailure } from "../validation/locate_failure.ts";
import type { InvalidValue, ValueSeparation } from "./stream_options.ts";
import { guardValueAt, leaveValue, NO_MATCH, releaseReaders, type ValueReaders } from "./value_readers.ts";

/** Phase before a value. */
export const BETWEEN = 0;
/** Phase within a value. */
export const WITHIN = 1;
/** Phase after a value, where only whitespace may follow in the input or the line. */
export const AFTER = 2;
/** Phase after a failure: the rest of the line is skipped. */
export const SKIPPING = 3;

/** Placeholder for a failure that is not described. */
const UNDESCRIBED: ParseFailure = /* @__PURE__ */ failureAtOffset(
  /* @__PURE__ */ newLineLocation(),
  0,
  "unexpected-token",
  0,
  false,
);

/** Receives the events of a parse, during which it must not parse. This one ignores them. */
export class ParserSink {
  /** Receives one of several values that has ended and fulfils the conditions. */
  onValue(_state: ParserState): void {} // not covered: parsers of several values have another sink

  onInvalid(_value: InvalidValue): void {}

  onFailure(_state: ParserState, _failure: ParseFailure): void {}

  /** Called before a value that has failed is dropped: during a parse, or between two. */
  beforeFailure(_state: ParserState, _isReading: boolean): void {}

  /** Whether failures are described, not only counted: millions of messages take memory. */
  get describesFailures(): boolean {
    return true;
  }

  /** Whether failures are wanted as soon as they are certain, before the end of their line. */
  readonly wantsFailuresAtOnce: boolean = true;

  /**
   * Called after the only value, which ended at `end` and is followed only by whitespace. Returns
   * whether the state was changed: values are on lines after all, or what follows does not matter.
   */
  changesState(_state: ParserState, _end: number): boolean {
    return false;
  }

  /** Whether the bytes of the current value are needed until it has ended. */
  get keepsValues(): boolean {
    return false;
  }

  /** Returns the position of the first byte that is still needed. */
  keptFrom({ reader }: ParserState): number {
    return reader.position;
  }

  /** Called during a parse, after the bytes that have arrived were read. */
  afterReading(_state: ParserState): void {}

  /** Called after a text has lengthened a string, between two parses. */
  afterText(_state: ParserState, _text: string): void {}

  /** Passes on the received values, once no parse is running. */
  flush(): void {}

  clear(): void {} // not covered: parsers that are reset have another sink
}

export interface ParserState {
  readonly reader: ValueReader;
  readonly readers: ValueReaders;
  multiple: ValueSeparation | undefined;
  readonly sink: ParserSink;
  phase: number;
  /** Line and column at `counted`. */
  readonly location: LineLocation;
  /** Position up to which lines were counted. */
  counted: number;
  /** Whether a byte from there on may be a line end or not ASCII: see `lineCountHints`. */
  mustCount: boolean;
  /** Position up to which a line was searched for its line feed. */
  lineSearchedTo: number;
  /** Maximum bytes of a line that waits for its end; 0 if failures are wanted at once. */
  readonly maxIncompleteLine: number;
  /** Number of lines whose end is still searched for first: see `readLines`. */
  delimitedLines: number;
  /** Whether the chunk that arrived last is text. */
  isText: boolean;
  /** Whether no further bytes matter: which value a pointer has, if any, is certain. */
  isCertain: boolean;
  failure: ParseFailure | null;
  /** Offset of the byte at which the current value failed; -1 if no byte did. */
  failedAt: number;
  valueFailure: ParseFailure | null;
  /** Value of the whole input or of the current line, once it is complete. */
  value: unknown;
  /** Name of the current value, if values are members. */
  key: string | undefined;
  /** Number of values that have ended. */
  count: number;
  /** Offsets and line of the current value. */
  start: number;
  end: number;
  line: number;
}

/** Returns whether values may follow an invalid one. */
export function canRecover({ multiple }: Pick<ParserState, "multiple">): boolean {
  return multiple === "lines" || multiple === "concatenated";
}

/** Returns the fields that change, as they are at the beginning of an input. */
function beginningState() {
  return {
    phase: BETWEEN,
    counted: 0,
    mustCount: false,
    lineSearchedTo: 0,
    delimitedLines: 0,
    isText: false,
    isCertain: false,
    failure: null,
    failedAt: -1,
    valueFailure: null,
    value: undefined,
    key: undefined,
    count: 0,
    start: 0,
    end: 0,
    line: 0,
  };
}

export function newParserState(
  multiple: ValueSeparation | undefined,
  readers: ValueReaders,
  sink: ParserSink,
  maxIncompleteLine: number,
): ParserState {
  return {
    reader: readers.reader,
    readers,
    multiple,
    sink,
    maxIncompleteLine,
    location: newLineLocation(),
    ...beginningState(),
  };
}

export function resetParserState(state: ParserState): void {
  Object.assign(state, beginningState());
  state.sink.clear();
  Object.assign(state.location, newLineLocation());
  state.reader.buffer.origin = 0;
  releaseReaders(state.readers);
}

/** Goes back to the beginning of the value, all of whose bytes are still in the buffer. */
export function rewind({ readers, location }: ParserState, position: number): void {
  leaveValue(readers, position);
  guardValueAt(readers, position, location);
}

export function beginValueAt(state: ParserState, position: number): void {
  const { buffer } = state.reader;
  countTo(state, position);
  countPendingReturn(state.location, buffer.origin + position, buffer.bytes[position]);
  state.start = buffer.origin + position;
  state.line = state.location.lines + 1;
  state.phase = WITHIN;
  guardValueAt(state.readers, position, state.location);
}

export function endValue(state: ParserState, value: unknown): void {
  const { reader, multiple } = state;
  leaveValue(state.readers, reader.position);
  state.phase = AFTER;
  state.end = reader.buffer.origin + reader.position;
  state.value = value;
  if (multiple !== undefined && multiple !== "lines") reportValue(state);
}

/** Reports the value that has ended, unless its filter does not match. */
export function reportValue(state: ParserState): void {
  state.count++;
  state.phase = BETWEEN;
  if (state.value !== NO_MATCH) state.sink.onValue(state);
  state.value = undefined;
}

/** Reports one of several values as invalid, up to the end of its line. */
export function reportInvalid(state: ParserState, end: number): void {
  const { valueFailure: failure, start, line, reader, sink } = state;
  const index = state.count++;
  state.valueFailure = null;
  state.phase = BETWEEN;
  sink.onInvalid({ failure: failure!, index, start, end: reader.buffer.origin + end, line });
}

/** Fails at the end of the buffer, where the input exceeds `maxBytes`. No other value is read. */
export function failAtMaxBytes(state: ParserState, byte: number): void {
  const { reader, location, phase } = state;
  const { bytes, end, origin } = reader.buffer;
  state.isCertain = true;
  state.mustCount = true;
  countTo(state, end);
  countPendingReturn(location, origin + end, byte);
  if (origin === 0 && end < 3 && bytes[0] === MARK_LEAD) location.excessBytes = end;
  const failure = failureAtOffset(location, origin + end, "too-many-bytes", byte, false);
  if (phase === WITHIN || phase === AFTER) failValue(state, failure, false);
  else reportFailure(state, failure);
  if (canRecover(state) && phase !== BETWEEN) reportInvalid(state, end);
}

/**
 * Fails at the token at the reader's position. `automaton` is the state of the automaton before it.
 * The input, or the line, ends at `end`.
 */
export function failAtToken(state: ParserState, end: number, automaton: number): void {
  const { buffer: { arrived, view }, position } = state.reader;
  locateFailure(arrived, view, position, end, automaton, false);
  failAtLocated(state);
}

/** Fails where the validator has located a failure in the buffer, or the guard a violation. */
export function failAtLocated(state: ParserState, isReading: boolean = true): void {
  const { reader, readers: { isViolated, guard }, location } = state;
  state.mustCount = true;
  if (isViolated) {
    state.failedAt = -1;
    failValue(state, guard!.violation!);
    return;
  }
  const { code, offset: position } = located;
  const { bytes, end, origin } = reader.buffer;
  countTo(state, position);
  reader.position = Math.max(reader.position, Math.min(position, end));
  const byte = position < end ? bytes[position] : -1;
  state.failedAt = origin + position;
  countPendingReturn(location, origin + position, byte);
  if (!state.sink.describesFailures) return failValue(state, UNDESCRIBED, isReading);
  if (located.bytesEnd !== end) located.bytesEnd = -1; // only the line ends there
  const isTruncated = isTruncation(bytes, end, origin + position);
  const failure = failureAtOffset(location, origin + position, code, byte, isTruncated);
  // A character may have begun in an earlier chunk, but text has all of half a surrogate pair.
  const isSurrogate = state.isText && code === "invalid-utf8" && byte === 0xed && bytes[position + 1] >> 5 === 0x5;
  failValue(state, isSurrogate ? loneSurrogate(failure) : failure, isReading);
}

export function failValue(state: ParserState, failure: ParseFailure, isReading: boolean = true): void {
  state.sink.beforeFailure(state, isReading);
  leaveValue(state.readers, state.reader.position);
  state.phase = SKIPPING;
  state.valueFailure = failure;
  state.value = undefined;
  reportFailure(state, failure);
}

export function reportFailure(state: ParserState, failure: ParseFailure): void {
  state.failure ??= failure;
  state.sink.onFailure(state, failure);
}

/** Counts the lines before a position, unless no line can have ended since the last count. */
export function countTo(state: ParserState, position: number): void {
  if (position <= state.counted) return;
  const { location } = state;
  const { passed, passedNonAscii, isInKeys } = lineCountHints;
  if (state.mustCount || (passed | passedNonAscii | isInKeys) !== 0 || location.isReturnPending) {
    const { bytes, view, origin } = state.reader.buffer;
    countLines(location, bytes, view, origin, state.counted, position);
    state.mustCount = false;
    lineCountHints.passed = lineCountHints.passedNonAscii = 0;
  }
  state.counted = position;
}
