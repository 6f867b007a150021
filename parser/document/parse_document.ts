/**
 * Parses a whole input: copies it if needed, skips what surrounds the value, reads a scalar at the
 * top level, and cleans up after the call.
 */

import { OPEN_BRACE, OPEN_BRACKET, SPACE } from "../base/ascii.ts";
import { describeFailure, limitFailure, type ParseResult } from "../base/failure.ts";
import { PARSE_WINDOW, PREPARED_INPUT, SMALL_INPUT } from "../engine/input_sizes.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { copySmall, smallBytes, smallView } from "../engine/small_copy.ts";
import { describeLocated, locateFailure } from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";
import type { ExactNumbers } from "../numbers/exact_number.ts";
import { dirtyRun, resetNumberRuns, wipeRun } from "../numbers/number_runs.ts";
import { cursor } from "../base/cursor.ts";
import { mantissaParts, numberValue } from "../numbers/read_number.ts";
import { dirtyLength } from "../strings/make_string.ts";
import { finishDocument, parseContainer } from "./parse_container.ts";
import { parseRecursively, releaseStack, takeValue } from "./parse_recursively.ts";
import { wipeScratch } from "../strings/read_string.ts";
import { FAILED, parseScalar } from "./parse_scalar.ts";
import { releaseStringCache } from "../strings/string_cache.ts";
import { MAX_KEPT_STACK_INPUT, releaseTables, wipeKeptStack } from "./value_stack.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { parseWindows } from "./parse_windows.ts";
import { learnFromInput, prepareYoungGeneration } from "../engine/young_generation.ts";

/** Maximum bytes of an input that is tried as a scalar first. */
const TINY_INPUT = 16;

/** Bytes that a process parses by recursion. "Small functions first": see ARCHITECTURE.md. */
const RECURSIVE_BYTES = 32_000_000;
/** Bytes still to be parsed by recursion. */
let recursiveBytesLeft = RECURSIVE_BYTES;

/** True during a call, and after a call that could not clean up because of a stack overflow. */
let isBusy = false;

/**
 * Parses a JSON text: in place or, if it is small or in shared memory, in a copy. So no byte that
 * another thread can write is read twice. An input larger than `windowSize` is parsed through
 * windows of that many bytes.
 */
export function parseDocument(input: Uint8Array, windowSize: number = PARSE_WINDOW): ParseResult {
  let total = lengthOf(input);
  if (total >= PREPARED_INPUT) {
    prepareYoungGeneration(total);
    total = lengthOf(input); // `prepareYoungGeneration` may have run user code
  }
  beginParse();
  if (total > SMALL_INPUT) {
    try {
      return total > windowSize ? parseWindows(input, total, windowSize) : parseWhole(input, total);
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

/** Parses a text of `size` bytes, at most 1 GiB, with other numbers than doubles. */
export function parseExact(bytes: Uint8Array, size: number, numbers: ExactNumbers): ParseResult {
  beginParse();
  try {
    return parseText(bytes, new DataView(bufferOf(bytes), offsetOf(bytes), size), size, numbers);
  } finally {
    wipeKeptStack(size);
    endParse(SMALL_INPUT + 1);
  }
}

/** Parses the first `size` bytes of `smallBytes`, and ends the call. */
function parseCopy(size: number): ParseResult {
  try {
    return parseText(smallBytes, smallView, size);
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
  return resultOf(parseOnlyScalar(smallBytes, smallView, p, size, smallBytes.length), smallBytes, size);
}

/** Parses a scalar, and checks that only whitespace follows. Returns what `parseContainer` does. */
function parseOnlyScalar(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  readableEnd: number,
  numbers: ExactNumbers | null = null,
): unknown {
  const value = parseScalar(bytes, view, p, end, readableEnd, numbers);
  if (value !== FAILED) return finishDocument(value, bytes, view, cursor.position, end);
  locateFailure(bytes, view, p, end, VALUE, false);
  return FAILED;
}

/** Returns the result of a parse of `end` bytes. */
function resultOf(value: unknown, bytes: Uint8Array, end: number): ParseResult {
  if (value === FAILED) return describeLocated(bytes, end);
  return { ok: true, value };
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
  if (dirtyRun.numbers + dirtyLength.characters > 0) {
    wipeRun();
    wipeScratch();
  }
  numberValue[0] = mantissaParts[0] = mantissaParts[1] = 0;
  isBusy = false;
}

function parseWhole(input: Uint8Array, total: number): ParseResult {
  const bytes = isShared(input) ? windowOf(input, 0, total) : input;
  if (bytes === null) return describeFailure(input, "value-too-large", 0, total);
  resetNumberRuns(total);
  return parseText(bytes, new DataView(bufferOf(bytes), offsetOf(bytes), total), total);
}

/**
 * Parses a JSON text of `end` bytes.
 *
 * Precondition: that of {@linkcode parseContainer}.
 */
function parseText(
  bytes: Uint8Array,
  view: DataView,
  end: number,
  numbers: ExactNumbers | null = null,
): ParseResult {
  let p = skipByteOrderMark(bytes, end);
  if (p < end && bytes[p] <= SPACE) p = skipWhitespace(bytes, p, end);
  let value: unknown;
  if (p < end && (bytes[p] === OPEN_BRACE || bytes[p] === OPEN_BRACKET)) {
    if (numbers !== null || end <= recursiveBytesLeft && end > SMALL_INPUT) {
      if (numbers === null) recursiveBytesLeft -= end;
      if (parseRecursively(bytes, view, p, end, numbers) === end) return { ok: true, value: takeValue() };
      limitFailure.code = null;
      if (numbers !== null) numbers.next = 0;
    }
    value = parseContainer(null, bytes, view, p, end, numbers);
  } else {
    value = parseOnlyScalar(bytes, view, p, end, end, numbers);
  }
  return resultOf(value, bytes, end);
}
