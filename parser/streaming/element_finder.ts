/**
 * Finds the elements of one array in a document: follows a JSON Pointer (RFC 6901) down to the
 * array, and checks everything that is no element.
 *
 * @module
 */

import { defineElement } from "../engine/arrays.ts";
import { type FailureCode, unexpectedByte } from "../base/failure.ts";
import { cursor, failure } from "../base/out_params.ts";
import { readStringToken } from "../strings/read_string.ts";
import { isCut } from "../document/suspension.ts";
import { skipPlain } from "../base/swar.ts";
import { hasClosingQuote, NO_STRING, type ValueReader } from "./value_reader.ts";
import { skipWhitespace } from "../base/whitespace.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Steps that {@linkcode ElementFinder.find} returns. More bytes must arrive, or none need to. */
export const WAIT = 0;
/** An element begins at the reader's position. */
export const ELEMENT = 1;
/** A value that is no element begins at the reader's position. */
export const OTHER_VALUE = 2;
/** A failure was found: see `code` and `position`. */
export const FAILURE = 3;

/** States of the finder: the token that comes next. A value on the way to the array. */
const PATH_VALUE = 0;
/** A value on no way to the array. */
const OTHER = 1;
/** The first name of an object on the way, or its closing brace. */
const FIRST_NAME = 2;
const NAME = 3;
const NAME_COLON = 4;
/** The first element of an array on the way, or its closing bracket. */
const FIRST_ITEM = 5;
const ITEM = 6;
/** A comma or a closing bracket, in an object or array on the way. */
const AFTER_ITEM = 7;
/** The first wanted element, or the closing bracket. */
const FIRST_ELEMENT = 8;
const NEXT_ELEMENT = 9;
const AFTER_ELEMENT = 10;
/** Nothing: the document is complete. */
const END = 11;

/** Code of the failure if the input ends in a state; in AFTER_ITEM it depends on the container. */
const CODES_AT_END: readonly FailureCode[] = [
  "unexpected-end",
  "unexpected-end",
  "expected-property-name-or-brace",
  "expected-property-name",
  "expected-colon",
  "unexpected-end",
  "unexpected-end",
  "expected-comma-or-bracket",
  "unexpected-end",
  "unexpected-end",
  "expected-comma-or-bracket",
  "expected-array",
];

/**
 * Returns the reference tokens of a JSON Pointer (RFC 6901 §3 and §4).
 *
 * @throws {TypeError} If the text is not a JSON Pointer.
 */
function parsePointer(pointer: string): string[] {
  const tokens: string[] = [];
  if (pointer === "") return tokens;
  if (typeof pointer !== "string" || pointer[0] !== "/") throw notPointer();
  let count = 0;
  let token = "";
  for (let i = 1; i < pointer.length; i++) {
    const character = pointer[i];
    if (character === "/") {
      defineElement(tokens, count++, token);
      token = "";
    } else if (character === "~") {
      const digit = ++i < pointer.length ? pointer[i] : "";
      if (digit !== "0" && digit !== "1") throw notPointer();
      token += digit === "0" ? "~" : "/";
    } else {
      token += character;
    }
  }
  defineElement(tokens, count, token);
  return tokens;
}

function notPointer(): TypeError {
  return new TypeError('Cannot find an array at this JSON Pointer: expected a text such as "/data/items"');
}

/** Returns whether a byte begins a value. */
function beginsValue(c: number): boolean {
  return c === QUOTE || c - ZERO >>> 0 <= 9 || c === MINUS || c === LOWER_T || c === LOWER_F || c === LOWER_N ||
    c === OPEN_BRACE || c === OPEN_BRACKET;
}

/**
 * Finder of the elements of one array. If names are duplicated, the first way that leads to the end
 * of the pointer counts.
 */
export class ElementFinder {
  /** Code and position of a failure. */
  code: FailureCode = "unexpected-end";
  position = 0;
  readonly #tokens: readonly string[];
  /** For each container on the way that is open: the index in an array, -1 in an object. */
  readonly #indices: Float64Array;
  /** Number of containers on the way that are open. */
  #depth = 0;
  #state = PATH_VALUE;
  /** Whether the name read last is on the way. */
  #isOnPath = false;
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

  /** Puts the finder back to the beginning of a document. */
  reset(): void {
    this.#depth = 0;
    this.#state = PATH_VALUE;
    this.#isFound = false;
  }

  /** Continues after an element. */
  passElement(): void {
    this.#state = AFTER_ELEMENT;
  }

  /** Continues after a value that is no element. */
  passValue(): void {
    this.#state = this.#depth === 0 ? END : AFTER_ITEM;
  }

  /**
   * Reads up to the next value that is not on the way. Returns {@linkcode WAIT},
   * {@linkcode ELEMENT}, {@linkcode OTHER_VALUE} or {@linkcode FAILURE}; `isLast` if no more bytes
   * follow. Whitespace, commas, colons and names are consumed.
   */
  find(reader: ValueReader, isLast: boolean): number {
    const { bytes } = reader.buffer;
    const { limit } = reader;
    for (;;) {
      const p = skipWhitespace(bytes, reader.position, limit);
      reader.position = p;
      if (p >= limit) return isLast ? this.#failAtEnd(p) : WAIT;
      const c = bytes[p];
      switch (this.#state) {
        case PATH_VALUE:
          if (this.#depth === this.#tokens.length) {
            if (c !== OPEN_BRACKET) return this.#fail(beginsValue(c) ? "expected-array" : unexpectedByte(c), p);
            this.#state = FIRST_ELEMENT;
          } else if (c === OPEN_BRACE) {
            this.#indices[this.#depth++] = -1;
            this.#state = FIRST_NAME;
          } else if (c === OPEN_BRACKET) {
            this.#indices[this.#depth++] = 0;
            this.#state = FIRST_ITEM;
          } else {
            return OTHER_VALUE;
          }
          break;
        case OTHER:
          return OTHER_VALUE;
        case FIRST_NAME:
        case NAME:
          if (c === CLOSE_BRACE && this.#state === FIRST_NAME) {
            this.#close();
            break;
          }
          if (c !== QUOTE) {
            return this.#fail(
              this.#state === FIRST_NAME ? "expected-property-name-or-brace" : "expected-property-name",
              p,
            );
          }
          if (!this.#readName(reader, isLast)) {
            return reader.searched === NO_STRING ? this.#fail(failure.code, failure.offset) : WAIT;
          }
          continue;
        case NAME_COLON:
          if (c !== COLON) return this.#fail("expected-colon", p);
          this.#state = this.#isOnPath ? PATH_VALUE : OTHER;
          break;
        case FIRST_ITEM:
          if (c === CLOSE_BRACKET) {
            this.#close();
            break;
          }
          this.#state = this.#leadsOn(`${this.#indices[this.#depth - 1]}`) ? PATH_VALUE : OTHER;
          continue;
        case ITEM:
          this.#state = this.#leadsOn(`${this.#indices[this.#depth - 1]}`) ? PATH_VALUE : OTHER;
          continue;
        case AFTER_ITEM: {
          const isObject = this.#isInObject();
          if (c === COMMA) {
            if (isObject) this.#state = NAME;
            else {
              this.#indices[this.#depth - 1]++;
              this.#state = ITEM;
            }
          } else if (c === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
            this.#close();
          } else {
            return this.#fail(isObject ? "expected-comma-or-brace" : "expected-comma-or-bracket", p);
          }
          break;
        }
        case FIRST_ELEMENT:
        case AFTER_ELEMENT:
          if (c === CLOSE_BRACKET) {
            this.#isFound = true;
            this.passValue();
          } else if (this.#state === FIRST_ELEMENT) {
            return ELEMENT;
          } else if (c === COMMA) {
            this.#state = NEXT_ELEMENT;
          } else {
            return this.#fail("expected-comma-or-bracket", p);
          }
          break;
        case NEXT_ELEMENT:
          return ELEMENT;
        default:
          return this.#fail("trailing-content", p);
      }
      reader.position = p + 1;
    }
  }

  #fail(code: FailureCode, position: number): number {
    this.code = code;
    this.position = position;
    return FAILURE;
  }

  #failAtEnd(p: number): number {
    if (this.#state === END && this.#isFound) return WAIT;
    if (this.#state === AFTER_ITEM && this.#isInObject()) return this.#fail("expected-comma-or-brace", p);
    return this.#fail(CODES_AT_END[this.#state], p);
  }

  #isInObject(): boolean {
    return this.#indices[this.#depth - 1] === -1;
  }

  /** Leaves a container on the way. */
  #close(): void {
    this.#depth--;
    this.passValue();
  }

  /** Returns whether a member or element of the innermost container is on the way. */
  #leadsOn(token: string): boolean {
    return !this.#isFound && token === this.#tokens[this.#depth - 1];
  }

  /**
   * Reads a name. Returns `false` if it is cut, with `reader.searched` set, or after recording a
   * failure.
   */
  #readName(reader: ValueReader, isLast: boolean): boolean {
    const { bytes, view } = reader.buffer;
    const { limit, position } = reader;
    if (reader.searched !== NO_STRING && !isLast && !hasClosingQuote(reader, limit)) return false;
    reader.searched = NO_STRING;
    const name = readStringToken(bytes, view, position + 1, skipPlain(bytes, view, position + 1, limit), limit);
    if (name === null) {
      if (!isLast && isCut(limit)) reader.searched = failure.code === "invalid-utf8" ? position + 1 : limit;
      return false;
    }
    reader.position = cursor.position;
    this.#isOnPath = this.#leadsOn(name);
    this.#state = NAME_COLON;
    return true;
  }
}
