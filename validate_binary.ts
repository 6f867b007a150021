/**
 * Whether bytes are a JSON text, without making its value: {@linkcode validateBinary} for bytes at hand,
 * {@linkcode BinaryValidator} and {@linkcode JsonValidationStream} for bytes that arrive in pieces, in constant memory.
 *
 * @module
 */

import {
  BinaryValidator,
  type BinaryValidatorOptions,
  type DocumentSeparation,
  type StreamValidationResult,
  type ValidatedDocument,
} from "./parser/binary_validator.ts";
import { describeFailure, type FailureCode, type ParseFailure } from "./parser/failure.ts";
import { bytesOf } from "./parser/input.ts";
import { closeBrackets, describeEnd, newMachine, readAll, resetMachine } from "./parser/validator.ts";
import type { Slice } from "./slice.ts";

const NO_BYTES = new Uint8Array(0);

export { BinaryValidator };
export type {
  BinaryValidatorOptions,
  DocumentSeparation,
  FailureCode,
  ParseFailure,
  StreamValidationResult,
  ValidatedDocument,
};

/** Outcome of {@linkcode validateBinary}; a failure is the one that `parseBinary` has for the same bytes. */
export type ValidationResult = { ok: true } | ParseFailure;

/** The machine of {@linkcode validateBinary}: nothing is called back, so one is enough. */
const machine = newMachine(false, false);

/**
 * Tells whether bytes are one JSON text (RFC 8259) in UTF-8. No value is made, so this is faster than `parseBinary`, and takes
 * no memory but a bit for each open bracket.
 *
 * The answer is `parseBinary`'s on every input, failures with their code, message and position included. The one exception is
 * `string-too-long`: a string that is longer than an engine can hold is valid JSON nevertheless.
 *
 * @param input The bytes: a `Uint8Array` (a Node `Buffer` is one), an `ArrayBuffer` or a `SharedArrayBuffer`, or a `Slice`.
 * @returns `{ ok: true }`, or `{ ok: false, code, message, offset, line, column }`. A detached buffer is such a failure too.
 * @throws {TypeError} If `input` is none of these types.
 *
 * @example
 * ```ts
 * import { validateBinary } from "@bytejson/bytejson/validate-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const encoder = new TextEncoder();
 * assertEquals(validateBinary(encoder.encode('{"id": 7}')), { ok: true });
 * assertEquals(validateBinary(encoder.encode('{"id": 7,}')), {
 *   ok: false,
 *   code: "expected-property-name",
 *   message: "Expected double-quoted property name in JSON at position 9 (line 1 column 10)",
 *   offset: 9,
 *   line: 1,
 *   column: 10,
 * });
 * ```
 */
export function validateBinary(input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): ValidationResult {
  const bytes = bytesOf(input);
  if (bytes === null) return describeFailure(NO_BYTES, "detached-buffer", 0);
  resetMachine(machine);
  const failure = readAll(machine, bytes) ?? describeEnd(machine, 0);
  closeBrackets(machine);
  return failure ?? { ok: true };
}

/**
 * A gate in a pipeline: bytes pass untouched as long as they may be the beginning of a JSON text; at the first one that may not, the
 * stream fails. The bytes before it have passed then.
 *
 * The error is a `SyntaxError` with the failure's message, its `cause` the failure. An error that a
 * callback throws fails the stream as it is. Of a chunk of shared memory a private copy is validated
 * and passed on: another thread cannot change it after validation.
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
export class JsonValidationStream extends TransformStream<Uint8Array, Uint8Array> {
  /**
   * A gate for one stream.
   *
   * @param options As for {@linkcode BinaryValidator}. With several documents too, the first failure ends the stream.
   * @throws {TypeError} As {@linkcode BinaryValidator} does.
   */
  constructor(options: BinaryValidatorOptions = {}) {
    const validator = new BinaryValidator(options);
    let origin = 0;
    super({
      transform(piece, controller): void {
        const chunk = isShared(piece) ? copyOf(piece) : piece;
        if (validator.push(chunk)) {
          controller.enqueue(chunk);
          origin += chunk.length;
          return;
        }
        const result = validator.end();
        if (result.ok) return;
        if (result.offset > origin) controller.enqueue(chunk.subarray(0, result.offset - origin));
        throw errorOf(result);
      },
      flush(): void {
        const result = validator.end();
        if (!result.ok) throw errorOf(result);
      },
    });
  }
}

/** Returns whether another thread may write to a chunk. */
function isShared(chunk: Uint8Array): boolean {
  return Object.prototype.toString.call(chunk?.buffer) === "[object SharedArrayBuffer]";
}

/** Returns a copy in memory that is not shared. A view of fixed length first: the buffer may grow meanwhile. */
function copyOf({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(new Uint8Array(buffer, byteOffset, length));
}

function errorOf(failure: ParseFailure): SyntaxError {
  return new SyntaxError(failure.message, { cause: failure });
}
