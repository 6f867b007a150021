/**
 * Failures: the closed list of codes, their messages, and the line and column of an offset. None of
 * this runs while a parse succeeds.
 */

import { lengthOf } from "../engine/input.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { countLinesTo, countPendingReturn, type LineLocation, newLineLocation } from "./line_counter.ts";

/**
 * Reason why an input was refused: one code for each message, made for `switch`. The grammar is that
 * of [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
 */
export type FailureCode =
  | "unexpected-end"
  | "unexpected-number"
  | "unexpected-string"
  | "unexpected-token"
  | "unterminated-string"
  | "expected-property-name-or-brace"
  | "expected-property-name"
  | "expected-colon"
  | "expected-comma-or-brace"
  | "expected-comma-or-bracket"
  | "unterminated-fraction"
  | "missing-exponent"
  | "missing-digits"
  | "bad-control-character"
  | "bad-escape"
  | "bad-unicode-escape"
  | "trailing-content"
  | "expected-array"
  | "expected-object"
  | "invalid-utf8"
  | "string-too-long"
  | "value-too-large"
  | "too-deep"
  | "too-many-bytes"
  | "too-many-members"
  | "too-many-elements"
  | "duplicate-key"
  | "forbidden-key"
  | "unsafe-integer"
  | "detached-buffer";

/** Result for an input that was refused: it is not a JSON text, or breaks a rule of the options. */
export interface ParseFailure {
  /** Always `false`. */
  ok: false;
  /** Rule that was broken. Codes are stable and made for `switch`. */
  code: FailureCode;
  /** Message for people, in V8's wording if there is one, with at most one character of input. */
  message: string;
  /** Offset of the first byte that is wrong; the input's length if the input ends too early. */
  offset: number;
  /** Line of `offset`, from 1. LF, CRLF and a lone CR each end a line. */
  line: number;
  /** Column of `offset` in its line, from 1, in UTF-16 code units. */
  column: number;
  /** Whether the input only ends too early: more bytes could still make it a JSON text. */
  truncated: boolean;
  /** Offset of the first of two equal names. Only in a failure `duplicate-key`. */
  firstOffset?: number;
}

/** Result for a JSON text. */
export interface ParseSuccess<T = unknown> {
  /** Always `true`. */
  ok: true;
  /** Value of the text, equal to the result of `JSON.parse`. */
  value: T;
}

/** Result of parsing; `ok` distinguishes its two kinds. */
export type ParseResult<T = unknown> = ParseSuccess<T> | ParseFailure;

/** Messages without the end that most of them share: see {@linkcode makeFailure}. */
const MESSAGES: Record<FailureCode, string> = {
  "unexpected-end": "Unexpected end of JSON input",
  "unexpected-number": "Unexpected number",
  "unexpected-string": "Unexpected string",
  "unexpected-token": "Unexpected ",
  "unterminated-string": "Unterminated string",
  "expected-property-name-or-brace": "Expected property name or '}'",
  "expected-property-name": "Expected double-quoted property name",
  "expected-colon": "Expected ':' after property name",
  "expected-comma-or-brace": "Expected ',' or '}' after property value",
  "expected-comma-or-bracket": "Expected ',' or ']' after array element",
  "unterminated-fraction": "Unterminated fractional number",
  "missing-exponent": "Exponent part is missing a number",
  "missing-digits": "No number after minus sign",
  "bad-control-character": "Bad control character in string literal",
  "bad-escape": "Bad escaped character",
  "bad-unicode-escape": "Bad Unicode escape",
  "trailing-content": "Unexpected non-whitespace character after JSON",
  "expected-array": "Expected an array at the JSON Pointer",
  "expected-object": "Expected an object at the JSON Pointer",
  "invalid-utf8": "Invalid UTF-8",
  "string-too-long": "String too long",
  "value-too-large": "Value too large",
  "too-deep": "Nesting too deep",
  "too-many-bytes": "Too many bytes",
  "too-many-members": "Too many members of an object",
  "too-many-elements": "Too many elements of an array",
  "duplicate-key": "Duplicate property name",
  "forbidden-key": "Forbidden property name",
  "unsafe-integer": "Integer beyond the range of exact numbers",
  "detached-buffer": "Cannot parse a detached buffer",
};

const HEX_DIGITS = "0123456789ABCDEF";

/** Names a byte: `token 'x'` or, for one that is not printable ASCII, `byte 0xEF`. */
function nameOfByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return `token '${String.fromCharCode(byte)}'`;
  return `byte 0x${HEX_DIGITS[byte >> 4]}${HEX_DIGITS[byte & 15]}`;
}

/**
 * Returns the failure at an offset of an input of `length` bytes. Reads the input once, up to the
 * offset, to count lines and columns.
 *
 * @param isTruncated Whether the input ends too early.
 */
export function describeFailure(
  bytes: Uint8Array,
  code: FailureCode,
  offset: number,
  length: number = lengthOf(bytes),
  isTruncated = false,
): ParseFailure {
  const location = newLineLocation();
  const start = skipByteOrderMark(bytes, length);
  location.excessBytes = Math.min(start, offset);
  countLinesTo(location, bytes, start, offset);
  countPendingReturn(location, offset, offset < length ? bytes[offset] : -1);
  return failureAtOffset(location, offset, code, bytes[offset], isTruncated);
}

/**
 * Makes the failure at `offset` of the input; `byte` is the byte there, -1 for the end.
 * `isTruncated` says whether the input ends too early.
 *
 * Precondition: the bytes before `offset` were counted.
 */
export function failureAtOffset(
  { lines, lineStart, excessBytes }: LineLocation,
  offset: number,
  code: FailureCode,
  byte: number,
  isTruncated: boolean,
): ParseFailure {
  return makeFailure(code, byte, offset, lines + 1, offset - lineStart - excessBytes + 1, isTruncated);
}

/** Makes a `SyntaxError` whose cause is the failure. */
export function syntaxErrorOf(failure: ParseFailure): SyntaxError {
  return new SyntaxError(failure.message, { cause: failure });
}

/** Makes a failure. `byte`, the one at `offset`, matters only to `unexpected-token`. */
export function makeFailure(
  code: FailureCode,
  byte: number,
  offset: number,
  line: number,
  column: number,
  truncated: boolean,
): ParseFailure {
  let message = MESSAGES[code];
  if (code !== "unexpected-end" && code !== "detached-buffer") {
    if (code === "unexpected-token") message += nameOfByte(byte);
    if (code !== "trailing-content") message += " in JSON";
    message += ` at position ${offset} (line ${line} column ${column})`;
  }
  return { ok: false, code, message, offset, line, column, truncated };
}

/** Rewords a failure `invalid-utf8` of encoded text: only a lone surrogate can cause it. */
export function loneSurrogate(failure: ParseFailure): ParseFailure {
  return { ...failure, message: failure.message.replace(/^.* in JSON/, "Lone surrogate in text") };
}

/** Makes the failure of an input whose buffer is detached. */
export function detachedBuffer(): ParseFailure {
  return makeFailure("detached-buffer", -1, 0, 1, 1, false);
}

/**
 * Limit of the engine that was reached and is not reported yet; `null` if there is none. The
 * validator cannot find such a failure, since the input is valid JSON, so the code that reaches a
 * limit records it.
 */
export const limitFailure: { code: "string-too-long" | "value-too-large" | null; offset: number } = {
  code: null,
  offset: 0,
};

/** Records that a limit was reached at a position. The caller then returns its sentinel. */
export function failAtLimit(code: "string-too-long" | "value-too-large", position: number): void {
  limitFailure.code = code;
  limitFailure.offset = position;
}
