/**
 * Reads the value at a JSON Pointer, or the elements of the array there, as they arrive, and
 * validates everything around them.
 *
 * @module
 */

import { copyLinePosition } from "../base/line_position.ts";
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
import { FAILED, SUSPENDED } from "./value_reader.ts";

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
  /** Whether nothing but the place is wanted, so that the value is validated. */
  readonly skipsValue: boolean;
}

/**
 * Makes a reader at the beginning of a document. For its arguments see {@linkcode ElementFinder}.
 */
export function newElementReader(tokens: readonly string[], target = ELEMENTS, skipsValue = false): ElementReader {
  return {
    finder: new ElementFinder(tokens, target),
    machine: newMachine(false, true),
    isSkipping: false,
    place: target === ELEMENTS ? null : { start: 0, end: 0, line: 0, column: 0 },
    skipsValue,
  };
}

export function resetElementReader(elements: ElementReader): void {
  elements.finder.reset();
  closeBrackets(elements.machine);
  elements.isSkipping = false;
}

/** Reads the bytes that have arrived; `isLast` if no more follow. */
export function readElements(state: ParserState, elements: ElementReader, isLast: boolean): void {
  const { reader } = state;
  const { finder, machine, place } = elements;
  while (state.failure === null) {
    if (state.phase === WITHIN) {
      const value = readNext(state, reader.parsableEnd, isLast);
      if (value === SUSPENDED) return;
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
    if (elements.isSkipping && !skipValue(state, elements, isLast)) return;
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
    if (step === OTHER_VALUE || step === WANTED_VALUE && elements.skipsValue) {
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
function skipValue(state: ParserState, elements: ElementReader, isLast: boolean): boolean {
  const { reader, lines } = state;
  const { machine } = elements;
  const { buffer, position } = reader;
  countTo(state, position);
  copyLinePosition(lines, machine); // which counts lines itself
  const piece = new Uint8Array(buffer.bytes.buffer, position, buffer.end - position);
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
