/**
 * The grammar's structure: values, arrays and objects, in one loop over an explicit stack, so that
 * nesting has no limit. The loop's states are labelled as simdjson labels its own: `value_begin`
 * (with `object_field` in it), and `scope_end`, where a value is complete and its container goes
 * on or closes.
 *
 * @module
 */

import * as failures from "./failure.ts";
import * as entries from "./key.ts";
import * as keyCache from "./key_cache.ts";
import * as numberArrays from "./number_arrays.ts";
import * as numbers from "./numbers.ts";
import * as objects from "./objects.ts";
import * as outParams from "./out_params.ts";
import * as strings from "./read_string.ts";
import * as shapeCache from "./shape_cache.ts";
import * as stringCache from "./string_cache.ts";
import * as swar from "./swar.ts";
import * as valueStack from "./value_stack.ts";
import * as whitespace from "./whitespace.ts";
import * as windows from "./windows.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { unexpectedAt } = failures;
const { FULL_RESISTANCE, ROOT_KEY } = entries;
const { keys, matchesMiddle, readKeyUnpredicted } = keyCache;
const { MAX_RUN, numberArray, numberAt, readNumberRun } = numberArrays;
const { INT32_DIGITS, readNumber } = numbers;
const { addMember, assembleObject, finishDictionary, resetObjectPrototypeCheck } = objects;
const { cursor, fail, foundKey, grown, numberValue } = outParams;
const { readStringValue } = strings;
const { findConstructor, shapeMatches, shapes } = shapeCache;
const { freshStringCache, newStringCache, releaseStringCache } = stringCache;
const { ALSE, NULL, TRUE } = swar;
const {
  ARRAY,
  DICTIONARY,
  elementArray,
  finishFlushedArray,
  FLUSH_LENGTH,
  FLUSHED_ARRAY,
  freshStack,
  growFrames,
  growOrFlush,
  OBJECT,
  pushRun,
  segmentCount,
  SHORT_RUN,
  SLACK,
  smallStack,
  STACK_SIZE,
  tables,
} = valueStack;
const { skipIndentation, skipWhitespace } = whitespace;
const { failInWindow, finishDocument, windowOf } = windows;
type Key = entries.Key;

/** Returned in place of a value after a failure was recorded; no value of an input is this object. */
export const FAILED: object = {};

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Bytes after which the stack is made afresh: see {@linkcode freshStack}. */
const FRESH_STACK_INTERVAL = 0x20000;
/** Bytes before the first time: late enough for V8 to take notice, and before it compiles. */
const FIRST_FRESH_STACK = 0x1000;

/** Value of `run` when a value was read that is to be pushed: neither a run of numbers nor an empty container. */
const NO_RUN = -1;

/** Records the failure of bytes that begin no value, at the first that differs from the literal they begin. */
export function failLiteral(bytes: Uint8Array, p: number, end: number): void {
  const c = p < end ? bytes[p] : 0;
  const literal = c === LOWER_T ? "true" : c === LOWER_F ? "false" : c === LOWER_N ? "null" : "";
  for (let i = 0; i < literal.length && p < end && bytes[p] === literal.charCodeAt(i); i++) p++;
  fail(unexpectedAt(bytes, p, end), p);
}

/** Records the failure of a byte, or of the end, where a container's next value or name is to begin. */
function failToken(bytes: Uint8Array, kind: number, isFirst: boolean, p: number, end: number): void {
  if (kind < OBJECT) fail(unexpectedAt(bytes, p, end), p);
  else fail(isFirst ? "expected-property-name-or-brace" : "expected-property-name", p);
}

/** Makes an object of a shape that its last key did not predict, or of none. */
function makeObject(stack: unknown[], base: number, top: number, key: Key): unknown {
  if (base === top) return {};
  const construct = findConstructor(tables.ids, base, top, key, stack);
  return construct === null ? assembleObject(stack, base, top) : construct(stack, base);
}

/** State of {@linkcode parseContainer} between windows: one ended behind a value, whose container closes at `p`. */
const windowState = { isAfterValue: false, isClosing: false };

/**
 * Parses an array or object and what it contains; returns it, or `FAILED` after recording a
 * failure, of the input.
 *
 * Precondition: an opening bracket is at `p`; `bytes` are `end` of the input's bytes from `origin`
 * on, and `view` is of the same memory; what can be read of it after `end` is zeros.
 */
export function parseContainer(
  source: windows.Source,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  p: number,
  end: number,
): unknown {
  const { input, total, windowSize, margin } = source;
  // "Integers": see ARCHITECTURE.md. So wherever a position comes from a call.
  p |= 0;
  end |= 0;
  let readableEnd = view.byteLength | 0;
  let windowEnd = origin + end === total ? end : end - margin; // where the next window begins
  // Early for the first time: a branch that runs late for the first time deoptimises the loop.
  let checkpoint = windowEnd - p > FRESH_STACK_INTERVAL ? p + FIRST_FRESH_STACK : windowEnd;
  let stack = smallStack();
  let strings = newStringCache(end);
  let ids = tables.ids;
  let capacity = stack.length - SLACK;
  let sp = 0;
  let base = 0;
  let kind = ARRAY;
  let depth = 0;
  let key: Key = ROOT_KEY;
  let value: unknown;
  windowState.isAfterValue = false;
  windowState.isClosing = false;
  resetObjectPrototypeCheck();

  // Bounds checks exit the loop: substituting a default byte would make V8 check `bytes` again at
  // the join (20 %).
  value_begin: for (;;) {
    // A value is expected; in an object its key first; after an opening bracket also the closing one.
    if (p >= checkpoint) {
      if (p >= windowEnd && origin + end < total) {
        origin += p;
        end = Math.min(windowSize, total - origin) | 0;
        bytes = windowOf(input, origin, end);
        readableEnd = end;
        windowEnd = origin + end === total ? end : end - margin;
        view = new DataView(bytes.buffer, bytes.byteOffset, end);
        releaseStringCache();
        strings = newStringCache(end);
        p = skipWhitespace(bytes, 0, end);
        if (p >= end && origin + end < total) {
          checkpoint = 0;
          continue;
        }
      }
      if (windowState.isAfterValue) {
        windowState.isAfterValue = false;
        if (p < end && bytes[p] === COMMA) {
          p++;
          checkpoint = 0;
          continue;
        }
        if (p >= end || bytes[p] !== (kind < OBJECT ? CLOSE_BRACKET : CLOSE_BRACE)) {
          fail(kind < OBJECT ? "expected-comma-or-bracket" : "expected-comma-or-brace", p);
          break;
        }
        windowState.isClosing = true;
      }
      if (p >= end) {
        failToken(bytes, kind, sp === base, p, end);
        break;
      }
      if (sp < STACK_SIZE - SLACK) {
        stack = freshStack(stack, sp, Math.min(stack.length, STACK_SIZE));
        strings = freshStringCache(strings);
        capacity = stack.length - SLACK;
      }
      checkpoint = windowEnd - p < FRESH_STACK_INTERVAL ? windowEnd : p + FRESH_STACK_INTERVAL;
    }
    let c = bytes[p];
    if (c <= SPACE) {
      p = skipIndentation(bytes, view, p, end) | 0;
      if (p >= end) {
        checkpoint = 0;
        continue;
      }
      c = bytes[p];
    }
    if (sp >= capacity) {
      const larger = growOrFlush(stack, base, sp, kind);
      if (larger === null) {
        fail("value-too-large", p);
        break;
      }
      stack = larger;
      sp = grown.top | 0;
      kind = grown.kind | 0;
      ids = tables.ids;
      capacity = stack.length - SLACK;
    }
    let run = NO_RUN;
    // object_field
    if (kind >= OBJECT) {
      const isFirst = sp === base;
      if (c === QUOTE) {
        p++;
        const predicted = keys[isFirst ? key.child : key.next];
        const size = predicted.size;
        // `matches` written out: whether V8 inlines it changes from run to run (wide objects: 0.6 to 1.0).
        if (
          size <= end - p - 2 && ((view.getInt32(p, true) ^ predicted.first) & predicted.mask) === 0 && (size <= 4 ||
            view.getInt32(p + size - 4, true) === predicted.last && (size <= 8 ||
                view.getInt32(p + 4, true) === predicted.second &&
                  (size <= 12 || matchesMiddle(predicted, view, p + 8))))
        ) {
          p += size;
          key = predicted;
          predicted.resistance = FULL_RESISTANCE;
          stack[sp] = predicted.name;
        } else {
          const name = readKeyUnpredicted(bytes, view, p, end, key, isFirst, kind === OBJECT);
          if (name === null) break;
          p = cursor.position | 0;
          key = foundKey.key;
          stack[sp] = name;
        }
        ids[sp++] = key.id;
        if (p >= end) {
          fail("unexpected-end", p);
          break;
        }
        c = bytes[p];
        if (c <= SPACE) {
          p = skipIndentation(bytes, view, p, end) | 0;
          if (p >= end) {
            fail("unexpected-end", p);
            break;
          }
          c = bytes[p];
        }
      } else {
        if (c !== CLOSE_BRACE || !isFirst && !windowState.isClosing) {
          failToken(bytes, kind, isFirst, p, end);
          break;
        }
        run = 0;
        windowState.isClosing = false;
      }
    }

    if (c === QUOTE) {
      p++;
      if (p < end && bytes[p] === QUOTE) { // no call for an empty one (arrays of `""`: 0.75 → 1.3)
        p++;
        value = "";
      } else {
        const text = readStringValue(bytes, view, strings, p, end, readableEnd);
        if (text === null) break;
        value = text;
        p = cursor.position | 0;
      }
    } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
      // In an array of nothing but numbers so far, as many as there are.
      if (kind < OBJECT && sp === (kind === ARRAY ? base : base + segmentCount(base))) {
        run = readNumberRun(bytes, view, p, end, readableEnd, windowEnd) | 0;
        if (run < 0) break;
        p = cursor.position | 0;
        // Those that are all of an array become one of doubles when it closes.
        const isLast = p < end && bytes[p] === CLOSE_BRACKET;
        if (kind !== ARRAY || !isLast) {
          if (run <= SHORT_RUN && kind === ARRAY) {
            for (let i = 0; i < run; i++) stack[sp++] = numberAt(i);
          } else {
            const larger = pushRun(stack, base, sp, kind, run, isLast || run >= MAX_RUN || p >= windowEnd);
            if (larger === null) {
              fail("value-too-large", p);
              break;
            }
            stack = larger;
            sp = grown.top | 0;
            kind = grown.kind | 0;
            ids = tables.ids;
            capacity = stack.length - SLACK;
          }
        }
      } else if (c !== MINUS && p < readableEnd - INT32_DIGITS) {
        // An integer of few digits, or the beginning of some other number, which is then read again.
        let whole = c - ZERO;
        let q = p + 1;
        c = bytes[q];
        if (whole !== 0) {
          while (c - ZERO >>> 0 <= 9 && q - p < INT32_DIGITS) {
            whole = whole * 10 + (c - ZERO) | 0;
            c = bytes[++q];
          }
        }
        if (c === COMMA || c === CLOSE_BRACE || c === LINE_FEED) {
          value = whole;
          p = q;
        } else {
          p = readNumber(bytes, view, p, end, readableEnd) | 0;
          if (p < 0) break;
          value = numberValue[0];
        }
      } else {
        p = readNumber(bytes, view, p, end, readableEnd) | 0;
        if (p < 0) break;
        value = numberValue[0];
      }
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      p++;
      if (p < end && bytes[p] === c + 2) {
        p++;
        value = c === OPEN_BRACE ? {} : [];
      } else {
        if (depth === tables.frames.length && !growFrames()) {
          fail("value-too-large", p - 1);
          break;
        }
        tables.frames[depth++] = base << 2 | kind;
        tables.frames[depth++] = key.slot;
        base = sp;
        kind = c === OPEN_BRACE ? OBJECT : ARRAY;
        continue;
      }
    } else if (c === LOWER_T && end - p >= 4 && view.getInt32(p, true) === TRUE) {
      p += 4;
      value = true;
    } else if (c === LOWER_F && end - p >= 5 && view.getInt32(p + 1, true) === ALSE) {
      p += 5;
      value = false;
    } else if (c === LOWER_N && end - p >= 4 && view.getInt32(p, true) === NULL) {
      p += 4;
      value = null;
    } else if (c === CLOSE_BRACKET && kind < OBJECT && (kind === ARRAY && sp === base || windowState.isClosing)) {
      run = 0;
      windowState.isClosing = false;
    } else if (run === NO_RUN) {
      failLiteral(bytes, p, end);
      break;
    }

    // scope_end: a value is complete, or a run of numbers, or an empty container: the container goes on or closes.
    for (;;) {
      if (run === NO_RUN) {
        if (depth === 0) {
          return finishDocument(source, bytes, origin, p, end) ? value : FAILED;
        }
        stack[sp++] = value;
        if (kind === DICTIONARY) {
          if (!addMember(stack[base] as Record<string, unknown>, stack[base + 1] as string, value)) {
            fail("value-too-large", p - 1);
            break value_begin;
          }
          sp = base + 1;
        }
      }
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      if (p >= end) {
        windowState.isAfterValue = true;
        checkpoint = 0;
        continue value_begin;
      }
      c = bytes[p];
      if (c === COMMA) {
        p++;
        continue value_begin;
      }
      if (kind >= OBJECT) {
        if (c !== CLOSE_BRACE) {
          fail("expected-comma-or-brace", p);
          break value_begin;
        }
        if (kind === OBJECT) {
          const shape = shapes[key.shape];
          const { construct } = shape;
          if (construct !== null && shapeMatches(key.shape, ids, base, sp)) {
            shape.resistance = FULL_RESISTANCE;
            value = construct(stack, base);
          } else {
            value = makeObject(stack, base, sp, key);
          }
        } else {
          value = finishDictionary(stack[base] as Record<string, unknown>);
        }
      } else {
        if (c !== CLOSE_BRACKET) {
          fail("expected-comma-or-bracket", p);
          break value_begin;
        }
        if (kind === FLUSHED_ARRAY) {
          value = finishFlushedArray(stack, base, sp);
          if (value === null) {
            fail("value-too-large", p);
            break value_begin;
          }
        } else value = sp === base ? numberArray(run) : elementArray(stack, base, sp);
      }
      run = NO_RUN;
      p++;
      sp = base;
      key = keys[tables.frames[--depth]];
      const frame = tables.frames[--depth];
      base = frame >> 2;
      kind = frame & 3;
      if (sp - base >= FLUSH_LENGTH) capacity = 0;
    }
  }
  failInWindow(source, origin, end);
  return FAILED;
}
