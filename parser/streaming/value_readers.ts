/**
 * Readers of the current value: the main loop, or a reader of only parts of it; the guard, which
 * reads before them; and the buffer of values that are made once they have ended: for options that
 * change values, with which a value cannot be made piece by piece, and for filters, which drop
 * values that they do not match. Their bytes are validated as they arrive.
 */

import { cursor, lineCountHints } from "../base/cursor.ts";
import { limitFailure } from "../base/failure.ts";
import type { LineLocation } from "../base/line_counter.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { bytesUpTo, showUpTo } from "../document/chunk_buffer.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { INCOMPLETE } from "../document/suspension.ts";
import {
  limitValue,
  newValueReader,
  NO_STRING,
  placeReader,
  readValue,
  releaseValueReader,
  showAll,
  type ValueReader,
} from "../document/value_reader.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { beginGuarded, endGuarded, type InputGuard, newInputGuard, readGuarded } from "../options/input_guard.ts";
import { exactNumbers, type Guards, needsBuilding, needsCheck, needsWholeText } from "../options/options.ts";
import { buildText } from "../options/parse_guarded.ts";
import type { Filter } from "../selection/conditions.ts";
import type { PartReader } from "../selection/read_selected.ts";
import { newSelection, releaseSelection, type Selection } from "../selection/selection.ts";
import type { PartSource } from "../selection/selector.ts";
import {
  continueValidating,
  FAILED_POSITION,
  INCOMPLETE_POSITION,
  isIncomplete,
  setFailure,
  stopped,
} from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";
import { closeBrackets, type Machine, newInnerMachine } from "../validation/validator.ts";

/** In place of an offset at the beginning of a value. */
const NOWHERE = -1;

/** Value in place of one that its filter does not match. */
export const NO_MATCH: object = {};

export interface ValueReaders {
  readonly reader: ValueReader;
  /** Reads parts of each value; `null` if values are wanted whole. */
  readonly parts: PartReader | null;
  /** Checks of the options that guard each value; `null` if there are none. */
  readonly guard: InputGuard | null;
  /** Reads first if options change values, or there is a filter; otherwise `null`. */
  readonly buffered: BufferedValue | null;
  /** Whether there is no mask, guard or buffer, so that `readValue` alone reads values. */
  readonly isPlain: boolean;
  /** Whether the guard has found a violation in the current value, and the grammar no failure. */
  isViolated: boolean;
  /** Called once the bytes before a violation are read; `null` if nobody needs that value. */
  beforeViolation: (() => void) | null;
}

/** Reader of values that are made once their last byte has arrived. */
export interface BufferedValue {
  /** Options that change values; `null` if there is only a filter. */
  readonly guards: Guards | null;
  /** Conditions that values must fulfil; `null` for none. */
  readonly filter: Filter | null;
  /** Selection of the values that the filter tests. */
  readonly selection: Selection;
  /** Whether the value that has ended last fulfils them. */
  isMatch: boolean;
  /** Mask of each value; `null` for all of it. */
  readonly mask: PartSource | null;
  readonly machine: Machine;
  /** Offset in the input up to which the current value was validated. */
  validatedTo: number;
  /** Position after the value that has ended last. */
  end: number;
  /** Position of the value that the filter has read before it was begun, or {@linkcode NOWHERE}. */
  testedAt: number;
}

/**
 * Makes readers at the beginning of an input.
 *
 * @param source Mask of each value; `null` for all of it.
 * @param guards Guards of each value; `null` for none.
 * @param isPart Whether values are parts of a document, which is then guarded as a whole.
 */
export function newValueReaders(
  source: PartSource | null,
  maxTokenBytes: number,
  guards: Guards | null,
  filter: Filter | null,
  isPart: boolean,
): ValueReaders {
  const reader = newValueReader();
  const guard = guards !== null && needsCheck(guards) && !isPart ? newInputGuard(guards) : null;
  // Other numbers alone are made as they arrive.
  const isWholeText = guards !== null && (needsWholeText(guards) || source !== null && needsBuilding(guards));
  const building = isWholeText ? guards : null;
  if (guards !== null && !isWholeText) reader.suspension.numbers = exactNumbers(guards);
  const buffered = building === null && filter === null ? null : newBufferedValue(building, filter, source);
  return {
    reader,
    isPlain: source === null && guard === null && buffered === null,
    parts: source === null ? null : source.newReader(reader, maxTokenBytes),
    guard,
    buffered,
    isViolated: false,
    beforeViolation: null,
  };
}

function newBufferedValue(
  guards: Guards | null,
  filter: Filter | null,
  mask: PartSource | null,
): BufferedValue {
  return {
    guards,
    filter,
    selection: newSelection(),
    isMatch: true,
    mask,
    machine: newInnerMachine(true),
    validatedTo: NOWHERE,
    end: 0,
    testedAt: NOWHERE,
  };
}

/** Releases the bytes that a filter has read, and the brackets that are open. */
function releaseTested({ selection, machine }: BufferedValue): void {
  closeBrackets(machine);
  releaseSelection(selection);
}

/** Releases the memory of the readers: bytes, and the value that was being read. */
export function releaseReaders(readers: ValueReaders): void {
  releaseValueReader(readers.reader);
  leaveValue(readers, 0);
  if (readers.parts !== null) readers.parts.release();
  if (readers.buffered !== null) releaseTested(readers.buffered);
}

/**
 * Leaves the current value, which is complete, has failed, or is about to be read again. Every
 * reader is then at the beginning of a value, and continues at `position`.
 */
export function leaveValue(readers: ValueReaders, position: number): void {
  const { reader, parts, buffered } = readers;
  readers.isViolated = false;
  if (buffered !== null) buffered.validatedTo = NOWHERE;
  const isUnread = buffered !== null && !buffered.isMatch;
  if (!isUnread && (parts === null || parts.reset())) placeReader(reader, position);
  else reader.position = position;
}

/** Begins to guard the value at a position of the buffer, up to which lines were counted. */
export function guardValueAt({ guard, reader }: ValueReaders, position: number, location: LineLocation): void {
  if (guard !== null) beginGuarded(guard, reader.buffer.origin + position, location);
}

/** Reads the current value, or parts of it: see `readValue`. */
export function readNext(readers: ValueReaders): unknown {
  const { guard, buffered } = readers;
  const value = guard === null ? readOrValidate(readers) : readNextGuarded(readers, guard);
  return buffered === null || value === INCOMPLETE || value === FAILED ? value : makeBuffered(readers, buffered);
}

/**
 * Reads the current value with a guard. It reads the bytes first; the parser reads only up to a
 * violation, which counts unless the grammar fails before it.
 */
function readNextGuarded(readers: ValueReaders, guard: InputGuard): unknown {
  const { reader, beforeViolation } = readers;
  const { bytes, origin } = reader.buffer;
  const checked = readGuarded(guard, bytes, guard.position - origin, reader.readableEnd);
  let value: unknown = INCOMPLETE;
  if (guard.violation === null) {
    value = readOrValidate(readers);
    if (value !== FAILED && value !== INCOMPLETE) endGuarded(guard);
    if (guard.violation === null) return value;
  } else {
    if (beforeViolation !== null) {
      value = readUpTo(readers, Math.max(reader.position, guard.violation.offset - origin));
      if (value === INCOMPLETE) beforeViolation();
    }
    if (value !== FAILED) value = readUpTo(readers, checked);
    showAll(reader);
    if (value === FAILED) return FAILED;
  }
  reader.position = Math.max(checked, reader.position);
  readers.isViolated = true;
  return FAILED;
}

/** Reads a value that has a violation, up to a position. */
function readUpTo(readers: ValueReaders, end: number): unknown {
  const { reader } = readers;
  reader.quoteSearchedTo = NO_STRING; // an incomplete string is checked now
  limitValue(reader, end, false);
  return readOrValidate(readers);
}

/** Reads a value, or validates one that is made once it has ended. */
function readOrValidate({ reader, parts, buffered }: ValueReaders): unknown {
  if (buffered !== null) return validateBuffered(buffered, reader);
  return parts === null ? readValue(reader) : parts.read(reader);
}

/** Validates more of the value that begins at the reader. Returns `true` once it has ended. */
function validateBuffered(buffered: BufferedValue, reader: ValueReader): unknown {
  const { machine, filter } = buffered;
  const { buffer: { bytes, view, arrived, origin }, readableEnd: end, isLast } = reader;
  if (buffered.validatedTo === NOWHERE && filter !== null) {
    // Validates and tests a complete value at once.
    if (buffered.testedAt === NOWHERE) testValue(buffered, reader);
    buffered.testedAt = NOWHERE;
    if (buffered.end >= 0) return true;
    if (buffered.end === FAILED_POSITION) return FAILED;
    releaseTested(buffered); // the rest may arrive in another buffer
  }
  lineCountHints.passed = 1; // not known
  if (buffered.validatedTo === NOWHERE) {
    const start = reader.position = skipWhitespace(bytes, reader.position, end);
    if (start >= end) return INCOMPLETE; // the first byte violates a limit
    machine.state = VALUE;
    closeBrackets(machine);
    buffered.validatedTo = origin + start;
  }
  const p = continueValidating(machine, bytesUpTo(arrived, end), view, buffered.validatedTo - origin, isLast);
  if (p < 0) {
    buffered.validatedTo = origin + stopped.validatedTo;
    return p === INCOMPLETE_POSITION ? INCOMPLETE : FAILED;
  }
  buffered.end = p;
  if (filter !== null) {
    testWhole(buffered, reader, filter, p);
    releaseTested(buffered);
  }
  return true;
}

/** Tests the value at the reader, if it is complete. Sets `isMatch` and `end`. */
export function testValue(buffered: BufferedValue, reader: ValueReader): void {
  testWhole(buffered, reader, buffered.filter!, reader.readableEnd);
  const mayGoOn = !reader.isLast && isIncomplete(buffered.selection.bytes, cursor.position);
  buffered.end = mayGoOn ? INCOMPLETE_POSITION : cursor.position;
}

/** Tests the value at the reader, whose bytes end at `end`. */
function testWhole(buffered: BufferedValue, reader: ValueReader, filter: Filter, end: number): void {
  showUpTo(buffered.selection, reader.buffer, end);
  buffered.isMatch = filter.fulfils(filter.conditions, buffered.selection, reader.position);
}

/** Makes the value that was validated, if it matches. */
function makeBuffered({ reader, parts }: ValueReaders, buffered: BufferedValue): unknown {
  if (!buffered.isMatch) {
    reader.position = buffered.end;
    return NO_MATCH;
  }
  if (buffered.guards !== null) return buildBuffered(buffered, reader, buffered.guards);
  cursor.position = buffered.end; // for a reader that copies the value
  return parts === null ? readValue(reader) : parts.read(reader);
}

/**
 * Makes the value at the reader's position that has ended, as required by options. Returns it, or
 * `FAILED` after locating the limit of the engine that was reached.
 *
 * Precondition: a parse has begun. It ends and begins again, since the caller's callbacks may run.
 */
function buildBuffered({ mask, end }: BufferedValue, reader: ValueReader, guards: Guards): unknown {
  const { buffer, position } = reader;
  reader.position = end;
  endParse(SMALL_INPUT + 1);
  let value: unknown;
  try {
    const bytes = new Uint8Array(buffer.bytes.buffer, position, end - position);
    const origin = buffer.origin + position;
    value = (mask?.buildText ?? buildText)(bytes, bytes.length, origin, guards);
  } finally {
    beginParse();
    lineCountHints.passed = 1; // a callback may have parsed something else meanwhile
  }
  if (value !== FAILED) return value;
  setFailure(limitFailure.code!, position + limitFailure.offset);
  limitFailure.code = null;
  return FAILED;
}
