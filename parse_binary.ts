/**
 * Parses a JSON text in bytes: {@linkcode parseBinary} returns its value, or a failure that says
 * where and why.
 *
 * @module
 */

import { detachedBuffer, type ParseResult, syntaxErrorOf } from "./parser/base/failure.ts";
import { bytesOf, isReadableSlice, UNVIEWED_SLICE } from "./parser/engine/input.ts";
import { parseDocument, parseRange } from "./parser/document/parse_document.ts";
import { buildingGuardsOf, type ParseOptions } from "./parser/options/options.ts";
import { parseGuarded } from "./parser/options/parse_guarded.ts";
import type { Slice } from "./slice.ts";

export type { FailureCode, ParseFailure, ParseSuccess } from "./parser/base/failure.ts";
export { type ParseLimits, UNTRUSTED } from "./parser/options/options.ts";
export type * from "./slice.ts";
export type { ParseOptions, ParseResult };

/**
 * Parses a JSON text straight from UTF-8 bytes, synchronously. Only string tokens are decoded.
 *
 * The bytes are read in place, or from a copy if they are in shared memory. An input of up to 512
 * bytes is copied to a buffer of this module, which is wiped afterwards. When the call returns,
 * neither the value nor this module refers to the input. The input is never detached. Pass it to
 * `detach` when you are done with it.
 *
 * The value is exactly the one that `JSON.parse` returns (ECMA-262 §25.5.1), including key order,
 * the last of duplicate keys, own `"__proto__"`, `-0`, lone surrogate escapes, and nesting of any
 * depth. One leading byte-order mark is skipped (RFC 8259 §8.1). Malformed UTF-8 is a failure,
 * never a replacement character.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param input The bytes: a `Uint8Array` (a Node `Buffer` is one), an `ArrayBuffer` or a
 * `SharedArrayBuffer`, of fixed length or resizable, or a `Slice`.
 * @param options Limits, and treatment of duplicate names, of names that may poison prototypes, and
 * of numbers. {@linkcode UNTRUSTED} has limits for untrusted bodies.
 * @returns `{ ok: true, value }` or, for input that is not a JSON text, that the options refuse, or
 * whose buffer is detached, `{ ok: false, code, message, offset, line, column, truncated }`.
 * Malformed input never throws.
 * @throws {TypeError} If `input` has none of these types, or an option is unknown or has a wrong
 * value: a programming error.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer: a programming error too.
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
 *   truncated: false,
 * });
 * ```
 */
export function parseBinary<T = unknown>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  options?: ParseOptions,
): ParseResult<T> {
  if (options !== undefined) return parseWithOptions(input, options) as ParseResult<T>;
  const bytes = bytesOf(input, false);
  if (bytes === UNVIEWED_SLICE) return parseSlice(input as Slice) as ParseResult<T>;
  if (bytes === null) return detachedBuffer();
  return parseDocument(bytes) as ParseResult<T>;
}

/**
 * Like {@linkcode parseBinary}, but returns the value itself and throws for a failure. Use it in
 * code that already handles the exceptions of `JSON.parse`.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param input The bytes, as `parseBinary` takes them.
 * @param options Options of `parseBinary`.
 * @returns The value.
 * @throws {SyntaxError} If the input is not a JSON text, or the options refuse it. The message is
 * that of the failure, which is the `cause`.
 * @throws {TypeError} If `input` is not bytes, or an option is unknown or has a wrong value.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 *
 * @example
 * ```ts
 * import { parseOrThrow } from "@bytejson/bytejson/parse-binary";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const encoder = new TextEncoder();
 * assertEquals(parseOrThrow(encoder.encode("[1, 2]")), [1, 2]);
 * assertThrows(() => parseOrThrow(encoder.encode("[1, 2")), SyntaxError, "Expected ',' or ']'");
 * ```
 */
export function parseOrThrow<T = unknown>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  options?: ParseOptions,
): T {
  const result = parseBinary<T>(input, options);
  if (result.ok) return result.value;
  throw syntaxErrorOf(result);
}

/** Parses with options, in a separate function, so that parsing without options stays short. */
function parseWithOptions(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  options: ParseOptions,
): ParseResult {
  const guards = buildingGuardsOf(options, "parseBinary");
  if (guards === null) return parseBinary(input);
  const bytes = bytesOf(input);
  return bytes === null ? detachedBuffer() : parseGuarded(bytes, guards);
}

function parseSlice(slice: Slice): ParseResult {
  const { buffer, byteOffset, byteLength } = slice; // read once: they may be accessors
  if (!isReadableSlice(buffer, byteOffset, byteLength)) return detachedBuffer();
  return parseRange(buffer, byteOffset, byteLength);
}
