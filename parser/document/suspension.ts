/**
 * Suspension of a parse at the end of the bytes that have arrived.
 *
 * A parse is suspended between two tokens, even within a member: after its name or its colon. An
 * incomplete token is read again from its start once the rest has arrived.
 * `tests/library/differential_test.ts` compares it with the other copies of the grammar.
 */

import { type Key, NO_KEY, ROOT_KEY } from "../objects/key.ts";
import { readStringToken } from "../strings/read_string.ts";
import type { ExactNumbers } from "../numbers/exact_number.ts";
import { FAILED } from "./parse_scalar.ts";
import { locateFailure, stateAtEnd } from "../validation/locate_failure.ts";
import { AFTER_ELEMENT, AFTER_MEMBER, AFTER_NAME, VALUE } from "../validation/token_dfa.ts";
import { skipPlain } from "../base/swar.ts";
import { ARRAY, OBJECT, tables } from "./value_stack.ts";

/** Sentinel returned instead of a value while more bytes must arrive. */
export const INCOMPLETE: object = {};

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
  /** Whether no bytes follow. The parse then ends as for a whole input. */
  isLast: boolean;
  /** Position of the first unread byte. */
  position: number;
  stack: unknown[];
  cache: (string | null)[];
  top: number;
  base: number;
  kind: number;
  depth: number;
  key: Key;
  /** Conversion of numbers; `null` for doubles. */
  numbers: ExactNumbers | null;
  /** Bytes read since the stack was last copied. "Fresh stack": see ARCHITECTURE.md. */
  stackAge: number;
}

const NO_STACK: unknown[] = [];

export function newSuspension(): Suspension {
  return {
    stage: START,
    isLast: true,
    position: 0,
    stack: NO_STACK,
    cache: [],
    top: 0,
    base: 0,
    kind: ARRAY,
    depth: 0,
    key: ROOT_KEY,
    numbers: null,
    stackAge: 0,
  };
}

/** Resets the state to the beginning of a parse of whole values. Keeps the stack. */
export function resetSuspension(suspension: Suspension): void {
  suspension.isLast = true;
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
 * Returns `INCOMPLETE` if the token at `p` is incomplete, and records where to
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
  const { kind, isLast, top } = suspension;
  // Also before a failure: the value so far may still be asked for.
  suspension.position = p;
  suspension.stage = state === AFTER_ELEMENT || state === AFTER_MEMBER
    ? AFTER_VALUE
    : kind >= OBJECT && state === VALUE
    ? BEFORE_VALUE
    : AT_VALUE;
  if (locateFailure(bytes, view, p, end, state, kind >= OBJECT, isLast)) return FAILED;
  if (stateAtEnd() === AFTER_NAME) { // the name of a member is whole
    suspension.stack[top] = readStringToken(bytes, view, p + 1, skipPlain(bytes, view, p + 1, end), end);
    tables.ids[top] = NO_KEY.id;
    suspension.top = top + 1;
    suspension.key = NO_KEY;
    suspension.stage = BEFORE_COLON;
    suspension.position = end;
  }
  return INCOMPLETE;
}
