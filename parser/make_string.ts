/**
 * Makes flat strings: one byte a character if all fit Latin-1, two bytes otherwise. No result is a
 * rope or a slice of a larger string.
 *
 * @module
 */

import { packedArray } from "./arrays.ts";
import { bufferOf, offsetOf } from "./input.ts";

type SliceMethod = (this: Uint8Array, start: number, end: number) => string;

interface NodeBuffer {
  Buffer?: { prototype?: { latin1Slice?: SliceMethod; ucs2Slice?: SliceMethod } };
}

const fromCharCode = String.fromCharCode;

// Methods of Node's `Buffer`, reached without an import, so that browsers load this module too. For
// short strings they cost half of what `TextDecoder` costs. They also keep lone surrogates, which
// `TextDecoder` replaces.
const { process } = globalThis as {
  process?: { versions?: { bun?: string }; getBuiltinModule?: (name: string) => NodeBuffer | undefined };
};
// An element of a page may be called `process`, and another in it `getBuiltinModule`.
const nodeBuffer = typeof process?.getBuiltinModule === "function"
  ? process.getBuiltinModule("node:buffer")?.Buffer?.prototype
  : undefined;
const latin1Slice = nodeBuffer?.latin1Slice;
const ucs2Slice = nodeBuffer?.ucs2Slice;

/** Most arguments of one call of `fromCharCode`: well below the limit of any engine. */
const MAX_APPLY_ARGUMENTS = 8192;

/**
 * Makes a long string in runtimes without `Buffer`, by chunks. `join` returns a flat string where
 * `+` would return a rope.
 */
function makeStringByChunks(codes: Uint8Array | Uint16Array, start: number, end: number): string {
  if (end - start <= MAX_APPLY_ARGUMENTS) return Reflect.apply(fromCharCode, null, viewRange(codes, start, end));
  const chunks = packedArray(Math.ceil((end - start) / MAX_APPLY_ARGUMENTS), "");
  for (let i = 0, p = start; p < end; i++, p += MAX_APPLY_ARGUMENTS) {
    chunks[i] = Reflect.apply(fromCharCode, null, viewRange(codes, p, Math.min(end, p + MAX_APPLY_ARGUMENTS)));
  }
  return chunks.join("");
}

/**
 * Returns a view of `codes[start, end)`. `subarray` would look up the constructor of `codes`, which
 * a caller may have set.
 */
function viewRange(codes: Uint8Array | Uint16Array, start: number, end: number): Uint8Array | Uint16Array {
  const View = codes instanceof Uint16Array ? Uint16Array : Uint8Array;
  return new View(bufferOf(codes) as ArrayBuffer, offsetOf(codes) + start * View.BYTES_PER_ELEMENT, end - start);
}

/**
 * True in Bun, where a call of `Buffer` is faster from two characters on: 29 ns against 30 to 83 ns
 * (compare in Bun, payloads: 0.86 → 1.05).
 */
const isRuntimeCallCheap = process?.versions?.bun !== undefined;

/**
 * Characters of the longest Latin-1 string made by `fromCharCode` with one argument a character.
 */
const MAX_LATIN1_ARITY = isRuntimeCallCheap ? 1 : 24;

/**
 * Returns the string of `bytes[start, end)`, each byte a character.
 *
 * Up to 24 characters `fromCharCode` with one argument a character costs 8 ns and 2 ns a character,
 * `latin1Slice` 55 to 90 ns at any length (bench/tokens.ts). From 25 to 40 characters they
 * are even.
 *
 * Precondition: `start < end`. Throws if the engine allows no string of that length.
 */
export function makeLatin1String(bytes: Uint8Array, start: number, end: number): string {
  start |= 0; // "Integers": see ARCHITECTURE.md
  const length = end - start | 0;
  if (length > MAX_LATIN1_ARITY) {
    return latin1Slice !== undefined ? latin1Slice.call(bytes, start, end) : makeStringByChunks(bytes, start, end);
  }
  if (length <= 8) return stringOf1To8(bytes, start, length);
  if (length <= 16) return stringOf9To16(bytes, start, length);
  return stringOf17To24(bytes, start, length);
}

// deno-fmt-ignore
function stringOf1To8(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 1: return fromCharCode(b[p]);
    case 2: return fromCharCode(b[p], b[p + 1]);
    case 3: return fromCharCode(b[p], b[p + 1], b[p + 2]);
    case 4: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3]);
    case 5: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4]);
    case 6: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5]);
    case 7: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6]);
    default: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7]);
  }
}

// deno-fmt-ignore
function stringOf9To16(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 9: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8]);
    case 10: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9]);
    case 11: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10]);
    case 12: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11]);
    case 13: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12]);
    case 14: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13]);
    case 15: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14]);
    default: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15]);
  }
}

// deno-fmt-ignore
function stringOf17To24(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 17: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16]);
    case 18: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17]);
    case 19: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18]);
    case 20: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19]);
    case 21: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20]);
    case 22: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21]);
    case 23: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22]);
    default: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22], b[p + 23]);
  }
}

/** Code units of the longest UTF-16 string made by `fromCharCode` with one argument a unit. */
const MAX_UTF16_ARITY = isRuntimeCallCheap ? 1 : 16;

/**
 * Returns the string of the first `length` UTF-16 code units of `codes`, lone surrogates kept.
 * `bytes` is a view of the same memory.
 *
 * The calls of fixed arity are repeated for `Uint16Array`. In a function that has met two types of
 * arrays, V8 checks the type at each read of an element (all strings: 1/5 slower).
 *
 * Precondition: `length > 0`, and at least one unit is above 0xFF. Throws if the engine allows no
 * string of that length.
 */
export function makeUtf16String(codes: Uint16Array, bytes: Uint8Array, length: number): string {
  if (length <= MAX_UTF16_ARITY) return utf16StringOf1To16(codes, length);
  return ucs2Slice !== undefined ? ucs2Slice.call(bytes, 0, 2 * length) : makeStringByChunks(codes, 0, length);
}

// deno-fmt-ignore
function utf16StringOf1To16(c: Uint16Array, length: number): string {
  switch (length) {
    case 1: return fromCharCode(c[0]);
    case 2: return fromCharCode(c[0], c[1]);
    case 3: return fromCharCode(c[0], c[1], c[2]);
    case 4: return fromCharCode(c[0], c[1], c[2], c[3]);
    case 5: return fromCharCode(c[0], c[1], c[2], c[3], c[4]);
    case 6: return fromCharCode(c[0], c[1], c[2], c[3], c[4], c[5]);
    case 7: return fromCharCode(c[0], c[1], c[2], c[3], c[4], c[5], c[6]);
    case 8: return fromCharCode(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
    case 9: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8]);
    case 10: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9]);
    case 11: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10]);
    case 12: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11]);
    case 13: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12]);
    case 14: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12], c[13]);
    case 15: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12], c[13], c[14]);
    default: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12], c[13], c[14], c[15]);
  }
}
