/**
 * The grammar without values, resumable at any byte. Between tokens one loop knows what may come next; it recognises tokens that are
 * whole by words, and leaves to the table of `token_dfa.ts` those that are cut, near the end of the bytes, or wrong: the
 * loop never judges a token, it only accepts.
 *
 * @module
 */

import { type FailureCode, makeFailure, type ParseFailure } from "./failure.ts";
import * as scan from "./scan.ts";
import * as tokens from "./token_dfa.ts";

// The loop reads constants of its own: an imported one costs a load and a check each time, 8 % in all.
const { countMarked, lowest, marks } = scan;
const {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  BACK,
  CLOSES,
  COLON,
  DONE,
  EXCESS,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  MARK_2,
  NEXT,
  NUMBERS,
  OVER,
  STARTS,
  STOP,
  TEXT,
  TOKEN,
  VALUE,
  WRONG,
} = tokens;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON_BYTE = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BYTE_ORDER_MARK = 0xef;

/** `true`, `alse` and `null` as little-endian words. */
const TRUE = 0x65757274;
const ALSE = 0x65736c61;
const NULL = 0x6c6c756e;

/** A character of four bytes, its bits left out. */
const FOUR_BYTES = 0x808080f0 | 0;

const FOUR_SPACES = 0x20202020;
/** The digit values of four bytes, as a little-endian word has them. */
const ZEROS = 0x30303030;

/** The highest bit of each byte. */
const HIGH = 0x80808080 | 0;

/** A comma and an opening bracket or, its bit 0x20 left out, brace. */
const COMMA_AND_OPENING = 0x5b2c;

/** Bytes of a number that is read faster in a run than word by word, with its like behind it: see `deno task bench:validate`. */
const SHORT_NUMBER = 12;

/** Bytes of a word. */
const WORD = 4;

/** Bytes read at a time: positions in them stay int32. */
const WINDOW = 0x40000000;

/** Bytes of shared memory copied at a time. The copy stays in the processor's cache while it is read. */
const SHARED_PIECE = 0x10000;

/** Words of open brackets kept between inputs: 960 levels. */
const KEPT_WORDS = 32;

/** A path of which another bracket would shift the sentinel out of an int32. */
const FULL_PATH = 0x40000000;

const NO_VIEW = new DataView(new ArrayBuffer(0));

/** Bytes up to which making a view costs more than copying: see `deno task bench:validate --only payload`. */
const SMALL_INPUT = 512;
const smallBuffer = new ArrayBuffer(SMALL_INPUT);
const smallWhole = new DataView(smallBuffer);
/** Of the lengths that have come, the beginning of the buffer and its view. */
const smallCopies: (Uint8Array | null)[] = new Array(SMALL_INPUT + 1).fill(null);
const smallViews: (DataView | null)[] = new Array(SMALL_INPUT + 1).fill(null);

/** 1 for a hexadecimal digit, 0 for any other byte; and for a byte that makes an escape of a backslash, `u` not being one. */
const IS_HEX = new Uint8Array(256);
const IS_ESCAPED = new Uint8Array(256);
for (const digit of "0123456789abcdefABCDEF") IS_HEX[digit.charCodeAt(0)] = 1;
for (const letter of '"\\/bfnrt') IS_ESCAPED[letter.charCodeAt(0)] = 1;

/**
 * A validation under way.
 *
 * Made by a literal, not a class: a declared field is `undefined` at first, and the engine then never takes it for an integer.
 */
export interface Machine {
  /** What may come next; see `token_dfa.ts`. */
  state: number;
  /** Whether the string being read is a key. */
  isKey: boolean;
  /** The innermost open brackets, a bit each, the innermost the lowest, 1 for a brace; above them a sentinel. 1 if none is open. */
  path: number;
  /** The brackets around them, as paths that were full. */
  words: Int32Array;
  top: number;
  /** Bytes of the pieces before this one. */
  origin: number;
  /** Line ends gone by, and where the present line begins. */
  lines: number;
  lineStart: number;
  /** How many bytes the present line has more than UTF-16 code units. */
  excess: number;
  /** The last piece ended in a carriage return: it ends a line unless a line feed comes. */
  isReturnPending: boolean;
  /** Where the last value of the outermost level ended. */
  documentEnd: number;
  /** Reading stops at a line feed: it ends the document. */
  isByLine: boolean;
  /** Reading stops where a document is done: what follows is the next. */
  isPausing: boolean;
}

/** A machine at the beginning of an input. */
export function newMachine(isByLine: boolean, isPausing: boolean): Machine {
  return {
    state: VALUE,
    isKey: false,
    path: 1,
    words: new Int32Array(KEPT_WORDS),
    top: 0,
    origin: 0,
    lines: 0,
    lineStart: 0,
    excess: 0,
    isReturnPending: false,
    documentEnd: 0,
    isByLine,
    isPausing,
  };
}

/** Puts a machine back to the beginning of an input. */
export function resetMachine(machine: Machine): void {
  machine.origin = 0;
  machine.lines = 0;
  machine.lineStart = 0;
  machine.excess = 0;
  machine.isReturnPending = false;
  machine.documentEnd = 0;
  machine.state = VALUE;
  closeBrackets(machine);
}

/** No bracket is open any more. Lets go of what a deep document made the machine grow to. */
export function closeBrackets(machine: Machine): void {
  machine.path = 1;
  machine.top = 0;
  if (machine.words.length > KEPT_WORDS) machine.words = new Int32Array(KEPT_WORDS);
}

/** Returns a view of the bytes for reading words; one of no bytes if there is no word in them. */
export function viewOf(bytes: Uint8Array): DataView {
  return bytes.length < WORD ? NO_VIEW : new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns whether bytes can be read where they are: no other thread writes to them, and one window holds them. */
export function isPiece(bytes: Uint8Array): boolean {
  return bytes.length <= WINDOW && bytes.buffer instanceof ArrayBuffer;
}

/**
 * Cuts bytes into pieces for which {@linkcode isPiece} holds. Those of shared memory are copies in
 * one buffer that each piece overwrites: another thread could change or prolong the bytes between
 * two reads, and no decision may rest on two reads of one byte.
 */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const { buffer, byteOffset, length } = bytes; // the length once: shared memory may grow
  if (buffer instanceof ArrayBuffer) {
    for (let start = 0; start < length; start += WINDOW) {
      yield new Uint8Array(buffer, byteOffset + start, Math.min(WINDOW, length - start));
    }
    return;
  }
  const copy = new Uint8Array(Math.min(SHARED_PIECE, length));
  for (let start = 0; start < length; start += SHARED_PIECE) {
    const part = new Uint8Array(buffer, byteOffset + start, Math.min(SHARED_PIECE, length - start));
    copy.set(part);
    yield part.length === copy.length ? copy : new Uint8Array(copy.buffer, 0, part.length);
  }
}

/** Reads bytes that continue the input. Returns the failure in them, or `null`. */
export function readAll(machine: Machine, bytes: Uint8Array): ParseFailure | null {
  const length = bytes.length;
  if (length <= SMALL_INPUT) return readSmall(machine, bytes, length);
  if (isPiece(bytes)) return readWhole(machine, bytes, viewOf(bytes));
  for (const piece of piecesOf(bytes)) {
    const failure = readWhole(machine, piece, viewOf(piece));
    if (failure !== null) return failure;
  }
  return null;
}

/** Reads all of a piece. Returns the failure in it, or `null`. */
function readWhole(machine: Machine, bytes: Uint8Array, view: DataView): ParseFailure | null {
  const p = readPiece(machine, bytes, view, 0);
  if (p < bytes.length) return describeWrong(machine, bytes, p);
  endPiece(machine, bytes.length);
  return null;
}

/** Reads all of a small piece: copies it to a buffer whose view exists already, and wipes the copy afterwards. */
function readSmall(machine: Machine, bytes: Uint8Array, length: number): ParseFailure | null {
  const copy = smallCopies[length] ??= new Uint8Array(smallBuffer, 0, length);
  const view = smallViews[length] ??= viewOf(copy);
  try {
    copy.set(bytes);
  } catch { // shared memory has grown since its length was read
    copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, length));
  }
  try {
    return readWhole(machine, copy, view);
  } finally {
    for (let i = 0; i < length; i += 8) smallWhole.setFloat64(i, 0);
  }
}

/**
 * Reads a piece of the input from `p` on, to its end, to a byte that is wrong, or to where the machine is to stop. Returns the
 * position there.
 *
 * Precondition: {@linkcode isPiece} holds for the piece; `view` is {@linkcode viewOf} it.
 */
export function readPiece(machine: Machine, bytes: Uint8Array, view: DataView, p: number): number {
  if (machine.isReturnPending && p < bytes.length) settleReturn(machine, bytes[p]);
  for (;;) {
    const start = readTokens(machine, bytes, view, p);
    if (start >= bytes.length) return start;
    if (machine.state < TOKEN) {
      if (machine.top < machine.words.length) return start;
      machine.words = doubled(machine.words);
      p = start;
    } else {
      if (machine.state === TEXT && bytes[start] >= 0x80) {
        p = readAlphabet(machine, view, start);
        if (p > start) continue;
      }
      p = readToken(machine, bytes, start);
      if (p === start && machine.state >= TOKEN || machine.state === DONE && machine.isPausing) return p;
    }
  }
}

/**
 * Tokens and what stands between them. Leaves off within a token, which {@linkcode readToken} then reads, or with the state and
 * position of a byte that may not come next.
 *
 * Does nothing where the state is within a token other than a string.
 */
function readTokens(machine: Machine, bytes: Uint8Array, view: DataView, p: number): number {
  const end = bytes.length;
  const wordEnd = end - WORD;
  const isByLine = machine.isByLine;
  p |= 0;
  let state = machine.state | 0;
  let path = machine.path | 0;
  let top = machine.top | 0;
  const words = machine.words;
  let isKey = machine.isKey;
  let lines = 0;
  let lineStart = 0;

  if (state > TEXT) return p;
  next: while (p < end) {
    if (state !== TEXT) {
      let c = bytes[p];
      while (c <= SPACE) {
        if (c === LINE_FEED) {
          if (isByLine) break next;
          lines++;
          lineStart = ++p;
          machine.excess = 0;
          while (p <= wordEnd) {
            const others = view.getInt32(p, true) ^ FOUR_SPACES;
            if (others !== 0) {
              p += lowest(others);
              break;
            }
            p += WORD;
          }
        } else if (c === SPACE || c === TAB) {
          p++;
        } else if (c === CARRIAGE_RETURN) {
          if (++p >= end) machine.isReturnPending = true;
          else if (bytes[p] !== LINE_FEED) {
            lines++;
            lineStart = p;
            machine.excess = 0;
          }
        } else {
          break next;
        }
        if (p >= end) break next;
        c = bytes[p];
      }

      if (c === QUOTE) {
        if (state > FIRST_KEY) break;
        isKey = state >= KEY;
        state = TEXT;
        p++;
      } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
        if (state > FIRST_VALUE) break;
        let first = c === MINUS ? p + 1 : p;
        let q = skipDigits(view, first, wordEnd);
        let isWhole = q - first === 1 || q > first && bytes[first] !== ZERO;
        c = isWhole ? bytes[q] : 0;
        if (c === POINT) {
          first = q + 1;
          q = skipDigits(view, first, wordEnd);
          isWhole = q > first;
          c = isWhole ? bytes[q] : 0;
        }
        if ((c | 0x20) === LOWER_E) {
          first = q + 1;
          if (first < end && (bytes[first] === MINUS || bytes[first] === PLUS)) first++;
          q = skipDigits(view, first, wordEnd);
          isWhole = q > first;
        }
        if (!isWhole) {
          state = STARTS[bytes[p]];
          p++;
          break;
        }
        const isShort = q - p <= SHORT_NUMBER;
        p = q;
        if (isShort && c === COMMA && (path & 1) === 0) {
          p = readNumbers(bytes, p + 1) | 0;
          if (p >= 0) {
            state = VALUE;
            continue;
          }
          p = ~p;
        }
      } else if (c === COMMA) {
        if (state !== AFTER_ELEMENT && state !== AFTER_MEMBER) break;
        state = state === AFTER_MEMBER ? KEY : VALUE;
        p++;
        continue;
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (state > FIRST_VALUE) break;
        if (path >= FULL_PATH) {
          if (top === words.length) break;
          words[top++] = path;
          path = 1;
        }
        const isObject = c >> 5 & 1;
        path = path << 1 | isObject;
        state = FIRST_VALUE + 2 * isObject; // or FIRST_KEY
        p++;
        continue;
      } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
        const isObject = c >> 5 & 1;
        if (state !== AFTER_ELEMENT + isObject && state !== FIRST_VALUE + 2 * isObject) break;
        path >>= 1;
        if (path === 1 && top > 0) path = words[--top];
        p++;
        if ((path & 1) === 0 && path < FULL_PATH && p < wordEnd) {
          const word = view.getInt32(p, true);
          if ((word & 0xdfff) === COMMA_AND_OPENING) {
            const isObject = word >> 13 & 1;
            path = path << 1 | isObject;
            state = FIRST_VALUE + 2 * isObject;
            p += 2;
            continue;
          }
        }
      } else if (c === COLON_BYTE) {
        if (state !== COLON) break;
        state = VALUE;
        p++;
        continue;
      } else if (state > FIRST_VALUE) {
        break;
      } else if (c === LOWER_T && p <= wordEnd && view.getInt32(p, true) === TRUE) {
        p += 4;
      } else if (c === LOWER_N && p <= wordEnd && view.getInt32(p, true) === NULL) {
        p += 4;
      } else if (c === LOWER_F && p < wordEnd && view.getInt32(p + 1, true) === ALSE) {
        p += 5;
      } else if (STARTS[c] !== WRONG) {
        state = STARTS[c];
        p++;
        break;
      } else {
        if (c === BYTE_ORDER_MARK && machine.origin + p === 0) {
          state = MARK_2;
          p++;
        }
        break;
      }
    }
    if (state === TEXT) {
      text: for (;;) {
        let marked = 0;
        while (p <= wordEnd) {
          marked = marks(view.getInt32(p, true));
          if (marked !== 0) break;
          p += WORD;
        }
        if (marked === 0) break next;
        p += lowest(marked);
        const c = bytes[p];
        if (c === QUOTE) break text;
        if (c === BACKSLASH) {
          if (p > wordEnd) break next;
          const letter = bytes[p + 1];
          if (IS_ESCAPED[letter] === 1) {
            p += 2;
          } else {
            if (letter !== LOWER_U || p >= wordEnd - 1) break next;
            if ((IS_HEX[bytes[p + 2]] & IS_HEX[bytes[p + 3]] & IS_HEX[bytes[p + 4]] & IS_HEX[bytes[p + 5]]) === 0) {
              break next;
            }
            p += 6;
          }
          continue;
        }
        if (c < 0x80) break next;
        const start = p;
        let excess = 0;
        while (p <= wordEnd) {
          const word = view.getInt32(p, true); // a character of two bytes is left to readAlphabet
          if ((word & 0x00c0c0f0) === 0x008080e0) {
            const lead = word & 0x200f; // of E0 and ED not all second bytes are right
            if (lead === 0 || lead === 0x200d) break;
            p += 3;
            excess += 2;
          } else if ((word & 0xc0c0c0f8) === FOUR_BYTES) {
            const lead = word & 0x3007; // and of F0 and F4
            if ((lead & 7) === 0 ? lead === 0 : (lead & 7) >= 4 && lead !== 4) break;
            p += 4;
            excess += 2;
          } else {
            break;
          }
        }
        if (p === start) break next;
        machine.excess += excess;
      }
      p++;
      if (isKey) {
        state = COLON;
        if (p < end && bytes[p] === COLON_BYTE) {
          p++;
          state = VALUE;
        }
        continue;
      }
    }

    // A value is complete.
    if (path === 1) {
      state = DONE;
      machine.documentEnd = machine.origin + p;
      if (machine.isPausing) break;
    } else if (p < end && bytes[p] === COMMA) {
      p++;
      state = 2 * (path & 1); // KEY or VALUE
    } else {
      state = AFTER_ELEMENT + (path & 1);
    }
  }
  machine.state = state;
  machine.isKey = isKey;
  machine.path = path;
  machine.top = top;
  if (lines > 0) {
    machine.lines += lines;
    machine.lineStart = machine.origin + lineStart;
  }
  return p;
}

/**
 * Reads on after a comma of an array, as long as there are numbers without exponents. Returns the position of a value; or, complemented, the
 * position after one.
 *
 * Precondition: the byte before `p` is the comma.
 */
function readNumbers(bytes: Uint8Array, p: number): number {
  const end = bytes.length;
  p |= 0;
  const start = p;
  let run = 0;
  for (; p < end; p++) {
    const next = NUMBERS[bytes[p]] >>> run & STOP;
    if (next === STOP) break;
    run = next;
  }
  if (run === 0) return p;
  if (p < end && tokens.isOver(run, bytes[p])) return ~p;
  while (p > start && bytes[p - 1] !== COMMA) p--;
  return p;
}

/**
 * Reads on in a string of an alphabet of characters of two bytes with ASCII among them: any number of both in a word, up to a word of
 * something else, or to the byte that ends the string. Returns the position of a character.
 */
function readAlphabet(machine: Machine, view: DataView, p: number): number {
  const wordEnd = view.byteLength - WORD | 0;
  p |= 0;
  let lead = 0; // 0x80 if the word before ended in a lead
  for (; p <= wordEnd; p += WORD) {
    const word = view.getInt32(p, true);
    const leads = word & word << 1;
    const rests = word & ~(word << 1);
    const overlong = ~((word & 0x1e1e1e1e) + 0x7e7e7e7e);
    const wrong = (leads & (word << 2 | overlong) | rests ^ (leads << 8 | lead)) & HIGH;
    const special = (word - 0x20202020 | (word ^ 0x22222222) - 0x01010101 | (word ^ 0x5c5c5c5c) - 0x01010101) & ~word &
      HIGH;
    if ((wrong | special) !== 0) {
      const before = special ^ special - 1; // the bits up to the first special byte, all if there is none
      if ((wrong & before) !== 0) break;
      machine.excess += countMarked(rests & before);
      return p + lowest(special);
    }
    machine.excess += countMarked(rests);
    lead = leads >>> 24 & 0x80;
  }
  return p - (lead >> 7);
}

/** Bits 0x80 in the bytes of a little-endian word that are no digits. Exact up to and including the lowest. */
function nonDigits(word: number): number {
  const values = word ^ ZEROS;
  return (values + 0x76767676 | values) & 0x80808080;
}

/** The position after the digits at `p`; `p` if there are none, or if the bytes may end before they do. */
function skipDigits(view: DataView, p: number, wordEnd: number): number {
  for (let q = p; q <= wordEnd; q += WORD) {
    const others = nonDigits(view.getInt32(q, true));
    if (others !== 0) return q + lowest(others);
  }
  return p;
}

/**
 * Goes on within a token, byte by byte, until {@linkcode readTokens} can go on, or up to a wrong byte: if the position is the same and
 * the state still within a token.
 *
 * Precondition: the state is within a token, `p` is not the end of the bytes.
 */
function readToken(machine: Machine, bytes: Uint8Array, p: number): number {
  const end = bytes.length;
  let state = machine.state;
  do {
    const next = NEXT[state << 8 | bytes[p]];
    if (next === WRONG) break;
    if (next !== OVER) p++;
    machine.excess += EXCESS[state];
    if (next === OVER || next === CLOSES) {
      if (state === TEXT && machine.isKey) state = COLON;
      else state = stateAfterValue(machine);
      if (state === DONE) machine.documentEnd = machine.origin + p;
    } else {
      state = next;
    }
  } while (p < end && (state > TEXT || state === TEXT && p > end - WORD));
  machine.state = state;
  return p;
}

/** The position of the next line feed, or the end of the bytes. */
export function skipLine(machine: Machine, bytes: Uint8Array, p: number): number {
  const end = bytes.length;
  if (machine.isReturnPending && p < end) settleReturn(machine, bytes[p]);
  for (; p < end && bytes[p] !== LINE_FEED; p++) {
    if (bytes[p] !== CARRIAGE_RETURN) continue;
    if (p + 1 === end) machine.isReturnPending = true;
    else if (bytes[p + 1] !== LINE_FEED) endLine(machine, machine.origin + p + 1);
  }
  return p;
}

/** The failure of the wrong byte at position `p` of a piece. */
export function describeWrong(machine: Machine, bytes: Uint8Array, p: number): ParseFailure {
  return describe(machine, p, tokens.wrongByte(machine.state, bytes[p]), bytes[p]);
}

/** The failure of a document that ends at position `p` of a piece, or `null` if it may end there. */
export function describeEnd(machine: Machine, p: number): ParseFailure | null {
  if (NEXT[machine.state << 8] === OVER) { // only a number does not say itself where it is over
    machine.state = stateAfterValue(machine);
    machine.documentEnd = machine.origin + p;
  }
  const code = tokens.wrongEnd(machine.state);
  if (code === null) return null;
  if (machine.isReturnPending) settleReturn(machine, -1);
  return describe(machine, p, code, -1);
}

/** Line and column have been counted on the way: the pieces before are gone. */
function describe(machine: Machine, p: number, code: FailureCode, byte: number): ParseFailure {
  const { state, origin, lines, lineStart, excess } = machine;
  const offset = origin + p - BACK[state];
  // A byte-order mark is wrong as a whole: the byte is its first.
  const first = BACK[state] > 0 ? BYTE_ORDER_MARK : byte;
  return makeFailure(code, first, offset, lines + 1, offset - lineStart - excess + 1);
}

function stateAfterValue({ path }: Machine): number {
  return path === 1 ? DONE : AFTER_ELEMENT + (path & 1);
}

function doubled(words: Int32Array): Int32Array {
  const grown = new Int32Array(2 * words.length);
  grown.set(words);
  return grown;
}

/** Moves on to the next piece after one of `length` bytes. */
export function endPiece(machine: Machine, length: number): void {
  machine.origin += length;
}

/** Counts the carriage return that the last piece ended in, if it ends a line: if `next`, the byte after it, is no line feed. */
function settleReturn(machine: Machine, next: number): void {
  machine.isReturnPending = false;
  if (next !== LINE_FEED) endLine(machine, machine.origin);
}

/** A line ended before `offset` of the input. */
export function endLine(machine: Machine, offset: number): void {
  machine.lines++;
  machine.lineStart = offset;
  machine.excess = 0;
}
