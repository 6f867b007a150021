/**
 * Finds the elements of one array in a document: follows a JSON Pointer (RFC 6901) to the array,
 * and stops at each value outside of it.
 *
 * @module
 */

import { cursor } from "../base/cursor.ts";
import { skipPlain } from "../base/swar.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { parsePointer } from "../selecting/pointer_node.ts";
import { readStringToken } from "../strings/read_string.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  COLON,
  DONE,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  VALUE,
} from "../validation/token_dfa.ts";
import { hasClosingQuote, NO_STRING, type ValueReader } from "./value_reader.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON_BYTE = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Results of {@linkcode ElementFinder.find}. More bytes are needed, or the document is complete.
 */
export const WAIT = 0;
/** An element begins at the reader's position. */
export const ELEMENT = 1;
/** A value other than an element begins at the reader's position. */
export const OTHER_VALUE = 2;
/** A failure was located. */
export const FAILURE = 3;
/** A name was read. */
const NAME = 4;

/**
 * Finder of the elements of one array. With duplicate names, the first member that completes the
 * pointer wins.
 */
export class ElementFinder {
  readonly #tokens: readonly string[];
  /**
   * For each open container on the pointer's path: the current index of an array, -1 of an object.
   */
  readonly #indices: Float64Array;
  /** Number of open containers on the path. */
  #depth = 0;
  /** State of the automaton before the next token: see `token_dfa.ts`. */
  #state = VALUE;
  /** Whether the next value, or the member of an object, is on the pointer's path. */
  #isOnPath = true;
  /** Whether the array at the pointer is open. */
  #isInArray = false;
  #isFound = false;

  /**
   * Makes a finder at the beginning of a document.
   *
   * @throws {TypeError} If `pointer` is not a JSON Pointer.
   */
  constructor(pointer: string) {
    this.#tokens = parsePointer(pointer);
    this.#indices = new Float64Array(this.#tokens.length);
  }

  reset(): void {
    this.#depth = 0;
    this.#state = VALUE;
    this.#isOnPath = true;
    this.#isInArray = this.#isFound = false;
  }

  /** Continues after a value that was read elsewhere. */
  passValue(): void {
    if (this.#isInArray) this.#state = AFTER_ELEMENT;
    else if (this.#depth === 0) this.#state = DONE;
    else this.#state = this.#indices[this.#depth - 1] < 0 ? AFTER_MEMBER : AFTER_ELEMENT;
  }

  /**
   * Reads up to the next value that does not contain the array, over whitespace, commas, colons and
   * names. Returns {@linkcode WAIT}, {@linkcode ELEMENT}, {@linkcode OTHER_VALUE} or
   * {@linkcode FAILURE}; `isLast` if no more bytes follow.
   */
  find(reader: ValueReader, isLast: boolean): number {
    const { bytes } = reader.buffer;
    const { parsableEnd } = reader;
    for (;;) {
      const p = reader.position = skipWhitespace(bytes, reader.position, parsableEnd);
      if (p >= parsableEnd) {
        if (!isLast || this.#state === DONE && this.#isFound) return WAIT;
        return this.#state === DONE ? this.#failWithoutArray(p) : this.#fail(reader, parsableEnd, isLast);
      }
      const c = bytes[p];
      const state = this.#state;
      if (state <= FIRST_VALUE) {
        if (c !== CLOSE_BRACKET || state !== FIRST_VALUE) {
          const step = this.#beginValue(reader, c);
          if (step !== WAIT) return step;
        } else this.#close();
      } else if (state <= FIRST_KEY) {
        if (c !== CLOSE_BRACE || state !== FIRST_KEY) {
          if (c !== QUOTE) return this.#fail(reader, parsableEnd, isLast);
          const step = this.#readName(reader, isLast);
          if (step !== NAME) return step;
          continue;
        }
        this.#close();
      } else if (state === COLON) {
        if (c !== COLON_BYTE) return this.#fail(reader, parsableEnd, isLast);
        this.#state = VALUE;
      } else if (c === COMMA && state !== DONE) {
        this.#state = state === AFTER_MEMBER ? KEY : VALUE;
        if (state === AFTER_ELEMENT && !this.#isInArray) this.#indices[this.#depth - 1]++;
      } else if (c === CLOSE_BRACKET && state === AFTER_ELEMENT || c === CLOSE_BRACE && state === AFTER_MEMBER) {
        this.#close();
      } else {
        return this.#fail(reader, parsableEnd, isLast);
      }
      reader.position = p + 1;
    }
  }

  /**
   * Enters a container on the path and returns {@linkcode WAIT}, or returns the result for another
   * value.
   */
  #beginValue(reader: ValueReader, c: number): number {
    if (this.#isInArray) return ELEMENT;
    const index = this.#depth > 0 ? this.#indices[this.#depth - 1] : -1;
    if (index >= 0) this.#isOnPath = this.#leadsOn(`${index}`);
    if (!this.#isOnPath) return OTHER_VALUE;
    if (this.#depth === this.#tokens.length) {
      if (c !== OPEN_BRACKET) {
        const { position } = reader;
        return this.#fail(reader, position + 1, false) === FAILURE ? FAILURE : this.#failWithoutArray(position);
      }
      this.#isInArray = true;
      this.#state = FIRST_VALUE;
    } else if (c === OPEN_BRACE) {
      this.#indices[this.#depth++] = -1;
      this.#state = FIRST_KEY;
    } else if (c === OPEN_BRACKET) {
      this.#indices[this.#depth++] = 0;
      this.#state = FIRST_VALUE;
    } else {
      return OTHER_VALUE;
    }
    return WAIT;
  }

  /** Leaves the array, or the innermost container on the path. */
  #close(): void {
    if (this.#isInArray) {
      this.#isInArray = false;
      this.#isFound = true;
    } else this.#depth--;
    this.passValue();
  }

  /** Returns whether a member or element of the innermost container continues the path. */
  #leadsOn(token: string): boolean {
    return !this.#isFound && token === this.#tokens[this.#depth - 1];
  }

  /**
   * Reads a name. Returns {@linkcode WAIT} if it is cut, {@linkcode FAILURE}, or {@linkcode NAME}.
   */
  #readName(reader: ValueReader, isLast: boolean): number {
    const { bytes, view } = reader.buffer;
    const { parsableEnd, position } = reader;
    if (reader.quoteSearchedTo !== NO_STRING && !isLast && !hasClosingQuote(reader, parsableEnd)) return WAIT;
    reader.quoteSearchedTo = NO_STRING;
    const plainEnd = skipPlain(bytes, view, position + 1, parsableEnd);
    const name = readStringToken(bytes, view, position + 1, plainEnd, parsableEnd);
    if (name === null) {
      const step = this.#fail(reader, parsableEnd, isLast);
      if (step === WAIT) reader.quoteSearchedTo = parsableEnd;
      return step;
    }
    reader.position = cursor.position;
    this.#isOnPath = this.#leadsOn(name);
    this.#state = COLON;
    return NAME;
  }

  /**
   * Locates the failure of the token at the reader's position. Returns {@linkcode FAILURE}, or
   * {@linkcode WAIT} if the bytes end within the token, at `end`.
   */
  #fail(reader: ValueReader, end: number, isLast: boolean): number {
    const { bytes, view } = reader.buffer;
    const isInObject = !this.#isInArray && this.#depth > 0 && this.#indices[this.#depth - 1] < 0;
    const isWrong = locateFailure(bytes, view, reader.position, end, this.#state, isInObject, isLast);
    return isWrong ? FAILURE : WAIT;
  }

  /** Records that there is no array at the pointer. Returns {@linkcode FAILURE}. */
  #failWithoutArray(position: number): number {
    failure.code = "expected-array";
    failure.offset = position;
    cut.at = -1;
    return FAILURE;
  }
}
