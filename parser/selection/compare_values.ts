/**
 * Compares values of a document with an expected one, by their bytes: numbers by value, strings
 * without their escapes, arrays and objects by content. Makes no value.
 */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  LOWER_E,
  LOWER_U,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  POINT,
  QUOTE,
  ZERO,
} from "../base/ascii.ts";
import { decodeName, ESCAPE_VALUES, hasEscape, MAX_ESCAPE, propertyNameOf, readHex4 } from "../base/decode_name.ts";
import { encodeUtf8, UNIT_BYTES, writeUtf8 } from "../base/encode_utf8.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { defineElement } from "../engine/arrays.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { NO_BYTES } from "../engine/no_bytes.ts";
import { skipValue } from "../validation/skip_container.ts";
import { findMember, type NameTable, newNameTable } from "./name_table.ts";

/** Kinds of expected values. */
const SCALAR = 0;
const ARRAY = 1;
const OBJECT = 2;

/** Maximum depth of an expected value. Reading and comparing it recurse as deep. */
const MAX_DEPTH = 256;

/** An expected value. */
export interface ExpectedValue {
  readonly kind: number;
  /** JSON of a scalar; for a string of the caller, only its quotes. */
  readonly bytes: Uint8Array;
  /** Text of a string, and its UTF-8; `null` for other kinds. */
  readonly text: string | null;
  readonly content: Uint8Array | null;
  /** Decimal of a number; `null` for other kinds. */
  readonly decimal: Decimal | null;
  /** Elements, or values of members. */
  readonly items: readonly ExpectedValue[];
  /** Members by name: see {@linkcode propertyNameOf}. */
  readonly members: Readonly<Record<string, number>>;
}

/** Position after the value read last. Out-parameter of `matchesAt` and `readExpected`. */
const after = { position: 0 };

const NO_ITEMS: readonly ExpectedValue[] = [];
const NO_MEMBERS = /* @__PURE__ */ newMembers();

function newMembers(): Record<string, number> {
  return { __proto__: null } as unknown as Record<string, number>;
}

/**
 * Reads an expected value, as the last of members with the same name counts. Returns `null` if it is
 * nested too deep.
 *
 * Precondition: the bytes are a JSON text.
 */
export function expectedValueOf(bytes: Uint8Array): ExpectedValue | null {
  return readExpected(bytes, viewOf(bytes), skipWhitespace(bytes, 0, bytes.length), 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bufferOf(bytes), offsetOf(bytes), bytes.length);
}

function readExpected(bytes: Uint8Array, view: DataView, p: number, depth: number): ExpectedValue | null {
  const end = bytes.length;
  const c = bytes[p];
  if (c !== OPEN_BRACE && c !== OPEN_BRACKET) {
    after.position = skipValue(bytes, view, p);
    const scalar = new Uint8Array(bufferOf(bytes), offsetOf(bytes) + p, after.position - p);
    const text = c === QUOTE ? textOf(bytes, p, after.position) : null;
    return newScalar(scalar, text);
  }
  if (depth === MAX_DEPTH) return null;
  const isObject = c === OPEN_BRACE;
  const items: ExpectedValue[] = [];
  const members = newMembers();
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACE && bytes[p] !== CLOSE_BRACKET) {
    if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, end);
    let item = items.length;
    if (isObject) {
      const nameEnd = skipValue(bytes, view, p);
      const name = propertyNameOf(textOf(bytes, p, nameEnd));
      item = members[name] ??= item;
      p = valueAfter(bytes, nameEnd, end);
    }
    const value = readExpected(bytes, view, p, depth + 1);
    if (value === null) return null;
    defineElement(items, item, value);
    p = skipWhitespace(bytes, after.position, end);
  }
  after.position = p + 1;
  return newContainer(isObject ? OBJECT : ARRAY, bytes, items, members);
}

function newContainer(
  kind: number,
  bytes: Uint8Array,
  items: readonly ExpectedValue[],
  members: Readonly<Record<string, number>>,
): ExpectedValue {
  return { kind, bytes, text: null, content: null, decimal: null, items, members };
}

function newScalar(bytes: Uint8Array, text: string | null): ExpectedValue {
  const decimal = text === null && isNumber(bytes[0]) ? newDecimal() : null;
  if (decimal !== null) readDecimal(decimal, bytes, 0, bytes.length);
  const content = text === null ? null : encodeUtf8(text);
  return { kind: SCALAR, bytes, text, content, decimal, items: NO_ITEMS, members: NO_MEMBERS };
}

/** Returns the position of the value after a name that ends at `p`. */
function valueAfter(bytes: Uint8Array, p: number, end: number): number {
  return skipWhitespace(bytes, skipWhitespace(bytes, p, end) + 1, end);
}

/** Returns the text of the string token `bytes[start, end)`. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decodeName(bytes, start + 1, end - 1);
}

/**
 * Makes an expected value from a value of the caller. Returns `null` if JSON has no such value, or
 * it is nested too deep.
 */
export function expectedOf(value: unknown, depth: number): ExpectedValue | null {
  if (typeof value === "string") return newScalar(NO_BYTES, value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value === null) {
    // JSON has neither NaN nor Infinity.
    if (value !== value || value === Infinity || value === -Infinity) return null;
    return newScalar(encodeUtf8(`${value}`), null);
  }
  if (typeof value !== "object" || depth === MAX_DEPTH) return null;
  const isObject = !Array.isArray(value);
  if (
    isObject && Object.getPrototypeOf(value) !== null && Object.getPrototypeOf(Object.getPrototypeOf(value)) !== null
  ) return null;
  const items: ExpectedValue[] = [];
  const members = newMembers();
  const names = isObject ? Reflect.ownKeys(value) : value as readonly unknown[];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (isObject && typeof name !== "string") return null;
    const item = expectedOf(isObject ? value[name as keyof object] : name, depth + 1);
    if (item === null) return null;
    if (isObject) members[propertyNameOf(name as string)] = i;
    defineElement(items, i, item);
  }
  return newContainer(isObject ? OBJECT : ARRAY, NO_BYTES, items, members);
}

/**
 * Returns whether the value `bytes[start, end)` equals an expected one. Members may have any order;
 * the last of those with the same name counts.
 *
 * Cost: linear in the value.
 *
 * Precondition: the value is well-formed, and ends before position 2^31.
 */
export function isEqualTo(expected: ExpectedValue, bytes: Uint8Array, start: number, end: number): boolean {
  if (expected.kind === SCALAR) return equalsScalar(expected, bytes, start, end);
  const value = new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, end - start);
  return matchesAt(expected, value, viewOf(value), 0);
}

/** Returns whether the value at `p` equals an expected one, and leaves the position after it. */
function matchesAt(expected: ExpectedValue, bytes: Uint8Array, view: DataView, p: number): boolean {
  const { kind, items } = expected;
  const end = bytes.length;
  if (kind === SCALAR || bytes[p] !== (kind === OBJECT ? OPEN_BRACE : OPEN_BRACKET)) {
    after.position = skipValue(bytes, view, p);
    return kind === SCALAR && equalsScalar(expected, bytes, p, after.position);
  }
  if (kind === OBJECT) return matchesObject(expected, bytes, view, p);
  let count = 0;
  let isEqual = true;
  p = skipWhitespace(bytes, p + 1, end);
  for (; bytes[p] !== CLOSE_BRACKET; count++) {
    if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, end);
    if (isEqual && count < items.length) {
      isEqual = matchesAt(items[count], bytes, view, p);
      p = after.position;
    } else {
      isEqual = false;
      p = skipValue(bytes, view, p);
    }
    p = skipWhitespace(bytes, p, end);
  }
  after.position = p + 1;
  return isEqual && count === items.length;
}

function matchesObject({ items, members }: ExpectedValue, bytes: Uint8Array, view: DataView, p: number): boolean {
  const end = bytes.length;
  const equal = new Uint8Array(items.length);
  let hasOthers = false;
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACE) {
    if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, end);
    const nameEnd = skipValue(bytes, view, p);
    const member = hasOthers ? undefined : members[propertyNameOf(textOf(bytes, p, nameEnd))];
    p = valueAfter(bytes, nameEnd, end);
    if (member === undefined) {
      hasOthers = true;
      p = skipValue(bytes, view, p);
    } else {
      equal[member] = matchesAt(items[member], bytes, view, p) ? 1 : 0;
      p = after.position;
    }
    p = skipWhitespace(bytes, p, end);
  }
  after.position = p + 1;
  if (hasOthers) return false;
  for (let i = 0; i < equal.length; i++) if (equal[i] === 0) return false;
  return true;
}

function equalsScalar(expected: ExpectedValue, bytes: Uint8Array, start: number, end: number): boolean {
  const { content, decimal } = expected;
  if (content !== null) {
    return bytes[start] === QUOTE && end - start - 2 <= MAX_ESCAPE * content.length &&
      compareText(content, bytes, start + 1, end - 1) === 0;
  }
  if (hasBytes(bytes, start, end, expected.bytes)) return true;
  return decimal !== null && isNumber(bytes[start]) && compareNumber(expected, bytes, start, end) === 0;
}

function hasBytes(bytes: Uint8Array, start: number, end: number, expected: Uint8Array): boolean {
  if (end - start !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
  return true;
}

/**
 * Compares a value with an expected number or string: numbers exactly, strings by their code points.
 * Returns a negative number if it is less, 0 if the two are equal, a positive number if it is
 * greater, and `NaN` if it is of another kind.
 */
export function compareTo(expected: ExpectedValue, bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start];
  if (expected.content !== null) {
    return first === QUOTE ? compareText(expected.content, bytes, start + 1, end - 1) : NaN;
  }
  return isNumber(first) ? compareNumber(expected, bytes, start, end) : NaN;
}

/** Compares the text that `bytes[start, end)` spell with an expected one, by code points. */
function compareText(expected: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const common = length < expected.length ? length : expected.length;
  for (let i = 0; i < common; i++) {
    const byte = bytes[start + i];
    if (byte === BACKSLASH) {
      const text = unescape(bytes, start, end);
      return compareBytes(expected, text);
    }
    if (byte !== expected[i]) return byte - expected[i];
  }
  // An escape at the end spells at least one character.
  return length - expected.length;
}

function compareBytes(expected: Uint8Array, text: Uint8Array): number {
  for (let i = 0; i < text.length && i < expected.length; i++) {
    if (text[i] !== expected[i]) return text[i] - expected[i];
  }
  return text.length - expected.length;
}

/** Returns whether a value is a string that begins with an expected text. */
export function startsWith({ content }: ExpectedValue, bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== QUOTE) return false;
  const last = end - 1;
  for (let i = 0, p = start + 1; i < content!.length; i++, p++) {
    if (p >= last) return false;
    if (bytes[p] === BACKSLASH) {
      // No more than that is needed, except for an escape at the end.
      const needed = Math.min(last, start + 1 + MAX_ESCAPE * (content!.length + 2));
      return hasBytesAt(unescape(bytes, start + 1, needed), 0, content!);
    }
    if (bytes[p] !== content![i]) return false;
  }
  return true;
}

/** Returns whether a value is a string that ends with an expected text. */
export function endsWith({ content }: ExpectedValue, bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== QUOTE) return false;
  if (!hasEscape(bytes, start, end)) {
    return end - start - 2 >= content!.length && hasBytesAt(bytes, end - 1 - content!.length, content!);
  }
  const text = unescape(bytes, start + 1, end - 1);
  return hasBytesAt(text, text.length - content!.length, content!);
}

function hasBytesAt(bytes: Uint8Array, p: number, expected: Uint8Array): boolean {
  return p >= 0 && p + expected.length <= bytes.length && hasBytes(bytes, p, p + expected.length, expected);
}

/**
 * Returns the table by which {@linkcode contains} searches (Knuth, Morris, Pratt): for each number
 * of bytes that match, how many of them still match after the first one is dropped.
 */
export function searchTable({ content }: ExpectedValue): Int32Array {
  const expected = content!;
  const table = new Int32Array(expected.length + 1);
  for (let i = 1, matched = 0; i < expected.length; i++) {
    while (matched > 0 && expected[i] !== expected[matched]) matched = table[matched];
    if (expected[i] === expected[matched]) matched++;
    table[i + 1] = matched;
  }
  return table;
}

/**
 * Returns whether a value is a string that has an expected text within it.
 *
 * Cost: linear in the value, for any text.
 */
export function contains(
  { content }: ExpectedValue,
  table: Int32Array,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (bytes[start] !== QUOTE) return false;
  const found = indexOfText(content!, table, bytes, start + 1, end - 1);
  if (found !== ESCAPED) return found >= 0;
  const text = unescape(bytes, start + 1, end - 1);
  return indexOfText(content!, table, text, 0, text.length, false) >= 0;
}

/** In place of a position: the text has an escape. */
const ESCAPED = -2;

/** Returns the position after an expected text in `bytes[start, end)`, -1, or {@linkcode ESCAPED}. */
function indexOfText(
  expected: Uint8Array,
  table: Int32Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  mayBeEscaped = true,
): number {
  const { length } = expected;
  if (length === 0) return start;
  const first = expected[0];
  for (let p = start, matched = 0; p < end; p++) {
    const byte = bytes[p];
    if (byte === BACKSLASH && mayBeEscaped) return ESCAPED;
    if (matched === 0 && byte !== first) continue;
    while (matched > 0 && byte !== expected[matched]) matched = table[matched];
    if (byte === expected[matched] && ++matched === length) return p + 1;
  }
  return -1;
}

/** Decodes the text that `bytes[start, end)` spell to UTF-8, an incomplete escape to any text. */
function unescape(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const text = new Uint8Array(end - start + UNIT_BYTES);
  let q = 0;
  for (let p = start; p < end;) {
    const byte = bytes[p++];
    if (byte !== BACKSLASH) {
      text[q++] = byte;
      continue;
    }
    const letter = bytes[p++];
    if (letter !== LOWER_U) {
      text[q++] = ESCAPE_VALUES[letter];
      continue;
    }
    const unit = readHex4(bytes, p, end);
    p += 4;
    const low = unit >>> 10 === 0x36 && bytes[p] === BACKSLASH && bytes[p + 1] === LOWER_U
      ? readHex4(bytes, p + 2, end)
      : 0;
    const isPair = low >>> 10 === 0x37;
    if (isPair) p += 6;
    q = writeUtf8(isPair ? String.fromCharCode(unit, low) : String.fromCharCode(unit), text, q);
  }
  return new Uint8Array(text.buffer, 0, q);
}

/** Values for the operator `in`, in tables. */
export interface ValueList {
  /** Texts by their bytes, and their maximum length. */
  readonly texts: NameTable;
  readonly longestText: number;
  /** Numbers in ascending order. */
  readonly numbers: readonly ExpectedValue[];
  readonly others: readonly ExpectedValue[];
}

/** Makes a list of values. */
export function listOf(values: readonly ExpectedValue[]): ValueList {
  const texts = values.filter(({ content }) => content !== null);
  const numbers = values.filter(({ decimal }) => decimal !== null);
  return {
    texts: newNameTable(texts.map(({ text }) => text!)),
    longestText: texts.reduce((longest, { content }) => Math.max(longest, content!.length), 0),
    numbers: numbers.sort((a, b) => compareNumber(b, a.bytes, 0, a.bytes.length)),
    others: values.filter(({ content, decimal }) => content === null && decimal === null),
  };
}

/** Returns whether a value equals one of a list. */
export function isIn(list: ValueList, bytes: Uint8Array, start: number, end: number): boolean {
  const { texts, longestText, numbers, others } = list;
  const first = bytes[start];
  if (first === QUOTE) {
    if (end - start - 2 > MAX_ESCAPE * longestText) return false;
    if (!hasEscape(bytes, start, end)) return findMember(texts, bytes, start + 1, end - 1) >= 0;
    const text = unescape(bytes, start + 1, end - 1);
    return findMember(texts, text, 0, text.length) >= 0;
  }
  if (isNumber(first)) {
    for (let from = 0, to = numbers.length; from < to;) {
      const middle = from + to >> 1;
      const difference = compareNumber(numbers[middle], bytes, start, end);
      if (difference === 0) return true;
      if (difference < 0) to = middle;
      else from = middle + 1;
    }
    return false;
  }
  for (let i = 0; i < others.length; i++) if (isEqualTo(others[i], bytes, start, end)) return true;
  return false;
}

/** Returns whether a value that begins with a byte is a number. */
export function isNumber(first: number): boolean {
  return first === MINUS || isDigit(first);
}

function isDigit(byte: number): boolean {
  return byte - ZERO >>> 0 <= 9;
}

/** Decimal of a number token: its digits from `first` to `end`, times a power of ten. */
interface Decimal {
  isNegative: boolean;
  /** Position of the first digit other than 0; -1 if there is none. */
  first: number;
  /** Position after the last digit. */
  end: number;
  /** Power of ten of the first digit. From 2^53 on, an exponent is rounded. */
  magnitude: number;
}

function newDecimal(): Decimal {
  return { isNegative: false, first: 0, end: 0, magnitude: 0 };
}

const found = /* @__PURE__ */ newDecimal();

/**
 * Compares the number `bytes[start, end)` with an expected one exactly. Returns a negative number if
 * it is less, 0 if the two are equal, and otherwise a positive one.
 *
 * Precondition: both are number tokens.
 */
export function compareNumber(expected: ExpectedValue, bytes: Uint8Array, start: number, end: number): number {
  readDecimal(found, bytes, start, end);
  const sought = expected.decimal!;
  const sign = signOf(found);
  if (sign !== signOf(sought)) return sign - signOf(sought);
  if (sign === 0) return 0;
  if (found.magnitude !== sought.magnitude) return found.magnitude < sought.magnitude ? -sign : sign;
  let p = found.first;
  let q = sought.first;
  for (;;) {
    if (p < found.end && bytes[p] === POINT) p++;
    if (q < sought.end && expected.bytes[q] === POINT) q++;
    if (p >= found.end && q >= sought.end) return 0;
    const difference = (p < found.end ? bytes[p++] : ZERO) - (q < sought.end ? expected.bytes[q++] : ZERO);
    if (difference !== 0) return sign * difference;
  }
}

function signOf({ first, isNegative }: Decimal): number {
  return first < 0 ? 0 : isNegative ? -1 : 1;
}

function readDecimal(decimal: Decimal, bytes: Uint8Array, start: number, end: number): void {
  decimal.isNegative = bytes[start] === MINUS;
  decimal.first = -1;
  let p = decimal.isNegative ? start + 1 : start;
  let point = -1;
  for (; p < end && (isDigit(bytes[p]) || bytes[p] === POINT); p++) {
    if (bytes[p] === POINT) point = p;
    else if (decimal.first < 0 && bytes[p] !== ZERO) decimal.first = p;
  }
  decimal.end = p;
  if (point < 0) point = p;
  const { first } = decimal;
  decimal.magnitude = (first < point ? point - first - 1 : point - first) + exponentOf(bytes, p, end);
}

/** Returns the exponent of a number, whose `e` is at `p`; 0 if it has none. */
function exponentOf(bytes: Uint8Array, p: number, end: number): number {
  if (p >= end || (bytes[p] | 0x20) !== LOWER_E) return 0;
  p++;
  const isNegative = bytes[p] === MINUS;
  if (isNegative || bytes[p] === PLUS) p++;
  let exponent = 0;
  for (; p < end; p++) exponent = 10 * exponent + (bytes[p] - ZERO);
  return isNegative ? -exponent : exponent;
}
