/**
 * Selects from values that arrive in chunks. What is there as a whole is read by `selectValue`. A
 * container that the end of the bytes cuts is read member by member or element by element, along
 * the mask only: wanted values by `readValue`, all others by the validator, which keeps nothing of
 * them.
 *
 * @module
 */

import { cursor, needsLineCount } from "../base/cursor.ts";
import { failAtLimit } from "../base/limit_failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { ARRAY_MASK, type MaskNode, OBJECT_MASK } from "../selecting/mask_node.ts";
import { type Selection, selectValue } from "../selecting/select_value.ts";
import { closeFrame, type Frame, newFrame, putValue } from "../selecting/selected_frame.ts";
import { readStringToken } from "../strings/read_string.ts";
import { NO_CACHE } from "../strings/string_cache.ts";
import { locateFailure, locateWhereStopped } from "../validation/locate_failure.ts";
import { FAILED_POSITION } from "../validation/skip_container.ts";
import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  BACKTRACK,
  COLON,
  DONE,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  VALUE,
} from "../validation/token_dfa.ts";
import { closeBrackets, codeOfEnd, type Machine, newMachine, readPiece } from "../validation/validator.ts";
import { FAILED, hasClosingQuote, NO_STRING, readValue, SUSPENDED, type ValueReader } from "./value_reader.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON_BYTE = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;

/** Stages of reading. A value comes next. */
const BEFORE_VALUE = 0;
/** A value is being read by `readValue`. */
const WITHIN_WHOLE = 1;
/** A value that is not wanted is being read by the validator. */
const WITHIN_SKIPPED = 2;
/** The first element or member of a container comes next, or its closing bracket. */
const BEFORE_FIRST = 3;
/** Another element or member comes next. */
const BEFORE_NEXT = 4;
/** The colon of a member comes next. */
const BEFORE_COLON = 5;
/** A comma or a closing bracket comes next. */
const AFTER_VALUE = 6;

/** Most bytes of a cut value that are read again with the next chunk. */
const MAX_WAITING = 4096;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ new DataView(NO_BYTES.buffer);

/** Value in place of one that is not complete. */
const NO_VALUE: object = {};

/** Reader of the selected parts of one value after the other. */
export interface SelectedReader {
  readonly root: MaskNode | null;
  readonly selection: Selection;
  /** Validates what is not wanted. */
  readonly machine: Machine;
  stage: number;
  /** Innermost open container on the path of the mask. */
  frame: Frame | null;
  /** Mask of the value that comes next. */
  node: MaskNode | null;
  /** Whether that value is wanted. */
  isWanted: boolean;
  /** Bytes from which on a cut value is begun. Fewer wait for the next chunk. */
  readonly maxWaiting: number;
}

/**
 * Makes a reader that selects from the values of another. Keeps at most `maxTokenBytes` of a cut
 * value.
 */
export function newSelectedReader(
  { suspension, windowed }: ValueReader,
  root: MaskNode | null,
  maxTokenBytes: number,
): SelectedReader {
  const machine = newMachine(false, true);
  machine.pieceStart = 1; // a byte-order mark was passed before
  return {
    root,
    selection: { bytes: NO_BYTES, view: NO_VIEW, isLast: false, cache: NO_CACHE, suspension, windowed },
    machine,
    stage: BEFORE_VALUE,
    frame: null,
    node: root,
    isWanted: true,
    maxWaiting: Math.min(MAX_WAITING, maxTokenBytes),
  };
}

/** Goes back to the beginning of a value, and drops what was selected of it. */
export function resetSelectedReader(selected: SelectedReader): void {
  selected.stage = BEFORE_VALUE;
  selected.frame = null;
  selected.node = selected.root;
  selected.isWanted = true;
  closeBrackets(selected.machine);
  releaseBytes(selected.selection);
}

/** Drops the bytes that were selected from, and the strings made of them. */
function releaseBytes(selection: Selection): void {
  selection.bytes = NO_BYTES;
  selection.view = NO_VIEW;
  selection.cache = NO_CACHE;
}

/**
 * Does what `readValue` does, and returns the selected part of the value: `undefined` if it is a
 * container of another kind than the mask.
 */
export function readSelected(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { selection } = selected;
  const { suspension, buffer: { arrived, view } } = reader;
  selection.bytes = end >= reader.parsableEnd ? arrived : new Uint8Array(arrived.buffer, 0, end);
  selection.view = view;
  selection.isLast = isLast;
  selection.cache = suspension.cache;
  if (selected.stage === BEFORE_VALUE && selected.frame === null && selected.root !== null) {
    const value = selectValue(selection, selected.root, reader.position);
    suspension.cache = selection.cache;
    if (cursor.position >= 0) {
      reader.position = cursor.position;
      return value;
    }
    if (cursor.position === FAILED_POSITION) {
      resetSelectedReader(selected);
      return FAILED;
    }
    // A short value is read again as a whole: that takes less time than to begin it (log lines in
    // chunks: +4 %).
    if (end - reader.position < selected.maxWaiting) {
      releaseBytes(selection);
      return SUSPENDED;
    }
    reader.position = skipWhitespace(selection.bytes, reader.position, end);
    if (reader.position < end) enterValue(selected, reader);
  }
  const value = continueSelected(selected, reader, end, isLast);
  suspension.cache = selection.cache;
  if (value !== SUSPENDED) resetSelectedReader(selected);
  else releaseBytes(selection);
  return value;
}

function continueSelected(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { bytes, view } = selected.selection;
  for (;;) {
    let value: unknown;
    if (selected.stage === WITHIN_WHOLE) {
      value = readValue(reader, end, isLast);
      selected.selection.cache = reader.suspension.cache; // the main loop may have gone on with a copy
      if (value === SUSPENDED || value === FAILED) return value;
    } else if (selected.stage === WITHIN_SKIPPED) {
      value = continueSkipping(selected.machine, reader, bytes, view, end, isLast);
      if (value !== undefined) return value;
    } else {
      reader.position = skipWhitespace(bytes, reader.position, end);
      value = selected.stage === BEFORE_VALUE
        ? beginValue(selected, reader, end, isLast)
        : readToken(selected, reader, end, isLast);
      if (value === SUSPENDED || value === FAILED) return value;
      if (value === NO_VALUE) continue;
    }
    if (selected.frame === null) return value;
    if (!putValue(selected.frame, value)) {
      // not covered: needs 8,388,608 members
      failAtLimit("value-too-large", reader.position);
      return fail(reader, bytes, view, reader.position, end, AFTER_MEMBER, true, true);
    }
    selected.stage = AFTER_VALUE;
  }
}

/**
 * Locates the failure of a token, and returns `FAILED`; `SUSPENDED` if the end of the bytes cuts
 * it.
 */
function fail(
  reader: ValueReader,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  state: number,
  isInObject: boolean,
  isLast: boolean,
): unknown {
  if (locateFailure(bytes, view, p, end, state, isInObject, isLast)) return FAILED;
  reader.position = p;
  return SUSPENDED;
}

/**
 * Begins the value at the reader's position. Returns it if it is complete, otherwise `NO_VALUE`,
 * `SUSPENDED` or `FAILED`.
 */
function beginValue(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { selection, node, frame } = selected;
  const { bytes, view } = selection;
  const p = reader.position;
  if (p >= end) return fail(reader, bytes, view, p, end, VALUE, frame !== null && frame.isObject, isLast);
  if (selected.isWanted && (node !== null || frame !== null)) {
    const value = selectValue(selection, node, p);
    if (cursor.position >= 0) {
      reader.position = cursor.position;
      return value;
    }
    if (cursor.position === FAILED_POSITION) return FAILED;
  }
  enterValue(selected, reader);
  return NO_VALUE;
}

/** Begins to read a value that is cut, or not wanted. Precondition: its first byte is there. */
function enterValue(selected: SelectedReader, reader: ValueReader): void {
  const { selection: { bytes }, node, frame, isWanted } = selected;
  const c = bytes[reader.position];
  const isContainer = c === OPEN_BRACE || c === OPEN_BRACKET;
  if (!isWanted || isContainer && node !== null && node.kind !== (c === OPEN_BRACE ? OBJECT_MASK : ARRAY_MASK)) {
    selected.stage = WITHIN_SKIPPED;
    selected.machine.state = VALUE;
    closeBrackets(selected.machine);
  } else if (isContainer && node !== null) {
    selected.frame = newFrame(node, frame);
    selected.stage = BEFORE_FIRST;
    reader.position++;
  } else {
    selected.stage = WITHIN_WHOLE;
  }
}

/**
 * Reads a token at the reader's position that is no value: a name or a punctuator of the innermost
 * container. Returns the value of the container if that is complete, otherwise `NO_VALUE`,
 * `SUSPENDED` or `FAILED`.
 */
function readToken(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { selection: { bytes, view }, stage } = selected;
  const frame = selected.frame!;
  const { node, isObject } = frame;
  const p = reader.position;
  const c = p < end ? bytes[p] : 0;
  if (stage !== BEFORE_NEXT && stage !== BEFORE_COLON && c === (isObject ? CLOSE_BRACKET + 0x20 : CLOSE_BRACKET)) {
    reader.position = p + 1;
    selected.frame = frame.outer;
    return closeFrame(frame);
  }
  if (stage === AFTER_VALUE) {
    if (c !== COMMA) {
      return fail(reader, bytes, view, p, end, isObject ? AFTER_MEMBER : AFTER_ELEMENT, isObject, isLast);
    }
    reader.position = p + 1;
    selected.stage = BEFORE_NEXT;
  } else if (stage === BEFORE_COLON) {
    if (c !== COLON_BYTE) return fail(reader, bytes, view, p, end, COLON, true, isLast);
    reader.position = p + 1;
    selected.stage = BEFORE_VALUE;
  } else if (isObject) {
    const state = stage === BEFORE_FIRST ? FIRST_KEY : KEY;
    if (reader.quoteSearchedTo !== NO_STRING && !isLast && !hasClosingQuote(reader, end)) return SUSPENDED;
    reader.quoteSearchedTo = NO_STRING;
    const name = c === QUOTE ? readStringToken(bytes, view, p + 1, p + 1, end) : null;
    if (name === null) {
      if (c === QUOTE && !isLast) reader.quoteSearchedTo = end;
      const stopped = fail(reader, bytes, view, p, end, state, true, isLast);
      if (stopped === FAILED) reader.quoteSearchedTo = NO_STRING;
      return stopped;
    }
    reader.position = cursor.position;
    frame.name = name;
    frame.member = node.members[name] ?? -1;
    selected.node = frame.member >= 0 ? node.children[frame.member] : node.rest ?? null;
    selected.isWanted = frame.member >= 0 || node.rest !== undefined;
    selected.stage = BEFORE_COLON;
  } else {
    // That the array does not end here is for the automaton to say.
    if (p >= end || c === CLOSE_BRACKET) {
      return fail(reader, bytes, view, p, end, stage === BEFORE_FIRST ? FIRST_VALUE : VALUE, false, isLast);
    }
    selected.node = node.element;
    selected.isWanted = true;
    selected.stage = BEFORE_VALUE;
  }
  return NO_VALUE;
}

/**
 * Validates more of a value. Returns `undefined` once it is complete, otherwise `SUSPENDED` or
 * `FAILED`.
 */
function continueSkipping(
  machine: Machine,
  reader: ValueReader,
  bytes: Uint8Array,
  view: DataView,
  end: number,
  isLast: boolean,
): unknown {
  const piece = bytes.length === end ? bytes : new Uint8Array(bytes.buffer, 0, end);
  machine.lines = machine.excessBytes = 0;
  // The bytes of a cut character are kept: its failure would be at the first one.
  const p = readPiece(machine, piece, view, reader.position + BACKTRACK[machine.state]);
  if ((machine.lines | machine.excessBytes) !== 0 || machine.isReturnPending) needsLineCount.passed = 1;
  if (machine.state === DONE) {
    reader.position = machine.documentEnd - 1;
    return undefined;
  }
  reader.position = p - BACKTRACK[machine.state];
  if (isLast && p >= end && codeOfEnd(machine, p) === null) return undefined;
  return locateWhereStopped(machine, piece, p, isLast) ? FAILED : SUSPENDED;
}
