/**
 * The inside of a token as a table: which byte may follow which, and what is wrong if none of them does. It lets a token be read byte
 * by byte, so that it may be cut anywhere; a token that is whole is recognised without it.
 *
 * @module
 */

import { type FailureCode, unexpectedByte } from "./failure.ts";

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;

/** Between tokens: what may come next. The order matters to `validator.ts`. */
export const VALUE = 0;
export const FIRST_VALUE = 1;
export const KEY = 2;
export const FIRST_KEY = 3;
export const COLON = 4;
export const AFTER_ELEMENT = 5;
export const AFTER_MEMBER = 6;
/** After the document. */
export const DONE = 7;
/** Before a document that need not come. */
export const IDLE = 8;

/** The states from here on are within a token. */
export const TOKEN = 9;
/** In a string, between two characters. */
export const TEXT = 9;
const ESCAPE = 10;
const HEX_1 = 11;
const HEX_4 = 14;
/** In a multi-byte character: its length, and how many bytes are still to come; the first of them may be restricted. */
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
const MINUS = 25;
const LEADING_ZERO = 26;
/** After a digit of a number's whole part, of its fraction, of its exponent. */
const INTEGER = 27;
const POINT = 28;
const FRACTION = 29;
const EXPONENT_MARK = 30;
const EXPONENT_SIGN = 31;
const EXPONENT = 32;
/** In a byte-order mark. */
export const MARK_2 = 33;
const MARK_3 = 34;
/** In a literal: a state for each letter of `true`, `false` and `null` but the first. */
const LITERALS = 35;
const STATES = LITERALS + 3 + 4 + 3;

/** In place of a next state: the byte is wrong; it is the token's last; the token was over before it. */
export const WRONG = 255;
export const CLOSES = 254;
export const OVER = 253;

/** The state that the byte `b` leads to from the state `s`, at `s << 8 | b`. */
export const NEXT: Uint8Array = new Uint8Array(STATES << 8).fill(WRONG);

/** The state after a value's first byte, {@linkcode WRONG} for a byte that begins none. Brackets are no tokens. */
export const STARTS: Uint8Array = new Uint8Array(256).fill(WRONG);

/** How many bytes more than UTF-16 code units a character has that the state is before the last byte of. A mark has no code units. */
export const EXCESS: Uint8Array = new Uint8Array(STATES);

/** How far before the wrong byte the failure is: a character is wrong as a whole, and so is a mark. */
export const BACK: Uint8Array = new Uint8Array(STATES);

/** What is wrong if no right byte follows, or `null` if that depends on the byte: see `unexpectedByte`. */
const WRONGS: (FailureCode | null)[] = new Array(STATES).fill(null);
/** The same at the end of the input, where it is something else. */
const ENDS: (FailureCode | undefined)[] = new Array(STATES);

/** What is wrong in a state about a byte that may not follow. */
export function wrongByte(state: number, byte: number): FailureCode {
  if (state === TEXT && byte >= 0x80) return "invalid-utf8";
  return WRONGS[state] ?? unexpectedByte(byte);
}

/** What is wrong if the input ends in a state, `null` if nothing is. Precondition: no number is being read. */
export function wrongEnd(state: number): FailureCode | null {
  if (state === DONE || state === IDLE) return null;
  return ENDS[state] ?? WRONGS[state] ?? "unexpected-end";
}

/** The bytes `from` to `to` lead from `state` to `next`. */
function allow(state: number, from: number, to: number, next: number): void {
  NEXT.fill(next, state << 8 | from, (state << 8 | to) + 1);
}

WRONGS[KEY] = "expected-property-name";
WRONGS[FIRST_KEY] = "expected-property-name-or-brace";
WRONGS[COLON] = "expected-colon";
WRONGS[AFTER_ELEMENT] = "expected-comma-or-bracket";
WRONGS[AFTER_MEMBER] = "expected-comma-or-brace";
WRONGS[DONE] = "trailing-content";

// Strings, RFC 8259 §7.
WRONGS[TEXT] = "bad-control-character";
ENDS[TEXT] = "unterminated-string";
allow(TEXT, 0x20, 0x7f, TEXT);
allow(TEXT, QUOTE, QUOTE, CLOSES);
allow(TEXT, BACKSLASH, BACKSLASH, ESCAPE);
STARTS[QUOTE] = TEXT;

WRONGS[ESCAPE] = "bad-escape";
ENDS[ESCAPE] = "unexpected-end";
for (const letter of '"\\/bfnrt') allow(ESCAPE, letter.charCodeAt(0), letter.charCodeAt(0), TEXT);
allow(ESCAPE, 0x75, 0x75, HEX_1);
for (let state = HEX_1; state <= HEX_4; state++) {
  WRONGS[state] = "bad-unicode-escape";
  const next = state === HEX_4 ? TEXT : state + 1;
  allow(state, ZERO, NINE, next);
  allow(state, 0x41, 0x46, next);
  allow(state, 0x61, 0x66, next);
}

// UTF-8: Unicode 17, table 3-7.
const CHARACTERS: [state: number, from: number, to: number, next: number, back: number][] = [
  [LAST_OF_2, 0x80, 0xbf, TEXT, 1],
  [TWO_OF_3, 0x80, 0xbf, LAST_OF_3, 1],
  [TWO_AFTER_E0, 0xa0, 0xbf, LAST_OF_3, 1],
  [TWO_AFTER_ED, 0x80, 0x9f, LAST_OF_3, 1],
  [LAST_OF_3, 0x80, 0xbf, TEXT, 2],
  [THREE_OF_4, 0x80, 0xbf, TWO_OF_4, 1],
  [THREE_AFTER_F0, 0x90, 0xbf, TWO_OF_4, 1],
  [THREE_AFTER_F4, 0x80, 0x8f, TWO_OF_4, 1],
  [TWO_OF_4, 0x80, 0xbf, LAST_OF_4, 2],
  [LAST_OF_4, 0x80, 0xbf, TEXT, 3],
];
for (const [state, from, to, next, back] of CHARACTERS) {
  WRONGS[state] = "invalid-utf8";
  BACK[state] = back;
  allow(state, from, to, next);
}
EXCESS[LAST_OF_2] = 1;
EXCESS[LAST_OF_3] = 2;
EXCESS[LAST_OF_4] = 2;
allow(TEXT, 0xc2, 0xdf, LAST_OF_2);
allow(TEXT, 0xe0, 0xef, TWO_OF_3);
allow(TEXT, 0xe0, 0xe0, TWO_AFTER_E0);
allow(TEXT, 0xed, 0xed, TWO_AFTER_ED);
allow(TEXT, 0xf0, 0xf4, THREE_OF_4);
allow(TEXT, 0xf0, 0xf0, THREE_AFTER_F0);
allow(TEXT, 0xf4, 0xf4, THREE_AFTER_F4);

// Numbers, RFC 8259 §6.
for (const state of [LEADING_ZERO, INTEGER, FRACTION, EXPONENT]) allow(state, 0, 255, OVER);
for (const state of [LEADING_ZERO, INTEGER]) allow(state, 0x2e, 0x2e, POINT);
for (const state of [LEADING_ZERO, INTEGER, FRACTION]) {
  allow(state, 0x45, 0x45, EXPONENT_MARK);
  allow(state, 0x65, 0x65, EXPONENT_MARK);
}
WRONGS[MINUS] = "missing-digits";
allow(MINUS, ZERO, ZERO, LEADING_ZERO);
allow(MINUS, ZERO + 1, NINE, INTEGER);
WRONGS[LEADING_ZERO] = "unexpected-number";
allow(LEADING_ZERO, ZERO, NINE, WRONG);
allow(INTEGER, ZERO, NINE, INTEGER);
WRONGS[POINT] = "unterminated-fraction";
allow(POINT, ZERO, NINE, FRACTION);
allow(FRACTION, ZERO, NINE, FRACTION);
WRONGS[EXPONENT_MARK] = WRONGS[EXPONENT_SIGN] = "missing-exponent";
for (const sign of [0x2b, 0x2d]) allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN);
for (const state of [EXPONENT_MARK, EXPONENT_SIGN, EXPONENT]) allow(state, ZERO, NINE, EXPONENT);
STARTS[0x2d] = MINUS;
STARTS[ZERO] = LEADING_ZERO;
STARTS.fill(INTEGER, ZERO + 1, NINE + 1);

// Literals, RFC 8259 §3.
let state = LITERALS;
for (const literal of ["true", "false", "null"]) {
  STARTS[literal.charCodeAt(0)] = state;
  for (let i = 1; i < literal.length; i++, state++) {
    const byte = literal.charCodeAt(i);
    allow(state, byte, byte, i === literal.length - 1 ? CLOSES : state + 1);
  }
}

// A byte-order mark, EF BB BF.
BACK[MARK_2] = 1;
BACK[MARK_3] = 2;
WRONGS[MARK_2] = WRONGS[MARK_3] = "unexpected-token";
allow(MARK_2, 0xbb, 0xbb, MARK_3);
allow(MARK_3, 0xbf, 0xbf, VALUE);
EXCESS[MARK_3] = 3;

// Runs of numbers, for short ones faster than words: Vognsen's automaton by shifting. A state is a number of bits to shift by; the word of
// a byte, shifted so, has the next state in its lowest five bits. From byte to byte only the shift has to be waited for.

/** In an array before a number, and within one up to its exponent: as many states as a word has room for. */
const IN_NUMBERS = [VALUE, MINUS, LEADING_ZERO, INTEGER, POINT, FRACTION];
/** The lowest five bits, which are no state if all are set: the run is over before the byte. */
export const STOP = 31;
/** The words of all bytes. The run begins with 0, where a number is to come. A byte outside those of numbers stops every state. */
export const NUMBERS: Int32Array = new Int32Array(256).fill(2 ** (5 * IN_NUMBERS.length) - 1);
for (let byte = SPACE; byte <= NINE; byte++) {
  NUMBERS[byte] = IN_NUMBERS.reduce((word, state, i) => word | nextInNumbers(state, byte) << 5 * i, 0);
}

function nextInNumbers(state: number, byte: number): number {
  let next = state === VALUE ? STARTS[byte] : NEXT[state << 8 | byte];
  if (next === OVER && byte === COMMA || state === VALUE && byte === SPACE) next = VALUE;
  const i = IN_NUMBERS.indexOf(next);
  return i < 0 ? STOP : 5 * i;
}

/** Whether a number of a run is over before a byte. */
export function isOver(run: number, byte: number): boolean {
  return NEXT[IN_NUMBERS[run / 5] << 8 | byte] === OVER;
}
