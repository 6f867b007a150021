/**
 * Validation of JSON with comments, in pieces. Between the tokens of JSON it also takes `//` and
 * block comments, and a comma after the last element or member.
 *
 * It is a layer over the validator of strict JSON, which it asks to continue after each comment, so
 * strict JSON pays nothing for it.
 * `tests/cli/content_test.ts` holds it to the grammar.
 */

import { CARRIAGE_RETURN, CLOSE_BRACE, CLOSE_BRACKET, LINE_FEED, SLASH, STAR } from "../../parser/base/ascii.ts";
import type { ParseFailure } from "../../parser/base/failure.ts";
import {
  EXCESS_BYTES,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  REJECT,
  STRING,
  TOKEN,
  TRANSITIONS,
  VALUE,
} from "../../parser/validation/token_dfa.ts";
import {
  advance,
  failureAtByte,
  failureAtEnd,
  type Machine,
  newMachine,
  readPiece,
} from "../../parser/validation/validator.ts";
import { countPendingReturn, endLine } from "../../parser/base/line_counter.ts";
import {
  endGuarded,
  type InputGuard,
  newInputGuard,
  passLines,
  readGuarded,
} from "../../parser/guarded/input_guard.ts";
import type { Guards } from "../../parser/guarded/options.ts";

/** States of a comment. */
const NONE = 0;
/** State after the slash that begins a comment. */
const SLASHED = 1;
const LINE = 2;
const BLOCK = 3;
/** State in a block comment after a `*`. */
const STARRED = 4;

/** Validates one document with comments and trailing commas. */
export class JsoncValidator {
  readonly #machine: Machine;
  readonly #onFailure: (failure: ParseFailure) => void;
  #comment = NONE;
  /** State of the automaton within a character of a comment; `STRING` between two. */
  #character = STRING;
  #hasFailed = false;
  /** Checks of what the document holds; `null` if there are none. */
  readonly #guard: InputGuard | null;

  /**
   * @param maxDepth Most brackets that may be open at a time.
   * @param guards Guards of what the document holds; `null` for none.
   */
  constructor(onFailure: (failure: ParseFailure) => void, maxDepth = Infinity, guards: Guards | null = null) {
    this.#machine = newMachine(false, false, maxDepth);
    this.#guard = guards === null ? null : newInputGuard(guards);
    this.#onFailure = onFailure;
  }

  /** Number of valid documents so far: 0, because the only one is not complete before the end. */
  readonly validDocuments = 0;

  get invalidDocuments(): number {
    return Number(this.#hasFailed);
  }

  /** Validates the next piece. */
  push(bytes: Uint8Array<ArrayBuffer>): void {
    const machine = this.#machine;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let p = 0; !this.#hasFailed;) {
      if (this.#comment !== NONE) p = this.#readComment(bytes, p);
      if (this.#hasFailed || p === bytes.length) break;
      const start = p;
      p = readPiece(machine, bytes, view, p);
      if (this.#guard !== null && this.#isViolated(this.#guard, bytes, start, p) || p === bytes.length) break;
      if (machine.state < TOKEN && bytes[p] === SLASH) {
        if (this.#endNumber()) break;
        this.#comment = SLASHED;
        p++;
      } else if (!this.#allowTrailingComma(bytes[p])) {
        this.#fail(failureAtByte(machine, bytes, p));
      }
    }
    advance(machine, bytes.length);
  }

  end(): void {
    if (this.#hasFailed) return;
    // The end of the input ends a line comment, but no other.
    if (this.#comment !== NONE && this.#comment !== LINE) this.#machine.state = VALUE;
    else if (this.#character !== STRING) this.#machine.state = this.#character;
    const failure = failureAtEnd(this.#machine, 0);
    if (failure !== null) this.#fail(failure);
    else this.#endNumber();
  }

  /** Ends a number before a comment or the end of the input. Returns whether it was refused. */
  #endNumber(): boolean {
    if (this.#guard === null) return false;
    endGuarded(this.#guard);
    return this.#failAtViolation(this.#guard);
  }

  /** Checks bytes that are valid. Fails and returns `true` if they violate the guards. */
  #isViolated(guard: InputGuard, bytes: Uint8Array, start: number, end: number): boolean {
    guard.position = this.#machine.pieceStart + start;
    readGuarded(guard, bytes, start, end);
    return this.#failAtViolation(guard);
  }

  /** Fails if a guard has found a violation, and returns whether it has. */
  #failAtViolation(guard: InputGuard): boolean {
    const violation = guard.violation;
    if (violation !== null) this.#fail(violation);
    return violation !== null;
  }

  /** Reads a comment. Returns the position after it, or the end of the bytes. */
  #readComment(bytes: Uint8Array<ArrayBuffer>, p: number): number {
    const machine = this.#machine;
    const end = bytes.length;
    if (p < end) countPendingReturn(machine, machine.pieceStart, bytes[p]);
    for (; p < end; p++) {
      const byte = bytes[p];
      if (this.#comment === SLASHED) {
        if (byte !== SLASH && byte !== STAR) {
          machine.state = VALUE; // the slash was not a token
          this.#fail(failureAtByte(machine, bytes, p));
          return p;
        }
        this.#comment = byte === SLASH ? LINE : BLOCK;
      } else if (byte >= 0x80 || this.#character !== STRING) {
        const next = TRANSITIONS[this.#character << 8 | byte];
        if (next === REJECT || byte < 0x80) {
          machine.state = this.#character;
          this.#fail(failureAtByte(machine, bytes, p));
          return p;
        }
        machine.excessBytes += EXCESS_BYTES[this.#character];
        this.#character = next;
        if (this.#comment === STARRED) this.#comment = BLOCK;
      } else if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        if (this.#comment === LINE) {
          this.#comment = NONE;
          if (this.#guard !== null) passLines(this.#guard, machine);
          return p;
        }
        this.#comment = BLOCK;
        if (byte === LINE_FEED) endLine(machine, machine.pieceStart + p + 1);
        else if (p + 1 === end) machine.isReturnPending = true;
        else if (bytes[p + 1] !== LINE_FEED) endLine(machine, machine.pieceStart + p + 1);
      } else if (this.#comment === STARRED && byte === SLASH) {
        this.#comment = NONE;
        if (this.#guard !== null) passLines(this.#guard, machine);
        return p + 1;
      } else if (this.#comment !== LINE) {
        this.#comment = byte === STAR ? STARRED : BLOCK;
      }
    }
    return p;
  }

  /** Lets a bracket close after a comma, if the byte is the bracket and a comma is before it. */
  #allowTrailingComma(byte: number): boolean {
    const machine = this.#machine;
    const { state, brackets } = machine;
    // In an array, a value has to come only after a comma; `[` leads to FIRST_VALUE.
    const isInArray = brackets > 1 && (brackets & 1) === 0;
    if (byte === CLOSE_BRACKET && state === VALUE && isInArray) machine.state = FIRST_VALUE;
    else if (byte === CLOSE_BRACE && state === KEY) machine.state = FIRST_KEY;
    else return false;
    return true;
  }

  #fail(failure: ParseFailure): void {
    this.#hasFailed = true;
    this.#onFailure(failure);
  }
}
