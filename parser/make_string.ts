/**
 * Flat strings from bytes: one byte a character where the text shapeMatches Latin-1, two otherwise, never a rope and never
 * a slice of something larger.
 *
 * @module
 */

import { packedArray } from "./arrays.ts";
import { bufferOf, offsetOf } from "./input.ts";

type Slice = (this: Uint8Array, start: number, end: number) => string;

interface NodeBuffer {
  Buffer?: { prototype?: { latin1Slice?: Slice; ucs2Slice?: Slice } };
}

const fromCharCode = String.fromCharCode;

// Reached at load and without an import, so that a browser loads this module too. Its slices cost half of what
// TextDecoder costs for a short string, and keep lone surrogates, which TextDecoder replaces.
const { process } = globalThis as {
  process?: { versions?: { bun?: string }; getBuiltinModule?: (name: string) => NodeBuffer | undefined };
};
const nodeBuffer = process?.getBuiltinModule?.("node:buffer")?.Buffer?.prototype;
const latin1Slice = nodeBuffer?.latin1Slice;
const ucs2Slice = nodeBuffer?.ucs2Slice;

/** Arguments a `fromCharCode.apply` gets at most, well below any engine's checkpoint. */
const APPLY_CHUNK = 8192;

/** For engines without `Buffer`: chunks joined by `join`, whose result is flat where that of `+` is a rope. */
function applyCharCodes(codes: Uint8Array | Uint16Array, start: number, end: number): string {
  if (end - start <= APPLY_CHUNK) return Reflect.apply(fromCharCode, null, partOf(codes, start, end));
  const chunks = packedArray(Math.ceil((end - start) / APPLY_CHUNK), "");
  for (let i = 0, p = start; p < end; i++, p += APPLY_CHUNK) {
    chunks[i] = Reflect.apply(fromCharCode, null, partOf(codes, p, Math.min(end, p + APPLY_CHUNK)));
  }
  return chunks.join("");
}

/** Returns a view of `codes[start, end)`. `subarray` would ask `codes`, which may be a caller's, for its constructor. */
function partOf(codes: Uint8Array | Uint16Array, start: number, end: number): Uint8Array | Uint16Array {
  const View = codes instanceof Uint16Array ? Uint16Array : Uint8Array;
  return new View(bufferOf(codes) as ArrayBuffer, offsetOf(codes) + start * View.BYTES_PER_ELEMENT, end - start);
}

/** In Bun a call into the runtime is the quicker way from two characters on: 29 ns against 30 to 83 (payloads there 0.86 → 1.05). */
const isCallCheap = process?.versions?.bun !== undefined;

/** Longest text made by `fromCharCode` with one argument a character. In characters. */
const MAX_FIXED_ARITY = isCallCheap ? 1 : 24;

/**
 * The text of `b[p, end)`, each byte a character.
 *
 * Up to 24 characters `fromCharCode` with one argument a character beats a call into the runtime: it costs some 8 ns and 2 ns a
 * character, `latin1Slice` 55 to 90 ns (bench/tokens_bench.ts; up to 40 nothing is gained and nothing lost).
 *
 * Precondition: `p < end`. Throws where the engine allows no string of that length.
 */
export function makeLatin1String(b: Uint8Array, p: number, end: number): string {
  p |= 0; // integers to the engine from the start
  const length = end - p | 0;
  if (length > MAX_FIXED_ARITY) {
    return latin1Slice !== undefined ? latin1Slice.call(b, p, end) : applyCharCodes(b, p, end);
  }
  if (length <= 8) return upTo8(b, p, length);
  if (length <= 16) return upTo16(b, p, length);
  return upTo24(b, p, length);
}

// deno-fmt-ignore
function upTo8(b: Uint8Array, p: number, length: number): string {
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
function upTo16(b: Uint8Array, p: number, length: number): string {
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
function upTo24(b: Uint8Array, p: number, length: number): string {
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

/** Longest text of two bytes a character made by `fromCharCode` with one argument a character. In characters. */
const MAX_WIDE_ARITY = isCallCheap ? 1 : 16;

/**
 * The text of the first `length` UTF-16 code units of `codes`, lone surrogates kept. `bytes` is a view of the same memory.
 *
 * The fixed arities are written out once more for code units, as functions that met both kinds of array would read each element
 * by a comparison of its kind (a fifth slower, for all texts).
 *
 * Precondition: `length > 0`, and at least one unit is above 0xFF. Throws where the engine allows no such length.
 */
export function makeUtf16String(codes: Uint16Array, bytes: Uint8Array, length: number): string {
  if (length <= MAX_WIDE_ARITY) return wideUpTo16(codes, length);
  return ucs2Slice !== undefined ? ucs2Slice.call(bytes, 0, 2 * length) : applyCharCodes(codes, 0, length);
}

// deno-fmt-ignore
function wideUpTo16(c: Uint16Array, length: number): string {
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
