/**
 * Checks of limits and forbidden content, byte by byte, for input that arrives in pieces or is
 * whole. They are slow and simple: a whole input is checked only if the parse gave a sign that it
 * may be refused. The grammar is not checked here. The caller must have the bytes before a
 * violation validated, and reports the failure of the grammar if there is one.
 *
 * @module
 */

import { decodeName } from "../base/decode_name.ts";
import { type FailureCode, makeFailure, type ParseFailure } from "../base/failure.ts";
import type { Guards } from "./options.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** States: between two tokens, and within tokens. */
const BETWEEN = 0;
const STRING = 1;
/** In a string, after a backslash. */
const ESCAPE = 2;
const NUMBER = 3;

/** Digits of the shortest integer beyond ±(2^53 − 1). */
const MIN_UNSAFE_DIGITS = 16;
const MAX_SAFE_TEXT = "9007199254740991";

/** Most bytes of a name that is kept while only `__proto__` and the like matter, all escaped. */
const MAX_PROTO_NAME = 6 * 11;

/** An open container. */
interface Container {
  readonly isObject: boolean;
  /** Members or elements so far. */
  count: number;
  /** Offset of each name so far, if no name may come twice. */
  readonly names: Map<string, number> | null;
  /** Whether it is the value of a member named `constructor`. */
  readonly isConstructor: boolean;
  readonly outer: Container | null;
}

/** A violation that was found, if `code` is not `null`. */
interface Violation {
  code: FailureCode | null;
  offset: number;
  line: number;
  column: number;
  /** Offset of the first of two equal names; -1 for other violations. */
  firstOffset: number;
}

/** State of the checks of an input. */
export interface InputGuard extends Violation {
  readonly guards: Guards;
  /** Offset of the next byte. */
  position: number;
  /** Whether the value of the document is complete, or a literal that needs no check. */
  isDone: boolean;
  state: number;
  depth: number;
  container: Container | null;
  /** Whether the next string of an object is a name. */
  isName: boolean;
  /** Whether a value must follow: the first byte of it counts as an element. */
  expectsValue: boolean;
  /** Whether the member being read is named `constructor`. */
  isConstructor: boolean;
  /** Offset and column of the current token's first byte. */
  tokenStart: number;
  tokenColumn: number;
  /** Bytes of the current string. */
  length: number;
  /** Bytes of the current name or number that were kept, if they matter. */
  token: Uint8Array<ArrayBuffer>;
  tokenLength: number;
  /** Whether a number has a point or an exponent. */
  isInteger: boolean;
  /** Digits of the number. */
  digits: number;
  lines: number;
  lineStart: number;
  /** Bytes of the line so far minus their UTF-16 code units. */
  excessBytes: number;
  /** Whether the byte before was a carriage return. */
  isAfterReturn: boolean;
}

/** Lines before a position: see `LinePosition`. */
interface CountedLines {
  readonly lines: number;
  readonly lineStart: number;
  readonly excessBytes: number;
}

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Makes the checks of an input at its beginning. */
export function newInputGuard(guards: Guards): InputGuard {
  return {
    guards,
    code: null,
    offset: 0,
    line: 0,
    column: 0,
    firstOffset: -1,
    position: 0,
    isDone: false,
    state: BETWEEN,
    depth: 0,
    container: null,
    isName: false,
    expectsValue: true,
    isConstructor: false,
    tokenStart: 0,
    tokenColumn: 0,
    length: 0,
    token: NO_BYTES,
    tokenLength: 0,
    isInteger: false,
    digits: 0,
    lines: 0,
    lineStart: 0,
    excessBytes: 0,
    isAfterReturn: false,
  };
}

/** Begins a document at an offset of the input, whose lines before it were counted. */
export function beginGuarded(
  guard: InputGuard,
  offset: number,
  { lines, lineStart, excessBytes }: CountedLines,
): void {
  guard.code = null;
  guard.firstOffset = -1;
  guard.position = offset;
  guard.isDone = false;
  guard.state = BETWEEN;
  guard.depth = 0;
  guard.container = null;
  guard.isName = guard.isConstructor = false;
  guard.expectsValue = true;
  guard.token = NO_BYTES;
  passLines(guard, { lines, lineStart, excessBytes });
}

/** Goes on behind bytes that are not checked, between two tokens, whose lines were counted. */
export function passLines(guard: InputGuard, { lines, lineStart, excessBytes }: CountedLines): void {
  guard.lines = lines;
  guard.lineStart = lineStart;
  guard.excessBytes = excessBytes;
  guard.isAfterReturn = false;
}

/**
 * Reads the bytes of a piece from `p` to `end`, or to the end of the document. Returns the position
 * where it stopped: after a violation, the one up to which the bytes must be valid for the
 * violation to count.
 */
export function readGuarded(guard: InputGuard, bytes: Uint8Array, p: number, end: number): number {
  const origin = guard.position - p;
  while (p < end && !guard.isDone) {
    if (guard.state === STRING) {
      p = readStringBytes(guard, bytes, p, end, origin);
    } else if (guard.state === ESCAPE) {
      countStringByte(guard, bytes[p], origin + p);
      guard.state = STRING;
      p++;
    } else if (guard.state === NUMBER) {
      p = readNumberBytes(guard, bytes, p, end);
    } else {
      readByte(guard, bytes[p], origin + p);
      p++;
    }
    if (guard.code !== null) break;
  }
  guard.position = origin + p;
  return p;
}

/**
 * Ends an input: a number at its end is complete. Leaves a violation as {@linkcode readGuarded}
 * does.
 */
export function endGuarded(guard: InputGuard): void {
  if (guard.state === NUMBER) endNumber(guard);
}

/** Returns the failure of the violation that was found. */
export function violationOf({ code, offset, line, column, firstOffset }: InputGuard): ParseFailure {
  const failure = makeFailure(code!, 0, offset, line, column, false);
  if (firstOffset >= 0) failure.firstOffset = firstOffset;
  return failure;
}

function violate(guard: InputGuard, code: FailureCode, offset: number, column: number): void {
  guard.code = code;
  guard.offset = offset;
  guard.line = guard.lines + 1;
  guard.column = column;
}

function columnAt(guard: InputGuard, offset: number): number {
  return offset - guard.lineStart - guard.excessBytes + 1;
}

/** Reads a byte between two tokens: whitespace, punctuation, or the first byte of a token. */
function readByte(guard: InputGuard, byte: number, offset: number): void {
  if (byte <= SPACE) {
    readWhitespace(guard, byte, offset);
    return;
  }
  guard.isAfterReturn = false;
  if (byte === COMMA) {
    guard.isName = guard.container !== null && guard.container.isObject;
    guard.expectsValue = !guard.isName;
    return;
  }
  if (byte === COLON) {
    guard.expectsValue = true;
    return;
  }
  if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
    closeContainer(guard);
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
  const { container, guards } = guard;
  if (isName || container !== null && !container.isObject) {
    const count = ++container!.count;
    if (count > (isName ? guards.maxMembers : guards.maxElements)) {
      violate(guard, isName ? "too-many-members" : "too-many-elements", offset, guard.tokenColumn);
      return;
    }
  }
  guard.expectsValue = false;
  if (byte === QUOTE) {
    guard.state = STRING;
    guard.length = guard.tokenLength = 0;
  } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
    openContainer(guard, byte === OPEN_BRACE, offset);
  } else if (byte === MINUS || byte >= ZERO && byte <= NINE) {
    guard.state = NUMBER;
    guard.isInteger = true;
    guard.digits = guard.tokenLength = 0;
    readNumberByte(guard, byte);
  } else {
    guard.isDone = container === null; // a literal
  }
}

function readWhitespace(guard: InputGuard, byte: number, offset: number): void {
  if (byte === CARRIAGE_RETURN || byte === LINE_FEED) {
    if (byte === CARRIAGE_RETURN || !guard.isAfterReturn) guard.lines++;
    guard.lineStart = offset + 1;
    guard.excessBytes = 0;
  }
  guard.isAfterReturn = byte === CARRIAGE_RETURN;
}

function openContainer(guard: InputGuard, isObject: boolean, offset: number): void {
  if (++guard.depth > guard.guards.maxDepth) {
    violate(guard, "too-deep", offset, guard.tokenColumn);
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

function closeContainer(guard: InputGuard): void {
  if (guard.container === null) return; // wrong
  guard.container = guard.container.outer;
  guard.depth--;
  guard.isName = guard.expectsValue = guard.isConstructor = false;
  guard.isDone = guard.container === null;
}

/** Reads bytes of a string. Returns the position after them. */
function readStringBytes(guard: InputGuard, bytes: Uint8Array, p: number, end: number, origin: number): number {
  const { guards, isName } = guard;
  const keeps = isName && (guards.duplicateKeys === "reject" || guards.protoKeys === "reject");
  while (p < end) {
    const byte = bytes[p];
    if (byte === QUOTE) {
      guard.state = BETWEEN;
      if (keeps) endName(guard);
      guard.isName = false;
      guard.isDone = guard.container === null;
      return p + 1;
    }
    if (keeps || byte >= 0x80 || guards.maxStringBytes < Infinity) countStringByte(guard, byte, origin + p);
    if (guard.code !== null) return p + 1;
    p++;
    if (byte === BACKSLASH) {
      guard.state = ESCAPE;
      return p;
    }
  }
  return p;
}

function countStringByte(guard: InputGuard, byte: number, offset: number): void {
  const { guards, isName } = guard;
  if (++guard.length > guards.maxStringBytes) {
    violate(guard, "string-too-long", offset, columnAt(guard, offset));
    return;
  }
  if (byte >= 0xf0) guard.excessBytes--;
  else if ((byte & 0xc0) === 0x80) guard.excessBytes++;
  if (!isName) return;
  if (guards.duplicateKeys === "reject") keep(guard, byte);
  else if (guards.protoKeys === "reject" && guard.length <= MAX_PROTO_NAME) keep(guard, byte);
}

/** Keeps a byte of the current token. */
function keep(guard: InputGuard, byte: number): void {
  const { token, tokenLength } = guard;
  if (tokenLength === token.length) {
    guard.token = new Uint8Array(Math.max(64, 2 * tokenLength));
    guard.token.set(token);
  }
  guard.token[guard.tokenLength++] = byte;
}

/** Ends a name, which was kept. */
function endName(guard: InputGuard): void {
  const { container, guards, tokenStart } = guard;
  guard.isConstructor = false;
  if (guard.length > guard.tokenLength) return; // too long for a name that matters
  const name = decodeName(guard.token, guard.tokenLength);
  if (guards.duplicateKeys === "reject") {
    // Not by the bare name: V8 hashes an integer by its digits alone, so an attacker could choose
    // names that collide.
    const { names } = container!;
    const key = name.length > 0 && name < ":" ? `.${name}` : name;
    const first = names!.get(key);
    if (first !== undefined) {
      violate(guard, "duplicate-key", tokenStart, guard.tokenColumn);
      guard.firstOffset = first;
      return;
    }
    names!.set(key, tokenStart);
  }
  if (guards.protoKeys !== "reject") return;
  if (name === "__proto__" || name === "prototype" && container!.isConstructor) {
    violate(guard, "forbidden-key", tokenStart, guard.tokenColumn);
  }
  guard.isConstructor = name === "constructor";
}

/** Reads bytes of a number. Returns the position of the first byte after it, or `end`. */
function readNumberBytes(guard: InputGuard, bytes: Uint8Array, p: number, end: number): number {
  while (p < end) {
    const byte = bytes[p];
    if (!(byte >= ZERO && byte <= NINE) && byte !== 0x2e && byte !== 0x2b && byte !== MINUS && (byte | 0x20) !== 0x65) {
      endNumber(guard);
      return p;
    }
    readNumberByte(guard, byte);
    p++;
  }
  return p;
}

function readNumberByte(guard: InputGuard, byte: number): void {
  if (byte >= ZERO && byte <= NINE) {
    if (++guard.digits <= MIN_UNSAFE_DIGITS && guard.guards.integers === "reject") keep(guard, byte);
  } else if (byte !== MINUS || guard.digits > 0) {
    guard.isInteger = false;
  }
}

function endNumber(guard: InputGuard): void {
  guard.state = BETWEEN;
  guard.isDone = guard.container === null;
  if (guard.guards.integers !== "reject" || !guard.isInteger || guard.digits < MIN_UNSAFE_DIGITS) return;
  if (guard.digits === MIN_UNSAFE_DIGITS) {
    let i = 0;
    while (i < MIN_UNSAFE_DIGITS && guard.token[i] === MAX_SAFE_TEXT.charCodeAt(i)) i++;
    if (i === MIN_UNSAFE_DIGITS || guard.token[i] < MAX_SAFE_TEXT.charCodeAt(i)) return;
  }
  violate(guard, "unsafe-integer", guard.tokenStart, guard.tokenColumn);
}
