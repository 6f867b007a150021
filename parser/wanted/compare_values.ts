/**
 * Compares values of a document with a wanted one, by their bytes: numbers by value, strings
 * without their escapes, arrays and objects by content. Makes no value.
 */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
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
import { decodeName, MAX_ESCAPE, propertyNameOf } from "../base/decode_name.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { defineElement } from "../engine/arrays.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { skipValue } from "../validation/skip_container.ts";

/** Kinds of wanted values. */
const SCALAR = 0;
const ARRAY = 1;
const OBJECT = 2;

/** Deepest wanted value. Reading one recurses, and comparing recurses as deep as it is. */
const MAX_DEPTH = 256;

/** A wanted value. */
export interface WantedValue {
  readonly kind: number;
  /** JSON of a scalar, as short as can be for a string. */
  readonly bytes: Uint8Array;
  /** Text of a string, and decimal of a number; `null` for all else. */
  readonly text: string | null;
  readonly decimal: Decimal | null;
  /** Elements, or values of members. */
  readonly items: readonly WantedValue[];
  /** Members by name: see {@linkcode propertyNameOf}. */
  readonly members: Readonly<Record<string, number>>;
}

/**
 * Position after the value read last. Out-parameter of {@linkcode matchesAt} and {@linkcode
 * readWanted}.
 */
const after = { position: 0 };

const { isArray } = Array;
const { apply, ownKeys } = Reflect;
const { getPrototypeOf } = Object;
const { charCodeAt } = String.prototype;

const LAST_ASCII = 0x7e;
const HEX = "0123456789abcdef";
const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_ITEMS: readonly WantedValue[] = [];
const NO_MEMBERS = /* @__PURE__ */ newMembers();

function newMembers(): Record<string, number> {
  return { __proto__: null } as unknown as Record<string, number>;
}

/**
 * Reads a wanted value, as the last of members with the same name counts. Returns `null` if it is
 * nested too deep.
 *
 * Precondition: the bytes are a JSON text.
 */
export function wantedValueOf(bytes: Uint8Array): WantedValue | null {
  return readWanted(bytes, viewOf(bytes), skipWhitespace(bytes, 0, bytes.length), 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bufferOf(bytes), offsetOf(bytes), bytes.length);
}

function readWanted(bytes: Uint8Array, view: DataView, p: number, depth: number): WantedValue | null {
  const end = bytes.length;
  const c = bytes[p];
  if (c !== OPEN_BRACE && c !== OPEN_BRACKET) {
    after.position = skipValue(bytes, view, p, true);
    const scalar = new Uint8Array(bufferOf(bytes), offsetOf(bytes) + p, after.position - p);
    const text = c === QUOTE ? textOf(bytes, p, after.position) : null;
    return newScalar(scalar, text);
  }
  if (depth === MAX_DEPTH) return null;
  const isObject = c === OPEN_BRACE;
  const items: WantedValue[] = [];
  const members = newMembers();
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACE && bytes[p] !== CLOSE_BRACKET) {
    if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, end);
    let item = items.length;
    if (isObject) {
      const nameEnd = skipValue(bytes, view, p, true);
      const name = propertyNameOf(textOf(bytes, p, nameEnd));
      item = members[name] ??= item;
      p = valueAfter(bytes, nameEnd, end);
    }
    const value = readWanted(bytes, view, p, depth + 1);
    if (value === null) return null;
    defineElement(items, item, value);
    p = skipWhitespace(bytes, after.position, end);
  }
  after.position = p + 1;
  return { kind: isObject ? OBJECT : ARRAY, bytes, text: null, decimal: null, items, members };
}

function newScalar(bytes: Uint8Array, text: string | null): WantedValue {
  const decimal = isNumber(bytes[0]) ? newDecimal() : null;
  if (decimal !== null) readDecimal(decimal, bytes, 0, bytes.length);
  return { kind: SCALAR, bytes, text, decimal, items: NO_ITEMS, members: NO_MEMBERS };
}

/** Returns the position of the value after a name that ends at `p`. */
function valueAfter(bytes: Uint8Array, p: number, end: number): number {
  return skipWhitespace(bytes, skipWhitespace(bytes, p, end) + 1, end);
}

/** Returns the text of the string token `bytes[start, end)`. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start - 2;
  return decodeName(new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start + 1, length), length);
}

/**
 * Makes a wanted value of one of the program. Returns `null` if JSON has no such value, or it is
 * nested too deep.
 */
export function wantedOf(value: unknown, depth: number): WantedValue | null {
  if (typeof value === "string") return newScalar(stringToken(value), value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value === null) {
    // JSON has neither NaN nor Infinity.
    if (value !== value || value === Infinity || value === -Infinity) return null;
    return newScalar(asciiOf(`${value}`), null);
  }
  if (typeof value !== "object" || depth === MAX_DEPTH) return null;
  const isObject = !isArray(value);
  if (isObject && getPrototypeOf(value) !== null && getPrototypeOf(getPrototypeOf(value)) !== null) return null;
  const items: WantedValue[] = [];
  const members = newMembers();
  const names = isObject ? ownKeys(value) : value as readonly unknown[];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (isObject && typeof name !== "string") return null;
    const item = wantedOf(isObject ? value[name as keyof object] : name, depth + 1);
    if (item === null) return null;
    if (isObject) members[propertyNameOf(name as string)] = i;
    defineElement(items, i, item);
  }
  return { kind: isObject ? OBJECT : ARRAY, bytes: NO_BYTES, text: null, decimal: null, items, members };
}

/** Returns the bytes of a text in ASCII. */
function asciiOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = apply(charCodeAt, text, [i]);
  return bytes;
}

/** Returns the JSON of a string in ASCII, as short as can be. */
function stringToken(text: string): Uint8Array {
  let token = "";
  for (let i = 0; i < text.length; i++) {
    const code = apply(charCodeAt, text, [i]);
    if (code === QUOTE || code === BACKSLASH) token += `\\${text[i]}`;
    else if (code < SPACE || code > LAST_ASCII) {
      token += `\\u${HEX[code >> 12]}${HEX[code >> 8 & 15]}${HEX[code >> 4 & 15]}${HEX[code & 15]}`;
    } else token += text[i];
  }
  return asciiOf(`"${token}"`);
}

/**
 * Returns whether the value `bytes[start, end)` equals a wanted one. Members may have any order;
 * the last of those with the same name counts.
 *
 * Cost: linear in the value.
 *
 * Precondition: the value is well-formed, and ends before position 2^31.
 */
export function isEqualTo(wanted: WantedValue, bytes: Uint8Array, start: number, end: number): boolean {
  if (wanted.kind === SCALAR) return equalsScalar(wanted, bytes, start, end);
  const value = new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, end - start);
  return matchesAt(wanted, value, viewOf(value), 0);
}

/** Returns whether the value at `p` equals a wanted one, and leaves the position after it. */
function matchesAt(wanted: WantedValue, bytes: Uint8Array, view: DataView, p: number): boolean {
  const { kind, items } = wanted;
  const end = bytes.length;
  if (kind === SCALAR || bytes[p] !== (kind === OBJECT ? OPEN_BRACE : OPEN_BRACKET)) {
    after.position = skipValue(bytes, view, p, true);
    return kind === SCALAR && equalsScalar(wanted, bytes, p, after.position);
  }
  if (kind === OBJECT) return matchesObject(wanted, bytes, view, p);
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
      p = skipValue(bytes, view, p, true);
    }
    p = skipWhitespace(bytes, p, end);
  }
  after.position = p + 1;
  return isEqual && count === items.length;
}

function matchesObject({ items, members }: WantedValue, bytes: Uint8Array, view: DataView, p: number): boolean {
  const end = bytes.length;
  const equal = new Uint8Array(items.length);
  let hasOthers = false;
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACE) {
    if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, end);
    const nameEnd = skipValue(bytes, view, p, true);
    const member = hasOthers ? undefined : members[propertyNameOf(textOf(bytes, p, nameEnd))];
    p = valueAfter(bytes, nameEnd, end);
    if (member === undefined) {
      hasOthers = true;
      p = skipValue(bytes, view, p, true);
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

function equalsScalar(wanted: WantedValue, bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start];
  if (hasBytes(bytes, start, end, wanted.bytes)) return true;
  if (wanted.text !== null) {
    // A string whose shortest form differs is equal only if it has an escape.
    return first === QUOTE && end - start - 2 <= MAX_ESCAPE * wanted.text.length &&
      (hasBackslash(bytes, start, end) || hasBackslash(wanted.bytes, 0, wanted.bytes.length)) &&
      textOf(bytes, start, end) === wanted.text;
  }
  return wanted.decimal !== null && isNumber(first) && compareNumber(wanted, bytes, start, end) === 0;
}

function hasBytes(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

function hasBackslash(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === BACKSLASH) return true;
  return false;
}

/** Returns whether a value that begins with a byte is a number. */
export function isNumber(first: number): boolean {
  return first === MINUS || isDigit(first);
}

function isDigit(byte: number): boolean {
  return byte - ZERO >>> 0 <= 9;
}

/**
 * Decimal of a number token: its significant digits from `first` to `end`, times a power of ten.
 */
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

const ours = /* @__PURE__ */ newDecimal();

/**
 * Compares the number `bytes[start, end)` with a wanted one exactly. Returns a negative number if
 * it is less, 0 if the two are equal, and else a positive one.
 *
 * Precondition: both are number tokens.
 */
export function compareNumber(wanted: WantedValue, bytes: Uint8Array, start: number, end: number): number {
  readDecimal(ours, bytes, start, end);
  const theirs = wanted.decimal!;
  const sign = signOf(ours);
  if (sign !== signOf(theirs)) return sign - signOf(theirs);
  if (sign === 0) return 0;
  if (ours.magnitude !== theirs.magnitude) return ours.magnitude < theirs.magnitude ? -sign : sign;
  let p = ours.first;
  let q = theirs.first;
  for (;;) {
    if (p < ours.end && bytes[p] === POINT) p++;
    if (q < theirs.end && wanted.bytes[q] === POINT) q++;
    if (p >= ours.end && q >= theirs.end) return 0;
    const difference = (p < ours.end ? bytes[p++] : ZERO) - (q < theirs.end ? wanted.bytes[q++] : ZERO);
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
  decimal.magnitude = (first < point ? point - first - 1 : point - first) + readExponent(bytes, p, end);
}

/** Returns the exponent of a number, whose `e` is at `p`; 0 if it has none. */
function readExponent(bytes: Uint8Array, p: number, end: number): number {
  if (p >= end || (bytes[p] | 0x20) !== LOWER_E) return 0;
  p++;
  const isNegative = bytes[p] === MINUS;
  if (isNegative || bytes[p] === PLUS) p++;
  let exponent = 0;
  for (; p < end; p++) exponent = 10 * exponent + (bytes[p] - ZERO);
  return isNegative ? -exponent : exponent;
}
