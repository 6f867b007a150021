/**
 * Skips whole values: checks them like the validator, but faster.
 *
 * {@linkcode skipItems} accepts tokens and never rejects one. It hands over unusual, incomplete,
 * wrong and deeply nested tokens, and the last bytes, to the validator of `validator.ts`, along
 * with the open brackets. That alone decides what is wrong. `tests/library/differential_test.ts`
 * compares it with the other copies of the grammar.
 */

import {
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from "../base/ascii.ts";
import { lineCountHints } from "../base/cursor.ts";
import { FALSE_TAIL, FOUR_SPACES, lowestByte, needsAttention, NULL, TRUE } from "../base/swar.ts";
import { continueValidating, FAILED_POSITION } from "./locate_failure.ts";
import {
  AFTER_ELEMENT,
  AFTER_NAME,
  DONE,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  stateAfterComma,
  stateAfterOpening,
  STRING,
  VALUE,
} from "./token_dfa.ts";
import {
  closeBrackets,
  INNER_START,
  newInnerMachine,
  readPiece,
  SHORT_NUMBER,
  skipDigitsByWords,
  skipNumberRun,
  WHOLE_WORD,
} from "./validator.ts";

/** Bits of open brackets below the sentinel bit, as in the validator: of none, and of an array. */
export const NO_BRACKETS = 1;
export const IN_ARRAY = 2;

/** Bytes left to the validator: as many as a word at the last name or value needs. */
const TAIL = 8;

const machine = /* @__PURE__ */ newInnerMachine(true);

/**
 * Skips the value that begins at `p` or after whitespace. Returns the position after it, or
 * {@linkcode FAILED_POSITION} after locating the failure.
 *
 * Precondition: `bytes` has nothing after the input.
 */
export function skipValue(bytes: Uint8Array, view: DataView, p: number): number {
  return skipItems(bytes, view, p, NO_BRACKETS, VALUE);
}

/** Reads the rest of a value with the validator. Returns what {@linkcode skipValue} returns. */
function handOver(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  state: number,
  brackets: number,
): number {
  closeBrackets(machine);
  machine.state = state;
  machine.brackets = brackets;
  p = continueValidating(machine, bytes, view, p, true);
  if (p === FAILED_POSITION) closeBrackets(machine);
  return p;
}

/**
 * Skips a value, or elements or members up to the end of their container. Returns what
 * {@linkcode skipValue} returns.
 *
 * @param brackets Bits of the open brackets below a sentinel bit, as in the validator.
 * @param state State of the automaton before the token at `p`, where this loop may leave the rest
 * to the validator.
 */
export function skipItems(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  brackets: number,
  state: number,
): number {
  p |= 0;
  state |= 0;
  brackets |= 0;
  const end = bytes.length | 0;
  const last = end - TAIL | 0;
  items: while (p < last) {
    let c = bytes[p];
    while (c <= SPACE) { // "Written out": see ARCHITECTURE.md (indented documents: +3 %)
      if (c === LINE_FEED) {
        lineCountHints.passed = 1;
        p = p + 1 | 0;
        while (p < last) {
          const others = view.getInt32(p, true) ^ FOUR_SPACES;
          if (others !== 0) {
            p = p + lowestByte(others) | 0;
            break;
          }
          p = p + 4 | 0;
        }
      } else if (c === SPACE || c === TAB) {
        p = p + 1 | 0;
      } else {
        if (c !== CARRIAGE_RETURN) break;
        lineCountHints.passed = 1;
        p = p + 1 | 0;
      }
      if (p >= last) break items;
      c = bytes[p];
    }
    if (c === QUOTE) {
      if (state > FIRST_KEY) break;
      let q = p + 1 | 0;
      let attention = 0;
      while (q <= last) {
        attention = needsAttention(view.getInt32(q, true));
        if (attention !== 0) break;
        q = q + 4 | 0;
      }
      if (attention === 0) break;
      q = q + lowestByte(attention) | 0;
      if (bytes[q] !== QUOTE) {
        q = skipSpecial(bytes, view, q) | 0;
        if (q < 0 || q >= last) break;
      }
      p = q + 1 | 0;
      if (state >= KEY) {
        if (bytes[p] === COLON) {
          p = p + 1 | 0;
          state = VALUE;
        } else state = AFTER_NAME;
        continue;
      }
    } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
      if (state > FIRST_VALUE) break;
      const q = skipNumberByWords(bytes, view, p, end - 4 | 0) | 0;
      if (q < 0) break;
      const isShort = q - p <= SHORT_NUMBER;
      p = q;
      if (isShort && (brackets & 1) === 0 && bytes[p] === COMMA) {
        p = skipNumberRun(bytes, p + 1) | 0;
        if (p >= 0) {
          state = VALUE;
          continue;
        }
        p = ~p;
        if (p >= last) {
          state = AFTER_ELEMENT;
          break;
        }
      }
    } else if (c === COMMA) {
      if (state !== AFTER_ELEMENT + (brackets & 1)) break;
      state = stateAfterComma(brackets & 1);
      p = p + 1 | 0;
      continue;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (state > FIRST_VALUE) break;
      if (brackets > WHOLE_WORD) break; // deep nesting is left to the validator
      const isObject = c >> 5 & 1;
      brackets = brackets << 1 | isObject;
      state = stateAfterOpening(isObject);
      p = p + 1 | 0;
      continue;
    } else if (c === CLOSE_BRACKET || c === CLOSE_BRACE) {
      const isObject = c >> 5 & 1;
      // The state tells the kind of the innermost container, too.
      if (state !== AFTER_ELEMENT + isObject && state !== stateAfterOpening(isObject)) break;
      p = p + 1 | 0;
      brackets >>= 1;
    } else if (c === COLON) {
      if (state !== AFTER_NAME) break;
      state = VALUE;
      p = p + 1 | 0;
      continue;
    } else if (state > FIRST_VALUE) break;
    else if (c === LOWER_T && view.getInt32(p, true) === TRUE) p = p + 4 | 0;
    else if (c === LOWER_N && view.getInt32(p, true) === NULL) p = p + 4 | 0;
    else if (c === LOWER_F && view.getInt32(p + 1, true) === FALSE_TAIL) p = p + 5 | 0;
    else break;
    // A value has ended.
    if (brackets === 1) return p;
    if (bytes[p] === COMMA) {
      p = p + 1 | 0;
      state = stateAfterComma(brackets & 1);
    } else state = AFTER_ELEMENT + (brackets & 1);
  }
  return handOver(bytes, view, p, state, brackets);
}

/**
 * Returns the position after the number at `p`; -1 if there is none, or it ends near the end of
 * the bytes.
 *
 * Small enough for V8 to inline: if it read the first word itself, skipping would take a tenth more
 * time.
 */
function skipNumberByWords(bytes: Uint8Array, view: DataView, p: number, wordEnd: number): number {
  p |= 0;
  let first = bytes[p] === MINUS ? p + 1 | 0 : p;
  let q = skipDigitsByWords(view, first, wordEnd) | 0;
  if (q === first || q - first !== 1 && bytes[first] === ZERO) return -1;
  let c = bytes[q];
  if (c === POINT) {
    first = q + 1 | 0;
    q = skipDigitsByWords(view, first, wordEnd) | 0;
    if (q === first) return -1;
    c = bytes[q];
  }
  if ((c | 0x20) === LOWER_E) {
    first = q + 1 | 0;
    if (bytes[first] === MINUS || bytes[first] === PLUS) first = first + 1 | 0;
    q = skipDigitsByWords(view, first, wordEnd) | 0;
    if (q === first) return -1;
  }
  return q;
}

/**
 * Returns the position of the closing quote of a string with a special byte at `p`; -1 if the rest
 * of the string is malformed or incomplete.
 */
function skipSpecial(bytes: Uint8Array, view: DataView, p: number): number {
  closeBrackets(machine);
  machine.state = STRING;
  machine.isKey = false;
  machine.excessBytes = 0;
  readPiece(machine, bytes, view, p);
  if (machine.excessBytes !== 0) lineCountHints.passedNonAscii = 1;
  return machine.state === DONE ? machine.documentEnd - INNER_START - 1 : -1;
}
