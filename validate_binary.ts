/**
 * Validates JSON without building its value.
 *
 * {@linkcode validateBinary} validates bytes that are all in memory. {@linkcode BinaryValidator}
 * and {@linkcode JsonValidationStream} validate bytes that arrive in pieces, in constant memory.
 *
 * @module
 */

import { BinaryValidator, type BinaryValidatorOptions } from "./parser/streaming/binary_validator.ts";
import { detachedBuffer, type ParseFailure, syntaxErrorOf } from "./parser/base/failure.ts";
import {
  bufferOf,
  bytesOf,
  isByteArray,
  isShared,
  lengthOf,
  NO_OPTIONS,
  offsetOf,
  plainView,
} from "./parser/engine/input.ts";
import { type GuardOptions, guardsOf } from "./parser/options/options.ts";
import { failureOfText, validateGuarded } from "./parser/options/validate_guarded.ts";
import { newTransform } from "./parser/engine/transform_stream.ts";
import type { Slice } from "./slice.ts";

export type {
  DocumentSeparation,
  StreamValidationResult,
  ValidatedDocument,
} from "./parser/streaming/binary_validator.ts";
export type { FailureCode } from "./parser/base/failure.ts";
export { type ContentGuards, type ParseLimits, UNTRUSTED } from "./parser/options/options.ts";
export type * from "./slice.ts";
export { BinaryValidator };
export type { BinaryValidatorOptions, GuardOptions, ParseFailure };

/** Result of {@linkcode validateBinary}. A failure equals that of `parseBinary`. */
export type ValidationResult = { ok: true } | ParseFailure;

/**
 * Validates that bytes are one JSON text in UTF-8. The grammar is that of
 * [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
 *
 * No value is built, so it is faster than `parseBinary`, and needs only one bit of memory for each
 * open bracket. Shared memory is copied first, 16 KiB at a time, so that each byte is read once.
 *
 * The result is that of `parseBinary` on every input; failures have the same code, message and
 * location. The exceptions are `string-too-long` and `value-too-large`: a string, array or object
 * that is larger than the engine can hold is valid JSON nevertheless.
 *
 * @param input The bytes: a `Uint8Array` (a Node.js `Buffer` is one), an `ArrayBuffer`, a
 * `SharedArrayBuffer` or a `Slice`.
 * @param options Limits, forbidden names, and exact integers. With any of them, validation takes a
 * few times as long.
 * @returns `{ ok: true }`, or `{ ok: false, code, message, offset, line, column, truncated }` for
 * bytes that are not JSON and for a detached buffer.
 * @throws {TypeError} If `input` has none of these types, or an option is unknown or has a
 * wrong value.
 * @throws {RangeError} If `input` is a `Slice` whose fields were set to bytes outside its buffer.
 *
 * @example
 * ```ts
 * import { validateBinary } from "@bytejson/bytejson/validate-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const encoder = new TextEncoder();
 * assertEquals(validateBinary(encoder.encode('{"id": 7}')), { ok: true });
 * const result = validateBinary(encoder.encode('{"id": 7,}'));
 * assertEquals(result.ok || `${result.code} at ${result.offset}`, "expected-property-name at 9");
 * ```
 */
export function validateBinary(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  options?: GuardOptions,
): ValidationResult {
  const guards = guardsOf(options, "validateBinary", false);
  const bytes = bytesOf(input);
  if (bytes === null) return detachedBuffer();
  return (guards === null ? failureOfText(bytes) : validateGuarded(bytes, guards)) ?? { ok: true };
}

/**
 * Passes bytes through unchanged while they may be the beginning of a JSON text. At the first wrong
 * byte it fails, after passing on the bytes before it.
 *
 * The error is a `SyntaxError` with the message of the failure, and the failure as its `cause`. An
 * error that a callback throws fails the stream as it is.
 *
 * A chunk of shared memory is copied first. The copy is validated and passed on, so no other
 * thread can change it after validation. A chunk that is not a `Uint8Array` fails the stream with
 * a `TypeError`.
 *
 * @example
 * ```ts
 * import { JsonValidationStream } from "@bytejson/bytejson/validate-binary";
 * import { assertRejects } from "@std/assert";
 *
 * const body = new Blob(['{"id": 7,}']).stream().pipeThrough(new JsonValidationStream());
 * await assertRejects(() => new Response(body).text(), SyntaxError, "position 9");
 * ```
 */
export class JsonValidationStream implements TransformStream<Uint8Array<ArrayBuffer>, Uint8Array> {
  /** Readable side: the valid bytes, never in shared memory. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Writable side: the bytes to validate. */
  readonly writable: WritableStream<Uint8Array>;

  /**
   * Makes a transform stream for one input.
   *
   * @param options Options of a {@linkcode BinaryValidator}. The first failure ends the stream,
   * even if it has several documents.
   * @throws {TypeError} If `multiple` is neither `"lines"` nor `"concatenated"`, or if the engine
   * has no `TransformStream`.
   */
  constructor(options: BinaryValidatorOptions = NO_OPTIONS) {
    const validator = new BinaryValidator(options);
    let origin = 0;
    const transformer = {
      __proto__: null, // streams would read inherited members
      transform(piece, controller): void {
        if (!isByteArray(piece)) throw new TypeError("Cannot validate this chunk: expected a Uint8Array");
        const chunk = isShared(piece) ? new Uint8Array(plainView(piece)) : piece as Uint8Array<ArrayBuffer>;
        const result = validator.push(chunk) ? null : validator.end();
        if (result === null || result.ok) {
          controller.enqueue(chunk);
          origin += lengthOf(chunk);
          return;
        }
        if (result.offset > origin) {
          controller.enqueue(new Uint8Array(bufferOf(chunk) as ArrayBuffer, offsetOf(chunk), result.offset - origin));
        }
        throw syntaxErrorOf(result);
      },
      flush(): void {
        const result = validator.end();
        if (!result.ok) throw syntaxErrorOf(result);
      },
    } as Transformer<Uint8Array, Uint8Array<ArrayBuffer>>;
    const { readable, writable } = newTransform<Uint8Array, Uint8Array<ArrayBuffer>>(transformer);
    this.readable = readable;
    this.writable = writable;
  }
}
