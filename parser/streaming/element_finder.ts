/**
 * Finds one value of a document, or the elements of one array: follows a JSON Pointer (RFC 6901),
 * and stops at each value outside of it.
 *
 * @module
 */

import { OPEN_BRACE, OPEN_BRACKET } from "../base/ascii.ts";
import { cut, failure } from "../validation/locate_failure.ts";
import { AFTER_ELEMENT, DONE } from "../validation/token_dfa.ts";
import {
  CLOSED,
  failAtToken,
  FAILURE,
  newTokenWalk,
  openContainer,
  passValueIn,
  type TokenWalk,
  VALUE_BEGINS,
  WAIT,
  walkTokens,
} from "./token_walk.ts";
import type { ValueReader } from "./value_reader.ts";

export { FAILURE, WAIT };

/**
 * Results of {@linkcode ElementFinder.find}, besides {@linkcode WAIT} and {@linkcode FAILURE}. An
 * element, or the value at the pointer, begins at the reader's position.
 */
export const WANTED_VALUE = 5;
/** Another value begins at the reader's position. */
export const OTHER_VALUE = 6;
/** The value at the pointer, or that there is none, is certain. */
export const CERTAIN = 7;

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
   * For each open container on the pointer's path: the next index of an array, -1 of an object.
   */
  readonly #indices: Float64Array;
  /** Number of open containers on the path. */
  #depth = 0;
  #walk: TokenWalk = newTokenWalk();
  /** Whether the value that begins next, or has begun, is on the pointer's path. */
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
    this.#walk = newTokenWalk();
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
    if (this.#isInArray) {
      this.#walk.state = AFTER_ELEMENT;
      return;
    }
    const isInObject = this.#depth > 0 && this.#indices[this.#depth - 1] < 0;
    passValueIn(this.#walk, isInObject);
    if (this.#depth === 0) this.#walk.state = DONE;
  }

  /**
   * Reads up to the next value that does not contain the target. Returns {@linkcode WAIT},
   * {@linkcode WANTED_VALUE}, {@linkcode OTHER_VALUE}, {@linkcode CERTAIN} or {@linkcode FAILURE}.
   *
   * @param isLast Whether the input ends with these bytes.
   */
  find(reader: ValueReader, isLast: boolean): number {
    const { parsableEnd } = reader;
    for (;;) {
      let step = walkTokens(this.#walk, reader, parsableEnd, isLast);
      if (step === VALUE_BEGINS) {
        step = this.#beginValue(reader);
        if (step !== WAIT) return step;
      } else if (step === CLOSED) {
        if (this.#close()) return CERTAIN;
      } else if (step === WAIT && isLast && this.#target === ELEMENTS && !this.#isFound) {
        return this.#failWithoutArray(reader.position);
      } else {
        return step;
      }
    }
  }

  /**
   * Enters a container on the path and returns {@linkcode WAIT}, or returns the result for another
   * value.
   */
  #beginValue(reader: ValueReader): number {
    if (this.#isInArray) return WANTED_VALUE;
    const depth = this.#depth;
    if (depth > 0) {
      const index = this.#indices[depth - 1];
      if (index >= 0) this.#indices[depth - 1]++;
      this.#isOnPath = this.#leadsOn(index < 0 ? this.#walk.name : `${index}`);
    }
    if (!this.#isOnPath) return OTHER_VALUE;
    if (this.#target !== ELEMENTS) {
      this.#matched = depth;
      this.#isFound = false; // an earlier member of the same name does not count
    }
    const { position } = reader;
    const c = reader.buffer.bytes[position];
    if (depth === this.#tokens.length) {
      if (this.#target !== ELEMENTS) return WANTED_VALUE;
      if (c !== OPEN_BRACKET) {
        return failAtToken(this.#walk, reader, position + 1, false) === FAILURE
          ? FAILURE
          : this.#failWithoutArray(position);
      }
      this.#isInArray = true;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      this.#indices[this.#depth++] = c === OPEN_BRACE ? -1 : 0;
    } else {
      return OTHER_VALUE;
    }
    openContainer(this.#walk, c === OPEN_BRACE);
    reader.position = position + 1;
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

  /** Records that there is no array at the pointer. Returns {@linkcode FAILURE}. */
  #failWithoutArray(position: number): number {
    failure.code = "expected-array";
    failure.offset = position;
    cut.at = -1;
    return FAILURE;
  }
}
