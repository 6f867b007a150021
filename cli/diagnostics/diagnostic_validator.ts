/**
 * Validation of an input that arrives in pieces, with the bytes around each failure. Memory does
 * not grow with the input.
 */

import {
  Comments,
  type ContentGuards,
  describeFailure as failureAtStart,
  type DocumentSink,
  DocumentValidator,
  guardsOf,
  type ParseFailure,
} from "../../parser/streaming/validator_state.ts";
import { joined, NO_BYTES, RECORD_SEPARATOR } from "../bytes.ts";
import type { ContentLimits } from "../input/content_limits.ts";
import type { Encoding } from "../input/utf16.ts";
import { type Block, noBlock } from "../lines/line_blocks.ts";
import { describeFailure, type Diagnostic, EXCERPT_AFTER, EXCERPT_BEFORE, type Reading } from "./diagnostic.ts";

/** Bytes kept of earlier pieces, for excerpts that wait for more bytes. */
const TAIL_BYTES = EXCERPT_BEFORE + EXCERPT_AFTER;

/**
 * Minimum and maximum number of bytes validated at a time while failures of several documents are
 * described. Every other byte may be a failure, and a diagnostic takes a hundred times as much.
 */
const MIN_PART_BYTES = 2 ** 9;
const MAX_PART_BYTES = 2 ** 15;

/** Failures in a part from which the next part is no longer than this one. */
const MANY_FAILURES = 16;

/** First byte of a byte-order mark. */
const MARK_START = 0xef;

export interface DiagnosticOptions {
  /** Way to read the input. If it begins with byte 0x1E, its documents are concatenated. */
  reading: Reading;
  /** Whether a byte-order mark is a failure. */
  refusesMark?: boolean;
  /** Maximum number of brackets open at a time; unlimited by default. */
  maxDepth?: number;
  /** Checks of the content of documents, if there are any. */
  contentChecks?: ContentGuards | undefined;
  /** Limits of the content of compressed data; absent if the data is read as it is. */
  contentLimits?: ContentLimits | undefined;
  /** Number of failures that get a diagnostic; all are counted. */
  maxDiagnostics: number;
  failFast: boolean;
}

export interface InputResult {
  /** Bytes of the input, or those read if reading ended early. */
  bytes: number;
  /** Number of documents, if the input may have several. */
  documents?: number;
  invalidDocuments: number;
  /** Encoding that the input was converted from, if it was. */
  encoding?: Encoding | undefined;
  /** Whether bytes that were not read cannot change the result. */
  isFinal: boolean;
}

/**
 * Counts documents, and describes the first failures. Counting a bad line allocates nothing,
 * because 1 MB of a compressed file can contain 500 million.
 */
export class DiagnosticValidator implements DocumentSink {
  readonly #options: DiagnosticOptions;
  #reading: Reading;
  #validator: DocumentValidator;
  #endsAtFailure = false;
  #validBytes: number | undefined;
  #bytes = 0;
  /** Failures that get a diagnostic once the bytes after them have arrived. */
  #failures: ParseFailure[] = [];
  #diagnostics: Diagnostic[] = [];
  #partBytes = MIN_PART_BYTES;
  #tail: Uint8Array<ArrayBuffer> = NO_BYTES;
  #validDocuments = 0;
  #invalidDocuments = 0;

  /**
   * Makes a validator.
   *
   * @param block Block of JSON Lines whose lines come first; by default the input is read from
   * its beginning.
   */
  constructor(options: DiagnosticOptions, { bytes, at, offset }: Omit<Block, "end"> = noBlock()) {
    this.#options = options;
    this.#tail = bytes.slice(0, at);
    this.#bytes = offset + at;
    this.#reading = options.reading;
    this.#validator = this.#newValidator();
    this.#validator.reset(this.#bytes);
  }

  #newValidator(): DocumentValidator {
    const { contentChecks, failFast, maxDepth = Infinity } = this.#options;
    const reading = this.#reading;
    this.#endsAtFailure = failFast || !this.#hasDocuments;
    return new DocumentValidator(this, {
      multiple: reading === "lines" || reading === "concatenated" ? reading : undefined,
      guards: contentChecks === undefined ? null : guardsOf(contentChecks, "check", false),
      maxDepth,
      comments: reading === "comments" ? new Comments() : null,
      endsAtFailure: this.#endsAtFailure,
    });
  }

  /** Recognises a JSON text sequence, or a byte-order mark, by the first byte of the input. */
  #begin(piece: Uint8Array<ArrayBuffer>): void {
    const [first] = piece;
    if (first === RECORD_SEPARATOR && !this.#hasDocuments) {
      this.#reading = "concatenated";
      this.#validator = this.#newValidator();
    } else if (first === MARK_START && this.#options.refusesMark) {
      this.#endsAtFailure = true;
      this.addFailure(failureAtStart(piece, "unexpected-token", 0));
    }
  }

  get #hasDocuments(): boolean {
    return this.#reading === "lines" || this.#reading === "concatenated";
  }

  get describesFailures(): boolean {
    return this.#invalidDocuments < this.#options.maxDiagnostics;
  }

  beginDocument(): void {}

  addFailure(failure: ParseFailure | null): void {
    if (failure !== null && this.describesFailures) {
      this.#validBytes ??= failure.offset;
      this.#failures.push(failure);
    }
    this.#invalidDocuments++;
  }

  endDocument(_end: number, isValid: boolean): void {
    if (isValid) this.#validDocuments++;
  }

  get validBytes(): number {
    return this.#validBytes ?? this.#bytes;
  }

  /** Number of lines that have ended, in JSON Lines. */
  get lines(): number {
    return this.#validator.machine.lines;
  }

  /** Whether further bytes cannot change the result. */
  get isDecided(): boolean {
    return this.#endsAtFailure && this.#invalidDocuments > 0;
  }

  /** Whether further bytes can change neither the result nor an excerpt. */
  get isComplete(): boolean {
    return this.isDecided && this.#failures.length === 0;
  }

  /**
   * Iterates over the parts of a piece. The caller pushes each part and takes its diagnostics
   * before the next one, so that memory does not grow with the number of failures.
   */
  *partsOf(piece: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
    for (let p = 0; p < piece.length;) {
      const before = this.#invalidDocuments;
      if (!this.#hasDocuments || before >= this.#options.maxDiagnostics) return yield piece.subarray(p);
      yield piece.subarray(p, p += this.#partBytes);
      const hasMany = this.#invalidDocuments - before > MANY_FAILURES;
      this.#partBytes = hasMany ? MIN_PART_BYTES : Math.min(2 * this.#partBytes, MAX_PART_BYTES);
    }
  }

  /** Validates the next piece in parts. Yields diagnostics once they are ready. */
  *diagnose(piece: Uint8Array<ArrayBuffer>): Generator<Diagnostic> {
    for (const part of this.partsOf(piece)) {
      this.push(part);
      yield* this.take();
    }
  }

  /** Validates the next piece. Copies the bytes that excerpts need. */
  push(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#bytes === 0 && piece.length > 0) this.#begin(piece);
    if (!this.isDecided) {
      this.#validator.push(piece, new DataView(piece.buffer, piece.byteOffset, piece.length));
    }
    this.#bytes += piece.length;
    const complete = this.#failures.findIndex(({ offset }) => offset + EXCERPT_AFTER > this.#bytes);
    this.#describe(this.#failures.splice(0, complete < 0 ? Infinity : complete), piece, false);
    this.#tail = (piece.length >= TAIL_BYTES ? piece : joined(this.#tail, piece)).slice(-TAIL_BYTES);
  }

  /** Ends the validation, at the end of the input or, with `isAtEnd` false, before it. */
  end(isAtEnd = true): InputResult {
    if (isAtEnd && !this.isDecided) this.#validator.end();
    this.#describe(this.#failures.splice(0), NO_BYTES, isAtEnd);
    const invalidDocuments = this.#invalidDocuments;
    return {
      bytes: this.#bytes,
      ...this.#hasDocuments && { documents: this.#validDocuments + invalidDocuments },
      invalidDocuments,
      isFinal: isAtEnd || this.isDecided,
    };
  }

  /** Removes and returns the diagnostics that are ready, in order; after the end, all. */
  take(): Diagnostic[] {
    return this.#diagnostics.splice(0);
  }

  /** Adds diagnostics of failures in the last bytes. Those of `piece` are not in the tail yet. */
  #describe(failures: readonly ParseFailure[], piece: Uint8Array<ArrayBuffer>, isAtEnd: boolean): void {
    if (failures.length === 0) return;
    // One copy for all excerpts: one for each would take a thousand times the memory of the piece.
    const context = joined(this.#tail, piece);
    const contextStart = this.#bytes - context.length;
    for (let failure of failures) {
      if (failure.code === "too-deep") {
        failure = { ...failure, message: `Nesting deeper than --max-depth ${this.#options.maxDepth}` };
      }
      const excerpt = {
        bytes: context,
        at: failure.offset - contextStart,
        isStart: contextStart === 0,
        isEnd: isAtEnd && failure.offset + EXCERPT_AFTER > this.#bytes,
      };
      this.#diagnostics.push(describeFailure(failure, excerpt, this.#reading));
    }
  }
}

/** Validates a complete input. Returns at most `maxDiagnostics` diagnostics. */
export function validateBytes(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
  maxDiagnostics: number,
): { result: InputResult; diagnostics: Diagnostic[] } {
  const validator = new DiagnosticValidator({ reading, maxDiagnostics, failFast: false });
  const diagnostics = [...validator.diagnose(bytes)];
  const result = validator.end();
  return { result, diagnostics: [...diagnostics, ...validator.take()] };
}
