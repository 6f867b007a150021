/** Bytes of inputs, and every form in which a caller may pass them. */

import { Buffer } from "node:buffer";
import { PoolAllocator } from "../../pool_allocator.ts";
import { Slice } from "../../slice.ts";

/** Input of `parseBinary`. */
export type Input = Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Concatenates the UTF-8 of strings, and numbers as single bytes. */
export function utf8(...parts: (string | number)[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map((part) => typeof part === "number" ? Uint8Array.of(part) : encoder.encode(part));
  return bytes.length === 1 ? bytes[0] : concat(bytes);
}

/**
 * Decodes well-formed UTF-8, a byte-order mark included; returns `undefined` for any other bytes. A
 * fatal decoder would be slow on millions of malformed inputs, since it throws.
 */
export function textOf(bytes: Uint8Array): string | undefined {
  const text = decoder.decode(bytes);
  if (!text.includes("\ufffd")) return text;
  const again = encoder.encode(text);
  return again.length === bytes.length && again.every((byte, i) => byte === bytes[i]) ? text : undefined;
}

/** Encodes a text as UTF-16. */
export function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  return wordsOf(text.split("").map((unit) => unit.charCodeAt(0)), 2, isLittle);
}

/** Encodes a text, or code points, as UTF-32. */
export function utf32(text: string | readonly number[], isLittle: boolean): Uint8Array<ArrayBuffer> {
  const points = typeof text === "string" ? Array.from(text, (character) => character.codePointAt(0)!) : text;
  return wordsOf(points, 4, isLittle);
}

function wordsOf(numbers: readonly number[], size: 2 | 4, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(size * numbers.length));
  for (const [i, number] of numbers.entries()) {
    if (size === 2) view.setUint16(2 * i, number, isLittle);
    else view.setUint32(4 * i, number, isLittle);
  }
  return new Uint8Array(view.buffer);
}

/** Decodes hexadecimal digits. A field of "-" has none. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

export function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Returns a view of the bytes of an input. */
export function bytesOf(input: Input): Uint8Array {
  if (input instanceof Slice) return input.toBytes();
  return input instanceof Uint8Array ? input : new Uint8Array(input);
}

/** Renders an input for an error message: escaped text, shortened in the middle. */
export function show(input: Input): string {
  const bytes = bytesOf(input);
  const printable = (byte: number): string =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`;
  const text = (part: Uint8Array): string => Array.from(part, printable).join("");
  if (bytes.length <= 400) return text(bytes);
  return `${text(bytes.subarray(0, 200))} … ${bytes.length - 400} bytes … ${text(bytes.subarray(-200))}`;
}

/**
 * Bytes around an input that a reader running past its end would notice: they extend, close or
 * break the last token.
 */
export const NEIGHBOURS = ["0", "9", "e5", ".5", '"', "\\", "]", "}", ",", ":", " ", "\n", "x", "\x80", "\xbf", "\xff"];

/** Copies bytes to a view at an odd offset, with `neighbour` (Latin-1) repeated on both sides. */
export function between(neighbour: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const margin = 17;
  const whole = new Uint8Array(bytes.length + 2 * margin);
  for (let i = 0; i < whole.length; i++) whole[i] = neighbour.charCodeAt(i % neighbour.length);
  whole.set(bytes, margin);
  for (let i = 0; i < margin; i++) whole[margin + bytes.length + i] = neighbour.charCodeAt(i % neighbour.length);
  return whole.subarray(margin, margin + bytes.length);
}

/** Pool whose first slice is filled with digits: the left neighbours of {@linkcode pooledSlice}. */
const pool = new PoolAllocator(2 ** 20);
pool.realloc(100).toBytes().fill(0x39);
/** Slice that all inputs of the pool reuse, so that remains of an earlier one are on its right. */
const pooledSlice = new Slice();

/** Form in which bytes are passed: its name, and a function that creates such an input. */
export type Form = [name: string, make: (bytes: Uint8Array) => Input];

/** Every form in which bytes may be passed. */
export const FORMS: Form[] = [
  ["Uint8Array", (bytes) => bytes.slice()],
  ["ArrayBuffer", (bytes) => bytes.slice().buffer],
  ...NEIGHBOURS.map((neighbour): Form => [
    `between ${JSON.stringify(neighbour)}`,
    (bytes) => between(neighbour, bytes),
  ]),
  ["Buffer", (bytes) => filled(Buffer.allocUnsafe(bytes.length + 9).fill("9").subarray(5, 5 + bytes.length), bytes)],
  ["SharedArrayBuffer", (bytes) => filled(new Uint8Array(new SharedArrayBuffer(bytes.length)), bytes).buffer],
  ["Uint8Array on a SharedArrayBuffer", (bytes) => {
    const around = new Uint8Array(new SharedArrayBuffer(bytes.length + 14)).fill(0x39);
    return filled(around.subarray(7, 7 + bytes.length), bytes);
  }],
  ["view of fixed length on a resizable ArrayBuffer", (bytes) => {
    return filled(new Uint8Array(resizable(bytes.length + 7), 3, bytes.length), bytes);
  }],
  ["length-tracking view", (bytes) => filled(new Uint8Array(resizable(bytes.length + 3), 3), bytes)],
  ["length-tracking view, grown", (bytes) => {
    const view = new Uint8Array(resizable(0, bytes.length));
    view.buffer.resize(bytes.length);
    return filled(view, bytes);
  }],
  ["resizable ArrayBuffer", (bytes) => filled(new Uint8Array(resizable(bytes.length)), bytes).buffer],
  [
    "length-tracking view on a SharedArrayBuffer",
    (bytes) => filled(new Uint8Array(growableShared(bytes.length)), bytes),
  ],
  ["Slice", (bytes) => {
    const around = between("9", bytes);
    return new Slice(new Uint8Array(around.buffer, 5), 12, bytes.length);
  }],
  ["Slice of a pool", (bytes) => {
    pool.realloc(pooledSlice, bytes.length + 1).set(new Uint8Array(bytes.length + 1).fill(0x39));
    pooledSlice.byteLength = bytes.length;
    pooledSlice.set(bytes);
    return pooledSlice;
  }],
  ["growable SharedArrayBuffer", (bytes) => filled(new Uint8Array(growableShared(bytes.length)), bytes).buffer],
];

function filled<T extends Uint8Array>(view: T, bytes: Uint8Array): T {
  view.set(bytes);
  return view;
}

function resizable(length: number, maxByteLength = length + 64): ArrayBuffer {
  return new ArrayBuffer(length, { maxByteLength });
}

function growableShared(length: number): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(0, { maxByteLength: length + 64 });
  buffer.grow(length);
  return buffer;
}
