/**
 * Part of a `Uint8Array` that is not a typed array itself: {@linkcode Slice}.
 *
 * @module
 */

import { isLikelyByteArray } from "./parser/engine/input.ts";
import { sliceOwners } from "./parser/engine/slice_owners.ts";

/** Encoding between the bytes of a {@linkcode Slice} and text. */
export type SliceEncoding = "utf-8" | "latin1" | "hex" | "base64";

/** Test of bytes for {@linkcode Slice.test}. */
export interface SliceExpression {
  /** Returns whether the `byteLength` bytes of `buffer` from `byteOffset` on match. */
  test(buffer: Uint8Array, byteOffset: number, byteLength: number): boolean;
}

/** Allocator that frees its slices. */
interface SliceOwner {
  /** Frees a slice if the length is 0. */
  realloc(slice: Slice, byteLength: number): Slice;
}

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Created on first use, so that engines without them can use everything but text. */
let encoder: TextEncoder | undefined;
let decoder: TextDecoder | undefined;

function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes);
}

/** Maximum number of arguments for one call of `String.fromCharCode`. */
const MAX_ARGUMENTS = 8192;

const HEX_DIGITS = /* @__PURE__ */ asciiBytes("0123456789abcdef");
const BASE64_DIGITS = /* @__PURE__ */ asciiBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const PADDING = 0x3d;

/** Values in {@linkcode BASE64_VALUES} of characters that are not digits. */
const WHITESPACE = 64;
const NO_DIGIT = 65;

/** Value of each ASCII character in base64, standard and for URLs (RFC 4648 §4 and §5). */
const BASE64_VALUES = /* @__PURE__ */ new Uint8Array(128).fill(NO_DIGIT);
for (let value = 0; value < 64; value++) BASE64_VALUES[BASE64_DIGITS[value]] = value;
BASE64_VALUES[0x2d] = 62;
BASE64_VALUES[0x5f] = 63;
for (const space of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) BASE64_VALUES[space] = WHITESPACE;

/**
 * Part of a `Uint8Array`: an object of four fields. A typed array from `subarray` takes several
 * times as long to create and to collect.
 *
 * All offsets are relative to the slice. A method throws a `RangeError` for a start or an index
 * that is not an integer or is out of range, and limits an end to the length of the slice, so
 * it never reads or writes bytes outside the slice. The fields can be set freely; the methods
 * trust them.
 *
 * A slice cannot tell that its buffer was detached: its fields stay as they are, and the results of
 * its methods are undefined.
 *
 * @example
 * ```ts
 * import { Slice } from "@bytejson/bytejson/slice";
 * import { assertEquals } from "@std/assert";
 *
 * const slice = new Slice(new TextEncoder().encode("hello world"), 6, 5);
 * assertEquals(slice.toString(), "world");
 * assertEquals(slice.at(-1), 0x64);
 * assertEquals(slice.write("W"), 1);
 * assertEquals(slice.toString("hex"), "576f726c64");
 * ```
 */
export class Slice {
  /** Array that the slice is a part of. */
  buffer: Uint8Array = NO_BYTES;
  /** Offset of the slice in `buffer`, in bytes. */
  byteOffset = 0;
  /** Length in bytes. */
  byteLength = 0;
  /** Length that the slice may grow to in place, in bytes. */
  maxByteLength = 0;

  /** Empty slice, frozen. */
  static readonly EMPTY: Slice = Object.freeze(new Slice());

  /**
   * Makes a slice of an array, without copying.
   *
   * @param buffer Array to view, such as a Node.js `Buffer`; empty by default.
   * @param byteOffset Offset of the slice in `buffer`.
   * @param byteLength Length in bytes; by default up to the end of `buffer`.
   * @param maxByteLength Length that the slice may grow to; `byteLength` by default.
   * @throws {TypeError} If `buffer` is not a `Uint8Array`.
   * @throws {RangeError} If a number is not an integer, or the slice is not within `buffer`.
   */
  constructor(buffer: Uint8Array = NO_BYTES, byteOffset = 0, byteLength?: number, maxByteLength?: number) {
    if (!isLikelyByteArray(buffer)) throw new TypeError("Cannot make a slice: expected a Uint8Array");
    checkStart(byteOffset, buffer.length);
    const room = buffer.length - byteOffset;
    const length = byteLength === undefined ? room : byteLength;
    const maxLength = maxByteLength === undefined ? length : maxByteLength;
    checkStart(maxLength, room);
    checkStart(length, maxLength);
    this.buffer = buffer;
    this.byteOffset = byteOffset;
    this.byteLength = length;
    this.maxByteLength = maxLength;
  }

  /** Length in bytes, the same as `byteLength`. */
  get length(): number {
    return this.byteLength;
  }

  /** Makes the slice empty. It does not free a slice of a pool: see `PoolAllocator`. */
  reset(): void {
    this.buffer = NO_BYTES;
    this.byteOffset = 0;
    this.byteLength = 0;
    this.maxByteLength = 0;
  }

  /**
   * Copies bytes of the slice to a target, as many as the target has room for. The two may overlap.
   *
   * @param target Array or slice to copy to.
   * @param targetStart Offset in the target of the first byte written.
   * @param sourceStart Offset in the slice of the first byte copied.
   * @param sourceEnd Offset in the slice after the last byte copied.
   * @returns The number of bytes copied.
   * @throws {RangeError} If a start is not an integer, or is out of range.
   */
  copy(target: Uint8Array | Slice, targetStart = 0, sourceStart = 0, sourceEnd: number = this.byteLength): number {
    checkStart(targetStart, target.byteLength);
    checkStart(sourceStart, this.byteLength);
    const wanted = clampEnd(sourceEnd, this.byteLength) - sourceStart;
    const count = Math.min(wanted, target.byteLength - targetStart);
    if (count <= 0) return 0;
    const from = this.byteOffset + sourceStart;
    if (target instanceof Slice) copyBytes(this.buffer, from, target.buffer, target.byteOffset + targetStart, count);
    else copyBytes(this.buffer, from, target, targetStart, count);
    return count;
  }

  /**
   * Compares bytes, one after the other, as unsigned numbers. If one sequence begins with the
   * other, the shorter one comes first.
   *
   * @param target Array or slice to compare with.
   * @param targetStart Offset in the target of the first byte compared.
   * @param targetEnd Offset in the target after the last byte compared.
   * @param sourceStart Offset in the slice of the first byte compared.
   * @param sourceEnd Offset in the slice after the last byte compared.
   * @returns -1 if the slice comes first, 1 if the target does, 0 if they are equal.
   * @throws {RangeError} If a start is not an integer, or is out of range.
   */
  compare(
    target: Uint8Array | Slice,
    targetStart = 0,
    targetEnd: number = target.byteLength,
    sourceStart = 0,
    sourceEnd: number = this.byteLength,
  ): -1 | 0 | 1 {
    checkStart(targetStart, target.byteLength);
    checkStart(sourceStart, this.byteLength);
    const targetCount = Math.max(0, clampEnd(targetEnd, target.byteLength) - targetStart);
    const sourceCount = Math.max(0, clampEnd(sourceEnd, this.byteLength) - sourceStart);
    const ours = this.buffer;
    const theirs = target instanceof Slice ? target.buffer : target;
    const from = this.byteOffset + sourceStart;
    const to = target instanceof Slice ? target.byteOffset + targetStart : targetStart;
    for (let i = 0, count = Math.min(sourceCount, targetCount); i < count; i++) {
      const difference = ours[from + i] - theirs[to + i];
      if (difference !== 0) return difference < 0 ? -1 : 1;
    }
    return sourceCount === targetCount ? 0 : sourceCount < targetCount ? -1 : 1;
  }

  /**
   * Writes as much text into the slice as fits; UTF-8 only in whole characters.
   *
   * @param string Text to write. For `"latin1"` the low byte of each code unit counts. `"hex"` and
   * `"base64"` (both alphabets, with or without white space) are read up to the first character
   * that is not a digit.
   * @param offset Offset in the slice of the first byte written.
   * @param length Maximum number of bytes to write; by default up to the end of the slice.
   * @param encoding Encoding that makes bytes of the text.
   * @returns The number of bytes written.
   * @throws {RangeError} If `offset` or `length` is not an integer, or is out of range.
   * @throws {TypeError} If the encoding is not a {@linkcode SliceEncoding}.
   */
  write(
    string: string,
    offset = 0,
    length: number = this.byteLength - offset,
    encoding: SliceEncoding = "utf-8",
  ): number {
    checkStart(offset, this.byteLength);
    checkStart(length, this.byteLength - offset);
    const target = this.toBytes(offset, offset + length);
    switch (encoding) {
      case "utf-8":
        return writeUtf8(string, target);
      case "latin1":
        return writeLatin1(string, target);
      case "hex":
        return writeHex(string, target);
      case "base64":
        return writeBase64(string, target);
      default:
        throw unknownEncoding(encoding);
    }
  }

  /**
   * Copies bytes into the slice.
   *
   * @param source Array or slice to copy; `null` and `undefined` have no bytes.
   * @param offset Offset in the slice of the first byte written.
   * @throws {RangeError} If `offset` is not an integer or is out of range, or if the source does
   * not fit.
   */
  set(source: Uint8Array | Slice | null | undefined, offset = 0): void {
    if (source === null || source === undefined) return;
    checkStart(offset, this.byteLength);
    const room = this.byteLength - offset;
    if (source.byteLength > room) {
      throw new RangeError(`Cannot set ${source.byteLength} bytes at ${offset}: there is room for ${room}`);
    }
    const to = this.byteOffset + offset;
    if (source instanceof Slice) copyBytes(source.buffer, source.byteOffset, this.buffer, to, source.byteLength);
    else copyBytes(source, 0, this.buffer, to, source.length);
  }

  /**
   * Returns one byte.
   *
   * @param index Offset in the slice; a negative one counts from the end.
   * @returns The byte.
   * @throws {RangeError} If `index` is not an integer, or is out of range.
   */
  at(index: number): number {
    const { byteLength } = this;
    if (!Number.isInteger(index) || index >= byteLength || index < -byteLength) {
      throw new RangeError(`Cannot read at ${index}: expected an integer from ${-byteLength} to ${byteLength - 1}`);
    }
    return this.buffer[this.byteOffset + (index < 0 ? byteLength + index : index)];
  }

  /**
   * Tests the bytes of the slice.
   *
   * @param expression Test that receives `buffer`, `byteOffset` and `byteLength`.
   * @returns The result of the test.
   */
  test(expression: SliceExpression): boolean {
    return expression.test(this.buffer, this.byteOffset, this.byteLength);
  }

  /**
   * Decodes bytes of the slice to text.
   *
   * @param encoding Encoding of the text. Malformed UTF-8 becomes U+FFFD, and a byte-order mark
   * stays. Hexadecimal digits are lower case; base64 is that of RFC 4648 §4, padded.
   * @param start Offset of the first byte.
   * @param end Offset after the last byte.
   * @returns The text.
   * @throws {RangeError} If `start` is not an integer, or is out of range.
   * @throws {TypeError} If the encoding is not a {@linkcode SliceEncoding}.
   */
  toString(encoding: SliceEncoding = "utf-8", start = 0, end: number = this.byteLength): string {
    const bytes = this.toBytes(start, end);
    switch (encoding) {
      case "utf-8":
        // TextDecoder refuses shared memory in some engines.
        return decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
      case "latin1":
        return toLatin1(bytes);
      case "hex":
        return decode(toHex(bytes));
      case "base64":
        return decode(toBase64(bytes));
      default:
        throw unknownEncoding(encoding);
    }
  }

  /**
   * Returns bytes of the slice as a typed array.
   *
   * @param start Offset of the first byte.
   * @param end Offset after the last byte.
   * @returns A view of the same memory, not a copy.
   * @throws {RangeError} If `start` is not an integer, or is out of range.
   */
  toBytes(start = 0, end: number = this.byteLength): Uint8Array {
    checkStart(start, this.byteLength);
    const count = Math.max(0, clampEnd(end, this.byteLength) - start);
    const { buffer, byteOffset } = this;
    return new Uint8Array(buffer.buffer, buffer.byteOffset + byteOffset + start, count);
  }

  /**
   * Frees a slice of a `PoolAllocator`, like its `free`, and empties any other, like `reset`.
   * A `using` declaration calls it when its block ends. Does nothing for a slice that is free
   * already. Engines without `Symbol.dispose` do not have this method.
   *
   * @throws {TypeError} If the slice is part of a pool's buffer, but the pool has not allocated it.
   */
  [Symbol.dispose](): void {
    const owner = sliceOwners.get(this.buffer) as SliceOwner | undefined;
    if (owner !== undefined) owner.realloc(this, 0);
    else if (this.buffer.length > 0) this.reset();
  }
}

// An engine without Symbol.dispose has defined the method as "undefined".
if (Symbol.dispose === undefined) Reflect.deleteProperty(Slice.prototype, "undefined");

function checkStart(start: number, limit: number): void {
  if (!Number.isInteger(start) || start < 0 || start > limit) throw outOfRange(start, limit);
}

function outOfRange(start: number, limit: number): RangeError {
  return new RangeError(`Cannot use ${String(start)} in a slice: expected an integer from 0 to ${limit}`);
}

function unknownEncoding(encoding: never): TypeError {
  return new TypeError(`Cannot use encoding ${String(encoding)}: expected utf-8, latin1, hex or base64`);
}

/** Returns an end as an integer from 0 to the length. */
function clampEnd(end: number, length: number): number {
  return end >= length ? length : end > 0 ? Math.trunc(end) : 0;
}

function copyBytes(source: Uint8Array, from: number, target: Uint8Array, to: number, count: number): void {
  if (source === target) source.copyWithin(to, from, from + count); // needs no view
  else target.set(source.subarray(from, from + count), to);
}

/** Returns the bytes of an ASCII string. */
function asciiBytes(string: string): Uint8Array {
  return Uint8Array.from(string, (character) => character.charCodeAt(0));
}

function writeUtf8(string: string, target: Uint8Array): number {
  encoder ??= new TextEncoder();
  return encoder.encodeInto(string, target).written;
}

function writeLatin1(string: string, target: Uint8Array): number {
  const count = Math.min(string.length, target.length);
  for (let i = 0; i < count; i++) target[i] = string.charCodeAt(i);
  return count;
}

function writeHex(string: string, target: Uint8Array): number {
  const count = Math.min(string.length >>> 1, target.length);
  for (let i = 0; i < count; i++) {
    const byte = hexValue(string.charCodeAt(2 * i)) << 4 | hexValue(string.charCodeAt(2 * i + 1));
    if (byte < 0) return i;
    target[i] = byte;
  }
  return count;
}

/** Returns the value of a hexadecimal digit, or -1. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function writeBase64(string: string, target: Uint8Array): number {
  let bits = 0;
  let bitCount = 0;
  let written = 0;
  for (let i = 0; i < string.length && written < target.length; i++) {
    const code = string.charCodeAt(i);
    const value = code < 128 ? BASE64_VALUES[code] : NO_DIGIT;
    if (value === WHITESPACE) continue;
    if (value === NO_DIGIT) break;
    bits = bits << 6 | value;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      target[written++] = bits >>> bitCount;
    }
  }
  return written;
}

function toLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += MAX_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(start, start + MAX_ARGUMENTS));
  }
  return text;
}

function toHex(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    text[2 * i] = HEX_DIGITS[bytes[i] >>> 4];
    text[2 * i + 1] = HEX_DIGITS[bytes[i] & 15];
  }
  return text;
}

function toBase64(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PADDING);
  const whole = bytes.length - bytes.length % 3;
  let at = 0;
  for (let i = 0; i < whole; i += 3) {
    const bits = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
    text[at++] = BASE64_DIGITS[bits >>> 18];
    text[at++] = BASE64_DIGITS[bits >>> 12 & 63];
    text[at++] = BASE64_DIGITS[bits >>> 6 & 63];
    text[at++] = BASE64_DIGITS[bits & 63];
  }
  if (whole === bytes.length) return text;
  const hasTwo = whole + 1 < bytes.length;
  const bits = bytes[whole] << 16 | (hasTwo ? bytes[whole + 1] << 8 : 0);
  text[at++] = BASE64_DIGITS[bits >>> 18];
  text[at++] = BASE64_DIGITS[bits >>> 12 & 63];
  if (hasTwo) text[at] = BASE64_DIGITS[bits >>> 6 & 63];
  return text;
}
