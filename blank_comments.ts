/**
 * Support for JSON with comments. {@linkcode blankComments} replaces comments and trailing commas
 * by spaces, so that any JSON parser accepts the result.
 *
 * @module
 */

import { bytesOf } from "./parser/engine/input.ts";
import { blankInPlace } from "./parser/streaming/comments.ts";
import type { Slice } from "./slice.ts";

export type * from "./slice.ts";

/**
 * Copies a document and replaces its comments and trailing commas by spaces. A comment runs from
 * `//` to the end of the line, or from `/*` to its closing mark; a trailing comma follows the last
 * element or member. Line ends are kept.
 *
 * All other bytes stay where they are, so the offsets and lines that a reader reports are those of
 * the input. A column counts the bytes of a comment before it on its line.
 *
 * Nothing after a syntax error is changed, so parsing the copy reports that error: the slash of an
 * unterminated comment, for example.
 *
 * @param input The bytes: a `Uint8Array` (a Node.js `Buffer` is one), an `ArrayBuffer`, a
 * `SharedArrayBuffer` or a `Slice`.
 * @returns The copy, of the same length; empty for a detached buffer.
 * @throws {TypeError} If `input` has none of these types.
 * @throws {RangeError} If `input` is a `Slice` whose fields were set to bytes outside its buffer,
 * or there is no memory for the copy.
 *
 * @example
 * ```ts
 * import { blankComments } from "@bytejson/bytejson/blank-comments";
 * import { parseBinary } from "@bytejson/bytejson/parse-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const text = '{\n  "port": 80, // the default\n}';
 * const result = parseBinary(blankComments(new TextEncoder().encode(text)));
 * assertEquals(result, { ok: true, value: { port: 80 } });
 * ```
 */
export function blankComments(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytesOf(input) ?? []);
  blankInPlace(copy);
  return copy;
}
