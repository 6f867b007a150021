/**
 * Validation of an input that arrives in pieces, with the bytes around each failure. Memory does
 * not grow with the input.
 *
 * @module
 */

// Not from the public module, which loads streams: that takes longer than checking a small file.
import { BinaryValidator } from "../../parser/validation/binary_validator.ts";
import type { ParseFailure } from "../../parser/base/failure.ts";

/** Bytes of an excerpt before the failure: its line, clipped, and the line before. */
const EXCERPT_BEFORE = 2048;

/** Bytes of an excerpt from the failure on: 200 columns of four-byte characters, and some. */
const EXCERPT_AFTER = 1024;

/**
 * Bytes kept of the pieces before the current one. A failure may lie at the start of a character
 * of which the current piece has a later byte.
 */
const TAIL_BYTES = EXCERPT_BEFORE + 4;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NO_BYTES = new Uint8Array(0);

/** Bytes of the input around a failure. */
export interface Excerpt {
  bytes: Uint8Array<ArrayBuffer>;
  /** Offset of the failure in `bytes`; their length if the input ends too early. */
  at: number;
  /** Whether the excerpt begins with the first byte of the input. */
  isStart: boolean;
  /** Whether the excerpt ends with the last byte of the input. */
  isEnd: boolean;
}

/** Failure with its excerpt. The message lacks the position, which the other fields hold. */
export interface Diagnostic extends Omit<ParseFailure, "ok"> {
  excerpt: Excerpt;
}

/** Result of an input. */
export interface InputResult {
  /** Bytes of the input, or those read if reading ended early. */
  bytes: number;
  /** Number of documents, if the input may have several. */
  documents?: number;
  invalidDocuments: number;
  /** Whether bytes that were not read cannot change the result. */
  isFinal: boolean;
}

/** Options of {@linkcode DiagnosticValidator}. */
export interface DiagnosticOptions {
  /** Whether each line is a document. */
  isJsonLines: boolean;
  /** Whether documents follow one another, on any number of lines. */
  isConcatenated?: boolean;
  /** Whether an input of one document may have comments and trailing commas. */
  acceptsComments?: boolean;
  /** Whether to read through compression. */
  decompresses?: boolean;
  /** Number of failures that get a diagnostic; all are counted. */
  maxDiagnostics: number;
  /** Whether to end at the first failure. */
  failFast: boolean;
}

/** Validator beneath the diagnostics. */
export interface PieceValidator {
  push(piece: Uint8Array<ArrayBuffer>): unknown;
  end(): unknown;
}

/** Validates one input. */
export class DiagnosticValidator {
  readonly #validator: PieceValidator;
  readonly #isJsonLines: boolean;
  /** Whether the input has any number of documents. */
  readonly #hasDocuments: boolean;
  /** Whether the first failure decides the result. */
  readonly #endsAtFailure: boolean;
  #isOver = false;
  #validBytes: number | undefined;
  #bytes = 0;
  #validDocuments = 0;
  #invalidDocuments = 0;
  /** Failures in the current piece that get a diagnostic. */
  #failures: ParseFailure[] = [];
  /** Diagnostics not taken yet; the last ones may lack bytes that follow. */
  #diagnostics: Diagnostic[] = [];
  /** Last bytes before the next piece. */
  #tail: Uint8Array<ArrayBuffer> = NO_BYTES;

  /**
   * Makes a validator.
   *
   * @param makeValidator Makes the validator of an input of one document, if that is not strict
   * JSON.
   */
  constructor(
    { isJsonLines, isConcatenated, maxDiagnostics, failFast }: DiagnosticOptions,
    makeValidator?: (onFailure: (failure: ParseFailure) => void) => PieceValidator,
  ) {
    this.#isJsonLines = isJsonLines;
    this.#hasDocuments = isJsonLines || isConcatenated === true;
    this.#endsAtFailure = failFast || !this.#hasDocuments;
    const onFailure = (failure: ParseFailure): void => {
      if (this.isDecided) return;
      this.#validBytes ??= failure.offset;
      if (this.#invalidDocuments++ < maxDiagnostics) this.#failures.push(failure);
    };
    this.#validator = !this.#hasDocuments && makeValidator?.(onFailure) || new BinaryValidator({
      ...this.#hasDocuments && {
        multiple: isJsonLines ? "lines" : "concatenated",
        onDocument: ({ failure }) => {
          if (failure === null && !this.isDecided) this.#validDocuments++;
        },
      },
      onFailure,
    });
  }

  /** Number of bytes before the first failure. */
  get validBytes(): number {
    return this.#validBytes ?? this.#bytes;
  }

  /** Whether further bytes cannot change the result. */
  get isDecided(): boolean {
    return this.#endsAtFailure && this.#invalidDocuments > 0;
  }

  /** Whether further bytes can change neither the result nor an excerpt. */
  get isComplete(): boolean {
    return this.isDecided && this.#diagnostics.every(isReady);
  }

  /** Validates the next piece. Copies the bytes that excerpts need. */
  push(piece: Uint8Array<ArrayBuffer>): void {
    for (const diagnostic of this.#diagnostics) {
      const { excerpt } = diagnostic;
      if (!isReady(diagnostic)) excerpt.bytes = concat(excerpt.bytes, piece.subarray(0, missingBytes(excerpt)));
    }
    if (!this.isDecided) this.#validator.push(piece);
    this.#addDiagnostics(piece);
    this.#bytes += piece.length;
    this.#tail = (piece.length >= TAIL_BYTES ? piece : concat(this.#tail, piece)).slice(-TAIL_BYTES);
  }

  /** Ends the validation, at the end of the input or, with `isAtEnd` false, before it. */
  end(isAtEnd = true): InputResult {
    if (isAtEnd && !this.isDecided) {
      this.#validator.end();
      this.#addDiagnostics(NO_BYTES);
    }
    for (const diagnostic of this.#diagnostics) if (!isReady(diagnostic)) diagnostic.excerpt.isEnd = isAtEnd;
    this.#isOver = true;
    return {
      bytes: this.#bytes,
      ...this.#hasDocuments && { documents: this.#validDocuments + this.#invalidDocuments },
      invalidDocuments: this.#invalidDocuments,
      isFinal: isAtEnd || this.isDecided,
    };
  }

  /** Removes and returns the diagnostics that are ready, in order; after the end, all. */
  take(): Diagnostic[] {
    const waiting = this.#isOver ? -1 : this.#diagnostics.findIndex((diagnostic) => !isReady(diagnostic));
    return this.#diagnostics.splice(0, waiting < 0 ? this.#diagnostics.length : waiting);
  }

  #addDiagnostics(piece: Uint8Array<ArrayBuffer>): void {
    for (const failure of this.#failures) {
      const { code, line } = failure;
      let { offset, column } = failure;
      if (this.#isJsonLines) {
        // In JSON Lines a document that ends too early ends before the CR of a CRLF.
        const [before, at] = this.#bytesAround(piece, offset - 1, offset + 1);
        if (before === CARRIAGE_RETURN && at === LINE_FEED) offset--, column--;
      }
      const start = Math.max(0, offset - EXCERPT_BEFORE);
      const bytes = this.#bytesAround(piece, start, offset + EXCERPT_AFTER);
      const message = failure.message.replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, "");
      const excerpt = { bytes, at: offset - start, isStart: start === 0, isEnd: false };
      this.#diagnostics.push({ offset, line, column, code, message, excerpt });
    }
    this.#failures = [];
  }

  /** Copies bytes of the input that the tail or the current piece has. */
  #bytesAround(piece: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
    const from = start - this.#bytes;
    const to = end - this.#bytes;
    if (from >= 0) return piece.slice(from, to);
    return concat(this.#tail.subarray(from + this.#tail.length), piece.subarray(0, to));
  }
}

function missingBytes({ bytes, at }: Excerpt): number {
  return EXCERPT_AFTER - (bytes.length - at);
}

/** Returns whether the excerpt has all its bytes. */
function isReady({ excerpt }: Diagnostic): boolean {
  return missingBytes(excerpt) <= 0;
}

function concat(before: Uint8Array<ArrayBuffer>, after: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}

/** Validates bytes that are all there. Returns at most `maxDiagnostics` diagnostics. */
export function validateBytes(
  bytes: Uint8Array<ArrayBuffer>,
  isJsonLines: boolean,
  maxDiagnostics: number,
): { result: InputResult; diagnostics: Diagnostic[] } {
  const validator = new DiagnosticValidator({ isJsonLines, maxDiagnostics, failFast: false });
  validator.push(bytes);
  const result = validator.end();
  return { result, diagnostics: validator.take() };
}
