/**
 * Reading of JSON with comments. {@linkcode blankComments} makes blanks of comments and trailing
 * commas, so that any reader of JSON takes the rest.
 *
 * @module
 */

import { bytesOf } from "./parser/engine/input.ts";
import { blankInPlace } from "./parser/streaming/comments.ts";
import type { Slice } from "./slice.ts";

export type * from "./slice.ts";

/**
 * Copies a document that may have comments and trailing commas, and makes spaces of these: of
 * comments from `//` to the end of the line and from `/*` to its end, and of a comma after the last
 * element or member. Line ends stay.
 *
 * All other bytes stay where they are, so the offsets and lines that a reader reports are those of
 * the input. A column counts the bytes of a comment before it on its line.
 *
 * Nothing behind a failure is changed: reading the copy finds that failure, such as the slash of a
 * comment without end.
 *
 * @param input The bytes: a `Uint8Array` (a Node.js `Buffer` is one), an `ArrayBuffer`, a
 * `SharedArrayBuffer` or a `Slice`.
 * @returns The copy, of the same length; an empty one of a detached buffer.
 * @throws {TypeError} If `input` has none of these types.
 * @throws {RangeError} If `input` is a `Slice` whose fields were set to bytes outside its buffer, or
 * there is no memory for the copy.
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
