/**
 * Suspension of a parse at the end of the bytes that have arrived, and its resumption.
 *
 * A parse is suspended between two tokens, also within a member: after its name or its colon. A cut
 * token is read again from its start once the rest has arrived.
 * `tests/library/differential_test.ts` holds it to the other places of the grammar.
 */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from "../base/ascii.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { type Key, NO_KEY, ROOT_KEY } from "../objects/key.ts";
import { keys } from "../objects/key_cache.ts";
import { addMember, finishDictionary, makeObject } from "../objects/make_object.ts";
import { failAtLimit } from "../base/failure.ts";
import { cursor } from "../base/cursor.ts";
import { readStringToken } from "../strings/read_string.ts";
import { FAILED, parseScalar } from "./parse_scalar.ts";
import { locateFailure, stateAtCut } from "../validation/locate_failure.ts";
import { AFTER_ELEMENT, AFTER_MEMBER, AFTER_NAME, VALUE } from "../validation/token_dfa.ts";
import { skipPlain } from "../base/swar.ts";
import { ARRAY, DICTIONARY, elementArray, finishFlushedArray, growFrames, OBJECT, tables } from "./value_stack.ts";
import { skipWhitespace } from "../base/whitespace.ts";

/** Sentinel returned instead of a value while more bytes must arrive. */
export const SUSPENDED: object = {};

/** Stages of a suspended parse. Here, no byte of the value has been read. */
export const START = 0;
/** A value or a member comes next, or a closing bracket. */
export const AT_VALUE = 1;
/** A comma or a closing bracket comes next. */
export const AFTER_VALUE = 2;
/** The name of a member is on the stack; its colon comes next. */
export const BEFORE_COLON = 3;
/** The name of a member is on the stack; its value comes next. */
export const BEFORE_VALUE = 4;

/** Variables of a suspended `parseContainer`. "Literals, not classes": see ARCHITECTURE.md. */
export interface Suspension {
  stage: number;
  /** Whether more bytes may follow. If not, the parse ends as for a whole input. */
  mayContinue: boolean;
  /** Position of the first unread byte. */
  position: number;
  stack: unknown[];
  cache: (string | null)[];
  top: number;
  base: number;
  kind: number;
  depth: number;
  key: Key;
  /** Bytes read since the stack was last copied. "Fresh stack": see ARCHITECTURE.md. */
  stackAge: number;
}

const NO_STACK: unknown[] = [];

export function newSuspension(): Suspension {
  return {
    stage: START,
    mayContinue: true,
    position: 0,
    stack: NO_STACK,
    cache: [],
    top: 0,
    base: 0,
    kind: ARRAY,
    depth: 0,
    key: ROOT_KEY,
    stackAge: 0,
  };
}

/** Resets the state to the beginning of a parse. Keeps the stack. */
export function resetSuspension(suspension: Suspension): void {
  suspension.stage = START;
  suspension.top = 0;
  suspension.base = 0;
  suspension.depth = 0;
  suspension.kind = ARRAY;
  suspension.key = ROOT_KEY;
}

export function releaseSuspendedStack(suspension: Suspension): void {
  suspension.stack = NO_STACK;
  suspension.stackAge = 0;
}

/**
 * Returns `SUSPENDED` if the end of the bytes has cut the token at `p`, and records where to
 * resume. Otherwise locates the failure and returns `FAILED`.
 *
 * Precondition: the variables of the parse were saved. `p` is the position of the token or, if
 * there is none, the end; `state` is the state of the automaton before it.
 */
export function suspend(
  suspension: Suspension,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  state: number,
): unknown {
  const { kind, mayContinue, top } = suspension;
  if (locateFailure(bytes, view, p, end, state, kind >= OBJECT, !mayContinue)) return FAILED;
  suspension.position = p;
  if (stateAtCut() === AFTER_NAME) { // the name of a member is whole
    suspension.stack[top] = readStringToken(bytes, view, p + 1, skipPlain(bytes, view, p + 1, end), end);
    tables.ids[top] = NO_KEY.id;
    suspension.top = top + 1;
    suspension.key = NO_KEY;
    suspension.stage = BEFORE_COLON;
    suspension.position = end;
  } else if (state === AFTER_ELEMENT || state === AFTER_MEMBER) suspension.stage = AFTER_VALUE;
  else suspension.stage = kind >= OBJECT && state === VALUE ? BEFORE_VALUE : AT_VALUE;
  return SUSPENDED;
}

/**
 * Reads what follows a suspension within a member or after a value, up to the next value or the
 * content of the next container. Returns `null` if the main loop can go on at
 * `suspension.position`, or the value if the outermost container has ended, after whose end
 * `cursor` is left; otherwise `SUSPENDED`, or `FAILED` after locating a failure.
 */
export function resume(suspension: Suspension, bytes: Uint8Array, view: DataView, end: number): unknown {
  const { mayContinue } = suspension;
  resetObjectPrototypeCheck();
  while (suspension.stage !== AT_VALUE) {
    const { kind, stage } = suspension;
    const p = suspension.position = skipWhitespace(bytes, suspension.position, end);
    const c = p < end ? bytes[p] : 0;
    if (stage === BEFORE_VALUE) {
      const stopped = resumeValue(suspension, bytes, view, p, end);
      if (stopped !== null) return stopped;
    } else if (c === (stage === BEFORE_COLON ? COLON : COMMA)) {
      suspension.position = p + 1;
      suspension.stage = stage === BEFORE_COLON ? BEFORE_VALUE : AT_VALUE;
    } else if (stage === AFTER_VALUE && c === (kind < OBJECT ? CLOSE_BRACKET : CLOSE_BRACE)) {
      cursor.position = suspension.position = p + 1;
      const value = closeContainer(suspension);
      if (value === null) return failTooLarge(bytes, view, p, end); // not covered: as in the main loop
      if (suspension.depth === 0) return value;
      if (!pushValue(suspension, value)) return failTooLarge(bytes, view, p, end); // not covered: as above
    } else {
      const state = stage === BEFORE_COLON ? AFTER_NAME : kind < OBJECT ? AFTER_ELEMENT : AFTER_MEMBER;
      return locateFailure(bytes, view, p, end, state, kind >= OBJECT, !mayContinue) ? FAILED : SUSPENDED;
    }
  }
  return null;
}

/**
 * Reads the value of a suspended member, or its opening bracket. Returns what {@linkcode resume}
 * does.
 */
function resumeValue(suspension: Suspension, bytes: Uint8Array, view: DataView, p: number, end: number): unknown {
  const c = p < end ? bytes[p] : 0;
  if (c === OPEN_BRACE || c === OPEN_BRACKET) {
    if (suspension.depth === tables.frames.length && !growFrames()) return failTooLarge(bytes, view, p, end);
    tables.frames[suspension.depth++] = suspension.base << 2 | suspension.kind;
    tables.frames[suspension.depth++] = suspension.key.slot;
    suspension.base = suspension.top;
    suspension.kind = c === OPEN_BRACE ? OBJECT : ARRAY;
    suspension.position = p + 1;
    suspension.stage = AT_VALUE;
    return null;
  }
  const value = parseScalar(bytes, view, p, end);
  if (value === FAILED) {
    return locateFailure(bytes, view, p, end, VALUE, true, !suspension.mayContinue) ? FAILED : SUSPENDED;
  }
  suspension.position = cursor.position;
  suspension.stage = AFTER_VALUE;
  return pushValue(suspension, value) ? null : failTooLarge(bytes, view, p, end);
}

/** Adds a value to the innermost container. Returns `false` if the engine has no room for it. */
function pushValue(suspension: Suspension, value: unknown): boolean {
  const { stack, base } = suspension;
  stack[suspension.top++] = value;
  if (suspension.kind !== DICTIONARY) return true;
  suspension.top = base + 1;
  return addMember(stack[base] as Record<string, unknown>, stack[base + 1] as string | number, value);
}

/** Ends the innermost container. Returns its value, or `null` if the engine has no room for it. */
function closeContainer(suspension: Suspension): unknown {
  const { stack, base, top, kind, key } = suspension;
  suspension.key = keys[tables.frames[--suspension.depth]];
  const frame = tables.frames[--suspension.depth];
  suspension.base = frame >> 2;
  suspension.kind = frame & 3;
  suspension.top = base;
  if (kind === OBJECT) return makeObject(stack, tables.ids, base, top, key);
  if (kind === DICTIONARY) return finishDictionary(stack[base] as Record<string, unknown>);
  return kind === ARRAY ? elementArray(stack, base, top) : finishFlushedArray(stack, base, top);
}

function failTooLarge(bytes: Uint8Array, view: DataView, p: number, end: number): typeof FAILED {
  failAtLimit("value-too-large", p);
  locateFailure(bytes, view, p, end, VALUE, true, true);
  return FAILED;
}
