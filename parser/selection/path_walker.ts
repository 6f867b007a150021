/**
 * Walks through a document, whose bytes may be incomplete, along a tree of the selected parts. It
 * reads the tokens of the containers on the path, validates and skips all other values, and stops
 * at each selected value. The caller reads that value, enters it, or has it skipped.
 * `tests/library/differential_test.ts` compares it with the other copies of the grammar.
 */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, QUOTE, SPACE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { decodeName, propertyNameOf } from "../base/decode_name.ts";
import { lowestByte, needsAttention } from "../base/swar.ts";
import { skipIndentation } from "../base/whitespace.ts";
import type { readStringToken } from "../strings/read_string.ts";
import {
  continueValidating,
  FAILED_POSITION,
  INCOMPLETE_POSITION,
  isIncomplete,
  locateFailure,
  stopped,
} from "../validation/locate_failure.ts";
import { IN_ARRAY, NO_BRACKETS, skipItems } from "../validation/skip_container.ts";
import {
  ACCEPT_BEFORE,
  AFTER_ELEMENT,
  AFTER_MEMBER,
  AFTER_NAME,
  BACKTRACK,
  DONE,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  readOnInString,
  STRING,
  VALUE,
} from "../validation/token_dfa.ts";
import { closeBrackets, type Machine, newInnerMachine } from "../validation/validator.ts";
import { findMember } from "./name_table.ts";
import { ALL_ENTRIES, memberNamed, type SelectionNode } from "./selection_node.ts";

/** Step of a walk: more bytes must arrive, or the input has ended after its value. */
export const ENDS_INCOMPLETE = 0;
/** Step: a failure was located. */
export const FAILURE = 1;
/**
 * Step: a selected value begins at the position. The caller calls {@linkcode enter},
 * {@linkcode skip}, or {@linkcode pass} once it has read the value.
 */
export const VALUE_BEGINS = 2;
/** Step: the value that was skipped has ended. */
export const SKIPPED = 3;
/** Step: the innermost container has ended. The caller calls {@linkcode leave}. */
export const CLOSED = 4;
/**
 * Step: the name of a member that only `rest` wants was read, from `nameStart` to the position.
 * Only if the walk reports names.
 */
export const NAME = 5;

/** Nothing is skipped. */
const NOT_SKIPPING = 0;
/** A value that is not wanted is skipped. */
const UNWANTED = 1;
/** The rest of an array is skipped, whose selected elements are all before it. */
const REST_OF_ARRAY = 2;
/** A value is skipped because the caller has called {@linkcode skip}. */
const ON_REQUEST = 3;

/** Open container on the path. */
export interface Frame<Parts = unknown> {
  readonly node: SelectionNode;
  readonly isObject: boolean;
  /** Number of elements before the next one, and the next of the selected elements. */
  index: number;
  nextElement: number;
  /**
   * Current member, or element that is selected by index: its number in the node, or -1. Name of a
   * member if `rest` wants others.
   */
  member: number;
  name: string;
  /** Parts that the caller makes of the entries. */
  readonly parts: Parts;
  readonly outer: Frame<Parts> | null;
}

/** Receives `bytes[from, to)` of a value that is skipped. */
export type RangeVisitor = (bytes: Uint8Array, view: DataView, from: number, to: number) => void;

/** Position of a walk in a document, and in the tree. */
export interface Walk<Parts = unknown> {
  readonly root: SelectionNode | null;
  /** Validates incomplete values. Made for the first of them. */
  machine: Machine | null;
  /** Reads names of members that only `rest` wants. */
  readonly readText: typeof readStringToken;
  readonly reportsNames: boolean;
  /** State of the automaton before the next token. */
  state: number;
  skipping: number;
  /** Whether the skipped value is incomplete, so that `machine` continues it. */
  isIncomplete: boolean;
  /** Position of the first byte that is still needed. */
  position: number;
  nameStart: number;
  /** Node of the value that begins. */
  node: SelectionNode | null;
  /** Innermost open container. */
  frame: Frame<Parts> | null;
  /** Bytes of an incomplete name searched for its closing quote, and the state after them. */
  searched: number;
  nameState: number;
  /** Receives the bytes of the value that the caller has skipped. */
  visitor: RangeVisitor | null;
}

/** Reads a name like `readStringToken`, with little code, but slower. */
function decodeText(bytes: Uint8Array, view: DataView, start: number): string | null {
  const end = skipItems(bytes, view, start - 1, NO_BRACKETS, VALUE);
  cursor.position = end;
  return end < 0 ? null : decodeName(bytes, start, end - 1);
}

/** Begins a walk before a document. */
export function newWalk<Parts>(
  root: SelectionNode | null,
  readText: typeof readStringToken = decodeText,
  reportsNames: boolean = false,
): Walk<Parts> {
  return {
    root,
    machine: null,
    readText,
    reportsNames,
    state: VALUE,
    skipping: NOT_SKIPPING,
    isIncomplete: false,
    position: 0,
    nameStart: 0,
    node: null,
    frame: null,
    searched: 0,
    nameState: STRING,
    visitor: null,
  };
}

/** Resets a walk to before a document. */
export function resetWalk(walk: Walk): void {
  walk.state = VALUE;
  walk.skipping = NOT_SKIPPING;
  walk.node = null;
  walk.frame = null;
  walk.searched = 0;
  walk.visitor = null;
  if (walk.machine !== null) closeBrackets(walk.machine);
}

/** Enters the container at the position, since the current node selects some of its entries. */
export function enter<Parts>(walk: Walk<Parts>, isObject: boolean, parts: Parts): void {
  walk.frame = {
    node: walk.node!,
    isObject,
    index: 0,
    nextElement: 0,
    member: -1,
    name: "",
    parts,
    outer: walk.frame,
  };
  walk.state = isObject ? FIRST_KEY : FIRST_VALUE;
  walk.position++;
}

/** Leaves the innermost container, which has ended. */
export function leave<Parts>(walk: Walk<Parts>): Frame<Parts> {
  const frame = walk.frame!;
  walk.frame = frame.outer;
  pass(walk);
  return frame;
}

/** Continues after a value that the caller has read. */
export function pass(walk: Walk): void {
  const { frame } = walk;
  walk.state = frame === null ? DONE : frame.isObject ? AFTER_MEMBER : AFTER_ELEMENT;
}

/** Validates the value at the position. A visitor receives its bytes. */
export function skip(walk: Walk, visitor: RangeVisitor | null = null): void {
  beginSkipping(walk, ON_REQUEST);
  walk.visitor = visitor;
}

/**
 * Walks on from `p`, up to the end of the bytes: if `isLast`, the end of the input. Leaves the
 * position in `walk`; after {@linkcode ENDS_INCOMPLETE}, pass the bytes from there on again.
 */
export function walkOn(walk: Walk, bytes: Uint8Array, view: DataView, p: number, isLast: boolean): number {
  const end = bytes.length | 0;
  p |= 0;
  if (walk.skipping !== NOT_SKIPPING) {
    const { skipping } = walk;
    p = skipOn(walk, bytes, view, p, isLast) | 0;
    if (p < 0) return p === INCOMPLETE_POSITION ? ENDS_INCOMPLETE : FAILURE;
    walk.position = p;
    if (skipping === REST_OF_ARRAY) return CLOSED;
    pass(walk);
    if (skipping === ON_REQUEST) return SKIPPED;
  }
  let state = walk.state | 0;
  for (;;) {
    const frame = walk.frame;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    let c = p < end ? bytes[p] : 0;
    if (frame === null) {
      walk.position = p;
      if (p >= end && state === DONE) return ENDS_INCOMPLETE;
      if (p >= end || state === DONE) return stop(walk, bytes, view, p, state, isLast);
      walk.node = walk.root;
      return VALUE_BEGINS;
    }
    const { isObject, node } = frame;
    if (state !== VALUE && state !== KEY && state !== AFTER_NAME) {
      if (c === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        walk.position = p + 1;
        return CLOSED;
      }
      if (state >= AFTER_ELEMENT) {
        if (c !== COMMA) return stop(walk, bytes, view, p, state, isLast);
        state = isObject ? KEY : VALUE;
        p = p + 1 | 0;
        if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
        c = p < end ? bytes[p] : 0;
      }
    }
    if (state === KEY || state === FIRST_KEY) {
      if (c !== QUOTE) return stop(walk, bytes, view, p, state, isLast);
      const start = p;
      p = readName(walk, frame, bytes, view, start, isLast) | 0;
      if (p === FAILED_POSITION) return stop(walk, bytes, view, start, state, isLast);
      if (p === INCOMPLETE_POSITION) {
        walk.position = start;
        walk.state = state;
        return ENDS_INCOMPLETE;
      }
      state = AFTER_NAME;
      if (walk.reportsNames && frame.member < 0 && node.rest !== undefined) {
        walk.nameStart = start;
        walk.position = p;
        walk.state = state;
        return NAME;
      }
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      c = p < end ? bytes[p] : 0;
    }
    if (state === AFTER_NAME) {
      if (c !== COLON) return stop(walk, bytes, view, p, state, isLast);
      state = VALUE;
      p = p + 1 | 0;
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    }
    if (p >= end || bytes[p] === CLOSE_BRACKET) return stop(walk, bytes, view, p, state, isLast);
    let child: SelectionNode | null | undefined;
    let skipping = UNWANTED;
    if (isObject) child = frame.member < 0 ? node.rest : node.children[frame.member];
    else if (node.ofArray === ALL_ENTRIES) child = node.every;
    else {
      const { elements } = node;
      const next = frame.nextElement;
      if (next === elements.length) skipping = REST_OF_ARRAY;
      else if (elements[next].index === frame.index) {
        child = elements[next];
        frame.member = child.member;
        frame.nextElement = next + 1;
      }
      frame.index++;
    }
    walk.state = VALUE;
    if (child !== undefined) {
      walk.node = child;
      walk.position = p;
      return VALUE_BEGINS;
    }
    beginSkipping(walk, skipping);
    p = skipOn(walk, bytes, view, p, isLast) | 0;
    if (p < 0) return p === INCOMPLETE_POSITION ? ENDS_INCOMPLETE : FAILURE;
    if (skipping === REST_OF_ARRAY) {
      walk.position = p;
      return CLOSED;
    }
    state = isObject ? AFTER_MEMBER : AFTER_ELEMENT;
  }
}

/** Stops at a token that cannot be read: it is wrong, or the bytes end within it. */
function stop(walk: Walk, bytes: Uint8Array, view: DataView, p: number, state: number, isLast: boolean): number {
  const { frame } = walk;
  walk.position = p;
  walk.state = state;
  const isInObject = frame !== null && frame.isObject;
  return locateFailure(bytes, view, p, bytes.length, state, isInObject, isLast) ? FAILURE : ENDS_INCOMPLETE;
}

/**
 * Reads the name at `p`, and finds the member that it names. Returns the position after the name,
 * {@linkcode INCOMPLETE_POSITION} if it still has no closing quote, or {@linkcode FAILED_POSITION}
 * if it cannot be read.
 */
function readName(
  walk: Walk,
  frame: Frame,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  isLast: boolean,
): number {
  const { node } = frame;
  const end = bytes.length;
  if (walk.searched > 0) {
    if (!isLast) {
      walk.nameState = readOnInString(bytes, view, start + walk.searched, end, walk.nameState);
      if (walk.nameState < ACCEPT_BEFORE) {
        walk.searched = end - start;
        return INCOMPLETE_POSITION;
      }
    }
    walk.searched = 0;
  }
  let p = start + 1 | 0;
  let attention = 0;
  for (const wordEnd = end - 4 | 0; p <= wordEnd; p = p + 4 | 0) {
    attention = needsAttention(view.getInt32(p, true));
    if (attention !== 0) break;
  }
  if (attention !== 0) p = p + lowestByte(attention) | 0;
  if (node.rest !== undefined) {
    const name = walk.readText(bytes, view, start + 1, p, end);
    if (name !== null) {
      frame.name = name;
      frame.member = node.members[propertyNameOf(name)] ?? -1;
      return cursor.position;
    }
  } else if (attention !== 0 && bytes[p] === QUOTE) {
    const { table, names } = node;
    if (table !== null) frame.member = findMember(table, bytes, start + 1, p);
    else frame.member = names.length === 1 && isName(names[0], bytes, start + 1, p) ? 0 : -1;
    return p + 1;
  } else {
    p = skipItems(bytes, view, start, NO_BRACKETS, VALUE);
    if (p >= 0) {
      frame.member = memberNamed(node, bytes, start + 1, p - 1);
      return p;
    }
  }
  if (!isLast) {
    walk.searched = end - start;
    walk.nameState = readOnInString(bytes, view, start + 1, end, STRING);
  }
  return FAILED_POSITION;
}

/** Returns whether `bytes[start, end)`, which are ASCII, spell a name. */
function isName(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== name.length) return false;
  for (let i = name.length - 1; i >= 0; i--) if (name.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

function beginSkipping(walk: Walk, skipping: number): void {
  walk.skipping = skipping;
  walk.isIncomplete = false;
  walk.visitor = null;
}

/**
 * Validates more of the skipped value. Returns the position after it; {@linkcode FAILED_POSITION}
 * or {@linkcode INCOMPLETE_POSITION} before that.
 */
function skipOn(walk: Walk, bytes: Uint8Array, view: DataView, p: number, isLast: boolean): number {
  const { skipping, visitor } = walk;
  let { machine } = walk;
  const from = walk.isIncomplete ? p + BACKTRACK[machine!.state] : p;
  let q = INCOMPLETE_POSITION;
  if (!walk.isIncomplete) {
    // The fast loop reads complete values.
    const brackets = skipping === REST_OF_ARRAY ? IN_ARRAY : NO_BRACKETS;
    q = skipItems(bytes, view, p, brackets, VALUE);
    if (!isLast && isIncomplete(bytes, q)) {
      q = INCOMPLETE_POSITION;
      machine = walk.machine ??= newInnerMachine(true);
      closeBrackets(machine);
      machine.brackets = brackets;
      machine.state = VALUE;
      walk.isIncomplete = true;
    }
  }
  if (q === INCOMPLETE_POSITION) q = continueValidating(machine!, bytes, view, from, isLast);
  if (visitor !== null) visitor(bytes, view, from, q >= 0 ? q : stopped.validatedTo);
  if (q >= 0) walk.skipping = NOT_SKIPPING;
  else walk.position = stopped.keptFrom;
  return q;
}
