/**
 * Validator of the JSON grammar that makes no values and can stop and resume at any byte.
 *
 * It has two layers. {@linkcode readTokens} is fast: it reads four bytes at a time and tracks which
 * token may come next. It accepts tokens and never rejects one. Tokens that are incomplete, near
 * the end of the bytes, or wrong are left to {@linkcode readTokenSlow} and the automaton of
 * `token_dfa.ts`, which alone decides what is wrong. `tests/library/differential_test.ts` compares
 * it with the other copies of the grammar.
 */

import {
  BACKSLASH,
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
  LOWER_U,
  MARK_LEAD,
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
import { failureAtOffset, type FailureCode, type ParseFailure } from "../base/failure.ts";
import { countPendingReturn, endLine, type LineLocation, resetLineLocation } from "../base/line_counter.ts";
import {
  countHighBits,
  FALSE_TAIL,
  FOUR_BYTE_SEQUENCE,
  FOUR_SPACES,
  HIGH_BITS,
  lowestByte,
  needsAttention,
  nonDigits,
  NULL,
  TRUE,
  ZEROS,
} from "../base/swar.ts";
import { lengthOf, plainView, requireStack } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { copySmall, smallView, smallViewOf, wipeSmall } from "../engine/small_copy.ts";
import {
  ACCEPT,
  ACCEPT_BEFORE,
  AFTER_BACKSLASH,
  AFTER_ELEMENT,
  AFTER_MEMBER,
  AFTER_NAME,
  BACKTRACK,
  BOM_2,
  codeOfByte,
  codeOfEnd as codeOfEndState,
  DONE,
  EXCESS_BYTES,
  FIRST_KEY,
  FIRST_VALUE,
  isNumberEnd,
  KEY,
  LAST_HEX,
  REJECT,
  RUN_END,
  RUN_WORDS,
  stateAfterComma,
  stateAfterOpening,
  STRING,
  TOKEN,
  TRANSITIONS,
  VALUE,
} from "./token_dfa.ts";

/** Word of a comma and an opening bracket. Clearing bit 0x20 turns a brace into a bracket. */
const COMMA_AND_OPENING = 0x5b2c;

/** Maximum length of a number before a run: see `deno task bench validate`. */
export const SHORT_NUMBER = 12;

const WORD = 4;

/** Maximum number of bytes of a piece, so that positions in it are int32. */
const MAX_PIECE = 0x40000000;

/** Bytes of shared memory copied at a time: they stay in L1. Copying takes 10 to 25 % longer. */
const SHARED_PIECE = 0x4000;

/** Words of {@linkcode Machine.outer}. When it is full, its lower half moves to `buried`. */
const OUTER_WORDS = 1024;
/** Elements that are moved at a time. */
const HALF = OUTER_WORDS / 2;
/** Words of one array below. Small arrays would take a sixth more memory of a deep document. */
const BURIED_WORDS = 0x2000;

/** Open brackets in a full element of {@linkcode Machine.outer}. */
const WORD_LEVELS = 30;

/** Maximum `brackets` that can take another: the next would shift the sentinel out of an int32. */
export const WHOLE_WORD = 0x3fffffff;

/** Elements of a stack of brackets below {@linkcode Machine.outer}. */
interface BuriedWords {
  words: Int32Array;
  count: number;
  /** Elements below those. */
  below: BuriedWords | null;
}

/** State machine of a validation. "Literals, not classes": see ARCHITECTURE.md. */
export interface Machine extends LineLocation {
  /** State of the automaton: see `token_dfa.ts`. */
  state: number;
  /** Whether the string being read is a key. */
  isKey: boolean;
  /** Innermost open brackets as bits below a sentinel, lowest first: 1 for a brace; 1 if none. */
  brackets: number;
  /** Stack of the brackets around them: full values of {@linkcode Machine.brackets}. */
  outer: Int32Array;
  outerCount: number;
  /** The part of that stack that is too far down for `outer`. */
  buried: BuriedWords | null;
  /** Its length in elements. */
  buriedCount: number;
  /** Maximum of {@linkcode Machine.brackets} that can take another bracket. */
  room: number;
  /** Words of the stack below `brackets` at `maxDepth`; -1 without a limit. */
  lastWord: number;
  /** Maximum of `brackets` above that many words. */
  lastRoom: number;
  /** Offset of the current piece in the input. */
  pieceStart: number;
  /** Offset after the last value of the outermost level. */
  documentEnd: number;
  /** Whether reading stops at a line feed, which ends the document. */
  stopsAtLineFeed: boolean;
  /** Whether reading stops after a document, since another may follow. */
  stopsAtDocument: boolean;
}

/**
 * Makes a machine at the beginning of an input.
 *
 * @param maxDepth Maximum number of open brackets.
 */
export function newMachine(stopsAtLineFeed: boolean, stopsAtDocument: boolean, maxDepth: number = Infinity): Machine {
  const lastWord = maxDepth === Infinity ? -1 : Math.max(1, Math.ceil(maxDepth / WORD_LEVELS)) - 1;
  const lastRoom = maxDepth === Infinity ? WHOLE_WORD : (1 << maxDepth - lastWord * WORD_LEVELS) - 1;
  return {
    state: VALUE,
    isKey: false,
    brackets: 1,
    outer: new Int32Array(OUTER_WORDS),
    outerCount: 0,
    buried: null,
    buriedCount: 0,
    room: lastWord === 0 ? lastRoom : WHOLE_WORD,
    lastWord,
    lastRoom,
    pieceStart: 0,
    lines: 0,
    lineStart: 0,
    excessBytes: 0,
    isReturnPending: false,
    documentEnd: 0,
    stopsAtLineFeed,
    stopsAtDocument,
  };
}

/** Offset of the bytes of {@linkcode newInnerMachine}: not 0, where a byte-order mark may be. */
export const INNER_START = 1;

/** Makes a machine for bytes that are not at the beginning of an input. */
export function newInnerMachine(stopsAtDocument: boolean): Machine {
  const machine = newMachine(false, stopsAtDocument);
  machine.pieceStart = INNER_START;
  return machine;
}

export function resetMachine(machine: Machine): void {
  machine.pieceStart = 0;
  resetLineLocation(machine);
  machine.documentEnd = 0;
  machine.state = VALUE;
  closeBrackets(machine);
}

/** Closes all brackets, and releases the stack of a deep document. */
export function closeBrackets(machine: Machine): void {
  machine.brackets = 1;
  if (machine.outerCount === 0) return;
  machine.outerCount = machine.buriedCount = 0;
  machine.buried = null;
  machine.room = WHOLE_WORD;
}

/**
 * Reads bytes in pieces of up to 1 GiB, in place: `read` gets a piece and a view of it. Returns the
 * first failure, or `null`. Pieces of shared memory are copies, all in one buffer: validation reads
 * some bytes twice, and another thread could change a byte between the two reads.
 */
export function readInPieces(
  { buffer, byteOffset, length }: Uint8Array, // read once: shared memory may grow
  read: (piece: Uint8Array, view: DataView) => ParseFailure | null,
): ParseFailure | null {
  const copy = buffer instanceof ArrayBuffer ? null : new Uint8Array(Math.min(SHARED_PIECE, length));
  const most = copy === null ? MAX_PIECE : SHARED_PIECE;
  for (let start = 0; start < length; start += most) {
    let piece = new Uint8Array(buffer, byteOffset + start, Math.min(most, length - start));
    if (copy !== null) {
      copy.set(piece);
      piece = new Uint8Array(copy.buffer, 0, piece.length);
    }
    const failure = read(piece, new DataView(piece.buffer, piece.byteOffset, piece.length));
    if (failure !== null) return failure;
  }
  return null;
}

/** Reads the next bytes of the input, from a copy if they are few. Returns a failure, or `null`. */
export function readAll(machine: Machine, bytes: Uint8Array): ParseFailure | null {
  const length = lengthOf(bytes);
  if (length > SMALL_INPUT) return readInPieces(plainView(bytes), (piece, view) => readWhole(machine, piece, view));
  copySmall(bytes, length);
  try {
    return readWhole(machine, smallViewOf(length), smallView);
  } finally {
    wipeSmall(length);
  }
}

/** Reads all of a piece. Returns the failure in it, or `null`. */
function readWhole(machine: Machine, bytes: Uint8Array, view: DataView): ParseFailure | null {
  const p = readPiece(machine, bytes, view, 0);
  if (p < bytes.length) return failureAtByte(machine, bytes, p);
  advance(machine, bytes.length);
  return null;
}

/**
 * Reads a piece of the input from `p` on. Returns the position where reading stopped: at the end of
 * the piece, at a wrong byte, or where {@linkcode Machine.stopsAtLineFeed} or
 * {@linkcode Machine.stopsAtDocument} stops it.
 *
 * Precondition: the memory is not shared, and `view` is a view of the piece, or of more from the
 * same byte on.
 */
export function readPiece(machine: Machine, bytes: Uint8Array, view: DataView, p: number): number {
  if (p < bytes.length) countPendingReturn(machine, machine.pieceStart, bytes[p]);
  for (;;) {
    const start = readTokens(machine, bytes, view, p);
    if (start >= bytes.length) return start;
    if (machine.state < TOKEN) {
      if (machine.outerCount !== machine.outer.length || !buryOuter(machine)) return start;
      p = start;
    } else {
      if (machine.state === STRING && bytes[start] >= 0x80) {
        p = readTwoByteCharacters(machine, bytes, view, start);
        if (p > start) continue;
      }
      p = readTokenSlow(machine, bytes, start);
      if (p === start && machine.state >= TOKEN || machine.state === DONE && machine.stopsAtDocument) return p;
    }
  }
}

/**
 * Reads whole tokens, and whitespace and punctuation between them. Returns the position where it
 * stopped: within a token left to {@linkcode readTokenSlow}, at a wrong byte, or at a bracket that
 * needs a longer stack.
 *
 * Returns `p` at once if the state is within a token other than a string.
 */
function readTokens(machine: Machine, bytes: Uint8Array, view: DataView, p: number): number {
  const end = bytes.length;
  const wordEnd = end - WORD;
  const stopsAtLineFeed = machine.stopsAtLineFeed;
  p |= 0;
  let state = machine.state | 0;
  let brackets = machine.brackets | 0;
  let outerCount = machine.outerCount | 0;
  const outer = machine.outer;
  let isKey = machine.isKey;
  let lines = 0;
  let lineStart = 0;

  if (state > STRING) return p;
  tokens: while (p < end) {
    if (state !== STRING) {
      // Whitespace.
      let c = bytes[p];
      while (c <= SPACE) {
        if (c === LINE_FEED) {
          if (stopsAtLineFeed) break tokens;
          lines++;
          lineStart = ++p;
          machine.excessBytes = 0;
          while (p <= wordEnd) {
            const others = view.getInt32(p, true) ^ FOUR_SPACES;
            if (others !== 0) {
              p += lowestByte(others);
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
            machine.excessBytes = 0;
          }
        } else {
          break tokens;
        }
        if (p >= end) break tokens;
        c = bytes[p];
      }

      // A token: its kind follows from its first byte, `c`.
      if (c === QUOTE) {
        if (state > FIRST_KEY) break;
        isKey = state >= KEY;
        state = STRING;
        p++;
      } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
        if (state > FIRST_VALUE) break;
        let first = c === MINUS ? p + 1 : p;
        let q = skipDigitsByWords(view, first, wordEnd);
        let isWhole = q - first === 1 || q > first && bytes[first] !== ZERO;
        c = isWhole ? bytes[q] : 0;
        if (c === POINT) {
          first = q + 1;
          q = skipDigitsByWords(view, first, wordEnd);
          isWhole = q > first;
          c = isWhole ? bytes[q] : 0;
        }
        if ((c | 0x20) === LOWER_E) {
          first = q + 1;
          if (first < end && (bytes[first] === MINUS || bytes[first] === PLUS)) first++;
          q = skipDigitsByWords(view, first, wordEnd);
          isWhole = q > first;
        }
        if (!isWhole) {
          state = TRANSITIONS[bytes[p]];
          p++;
          break;
        }
        const isShort = q - p <= SHORT_NUMBER;
        p = q;
        if (isShort && c === COMMA && (brackets & 1) === 0) {
          p = skipNumberRun(bytes, p + 1) | 0;
          if (p >= 0) {
            state = VALUE;
            continue;
          }
          p = ~p;
        }
      } else if (c === COMMA) {
        if (state !== AFTER_ELEMENT && state !== AFTER_MEMBER) break;
        state = stateAfterComma(brackets & 1);
        p++;
        continue;
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (state > FIRST_VALUE) break;
        if (brackets > machine.room) {
          if (outerCount === outer.length || isLastWord(machine, outerCount)) break;
          outer[outerCount++] = brackets;
          brackets = 1;
          if (isLastWord(machine, outerCount)) machine.room = machine.lastRoom;
        }
        const isObject = c >> 5 & 1;
        brackets = brackets << 1 | isObject;
        state = stateAfterOpening(isObject);
        p++;
        continue;
      } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
        const isObject = c >> 5 & 1;
        if (state !== AFTER_ELEMENT + isObject && state !== stateAfterOpening(isObject)) break;
        brackets >>= 1;
        if (brackets === 1 && outerCount > 0) {
          brackets = outer[--outerCount];
          machine.room = WHOLE_WORD;
          if (outerCount === 0) outerCount = unburyOuter(machine) | 0;
        }
        p++;
        if ((brackets & 1) === 0 && brackets <= WHOLE_WORD && p < wordEnd) {
          const word = view.getInt32(p, true);
          if ((word & 0xdfff) === COMMA_AND_OPENING) {
            const isObject = word >> 13 & 1;
            brackets = brackets << 1 | isObject;
            state = stateAfterOpening(isObject);
            p += 2;
            continue;
          }
        }
      } else if (c === COLON) {
        if (state !== AFTER_NAME) break;
        state = VALUE;
        p++;
        continue;
      } else if (state > FIRST_VALUE) {
        break;
      } else if (c === LOWER_T && p <= wordEnd && view.getInt32(p, true) === TRUE) {
        p += 4;
      } else if (c === LOWER_N && p <= wordEnd && view.getInt32(p, true) === NULL) {
        p += 4;
      } else if (c === LOWER_F && p < wordEnd && view.getInt32(p + 1, true) === FALSE_TAIL) {
        p += 5;
      } else if (TRANSITIONS[c] !== REJECT) {
        state = TRANSITIONS[c];
        p++;
        break;
      } else {
        if (c === MARK_LEAD && machine.pieceStart + p === 0) {
          state = BOM_2;
          p++;
        }
        break;
      }
    }
    // The rest of a string.
    if (state === STRING) {
      characters: for (;;) {
        let attention = 0;
        while (p <= wordEnd) {
          attention = needsAttention(view.getInt32(p, true));
          if (attention !== 0) break;
          p += WORD;
        }
        if (attention === 0) break tokens;
        p += lowestByte(attention);
        const c = bytes[p];
        if (c === QUOTE) break characters;
        if (c === BACKSLASH) {
          if (p > wordEnd) break tokens;
          const letter = bytes[p + 1];
          if (AFTER_BACKSLASH[letter] === STRING) {
            p += 2;
          } else {
            if (letter !== LOWER_U || p >= wordEnd - 1) break tokens;
            const digits = LAST_HEX[bytes[p + 2]] | LAST_HEX[bytes[p + 3]] | LAST_HEX[bytes[p + 4]] |
              LAST_HEX[bytes[p + 5]];
            if (digits !== STRING) break tokens;
            p += 6;
          }
          continue;
        }
        if (c < 0x80) break tokens;
        const start = p;
        let excess = 0;
        while (p <= wordEnd) {
          const word = view.getInt32(p, true); // two-byte characters: see readTwoByteCharacters
          if ((word & 0x00c0c0f0) === 0x008080e0) {
            const lead = word & 0x200f; // E0 and ED restrict the second byte
            if (lead === 0 || lead === 0x200d) break;
            p += 3;
            excess += 2;
          } else if ((word & 0xc0c0c0f8) === FOUR_BYTE_SEQUENCE) {
            const lead = word & 0x3007; // so do F0 and F4
            if ((lead & 7) === 0 ? lead === 0 : (lead & 7) >= 4 && lead !== 4) break;
            p += 4;
            excess += 2;
          } else {
            break;
          }
        }
        if (p === start) break tokens;
        machine.excessBytes += excess;
      }
      p++;
      if (isKey) {
        state = AFTER_NAME;
        if (p < end && bytes[p] === COLON) {
          p++;
          state = VALUE;
        }
        continue;
      }
    }

    // A value is complete.
    if (brackets === 1) {
      state = DONE;
      machine.documentEnd = machine.pieceStart + p;
      if (machine.stopsAtDocument) break;
    } else if (p < end && bytes[p] === COMMA) {
      p++;
      state = stateAfterComma(brackets & 1);
    } else {
      state = AFTER_ELEMENT + (brackets & 1);
    }
  }
  machine.state = state;
  machine.isKey = isKey;
  machine.brackets = brackets;
  machine.outerCount = outerCount;
  if (lines > 0) {
    machine.lines += lines;
    machine.lineStart = machine.pieceStart + lineStart;
  }
  return p;
}

/**
 * Reads a run of numbers without exponents, and the commas between them. Returns the position
 * where the next value must begin or, if the run ends with a number, the complement of the
 * position after it.
 *
 * Precondition: the byte before `p` is a comma of an array.
 */
export function skipNumberRun(bytes: Uint8Array, p: number): number {
  const end = bytes.length;
  p |= 0;
  const start = p;
  let run = 0;
  for (; p < end; p++) {
    const next = RUN_WORDS[bytes[p]] >>> run & RUN_END;
    if (next === RUN_END) break;
    run = next;
  }
  if (run === 0) return p;
  if (p < end && isNumberEnd(run, bytes[p])) return ~p;
  while (p > start && bytes[p - 1] !== COMMA) p--;
  return p;
}

/**
 * Reads two-byte characters and ASCII of a string, in any mixture. Stops at a quote, backslash or
 * control byte, or before a word with any other character. Returns the position where it stopped.
 */
function readTwoByteCharacters(machine: Machine, bytes: Uint8Array, view: DataView, p: number): number {
  const wordEnd = bytes.length - WORD | 0;
  p |= 0;
  let lead = 0; // 0x80 if the previous word ended in a lead byte
  for (; p <= wordEnd; p += WORD) {
    const word = view.getInt32(p, true);
    const leads = word & word << 1;
    const rests = word & ~(word << 1);
    const overlong = ~((word & 0x1e1e1e1e) + 0x7e7e7e7e);
    const wrong = (leads & (word << 2 | overlong) | rests ^ (leads << 8 | lead)) & HIGH_BITS;
    const special = (word - 0x20202020 | (word ^ 0x22222222) - 0x01010101 | (word ^ 0x5c5c5c5c) - 0x01010101) & ~word &
      HIGH_BITS;
    if ((wrong | special) !== 0) {
      const before = special ^ special - 1; // the bits up to the first special byte, or all bits
      if ((wrong & before) !== 0) break;
      machine.excessBytes += countHighBits(rests & before);
      return p + lowestByte(special);
    }
    machine.excessBytes += countHighBits(rests);
    lead = leads >>> 24 & 0x80;
  }
  return p - (lead >> 7);
}

/** Returns the position after the digits at `p`; `p` if they cannot all be read by words. */
export function skipDigitsByWords(view: DataView, p: number, wordEnd: number): number {
  for (let q = p; q <= wordEnd; q += WORD) {
    const others = nonDigits(view.getInt32(q, true) ^ ZEROS);
    if (others !== 0) return q + lowestByte(others);
  }
  return p;
}

/**
 * Continues a token byte by byte until {@linkcode readTokens} can take over. At a wrong byte it
 * stops with the state still within the token.
 *
 * Precondition: the state is within a token, and `p` is not the end of the bytes.
 */
function readTokenSlow(machine: Machine, bytes: Uint8Array, p: number): number {
  const end = bytes.length;
  let state = machine.state;
  do {
    const next = TRANSITIONS[state << 8 | bytes[p]];
    if (next === REJECT) break;
    if (next !== ACCEPT_BEFORE) p++;
    machine.excessBytes += EXCESS_BYTES[state];
    if (next === ACCEPT_BEFORE || next === ACCEPT) {
      if (state === STRING && machine.isKey) state = AFTER_NAME;
      else state = stateAfterValue(machine);
      if (state === DONE) machine.documentEnd = machine.pieceStart + p;
    } else {
      state = next;
    }
  } while (p < end && (state > STRING || state === STRING && p > end - WORD));
  machine.state = state;
  return p;
}

/** Returns the position of the next line feed, or the end of the bytes. Counts lines before it. */
export function skipLine(machine: Machine, bytes: Uint8Array, p: number): number {
  const end = bytes.length;
  if (p < end) countPendingReturn(machine, machine.pieceStart, bytes[p]);
  for (; p < end && bytes[p] !== LINE_FEED; p++) {
    if (bytes[p] !== CARRIAGE_RETURN) continue;
    if (p + 1 === end) machine.isReturnPending = true;
    else if (bytes[p + 1] !== LINE_FEED) endLine(machine, machine.pieceStart + p + 1);
  }
  return p;
}

/** Returns the failure code of the wrong byte at which {@linkcode readPiece} stopped. */
export function codeOfWrongByte(machine: Machine, byte: number): FailureCode {
  // Before a value, an opening bracket is wrong only if there is no memory for it.
  const hasNoRoom = (byte & 0xdf) === OPEN_BRACKET && machine.state <= FIRST_VALUE;
  if (!hasNoRoom) return codeOfByte(machine.state, byte);
  return isLastWord(machine, machine.outerCount) ? "too-deep" : "value-too-large";
}

/** Returns the failure code of a document that ends at `p` of the piece, or `null` if it may. */
export function codeOfEnd(machine: Machine, p: number): FailureCode | null {
  if (TRANSITIONS[machine.state << 8] === ACCEPT_BEFORE) { // after a number, which may end here
    machine.state = stateAfterValue(machine);
    machine.documentEnd = machine.pieceStart + p;
  }
  return codeOfEndState(machine.state);
}

/** Returns the failure of the wrong byte at position `p` of the piece. */
export function failureAtByte(machine: Machine, bytes: Uint8Array, p: number): ParseFailure {
  return failureAt(machine, p, codeOfWrongByte(machine, bytes[p]), bytes[p], false);
}

/**
 * Returns the failure of a document that ends at position `p` of the piece, or `null` if it may end
 * there. `isTruncated` says whether the input ends there too.
 */
export function failureAtEnd(machine: Machine, p: number, isTruncated = true): ParseFailure | null {
  const code = codeOfEnd(machine, p);
  if (code === null) return null;
  countPendingReturn(machine, machine.pieceStart, -1);
  return failureAt(machine, p, code, -1, isTruncated);
}

function failureAt(machine: Machine, p: number, code: FailureCode, byte: number, isTruncated: boolean): ParseFailure {
  const back = BACKTRACK[machine.state];
  // The failure of a malformed byte-order mark names its first byte.
  return failureAtOffset(machine, machine.pieceStart + p - back, code, back > 0 ? MARK_LEAD : byte, isTruncated);
}

function stateAfterValue({ brackets }: Machine): number {
  return brackets === 1 ? DONE : AFTER_ELEMENT + (brackets & 1);
}

/** Returns whether the innermost word, above `outerCount` others, is the last allowed. */
function isLastWord({ lastWord, buriedCount }: Machine, outerCount: number): boolean {
  return outerCount + buriedCount === lastWord;
}

/** Moves away the lower half of the stack of brackets. Returns `false` if out of memory. */
function buryOuter(machine: Machine): boolean {
  const { outer } = machine;
  try {
    if (machine.buried === null || machine.buried.count === BURIED_WORDS) {
      machine.buried = { words: new Int32Array(BURIED_WORDS), count: 0, below: machine.buried };
    }
  } catch {
    requireStack();
    return false;
  }
  const { words, count } = machine.buried;
  for (let i = 0; i < HALF; i++) {
    words[count + i] = outer[i];
    outer[i] = outer[i + HALF];
  }
  machine.buried.count += HALF;
  machine.buriedCount += HALF;
  machine.outerCount -= HALF;
  return true;
}

/**
 * Brings back elements that {@linkcode buryOuter} has moved away. Returns their number.
 *
 * Precondition: {@linkcode Machine.outer} is empty.
 */
function unburyOuter(machine: Machine): number {
  const { outer, buried } = machine;
  if (buried === null) return 0;
  buried.count -= HALF;
  for (let i = 0; i < HALF; i++) outer[i] = buried.words[buried.count + i];
  if (buried.count === 0) machine.buried = buried.below;
  machine.buriedCount -= HALF;
  return HALF;
}

/** Moves on to the next piece, after one of `length` bytes. */
export function advance(machine: Machine, length: number): void {
  machine.pieceStart += length;
}
