/**
 * Comments and trailing commas. Between the tokens of JSON, JSON with comments also has `//` and
 * block comments, and a comma after the last element or member.
 *
 * The validator of strict JSON asks at each byte that it rejects, so strict JSON pays nothing.
 * `tests/cli/content_test.ts` checks it against the grammar, and
 * `tests/library/blank_comments_test.ts` tests the bytes that it blanks.
 */

import { CARRIAGE_RETURN, CLOSE_BRACE, CLOSE_BRACKET, COMMA, LINE_FEED, SLASH, SPACE, STAR } from "../base/ascii.ts";
import { countPendingReturn, endLine } from "../base/line_counter.ts";
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
} from "../validation/token_dfa.ts";
import { type CommentReader, DocumentValidator } from "./document_validator.ts";
import type { Machine } from "../validation/validator.ts";

const NONE = 0;
/** State after the slash that begins a comment. */
const SLASHED = 1;
const LINE = 2;
const BLOCK = 3;
/** State in a block comment after a `*`. */
const STARRED = 4;

/** Reads comments, and accepts trailing commas. */
export class Comments implements CommentReader {
  #state = NONE;
  /** State of the automaton within a character of a comment; `STRING` between two. */
  #character = STRING;

  get isOpen(): boolean {
    return this.#state !== NONE;
  }

  /** Whether the end of the input may end the comment that is open. */
  get mayEnd(): boolean {
    return this.#state === LINE && this.#character === STRING;
  }

  begin({ state }: Machine, byte: number): boolean {
    if (state >= TOKEN || byte !== SLASH) return false;
    this.#state = SLASHED;
    return true;
  }

  read(machine: Machine, bytes: Uint8Array, p: number): number {
    const end = bytes.length;
    if (p < end) countPendingReturn(machine, machine.pieceStart, bytes[p]);
    for (; p < end; p++) {
      const byte = bytes[p];
      if (this.#state === SLASHED) {
        if (byte !== SLASH && byte !== STAR) {
          machine.state = VALUE; // the slash was not a token
          return p;
        }
        this.#state = byte === SLASH ? LINE : BLOCK;
      } else if (byte >= 0x80 || this.#character !== STRING) {
        const next = TRANSITIONS[this.#character << 8 | byte];
        if (next === REJECT || byte < 0x80) {
          machine.state = this.#character;
          return p;
        }
        machine.excessBytes += EXCESS_BYTES[this.#character];
        this.#character = next;
        if (this.#state === STARRED) this.#state = BLOCK;
      } else if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        if (this.#state === LINE) {
          this.#state = NONE;
          return p;
        }
        this.#state = BLOCK;
        if (byte === LINE_FEED) endLine(machine, machine.pieceStart + p + 1);
        else if (p + 1 === end) machine.isReturnPending = true;
        else if (bytes[p + 1] !== LINE_FEED) endLine(machine, machine.pieceStart + p + 1);
      } else if (this.#state === STARRED && byte === SLASH) {
        this.#state = NONE;
        return p + 1;
      } else if (this.#state !== LINE) {
        this.#state = byte === STAR ? STARRED : BLOCK;
      }
    }
    return p;
  }

  end(machine: Machine): void {
    // The end of the input ends only a line comment.
    if (this.#state !== NONE && this.#state !== LINE) machine.state = VALUE;
    else if (this.#character !== STRING) machine.state = this.#character;
  }

  allowTrailingComma(machine: Machine, bytes: Uint8Array, p: number): boolean {
    const { state, brackets } = machine;
    const byte = bytes[p];
    // In an array, a value has to come only after a comma; `[` leads to FIRST_VALUE.
    const isInArray = brackets > 1 && (brackets & 1) === 0;
    if (byte === CLOSE_BRACKET && state === VALUE && isInArray) machine.state = FIRST_VALUE;
    else if (byte === CLOSE_BRACE && state === KEY) machine.state = FIRST_KEY;
    else return false;
    return true;
  }
}

/** Replaces the comments and trailing commas of a complete input by blanks. */
class BlankingComments extends Comments {
  readonly #bytes: Uint8Array;
  /** Position of the comment that was read last. */
  #start = 0;

  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = bytes;
  }

  override read(machine: Machine, bytes: Uint8Array, p: number): number {
    this.#start = p - 1;
    const end = super.read(machine, bytes, p);
    if (!this.isOpen) this.#blank(end);
    return end;
  }

  override end(machine: Machine): void {
    super.end(machine);
    if (this.mayEnd) this.#blank(this.#bytes.length);
  }

  override allowTrailingComma(machine: Machine, bytes: Uint8Array, p: number): boolean {
    const isAllowed = super.allowTrailingComma(machine, bytes, p);
    // Only blanks are between the two: comments have been blanked.
    if (isAllowed) bytes[bytes.lastIndexOf(COMMA, p)] = SPACE;
    return isAllowed;
  }

  #blank(end: number): void {
    const bytes = this.#bytes;
    for (let p = this.#start; p < end; p++) {
      if (bytes[p] !== LINE_FEED && bytes[p] !== CARRIAGE_RETURN) bytes[p] = SPACE;
    }
  }
}

/** Replaces comments and trailing commas by blanks, in place, up to a failure. */
export function blankInPlace(bytes: Uint8Array): void {
  const sink = { describesFailures: false, beginDocument() {}, addFailure() {}, endDocument() {} };
  const comments = new BlankingComments(bytes);
  const options = { multiple: undefined, guards: null, maxDepth: Infinity, comments, endsAtFailure: true };
  const validator = new DocumentValidator(sink, options);
  validator.push(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
  validator.end();
}
