/**
 * {@linkcode parseBinary}: a JSON text in bytes to its value, or to a failure that says where and why.
 *
 * @module
 */

import { describeFailure, type FailureCode, type ParseFailure } from "./parser/failure.ts";
import * as inputs from "./parser/input.ts";
import * as documents from "./parser/parse_document.ts";
import type { Slice } from "./slice.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { bytesOf, isReadable, SLICE } = inputs;
const { parseDocument, parseRange } = documents;

const NO_BYTES = new Uint8Array(0);

export type { FailureCode, ParseFailure };

/** What a caller gets for a JSON text. */
export interface ParseSuccess<T = unknown> {
  /** Always `true`. */
  ok: true;
  /** The value, the same that `JSON.parse` gives. */
  value: T;
}

/** Outcome of {@linkcode parseBinary}; `ok` tells the two apart. */
export type ParseResult<T = unknown> = ParseSuccess<T> | ParseFailure;

/**
 * Parses a JSON text straight from UTF-8 bytes. Synchronous; the bytes are read in place (up to 512 of them from a scratch of this
 * module, wiped afterwards), only string tokens are decoded, and nothing of the input is kept: neither the value nor this module
 * refers to it afterwards.
 * The input is never detached; give it to `detach` when you are done with it.
 *
 * The value is the one `JSON.parse` gives (ECMA-262 §25.5.1), bit for bit: key order, last duplicate key,
 * own `"__proto__"`, `-0`, lone surrogate escapes, nesting of any depth. One leading byte-order mark is skipped
 * (RFC 8259 §8.1). Malformed UTF-8 is a failure, never a replacement character.
 *
 * @typeParam T What you expect the value to be; it is not checked.
 * @param input The bytes: a `Uint8Array` (a Node `Buffer` is one), an `ArrayBuffer` or a `SharedArrayBuffer`,
 * of fixed length or resizable, or a `Slice`.
 * @returns `{ ok: true, value }`, or for input that is not a JSON text `{ ok: false, code, message, offset, line, column }`.
 * A detached buffer is such a failure too. Bad input never throws.
 * @throws {TypeError} If `input` is none of these types: a programmer's error.
 * @throws {RangeError} If `input` is a slice whose fields were set to what is not within its buffer: another.
 *
 * @example A request body
 * ```ts
 * import { parseBinary } from "@bytejson/bytejson/parse-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const result = parseBinary(new TextEncoder().encode('{"id": 7, "tags": ["a", "b"]}'));
 * assertEquals(result, { ok: true, value: { id: 7, tags: ["a", "b"] } });
 * ```
 *
 * @example Garbage
 * ```ts
 * import { parseBinary } from "@bytejson/bytejson/parse-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const result = parseBinary(new TextEncoder().encode('{"id": 7,}'));
 * assertEquals(result, {
 *   ok: false,
 *   code: "expected-property-name",
 *   message: "Expected double-quoted property name in JSON at position 9 (line 1 column 10)",
 *   offset: 9,
 *   line: 1,
 *   column: 10,
 * });
 * ```
 */
export function parseBinary<T = unknown>(input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): ParseResult<T> {
  const bytes = bytesOf(input, false);
  if (bytes === SLICE) return parseSlice(input as Slice) as ParseResult<T>;
  if (bytes === null) return describeFailure(NO_BYTES, "detached-buffer", 0);
  return parseDocument(bytes) as ParseResult<T>;
}

function parseSlice(slice: Slice): ParseResult {
  const { buffer, byteOffset, byteLength } = slice;
  if (!isReadable(slice)) return describeFailure(NO_BYTES, "detached-buffer", 0);
  return parseRange(buffer, byteOffset, byteLength);
}
