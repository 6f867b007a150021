/**
 * Buffers the bytes of a value until it has ended, and makes it then: for options that change
 * values, with which a value cannot be made piece by piece, and for filters, which drop values that
 * they do not match. Meanwhile the bytes are validated as they arrive.
 */

import { cursor, lineCountHints } from "../base/cursor.ts";
import { limitFailure } from "../base/failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { buildText } from "../options/parse_guarded.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import type { Guards } from "../options/options.ts";
import type { Filter } from "../selection/conditions.ts";
import { newSelection, releaseSelection, type Selection } from "../selection/selection.ts";
import type { PartSource } from "../selection/selector.ts";
import { isIncomplete, locateFailure, setFailure } from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";
import { continueValidating, FAILED_POSITION, INCOMPLETE_POSITION, stopped } from "../validation/skip_container.ts";
import { closeBrackets, type Machine, newInnerMachine } from "../validation/validator.ts";
import { showUpTo } from "../document/chunk_buffer.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { INCOMPLETE } from "../document/suspension.ts";
import { shownEnd, type ValueReader } from "../document/value_reader.ts";

/** In place of an offset at the beginning of a value. */
export const NOWHERE = -1;

/** Value in place of one that its filter does not match. */
export const NO_MATCH: object = {};

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

export function newBufferedValue(
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
export function releaseTested({ selection, machine }: BufferedValue): void {
  closeBrackets(machine);
  releaseSelection(selection);
}

/** Validates more of the value that begins at the reader. Returns `true` once it has ended. */
export function validateBuffered(buffered: BufferedValue, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { machine, filter } = buffered;
  const { bytes, view, origin } = reader.buffer;
  end = shownEnd(reader, end);
  if (buffered.validatedTo === NOWHERE && filter !== null) {
    // Validates and tests a complete value at once.
    if (buffered.testedAt === NOWHERE) testValue(buffered, reader, end, isLast);
    buffered.testedAt = NOWHERE;
    if (buffered.end >= 0) return true;
    if (buffered.end === FAILED_POSITION) return FAILED;
    releaseTested(buffered); // the rest may arrive in another buffer
  }
  lineCountHints.passed = 1; // not known
  if (buffered.validatedTo === NOWHERE) {
    const start = reader.position = skipWhitespace(bytes, reader.position, end);
    if (start >= end) return locateFailure(bytes, view, start, end, VALUE, false, isLast) ? FAILED : INCOMPLETE;
    machine.state = VALUE;
    closeBrackets(machine);
    buffered.validatedTo = origin + start;
  }
  const piece = new Uint8Array(bytes.buffer, 0, end);
  const p = continueValidating(machine, piece, view, buffered.validatedTo - origin, isLast);
  if (p >= 0) {
    buffered.end = p;
    if (filter !== null) {
      testValue(buffered, reader, p, true);
      releaseTested(buffered);
    }
    return true;
  }
  buffered.validatedTo = origin + stopped.validatedTo;
  return p === INCOMPLETE_POSITION ? INCOMPLETE : FAILED;
}

/** Tests the value at the reader, whose bytes end at `end`. Sets `isMatch` and `end`. */
export function testValue(buffered: BufferedValue, reader: ValueReader, end: number, isLast: boolean): void {
  const { conditions, fulfils } = buffered.filter!;
  const { selection } = buffered;
  showUpTo(selection, reader.buffer, end);
  buffered.isMatch = fulfils(conditions, selection, reader.position);
  buffered.end = !isLast && isIncomplete(selection.bytes, cursor.position) ? INCOMPLETE_POSITION : cursor.position;
}

/**
 * Makes the value at the reader's position that has ended, as required by options. Returns it, or
 * `FAILED` after locating the limit of the engine that was reached.
 *
 * Precondition: a parse has begun. It ends and begins again, since the caller's callbacks may run.
 */
export function buildBuffered({ mask, end }: BufferedValue, reader: ValueReader, guards: Guards): unknown {
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
