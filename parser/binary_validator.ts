/**
 * Validation of bytes that arrive in pieces. A module of its own so that programs with no use for streams need not load them: Deno
 * takes 2 ms to make its `TransformStream`.
 *
 * @module
 */

import { describeFailure, type ParseFailure } from "./failure.ts";
import { bytesOf } from "./input.ts";
import {
  closeBrackets,
  describeEnd,
  describeWrong,
  endLine,
  endPiece,
  isPiece,
  type Machine,
  newMachine,
  piecesOf,
  readAll,
  readPiece,
  resetMachine,
  skipLine,
  viewOf,
} from "./validator.ts";
import { DONE, IDLE, VALUE } from "./token_dfa.ts";
import type { Slice } from "../slice.ts";

const LINE_FEED = 0x0a;

const NO_BYTES = new Uint8Array(0);

/** Outcome of a {@linkcode BinaryValidator}. */
export type StreamValidationResult = { ok: true; bytes: number } | ParseFailure;

/**
 * How the documents of an input of several are told apart: `"lines"` is JSON Lines, one document on each line that is not blank;
 * `"concatenated"` takes one after the other, on as many lines as they like.
 */
export type DocumentSeparation = "lines" | "concatenated";

/** A document in an input of several. Offsets and lines are those of the whole input. */
export interface ValidatedDocument {
  /** How many came before it. */
  index: number;
  /** Bytes before its first one. */
  start: number;
  /** Bytes before what follows it: for a valid document whitespace or another, for an invalid one the end of its line. */
  end: number;
  /** The line it begins on, from 1. */
  line: number;
  /** What is wrong with it; `null` for a valid one. */
  failure: ParseFailure | null;
}

/**
 * Options of a {@linkcode BinaryValidator}.
 *
 * The callbacks run within `push` and `end`, and must not call the validator they belong to. The
 * validator passes on the error that a callback throws, and takes no more calls until `reset`.
 */
export interface BinaryValidatorOptions {
  /** Separation of the documents of an input of any number of them; by default the input is one document. */
  multiple?: DocumentSeparation;
  /** Receives each document once it has ended, valid or not. Called only if `multiple` is given. */
  onDocument?: (document: ValidatedDocument) => void;
  /**
   * Receives the failure of each invalid document as soon as it is found, before `onDocument`, which
   * waits for the end of the line.
   */
  onFailure?: (failure: ParseFailure) => void;
}

/**
 * Validates JSON that arrives in pieces. They may be cut anywhere, within a character or a number too: verdict and position are
 * those of {@linkcode validateBinary} for the whole. Nothing of the pieces is kept; the memory needed is constant but for a bit
 * for each open bracket.
 *
 * With `multiple`, validation goes on at the next line after a document that is not valid, and an input of no documents is valid.
 *
 * @example A stream of pieces
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
  readonly #multiple: DocumentSeparation | undefined;
  readonly #onDocument: ((document: ValidatedDocument) => void) | undefined;
  readonly #onFailure: ((failure: ParseFailure) => void) | undefined;
  /** The first failure. */
  #failure: ParseFailure | null = null;
  /** Of several, the one being read, or whose line is being skipped because of its failure; `null` between two. */
  #document: ValidatedDocument | null = null;
  /** How many of them are over. */
  #count = 0;
  /** Whether calls are taken: `"busy"` within one, `"broken"` after one that threw. */
  #status: "ready" | "busy" | "broken" = "ready";

  /**
   * A validator at the beginning of an input.
   *
   * @param options `multiple` for several documents, `onDocument` to hear of each, `onFailure` of what is wrong.
   * @throws {TypeError} If `multiple` is something else than `"lines"` or `"concatenated"`.
   */
  constructor(options: BinaryValidatorOptions = {}) {
    const { multiple, onDocument, onFailure } = options;
    if (multiple !== undefined && multiple !== "lines" && multiple !== "concatenated") {
      throw new TypeError('Cannot validate: the option multiple is neither "lines" nor "concatenated"');
    }
    this.#machine = newMachine(multiple === "lines", multiple === "concatenated");
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
   * @throws {TypeError} If `chunk` is not bytes. The validator is as it was before.
   * @throws {TypeError} If a callback detaches or resizes the buffer of the piece.
   * @throws {Error} If a callback of this validator calls `push`, or if an earlier call threw for
   * another reason than its argument. The input can then not be continued; `reset` begins a new one.
   */
  push(chunk: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): boolean {
    const bytes = bytesOf(chunk);
    this.#begin("validate a piece");
    try {
      if (bytes === null) this.#fail(describeFailure(NO_BYTES, "detached-buffer", 0));
      else if (this.#multiple !== undefined) this.#readDocuments(bytes);
      else if (this.#failure === null) this.#fail(readAll(this.#machine, bytes));
    } catch (error) {
      this.#status = "broken";
      throw error;
    }
    this.#status = "ready";
    return this.#failure === null;
  }

  /**
   * Ends the input.
   *
   * @returns `{ ok: true, bytes }` with the length of the input, or its first failure.
   * @throws {Error} For the same reasons as {@linkcode BinaryValidator.push}.
   */
  end(): StreamValidationResult {
    this.#begin("end the input");
    try {
      if (this.#multiple !== undefined) this.#endLine(0);
      else if (this.#failure === null) this.#fail(describeEnd(this.#machine, 0));
    } catch (error) {
      this.#status = "broken";
      throw error;
    }
    this.#status = "ready";
    return this.#failure ?? { ok: true, bytes: this.#machine.origin };
  }

  /**
   * Forgets the input: the next piece is the first of a new one. Also puts a validator right whose
   * callback threw.
   *
   * @throws {Error} If a callback of this validator calls it.
   */
  reset(): void {
    if (this.#status === "busy") throw refusal("reset the validator", this.#status);
    this.#status = "ready";
    resetMachine(this.#machine);
    if (this.#multiple !== undefined) this.#machine.state = IDLE;
    this.#failure = null;
    this.#document = null;
    this.#count = 0;
  }

  /** @throws {Error} If the validator takes no calls. */
  #begin(action: string): void {
    if (this.#status !== "ready") throw refusal(action, this.#status);
    this.#status = "busy";
  }

  #readDocuments(bytes: Uint8Array): void {
    if (isPiece(bytes)) this.#readPiece(bytes);
    else for (const piece of piecesOf(bytes)) this.#readPiece(piece);
  }

  #readPiece(bytes: Uint8Array): void {
    const machine = this.#machine;
    const view = viewOf(bytes);
    const end = bytes.length;
    for (let p = 0;;) {
      if (bytes.length !== end) {
        throw new TypeError("Cannot validate the rest of this piece: a callback detached or resized its buffer");
      }
      const isBad = this.#document !== null && this.#document.failure !== null;
      p = isBad ? skipLine(machine, bytes, p) : readPiece(machine, bytes, view, p);
      if (machine.isPausing && machine.state === DONE) {
        this.#endDocument(machine.documentEnd);
        continue;
      }
      if (p >= end) break;
      if (bytes[p] === LINE_FEED && (isBad || machine.isByLine)) {
        this.#endLine(p);
        endLine(machine, machine.origin + ++p);
      } else if (this.#document === null) {
        const start = machine.origin + p;
        this.#document = { index: this.#count, start, end: start, line: machine.lines + 1, failure: null };
        machine.state = VALUE;
      } else {
        this.#fail(this.#document.failure = describeWrong(machine, bytes, p));
      }
    }
    endPiece(machine, end);
  }

  /** The input, or a line that is to hold a document, ends at position `p` of a piece. */
  #endLine(p: number): void {
    if (this.#document === null) return;
    if (this.#document.failure === null) this.#fail(this.#document.failure = describeEnd(this.#machine, p));
    this.#endDocument(this.#document.failure === null ? this.#machine.documentEnd : this.#machine.origin + p);
  }

  #fail(failure: ParseFailure | null): void {
    if (failure === null) return;
    this.#failure ??= failure;
    this.#onFailure?.(failure);
  }

  #endDocument(end: number): void {
    const document = this.#document!;
    document.end = end;
    this.#document = null;
    this.#count++;
    closeBrackets(this.#machine);
    this.#machine.state = IDLE;
    this.#onDocument?.(document);
  }
}

function refusal(action: string, status: "busy" | "broken"): Error {
  const reason = status === "busy"
    ? "a callback of this validator is running"
    : "an earlier call threw before it was done; reset() begins a new input";
  return new Error(`Cannot ${action}: ${reason}`);
}
