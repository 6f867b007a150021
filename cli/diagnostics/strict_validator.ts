/**
 * Validation of strict JSON in pieces, of one document or of several.
 *
 * `BinaryValidator` would describe each document and each failure. A compressed file of 1 MB can
 * hold 500 million bad lines, and only the first are shown. Lines that are merely counted make no
 * garbage here, which saves V8 60 MiB.
 */

import { LINE_FEED } from "../../parser/base/ascii.ts";
import type { ParseFailure } from "../../parser/base/failure.ts";
import { endLine } from "../../parser/base/line_counter.ts";
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

export interface StrictValidatorOptions {
  /** Separation of several documents; by default the input is one. */
  multiple: "lines" | "concatenated" | undefined;
  /** Most brackets that may be open at a time. */
  maxDepth: number;
  /** Failures to describe; further ones are only counted. */
  maxFailures: number;
  /** Offset in the input of the first byte, which begins a line; 0 if absent. */
  startOffset?: number;
  /** Whether validation ends at the first failure. That of one document always does. */
  failFast: boolean;
}

export class StrictValidator {
  readonly #machine: Machine;
  readonly #maxFailures: number;
  readonly #endsAtFailure: boolean;
  readonly #onFailure: (failure: ParseFailure) => void;
  /** Whether a document has begun and not ended. */
  #isWithin: boolean;
  /** Whether the document is invalid: the rest of its line is skipped. */
  #isSkipping = false;
  validDocuments = 0;
  invalidDocuments = 0;

  constructor(
    { multiple, maxDepth, maxFailures, failFast, startOffset = 0 }: StrictValidatorOptions,
    onFailure: (failure: ParseFailure) => void,
  ) {
    this.#machine = newMachine(multiple === "lines", multiple === "concatenated", maxDepth);
    this.#machine.pieceStart = this.#machine.lineStart = startOffset;
    this.#isWithin = multiple === undefined;
    if (!this.#isWithin) this.#machine.state = IDLE;
    this.#maxFailures = maxFailures;
    this.#endsAtFailure = failFast || multiple === undefined;
    this.#onFailure = onFailure;
  }

  get lines(): number {
    return this.#machine.lines;
  }

  /** Validates the next piece. */
  push(bytes: Uint8Array<ArrayBuffer>): void {
    const machine = this.#machine;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length;
    for (let p = 0; !this.#isOver;) {
      p = this.#isSkipping ? skipLine(machine, bytes, p) : readPiece(machine, bytes, view, p);
      if (machine.stopsAtDocument && machine.state === DONE) {
        this.#endDocument();
      } else if (p === end) {
        break;
      } else if (bytes[p] === LINE_FEED && (this.#isSkipping || machine.stopsAtLineFeed)) {
        this.#endLine(p, false);
        endLine(machine, machine.pieceStart + ++p);
      } else if (this.#isWithin) {
        this.invalidDocuments++;
        if (this.#isDescribed) this.#onFailure(failureAtByte(machine, bytes, p));
        this.#isSkipping = true;
      } else {
        this.#isWithin = true;
        machine.state = VALUE;
      }
    }
    advance(machine, end);
  }

  end(): void {
    if (!this.#isOver) this.#endLine(0, true);
  }

  get #isOver(): boolean {
    return this.#endsAtFailure && this.invalidDocuments > 0;
  }

  /** Whether the failure counted last is one to describe. */
  get #isDescribed(): boolean {
    return this.invalidDocuments <= this.#maxFailures;
  }

  /**
   * Ends a document whose line or, if `isInputEnd`, the input ends at position `p` of the piece.
   */
  #endLine(p: number, isInputEnd: boolean): void {
    if (!this.#isWithin) return;
    if (!this.#isSkipping && codeOfEnd(this.#machine, p) !== null) {
      this.invalidDocuments++;
      this.#isSkipping = true;
      if (this.#isDescribed) this.#onFailure(failureAtEnd(this.#machine, p, isInputEnd)!);
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
