/**
 * Finds one value of a document, or the elements of one array: follows a JSON Pointer (RFC 6901),
 * and stops at each value outside of it.
 *
 * @module
 */

import { cursor } from "../base/cursor.ts";
import { skipPlain } from "../base/swar.ts";
import { skipWhitespace } from "../base/whitespace.ts";
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
/** An element, or the value at the pointer, begins at the reader's position. */
export const WANTED_VALUE = 1;
/** Another value begins at the reader's position. */
export const OTHER_VALUE = 2;
/** A failure was located. */
export const FAILURE = 3;
/** The value at the pointer, or that there is none, is certain. */
export const CERTAIN = 4;
/** A name was read. */
const NAME = 5;

/** Targets of a pointer. The elements of an array: the first member that completes the pointer. */
export const ELEMENTS = 0;
/** The first value: of members with the same name, the first one counts. */
export const FIRST_TARGET = 1;
/** The last value: of members with the same name, the last one counts. */
export const LAST_TARGET = 2;

/** Finder of the value at a JSON Pointer, or of the elements of the array there. */
export class ElementFinder {
  readonly #tokens: readonly string[];
  /** {@linkcode ELEMENTS}, {@linkcode FIRST_TARGET} or {@linkcode LAST_TARGET}. */
  readonly #target: number;
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
  /** Number of tokens that lead to a value: see {@linkcode ElementFinder.matched}. */
  #matched = 0;

  /** Makes a finder at the beginning of a document. `tokens` are those of the pointer. */
  constructor(tokens: readonly string[], target: number) {
    this.#tokens = tokens;
    this.#target = target;
    this.#indices = new Float64Array(tokens.length);
  }

  /** Whether the value at the pointer was found and, so far, is the one that counts. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** Number of tokens of the pointer, from the first on, that lead to a value. */
  get matched(): number {
    return this.#matched;
  }

  reset(): void {
    this.#depth = this.#matched = 0;
    this.#state = VALUE;
    this.#isOnPath = true;
    this.#isInArray = this.#isFound = false;
  }

  /**
   * Continues after a value that was read elsewhere. Returns whether the answer is certain by that.
   */
  passValue(): boolean {
    const wasOnPath = this.#isOnPath && !this.#isInArray;
    this.#continue();
    if (wasOnPath && this.#target !== ELEMENTS) this.#isFound = this.#matched === this.#tokens.length;
    return wasOnPath && this.#target === FIRST_TARGET;
  }

  #continue(): void {
    if (this.#isInArray) this.#state = AFTER_ELEMENT;
    else if (this.#depth === 0) this.#state = DONE;
    else this.#state = this.#indices[this.#depth - 1] < 0 ? AFTER_MEMBER : AFTER_ELEMENT;
  }

  /**
   * Reads up to the next value that does not contain the target, over whitespace, commas, colons
   * and names. Returns {@linkcode WAIT}, {@linkcode WANTED_VALUE}, {@linkcode OTHER_VALUE},
   * {@linkcode CERTAIN} or {@linkcode FAILURE}; `isLast` if no more bytes follow.
   */
  find(reader: ValueReader, isLast: boolean): number {
    const { bytes } = reader.buffer;
    const { parsableEnd } = reader;
    for (;;) {
      const p = reader.position = skipWhitespace(bytes, reader.position, parsableEnd);
      if (p >= parsableEnd) {
        if (!isLast || this.#state === DONE && (this.#isFound || this.#target !== ELEMENTS)) return WAIT;
        return this.#state === DONE ? this.#failWithoutArray(p) : this.#fail(reader, parsableEnd, isLast);
      }
      const c = bytes[p];
      const state = this.#state;
      if (state <= FIRST_VALUE) {
        if (c !== CLOSE_BRACKET || state !== FIRST_VALUE) {
          const step = this.#beginValue(reader, c);
          if (step !== WAIT) return step;
        } else if (this.#close()) return CERTAIN;
      } else if (state <= FIRST_KEY) {
        if (c !== CLOSE_BRACE || state !== FIRST_KEY) {
          if (c !== QUOTE) return this.#fail(reader, parsableEnd, isLast);
          const step = this.#readName(reader, isLast);
          if (step !== NAME) return step;
          continue;
        }
        if (this.#close()) return CERTAIN;
      } else if (state === COLON) {
        if (c !== COLON_BYTE) return this.#fail(reader, parsableEnd, isLast);
        this.#state = VALUE;
      } else if (c === COMMA && state !== DONE) {
        this.#state = state === AFTER_MEMBER ? KEY : VALUE;
        if (state === AFTER_ELEMENT && !this.#isInArray) this.#indices[this.#depth - 1]++;
      } else if (c === CLOSE_BRACKET && state === AFTER_ELEMENT || c === CLOSE_BRACE && state === AFTER_MEMBER) {
        if (this.#close()) return CERTAIN;
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
    if (this.#isInArray) return WANTED_VALUE;
    const index = this.#depth > 0 ? this.#indices[this.#depth - 1] : -1;
    if (index >= 0) this.#isOnPath = this.#leadsOn(`${index}`);
    if (!this.#isOnPath) return OTHER_VALUE;
    if (this.#target !== ELEMENTS) {
      this.#matched = this.#depth;
      this.#isFound = false; // an earlier member of the same name does not count
    }
    if (this.#depth === this.#tokens.length) {
      if (this.#target !== ELEMENTS) return WANTED_VALUE;
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

  /**
   * Leaves the array, or the innermost container on the path. Returns whether the answer is certain
   * by that.
   */
  #close(): boolean {
    if (this.#isInArray) {
      this.#isInArray = false;
      this.#isFound = true;
    } else this.#depth--;
    this.#continue();
    return this.#target === FIRST_TARGET;
  }

  /** Returns whether a member or element of the innermost container continues the path. */
  #leadsOn(token: string): boolean {
    if (token !== this.#tokens[this.#depth - 1]) return false;
    return this.#target === LAST_TARGET || !this.#isFound;
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
