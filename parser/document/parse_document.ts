/**
 * Parses a whole input: copies it if needed, skips what surrounds the value, reads a scalar at the
 * top level, and cleans up after the call.
 *
 * @module
 */

import { OPEN_BRACE, OPEN_BRACKET, SPACE } from "../base/ascii.ts";
import { resetArrayPrototypeCheck } from "../engine/arrays.ts";
import { describeFailure } from "../base/failure.ts";
import { PARSE_WINDOW, PREPARED_INPUT, SMALL_INPUT } from "../engine/input_sizes.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { copySmall, smallBytes, smallView } from "../engine/small_copy.ts";
import { limitFailure } from "../base/limit_failure.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import { DONE, VALUE } from "../validation/token_dfa.ts";
import { dirtyRun, resetNumberRuns, wipeRun } from "../numbers/number_runs.ts";
import type { ParseResult } from "../base/parse_result.ts";
import { cursor } from "../base/cursor.ts";
import { mantissaParts, numberValue } from "../numbers/read_number.ts";
import { dirtyLength } from "../strings/make_string.ts";
import { parseContainer } from "./parse_container.ts";
import { parseRecursively, releaseStack, takeValue } from "./parse_recursively.ts";
import { wipeScratch } from "../strings/decode_string.ts";
import { FAILED, parseScalar } from "./parse_scalar.ts";
import { releaseStringCache } from "../strings/string_cache.ts";
import { MAX_KEPT_STACK_INPUT, releaseTables, wipeKeptStack } from "./value_stack.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { failInWindow, finishDocument, skipLeadingWindows, WINDOW_MARGIN, type WindowedInput } from "./windows.ts";
import { learnFromInput, prepareYoungGeneration } from "../engine/young_generation.ts";

/** Small input, with its size in `total`. */
const smallInput = { input: smallBytes, total: 0, windowSize: PARSE_WINDOW, margin: WINDOW_MARGIN, suspension: null };

/** Bytes of the largest input tried as a scalar first. */
const TINY_INPUT = 16;

/** Bytes that a process parses by recursion. "Small functions first": see ARCHITECTURE.md. */
const RECURSIVE_BYTES = 32_000_000;
/** Bytes still to be parsed by recursion. */
let recursiveBytesLeft = RECURSIVE_BYTES;

/** True during a call, and after a call that could not clean up because of a stack overflow. */
let isBusy = false;

/**
 * Parses a JSON text: in place or, if it is small or in shared memory, in a copy. So no byte that
 * another thread can write is read twice.
 *
 * An input larger than `windowSize` is parsed through windows of that many bytes. A window begins
 * between two tokens, once at most `margin` bytes of the previous one are left.
 */
export function parseDocument(
  input: Uint8Array,
  windowSize: number = PARSE_WINDOW,
  margin: number = WINDOW_MARGIN,
): ParseResult {
  let total = lengthOf(input);
  if (total >= PREPARED_INPUT) {
    prepareYoungGeneration(total);
    total = lengthOf(input); // `prepareYoungGeneration` may have run code of the program
  }
  beginParse();
  if (total > SMALL_INPUT) {
    try {
      return parseLarge({ input, total, windowSize, margin, suspension: null });
    } finally {
      endParse(total);
      if (total >= PREPARED_INPUT) learnFromInput(total);
    }
  }
  copySmall(input, total);
  if (total <= TINY_INPUT) {
    const result = parseTinyScalar(total);
    if (result !== null) {
      endParse(total);
      return result;
    }
  }
  return parseCopy(total);
}

/**
 * Parses `size` bytes of `buffer` from `start` on, without a view if they are few. Offsets of
 * failures are relative to `start`.
 */
export function parseRange(buffer: Uint8Array, start: number, size: number): ParseResult {
  if (size > SMALL_INPUT) return parseDocument(new Uint8Array(bufferOf(buffer), offsetOf(buffer) + start, size));
  beginParse();
  for (let i = 0; i < size; i++) smallBytes[i] = buffer[start + i];
  return parseCopy(size);
}

/** Parses the first `size` bytes of `smallBytes`, and ends the call. */
function parseCopy(size: number): ParseResult {
  try {
    smallInput.total = size;
    return parseText(smallInput, smallBytes, smallView, 0, size);
  } finally {
    wipeKeptStack(size);
    endParse(size);
  }
}

/**
 * Parses the first `size` bytes of `smallBytes` unless they are an array or object, for which it
 * returns `null`. Skips the preparations for containers (payload of 1 B: +30 %).
 */
function parseTinyScalar(size: number): ParseResult | null {
  let p = skipByteOrderMark(smallBytes, size);
  if (p < size && smallBytes[p] <= SPACE) p = skipWhitespace(smallBytes, p, size);
  if (p < size && (smallBytes[p] === OPEN_BRACE || smallBytes[p] === OPEN_BRACKET)) return null;
  const value = parseScalar(smallBytes, smallView, p, size, smallBytes.length);
  if (value !== FAILED) {
    p = cursor.position < size ? skipWhitespace(smallBytes, cursor.position, size) : size;
    if (p >= size) return { ok: true, value };
  }
  locateFailure(smallBytes, smallView, p, size, value === FAILED ? VALUE : DONE, false, true);
  return describeFailure(smallBytes, failure.code, failure.offset, size, cut.at >= 0);
}

/** Begins a call. First cleans up if the previous call could not. */
export function beginParse(): void {
  if (isBusy) {
    wipeKeptStack(MAX_KEPT_STACK_INPUT);
    endParse(SMALL_INPUT); // as for a small input
    endParse(SMALL_INPUT + 1); // as for any other
    limitFailure.code = null;
  }
  isBusy = true;
  resetArrayPrototypeCheck();
}

/** Ends a call: wipes or releases the leftovers of an input of `size` bytes. */
export function endParse(size: number): void {
  if (size > SMALL_INPUT) {
    releaseStringCache();
    resetNumberRuns(0);
    releaseTables();
    releaseStack();
  } else {
    for (let i = 0; i < size; i += 8) smallView.setFloat64(i, 0); // `wipeSmall`, written out
  }
  if (dirtyRun.numbers + dirtyLength.characters > 0) wipeBuffers();
  numberValue[0] = mantissaParts[0] = mantissaParts[1] = 0;
  isBusy = false;
}

function wipeBuffers(): void {
  wipeRun();
  wipeScratch();
}

function parseLarge(windowed: WindowedInput): ParseResult {
  const { input, total, windowSize, margin } = windowed;
  const start = total > windowSize ? skipLeadingWindows(windowed) : 0;
  const size = Math.min(total - start, windowSize);
  let bytes = input;
  if (size < total || isShared(input)) {
    const window = windowOf(input, start, size);
    if (window === null) return describeFailure(input, "value-too-large", start, total);
    bytes = window;
  }
  resetNumberRuns(total);
  const view = new DataView(bufferOf(bytes), offsetOf(bytes), size);
  // From here on, a copy of the whole input takes its place.
  const whole = size === total ? { input: bytes, total, windowSize, margin, suspension: null } : windowed;
  return parseText(whole, bytes, view, start, size);
}

/**
 * Parses a JSON text.
 *
 * Precondition: `bytes` holds `end` bytes of the input, from offset `origin` on, and `view` is a
 * view of the same memory.
 */
function parseText(
  windowed: WindowedInput,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  end: number,
): ParseResult {
  let p = origin === 0 ? skipByteOrderMark(bytes, end) : 0;
  if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end);
  let value: unknown;
  if (p < end && (bytes[p] === OPEN_BRACE || bytes[p] === OPEN_BRACKET)) {
    if (end <= recursiveBytesLeft && end > SMALL_INPUT && end === windowed.total) {
      recursiveBytesLeft -= end;
      if (parseRecursively(bytes, view, p, end) === end) return { ok: true, value: takeValue() };
      limitFailure.code = null;
    }
    value = parseContainer(windowed, bytes, view, origin, p, end);
  } else {
    value = parseScalar(bytes, view, p, end);
    if (value === FAILED) failInWindow(windowed, bytes, view, origin, p, end, VALUE, false);
    else if (!finishDocument(windowed, bytes, view, origin, cursor.position, end)) value = FAILED;
  }
  if (value === FAILED) {
    return describeFailure(windowed.input, failure.code, failure.offset, windowed.total, cut.at >= 0);
  }
  return { ok: true, value };
}
