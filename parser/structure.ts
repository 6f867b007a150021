/**
 * The grammar's structure: values, arrays and objects, in one loop over an explicit stack, so that nesting has no limit.
 *
 * @module
 */

import { copyRange, doubled } from "./arrays.ts";
import { unexpectedAt } from "./failure.ts";
import { decimal, readAnyNumber, readDecimals, readNumber, WORDS_REACH } from "./numbers.ts";
import { assembleObject, beginDictionary, finishDictionary, forgetPrototype } from "./objects.ts";
import { newTexts, recentText } from "./recent_texts.ts";
import {
  admitKey,
  findBuilder,
  findKey,
  fits,
  type Key,
  matches,
  MAX_KEY_SIZE,
  mix,
  NO_KEY,
  ROOT_KEY,
} from "./shapes.ts";
import { lowest, marks, skipIndentation, skipPlain, skipPlainWords, skipWhitespace } from "./scan.ts";
import { cursor, fail, failure } from "./state.ts";
import { readEscapedString, releaseScratch } from "./strings.ts";
import { latin1Text } from "./text.ts";

export { failure };

/** What {@linkcode parseDocument} returns for input that is no JSON text; `failure` says why. */
export const FAILED: object = {};

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `true`, `alse` and `null` as little-endian words. */
const TRUE = 0x65757274;
const ALSE = 0x65736c61;
const NULL = 0x6c6c756e;

/** What the innermost open bracket is; two bits of a frame. */
const ARRAY = 0;
const OBJECT = 1;
/** An object of so many members that they go into it one by one, and not by way of the stack. */
const DICTIONARY = 2;

/** Members from which an object that fills the stack becomes a dictionary; V8 does the same at 128. */
const DICTIONARY_MEMBERS = 128;

/** Bytes parsed at a time: positions stay int32, which costs nothing, where doubles would cost a third. */
const WINDOW = 0x7ffffff0;

/** Bytes that remain of a window that is not the last when the next begins; no longer token is accepted there. */
const MARGIN = 0x40000000;

/** Bytes after which the stack is made anew: see {@linkcode newStack}. */
const RENEWAL = 0x20000;

/** Longest text made without a guard against the engine's limit on strings, in characters. */
const MAX_QUICK_TEXT = 4096;

/** Entries of the stack; a small input gets the small one. Both room for what {@linkcode parseContainer} pushes unasked. */
const STACK_SIZE = 1024;
const SMALL_STACK_SIZE = 48;
const SMALL_INPUT = 1024;
const SLACK = 4;

const EMPTY_STACK: unknown[] = [];
for (let i = 0; i < STACK_SIZE; i++) EMPTY_STACK.push(undefined);

/** Ids of the keys on the stack, at their places. Kept between calls, as what follows, and cut back after a large one. */
let ids = new Int32Array(STACK_SIZE);

/** Open brackets around the innermost: `base << 2 | kind` each. */
const KEPT_FRAMES = 1024;
let frames = new Int32Array(KEPT_FRAMES);

/** The last key before each of them. */
let frameKeys: Key[] = [];
for (let i = 0; i < KEPT_FRAMES; i++) frameKeys.push(NO_KEY);

/** Digits that an int32 holds whatever they are. */
const QUICK_DIGITS = 9;

/** Numbers of an array while it is nothing but numbers: doubles, not boxed. */
const KEPT_NUMBERS = 1024;
let numbers: number[] = [0.5];
for (let i = 1; i < KEPT_NUMBERS; i++) numbers.push(0.5);

/**
 * A packed array for values in the making. A fresh one: while it is in the young generation a store of a young value
 * needs no entry in the collector's remembered set, which costs 5 to 10 ns a value; and no value outlives the call in it.
 */
function newStack(old: unknown[], used: number): unknown[] {
  const stack = copyRange(EMPTY_STACK, 0, STACK_SIZE);
  for (let i = 0; i < used; i++) stack[i] = old[i];
  return stack;
}

/** The stack at twice its size, and the ids with it. */
function growStack(stack: unknown[]): unknown[] {
  const size = 2 * stack.length;
  if (ids.length < size) {
    const grown = new Int32Array(size);
    grown.set(ids);
    ids = grown;
  }
  return doubled(stack);
}

function growFrames(): void {
  const grown = new Int32Array(2 * frames.length);
  grown.set(frames);
  frames = grown;
  frameKeys = doubled(frameKeys);
}

/** Lets go of what a large or deep input made the tables grow to. */
function releaseTables(): void {
  if (ids.length > STACK_SIZE) ids = new Int32Array(STACK_SIZE);
  if (frames.length > KEPT_FRAMES) {
    frames = new Int32Array(KEPT_FRAMES);
    frameKeys = copyRange(frameKeys, 0, KEPT_FRAMES);
  }
  if (numbers.length > KEPT_NUMBERS) numbers = copyRange(numbers, 0, KEPT_NUMBERS);
}

/** A string token, its text or `null`. Preconditions and postconditions of {@linkcode readEscapedString}, `q` being what {@linkcode skipPlain} said. */
function readString(bytes: Uint8Array, view: DataView, p: number, q: number, end: number): string | null {
  if (q >= end || bytes[q] !== QUOTE) return readEscapedString(bytes, view, p, q, end);
  cursor.position = q + 1;
  if (p === q) return "";
  try {
    return latin1Text(bytes, p, q);
  } catch {
    fail("string-too-long", p - 1);
    return null;
  }
}

/** The key that {@linkcode readKey} found in the tables, or `NO_KEY`. */
let foundKey: Key = NO_KEY;

/**
 * A key that was not predicted: its text, or `null` for a failure, and its entry in {@linkcode foundKey}.
 *
 * Precondition: `start` is after the opening quote. Leaves the position after the closing one in `cursor`.
 */
function readKey(bytes: Uint8Array, view: DataView, start: number, end: number, remember: boolean): string | null {
  foundKey = NO_KEY;
  const q = skipPlainWords(bytes, view, start, end);
  let text: string | null = null;
  let size = q + 1 - start;
  if (q >= end || bytes[q] !== QUOTE) {
    text = readEscapedString(bytes, view, start, q, end);
    if (text === null) return null;
    size = cursor.position - start;
  }
  if (remember && size <= MAX_KEY_SIZE && size <= end - start - 3) {
    let hash = size;
    let p = start;
    for (const last = start + size - 4; p < last; p += 4) hash = mix(hash, view.getInt32(p, true));
    hash = size < 4
      ? mix(hash, view.getInt32(start, true) & (1 << 8 * size) - 1)
      : mix(hash, view.getInt32(start + size - 4, true));
    foundKey = findKey(hash, size, view, start);
    if (foundKey === NO_KEY) {
      text ??= readString(bytes, view, start, q, end);
      if (text !== null) foundKey = admitKey(hash, size, view, start, text);
    } else {
      text = foundKey.text;
    }
    cursor.position = start + size;
    return text;
  }
  return text ?? readString(bytes, view, start, q, end);
}

/** The position of the first byte that differs from `literal`; notes the failure there. */
function failLiteral(bytes: Uint8Array, p: number, end: number): void {
  const literal = bytes[p] === 0x74 ? "true" : bytes[p] === 0x66 ? "false" : bytes[p] === 0x6e ? "null" : "";
  for (let i = 0; i < literal.length && p < end && bytes[p] === literal.charCodeAt(i); i++) p++;
  fail(unexpectedAt(bytes, p), p);
}

/**
 * Numbers separated by commas, into {@linkcode numbers}: how many, or -1 for a failure.
 *
 * Precondition: a digit or a minus sign is at `p`. Leaves the position of the byte after the last of them in `cursor`:
 * a comma if some other value follows it.
 */
function readNumbers(bytes: Uint8Array, view: DataView, p: number, end: number): number {
  const quickEnd = end - WORDS_REACH;
  let stack = numbers;
  let count = 0;
  for (;;) {
    if (count + 1 >= stack.length) stack = numbers = doubled(stack);
    // Short numbers one after the other, with no call and no look at what else might stand here: see readNumber, which
    // takes those that are not short. Integers take a third of the time they take there, decimals two thirds.
    let c = bytes[p] - ZERO;
    while (p < quickEnd && count + 1 < stack.length) {
      const start = p;
      const negative = c === MINUS - ZERO;
      if (negative) c = bytes[++p] - ZERO;
      let value = c;
      if (value >>> 0 > 9) {
        p = start;
        break;
      }
      c = bytes[++p] - ZERO;
      if (value !== 0) {
        while (c >>> 0 <= 9 && p - start < QUICK_DIGITS) {
          value = value * 10 + c | 0;
          c = bytes[++p] - ZERO;
        }
      }
      let number: number = value;
      if (c === POINT - ZERO) {
        p = readDecimals(bytes, view, p + 1, value);
        if (p === 0) {
          p = start;
          break;
        }
        number = decimal[0];
        c = bytes[p] - ZERO;
      }
      if (c === COMMA - ZERO) {
        stack[count++] = negative ? -number : number;
        c = bytes[++p] - ZERO;
        if (c <= SPACE - ZERO) {
          p = skipIndentation(bytes, view, p, end);
          if (p < quickEnd) c = bytes[p] - ZERO;
        }
      } else if (c === CLOSE_BRACKET - ZERO) {
        stack[count++] = negative ? -number : number;
        cursor.position = p;
        return count;
      } else {
        p = start;
        break;
      }
    }
    if (p >= end || bytes[p] - ZERO >>> 0 > 9 && bytes[p] !== MINUS) return endNumbers(bytes, p, count);
    p = readNumber(bytes, view, p, end);
    if (p < 0) return -1;
    stack[count++] = decimal[0];
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
    if (p >= end || bytes[p] !== COMMA) {
      cursor.position = p;
      return count;
    }
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
    if (p >= end || bytes[p] - ZERO >>> 0 > 9 && bytes[p] !== MINUS) return endNumbers(bytes, p, count);
  }
}

/** Leaves the position of the comma before `p`, where something else than a number stands. */
function endNumbers(bytes: Uint8Array, p: number, count: number): number {
  do p--; while (bytes[p] !== COMMA);
  cursor.position = p;
  return count;
}

/** The first `count` numbers as an array of doubles of exactly that size. */
function numberArray(count: number): number[] {
  switch (count) {
    case 1:
      return [numbers[0]];
    case 2:
      return [numbers[0], numbers[1]];
    case 3:
      return [numbers[0], numbers[1], numbers[2]];
  }
  return copyRange(numbers, 0, count);
}

/** The array of `stack[base, top)`, of exactly that size: `push` would reserve 17 elements. Precondition: not empty. */
function elementArray(stack: unknown[], base: number, top: number): unknown[] {
  switch (top - base) {
    case 1:
      return [stack[base]];
    case 2:
      return [stack[base], stack[base + 1]];
    case 3:
      return [stack[base], stack[base + 1], stack[base + 2]];
    case 4:
      return [stack[base], stack[base + 1], stack[base + 2], stack[base + 3]];
  }
  return copyRange(stack, base, top);
}

/** The object of a shape that its last key did not foretell. */
function buildObject(stack: unknown[], base: number, top: number, key: Key): unknown {
  const build = findBuilder(ids, base, top, key, stack);
  return build === null ? assembleObject(stack, base, top) : build(stack, base);
}

/** A document that is a string, a number or a literal. Precondition: `p` is its first byte that is not whitespace. */
function parseScalar(bytes: Uint8Array, p: number, end: number): unknown {
  const c = p < end ? bytes[p] : 0;
  if (c === QUOTE) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, end);
    return readString(bytes, view, p + 1, skipPlainWords(bytes, view, p + 1, end), end) ?? FAILED;
  }
  if (c - ZERO >>> 0 <= 9 || c === MINUS) {
    cursor.position = readAnyNumber(bytes, p, end);
    return cursor.position < 0 ? FAILED : decimal[0];
  }
  if (c === 0x74 && p + 4 <= end && bytes[p + 1] === 0x72 && bytes[p + 2] === 0x75 && bytes[p + 3] === 0x65) {
    cursor.position = p + 4;
    return true;
  }
  if (
    c === 0x66 && p + 5 <= end && bytes[p + 1] === 0x61 && bytes[p + 2] === 0x6c && bytes[p + 3] === 0x73 &&
    bytes[p + 4] === 0x65
  ) {
    cursor.position = p + 5;
    return false;
  }
  if (c === 0x6e && p + 4 <= end && bytes[p + 1] === 0x75 && bytes[p + 2] === 0x6c && bytes[p + 3] === 0x6c) {
    cursor.position = p + 4;
    return null;
  }
  failLiteral(bytes, p, end);
  return FAILED;
}

/**
 * The value of a JSON text, or {@linkcode FAILED}.
 *
 * The input is parsed in place. It may be larger than an int32 counts: then through windows onto it, each begun between two tokens.
 */
export function parseDocument(input: Uint8Array): unknown {
  const end = Math.min(input.length, WINDOW);
  const bytes = end === input.length ? input : new Uint8Array(input.buffer, input.byteOffset, end);
  let p = end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end);
  const c = p < end ? bytes[p] : 0;
  let value: unknown;
  if (c === OPEN_BRACE || c === OPEN_BRACKET) {
    value = parseContainer(input, bytes, p, end);
    if (value === FAILED || end > STACK_SIZE) releaseTables();
  } else {
    value = parseScalar(bytes, p, end);
    if (value !== FAILED) finishDocument(bytes, 0, cursor.position, end) || (value = FAILED);
  }
  if (value === FAILED) releaseScratch();
  return value;
}

/** Whether nothing but whitespace follows; else notes the failure. */
function finishDocument(bytes: Uint8Array, origin: number, p: number, end: number): boolean {
  if (p < end) p = skipWhitespace(bytes, p, end);
  if (p >= end) return true;
  fail("trailing-content", origin + p);
  return false;
}

function parseContainer(input: Uint8Array, bytes: Uint8Array, p: number, end: number): unknown {
  let view = new DataView(bytes.buffer, bytes.byteOffset, end);
  let origin = 0; // of the window in the input
  let wordEnd = end - 4;
  let limit = end === input.length ? RENEWAL : 0;
  let stack = copyRange(EMPTY_STACK, 0, end < SMALL_INPUT ? SMALL_STACK_SIZE : STACK_SIZE);
  const texts = newTexts(end < SMALL_INPUT);
  let room = stack.length - SLACK;
  let sp = 0;
  let base = 0;
  let kind = ARRAY;
  let depth = 0;
  let key: Key = ROOT_KEY;
  let c = bytes[p];
  let value: unknown;
  forgetPrototype();

  next: for (;;) {
    // A value is expected, in an object its key first; `c` is the byte at `p` and no whitespace, or 0 at the end.
    if (p >= limit) {
      // to do: windows
      limit = p + RENEWAL;
      if (sp < STACK_SIZE / 2) {
        stack = newStack(stack, sp);
        room = stack.length - SLACK;
      }
    }
    if (sp >= room) {
      if (kind === OBJECT && sp - base >= 2 * DICTIONARY_MEMBERS) {
        stack[base] = beginDictionary(stack, base, sp);
        sp = base + 1;
        kind = DICTIONARY;
      } else {
        stack = growStack(stack);
        room = stack.length - SLACK;
      }
    }
    if (kind !== ARRAY) {
      if (c !== QUOTE) {
        fail(sp === base ? "expected-property-name-or-brace" : "expected-property-name", p);
        break;
      }
      p++;
      const guess: Key = sp === base ? key.child : key.next;
      if (guess.size <= end - p - 3 && matches(guess, view, p)) {
        p += guess.size;
        key = guess;
        stack[sp] = guess.text;
      } else {
        const text = readKey(bytes, view, p, end, kind === OBJECT);
        if (text === null) break;
        p = cursor.position;
        if (foundKey !== NO_KEY) {
          if (sp === base) key.child = foundKey;
          else key.next = foundKey;
        }
        key = foundKey;
        stack[sp] = text;
      }
      ids[sp++] = key.id;
      c = p < end ? bytes[p] : 0;
      if (c !== COLON) {
        p = skipWhitespace(bytes, p, end);
        if (p >= end || bytes[p] !== COLON) {
          fail("expected-colon", p);
          break;
        }
      }
      c = ++p < end ? bytes[p] : 0;
      if (c <= SPACE) {
        c = ++p < end ? bytes[p] : 0;
        if (c <= SPACE || bytes[p - 1] !== SPACE) {
          p = skipWhitespace(bytes, p - 1, end);
          c = p < end ? bytes[p] : 0;
        }
      }
    }

    if (c === QUOTE) {
      const start = ++p;
      let marked = 0;
      while (p <= wordEnd) {
        marked = marks(view.getInt32(p, true));
        if (marked !== 0) {
          p += lowest(marked);
          break;
        }
        p += 4;
      }
      if (marked === 0) p = skipPlain(bytes, p, end);
      if (p < end && bytes[p] === QUOTE && p - start <= MAX_QUICK_TEXT) {
        const length = p - start;
        if (length < 3) value = length === 0 ? "" : latin1Text(bytes, start, p);
        else value = recentText(texts, bytes, view, start, p);
        p++;
      } else {
        const text = readString(bytes, view, start, p, end);
        if (text === null) break;
        value = text;
        p = cursor.position;
      }
    } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
      let n = c - ZERO;
      let q = p + 1;
      c = q < end ? bytes[q] : 0;
      if (n > 0) {
        while (c - ZERO >>> 0 <= 9 && q - p < QUICK_DIGITS) {
          n = n * 10 + (c - ZERO) | 0;
          c = ++q < end ? bytes[q] : 0;
        }
      }
      if (n >= 0 && (c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET || c === LINE_FEED)) {
        value = n;
        p = q;
      } else {
        p = readNumber(bytes, view, p, end);
        if (p < 0) break;
        value = decimal[0];
      }
    } else if (c === OPEN_BRACE) {
      c = ++p < end ? bytes[p] : 0;
      if (c <= SPACE) {
        p = skipIndentation(bytes, view, p, end);
        c = p < end ? bytes[p] : 0;
      }
      if (c !== CLOSE_BRACE) {
        if (depth === frames.length) growFrames();
        frames[depth] = base << 2 | kind;
        frameKeys[depth++] = key;
        base = sp;
        kind = OBJECT;
        continue;
      }
      p++;
      value = {};
    } else if (c === OPEN_BRACKET) {
      c = ++p < end ? bytes[p] : 0;
      if (c <= SPACE) {
        p = skipIndentation(bytes, view, p, end);
        c = p < end ? bytes[p] : 0;
      }
      if (c === CLOSE_BRACKET) {
        p++;
        value = [];
      } else {
        const count = c - ZERO >>> 0 <= 9 || c === MINUS ? readNumbers(bytes, view, p, end) : 0;
        if (count < 0) break;
        if (count > 0) p = cursor.position;
        if (count > 0 && p < end && bytes[p] === CLOSE_BRACKET) {
          p++;
          value = numberArray(count);
        } else {
          if (depth === frames.length) growFrames();
          frames[depth] = base << 2 | kind;
          frameKeys[depth++] = key;
          base = sp;
          kind = ARRAY;
          if (count === 0) continue;
          for (let i = 0; i < count - 1; i++) {
            if (sp >= room) {
              stack = growStack(stack);
              room = stack.length - SLACK;
            }
            stack[sp++] = numbers[i];
          }
          value = numbers[count - 1];
        }
      }
    } else if (c === 0x74 && end - p >= 4 && view.getInt32(p, true) === TRUE) {
      p += 4;
      value = true;
    } else if (c === 0x66 && end - p >= 5 && view.getInt32(p + 1, true) === ALSE) {
      p += 5;
      value = false;
    } else if (c === 0x6e && end - p >= 4 && view.getInt32(p, true) === NULL) {
      p += 4;
      value = null;
    } else {
      failLiteral(bytes, p, end);
      break;
    }

    // A value is complete: its container goes on or closes.
    for (;;) {
      if (depth === 0) {
        if (finishDocument(bytes, origin, p, end)) return value;
        return FAILED;
      }
      stack[sp++] = value;
      c = p < end ? bytes[p] : 0;
      if (c <= SPACE) {
        p = skipIndentation(bytes, view, p, end);
        c = p < end ? bytes[p] : 0;
      }
      if (kind === DICTIONARY) {
        (stack[base] as Record<string, unknown>)[stack[base + 1] as string] = value;
        sp = base + 1;
      }
      if (c === COMMA) {
        c = ++p < end ? bytes[p] : 0;
        if (c <= SPACE) {
          p = skipIndentation(bytes, view, p, end);
          c = p < end ? bytes[p] : 0;
        }
        continue next;
      }
      if (kind === ARRAY) {
        if (c !== CLOSE_BRACKET) {
          fail("expected-comma-or-bracket", p);
          break next;
        }
        value = elementArray(stack, base, sp);
      } else {
        if (c !== CLOSE_BRACE) {
          fail("expected-comma-or-brace", p);
          break next;
        }
        if (kind === DICTIONARY) {
          value = finishDictionary(stack[base] as Record<string, unknown>);
        } else {
          const build = key.shape.builder;
          value = build !== null && fits(key.shape, ids, base, sp)
            ? build(stack, base)
            : buildObject(stack, base, sp, key);
        }
      }
      p++;
      sp = base;
      const frame = frames[--depth];
      key = frameKeys[depth];
      base = frame >> 2;
      kind = frame & 3;
    }
  }
  failure.offset += origin;
  return FAILED;
}
