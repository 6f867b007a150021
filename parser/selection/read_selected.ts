/**
 * Selects from values that arrive in chunks. The whole walker reads complete values.
 * An incomplete container is read entry by entry, along the mask only.
 */

import { OPEN_BRACE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { showUpTo } from "../document/chunk_buffer.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { INCOMPLETE } from "../document/suspension.ts";
import type { ValueReader } from "../document/value_reader.ts";
import { isIncomplete, locateFailure } from "../validation/locate_failure.ts";
import { AFTER_MEMBER } from "../validation/token_dfa.ts";
import {
  CLOSED,
  ENDS_INCOMPLETE,
  enter,
  FAILURE,
  leave,
  newWalk,
  pass,
  resetWalk,
  skip,
  VALUE_BEGINS,
  type Walk,
  walkOn,
} from "./path_walker.ts";
import { closeParts, newParts, putPart, type SelectedParts } from "./selected_parts.ts";
import { newSelection, releaseSelection, type Selection, type ValueMaker } from "./selection.ts";
import { isContainer, isLeaf, type SelectionNode, wantsEntries } from "./selection_node.ts";
import { selectValue } from "./whole_walker.ts";

/** Stage of reading: no entry of the value was read separately. */
const UNREAD = 0;
/** Stage: its entries are read one by one. */
const WALKING = 1;
/** Stage: an entry that is wanted whole is incomplete. The main loop reads it. */
const WITHIN_WHOLE = 2;
/** Stage: an entry that has tests is incomplete. It is read once it is complete. */
const BEFORE_TESTED = 3;

/** Maximum number of bytes of an incomplete value that are read again with the next chunk. */
const MAX_INCOMPLETE = 4096;
/** Times that each of these bytes is read again on average: enough for eight equal chunks. */
const MAX_REREADING = 4;

/** Reads parts of one value after the other, as their bytes arrive. */
export interface PartReader {
  /** Reads like `readValue`, but returns the parts. */
  readonly read: (reader: ValueReader) => unknown;
  /** Drops the parts of the current value. Returns whether its parts were read one by one. */
  readonly reset: () => boolean;
  /** Drops the bytes that were read, and the strings made of them. */
  readonly release: () => void;
  /** Whether it cannot read a value again: the end of a line is then searched for first. */
  readonly isDelimited: boolean;
}

/** Reader of the selected parts of one value after the other. */
interface SelectedReader {
  readonly root: SelectionNode;
  readonly selection: Selection;
  readonly walk: Walk<SelectedParts>;
  stage: number;
  /** A shorter incomplete value waits and is read again as a whole. */
  readonly maxIncomplete: number;
  /** Bytes of the current value that have waited and are read again, counted each time. */
  bytesReread: number;
}

/**
 * Makes a reader that selects from the values of another. Keeps at most `maxTokenBytes` of an
 * incomplete value.
 *
 * @param maker Functions that make values; `null` for a tree of tests.
 */
export function newSelectedReader(
  { suspension }: ValueReader,
  root: SelectionNode,
  maker: ValueMaker | null,
  maxTokenBytes: number,
): PartReader {
  const selected: SelectedReader = {
    root,
    selection: newSelection(maker, suspension),
    walk: newWalk(root, maker?.readText),
    stage: UNREAD,
    maxIncomplete: Math.min(MAX_INCOMPLETE, maxTokenBytes),
    bytesReread: 0,
  };
  return {
    read: (reader) => readSelected(selected, reader),
    reset: () => resetSelectedReader(selected),
    release: () => releaseSelection(selected.selection),
    isDelimited: false,
  };
}

/**
 * Goes to the beginning of a value, and drops the parts of the one before. Returns whether
 * parts of that value were read one by one, because it was incomplete.
 */
function resetSelectedReader(selected: SelectedReader): boolean {
  selected.bytesReread = 0;
  if (selected.stage === UNREAD) return false;
  selected.stage = UNREAD;
  resetWalk(selected.walk);
  return true;
}

/**
 * Like `readValue`, but returns the selected part of the value: `undefined` if it is a
 * container of another kind than the mask.
 */
function readSelected(selected: SelectedReader, reader: ValueReader): unknown {
  const { root, selection, walk } = selected;
  const { suspension, buffer, parsableEnd, readableEnd } = reader;
  showUpTo(selection, buffer, readableEnd);
  selection.cache = suspension.cache;
  if (selected.stage === UNREAD) {
    const value = selectValue(selection, root, reader.position);
    suspension.cache = selection.cache;
    if (reader.isLast || !isIncomplete(selection.bytes, cursor.position)) {
      if (cursor.position < 0) return FAILED;
      reader.position = cursor.position;
      return value;
    }
    // A short value is read again as a whole: that takes less time than to begin it (log lines in
    // chunks: +4 %). A value in many small chunks is begun before that takes more time.
    const arrived = parsableEnd - reader.position;
    const mayReread = arrived < selected.maxIncomplete && selected.bytesReread <= MAX_REREADING * arrived;
    if (mayReread) selected.bytesReread += arrived;
    else reader.position = skipWhitespace(selection.bytes, reader.position, parsableEnd);
    if (mayReread || reader.position >= parsableEnd) {
      releaseSelection(selection);
      return INCOMPLETE;
    }
    selected.stage = WALKING;
    walk.node = root;
    enterIncomplete(selected, reader);
  }
  const value = continueSelected(selected, reader);
  suspension.cache = selection.cache;
  if (value === INCOMPLETE) releaseSelection(selection);
  return value;
}

function continueSelected(selected: SelectedReader, reader: ValueReader): unknown {
  const { selection, walk } = selected;
  const { bytes, view, maker } = selection;
  const { isLast } = reader;
  for (;;) {
    let value: unknown;
    if (selected.stage === WITHIN_WHOLE) {
      value = maker!.readValue(reader);
      selection.cache = reader.suspension.cache; // the main loop may have continued with a copy
      if (value === INCOMPLETE || value === FAILED) return value;
      maker!.placeReader(reader, reader.position);
      selected.stage = WALKING;
    } else if (selected.stage === BEFORE_TESTED) {
      value = selectValue(selection, walk.node, reader.position);
      if (!isLast && isIncomplete(bytes, cursor.position)) return INCOMPLETE;
      if (cursor.position < 0) return FAILED;
      reader.position = cursor.position;
      selected.stage = WALKING;
    } else {
      const step = walkOn(walk, bytes, view, reader.position, isLast);
      reader.position = walk.position;
      if (step === ENDS_INCOMPLETE) return INCOMPLETE;
      if (step === FAILURE) return FAILED;
      if (step === VALUE_BEGINS) {
        value = selectValue(selection, walk.node, reader.position);
        if (!isLast && isIncomplete(bytes, cursor.position)) {
          enterIncomplete(selected, reader);
          continue;
        }
        if (cursor.position < 0) return FAILED;
        reader.position = cursor.position;
      } else if (step === CLOSED) value = closeParts(maker, leave(walk));
    }
    const { frame } = walk;
    if (frame === null) return value;
    if (!putPart(maker, frame, value)) {
      // not covered: needs 8,388,608 members
      failAtLimit("value-too-large", reader.position);
      locateFailure(bytes, view, reader.position, bytes.length, AFTER_MEMBER, true);
      return FAILED;
    }
    pass(walk);
  }
}

/** Begins to read the value at the reader's position, which is incomplete. */
function enterIncomplete(selected: SelectedReader, reader: ValueReader): void {
  const { selection: { bytes, maker }, walk } = selected;
  const { node } = walk;
  const c = bytes[reader.position];
  const isObject = c === OPEN_BRACE;
  walk.position = reader.position;
  const tests = node === null ? null : node.test;
  if (tests !== null && tests.tests.length > 0) selected.stage = BEFORE_TESTED;
  else if (node !== null && wantsEntries(node, c)) enter(walk, isObject, newParts(maker, node, isObject));
  else if (tests !== null || node !== null && isContainer(c) && !isLeaf(node)) skip(walk);
  else selected.stage = WITHIN_WHOLE;
  reader.position = walk.position;
}
