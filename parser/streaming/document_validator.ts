/**
 * Validates the documents of an input that arrives in pieces: for `BinaryValidator`, and for
 * `check` of the command line, which has comments, too.
 */

import { LINE_FEED, RECORD_SEPARATOR } from "../base/ascii.ts";
import type { ParseFailure } from "../base/failure.ts";
import { endLine } from "../base/line_counter.ts";
import {
  beginGuarded,
  endGuarded,
  type InputGuard,
  newInputGuard,
  passLines,
  readGuarded,
} from "../options/input_guard.ts";
import { type Guards, needsCheck } from "../options/options.ts";
import { BACKTRACK, DONE, IDLE, VALUE } from "../validation/token_dfa.ts";
import {
  advance,
  closeBrackets,
  codeOfEnd,
  failureAtByte,
  failureAtEnd,
  type Machine,
  newMachine,
  readPiece,
  resetMachine,
  skipLine,
} from "../validation/validator.ts";

/**
 * Separation of several documents in one input. `"lines"` is JSON Lines: one document on each line
 * that is not blank. `"concatenated"` is one document after the other, on any number of lines; a
 * byte 0x1E may separate two, as in a sequence (RFC 7464).
 */
export type DocumentSeparation = "lines" | "concatenated";

/** Receives failures and the ends of documents. */
export interface DocumentSink {
  /** Whether failures are described, not only counted: millions of messages take memory. */
  readonly describesFailures: boolean;
  beginDocument(start: number, line: number): void;
  /** Receives the failure of the current document; `null` if it is not described. */
  addFailure(failure: ParseFailure | null): void;
  /** Ends a document after its last byte, an invalid one at the end of the failing line. */
  endDocument(end: number, isValid: boolean): void;
}

/** Reads comments between the tokens of the only document, which the machine does not support. */
export interface CommentReader {
  /** Whether the next byte belongs to a comment. */
  readonly isOpen: boolean;
  /** Begins a comment if the byte, a rejected one, may be its first. Returns whether it may. */
  begin(machine: Machine, byte: number): boolean;
  /**
   * Reads a comment. Returns the position after it, or the end of the bytes; or, with the comment
   * open, that of a byte that is wrong in the machine's state.
   */
  read(machine: Machine, bytes: Uint8Array, p: number): number;
  /** Ends the input. Leaves a state in which it cannot end if a comment is open or malformed. */
  end(machine: Machine): void;
  /** Lets a bracket close after a comma. Returns whether the byte at `p` is such a bracket. */
  allowTrailingComma(machine: Machine, bytes: Uint8Array, p: number): boolean;
}

export interface DocumentValidatorOptions {
  /** Separation of documents; by default the input is one document. */
  readonly multiple: DocumentSeparation | undefined;
  /** Guards of each document; `null` for none. */
  readonly guards: Guards | null;
  /** Maximum number of brackets that may be open at a time. */
  readonly maxDepth: number;
  readonly comments: CommentReader | null;
  /** Whether the first failure ends the input. */
  readonly endsAtFailure: boolean;
}

/** Validator of one input after the other. */
export class DocumentValidator {
  readonly machine: Machine;
  readonly #sink: DocumentSink;
  readonly #guard: InputGuard | null;
  readonly #comments: CommentReader | null;
  readonly #hasSeveral: boolean;
  readonly #endsAtFailure: boolean;
  /** Whether a document has begun and not ended. */
  #isWithin = false;
  /** Whether the document is invalid: the rest of its line is skipped. */
  #isSkipping = false;
  /** Whether the guard has found a violation, and the bytes before it are valid. */
  #isViolated = false;
  #isOver = false;

  constructor(
    sink: DocumentSink,
    { multiple, guards, maxDepth, comments, endsAtFailure }: DocumentValidatorOptions,
  ) {
    this.machine = newMachine(multiple === "lines", multiple === "concatenated", maxDepth);
    this.#sink = sink;
    this.#guard = guards !== null && needsCheck(guards) ? newInputGuard(guards) : null;
    this.#comments = comments;
    this.#hasSeveral = multiple !== undefined;
    this.#endsAtFailure = endsAtFailure;
    this.reset(0);
  }

  /** Goes to the beginning of an input, or of a line of one. */
  reset(offset: number): void {
    const { machine } = this;
    resetMachine(machine);
    machine.pieceStart = machine.lineStart = offset;
    this.#isWithin = !this.#hasSeveral;
    if (this.#hasSeveral) machine.state = IDLE;
    else if (this.#guard !== null) beginGuarded(this.#guard, offset, machine);
    this.#isSkipping = this.#isViolated = this.#isOver = false;
  }

  /**
   * Validates the next piece.
   *
   * @throws {TypeError} If the sink lets a callback detach or resize the buffer of the piece.
   */
  push(bytes: Uint8Array, view: DataView): void {
    const { machine } = this;
    const comments = this.#comments;
    const end = bytes.length;
    for (let p = 0; !this.#isOver;) {
      if (bytes.length !== end) {
        throw new TypeError("Cannot validate the rest of this piece: a callback detached or resized its buffer");
      }
      if (comments !== null && comments.isOpen) {
        p = comments.read(machine, bytes, p);
        if (comments.isOpen) {
          if (p === end) break;
          this.#failAtByte(bytes, p);
        } else if (this.#guard !== null) passLines(this.#guard, machine);
        continue;
      }
      p = this.#isSkipping ? skipLine(machine, bytes, p) : this.#readPiece(bytes, view, p);
      if (machine.stopsAtDocument && machine.state === DONE) {
        this.#endDocument(machine.documentEnd);
      } else if (this.#isViolated) {
        this.#failAtViolation();
      } else if (p === end) {
        break;
      } else if (bytes[p] === LINE_FEED && (this.#isSkipping || machine.stopsAtLineFeed)) {
        this.#endLine(p, false);
        endLine(machine, machine.pieceStart + ++p);
      } else if (!this.#isWithin && bytes[p] === RECORD_SEPARATOR && machine.stopsAtDocument) {
        p++;
      } else if (!this.#isWithin) {
        this.#isWithin = true;
        machine.state = VALUE;
        const start = machine.pieceStart + p;
        if (this.#guard !== null) beginGuarded(this.#guard, start, machine);
        this.#sink.beginDocument(start, machine.lines + 1);
      } else if (comments !== null && comments.begin(machine, bytes[p])) {
        this.#endNumber();
        p++;
      } else if (comments === null || !comments.allowTrailingComma(machine, bytes, p)) {
        this.#failAtByte(bytes, p);
      }
    }
    advance(machine, end);
  }

  end(): void {
    if (this.#isOver) return;
    if (this.#comments !== null) this.#comments.end(this.machine);
    this.#endLine(0, true);
  }

  /** Reads bytes like `readPiece`, and has the guard check them. */
  #readPiece(bytes: Uint8Array, view: DataView, p: number): number {
    const { machine } = this;
    const guard = this.#guard;
    if (guard === null) return readPiece(machine, bytes, view, p);
    const offset = machine.pieceStart + p;
    if (this.#comments !== null) {
      const read = readPiece(machine, bytes, view, p); // the guard does not support comments
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
    const { machine } = this;
    this.#fail(this.#sink.describesFailures ? failureAtByte(machine, bytes, p) : null);
    // The next document of a sequence begins here.
    if (machine.stopsAtDocument && bytes[p] === RECORD_SEPARATOR && BACKTRACK[machine.state] === 0) {
      this.#endDocument(machine.pieceStart + p);
    }
  }

  #failAtViolation(): void {
    this.#isViolated = false;
    this.#fail(this.#guard!.violation);
  }

  #fail(failure: ParseFailure | null): void {
    this.#isSkipping = true;
    this.#isOver = this.#endsAtFailure;
    this.#sink.addFailure(failure);
  }

  #endNumber(): void {
    if (this.#guard === null) return;
    endGuarded(this.#guard);
    if (this.#guard.violation !== null) this.#failAtViolation();
  }

  /** Ends a document whose line (if `isInputEnd`, the input) ends at position `p` of the piece. */
  #endLine(p: number, isInputEnd: boolean): void {
    if (!this.#isWithin) return;
    const { machine } = this;
    if (!this.#isSkipping) {
      if (codeOfEnd(machine, p) === null) this.#endNumber();
      else this.#fail(this.#sink.describesFailures ? failureAtEnd(machine, p, isInputEnd) : null);
    }
    this.#endDocument(this.#isSkipping ? machine.pieceStart + p : machine.documentEnd);
  }

  #endDocument(end: number): void {
    const isValid = !this.#isSkipping;
    this.#isWithin = this.#isSkipping = false;
    closeBrackets(this.machine);
    this.machine.state = IDLE;
    this.#sink.endDocument(end, isValid);
  }
}
