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

/** Options of a {@linkcode BinaryValidator}. */
export interface BinaryValidatorOptions {
  /** Takes several documents, or none; without it the input has to be one. */
  multiple?: DocumentSeparation;
  /** Called after each document, if there are several. */
  onDocument?: (document: ValidatedDocument) => void;
  /**
   * Called as soon as a document turns out not to be valid, within the `push` or `end` that tells: the rest of its line, which
   * `onDocument` waits for, need not have arrived.
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
   * Validates the next piece. It may be changed or detached afterwards.
   *
   * @param chunk The bytes; none are fine.
   * @returns Whether everything up to now may be the beginning of a valid input: `false` from the first failure on. A detached
   * buffer is one, since nobody knows its bytes.
   * @throws {TypeError} If `chunk` is not bytes.
   */
  push(chunk: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): boolean {
    const bytes = bytesOf(chunk);
    if (bytes === null) this.#fail(describeFailure(NO_BYTES, "detached-buffer", 0));
    else if (this.#multiple !== undefined) this.#readDocuments(bytes);
    else if (this.#failure === null) this.#fail(readAll(this.#machine, bytes));
    return this.#failure === null;
  }

  /**
   * Says that the input ends here.
   *
   * @returns `{ ok: true, bytes }` with the input's length, or its first failure.
   */
  end(): StreamValidationResult {
    if (this.#multiple !== undefined) this.#endLine(0);
    else if (this.#failure === null) this.#fail(describeEnd(this.#machine, 0));
    return this.#failure ?? { ok: true, bytes: this.#machine.origin };
  }

  /** Forgets everything: the next piece is the first of another input. */
  reset(): void {
    resetMachine(this.#machine);
    if (this.#multiple !== undefined) this.#machine.state = IDLE;
    this.#failure = null;
    this.#document = null;
    this.#count = 0;
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
