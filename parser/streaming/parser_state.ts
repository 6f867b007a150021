/**
 * State of a chunked parser: the current value, its position, and reports.
 *
 * @module
 */

import { needsLineCount } from "../base/cursor.ts";
import type { FailureCode, ParseFailure } from "../base/failure.ts";
import {
  countPendingReturn,
  failureAtOffset,
  type LinePosition,
  newLinePosition,
  resetLinePosition,
} from "../base/line_position.ts";
import { CallbackQueue } from "../base/queue.ts";
import type { MaskNode } from "../selecting/mask_node.ts";
import { failure as located, locateFailure } from "../validation/locate_failure.ts";
import { countLines } from "../base/line_counter.ts";
import type { InvalidValue, ParsedValue, ValueSeparation } from "./parsed_value.ts";
import { newSelectedReader, readSelected, resetSelectedReader, type SelectedReader } from "./read_selected.ts";
import {
  newValueReader,
  readValue,
  releaseValueReader,
  resetValueReader,
  rewindReader,
  type ValueReader,
} from "./value_reader.ts";

/** Phase before a value. */
export const BETWEEN = 0;
/** Phase within a value. */
export const WITHIN = 1;
/** Phase after a value, where only whitespace may follow in the input or the line. */
export const AFTER = 2;
/** Phase after a failure: the rest of the line is skipped. */
export const SKIPPING = 3;

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

export interface ParserState {
  readonly reader: ValueReader;
  /** Reader of what is selected of each value; `null` if values are wanted whole. */
  readonly selected: SelectedReader | null;
  readonly multiple: ValueSeparation | undefined;
  /** Whether values may follow an invalid one. */
  readonly canRecover: boolean;
  readonly onValue: ((value: ParsedValue<never>) => void) | undefined;
  readonly onFailure: ((failure: ParseFailure) => void) | undefined;
  readonly onInvalid: ((value: InvalidValue) => void) | undefined;
  /** Queued callbacks, called once no parse is running. */
  readonly callbacks: CallbackQueue;
  phase: number;
  /** Lines of the bytes before `counted`. */
  readonly lines: LinePosition;
  /** Position up to which lines were counted. */
  counted: number;
  /** Whether a byte from there on may be a line end or not ASCII: see `needsLineCount`. */
  mustCount: boolean;
  /** Position up to which a line was searched for its line feed. */
  lineSearchedTo: number;
  /** Number of lines whose end is still searched for first: see `readLines`. */
  delimitedLines: number;
  /** Whether no further bytes matter: the value at a pointer, or that there is none, is certain. */
  isCertain: boolean;
  /** First failure of the input. */
  failure: ParseFailure | null;
  /** Failure of the current value. */
  valueFailure: ParseFailure | null;
  /** Value of the whole input or of the current line, once it is complete. */
  value: unknown;
  /** Number of values that have ended. */
  count: number;
  /** Offsets and line of the current value. */
  start: number;
  end: number;
  line: number;
}

export interface ParserCallbacks {
  onValue?: ParserState["onValue"];
  onFailure?: ParserState["onFailure"];
  onInvalid?: ParserState["onInvalid"];
}

/** Makes the state at the beginning of an input. `mask` is `null` if values are wanted whole. */
export function newParserState(
  multiple: ValueSeparation | undefined,
  mask: MaskNode | null,
  maxTokenBytes: number,
  { onValue, onFailure, onInvalid }: ParserCallbacks,
): ParserState {
  const reader = newValueReader();
  return {
    reader,
    selected: mask === null ? null : newSelectedReader(reader, mask, maxTokenBytes),
    multiple,
    canRecover: multiple === "lines" || multiple === "concatenated",
    onValue,
    onFailure,
    onInvalid,
    callbacks: new CallbackQueue(),
    phase: BETWEEN,
    lines: newLinePosition(),
    counted: 0,
    mustCount: false,
    lineSearchedTo: 0,
    delimitedLines: 0,
    isCertain: false,
    failure: null,
    valueFailure: null,
    value: undefined,
    count: 0,
    start: 0,
    end: 0,
    line: 0,
  };
}

export function resetParserState(state: ParserState): void {
  state.phase = BETWEEN;
  state.counted = state.lineSearchedTo = state.delimitedLines = 0;
  state.count =
    state.start =
    state.end =
    state.line =
      0;
  state.failure = state.valueFailure = null;
  state.value = undefined;
  state.mustCount = state.isCertain = false;
  state.callbacks.clear();
  resetLinePosition(state.lines);
  resetValueReader(state.reader);
  if (state.selected !== null) resetSelectedReader(state.selected);
}

/** Releases the memory of the readers: bytes, and the value that was being read. */
export function releaseReaders({ reader, selected }: ParserState): void {
  releaseValueReader(reader);
  if (selected !== null) resetSelectedReader(selected);
}

/** Reads a value, or what is selected of it: see `readValue`. */
export function readNext({ reader, selected }: ParserState, end: number, isLast: boolean): unknown {
  return selected === null ? readValue(reader, end, isLast) : readSelected(selected, reader, end, isLast);
}

/** Goes back to the beginning of the value: see `rewindReader`. */
export function rewind({ reader, selected }: ParserState, position: number): void {
  rewindReader(reader, position);
  if (selected !== null) resetSelectedReader(selected);
}

/**
 * Skips a byte-order mark at the beginning of the input. Returns `false` if more bytes must arrive
 * to tell whether there is one.
 */
export function passByteOrderMark(state: ParserState, limit: number, isLast: boolean): boolean {
  const { reader } = state;
  const { bytes } = reader.buffer;
  let length = 0;
  while (length < 3 && length < limit && bytes[length] === BYTE_ORDER_MARK[length]) length++;
  if (length === 3) {
    reader.position = state.counted = 3;
    state.lines.excessBytes = 3;
  }
  return length === 0 || length === 3 || length < limit || isLast;
}

export function beginValueAt(state: ParserState, position: number): void {
  const { buffer } = state.reader;
  countTo(state, position);
  countPendingReturn(state.lines, buffer.origin + position, buffer.bytes[position]);
  state.start = buffer.origin + position;
  state.line = state.lines.lines + 1;
  state.phase = WITHIN;
}

export function endValue(state: ParserState, value: unknown): void {
  const { reader, multiple } = state;
  state.end = reader.buffer.origin + reader.position;
  state.value = value;
  state.phase = AFTER;
  if (multiple === "concatenated" || multiple === "elements") reportValue(state);
}

export function reportValue(state: ParserState): void {
  const value = {
    value: state.value as never,
    index: state.count++,
    start: state.start,
    end: state.end,
    line: state.line,
  };
  state.value = undefined;
  state.phase = BETWEEN;
  if (state.onValue !== undefined) state.callbacks.add(state.onValue, value);
}

/** Reports one of several values as invalid, up to the end of its line. */
export function reportInvalid(state: ParserState, end: number): void {
  const value = {
    failure: state.valueFailure!,
    index: state.count++,
    start: state.start,
    end: state.reader.buffer.origin + end,
    line: state.line,
  };
  state.valueFailure = null;
  state.phase = BETWEEN;
  if (state.onInvalid !== undefined) state.callbacks.add(state.onInvalid, value);
}

/** Fails at the cut token at the reader's position, which is too long, and drops its value. */
export function failAtCutToken(state: ParserState): void {
  const { position } = state.reader;
  // A number, or a byte-order mark, does not begin a value until its end has arrived.
  if (state.phase === BETWEEN) beginValueAt(state, position);
  failAt(state, "value-too-large", position);
  rewind(state, position);
}

/**
 * Fails at the token at the reader's position. `automaton` is the state of the automaton before it.
 * The input, or the line, ends at `end`.
 */
export function failAtToken(state: ParserState, end: number, automaton: number): void {
  const { buffer: { arrived, view }, position } = state.reader;
  locateFailure(arrived, view, position, end, automaton, false, true);
  failAtLocated(state);
}

/** Fails where the validator has located a failure in the buffer. */
export function failAtLocated(state: ParserState): void {
  failAt(state, located.code, located.offset);
}

/** Fails at a position of the buffer. */
function failAt(state: ParserState, code: FailureCode, position: number): void {
  const { reader, lines } = state;
  const { bytes, end, origin } = reader.buffer;
  state.mustCount = true;
  countTo(state, position);
  reader.position = Math.max(reader.position, Math.min(position, end));
  const byte = position < end ? bytes[position] : -1;
  countPendingReturn(lines, origin + position, byte);
  failValue(state, failureAtOffset(lines, origin + position, code, byte));
}

export function failValue(state: ParserState, failure: ParseFailure): void {
  state.valueFailure = failure;
  state.value = undefined;
  state.phase = SKIPPING;
  reportFailure(state, failure);
}

/** Reports a failure of the input. */
export function reportFailure(state: ParserState, failure: ParseFailure): void {
  state.failure ??= failure;
  if (state.onFailure !== undefined) state.callbacks.add(state.onFailure, failure);
}

/**
 * Counts the lines before a position of the buffer, up to which everything was read. Looks at the
 * bytes only if one may be a line end or not ASCII.
 */
export function countTo(state: ParserState, position: number): void {
  if (position <= state.counted) return;
  const { lines } = state;
  const { passed, passedNonAscii, isInKeys } = needsLineCount;
  if (state.mustCount || (passed | passedNonAscii | isInKeys) !== 0 || lines.isReturnPending) {
    const { bytes, view, origin } = state.reader.buffer;
    countLines(lines, bytes, view, origin, state.counted, position);
    state.mustCount = false;
    needsLineCount.passed = needsLineCount.passedNonAscii = 0;
  }
  state.counted = position;
}
