/**
 * Reads the value at a JSON Pointer, or the elements of the array there, as they arrive, and
 * validates everything around them.
 *
 * @module
 */

import { copyLinePosition, newLinePosition } from "../base/line_position.ts";
import {
  beginGuarded,
  endGuarded,
  type InputGuard,
  newInputGuard,
  readGuarded,
  violationOf,
} from "../guarded/input_guard.ts";
import { type Guards, needsCheck } from "../guarded/options.ts";
import { DONE, VALUE } from "../validation/token_dfa.ts";
import {
  closeBrackets,
  dataViewOfPiece,
  failureAtByte,
  failureAtEnd,
  type Machine,
  newMachine,
  readPiece,
} from "../validation/validator.ts";
import { CERTAIN, ElementFinder, ELEMENTS, FAILURE, OTHER_VALUE, WAIT, WANTED_VALUE } from "./element_finder.ts";
import {
  beginValueAt,
  BETWEEN,
  countTo,
  endValue,
  failAtLocated,
  failValue,
  type ParserState,
  passByteOrderMark,
  readNext,
  WITHIN,
} from "./parser_state.ts";
import { FAILED, NO_STRING, SUSPENDED } from "./value_reader.ts";

/** Place of a value: see `Place` in `locate_document.ts`. */
interface PlaceInStream {
  start: number;
  end: number;
  line: number;
  column: number;
}

/** Reader of the value at a JSON Pointer, or of the elements of the array there. */
export interface ElementReader {
  readonly finder: ElementFinder;
  /** Validates values other than elements. */
  readonly machine: Machine;
  /** Whether such a value is being validated. */
  isSkipping: boolean;
  /** Place of the value at the pointer; `null` for elements. */
  readonly place: PlaceInStream | null;
  /** Checks of the document; `null` if there are none. */
  readonly guard: InputGuard | null;
}

/**
 * Makes a reader at the beginning of a document. For its arguments see {@linkcode ElementFinder}.
 */
export function newElementReader(
  tokens: readonly string[],
  guards: Guards | null,
  target = ELEMENTS,
): ElementReader {
  return {
    finder: new ElementFinder(tokens, target),
    machine: newMachine(false, true),
    isSkipping: false,
    place: target === ELEMENTS ? null : { start: 0, end: 0, line: 0, column: 0 },
    guard: guards !== null && needsCheck(guards) ? newInputGuard(guards) : null,
  };
}

export function resetElementReader(elements: ElementReader): void {
  elements.finder.reset();
  closeBrackets(elements.machine);
  elements.isSkipping = false;
  if (elements.guard !== null) beginGuarded(elements.guard, 0, newLinePosition());
}

/** Reads the bytes that have arrived: if `isLast`, the last of the input. */
export function readElements(state: ParserState, elements: ElementReader, isLast: boolean): void {
  const { guard } = elements;
  if (guard === null) readDocument(state, elements, state.reader.buffer.end, isLast);
  else readDocumentGuarded(state, elements, guard, isLast);
}

/**
 * Does what {@linkcode readElements} does, with a guard of the document. It reads the bytes first,
 * and the parser those before a violation: the violation counts unless the grammar fails in them.
 */
function readDocumentGuarded(state: ParserState, elements: ElementReader, guard: InputGuard, isLast: boolean): void {
  const { reader } = state;
  const { bytes, end, origin } = reader.buffer;
  const from = guard.position - origin;
  const checked = guard.code === null && from < end ? readGuarded(guard, bytes, from, end) : from;
  if (guard.code === null) {
    readDocument(state, elements, end, isLast);
    // A number that the end of the input ends is all of the document.
    if (isLast && state.failure === null && guard.container === null) endGuarded(guard);
  } else {
    reader.quoteSearchedTo = NO_STRING; // a cut string is checked now
    reader.parsableEnd = Math.min(reader.parsableEnd, checked);
    readDocument(state, elements, checked, false);
    if (state.isCertain) return;
  }
  if (guard.code === null || state.failure !== null) return;
  state.mustCount = true;
  failValue(state, violationOf(guard));
}

/** Reads the bytes up to `end`: if `isLast`, the last of the input. */
function readDocument(state: ParserState, elements: ElementReader, end: number, isLast: boolean): void {
  const { reader } = state;
  const { finder, machine, place, guard } = elements;
  const isViolated = guard !== null && guard.code !== null;
  while (state.failure === null) {
    if (state.phase === WITHIN) {
      const value = readNext(state, reader.parsableEnd, isLast);
      // A value that a violation ends is a number, whose other digits may follow.
      if (value === SUSPENDED || value !== FAILED && isViolated && reader.position >= end) return;
      if (value === FAILED) {
        failAtLocated(state);
        return;
      }
      endValue(state, value);
      if (place !== null) {
        place.end = state.end;
        state.phase = BETWEEN;
      }
      state.isCertain = finder.passValue();
    }
    if (reader.buffer.origin + reader.position === 0 && !passByteOrderMark(state, reader.parsableEnd, isLast)) return;
    if (elements.isSkipping && !skipValue(state, elements, end, isLast)) return;
    if (state.isCertain) return;
    const step = finder.find(reader, isLast);
    if (!finder.isFound) state.value = undefined; // of an earlier member of the same name
    if (step === WAIT) return;
    if (step === FAILURE) failAtLocated(state);
    else if (step === CERTAIN) state.isCertain = true;
    else if (step === WANTED_VALUE) {
      beginValueAt(state, reader.position);
      if (place !== null) placeValue(state, place);
    }
    if (step === OTHER_VALUE) {
      state.phase = BETWEEN;
      machine.state = VALUE;
      closeBrackets(machine);
      elements.isSkipping = true;
    }
  }
}

/** Notes where the value begins. */
function placeValue({ start, line, lines }: ParserState, place: PlaceInStream): void {
  place.start = start;
  place.line = line;
  place.column = start - lines.lineStart - lines.excessBytes + 1;
}

/** Validates a value other than an element. Returns `false` if more of it must arrive. */
function skipValue(state: ParserState, elements: ElementReader, end: number, isLast: boolean): boolean {
  const { reader, lines } = state;
  const { machine } = elements;
  const { buffer, position } = reader;
  countTo(state, position);
  copyLinePosition(lines, machine); // which counts lines itself
  const piece = new Uint8Array(buffer.bytes.buffer, position, end - position);
  machine.pieceStart = buffer.origin + position;
  const p = readPiece(machine, piece, dataViewOfPiece(piece), 0);
  const isDone = machine.state === DONE;
  const failure = isDone
    ? null
    : p < piece.length
    ? failureAtByte(machine, piece, p)
    : isLast
    ? failureAtEnd(machine, p)
    : null;
  copyLinePosition(machine, lines);
  state.counted = reader.position = position + p;
  reader.parsableEnd = Math.max(reader.parsableEnd, reader.position);
  if (failure !== null) failValue(state, failure);
  // `failureAtEnd` completes a number at the end of the input.
  if (machine.state !== DONE) return false;
  elements.isSkipping = false;
  const { finder, place } = elements;
  const wasFound = finder.isFound;
  state.isCertain = finder.passValue();
  if (place !== null && finder.isFound && !wasFound) place.end = buffer.origin + reader.position;
  return true;
}
