/**
 * Whether bytes are a JSON text, without making its value: {@linkcode validateBinary} for bytes at hand,
 * {@linkcode BinaryValidator} and {@linkcode JsonValidationStream} for bytes that arrive in pieces, in constant memory.
 *
 * @module
 */

import { describeFailure, type FailureCode, type ParseFailure } from "./parser/failure.ts";
import { bytesOf } from "./parser/input.ts";
import {
  closeBrackets,
  describeEnd,
  describeWrong,
  endLine,
  endPiece,
  type Machine,
  newMachine,
  readPiece,
  resetMachine,
  skipLine,
  viewOf,
  WINDOW,
  windowsOf,
} from "./parser/validator.ts";
import { DONE, IDLE, VALUE } from "./parser/validator_tokens.ts";
import type { Slice } from "./slice.ts";

const LINE_FEED = 0x0a;

const NO_BYTES = new Uint8Array(0);

export type { FailureCode, ParseFailure };

/** Outcome of {@linkcode validateBinary}; a failure is the one that `parseBinary` has for the same bytes. */
export type ValidationResult = { ok: true } | ParseFailure;

/** Outcome of a {@linkcode BinaryValidator}. */
export type StreamValidationResult = { ok: true; bytes: number } | ParseFailure;

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
  const failure = (bytes.length <= WINDOW ? readAll(machine, bytes) : readWindows(bytes)) ?? describeEnd(machine, 0);
  closeBrackets(machine);
  return failure ?? { ok: true };
}

/** The failure of a piece of a document, or `null`. */
function readAll(machine: Machine, bytes: Uint8Array): ParseFailure | null {
  const p = readPiece(machine, bytes, viewOf(bytes), 0);
  if (p < bytes.length) return describeWrong(machine, bytes, p);
  endPiece(machine, bytes);
  return null;
}

function readWindows(bytes: Uint8Array): ParseFailure | null {
  for (const window of windowsOf(bytes)) {
    const failure = readAll(machine, window);
    if (failure !== null) return failure;
  }
  return null;
}

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
    else if (bytes.length <= WINDOW) this.#read(bytes);
    else for (const window of windowsOf(bytes)) this.#read(window);
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

  #read(bytes: Uint8Array): void {
    if (this.#multiple === undefined) {
      if (this.#failure === null) this.#fail(readAll(this.#machine, bytes));
    } else {
      this.#readDocuments(bytes);
      endPiece(this.#machine, bytes);
    }
  }

  #readDocuments(bytes: Uint8Array): void {
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
      if (p >= end) return;
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

/**
 * A gate in a pipeline: bytes pass untouched as long as they may be the beginning of a JSON text; at the first one that may not, the
 * stream fails. The bytes before it have passed then.
 *
 * The error is a `SyntaxError` with the failure's message, its `cause` the failure.
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
      transform(chunk, controller): void {
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

function errorOf(failure: ParseFailure): SyntaxError {
  return new SyntaxError(failure.message, { cause: failure });
}
