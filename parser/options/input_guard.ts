/**
 * Checks limits and forbidden content byte by byte, in whole or chunked input. This is slow and
 * simple: a whole input gets here only if the parse has flagged a possible violation. The grammar
 * is not checked. The caller validates the bytes before a violation, and reports a syntax error
 * instead if there is one. `tests/library/guards_test.ts` compares it with the other copies of
 * the grammar.
 */

import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  LOWER_E,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  ZERO,
} from "../base/ascii.ts";
import { decodeName, propertyNameOf } from "../base/decode_name.ts";
import { type FailureCode, makeFailure, type ParseFailure } from "../base/failure.ts";
import { countPendingReturn, endLine, type LineLocation, newLineLocation } from "../base/line_counter.ts";
import type { Guards } from "./options.ts";

/** States: between two tokens, and within tokens. */
const BETWEEN = 0;
/** States of numbers. They end where the grammar ends them, as "1-2" after its first digit. */
const INTEGER = 1;
const FRACTION = 2;
const EXPONENT_MARK = 3;
const EXPONENT = 4;
const STRING = 5;
/** In a string, after a backslash. */
const ESCAPE = 6;

/** Maximum bytes of a name that is kept while only `__proto__` and the like matter, all escaped. */
const MAX_PROTO_NAME = 6 * 11;

interface Container {
  readonly isObject: boolean;
  count: number;
  /** Offset of each name so far, if no name may come twice. */
  readonly names: Map<string, number> | null;
  /** Whether it is the value of a member named `constructor`. */
  readonly isConstructor: boolean;
  readonly outer: Container | null;
}

/** State of the checks of an input. */
export interface InputGuard extends LineLocation {
  readonly guards: Guards;
  /** Violation that was found, or `null`. */
  violation: ParseFailure | null;
  /** Offset of the next byte. */
  position: number;
  /** Whether the value of the document is complete, or a literal that needs no check. */
  isDone: boolean;
  state: number;
  depth: number;
  container: Container | null;
  /** Whether the next string of an object is a name. */
  isName: boolean;
  /** Whether a value must follow: its first byte counts as an element. */
  expectsValue: boolean;
  /** Whether the member being read is named `constructor`. */
  isConstructor: boolean;
  /** Offset and column of the current token's first byte. */
  tokenStart: number;
  tokenColumn: number;
  /** Number of bytes of the current string, and how many of them to keep in `name`. */
  length: number;
  keptLength: number;
  name: Uint8Array<ArrayBuffer>;
  /** Integer part of the current number, without its sign, rounded. */
  integer: number;
}

/** State at the beginning of a document. */
const BEGINNING = {
  violation: null,
  isDone: false,
  state: BETWEEN,
  depth: 0,
  container: null,
  isName: false,
  expectsValue: true,
  isConstructor: false,
};

export function newInputGuard(guards: Guards): InputGuard {
  const token = { tokenStart: 0, tokenColumn: 0, length: 0, keptLength: 0, integer: 0 };
  const name = new Uint8Array(MAX_PROTO_NAME);
  return { ...BEGINNING, ...token, ...newLineLocation(), guards, position: 0, name };
}

/** Begins a document at an offset of the input, whose lines before it were counted. */
export function beginGuarded(guard: InputGuard, offset: number, location: LineLocation): void {
  Object.assign(guard, BEGINNING);
  guard.position = offset;
  passLines(guard, location);
}

/** Continues between two tokens, after bytes that are not checked, whose lines were counted. */
export function passLines(guard: InputGuard, { lines, lineStart, excessBytes }: LineLocation): void {
  guard.lines = lines;
  guard.lineStart = lineStart;
  guard.excessBytes = excessBytes;
  guard.isReturnPending = false;
}

/**
 * Reads the bytes of a piece from `p` to `end`, or to the end of the document. Returns `end` or,
 * after a violation, the position up to which the bytes must be valid for the violation to count.
 */
export function readGuarded(guard: InputGuard, bytes: Uint8Array, p: number, end: number): number {
  const origin = guard.position - p;
  while (p < end && !guard.isDone && guard.violation === null) {
    if (guard.state >= STRING) p = readStringBytes(guard, bytes, p, end, origin);
    else if (guard.state !== BETWEEN) p = readNumberBytes(guard, bytes, p, end);
    else {
      readByte(guard, bytes[p], origin + p);
      p++;
    }
  }
  guard.position = origin + p;
  return guard.violation === null ? end : p;
}

/** Ends an input: a number at its end is complete, and may violate a guard. */
export function endGuarded(guard: InputGuard): void {
  if (guard.state !== BETWEEN && guard.state < STRING) endNumber(guard);
}

function violate(guard: InputGuard, code: FailureCode, offset: number, column: number): void {
  guard.violation = makeFailure(code, 0, offset, guard.lines + 1, column, false);
}

function columnAt(guard: InputGuard, offset: number): number {
  return offset - guard.lineStart - guard.excessBytes + 1;
}

function violateAtToken(guard: InputGuard, code: FailureCode): void {
  violate(guard, code, guard.tokenStart, guard.tokenColumn);
}

/** Reads a byte between two tokens: whitespace, punctuation, or the first byte of a token. */
function readByte(guard: InputGuard, byte: number, offset: number): void {
  countPendingReturn(guard, offset, byte);
  if (byte <= SPACE) {
    if (byte === LINE_FEED) endLine(guard, offset + 1);
    guard.isReturnPending = byte === CARRIAGE_RETURN;
    return;
  }
  const { container, guards } = guard;
  const isInObject = container !== null && container.isObject;
  if (byte === COMMA) {
    guard.isName = isInObject;
    guard.expectsValue = !isInObject;
    return;
  }
  if (byte === COLON) {
    guard.expectsValue = true;
    return;
  }
  if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
    if (container !== null) closeContainer(guard, container);
    return;
  }
  if (byte >= 0x80) {
    guard.excessBytes++; // of a byte-order mark
    return;
  }
  const isName = byte === QUOTE && guard.isName;
  if (!isName && !guard.expectsValue) return; // in a literal, or wrong
  guard.tokenStart = offset;
  guard.tokenColumn = columnAt(guard, offset);
  if (container !== null && isName === isInObject) {
    container.count++;
    if (container.count > (isName ? guards.maxMembers : guards.maxElements)) {
      violateAtToken(guard, isName ? "too-many-members" : "too-many-elements");
      return;
    }
  }
  guard.expectsValue = false;
  if (byte === QUOTE) {
    guard.state = STRING;
    guard.length = 0;
    guard.keptLength = !isName ? 0 : keptLengthOf(guards);
  } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
    openContainer(guard, byte === OPEN_BRACE);
  } else if (byte === MINUS || isDigit(byte)) {
    guard.state = INTEGER;
    guard.integer = byte === MINUS ? 0 : byte - ZERO;
  } else {
    endValue(guard); // a literal
  }
}

/** Returns how many bytes of a name matter. */
function keptLengthOf({ duplicateKeys, protoKeys }: Guards): number {
  return duplicateKeys === "reject" ? Infinity : protoKeys === "reject" ? MAX_PROTO_NAME : 0;
}

function openContainer(guard: InputGuard, isObject: boolean): void {
  if (++guard.depth > guard.guards.maxDepth) {
    violateAtToken(guard, "too-deep");
    return;
  }
  guard.container = {
    isObject,
    count: 0,
    names: isObject && guard.guards.duplicateKeys === "reject" ? new Map() : null,
    isConstructor: isObject && guard.isConstructor,
    outer: guard.container,
  };
  guard.isName = isObject;
  guard.expectsValue = !isObject;
  guard.isConstructor = false;
}

function closeContainer(guard: InputGuard, { outer }: Container): void {
  guard.container = outer;
  guard.depth--;
  guard.isName = guard.expectsValue = guard.isConstructor = false;
  endValue(guard);
}

/** Ends a value, or a name. The value may be the whole document. */
function endValue(guard: InputGuard): void {
  guard.state = BETWEEN;
  guard.isDone = guard.container === null;
}

/** Reads bytes of a string. Returns the position after them. */
function readStringBytes(guard: InputGuard, bytes: Uint8Array, p: number, end: number, origin: number): number {
  const matters = guard.keptLength > 0 || guard.guards.maxStringBytes < Infinity;
  let isEscaped = guard.state === ESCAPE;
  for (; p < end && guard.violation === null; p++) {
    const byte = bytes[p];
    if (byte === QUOTE && !isEscaped) {
      endValue(guard);
      if (guard.isName) endName(guard);
      guard.isName = false;
      return p + 1;
    }
    isEscaped = byte === BACKSLASH && !isEscaped;
    if (matters || byte >= 0x80) countStringByte(guard, byte, origin + p);
  }
  guard.state = isEscaped ? ESCAPE : STRING;
  return p;
}

function countStringByte(guard: InputGuard, byte: number, offset: number): void {
  const { length } = guard;
  if (length >= guard.guards.maxStringBytes) {
    violate(guard, "string-too-long", offset, columnAt(guard, offset));
    return;
  }
  if (byte >= 0xf0) guard.excessBytes--;
  else if ((byte & 0xc0) === 0x80) guard.excessBytes++;
  if (length < guard.keptLength) {
    const { name } = guard;
    if (length === name.length) {
      guard.name = new Uint8Array(2 * length);
      guard.name.set(name);
    }
    guard.name[length] = byte;
  }
  guard.length++;
}

function endName(guard: InputGuard): void {
  const { container, guards, length, tokenStart } = guard;
  guard.isConstructor = false;
  if (length > guard.keptLength) return; // no name that matters
  const name = decodeName(guard.name, 0, length);
  if (guards.duplicateKeys === "reject") {
    const names = container!.names!;
    const key = propertyNameOf(name);
    const first = names.get(key);
    if (first !== undefined) {
      violateAtToken(guard, "duplicate-key");
      guard.violation!.firstOffset = first;
      return;
    }
    names.set(key, tokenStart);
  }
  if (guards.protoKeys !== "reject") return;
  if (name === "__proto__" || name === "prototype" && container!.isConstructor) violateAtToken(guard, "forbidden-key");
  guard.isConstructor = name === "constructor";
}

function isDigit(byte: number): boolean {
  return byte - ZERO >>> 0 <= 9;
}

/** Reads bytes of a number. Returns the position of the first byte after it, or `end`. */
function readNumberBytes(guard: InputGuard, bytes: Uint8Array, p: number, end: number): number {
  let { state } = guard;
  for (; p < end; p++) {
    const byte = bytes[p];
    if (isDigit(byte)) {
      // The digit first, to avoid rounding.
      if (state === INTEGER) guard.integer = 10 * guard.integer + (byte - ZERO);
      else if (state === EXPONENT_MARK) state = EXPONENT;
    } else if (byte === POINT && state === INTEGER) state = FRACTION;
    else if ((byte | 0x20) === LOWER_E && state < EXPONENT_MARK) state = EXPONENT_MARK;
    else if ((byte === PLUS || byte === MINUS) && state === EXPONENT_MARK) state = EXPONENT;
    else break;
  }
  guard.state = state;
  if (p < end) endNumber(guard);
  return p;
}

function endNumber(guard: InputGuard): void {
  // Rounding cannot make a greater integer safe.
  const isUnsafe = guard.state === INTEGER && guard.integer > Number.MAX_SAFE_INTEGER;
  endValue(guard);
  if (isUnsafe && guard.guards.integers === "reject") violateAtToken(guard, "unsafe-integer");
}
