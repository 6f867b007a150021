/**
 * Validation of bytes that arrive in pieces.
 *
 * This module does not contain `JsonValidationStream`, because Deno takes 2 ms to make
 * `TransformStream` at first use, and programs without streams need not wait for it.
 */

import { LINE_FEED } from "../base/ascii.ts";
import { CallGate } from "../base/call_gate.ts";
import { describeFailure, failureAtOffset, type ParseFailure } from "../base/failure.ts";
import { bufferOf, bytesOf, lengthOf, NO_OPTIONS, offsetOf, plainView, unsharedView } from "../engine/input.ts";
import { beginGuarded, endGuarded, type InputGuard, newInputGuard, readGuarded } from "../guarded/input_guard.ts";
import { type GuardOptions, guardsAmong, needsCheck } from "../guarded/options.ts";
import {
  advance,
  closeBrackets,
  failureAtByte,
  failureAtEnd,
  type Machine,
  newMachine,
  readAll,
  readInPieces,
  readPiece,
  resetMachine,
  skipLine,
} from "../validation/validator.ts";
import { countPendingReturn, endLine } from "../base/line_counter.ts";
import { BACKTRACK, DONE, IDLE, VALUE } from "../validation/token_dfa.ts";
import type { Slice } from "../../slice.ts";

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/**
 * Result of {@linkcode BinaryValidator.end}: the length of a valid input in bytes, or the first
 * failure.
 */
export type StreamValidationResult = { ok: true; bytes: number } | ParseFailure;

/**
 * Separation of several documents in one input. `"lines"` is JSON Lines: one document on each line
 * that is not blank. `"concatenated"` is one document after the other, on any number of lines.
 */
export type DocumentSeparation = "lines" | "concatenated";

/**
 * One of several documents in an input. Offsets and lines count from the beginning of the input.
 */
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
  /**
   * Receives the failure of each invalid document at once, before `onDocument`, which waits for the
   * end of the line.
   */
  onFailure?: (failure: ParseFailure) => void;
}

/**
 * Validates JSON that arrives in pieces, in constant memory apart from one bit for each open
 * bracket.
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
  readonly #machine: Machine;
  /** Checks of the options that guard; `null` if there are none. */
  readonly #guard: InputGuard | null;
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
    const { multiple, onDocument, onFailure } = options;
    if (multiple !== undefined && multiple !== "lines" && multiple !== "concatenated") {
      throw new TypeError('Cannot separate documents this way: expected "lines" or "concatenated"');
    }
    this.#machine = newMachine(multiple === "lines", multiple === "concatenated");
    const guards = guardsAmong(options, "BinaryValidator", false);
    this.#guard = guards !== null && needsCheck(guards) ? newInputGuard(guards) : null;
    this.#maxBytes = guards === null ? Infinity : guards.maxBytes;
    this.#multiple = multiple;
    this.#onDocument = onDocument;
    this.#onFailure = onFailure;
    this.reset();
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
      if (this.#isFull) this.#document = null;
      else if (this.#multiple !== undefined) this.#endDocument(0, true);
      else if (this.#failure === null) this.#fail(this.#failureAtEnd(0, true));
      return this.#failure ?? { ok: true, bytes: this.#machine.pieceStart };
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
      resetMachine(this.#machine);
      if (this.#guard !== null) beginGuarded(this.#guard, 0, this.#machine);
      if (this.#multiple !== undefined) this.#machine.state = IDLE;
      this.#failure = this.#document = null;
      this.#isFull = false;
      this.#count = 0;
    });
  }

  #readChunk(bytes: Uint8Array): void {
    const room = this.#maxBytes - this.#machine.pieceStart;
    const isFull = lengthOf(bytes) > room;
    const byte = isFull ? bytes[room] : 0;
    if (isFull) bytes = new Uint8Array(bufferOf(bytes), offsetOf(bytes), room);
    if (this.#multiple !== undefined) this.#readDocuments(bytes);
    else if (this.#failure === null) {
      this.#fail(this.#guard === null ? readAll(this.#machine, bytes) : this.#readGuarded(this.#guard, bytes));
    }
    if (isFull && (this.#multiple !== undefined || this.#failure === null)) this.#failAtMaxBytes(byte);
  }

  /** Fails because there is another byte after `maxBytes`. */
  #failAtMaxBytes(byte: number): void {
    const machine = this.#machine;
    const offset = this.#maxBytes;
    this.#isFull = true;
    countPendingReturn(machine, offset, byte);
    // The bytes of a byte-order mark, even of a cut one, take no column.
    if (offset > 0 && BACKTRACK[machine.state] === offset) machine.excessBytes = offset;
    const failure = failureAtOffset(machine, offset, "too-many-bytes", byte, false);
    if (this.#document !== null && this.#document.failure === null) this.#document.failure = failure;
    this.#fail(failure);
    if (this.#document !== null) this.#reportDocument(offset);
  }

  /** Validates a piece of the only document with guards. Returns the failure in it, or `null`. */
  #readGuarded(guard: InputGuard, bytes: Uint8Array): ParseFailure | null {
    const plain = unsharedView(bytes); // which both readers find the same
    const end = readGuarded(guard, plain, 0, plain.length);
    return readAll(this.#machine, plain.subarray(0, end)) ?? guard.violation;
  }

  /** Returns the failure of a document that ends at position `p` of the piece, or `null`. */
  #failureAtEnd(p: number, isInputEnd: boolean): ParseFailure | null {
    const failure = failureAtEnd(this.#machine, p, isInputEnd);
    if (failure !== null || this.#guard === null) return failure;
    endGuarded(this.#guard);
    return this.#guard.violation;
  }

  #readDocuments(bytes: Uint8Array): void {
    readInPieces(this.#guard === null ? plainView(bytes) : unsharedView(bytes), (piece, view) => {
      this.#readDocumentPiece(piece, view);
      return null;
    });
  }

  #readDocumentPiece(bytes: Uint8Array, view: DataView): void {
    const machine = this.#machine;
    const end = bytes.length;
    for (let p = 0;;) {
      if (bytes.length !== end) {
        throw new TypeError("Cannot validate the rest of this piece: a callback detached or resized its buffer");
      }
      const isBad = this.#document !== null && this.#document.failure !== null;
      let isViolated = false;
      if (isBad) {
        p = skipLine(machine, bytes, p);
      } else {
        // The guard reads first, and the validator up to a violation.
        const isNew = this.#document !== null && this.#guard?.position === machine.pieceStart + p;
        const checked = isNew ? readGuarded(this.#guard!, bytes, p, end) : end;
        p = readPiece(machine, checked < end ? bytes.subarray(0, checked) : bytes, view, p);
        isViolated = this.#document !== null && p === checked && this.#guard !== null && this.#guard.violation !== null;
      }
      if (machine.stopsAtDocument && machine.state === DONE) {
        this.#reportDocument(machine.documentEnd);
        continue;
      }
      if (isViolated) {
        this.#fail(this.#document!.failure = this.#guard!.violation);
        continue;
      }
      if (p >= end) break;
      if (bytes[p] === LINE_FEED && (isBad || machine.stopsAtLineFeed)) {
        this.#endDocument(p, false);
        endLine(machine, machine.pieceStart + ++p);
      } else if (this.#document === null) {
        const start = machine.pieceStart + p;
        this.#document = { index: this.#count, start, end: start, line: machine.lines + 1, failure: null };
        machine.state = VALUE;
        if (this.#guard !== null) beginGuarded(this.#guard, start, machine);
      } else {
        this.#fail(this.#document.failure = failureAtByte(machine, bytes, p));
      }
    }
    advance(machine, end);
  }

  /**
   * Ends the current document, if any.
   *
   * Precondition: its line or, if `isInputEnd`, the input ends at position `p` of the piece.
   */
  #endDocument(p: number, isInputEnd: boolean): void {
    if (this.#document === null) return;
    if (this.#document.failure === null) {
      this.#fail(this.#document.failure = this.#failureAtEnd(p, isInputEnd));
    }
    this.#reportDocument(this.#document.failure === null ? this.#machine.documentEnd : this.#machine.pieceStart + p);
  }

  #fail(failure: ParseFailure | null): void {
    if (failure === null) return;
    this.#failure ??= failure;
    this.#onFailure?.(failure);
  }

  #reportDocument(end: number): void {
    const document = this.#document!;
    document.end = end;
    this.#document = null;
    this.#count++;
    closeBrackets(this.#machine);
    this.#machine.state = IDLE;
    this.#onDocument?.(document);
  }
}
