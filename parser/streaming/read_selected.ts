/**
 * Selects from values that arrive in chunks. What is there as a whole is read by `selectValue`. A
 * container that the end of the bytes cuts is read member by member or element by element, along
 * the mask only: wanted values by `readValue`, all others by the validator, which keeps nothing of
 * them.
 *
 * @module
 */

import { OPEN_BRACE, OPEN_BRACKET } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/limit_failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { ARRAY_MASK, type MaskNode, OBJECT_MASK } from "../wanted/mask_node.ts";
import type { Selection } from "../wanted/select_value.ts";
import type { Frame } from "../wanted/selected_frame.ts";
import type { CompiledMask } from "../wanted/selector.ts";
import { NO_CACHE } from "../strings/string_cache.ts";
import { locateFailure } from "../validation/locate_failure.ts";
import { bytesUpTo } from "./chunk_buffer.ts";
import { continueValidating, CUT_POSITION, FAILED_POSITION, stopped } from "../validation/skip_container.ts";
import { AFTER_MEMBER, BACKTRACK, VALUE } from "../validation/token_dfa.ts";
import { closeBrackets, type Machine, newInnerMachine } from "../validation/validator.ts";
import {
  CLOSED,
  FAILURE,
  newTokenWalk,
  openContainer,
  passValueIn,
  type TokenWalk,
  VALUE_BEGINS,
  walkTokens,
} from "./token_walk.ts";
import { FAILED, placeReader, readValue, SUSPENDED, type ValueReader } from "./value_reader.ts";

/** Stages of reading. A value comes next. */
const BEFORE_VALUE = 0;
/** A value is being read by `readValue`. */
const WITHIN_WHOLE = 1;
/** A value that is not wanted is being read by the validator. */
const WITHIN_SKIPPED = 2;
/** Tokens of the innermost container come next. */
const BETWEEN_VALUES = 3;

/** Most bytes of a cut value that are read again with the next chunk. */
const MAX_WAITING = 4096;
/** Times that each of these bytes is read again, on average: enough for eight chunks of one size. */
const MAX_REREADING = 4;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ new DataView(NO_BYTES.buffer);

/** Value in place of one that is not complete. */
const NO_VALUE: object = {};

/** Reader of the selected parts of one value after the other. */
export interface SelectedReader {
  readonly mask: CompiledMask;
  readonly selection: Selection;
  /** Validates what is not wanted. */
  readonly machine: Machine;
  /** Reads what is between the values of a container. */
  readonly walk: TokenWalk;
  stage: number;
  /** Innermost open container on the path of the mask. */
  frame: Frame | null;
  /** Mask of the value that comes next. */
  node: MaskNode | null;
  /** Whether that value is wanted. */
  isWanted: boolean;
  /** Whether a guard reads the bytes before. */
  readonly isGuarded: boolean;
  /** Bytes from which on a cut value is begun. Fewer wait for the next chunk. */
  readonly maxWaiting: number;
  /** Bytes of the current value that have waited and are read again, counted each time. */
  bytesReread: number;
}

/**
 * Makes a reader that selects from the values of another. Keeps at most `maxTokenBytes` of a cut
 * value.
 */
export function newSelectedReader(
  { suspension }: ValueReader,
  mask: CompiledMask,
  maxTokenBytes: number,
  isGuarded: boolean,
): SelectedReader {
  const machine = newInnerMachine(true);
  return {
    mask,
    selection: { bytes: NO_BYTES, view: NO_VIEW, isLast: false, cache: NO_CACHE, suspension },
    machine,
    walk: newTokenWalk(),
    stage: BEFORE_VALUE,
    frame: null,
    node: mask.node,
    isWanted: true,
    isGuarded,
    maxWaiting: Math.min(MAX_WAITING, maxTokenBytes),
    bytesReread: 0,
  };
}

/**
 * Goes to the beginning of a value, and drops what was selected of the one before. Returns whether
 * parts of that value were read one by one, because it was cut.
 */
export function resetSelectedReader(selected: SelectedReader): boolean {
  selected.bytesReread = 0;
  if (selected.stage === BEFORE_VALUE && selected.frame === null) return false;
  selected.stage = BEFORE_VALUE;
  selected.frame = null;
  selected.node = selected.mask.node;
  selected.isWanted = true;
  selected.walk.name = "";
  closeBrackets(selected.machine);
  return true;
}

/** Drops the bytes that were selected from, and the strings made of them. */
export function releaseBytes({ selection }: SelectedReader): void {
  selection.bytes = NO_BYTES;
  selection.view = NO_VIEW;
  selection.cache = NO_CACHE;
}

/**
 * Does what `readValue` does, and returns the selected part of the value: `undefined` if it is a
 * container of another kind than the mask.
 */
export function readSelected(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { mask, selection } = selected;
  const { suspension, buffer: { arrived, view } } = reader;
  // A guard must not be passed: it decides first. Without one, a wrong byte at the end is found at once.
  const readsAll = !selected.isGuarded && end >= reader.parsableEnd;
  selection.bytes = readsAll ? arrived : bytesUpTo(selection.bytes, arrived, end);
  selection.view = view;
  selection.isLast = isLast;
  selection.cache = suspension.cache;
  if (selected.stage === BEFORE_VALUE && selected.frame === null) {
    const value = mask.selectValue(selection, mask.node, reader.position);
    suspension.cache = selection.cache;
    if (cursor.position >= 0) {
      reader.position = cursor.position;
      return value;
    }
    if (cursor.position === FAILED_POSITION) return FAILED;
    // A short value is read again as a whole: that takes less time than to begin it (log lines in
    // chunks: +4 %). A value in many small chunks is begun before that takes more time.
    const arrived = end - reader.position;
    if (arrived < selected.maxWaiting && selected.bytesReread <= MAX_REREADING * arrived) {
      selected.bytesReread += arrived;
      releaseBytes(selected);
      return SUSPENDED;
    }
    reader.position = skipWhitespace(selection.bytes, reader.position, end);
    if (reader.position < end) enterValue(selected, reader);
  }
  const value = continueSelected(selected, reader, end, isLast);
  suspension.cache = selection.cache;
  if (value === SUSPENDED) releaseBytes(selected);
  return value;
}

function continueSelected(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { mask, selection: { bytes, view }, walk } = selected;
  for (;;) {
    let value: unknown;
    if (selected.stage === WITHIN_WHOLE) {
      value = readValue(reader, end, isLast);
      selected.selection.cache = reader.suspension.cache; // the main loop may have gone on with a copy
      if (value === SUSPENDED || value === FAILED) return value;
      placeReader(reader, reader.position);
    } else if (selected.stage === WITHIN_SKIPPED) {
      value = skipMore(selected.machine, reader, bytes, view, end, isLast);
      if (value !== undefined) return value;
    } else if (selected.stage === BEFORE_VALUE) {
      value = beginValue(selected, reader, end, isLast);
      if (value === SUSPENDED || value === FAILED) return value;
      if (value === NO_VALUE) continue;
    } else {
      const step = walkTokens(walk, reader, end, isLast);
      const frame = selected.frame!;
      if (step === VALUE_BEGINS) {
        const child = frame.isObject ? mask.enterMember(frame, walk.name) : frame.node.element;
        selected.isWanted = child !== undefined;
        selected.node = child ?? null;
        selected.stage = BEFORE_VALUE;
        continue;
      }
      if (step !== CLOSED) return step === FAILURE ? FAILED : SUSPENDED;
      value = mask.closeFrame(frame);
      selected.frame = frame.outer;
    }
    const { frame } = selected;
    if (frame === null) return value;
    if (!mask.putValue(frame, value)) {
      // not covered: needs 8,388,608 members
      failAtLimit("value-too-large", reader.position);
      locateFailure(bytes, view, reader.position, end, AFTER_MEMBER, true, true);
      return FAILED;
    }
    passValueIn(walk, frame.isObject);
    selected.stage = BETWEEN_VALUES;
  }
}

/**
 * Begins the value at the reader's position. Returns it if it is complete, otherwise `NO_VALUE`,
 * `SUSPENDED` or `FAILED`.
 */
function beginValue(selected: SelectedReader, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { mask, selection, node } = selected;
  const { bytes, view } = selection;
  const p = reader.position = skipWhitespace(bytes, reader.position, end);
  if (p >= end) return locateFailure(bytes, view, p, end, VALUE, false, isLast) ? FAILED : SUSPENDED;
  if (selected.isWanted) {
    const value = mask.selectValue(selection, node, p);
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
    selected.frame = selected.mask.newFrame(node, frame);
    selected.stage = BETWEEN_VALUES;
    openContainer(selected.walk, c === OPEN_BRACE);
    reader.position++;
  } else {
    selected.stage = WITHIN_WHOLE;
  }
}

/**
 * Validates more of a value. Returns `undefined` once it is complete, otherwise `SUSPENDED` or
 * `FAILED`.
 */
function skipMore(
  machine: Machine,
  reader: ValueReader,
  bytes: Uint8Array,
  view: DataView,
  end: number,
  isLast: boolean,
): unknown {
  const piece = bytes.length === end ? bytes : new Uint8Array(bytes.buffer, 0, end);
  const p = continueValidating(machine, piece, view, reader.position + BACKTRACK[machine.state], isLast);
  reader.position = p >= 0 ? p : stopped.keptFrom;
  return p >= 0 ? undefined : p === CUT_POSITION ? SUSPENDED : FAILED;
}
