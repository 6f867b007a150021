/**
 * Deterministic finite automaton (DFA) of JSON tokens: its table of transitions, and the failure
 * codes of its states.
 *
 * It reads a token byte by byte, so it copes with any incomplete token. The validator reads
 * most whole tokens without it. `tests/parser/validation/token_dfa_test.ts` checks it against
 * the grammar.
 */

import { BACKSLASH, COMMA, NINE, QUOTE, SPACE, ZERO } from "../base/ascii.ts";
import type { FailureCode } from "../base/failure.ts";
import { skipPlain, skipText } from "../base/swar.ts";

/** Bytes that may follow a backslash, except `u`. */
const ESCAPED = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74];
const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

/**
 * States between tokens, named after what may come next. `validator.ts` needs this order.
 *
 * A trailing comma is refused because the states after a comma, `VALUE` and `KEY`, accept no
 * bracket, unlike those after an opening one, `FIRST_VALUE` and `FIRST_KEY`.
 */
export const VALUE = 0;
export const FIRST_VALUE = 1;
export const KEY = 2;
export const FIRST_KEY = 3;
export const AFTER_NAME = 4;
export const AFTER_ELEMENT = 5;
export const AFTER_MEMBER = 6;
/** State after the document. */
export const DONE = 7;
/** State before a document, where the input may also end. */
export const IDLE = 8;

/** First of the states within a token. */
export const TOKEN = 9;
/** State in a string, between two characters. */
export const STRING = 9;
const ESCAPE = 10;
const HEX_1 = 11;
const HEX_4 = 14;
/** States in a character, by the bytes left and its length, or a first byte that restricts it. */
const LAST_OF_2 = 15;
const TWO_OF_3 = 16;
const TWO_AFTER_E0 = 17;
const TWO_AFTER_ED = 18;
const LAST_OF_3 = 19;
const THREE_OF_4 = 20;
const THREE_AFTER_F0 = 21;
const THREE_AFTER_F4 = 22;
const TWO_OF_4 = 23;
const LAST_OF_4 = 24;
/** States in a number. In those not named after another byte, the previous one is a digit. */
const AFTER_MINUS = 25;
const LEADING_ZERO = 26;
const INTEGER = 27;
const AFTER_POINT = 28;
const FRACTION = 29;
const EXPONENT_MARK = 30;
const EXPONENT_SIGN = 31;
const EXPONENT = 32;
/** States in a byte-order mark, before its second and its third byte. */
export const BOM_2 = 33;
const BOM_3 = 34;
/** States in a literal: one before each letter of `true`, `false` and `null` but the first. */
const LITERALS = 35;
const STATES = LITERALS + 3 + 4 + 3;

/** Transition of a byte that may not follow. */
export const REJECT = 255;
/** Transition of the last byte of a token. */
export const ACCEPT = 254;
/** Transition of the byte after a token: that after a number shows where it ends. */
export const ACCEPT_BEFORE = 253;

/**
 * Table of transitions: byte `b` leads from state `s` to the state at `s << 8 | b`. Its first row,
 * that of {@linkcode VALUE}, has the state after each first byte of a token other than a bracket.
 */
export const TRANSITIONS: Uint8Array = /* @__PURE__ */ makeTransitions();

/** Row of the state after a backslash: {@linkcode STRING} for a letter that completes an escape. */
export const AFTER_BACKSLASH: Uint8Array = /* @__PURE__ */ TRANSITIONS.subarray(ESCAPE << 8, HEX_1 << 8);

/** Row of the state before the last digit of an escape: {@linkcode STRING} for a hex digit. */
export const LAST_HEX: Uint8Array = /* @__PURE__ */ TRANSITIONS.subarray(HEX_4 << 8, LAST_OF_2 << 8);

/** Returns the state after an opening bracket, or a brace if `isObject` is 1 instead of 0. */
export function stateAfterOpening(isObject: number): number {
  return FIRST_VALUE + KEY * isObject;
}

/**
 * Returns the state after a comma in an array, or in an object if `isObject` is 1: no bracket may
 * follow, so a trailing comma is refused.
 */
export function stateAfterComma(isObject: number): number {
  return KEY * isObject;
}

/** Returns whether a byte begins no token: no value or name, no bracket or brace, no whitespace. */
export function beginsNoToken(byte: number): boolean {
  return TRANSITIONS[byte] === REJECT && byte > SPACE &&
    (byte | 0x20) !== 0x7b && (byte | 0x20) !== 0x7d; // a bracket and a brace differ in this bit
}

/** Bytes of a character or byte-order mark minus its UTF-16 code units, before the last byte. */
export const EXCESS_BYTES: Uint8Array = /* @__PURE__ */ tableOf([
  [LAST_OF_2, 1],
  [LAST_OF_3, 2],
  [LAST_OF_4, 2],
  [BOM_3, 3],
]);

/** Bytes already read of the current character or mark. A failure is at the first of them. */
export const BACKTRACK: Uint8Array = /* @__PURE__ */ tableOf([
  [LAST_OF_2, 1],
  [TWO_OF_3, 1],
  [TWO_AFTER_E0, 1],
  [TWO_AFTER_ED, 1],
  [LAST_OF_3, 2],
  [THREE_OF_4, 1],
  [THREE_AFTER_F0, 1],
  [THREE_AFTER_F4, 1],
  [TWO_OF_4, 2],
  [LAST_OF_4, 3],
  [BOM_2, 1],
  [BOM_3, 2],
]);

/** Makes a table of values by state; 0 for states that are not listed. */
function tableOf(values: [state: number, value: number][]): Uint8Array {
  const table = new Uint8Array(STATES);
  for (const [state, value] of values) table[state] = value;
  return table;
}

/** Failure codes of states. In others, the code depends on the byte. */
const CODES: { readonly [state: string]: FailureCode | undefined } = {
  __proto__: null as never,
  [KEY]: "expected-property-name", // as after a trailing comma
  [FIRST_KEY]: "expected-property-name-or-brace",
  [AFTER_NAME]: "expected-colon",
  [AFTER_ELEMENT]: "expected-comma-or-bracket",
  [AFTER_MEMBER]: "expected-comma-or-brace",
  [DONE]: "trailing-content",
  [STRING]: "bad-control-character",
  [ESCAPE]: "bad-escape",
  [AFTER_MINUS]: "missing-digits",
  [AFTER_POINT]: "unterminated-fraction",
  [EXPONENT_MARK]: "missing-exponent",
  [EXPONENT_SIGN]: "missing-exponent",
  [BOM_2]: "unexpected-token",
  [BOM_3]: "unexpected-token",
};

/** Returns the failure code of a state; `undefined` where it depends on the byte. */
function codeOf(state: number): FailureCode | undefined {
  if (state >= HEX_1 && state <= HEX_4) return "bad-unicode-escape";
  return state >= LAST_OF_2 && state <= LAST_OF_4 ? "invalid-utf8" : CODES[state];
}

/** Returns the failure code of a rejected byte. */
export function codeOfByte(state: number, byte: number): FailureCode {
  if (state === STRING && byte >= 0x80) return "invalid-utf8";
  return codeOf(state) ?? unexpectedByte(byte);
}

/**
 * Returns the code of a byte that is rejected in a state without a code of its own, such as `]`
 * after a comma. Like V8, tells strings and numbers from other tokens.
 */
function unexpectedByte(byte: number): FailureCode {
  const start = TRANSITIONS[byte];
  if (start === STRING) return "unexpected-string";
  return start >= AFTER_MINUS && start <= INTEGER ? "unexpected-number" : "unexpected-token";
}

/**
 * Maximum bytes of a string, not yet ended, that are checked as UTF-8 one by one. Of more, malformed
 * UTF-8 is found only once the string ends: 40 % faster.
 */
const MANY_BYTES = 1024;

/**
 * Reads on in a string that was incomplete at `p`, in `state`, up to `end`. Returns the state at
 * the end, {@linkcode ACCEPT} once the string has ended, or {@linkcode REJECT} for a
 * wrong byte.
 */
export function readOnInString(bytes: Uint8Array, view: DataView, p: number, end: number, state: number): number {
  let unchecked = p;
  if (end - p > MANY_BYTES) {
    unchecked = end - 4;
    while ((bytes[unchecked] & 0xc0) === 0x80 && unchecked > p) unchecked--; // to the beginning of a character
  }
  while (p < end) {
    if (state === STRING) {
      p = skipPlain(bytes, view, p, end);
      if (p < unchecked && bytes[p] >= 0x80) p = skipText(bytes, view, p, unchecked);
    }
    while (p < end) {
      state = TRANSITIONS[state << 8 | bytes[p++]];
      if (state >= ACCEPT_BEFORE) return state;
      if (state === STRING) break;
    }
  }
  return state;
}

/**
 * Returns the failure code of an input that ends in a state, or `null` if it may end there.
 *
 * Precondition: no number may end in this state.
 */
export function codeOfEnd(state: number): FailureCode | null {
  if (state === DONE || state === IDLE) return null;
  if (state === STRING) return "unterminated-string";
  return state === ESCAPE ? "unexpected-end" : codeOf(state) ?? "unexpected-end";
}

/** Makes the table of transitions, in a function so that bundlers can drop it. */
function makeTransitions(): Uint8Array {
  const table = new Uint8Array(STATES << 8).fill(REJECT);
  /** Adds transitions from `state` to `next` for the bytes `from` to `to`. */
  const allow = (state: number, from: number, to: number, next: number): void => {
    table.fill(next, state << 8 | from, (state << 8 | to) + 1);
  };
  const allowDigits = (state: number, next: number): void => allow(state, ZERO, NINE, next);

  // Strings, RFC 8259 §7.
  allow(VALUE, QUOTE, QUOTE, STRING);
  allow(STRING, 0x20, 0x7f, STRING);
  allow(STRING, QUOTE, QUOTE, ACCEPT);
  allow(STRING, BACKSLASH, BACKSLASH, ESCAPE);
  for (const letter of ESCAPED) table[ESCAPE << 8 | letter] = STRING;
  allow(ESCAPE, 0x75, 0x75, HEX_1);
  for (let state = HEX_1; state <= HEX_4; state++) {
    const next = state === HEX_4 ? STRING : state + 1;
    allowDigits(state, next);
    allow(state, 0x41, 0x46, next);
    allow(state, 0x61, 0x66, next);
  }

  // UTF-8, The Unicode Standard 17, table 3-7.
  allow(STRING, 0xc2, 0xdf, LAST_OF_2);
  allow(STRING, 0xe0, 0xef, TWO_OF_3);
  allow(STRING, 0xe0, 0xe0, TWO_AFTER_E0);
  allow(STRING, 0xed, 0xed, TWO_AFTER_ED);
  allow(STRING, 0xf0, 0xf4, THREE_OF_4);
  allow(STRING, 0xf0, 0xf0, THREE_AFTER_F0);
  allow(STRING, 0xf4, 0xf4, THREE_AFTER_F4);
  allow(LAST_OF_2, 0x80, 0xbf, STRING);
  allow(TWO_OF_3, 0x80, 0xbf, LAST_OF_3);
  allow(TWO_AFTER_E0, 0xa0, 0xbf, LAST_OF_3);
  allow(TWO_AFTER_ED, 0x80, 0x9f, LAST_OF_3);
  allow(LAST_OF_3, 0x80, 0xbf, STRING);
  allow(THREE_OF_4, 0x80, 0xbf, TWO_OF_4);
  allow(THREE_AFTER_F0, 0x90, 0xbf, TWO_OF_4);
  allow(THREE_AFTER_F4, 0x80, 0x8f, TWO_OF_4);
  allow(TWO_OF_4, 0x80, 0xbf, LAST_OF_4);
  allow(LAST_OF_4, 0x80, 0xbf, STRING);

  // Numbers, RFC 8259 §6.
  for (const state of [LEADING_ZERO, INTEGER, FRACTION, EXPONENT]) {
    allow(state, 0, 255, ACCEPT_BEFORE);
    if (state === EXPONENT) continue;
    allow(state, 0x45, 0x45, EXPONENT_MARK);
    allow(state, 0x65, 0x65, EXPONENT_MARK);
    if (state !== FRACTION) allow(state, 0x2e, 0x2e, AFTER_POINT);
  }
  for (const state of [VALUE, AFTER_MINUS]) {
    allowDigits(state, INTEGER);
    allow(state, ZERO, ZERO, LEADING_ZERO);
  }
  allow(VALUE, 0x2d, 0x2d, AFTER_MINUS);
  allowDigits(LEADING_ZERO, REJECT);
  allowDigits(INTEGER, INTEGER);
  for (const state of [AFTER_POINT, FRACTION]) allowDigits(state, FRACTION);
  for (const state of [EXPONENT_MARK, EXPONENT_SIGN, EXPONENT]) allowDigits(state, EXPONENT);
  for (const sign of [0x2b, 0x2d]) allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN);

  // Literals, RFC 8259 §3.
  let literalState = LITERALS;
  for (const literal of [TRUE, FALSE, NULL]) {
    for (let i = 0; i < literal.length; i++) {
      const byte = literal[i];
      const isLastLetter = i === literal.length - 1;
      allow(i === 0 ? VALUE : literalState++, byte, byte, isLastLetter ? ACCEPT : literalState);
    }
  }

  // The byte-order mark EF BB BF, RFC 8259 §8.1.
  allow(BOM_2, 0xbb, 0xbb, BOM_3);
  allow(BOM_3, 0xbf, 0xbf, VALUE);
  return table;
}

// A second automaton reads runs of short numbers, faster than reading by words: Vognsen's
// shift-based DFA. A state is a shift count. The word of a byte, shifted by the state, has the next
// state in its lowest five bits, so each byte depends on the previous one by a single shift.

/** States of a run: before a number, and in a number without exponent. A word has room for six. */
const RUN_STATES = [VALUE, AFTER_MINUS, LEADING_ZERO, INTEGER, AFTER_POINT, FRACTION];
/** Mask of the lowest five bits, and the state after the end of a run. */
export const RUN_END = 31;
/**
 * Word of each byte: the next state for each state. A run begins in state 0.
 *
 * ```
 * 29 .. 25  24 ..... 20  19 . 15  14 ...... 10  9 ....... 5  4 . 0
 * FRACTION  AFTER_POINT  INTEGER  LEADING_ZERO  AFTER_MINUS  VALUE  state before the byte
 * ```
 */
export const RUN_WORDS: Int32Array = /* @__PURE__ */ makeRunWords();

function makeRunWords(): Int32Array {
  const words = new Int32Array(256).fill(2 ** (5 * RUN_STATES.length) - 1);
  for (let byte = SPACE; byte <= NINE; byte++) {
    words[byte] = 0;
    for (let i = 0; i < RUN_STATES.length; i++) words[byte] |= nextShift(RUN_STATES[i], byte) << 5 * i;
  }
  return words;
}

/** Returns the shift of the state after a byte, or {@linkcode RUN_END}. */
function nextShift(state: number, byte: number): number {
  let next = TRANSITIONS[state << 8 | byte];
  if (next === ACCEPT_BEFORE && byte === COMMA || state === VALUE && byte === SPACE) next = VALUE;
  for (let i = 0; i < RUN_STATES.length; i++) if (RUN_STATES[i] === next) return 5 * i;
  return RUN_END;
}

/** Returns whether a run that ended in state `shift`, before `byte`, ended with a whole number. */
export function isNumberEnd(shift: number, byte: number): boolean {
  return TRANSITIONS[RUN_STATES[shift / 5] << 8 | byte] === ACCEPT_BEFORE;
}
