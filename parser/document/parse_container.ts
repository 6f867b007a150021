/**
 * Parses arrays and objects, with all that they contain, in one loop over an explicit stack, so
 * that nesting has no limit. The states of the loop are named as in simdjson, and a comment marks
 * where the code of each begins:
 *
 * - `value_begin` expects a value or, in an object, a field. At a checkpoint it makes a fresh
 *   stack, or detects the end of the bytes.
 * - `object_field` reads a key and its colon; then `value`.
 * - `value` reads a value, whose kind follows from its first byte; then `value_end`.
 * - `object_begin` and `array_begin` push a frame; then `value_begin`.
 * - `value_end` pushes the value. A comma leads to `value_begin`, a closing bracket to `scope_end`.
 * - `scope_end` makes the array or object and pops its frame; then `value_end` for it.
 *
 * `return` leaves the loop once the outermost value is complete, `break` at a token that cannot be
 * read. `parse_recursively.ts` reads the first inputs of a process.
 * `tests/library/differential_test.ts` compares both with the other copies of the grammar.
 */

import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/failure.ts";
import { FALSE_TAIL, NULL, TRUE } from "../base/swar.ts";
import { skipIndentation, skipWhitespace } from "../base/whitespace.ts";
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
  matchesMiddle,
  MIN_INDEXES,
  readKeyOrIndex,
  readKeyUnpredicted,
} from "../objects/key_cache.ts";
import { addMember, finishDictionary, makeObject } from "../objects/make_object.ts";
import { shapeMatches, shapes } from "../objects/shape_cache.ts";
import { readStringValue } from "../strings/read_string.ts";
import { freshStringCache, newStringCache } from "../strings/string_cache.ts";
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
import { FAILED, parseScalar } from "./parse_scalar.ts";
import {
  AFTER_VALUE,
  AT_VALUE,
  BEFORE_COLON,
  BEFORE_VALUE,
  INCOMPLETE,
  START,
  suspend,
  type Suspension,
} from "./suspension.ts";
import {
  ARRAY,
  DICTIONARY,
  elementArray,
  finishFlushedArray,
  FLUSH_LENGTH,
  FLUSHED_ARRAY,
  freshStack,
  growFrames,
  growOrFlush,
  keptStack,
  MAX_KEPT_STACK_INPUT,
  OBJECT,
  pushRun,
  segmentCount,
  SHORT_RUN,
  SLACK,
  smallStack,
  STACK_SIZE,
  stackUpdate,
  tables,
} from "./value_stack.ts";

/** Bytes of input after which the stack is copied into a fresh one: see {@linkcode freshStack}. */
const FRESH_STACK_INTERVAL = 0x20000;
/** Bytes before the first copy: after V8 has feedback of it, before V8 compiles the loop. */
const FIRST_FRESH_STACK = 0x1000;

/**
 * A run of numbers that ends this close to the end of the bytes is treated as incomplete and
 * flushed as doubles. Pushing it would box its numbers, and later all of the array (10,000 numbers
 * in chunks of 64 KiB: 1.4 times as fast).
 */
const END_MARGIN = 64;

/**
 * Returns the automaton's state for a state of the main loop: the kind of the innermost container,
 * the base of its entries, and the top of the stack. `isAfterValue` if a comma or a closing bracket
 * comes next.
 */
function grammarState(kind: number, base: number, top: number, isAfterValue: boolean): number {
  if (kind < OBJECT) return isAfterValue ? AFTER_ELEMENT : top === base ? FIRST_VALUE : VALUE;
  if (isAfterValue) return AFTER_MEMBER;
  const isNamed = kind === DICTIONARY ? top === base + 2 : (top - base & 1) === 1;
  return isNamed ? VALUE : top === base ? FIRST_KEY : KEY;
}

/** Returns a value if only whitespace follows; otherwise `FAILED` after locating the failure. */
export function finishDocument(value: unknown, bytes: Uint8Array, view: DataView, p: number, end: number): unknown {
  if (p < end) p = skipWhitespace(bytes, p, end);
  if (p >= end) return value;
  locateFailure(bytes, view, p, end, DONE, false);
  return FAILED;
}

/**
 * Reads a value, or continues a suspended one, from the bytes from `p` to `end`. Returns it, and
 * leaves the position after it in `cursor`; `INCOMPLETE`; or `FAILED` after locating a failure.
 *
 * Precondition: the value begins at `p` or after whitespace, or was suspended at `p`.
 */
export function continueValue(
  suspension: Suspension,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
): unknown {
  suspension.position = p;
  if (suspension.stage === START) {
    p = suspension.position = skipWhitespace(bytes, p, end);
    if (p >= end || bytes[p] !== OPEN_BRACE && bytes[p] !== OPEN_BRACKET) {
      const value = parseScalar(bytes, view, p, end, end, suspension.numbers);
      if (value !== FAILED) return value;
      return locateFailure(bytes, view, p, end, VALUE, false, suspension.isLast) ? FAILED : INCOMPLETE;
    }
  } else if (suspension.stage === BEFORE_COLON) {
    p = suspension.position = skipWhitespace(bytes, p, end);
    if (p >= end || bytes[p] !== COLON) {
      return locateFailure(bytes, view, p, end, AFTER_NAME, true, suspension.isLast) ? FAILED : INCOMPLETE;
    }
    suspension.stage = BEFORE_VALUE;
    suspension.position = p + 1;
  }
  return parseContainer(suspension, bytes, view, suspension.position, end, suspension.numbers);
}

/**
 * Parses an array or object, and checks that only whitespace follows it. Returns it, or `FAILED`
 * after locating a failure.
 *
 * Precondition: an opening bracket is at `p`; `view` is a view of the same memory as `bytes`, with
 * nothing but zeros after `end`.
 *
 * With a suspension it begins in the state saved there, {@linkcode START} or `AT_VALUE`, and there
 * may be any bytes after `end`. It returns `INCOMPLETE` if the bytes end too early and more may
 * follow. It returns a complete value without looking at the bytes after it, and leaves the
 * position after it in `cursor`.
 *
 * @param numbers Conversion of numbers; `null` for doubles.
 */
export function parseContainer(
  suspension: Suspension | null,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  numbers: ExactNumbers | null = null,
): unknown {
  // "Integers": see ARCHITECTURE.md. The same holds wherever a call returns a position.
  p |= 0;
  end |= 0;
  let readableEnd = numbers === null ? end : 0; // 0: no number is read by words below
  // Position from which `value_begin` does its rare work; 0 for at once. The first checkpoint comes
  // early, because a branch that first runs late deoptimises the loop.
  let checkpoint = end - p > FRESH_STACK_INTERVAL ? p + FIRST_FRESH_STACK : end;
  let stack: unknown[];
  let cache: (string | null)[];
  let ids = tables.ids;
  let top = 0; // of the stack
  let base = 0; // where the entries of the innermost container begin, and its kind
  let kind = ARRAY;
  let depth = 0; // words in use of `tables.frames`
  let key: Key = ROOT_KEY; // last key read in the innermost container or, if none, before it
  let value: unknown;
  let isAfterValue = false; // whether a comma or a closing bracket is missing
  if (suspension === null) {
    if (numbers === null) readableEnd = view.byteLength | 0;
    stack = end <= MAX_KEPT_STACK_INPUT ? keptStack : smallStack(null);
    cache = newStringCache(end);
  } else {
    cache = suspension.cache;
    stack = suspension.stack;
    if (suspension.stage === START) {
      if (stack.length === 0) stack = smallStack(null);
    } else {
      top = suspension.top | 0;
      base = suspension.base | 0;
      kind = suspension.kind | 0;
      depth = suspension.depth | 0;
      key = suspension.key;
    }
    if (suspension.stage > AT_VALUE || suspension.stackAge >= FRESH_STACK_INTERVAL) checkpoint = 0;
  }
  let capacity = stack.length - SLACK; // below it, SLACK entries need no check
  resetObjectPrototypeCheck();
  indexKeys.score = 0;

  // "Bounds checks exit the loop": see ARCHITECTURE.md.
  value_begin: for (;;) {
    let c: number;
    let run = 0; // length of a run of numbers that `readNumberRun` has read
    let isPushed = false; // whether the run is on the stack already, or there is nothing to push
    begin: {
      // ---- value_begin: a value or, in an object, a field; or a closing bracket after an
      // opening one.
      if (p >= checkpoint) {
        if (suspension !== null && suspension.stage > AT_VALUE) {
          // Resumes within a member, at `value`, or after a value, at `value_end`.
          isPushed = isAfterValue = suspension.stage === AFTER_VALUE;
          suspension.stage = AT_VALUE;
          p = skipWhitespace(bytes, p, end) | 0;
          if (p >= end) break value_begin;
          isAfterValue = false;
          checkpoint = suspension.stackAge >= FRESH_STACK_INTERVAL || end - p > FRESH_STACK_INTERVAL ? p : end;
          c = isPushed ? 0 : bytes[p];
          break begin;
        }
        if (p >= end) break value_begin;
        if (top < STACK_SIZE - SLACK) {
          stack = freshStack(stack, top, Math.min(stack.length, STACK_SIZE));
          cache = freshStringCache(cache);
          // From here, look-ups must use the copy, whose slots match `l1Starts`.
          if (suspension !== null) {
            suspension.cache = cache;
            suspension.stackAge = 0;
          }
          capacity = stack.length - SLACK;
        }
        checkpoint = end - p < FRESH_STACK_INTERVAL ? end : p + FRESH_STACK_INTERVAL;
      }
      c = bytes[p];
      if (c <= SPACE) {
        p = skipIndentation(bytes, view, p, end) | 0;
        if (p >= end) break value_begin;
        c = bytes[p];
      }
      if (top >= capacity) {
        const larger = growOrFlush(stack, base, top, kind);
        if (larger === null) {
          failAtLimit("value-too-large", p);
          break value_begin;
        }
        stack = larger;
        top = stackUpdate.top | 0;
        kind = stackUpdate.kind | 0;
        ids = tables.ids;
        capacity = stack.length - SLACK;
      }

      // ---- object_field: a key and its colon, or the closing brace of an empty object.
      if (kind >= OBJECT) {
        const isFirst = top === base;
        if (c === QUOTE) {
          p++;
          const predicted = keys[isFirst ? key.child : key.next];
          const size = predicted.size;
          // `matches` of key_cache.ts; "Written out": see ARCHITECTURE.md (wide objects: 0.6 to
          // 1.0, depending on V8's inlining).
          if (
            size <= end - p - 2 && ((view.getInt32(p, true) ^ predicted.first) & predicted.mask) === 0 && (size <= 4 ||
              view.getInt32(p + size - 4, true) === predicted.last && (size <= 8 ||
                  view.getInt32(p + 4, true) === predicted.second &&
                    (size <= 12 || view.getInt32(p + 8, true) === predicted.third &&
                        (size <= 16 || matchesMiddle(predicted, view, p + 12)))))
          ) {
            p += size;
            key = predicted;
            predicted.resistance = FULL_RESISTANCE;
            stack[top] = predicted.name;
          } else {
            const name = indexKeys.score < MIN_INDEXES
              ? readKeyUnpredicted(bytes, view, p, end, key, isFirst, kind === OBJECT)
              : readKeyOrIndex(bytes, view, p, end, key, isFirst, kind === OBJECT);
            if (name === null) break value_begin;
            p = cursor.position | 0;
            key = foundKey.key;
            stack[top] = name;
          }
          ids[top++] = key.id;
          if (p >= end) break value_begin;
          c = bytes[p];
          if (c <= SPACE) {
            p = skipIndentation(bytes, view, p, end) | 0;
            if (p >= end) break value_begin;
            c = bytes[p];
          }
        } else {
          if (c !== CLOSE_BRACE || !isFirst) break value_begin; // as after a trailing comma
          isPushed = true;
        }
      }
    }

    // ---- value: its kind follows from its first byte, `c`.
    if (c === QUOTE) {
      p++;
      if (p < end && bytes[p] === QUOTE) { // an empty string needs no call (arrays of `""`: 0.75 → 1.3)
        p++;
        value = "";
      } else {
        const string = readStringValue(bytes, view, cache, p, end, readableEnd);
        if (string === null) break;
        value = string;
        p = cursor.position | 0;
      }
    } else if (c - ZERO >>> 0 <= 9 || c === MINUS) {
      // In an array that has only numbers so far, reads a run of numbers.
      if (kind < OBJECT && top === (kind === ARRAY ? base : base + segmentCount(base)) && numbers === null) {
        run = readNumberRun(bytes, view, p, end, readableEnd) | 0;
        if (run < 0) break;
        isPushed = true;
        p = cursor.position | 0;
        // A run that is the whole array stays in its buffer, for `scope_end`.
        const endsArray = p < end && bytes[p] === CLOSE_BRACKET;
        if (kind !== ARRAY || !endsArray) {
          if (run <= SHORT_RUN && kind === ARRAY) {
            for (let i = 0; i < run; i++) stack[top++] = numberAt(i);
          } else {
            const larger = pushRun(stack, base, top, kind, run, endsArray || run >= MAX_RUN || p + END_MARGIN >= end);
            if (larger === null) {
              failAtLimit("value-too-large", p);
              break;
            }
            stack = larger;
            top = stackUpdate.top | 0;
            kind = stackUpdate.kind | 0;
            ids = tables.ids;
            capacity = stack.length - SLACK;
          }
        }
      } else if (c !== MINUS && p < readableEnd - INT32_DIGITS) {
        // Reads an integer of few digits. Any other number is read again by `readNumber`.
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
          q = readNumber(bytes, view, p, end, readableEnd) | 0;
          if (q < 0) break;
          p = q;
          value = numberValue[0];
        }
      } else if (numbers !== null) {
        value = readExactNumber(bytes, view, p, end, numbers);
        if (cursor.position < 0) break;
        p = cursor.position | 0;
      } else {
        const q = readNumber(bytes, view, p, end, readableEnd) | 0;
        if (q < 0) break;
        p = q;
        value = numberValue[0];
      }
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      // ---- object_begin, array_begin
      p++;
      if (p < end && bytes[p] === c + 2) { // `]` is `[` + 2, `}` is `{` + 2
        p++;
        value = c === OPEN_BRACE ? {} : [];
      } else {
        if (depth === tables.frames.length && !growFrames()) {
          failAtLimit("value-too-large", p - 1);
          break;
        }
        tables.frames[depth++] = base << 2 | kind;
        tables.frames[depth++] = key.slot;
        base = top;
        kind = c === OPEN_BRACE ? OBJECT : ARRAY;
        continue value_begin;
      }
    } else if (c === LOWER_T && end - p >= 4 && view.getInt32(p, true) === TRUE) {
      p += 4;
      value = true;
    } else if (c === LOWER_F && end - p >= 5 && view.getInt32(p + 1, true) === FALSE_TAIL) {
      p += 5;
      value = false;
    } else if (c === LOWER_N && end - p >= 4 && view.getInt32(p, true) === NULL) {
      p += 4;
      value = null;
    } else if (c === CLOSE_BRACKET && kind === ARRAY && top === base) { // not after a comma
      isPushed = true;
    } else if (!isPushed) break;

    for (;;) {
      // ---- value_end: a value or a run of numbers is complete, or the container closes without
      // one.
      if (!isPushed) {
        if (depth === 0) {
          if (suspension === null) return finishDocument(value, bytes, view, p, end);
          cursor.position = p;
          suspension.stack = stack;
          return value;
        }
        stack[top++] = value;
        if (kind === DICTIONARY) {
          if (!addMember(stack[base] as Record<string, unknown>, stack[base + 1] as string | number, value)) {
            failAtLimit("value-too-large", p - 1);
            break value_begin;
          }
          top = base + 1;
        }
      }
      // Each byte is read once, after its own check: reading one twice costs 3 % on short values.
      if (p >= end) {
        isAfterValue = true;
        break value_begin;
      }
      c = bytes[p];
      if (c <= SPACE) {
        p = skipIndentation(bytes, view, p, end) | 0;
        if (p >= end) {
          isAfterValue = true;
          break value_begin;
        }
        c = bytes[p];
      }
      if (c === COMMA) {
        p++;
        continue value_begin;
      }

      // ---- scope_end: the closing bracket.
      if (kind >= OBJECT) {
        if (c !== CLOSE_BRACE) {
          isAfterValue = true;
          break value_begin;
        }
        if (kind === OBJECT) {
          const shape = shapes[key.shape];
          const { construct } = shape;
          if (construct !== null && shapeMatches(key.shape, ids, base, top)) {
            shape.resistance = FULL_RESISTANCE;
            value = construct(stack, base);
          } else {
            value = makeObject(stack, ids, base, top, key);
          }
        } else {
          value = finishDictionary(stack[base] as Record<string, unknown>);
        }
      } else {
        if (c !== CLOSE_BRACKET) {
          isAfterValue = true;
          break value_begin;
        }
        if (kind === FLUSHED_ARRAY) {
          value = finishFlushedArray(stack, base, top);
          if (value === null) {
            // not covered: needs 134,217,726 elements (tests/processes/check_limits.ts)
            failAtLimit("value-too-large", p);
            break value_begin;
          }
        } else value = top === base ? numberArray(run) : elementArray(stack, base, top);
      }
      isPushed = false;
      p++;
      top = base;
      key = keys[tables.frames[--depth]];
      const frame = tables.frames[--depth];
      base = frame >> 2;
      kind = frame & 3;
      if (top - base >= FLUSH_LENGTH) capacity = 0; // so that `value_begin` calls growOrFlush
    }
  }
  // A token cannot be read. Only a string stops after its quote: step back to it.
  const start = !isAfterValue && p > 0 && bytes[p - 1] === QUOTE ? p - 1 : p;
  const state = grammarState(kind, base, top, isAfterValue);
  if (suspension === null) {
    locateFailure(bytes, view, start, end, state, kind >= OBJECT);
    return FAILED;
  }
  suspension.stack = stack;
  suspension.cache = cache;
  suspension.top = top;
  suspension.base = base;
  suspension.kind = kind;
  suspension.depth = depth;
  suspension.key = key;
  return suspend(suspension, bytes, view, start, end, state);
}
