/**
 * Reads the value at a JSON Pointer, or the elements or members of the container there, as they
 * arrive, and validates everything around them.
 */

import { OPEN_BRACE, OPEN_BRACKET } from "../base/ascii.ts";
import { newLineLocation } from "../base/line_counter.ts";
import { bytesUpTo } from "../document/chunk_buffer.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { INCOMPLETE } from "../document/suspension.ts";
import { limitValue, NO_STRING } from "../document/value_reader.ts";
import { beginGuarded, endGuarded, type InputGuard, newInputGuard, readGuarded } from "../options/input_guard.ts";
import { type Guards, needsCheck } from "../options/options.ts";
import { locateFailure, setFailure } from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";
import {
  CLOSED,
  enter,
  FAILURE,
  leave,
  newWalk,
  pass,
  resetWalk,
  skip,
  SKIPPED,
  VALUE_BEGINS,
  type Walk,
  walkOn,
} from "../selection/path_walker.ts";
import { beginPlace, depthFound, endPlace, type FoundPlace, isMet } from "../selection/found_place.ts";
import { compileElements, compilePointers, type PointerNode } from "../selection/pointers.ts";
import { wantsEntries } from "../selection/selection_node.ts";
import { beginValueAt, BETWEEN, endValue, failAtLocated, failValue, type ParserState, WITHIN } from "./parser_state.ts";
import { readNext } from "./value_readers.ts";

/** Target of a pointer: the entries of the first container that it leads to. */
export const ENTRIES_TARGET = 0;
/** Target: the first value. Of members with the same name, the first one counts. */
export const FIRST_TARGET = 1;
/** Target: the last value. Of members with the same name, the last one counts. */
export const LAST_TARGET = 2;

/** Reader of the value at a JSON Pointer, or of the entries of the container there. */
export interface ElementReader {
  /** Functions of this reader, which leaves them out of bundles that read no elements. */
  readonly read: typeof readElements;
  readonly reset: typeof resetElementReader;
  readonly target: number;
  /** Whether the entries are the members of an object. */
  readonly isOfObject: boolean;
  readonly walk: Walk<null>;
  /** Node of the value at the pointer. */
  readonly end: PointerNode;
  /** Line and column of that value. */
  line: number;
  column: number;
  /** Place of the value on the path that is being skipped; `null` for another value. */
  skipped: FoundPlace | null;
  /** Whether the container of the entries has ended. */
  hasContainer: boolean;
  /** Checks of the document; `null` if there are none. */
  readonly guard: InputGuard | null;
}

/** Makes a reader at the beginning of a document. */
export function newElementReader(
  tokens: readonly string[],
  guards: Guards | null,
  target = ENTRIES_TARGET,
  isOfObject = false,
): ElementReader {
  const { root, ends } = target === ENTRIES_TARGET ? compileElements(tokens, isOfObject) : compilePointers([tokens]);
  return {
    read: readElements,
    reset: resetElementReader,
    target,
    isOfObject,
    walk: newWalk(root),
    end: ends[0],
    line: 0,
    column: 0,
    skipped: null,
    hasContainer: false,
    guard: guards !== null && needsCheck(guards) ? newInputGuard(guards) : null,
  };
}

function resetElementReader(elements: ElementReader): void {
  resetWalk(elements.walk);
  elements.hasContainer = false;
  if (elements.guard !== null) beginGuarded(elements.guard, 0, newLineLocation());
}

/** Returns the number of tokens of the pointer, from the first on, that lead to a value. */
export function tokensMatched({ end }: ElementReader): number {
  return depthFound(end.place);
}

/** Reads the bytes that have arrived. */
function readElements(state: ParserState, elements: ElementReader): void {
  const { guard } = elements;
  if (guard === null) readDocument(state, elements);
  else readDocumentGuarded(state, elements, guard);
}

/**
 * Like {@linkcode readElements}, with a guard of the document. It reads the bytes first,
 * and the parser those before a violation: the violation counts unless the grammar fails in them.
 */
function readDocumentGuarded(state: ParserState, elements: ElementReader, guard: InputGuard): void {
  const { reader } = state;
  const { bytes, end, origin } = reader.buffer;
  const checked = readGuarded(guard, bytes, guard.position - origin, end);
  if (guard.violation === null) {
    readDocument(state, elements);
    // A number that ends with the input is the whole document.
    if (reader.isInputEnd && state.failure === null && guard.container === null) endGuarded(guard);
  } else {
    reader.quoteSearchedTo = NO_STRING; // an incomplete string is checked now
    elements.walk.searched = 0;
    limitValue(reader, checked, false);
    readDocument(state, elements);
    if (state.isCertain) return;
  }
  const violation = guard.violation;
  if (violation === null || state.failure !== null) return;
  state.mustCount = true;
  failValue(state, violation);
}

/** Reads the bytes that have arrived or, if there is a violation, those before it. */
function readDocument(state: ParserState, elements: ElementReader): void {
  const { reader } = state;
  const { walk, target, guard } = elements;
  const { buffer: { arrived, view }, readableEnd, isLast } = reader;
  const bytes = bytesUpTo(arrived, readableEnd);
  const isViolated = guard !== null && guard.violation !== null;
  while (state.failure === null) {
    if (state.phase === WITHIN) {
      const value = readNext(state.readers);
      // A value that a violation ends is a number, whose other digits may follow.
      if (value === INCOMPLETE || value !== FAILED && isViolated && reader.position >= readableEnd) return;
      if (value === FAILED) {
        failAtLocated(state);
        return;
      }
      endValue(state, value);
      pass(walk);
      if (target !== ENTRIES_TARGET) {
        state.phase = BETWEEN;
        endOnWay(state, elements, elements.end.place);
      }
    }
    if (state.isCertain) return;
    const step = walkOn(walk, bytes, view, reader.position, isLast);
    reader.position = walk.position;
    if (step === VALUE_BEGINS) beginOnWay(state, elements);
    else if (step === CLOSED) {
      const { node } = leave(walk);
      if (target === ENTRIES_TARGET) elements.hasContainer ||= node === elements.end;
      else endOnWay(state, elements, (node as PointerNode).place);
    } else if (step === SKIPPED) {
      if (elements.skipped !== null) endOnWay(state, elements, elements.skipped);
    } else if (step === FAILURE) failAtLocated(state);
    else {
      if (isLast && target === ENTRIES_TARGET && !elements.hasContainer) failWithoutContainer(state, elements);
      return;
    }
  }
}

/** Begins an entry, the value at the pointer, or a value on the way there. */
function beginOnWay(state: ParserState, elements: ElementReader): void {
  const { reader } = state;
  const { bytes, view, origin } = reader.buffer;
  const { walk, target, end } = elements;
  const { frame } = walk;
  const { position } = walk;
  const node = walk.node as PointerNode;
  elements.skipped = null;
  if (frame !== null && frame.node === end) {
    if (elements.isOfObject) state.key = frame.name;
    beginValueAt(state, position);
    return;
  }
  if (target === ENTRIES_TARGET ? elements.hasContainer : target === FIRST_TARGET && isMet(node.place)) {
    skip(walk);
    return;
  }
  const c = bytes[position];
  if (target !== ENTRIES_TARGET) {
    state.value = undefined; // of an earlier member of the same name
    beginPlace(node.place, origin + position);
    if (node === end) {
      beginValueAt(state, position);
      elements.line = state.line;
      elements.column = state.start - state.location.lineStart - state.location.excessBytes + 1;
      return;
    }
  } else if (node === end && c !== (elements.isOfObject ? OPEN_BRACE : OPEN_BRACKET)) {
    const isInObject = frame !== null && frame.isObject;
    if (locateFailure(bytes, view, position, position + 1, VALUE, isInObject, false)) failAtLocated(state);
    else failWithoutContainer(state, elements);
    return;
  }
  if (wantsEntries(node, c)) {
    enter(walk, c === OPEN_BRACE, null);
    reader.position = walk.position;
  } else {
    elements.skipped = target === ENTRIES_TARGET ? null : node.place;
    skip(walk);
  }
}

/** Ends a value on the path of a pointer. If the first one counts, the answer is then certain. */
function endOnWay(state: ParserState, { target }: ElementReader, place: FoundPlace): void {
  const { reader } = state;
  endPlace(place, reader.buffer.origin + reader.position);
  state.isCertain = target === FIRST_TARGET;
}

/** Fails at the reader's position, since the pointer leads to no such container. */
function failWithoutContainer(state: ParserState, { isOfObject }: ElementReader): void {
  setFailure(isOfObject ? "expected-object" : "expected-array", state.reader.position);
  failAtLocated(state);
}
