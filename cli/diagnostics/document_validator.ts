/**
 * Validation of JSON in pieces, of one document or of several.
 *
 * `BinaryValidator` would describe each document and each failure. A compressed file of 1 MB can
 * hold 500 million bad lines, and only the first are shown. Lines that are merely counted make no
 * garbage here, which saves V8 60 MiB.
 */

import { LINE_FEED } from "../../parser/base/ascii.ts";
import type { ParseFailure } from "../../parser/base/failure.ts";
import { endLine } from "../../parser/base/line_counter.ts";
import {
  beginGuarded,
  endGuarded,
  type InputGuard,
  newInputGuard,
  passLines,
  readGuarded,
} from "../../parser/guarded/input_guard.ts";
import { type ContentGuards, guardsAmong } from "../../parser/guarded/options.ts";
import { DONE, IDLE, VALUE } from "../../parser/validation/token_dfa.ts";
import {
  advance,
  closeBrackets,
  codeOfEnd,
  failureAtByte,
  failureAtEnd,
  type Machine,
  newMachine,
  readPiece,
  skipLine,
} from "../../parser/validation/validator.ts";
import type { ContentLimits } from "../input/content_limits.ts";
import { Comments } from "./comments.ts";

export interface DiagnosticOptions {
  /** Whether each line is a document. */
  isJsonLines: boolean;
  /** Whether documents follow one another, on any number of lines. */
  isConcatenated?: boolean;
  /** Whether an input of one document may have comments and trailing commas. */
  acceptsComments?: boolean;
  /** Most brackets that may be open at a time; by default any number. */
  maxDepth?: number;
  /** Checks of what documents hold, if there are any. */
  contentChecks?: ContentGuards | undefined;
  /** Limits of the content of compressed data; absent if the data is read as it is. */
  contentLimits?: ContentLimits | undefined;
  /** Number of failures that get a diagnostic; all are counted. */
  maxDiagnostics: number;
  failFast: boolean;
}

export class DocumentValidator {
  readonly #machine: Machine;
  readonly #maxFailures: number;
  readonly #endsAtFailure: boolean;
  readonly #onFailure: (failure: ParseFailure) => void;
  readonly #guard: InputGuard | null;
  readonly #comments: Comments | null;
  /** Whether a document has begun and not ended. */
  #isWithin: boolean;
  /** Whether the document is invalid: the rest of its line is skipped. */
  #isSkipping = false;
  /** Whether the guard has found a violation, and the bytes before it are valid. */
  #isViolated = false;
  validDocuments = 0;
  invalidDocuments = 0;

  /** @param startOffset Offset in the input of the first byte, which begins a line. */
  constructor(options: DiagnosticOptions, startOffset: number, onFailure: (failure: ParseFailure) => void) {
    const { isJsonLines, isConcatenated = false, acceptsComments, contentChecks, maxDiagnostics } = options;
    this.#machine = newMachine(isJsonLines, !isJsonLines && isConcatenated, options.maxDepth);
    this.#machine.pieceStart = this.#machine.lineStart = startOffset;
    this.#isWithin = !isJsonLines && !isConcatenated;
    if (!this.#isWithin) this.#machine.state = IDLE;
    this.#maxFailures = maxDiagnostics;
    this.#endsAtFailure = options.failFast || this.#isWithin;
    const guards = contentChecks ? guardsAmong(contentChecks, "check", false) : null;
    this.#guard = guards === null ? null : newInputGuard(guards);
    this.#comments = acceptsComments && this.#isWithin ? new Comments() : null;
    this.#onFailure = onFailure;
  }

  get lines(): number {
    return this.#machine.lines;
  }

  push(bytes: Uint8Array<ArrayBuffer>): void {
    const machine = this.#machine;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length;
    for (let p = 0; !this.#isOver;) {
      if (this.#comments?.isOpen) {
        p = this.#comments.read(machine, bytes, p);
        if (this.#comments.isOpen) {
          if (p === end) break;
          this.#failAtByte(bytes, p);
        } else if (this.#guard) passLines(this.#guard, machine);
        continue;
      }
      p = this.#isSkipping ? skipLine(machine, bytes, p) : this.#readPiece(bytes, view, p);
      if (machine.stopsAtDocument && machine.state === DONE) {
        this.#endDocument();
      } else if (this.#isViolated) {
        this.#failAtViolation();
      } else if (p === end) {
        break;
      } else if (bytes[p] === LINE_FEED && (this.#isSkipping || machine.stopsAtLineFeed)) {
        this.#endLine(p, false);
        endLine(machine, machine.pieceStart + ++p);
      } else if (!this.#isWithin) {
        this.#isWithin = true;
        machine.state = VALUE;
        if (this.#guard) beginGuarded(this.#guard, machine.pieceStart + p, machine);
      } else if (this.#comments?.begin(machine, bytes[p])) {
        this.#endNumber();
        p++;
      } else if (!this.#comments?.allowTrailingComma(machine, bytes[p])) {
        this.#failAtByte(bytes, p);
      }
    }
    advance(machine, end);
  }

  end(): void {
    if (this.#isOver) return;
    this.#comments?.end(this.#machine);
    this.#endLine(0, true);
  }

  get #isOver(): boolean {
    return this.#endsAtFailure && this.invalidDocuments > 0;
  }

  /** Reads bytes like `readPiece`, and has the guard check them. */
  #readPiece(bytes: Uint8Array, view: DataView, p: number): number {
    const machine = this.#machine;
    const guard = this.#guard;
    if (guard === null) return readPiece(machine, bytes, view, p);
    const offset = machine.pieceStart + p;
    if (this.#comments !== null) {
      const read = readPiece(machine, bytes, view, p); // the guard does not know comments
      guard.position = offset;
      readGuarded(guard, bytes, p, read);
      this.#isViolated = guard.violation !== null;
      return read;
    }
    // The guard reads first, and the validator up to a violation.
    const isUnread = this.#isWithin && guard.position === offset;
    const checked = isUnread ? readGuarded(guard, bytes, p, bytes.length) : bytes.length;
    const read = readPiece(machine, checked < bytes.length ? bytes.subarray(0, checked) : bytes, view, p);
    this.#isViolated = this.#isWithin && read === checked && guard.violation !== null;
    return read;
  }

  #failAtByte(bytes: Uint8Array, p: number): void {
    if (this.#countFailure()) this.#onFailure(failureAtByte(this.#machine, bytes, p));
  }

  #failAtViolation(): void {
    this.#isViolated = false;
    if (this.#countFailure()) this.#onFailure(this.#guard!.violation!);
  }

  /** Counts the document as invalid. Returns whether its failure is one to describe. */
  #countFailure(): boolean {
    this.#isSkipping = true;
    return ++this.invalidDocuments <= this.#maxFailures;
  }

  #endNumber(): void {
    if (this.#guard === null) return;
    endGuarded(this.#guard);
    if (this.#guard.violation !== null) this.#failAtViolation();
  }

  /**
   * Ends a document whose line or, if `isInputEnd`, the input ends at position `p` of the piece.
   */
  #endLine(p: number, isInputEnd: boolean): void {
    if (!this.#isWithin) return;
    if (!this.#isSkipping) {
      if (codeOfEnd(this.#machine, p) === null) this.#endNumber();
      else if (this.#countFailure()) this.#onFailure(failureAtEnd(this.#machine, p, isInputEnd)!);
    }
    this.#endDocument();
  }

  #endDocument(): void {
    if (!this.#isSkipping) this.validDocuments++;
    this.#isWithin = this.#isSkipping = false;
    closeBrackets(this.#machine);
    this.#machine.state = IDLE;
  }
}
