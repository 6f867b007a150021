/**
 * Validation of bytes that arrive in pieces.
 *
 * This module does not contain `JsonValidationStream`, because Deno takes 2 ms to make
 * `TransformStream` at first use, and programs without streams need not wait for it.
 */

import { CallGate } from "../base/call_gate.ts";
import { GUARD_NAMES } from "../base/option_names.ts";
import { describeFailure, failureAtOffset, type ParseFailure } from "../base/failure.ts";
import { countPendingReturn } from "../base/line_counter.ts";
import { bufferOf, bytesOf, lengthOf, NO_OPTIONS, offsetOf, plainView, unsharedView } from "../engine/input.ts";
import { type GuardOptions, guardsOf, needsCheck } from "../options/options.ts";
import { BACKTRACK } from "../validation/token_dfa.ts";
import { readAll, readInPieces } from "../validation/validator.ts";
import type { Slice } from "../../slice.ts";
import { NO_BYTES } from "../engine/no_bytes.ts";
import { type DocumentSeparation, DocumentValidator } from "./document_validator.ts";

export type { DocumentSeparation };

const VALIDATOR_NAMES = /* @__PURE__ */ GUARD_NAMES.concat("multiple", "onDocument", "onFailure");

/** Result of {@linkcode BinaryValidator.end}: the length of a valid input, or its failure. */
export type StreamValidationResult = { ok: true; bytes: number } | ParseFailure;

/** One of several documents in an input. Offsets and lines count from its beginning. */
export interface ValidatedDocument {
  /** Number of documents before this one. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /** Offset after the last byte; for an invalid document, the end of the line with the failure. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Failure of an invalid document, `null` of a valid one. */
  failure: ParseFailure | null;
}

/**
 * Options of a {@linkcode BinaryValidator}.
 *
 * The callbacks run within `push` and `end`, and must not call the validator. If a callback throws,
 * the validator passes the error on, and takes no more calls until `reset`.
 */
export interface BinaryValidatorOptions extends GuardOptions {
  /** Separation of documents in an input of several; by default the input is one document. */
  multiple?: DocumentSeparation;
  /** Receives each document after its end, valid or not. Called only if `multiple` is given. */
  onDocument?: (document: ValidatedDocument) => void;
  /** Receives each failure at once, unlike `onDocument`, which waits for the end of the line. */
  onFailure?: (failure: ParseFailure) => void;
}

/**
 * Validates JSON that arrives in pieces, in constant memory apart from one bit for each
 * open bracket.
 *
 * Pieces may end anywhere, even within a character or a number, and none of their bytes are kept.
 * Result, offset, line and column are those of {@linkcode validateBinary} for the whole input.
 *
 * With `multiple`, validation continues on the line after an invalid document, and an input without
 * documents is valid.
 *
 * Pieces of shared memory are copied first, 16 KiB at a time, so that each byte is read once.
 *
 * The grammar is that of [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
 *
 * @example Pieces of one document
 * ```ts
 * import { BinaryValidator } from "@bytejson/bytejson/validate-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const validator = new BinaryValidator();
 * const encoder = new TextEncoder();
 * for (const text of ['[1, "tw', 'o", 3', "]"]) {
 *   if (!validator.push(encoder.encode(text))) break;
 * }
 * assertEquals(validator.end(), { ok: true, bytes: 13 });
 * ```
 *
 * @example JSON Lines
 * ```ts
 * import { BinaryValidator } from "@bytejson/bytejson/validate-binary";
 * import { assertEquals } from "@std/assert";
 *
 * const bad: number[] = [];
 * const validator = new BinaryValidator({
 *   multiple: "lines",
 *   onDocument: ({ line, failure }) => failure && bad.push(line),
 * });
 * validator.push(new TextEncoder().encode('{"a": 1}\n{"a": \n{"a": 3}\n'));
 * assertEquals(validator.end().ok, false);
 * assertEquals(bad, [2]);
 * ```
 */
export class BinaryValidator {
  readonly #validator: DocumentValidator;
  /** Whether options ask for more than the grammar and a number of bytes. */
  readonly #hasChecks: boolean;
  readonly #maxBytes: number;
  readonly #multiple: DocumentSeparation | undefined;
  readonly #onDocument: ((document: ValidatedDocument) => void) | undefined;
  readonly #onFailure: ((failure: ParseFailure) => void) | undefined;
  #failure: ParseFailure | null = null;
  /** Whether the input has had more than `maxBytes`. */
  #isFull = false;
  /** Current document of several, valid so far or being skipped; `null` between documents. */
  #document: ValidatedDocument | null = null;
  #count = 0;
  readonly #gate = new CallGate("validator", () => {});

  /**
   * Makes a validator at the beginning of an input.
   *
   * @param options Separation of several documents, and callbacks for documents and failures.
   * @throws {TypeError} If `multiple` is neither `"lines"` nor `"concatenated"`, or if an option
   * that guards has a wrong value.
   */
  constructor(options: BinaryValidatorOptions = NO_OPTIONS) {
    const guards = guardsOf(options, "BinaryValidator", false, VALIDATOR_NAMES);
    const { multiple, onDocument, onFailure } = options;
    if (multiple !== undefined && multiple !== "lines" && multiple !== "concatenated") {
      throw new TypeError('Cannot separate documents this way: expected "lines" or "concatenated"');
    }
    this.#hasChecks = guards !== null && needsCheck(guards);
    this.#maxBytes = guards === null ? Infinity : guards.maxBytes;
    this.#multiple = multiple;
    this.#onDocument = onDocument;
    this.#onFailure = onFailure;
    const sink = {
      describesFailures: true,
      beginDocument: (start: number, line: number): void => {
        this.#document = { index: this.#count, start, end: start, line, failure: null };
      },
      addFailure: (failure: ParseFailure | null): void => {
        if (this.#document !== null) this.#document.failure = failure;
        this.#fail(failure!);
      },
      endDocument: (end: number): void => this.#reportDocument(end),
    };
    const settings = { multiple, guards, maxDepth: Infinity, comments: null, endsAtFailure: multiple === undefined };
    this.#validator = new DocumentValidator(sink, settings);
  }

  /**
   * Validates the next piece of the input. The caller may change or detach the piece afterwards.
   *
   * @param chunk The bytes, any number of them.
   * @returns `true` while the input may be the beginning of a valid one; `false` from the first
   * failure on. A piece whose buffer is detached is a failure.
   * @throws {TypeError} If `chunk` is not bytes. The validator stays as it was.
   * @throws {RangeError} If `chunk` is a `Slice` whose fields were set to bytes outside its buffer.
   * The validator stays as it was.
   * @throws {TypeError} If a callback detaches or resizes the buffer of the piece.
   * @throws {Error} If a callback of this validator calls `push`, or if an earlier call threw for
   * another reason than its argument. The input cannot be continued then; `reset` begins a new one.
   */
  push(chunk: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): boolean {
    const bytes = bytesOf(chunk);
    return this.#gate.call("validate a piece", () => {
      if (bytes === null) this.#fail(describeFailure(NO_BYTES, "detached-buffer", 0));
      else if (!this.#isFull) this.#readChunk(bytes);
      return this.#failure === null;
    });
  }

  /**
   * Ends the input.
   *
   * @returns `{ ok: true, bytes }` with the length of the input, or its first failure.
   * @throws {Error} For the same reasons as {@linkcode BinaryValidator.push}.
   */
  end(): StreamValidationResult {
    return this.#gate.call("end the input", () => {
      if (!this.#isFull && (this.#multiple !== undefined || this.#failure === null)) this.#validator.end();
      return this.#failure ?? { ok: true, bytes: this.#validator.machine.pieceStart };
    });
  }

  /**
   * Forgets the input: the next piece is the first of a new one. A validator whose callback threw
   * takes calls again.
   *
   * @throws {Error} If a callback of this validator calls it.
   */
  reset(): void {
    this.#gate.reset(() => {
      this.#validator.reset(0);
      this.#failure = this.#document = null;
      this.#isFull = false;
      this.#count = 0;
    });
  }

  #readChunk(bytes: Uint8Array): void {
    const { machine } = this.#validator;
    const isOnly = this.#multiple === undefined;
    if (isOnly && this.#failure !== null) return;
    const room = this.#maxBytes - machine.pieceStart;
    const isFull = lengthOf(bytes) > room;
    const byte = isFull ? bytes[room] : 0;
    if (isFull) bytes = new Uint8Array(bufferOf(bytes), offsetOf(bytes), room);
    if (isOnly && !this.#hasChecks) {
      const failure = readAll(machine, bytes);
      if (failure !== null) this.#fail(failure);
    } else {
      // With checks, a copy of shared memory, which both readers find the same.
      readInPieces(this.#hasChecks ? unsharedView(bytes) : plainView(bytes), (piece, view) => {
        this.#validator.push(piece, view);
        return null;
      });
    }
    if (isFull && !(isOnly && this.#failure !== null)) this.#failAtMaxBytes(byte);
  }

  #failAtMaxBytes(byte: number): void {
    const { machine } = this.#validator;
    const offset = this.#maxBytes;
    this.#isFull = true;
    countPendingReturn(machine, offset, byte);
    // The bytes of a byte-order mark, even of an incomplete one, take no column.
    if (offset > 0 && BACKTRACK[machine.state] === offset) machine.excessBytes = offset;
    const failure = failureAtOffset(machine, offset, "too-many-bytes", byte, false);
    if (this.#document !== null) this.#document.failure ??= failure;
    this.#fail(failure);
    this.#reportDocument(offset);
  }

  #fail(failure: ParseFailure): void {
    this.#failure ??= failure;
    this.#onFailure?.(failure);
  }

  /** Reports the current document, if there are several. */
  #reportDocument(end: number): void {
    const document = this.#document;
    if (document === null) return;
    document.end = end;
    this.#document = null;
    this.#count++;
    this.#onDocument?.(document);
  }
}
