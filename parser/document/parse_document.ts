/**
 * Parses a whole input: copies it if needed, skips what surrounds the value, reads a scalar at the
 * top level, and cleans up after the call.
 *
 * @module
 */

import * as arrays from "../engine/arrays.ts";
import * as failures from "../base/failure.ts";
import * as sizes from "../engine/input_sizes.ts";
import * as inputs from "../engine/input.ts";
import * as smallCopies from "../engine/small_copy.ts";
import * as limits from "../base/limit_failure.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import { DONE, VALUE } from "../validation/token_dfa.ts";
import * as numberArrays from "../numbers/number_runs.ts";
import type { ParseResult } from "../base/parse_result.ts";
import * as cursors from "../base/cursor.ts";
import * as numbers from "../numbers/read_number.ts";
import * as makers from "../strings/make_string.ts";
import * as containers from "./parse_container.ts";
import * as recursion from "./parse_recursively.ts";
import * as decoding from "../strings/decode_string.ts";
import * as scalars from "./parse_scalar.ts";
import * as stringCache from "../strings/string_cache.ts";
import * as valueStack from "./value_stack.ts";
import * as whitespace from "../base/whitespace.ts";
import * as views from "../engine/input_view.ts";
import * as windows from "./windows.ts";
import * as youngGeneration from "../engine/young_generation.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const resetArrayPrototypeCheck = arrays.resetArrayPrototypeCheck;
const describeFailure = failures.describeFailure;
const PARSE_WINDOW = sizes.PARSE_WINDOW, PREPARED_INPUT = sizes.PREPARED_INPUT, SMALL_INPUT = sizes.SMALL_INPUT;
const bufferOf = inputs.bufferOf, isShared = inputs.isShared, lengthOf = inputs.lengthOf, offsetOf = inputs.offsetOf;
const dirtyRun = numberArrays.dirtyRun, resetNumberRuns = numberArrays.resetNumberRuns, wipeRun = numberArrays.wipeRun;
const cursor = cursors.cursor;
const mantissaParts = numbers.mantissaParts, numberValue = numbers.numberValue;
const dirtyLength = makers.dirtyLength;
const limitFailure = limits.limitFailure;
const copySmall = smallCopies.copySmall, smallBytes = smallCopies.smallBytes, smallView = smallCopies.smallView;
const parseContainer = containers.parseContainer;
const parseRecursively = recursion.parseRecursively, releaseStack = recursion.releaseStack;
const takeValue = recursion.takeValue;
const wipeScratch = decoding.wipeScratch;
const FAILED = scalars.FAILED, parseScalar = scalars.parseScalar;
const releaseStringCache = stringCache.releaseStringCache;
const MAX_KEPT_STACK_INPUT = valueStack.MAX_KEPT_STACK_INPUT, releaseTables = valueStack.releaseTables;
const wipeKeptStack = valueStack.wipeKeptStack;
const skipWhitespace = whitespace.skipWhitespace;
const failInWindow = windows.failInWindow, finishDocument = windows.finishDocument;
const skipLeadingWindows = windows.skipLeadingWindows, WINDOW_MARGIN = windows.WINDOW_MARGIN;
const skipByteOrderMark = views.skipByteOrderMark, windowOf = views.windowOf;
const learnFromInput = youngGeneration.learnFromInput, prepareYoungGeneration = youngGeneration.prepareYoungGeneration;
type WindowedInput = windows.WindowedInput;

const SPACE = 0x20;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

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

type ParseDocument = (input: Uint8Array, windowSize?: number, margin?: number) => ParseResult;

/**
 * Parses a JSON text: in place or, if it is small or in shared memory, in a copy. So no byte that
 * another thread can write is read twice.
 *
 * An input larger than `windowSize` is parsed through windows of that many bytes. A window begins
 * between two tokens, once at most `margin` bytes of the previous one are left.
 */
export const parseDocument = /* @__PURE__ */ (function parseDocument(
  input,
  windowSize = PARSE_WINDOW,
  margin = WINDOW_MARGIN,
) {
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
} satisfies ParseDocument).valueOf() as ParseDocument;

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

type ParseCopy = (size: number) => ParseResult;

/** Parses the first `size` bytes of `smallBytes`, and ends the call. */
const parseCopy = /* @__PURE__ */ (function parseCopy(size) {
  try {
    smallInput.total = size;
    return parseText(smallInput, smallBytes, smallView, 0, size);
  } finally {
    wipeKeptStack(size);
    endParse(size);
  }
} satisfies ParseCopy).valueOf() as ParseCopy;

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

type BeginParse = () => void;

/** Begins a call. First cleans up if the previous call could not. */
export const beginParse = /* @__PURE__ */ (function beginParse() {
  if (isBusy) {
    wipeKeptStack(MAX_KEPT_STACK_INPUT);
    endParse(SMALL_INPUT); // as for a small input
    endParse(SMALL_INPUT + 1); // as for any other
    limitFailure.code = null;
  }
  isBusy = true;
  resetArrayPrototypeCheck();
} satisfies BeginParse).valueOf() as BeginParse;

type EndParse = (size: number) => void;

/** Ends a call: wipes or releases the leftovers of an input of `size` bytes. */
export const endParse = /* @__PURE__ */ (function endParse(size) {
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
} satisfies EndParse).valueOf() as EndParse;

type WipeBuffers = () => void;

const wipeBuffers = /* @__PURE__ */ (function wipeBuffers() {
  wipeRun();
  wipeScratch();
} satisfies WipeBuffers).valueOf() as WipeBuffers;

type ParseLarge = (windowed: WindowedInput) => ParseResult;

const parseLarge = /* @__PURE__ */ (function parseLarge(windowed) {
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
} satisfies ParseLarge).valueOf() as ParseLarge;

type ParseText = (
  windowed: WindowedInput,
  bytes: Uint8Array,
  view: DataView,
  origin: number,
  end: number,
) => ParseResult;

/**
 * Parses a JSON text.
 *
 * Precondition: `bytes` holds `end` bytes of the input, from offset `origin` on, and `view` is a
 * view of the same memory.
 */
const parseText = /* @__PURE__ */ (function parseText(windowed, bytes, view, origin, end) {
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
} satisfies ParseText).valueOf() as ParseText;
