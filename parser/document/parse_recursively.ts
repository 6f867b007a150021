/**
 * Parses arrays and objects by recursion, in small functions, with the readers and caches of
 * `parse_container.ts`: V8 compiles them sooner. "Small functions first": see ARCHITECTURE.md.
 *
 * It gives up at failures, and at containers too deep for recursion. Then the loop of
 * `parse_container.ts` parses the input from the beginning.
 * `tests/library/differential_test.ts` compares it with the other copies of the grammar.
 */

import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { guardFlags } from "../base/guard_flags.ts";
import { skipIndentation } from "../base/whitespace.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { type ExactNumbers, readExactNumber } from "../numbers/exact_number.ts";
import { INT32_DIGITS, MAX_RUN } from "../numbers/limits.ts";
import { numberArray, numberAt, readNumberRun } from "../numbers/number_runs.ts";
import { numberValue, readNumber } from "../numbers/read_number.ts";
import { FULL_RESISTANCE, type Key, ROOT_KEY } from "../objects/key.ts";
import {
  foundKey,
  indexKeys,
  keys,
  matches,
  MIN_INDEXES,
  readKeyOrIndex,
  readKeyUnpredicted,
} from "../objects/key_cache.ts";
import { addMember, finishDictionary, makeObject } from "../objects/make_object.ts";
import { readStringValue } from "../strings/read_string.ts";
import { newStringCache, NO_CACHE } from "../strings/string_cache.ts";
import { FAILED, parseScalar } from "./parse_scalar.ts";
import {
  ARRAY,
  elementArray,
  finishFlushedArray,
  FLUSH_LENGTH,
  FLUSHED_ARRAY,
  growOrFlush,
  OBJECT,
  pushRun,
  segmentCount,
  SHORT_RUN,
  SLACK,
  smallStack,
  stackUpdate,
  tables,
} from "./value_stack.ts";

/** Maximum depth of a container that is parsed: it takes a small part of the engine's stack. */
const MAX_RECURSION = 100;

/** Position returned by a function that gives up: that which readers of numbers return, too. */
const GIVEN_UP = -1;

const NO_STACK: unknown[] = [];

/** In place of `ExactNumbers` where numbers are doubles. */
const DOUBLES = null;

/** State of a parse by recursion, and how many containers are and may be open. */
const state = {
  stack: NO_STACK,
  capacity: 0,
  cache: NO_CACHE,
  depth: 0,
  maxDepth: MAX_RECURSION,
  numbers: DOUBLES as ExactNumbers | null,
};

/**
 * Parses the array or object at `p`. Returns the position after it and the whitespace that follows,
 * or {@linkcode GIVEN_UP}. {@linkcode takeValue} then returns the value. The caller must call
 * {@linkcode releaseStack} in any case.
 *
 * Precondition: an opening bracket is at `p`; `bytes` has `end` bytes; `view` is a view of them.
 */
export function parseRecursively(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  numbers: ExactNumbers | null = DOUBLES,
): number {
  state.stack = smallStack(null);
  state.capacity = state.stack.length - SLACK;
  state.cache = newStringCache(end);
  state.depth = 0;
  state.numbers = numbers;
  // A guarded parse watches the deepest containers in the main loop.
  state.maxDepth = Math.min(MAX_RECURSION, guardFlags.maxDepth - 1);
  resetObjectPrototypeCheck();
  indexKeys.score = 0;
  p = readAnyValue(bytes, view, p, end, 0, ROOT_KEY);
  return p === GIVEN_UP || p >= end || bytes[p] > SPACE ? p : skipIndentation(bytes, view, p, end);
}

/** Reads a number that may not be a double. */
function readOtherNumber(bytes: Uint8Array, view: DataView, p: number, end: number, top: number): number {
  state.stack[top] = readExactNumber(bytes, view, p, end, state.numbers!);
  return cursor.position; // `GIVEN_UP` if it cannot be read
}

export function takeValue(): unknown {
  return state.stack[0];
}

export function releaseStack(): void {
  state.stack = NO_STACK;
  state.cache = NO_CACHE;
}

/**
 * Reads the value whose first byte is at `p`. Stores it at `stack[top]`; `key` is the last key read
 * in its container or before it. Returns the position after the value, or {@linkcode GIVEN_UP}.
 *
 * Precondition: `p < end`.
 */
function readAnyValue(bytes: Uint8Array, view: DataView, p: number, end: number, top: number, key: Key): number {
  const c = bytes[p];
  if (c === QUOTE) {
    const string = readStringValue(bytes, view, state.cache, p + 1, end, end);
    if (string === null) return GIVEN_UP;
    state.stack[top] = string;
    return cursor.position;
  }
  if (c <= NINE) return readNumberValue(bytes, view, p, end, top);
  if (c === OPEN_BRACE) return readObject(bytes, view, p + 1, end, top, key);
  return c === OPEN_BRACKET ? readArray(bytes, view, p + 1, end, top, key) : readLiteral(bytes, view, p, end, top);
}

/** Reads a number outside of a run of numbers. */
function readNumberValue(bytes: Uint8Array, view: DataView, p: number, end: number, top: number): number {
  let c = bytes[p];
  const { numbers } = state;
  if (numbers !== DOUBLES && (numbers.areTexts || numbers.areAllBigInts) && (c === MINUS || c - ZERO >>> 0 <= 9)) {
    return readOtherNumber(bytes, view, p, end, top);
  }
  if (c - ZERO >>> 0 <= 9 && p < end - INT32_DIGITS) {
    // An integer of few digits, as in `parse_container.ts`.
    let whole = c - ZERO;
    let q = p + 1;
    c = bytes[q];
    if (whole !== 0) {
      while (c - ZERO >>> 0 <= 9 && q - p < INT32_DIGITS) {
        whole = whole * 10 + (c - ZERO) | 0;
        c = bytes[++q];
      }
    }
    if (c === COMMA || c === CLOSE_BRACE) {
      state.stack[top] = whole;
      return q;
    }
  } else if (c !== MINUS && c - ZERO >>> 0 > 9) return GIVEN_UP;
  if (numbers !== DOUBLES) return readOtherNumber(bytes, view, p, end, top);
  p = readNumber(bytes, view, p, end, end);
  state.stack[top] = numberValue[0];
  return p;
}

function readLiteral(bytes: Uint8Array, view: DataView, p: number, end: number, top: number): number {
  const value = parseScalar(bytes, view, p, end);
  if (value === FAILED) return GIVEN_UP;
  state.stack[top] = value;
  return cursor.position;
}

/** Reads a mispredicted key and its colon. Returns its entry, or `null` if it gives up. */
function readMispredictedKey(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  top: number,
  before: Key,
  isFirst: boolean,
  isCached: boolean,
): Key | null {
  const name = indexKeys.score < MIN_INDEXES
    ? readKeyUnpredicted(bytes, view, p, end, before, isFirst, isCached)
    : readKeyOrIndex(bytes, view, p, end, before, isFirst, isCached);
  if (name === null) return null;
  const { key } = foundKey;
  state.stack[top] = name;
  tables.ids[top] = key.id;
  return key;
}

/** Reads an object after its opening brace. */
function readObject(bytes: Uint8Array, view: DataView, p: number, end: number, base: number, outerKey: Key): number {
  if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  if (p < end && bytes[p] === CLOSE_BRACE) {
    state.stack[base] = {};
    return p + 1;
  }
  if (++state.depth > state.maxDepth) return GIVEN_UP;
  let top = base;
  let kind = OBJECT;
  let key: Key = outerKey;
  for (;;) {
    if (top >= state.capacity || top - base >= FLUSH_LENGTH) {
      if (!growInnermost(base, top, kind)) return GIVEN_UP;
      top = stackUpdate.top;
      kind = stackUpdate.kind;
    }
    if (p >= end || bytes[p] !== QUOTE) return GIVEN_UP;
    p++;
    // A predicted key and a string are read here, because a call takes V8's interpreter as long as
    // the work (eight documents of objects, 65 to 630 KB: first call +7 %, first ten +6 %).
    const predicted = keys[top === base ? key.child : key.next];
    const { size } = predicted;
    if (size <= end - p - 2 && matches(predicted, view, p)) {
      predicted.resistance = FULL_RESISTANCE;
      state.stack[top] = predicted.name;
      tables.ids[top] = predicted.id;
      p += size;
      key = predicted;
    } else {
      const read = readMispredictedKey(bytes, view, p, end, top, key, top === base, kind === OBJECT);
      if (read === null) return GIVEN_UP;
      p = cursor.position;
      key = read;
    }
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
    if (p >= end) return GIVEN_UP;
    if (bytes[p] === QUOTE) {
      const string = readStringValue(bytes, view, state.cache, p + 1, end, end);
      if (string === null) return GIVEN_UP;
      state.stack[top + 1] = string;
      p = cursor.position;
    } else {
      p = readAnyValue(bytes, view, p, end, top + 1, key);
      if (p === GIVEN_UP) return GIVEN_UP;
    }
    if (p >= end) return GIVEN_UP;
    if (kind === OBJECT) top += 2;
    else if (!addToDictionary(base)) return GIVEN_UP; // not covered: needs 8,388,608 members
    if (bytes[p] <= SPACE) {
      p = skipIndentation(bytes, view, p, end);
      if (p >= end) return GIVEN_UP;
    }
    if (bytes[p] !== COMMA) break;
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  }
  if (bytes[p] !== CLOSE_BRACE) return GIVEN_UP;
  state.depth--;
  state.stack[base] = kind === OBJECT
    ? makeObject(state.stack, tables.ids, base, top, key)
    : finishDictionary(state.stack[base] as Record<string, unknown>);
  return p + 1;
}

/** Adds a member to a dictionary: `stack[base]`, and the key and value after it. */
function addToDictionary(base: number): boolean {
  const { stack } = state;
  return addMember(stack[base] as Record<string, unknown>, stack[base + 1] as string | number, stack[base + 2]);
}

/** Calls `growOrFlush` for the innermost container. Returns false if there is no room. */
function growInnermost(base: number, top: number, kind: number): boolean {
  const larger = growOrFlush(state.stack, base, top, kind);
  if (larger === null) return false;
  state.stack = larger;
  state.capacity = larger.length - SLACK;
  return true;
}

/** Reads an array after its opening bracket. */
function readArray(bytes: Uint8Array, view: DataView, p: number, end: number, base: number, key: Key): number {
  if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  if (p >= end || ++state.depth > state.maxDepth) return GIVEN_UP;
  if (bytes[p] === CLOSE_BRACKET) {
    state.depth--;
    state.stack[base] = [];
    return p + 1;
  }
  let top = base;
  let kind = ARRAY;
  let run = 0;
  for (;;) {
    if (top >= state.capacity || top - base >= FLUSH_LENGTH) {
      if (!growInnermost(base, top, kind)) return GIVEN_UP;
      top = stackUpdate.top;
      kind = stackUpdate.kind;
    }
    if (p >= end) return GIVEN_UP;
    if (
      bytes[p] <= NINE && bytes[p] !== QUOTE && state.numbers === DOUBLES &&
      top === (kind === ARRAY ? base : base + segmentCount(base))
    ) {
      run = readNumbers(bytes, view, p, end, base, top, kind);
      if (run === GIVEN_UP) return GIVEN_UP;
      p = cursor.position;
      top = stackUpdate.top;
      kind = stackUpdate.kind;
    } else {
      p = readAnyValue(bytes, view, p, end, top, key);
      if (p === GIVEN_UP) return GIVEN_UP;
      top++;
    }
    if (p >= end) return GIVEN_UP;
    if (bytes[p] <= SPACE) {
      p = skipIndentation(bytes, view, p, end);
      if (p >= end) return GIVEN_UP;
    }
    if (bytes[p] !== COMMA) break;
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  }
  if (bytes[p] !== CLOSE_BRACKET) return GIVEN_UP;
  state.depth--;
  const { stack } = state;
  const array = kind === FLUSHED_ARRAY
    ? finishFlushedArray(stack, base, top)
    : top === base
    ? numberArray(run)
    : elementArray(stack, base, top);
  if (array === null) return GIVEN_UP; // not covered: needs 134,217,726 elements
  stack[base] = array;
  return p + 1;
}

/**
 * Reads a run of numbers in an array that has only numbers so far. Returns their count; leaves the
 * position after them in `cursor`, and the top of the stack and the kind of the array in
 * `stackUpdate`. A run that is the whole array stays in its buffer.
 */
function readNumbers(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  base: number,
  top: number,
  kind: number,
): number {
  if (bytes[p] !== MINUS && bytes[p] < ZERO) return GIVEN_UP;
  const run = readNumberRun(bytes, view, p, end, end);
  if (run < 0) return GIVEN_UP;
  p = cursor.position;
  stackUpdate.top = top;
  stackUpdate.kind = kind;
  const endsArray = p < end && bytes[p] === CLOSE_BRACKET;
  if (kind === ARRAY && endsArray) return run;
  if (run <= SHORT_RUN && kind === ARRAY) {
    for (let i = 0; i < run; i++) state.stack[top++] = numberAt(i);
    stackUpdate.top = top;
    return run;
  }
  const larger = pushRun(state.stack, base, top, kind, run, endsArray || run >= MAX_RUN);
  if (larger === null) return GIVEN_UP;
  state.stack = larger;
  state.capacity = larger.length - SLACK;
  return run;
}
