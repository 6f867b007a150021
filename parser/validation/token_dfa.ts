/**
 * Deterministic finite automaton (DFA) of JSON tokens: its table of transitions, and the failure
 * codes of its states.
 *
 * It reads a token byte by byte, so a token may be cut anywhere. The validator reads most whole
 * tokens without it.
 *
 * @module
 */

import { packedArray } from "../engine/arrays.ts";
import type { FailureCode } from "../base/failure.ts";
import { FALSE_BYTES, NULL_BYTES, TRUE_BYTES } from "../base/swar.ts";

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * States between tokens, named after the tokens that may come next. `validator.ts` depends on their
 * order.
 */
export const VALUE = 0;
export const FIRST_VALUE = 1;
export const KEY = 2;
export const FIRST_KEY = 3;
export const COLON = 4;
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
/**
 * States in a multi-byte character, named after the number of bytes left and its length, or after a
 * first byte that restricts the second.
 */
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
/**
 * States in a number, named after the previous byte. In INTEGER, FRACTION and EXPONENT that byte is
 * a digit of this part.
 */
const MINUS = 25;
const LEADING_ZERO = 26;
const INTEGER = 27;
const POINT = 28;
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
/**
 * Transition of the byte after a token. Only numbers need it: the byte after a number shows where
 * it ends.
 */
export const ACCEPT_BEFORE = 253;

/** Table of transitions: byte `b` leads from state `s` to the state at `s << 8 | b`. */
export const TRANSITIONS: Uint8Array = /* @__PURE__ */ new Uint8Array(STATES << 8).fill(REJECT);

/**
 * State after each first byte of a token; {@linkcode REJECT} for other bytes, brackets among them.
 */
export const START_STATES: Uint8Array = /* @__PURE__ */ new Uint8Array(256).fill(REJECT);

/** Returns whether a byte begins no token: no value or name, no bracket or brace, no whitespace. */
export function beginsNoToken(byte: number): boolean {
  return START_STATES[byte] === REJECT && byte > SPACE && byte !== QUOTE &&
    (byte | 0x20) !== 0x7b && (byte | 0x20) !== 0x7d; // a bracket and a brace differ in this bit
}

/**
 * Bytes of a character minus its UTF-16 code units, in the state before the last byte. A byte-order
 * mark has no code units.
 */
export const EXCESS_BYTES: Uint8Array = /* @__PURE__ */ new Uint8Array(STATES);

/**
 * Bytes of the current character or byte-order mark already read, in each state. A failure is
 * located at the first of them.
 */
export const BACKTRACK: Uint8Array = /* @__PURE__ */ new Uint8Array(STATES);

/** Failure code of a rejected byte in each state; `null` where it depends on the byte. */
const BYTE_CODES = /* @__PURE__ */ packedArray<FailureCode | null>(STATES, null);
/**
 * Failure code of the end of the input, in states where it differs from {@linkcode BYTE_CODES}, and
 * `null` in others. It has no holes, which would be looked up on `Array.prototype`.
 */
const END_CODES = /* @__PURE__ */ packedArray<FailureCode | null>(STATES, null);

/** Returns the failure code of a rejected byte. */
export function codeOfByte(state: number, byte: number): FailureCode {
  if (state === STRING && byte >= 0x80) return "invalid-utf8";
  return BYTE_CODES[state] ?? unexpectedByte(byte);
}

/** Returns the code of a byte that cannot begin a value, with V8's distinctions. */
function unexpectedByte(byte: number): FailureCode {
  if (byte === QUOTE) return "unexpected-string";
  if (byte === 0x2d || (byte >= ZERO && byte <= NINE)) return "unexpected-number";
  return "unexpected-token";
}

/**
 * Returns the failure code of an input that ends in a state, or `null` if it may end there.
 *
 * Precondition: no number may end in this state.
 */
export function codeOfEnd(state: number): FailureCode | null {
  if (state === DONE || state === IDLE) return null;
  return END_CODES[state] ?? BYTE_CODES[state] ?? "unexpected-end";
}

/** Adds transitions from `state` to `next` for the bytes `from` to `to`. */
function allow(state: number, from: number, to: number, next: number): void {
  TRANSITIONS.fill(next, state << 8 | from, (state << 8 | to) + 1);
}

BYTE_CODES[KEY] = "expected-property-name";
BYTE_CODES[FIRST_KEY] = "expected-property-name-or-brace";
BYTE_CODES[COLON] = "expected-colon";
BYTE_CODES[AFTER_ELEMENT] = "expected-comma-or-bracket";
BYTE_CODES[AFTER_MEMBER] = "expected-comma-or-brace";
BYTE_CODES[DONE] = "trailing-content";

// Strings, RFC 8259 §7.
BYTE_CODES[STRING] = "bad-control-character";
END_CODES[STRING] = "unterminated-string";
allow(STRING, 0x20, 0x7f, STRING);
allow(STRING, QUOTE, QUOTE, ACCEPT);
allow(STRING, BACKSLASH, BACKSLASH, ESCAPE);
START_STATES[QUOTE] = STRING;

BYTE_CODES[ESCAPE] = "bad-escape";
END_CODES[ESCAPE] = "unexpected-end";
/** Bytes that complete an escape after a backslash: `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
export const ESCAPED: readonly number[] = [QUOTE, BACKSLASH, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74];
for (const letter of ESCAPED) allow(ESCAPE, letter, letter, STRING);
allow(ESCAPE, 0x75, 0x75, HEX_1);
for (let state = HEX_1; state <= HEX_4; state++) {
  BYTE_CODES[state] = "bad-unicode-escape";
  const next = state === HEX_4 ? STRING : state + 1;
  allow(state, ZERO, NINE, next);
  allow(state, 0x41, 0x46, next);
  allow(state, 0x61, 0x66, next);
}

// UTF-8, The Unicode Standard 17, table 3-7.
const CHARACTERS: [state: number, from: number, to: number, next: number, backtrack: number][] = [
  [LAST_OF_2, 0x80, 0xbf, STRING, 1],
  [TWO_OF_3, 0x80, 0xbf, LAST_OF_3, 1],
  [TWO_AFTER_E0, 0xa0, 0xbf, LAST_OF_3, 1],
  [TWO_AFTER_ED, 0x80, 0x9f, LAST_OF_3, 1],
  [LAST_OF_3, 0x80, 0xbf, STRING, 2],
  [THREE_OF_4, 0x80, 0xbf, TWO_OF_4, 1],
  [THREE_AFTER_F0, 0x90, 0xbf, TWO_OF_4, 1],
  [THREE_AFTER_F4, 0x80, 0x8f, TWO_OF_4, 1],
  [TWO_OF_4, 0x80, 0xbf, LAST_OF_4, 2],
  [LAST_OF_4, 0x80, 0xbf, STRING, 3],
];
for (const [state, from, to, next, backtrack] of CHARACTERS) {
  BYTE_CODES[state] = "invalid-utf8";
  BACKTRACK[state] = backtrack;
  allow(state, from, to, next);
}
EXCESS_BYTES[LAST_OF_2] = 1;
EXCESS_BYTES[LAST_OF_3] = 2;
EXCESS_BYTES[LAST_OF_4] = 2;
allow(STRING, 0xc2, 0xdf, LAST_OF_2);
allow(STRING, 0xe0, 0xef, TWO_OF_3);
allow(STRING, 0xe0, 0xe0, TWO_AFTER_E0);
allow(STRING, 0xed, 0xed, TWO_AFTER_ED);
allow(STRING, 0xf0, 0xf4, THREE_OF_4);
allow(STRING, 0xf0, 0xf0, THREE_AFTER_F0);
allow(STRING, 0xf4, 0xf4, THREE_AFTER_F4);

// Numbers, RFC 8259 §6.
for (const state of [LEADING_ZERO, INTEGER, FRACTION, EXPONENT]) allow(state, 0, 255, ACCEPT_BEFORE);
for (const state of [LEADING_ZERO, INTEGER]) allow(state, 0x2e, 0x2e, POINT);
for (const state of [LEADING_ZERO, INTEGER, FRACTION]) {
  allow(state, 0x45, 0x45, EXPONENT_MARK);
  allow(state, 0x65, 0x65, EXPONENT_MARK);
}
BYTE_CODES[MINUS] = "missing-digits";
allow(MINUS, ZERO, ZERO, LEADING_ZERO);
allow(MINUS, ZERO + 1, NINE, INTEGER);
allow(LEADING_ZERO, ZERO, NINE, REJECT);
allow(INTEGER, ZERO, NINE, INTEGER);
BYTE_CODES[POINT] = "unterminated-fraction";
allow(POINT, ZERO, NINE, FRACTION);
allow(FRACTION, ZERO, NINE, FRACTION);
BYTE_CODES[EXPONENT_MARK] = BYTE_CODES[EXPONENT_SIGN] = "missing-exponent";
for (const sign of [0x2b, 0x2d]) allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN);
for (const state of [EXPONENT_MARK, EXPONENT_SIGN, EXPONENT]) allow(state, ZERO, NINE, EXPONENT);
START_STATES[0x2d] = MINUS;
START_STATES[ZERO] = LEADING_ZERO;
START_STATES.fill(INTEGER, ZERO + 1, NINE + 1);

// Literals, RFC 8259 §3.
let literalState = LITERALS;
for (const literal of [TRUE_BYTES, FALSE_BYTES, NULL_BYTES]) {
  START_STATES[literal[0]] = literalState;
  for (let i = 1; i < literal.length; i++, literalState++) {
    allow(literalState, literal[i], literal[i], i === literal.length - 1 ? ACCEPT : literalState + 1);
  }
}

// The byte-order mark EF BB BF, RFC 8259 §8.1.
BACKTRACK[BOM_2] = 1;
BACKTRACK[BOM_3] = 2;
BYTE_CODES[BOM_2] = BYTE_CODES[BOM_3] = "unexpected-token";
allow(BOM_2, 0xbb, 0xbb, BOM_3);
allow(BOM_3, 0xbf, 0xbf, VALUE);
EXCESS_BYTES[BOM_3] = 3;

// A second automaton reads runs of short numbers, faster than reading by words: Vognsen's
// shift-based DFA. A state is a shift count. The word of a byte, shifted by the state, has the next
// state in its lowest five bits, so each byte depends on the previous one by a single shift.

/** States of a run: before a number, and in a number without exponent. A word has room for six. */
const RUN_STATES = [VALUE, MINUS, LEADING_ZERO, INTEGER, POINT, FRACTION];
/** Mask of the lowest five bits, and the state after the end of a run. */
export const RUN_END = 31;
/**
 * Word of each byte: the next state for each state. A run begins in state 0.
 *
 * ```
 * 29 ... 25 24 ... 20 19 ... 15 14 ... 10 9 .... 5 4 .... 0
 * FRACTION  POINT     INTEGER   LEADING_0 MINUS    VALUE     state before the byte
 * ```
 */
export const RUN_WORDS: Int32Array = /* @__PURE__ */ new Int32Array(256).fill(2 ** (5 * RUN_STATES.length) - 1);
for (let byte = SPACE; byte <= NINE; byte++) {
  let word = 0;
  for (let i = 0; i < RUN_STATES.length; i++) word |= nextShift(RUN_STATES[i], byte) << 5 * i;
  RUN_WORDS[byte] = word;
}

/** Returns the shift of the state after a byte, or {@linkcode RUN_END}. */
function nextShift(state: number, byte: number): number {
  let next = state === VALUE ? START_STATES[byte] : TRANSITIONS[state << 8 | byte];
  if (next === ACCEPT_BEFORE && byte === COMMA || state === VALUE && byte === SPACE) next = VALUE;
  for (let i = 0; i < RUN_STATES.length; i++) if (RUN_STATES[i] === next) return 5 * i;
  return RUN_END;
}

/** Returns whether a run that ended in state `shift`, before `byte`, ended with a whole number. */
export function isNumberEnd(shift: number, byte: number): boolean {
  return TRANSITIONS[RUN_STATES[shift / 5] << 8 | byte] === ACCEPT_BEFORE;
}
