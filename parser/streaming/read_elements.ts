/**
 * Reads the elements of one array as they arrive, and validates everything around them.
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
import { ELEMENT, ElementFinder, FAILURE, WAIT } from "./element_finder.ts";
import {
  beginValueAt,
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

/** Reader of the elements of the array at a JSON Pointer. */
export interface ElementReader {
  readonly finder: ElementFinder;
  /** Validates values other than elements. */
  readonly machine: Machine;
  /** Whether such a value is being validated. */
  isSkipping: boolean;
}

/**
 * Makes a reader at the beginning of a document.
 *
 * @throws {TypeError} If `pointer` is not a JSON Pointer.
 */
export function newElementReader(pointer: string): ElementReader {
  return { finder: new ElementFinder(pointer), machine: newMachine(false, true), isSkipping: false };
}

export function resetElementReader(elements: ElementReader): void {
  elements.finder.reset();
  closeBrackets(elements.machine);
  elements.isSkipping = false;
}

/** Reads the bytes that have arrived; `isLast` if no more follow. */
export function readElements(state: ParserState, elements: ElementReader, isLast: boolean): void {
  const { reader } = state;
  const { finder, machine } = elements;
  while (state.failure === null) {
    if (state.phase === WITHIN) {
      const value = readNext(state, reader.parsableEnd, isLast);
      if (value === SUSPENDED) return;
      if (value === FAILED) {
        failAtLocated(state);
        return;
      }
      endValue(state, value);
      finder.passValue();
    }
    if (reader.buffer.origin + reader.position === 0 && !passByteOrderMark(state, reader.parsableEnd, isLast)) return;
    if (elements.isSkipping && !skipValue(state, elements, isLast)) return;
    const step = finder.find(reader, isLast);
    if (step === WAIT) return;
    if (step === FAILURE) failAtLocated(state);
    else if (step === ELEMENT) beginValueAt(state, reader.position);
    else {
      machine.state = VALUE;
      closeBrackets(machine);
      elements.isSkipping = true;
    }
  }
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
  elements.finder.passValue();
  return true;
}
