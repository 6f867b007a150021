/**
 * Readers of the current value: the main loop, or a reader of only parts of it; the guard, which
 * reads before them; and the buffer of values that are made once they have ended.
 */

import { cursor } from "../base/cursor.ts";
import type { LineLocation } from "../base/line_counter.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { INCOMPLETE } from "../document/suspension.ts";
import {
  newValueReader,
  NO_STRING,
  placeReader,
  readValue,
  releaseValueReader,
  shownEnd,
  type ValueReader,
} from "../document/value_reader.ts";
import { beginGuarded, endGuarded, type InputGuard, newInputGuard, readGuarded } from "../options/input_guard.ts";
import { exactNumbers, type Guards, needsBuilding, needsCheck, needsWholeText } from "../options/options.ts";
import type { Filter } from "../selection/conditions.ts";
import type { PartReader } from "../selection/read_selected.ts";
import type { PartSource } from "../selection/selector.ts";
import {
  type BufferedValue,
  buildBuffered,
  newBufferedValue,
  NO_MATCH,
  NOWHERE,
  releaseTested,
  validateBuffered,
} from "./buffered_value.ts";

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

/** Reads a value, or parts of it: see `readValue`. */
export function readNext(readers: ValueReaders, end: number, isLast: boolean): unknown {
  const { reader, parts, guard, buffered } = readers;
  if (guard !== null) return readNextGuarded(readers, guard, end, isLast);
  if (buffered !== null) {
    return finishBuffered(readers, buffered, validateBuffered(buffered, reader, end, isLast), end, isLast);
  }
  return parts === null ? readValue(reader, end, isLast) : parts.read(reader, end, isLast);
}

/**
 * Like {@linkcode readNext}, with a guard. It reads the bytes first; the parser reads only
 * up to a violation, which counts unless the grammar fails before it.
 */
function readNextGuarded(readers: ValueReaders, guard: InputGuard, end: number, isLast: boolean): unknown {
  const { reader, buffered } = readers;
  const { bytes, origin } = reader.buffer;
  const checked = readGuarded(guard, bytes, guard.position - origin, shownEnd(reader, end));
  if (guard.violation === null) {
    const value = readOrBuffer(readers, end, isLast);
    if (value !== FAILED && value !== INCOMPLETE) endGuarded(guard);
    if (guard.violation === null) {
      return buffered === null ? value : finishBuffered(readers, buffered, value, end, isLast);
    }
  } else {
    const { beforeViolation } = readers;
    let value: unknown = INCOMPLETE;
    if (beforeViolation !== null) {
      value = readUpTo(readers, Math.max(reader.position, guard.violation.offset - origin));
      if (value === INCOMPLETE) beforeViolation();
    }
    if (value !== FAILED) value = readUpTo(readers, checked);
    reader.readableEnd = reader.buffer.end; // of the next value
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
  reader.readableEnd = end;
  return readOrBuffer(readers, end, false);
}

/** Reads a value, or validates one that is made once it has ended. */
function readOrBuffer({ reader, parts, buffered }: ValueReaders, end: number, isLast: boolean): unknown {
  if (buffered !== null) return validateBuffered(buffered, reader, end, isLast);
  return parts === null ? readValue(reader, end, isLast) : parts.read(reader, end, isLast);
}

/** Makes the value that was validated, if it matches. */
function finishBuffered(
  { reader, parts }: ValueReaders,
  buffered: BufferedValue,
  value: unknown,
  end: number,
  isLast: boolean,
): unknown {
  if (value === INCOMPLETE || value === FAILED) return value;
  if (!buffered.isMatch) {
    reader.position = buffered.end;
    return NO_MATCH;
  }
  if (buffered.guards !== null) return buildBuffered(buffered, reader, buffered.guards);
  cursor.position = buffered.end; // for a reader that copies the value
  return parts === null ? readValue(reader, end, isLast) : parts.read(reader, end, isLast);
}
