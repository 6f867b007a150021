/**
 * Suspension of a parse at the end of the bytes that have arrived, and its resumption.
 *
 * A parse is suspended between two tokens: all of a cut token is read again once the rest of it has
 * arrived. A member of an object is suspended between its name and its value too.
 *
 * @module
 */

import * as entries from "../objects/key.ts";
import * as objects from "../objects/make_object.ts";
import * as outParams from "../base/out_params.ts";
import * as readString from "../strings/read_string.ts";
import * as scalars from "./parse_scalar.ts";
import * as swar from "../base/swar.ts";
import * as valueStack from "./value_stack.ts";
import * as whitespace from "../base/whitespace.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { NO_KEY, ROOT_KEY } = entries;
const { addMember } = objects;
const { cursor, fail, failure } = outParams;
const { readStringToken } = readString;
const { FAILED, parseScalar } = scalars;
const { skipPlain } = swar;
const { ARRAY, DICTIONARY, growFrames, OBJECT, tables } = valueStack;
const { skipWhitespace } = whitespace;
type Key = entries.Key;

/** Sentinel returned in place of a value of which more bytes must arrive. */
export const SUSPENDED: object = {};

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Stages of a suspended parse. No byte of the value was read. */
export const START = 0;
/** A value or a member comes next, or a closing bracket. */
export const AT_VALUE = 1;
/** A comma or a closing bracket comes next. */
export const AFTER_VALUE = 2;
/** The name of a member is on the stack; its colon comes next. */
export const BEFORE_COLON = 3;
/** The name of a member is on the stack; its value comes next. */
export const BEFORE_VALUE = 4;

/** Most bytes of a UTF-8 sequence that may be missing. */
const MAX_MISSING_BYTES = 3;

/**
 * State of a parse that can be suspended: the variables of `parseContainer`, and where it stopped.
 *
 * Made by a literal, not a class: V8 sets a declared field to `undefined` first, and then never
 * represents it as an integer.
 */
export interface Suspension {
  stage: number;
  /** Whether more bytes may follow. If not, the parse ends like that of a whole input. */
  mayContinue: boolean;
  /** Position of the first byte that is not read yet. */
  position: number;
  stack: unknown[];
  cache: (string | null)[];
  /** Top of the stack. */
  top: number;
  base: number;
  kind: number;
  depth: number;
  key: Key;
  /** Bytes read since the stack was last copied. "Fresh stack": see ARCHITECTURE.md. */
  stackAge: number;
}

const NO_STACK: unknown[] = [];

/** Makes the state of a parse that has not begun. */
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

/** Goes back to the beginning of a parse. Keeps the stack. */
export function resetSuspension(suspension: Suspension): void {
  suspension.stage = START;
  suspension.top = 0;
  suspension.base = 0;
  suspension.depth = 0;
  suspension.kind = ARRAY;
  suspension.key = ROOT_KEY;
}

/** Drops the stack, with the values on it. */
export function releaseStack(suspension: Suspension): void {
  suspension.stack = NO_STACK;
  suspension.stackAge = 0;
}

/** Returns whether the failure recorded last is that of a token cut at `end`. */
export function isCut(end: number): boolean {
  if (failure.code === "value-too-large") return false;
  return failure.offset >= end || failure.code === "invalid-utf8" && failure.offset >= end - MAX_MISSING_BYTES;
}

/**
 * Finds out where to resume after a token that was cut, and returns `SUSPENDED`; returns `FAILED`
 * if the failure recorded last has another cause.
 *
 * Precondition: the variables of the parse were saved. `p` is where it stopped: after the opening
 * quote of a string, at the beginning of any other token, or at the end.
 */
export function suspendWithin(
  suspension: Suspension,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
): unknown {
  if (!suspension.mayContinue || !isCut(end)) return FAILED;
  const { base, kind, top } = suspension;
  if (failure.code === "expected-colon") { // the name of a member is whole
    const name = readStringToken(bytes, view, p, skipPlain(bytes, view, p, end), end);
    if (name === null) return FAILED;
    suspension.stack[top] = name;
    tables.ids[top] = NO_KEY.id;
    suspension.top = top + 1;
    suspension.key = NO_KEY;
    suspension.stage = BEFORE_COLON;
    suspension.position = end;
    return SUSPENDED;
  }
  const isNamed = kind === OBJECT ? (top - base & 1) === 1 : kind === DICTIONARY && top === base + 2;
  suspension.stage = isNamed ? BEFORE_VALUE : AT_VALUE;
  // No other token follows a quote.
  suspension.position = p > 0 && bytes[p - 1] === QUOTE ? p - 1 : p;
  return SUSPENDED;
}

/**
 * Reads the rest of the member that was suspended: its colon and its value, or the opening bracket
 * of its value. Returns `null` if the parse can go on at `suspension.position`; otherwise
 * `SUSPENDED`, or `FAILED` after recording a failure.
 *
 * Precondition: the stage is {@linkcode BEFORE_COLON} or {@linkcode BEFORE_VALUE}.
 */
export function resumeMember(suspension: Suspension, bytes: Uint8Array, view: DataView, end: number): unknown {
  const { base, kind, mayContinue, stack, top } = suspension;
  let p = skipWhitespace(bytes, suspension.position, end);
  if (suspension.stage === BEFORE_COLON && (p < end || !mayContinue)) {
    if (p >= end || bytes[p] !== COLON) {
      fail("expected-colon", p);
      return FAILED;
    }
    p = skipWhitespace(bytes, p + 1, end);
    suspension.stage = BEFORE_VALUE;
  }
  suspension.position = p;
  if (p >= end) {
    if (mayContinue) return SUSPENDED;
    fail("unexpected-end", p);
    return FAILED;
  }
  const c = bytes[p];
  if (c === OPEN_BRACE || c === OPEN_BRACKET) {
    if (suspension.depth === tables.frames.length && !growFrames()) {
      fail("value-too-large", p);
      return FAILED;
    }
    tables.frames[suspension.depth++] = base << 2 | kind;
    tables.frames[suspension.depth++] = suspension.key.slot;
    suspension.base = top;
    suspension.kind = c === OPEN_BRACE ? OBJECT : ARRAY;
    suspension.position = p + 1;
    suspension.stage = AT_VALUE;
    return null;
  }
  const value = parseScalar(bytes, view, p, end);
  if (value === FAILED) return mayContinue && isCut(end) ? SUSPENDED : FAILED;
  stack[top] = value;
  suspension.top = top + 1;
  if (kind === DICTIONARY) {
    if (!addMember(stack[base] as Record<string, unknown>, stack[base + 1] as string | number, value)) {
      fail("value-too-large", p);
      return FAILED;
    }
    suspension.top = base + 1;
  }
  suspension.position = cursor.position;
  suspension.stage = AFTER_VALUE;
  return null;
}
