/**
 * Reads the tokens between values as they arrive: whitespace, brackets, commas, colons and names. A
 * walk stops at each value, and the caller decides how to read it: to enter a container, to make a
 * value, or to skip it.
 *
 * @module
 */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, QUOTE, SPACE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { skipPlain } from "../base/swar.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { readStringToken } from "../strings/read_string.ts";
import { locateFailure } from "../validation/locate_failure.ts";
import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  AFTER_NAME,
  DONE,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  VALUE,
} from "../validation/token_dfa.ts";
import { hasClosingQuote, NO_STRING, type ValueReader } from "./value_reader.ts";

/** Results of {@linkcode walkTokens}. More bytes must arrive, or the input ends after its value. */
export const WAIT = 0;
/** A value begins at the reader's position. */
export const VALUE_BEGINS = 1;
/** The innermost container has ended. */
export const CLOSED = 2;
/** A failure was located. */
export const FAILURE = 3;
const NAME = 4;

/** Position of a walk in the grammar. */
export interface TokenWalk {
  /** State of the automaton before the next token: see `token_dfa.ts`. */
  state: number;
  /** Whether the innermost container is an object. */
  isInObject: boolean;
  /** Name read last. */
  name: string;
}

export function newTokenWalk(): TokenWalk {
  return { state: VALUE, isInObject: false, name: "" };
}

/** Goes on after the opening bracket of a container. */
export function openContainer(walk: TokenWalk, isObject: boolean): void {
  walk.isInObject = isObject;
  walk.state = isObject ? FIRST_KEY : FIRST_VALUE;
}

/** Goes on after a value in a container of a kind. */
export function passValueIn(walk: TokenWalk, isObject: boolean): void {
  walk.isInObject = isObject;
  walk.state = isObject ? AFTER_MEMBER : AFTER_ELEMENT;
}

/**
 * Reads tokens before `end` up to the next value, or the end of the innermost container.
 *
 * @param isLast Whether the input ends at `end`.
 */
export function walkTokens(walk: TokenWalk, reader: ValueReader, end: number, isLast: boolean): number {
  const { bytes } = reader.buffer;
  let p = reader.position | 0;
  let { state } = walk;
  for (;;) {
    if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end) | 0;
    const c = p < end ? bytes[p] : 0;
    if (c === COMMA && (state === AFTER_ELEMENT || state === AFTER_MEMBER)) {
      state = state === AFTER_ELEMENT ? VALUE : KEY;
      p = p + 1 | 0;
      continue;
    }
    if (c === COLON && state === AFTER_NAME) {
      state = VALUE;
      p = p + 1 | 0;
      continue;
    }
    walk.state = state;
    reader.position = p;
    if (p >= end && (!isLast || state === DONE)) return WAIT;
    if (c === (walk.isInObject ? CLOSE_BRACE : CLOSE_BRACKET) && mayClose(state)) {
      reader.position = p + 1;
      return CLOSED;
    }
    if (p < end && state <= FIRST_VALUE && c !== CLOSE_BRACKET) return VALUE_BEGINS;
    if (c !== QUOTE || state !== KEY && state !== FIRST_KEY) return failAtToken(walk, reader, end, isLast);
    const step = readName(walk, reader, end, isLast);
    if (step !== NAME) return step;
    p = reader.position | 0;
    state = AFTER_NAME;
  }
}

/** Returns whether the innermost container may end before the next token. */
function mayClose(state: number): boolean {
  return state === FIRST_VALUE || state === FIRST_KEY || state === AFTER_ELEMENT || state === AFTER_MEMBER;
}

/** Reads a name. Returns {@linkcode WAIT} if it is cut, {@linkcode FAILURE}, or `NAME`. */
function readName(walk: TokenWalk, reader: ValueReader, end: number, isLast: boolean): number {
  const { buffer: { bytes, view }, position } = reader;
  if (reader.quoteSearchedTo !== NO_STRING && !isLast && !hasClosingQuote(reader, end)) return WAIT;
  reader.quoteSearchedTo = NO_STRING;
  const plainEnd = skipPlain(bytes, view, position + 1, end);
  const name = readStringToken(bytes, view, position + 1, plainEnd, end);
  if (name === null) {
    const step = failAtToken(walk, reader, end, isLast);
    if (step === WAIT) reader.quoteSearchedTo = end;
    return step;
  }
  reader.position = cursor.position;
  walk.name = name;
  return NAME;
}

/**
 * Locates the failure of the token at the reader's position. Returns {@linkcode FAILURE}, or
 * {@linkcode WAIT} if the bytes end within the token, at `end`.
 */
export function failAtToken(
  { state, isInObject }: TokenWalk,
  { buffer: { bytes, view }, position }: ValueReader,
  end: number,
  isLast: boolean,
): number {
  return locateFailure(bytes, view, position, end, state, isInObject, isLast) ? FAILURE : WAIT;
}
