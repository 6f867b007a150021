/**
 * Parsing and checking of a whole input with guards. The parser does the work; if it gave a sign
 * that a guard may be violated, the input is read again by slower code that knows the place.
 *
 * @module
 */

import { describeFailure, type ParseFailure } from "../base/failure.ts";
import { limitFailure } from "../base/limit_failure.ts";
import { beginNotices, COUNT, DUPLICATE, endNotices, notices, PROTO_KEY } from "../base/notices.ts";
import type { ParseResult } from "../base/parse_result.ts";
import { beginParse, endParse, parseDocument } from "./parse_document.ts";
import { FAILED } from "./parse_scalar.ts";
import { parseExactly, takeValue } from "./parse_recursively.ts";
import { beginDepthCheck, mayBeTooDeep } from "./value_stack.ts";
import { skipByteOrderMark } from "./windows.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { bufferOf, isShared, lengthOf, offsetOf, requireStack } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { newStringCache, NO_CACHE } from "../strings/string_cache.ts";
import { closeBrackets, failureAtEnd, newMachine, readAll, resetMachine } from "../validation/validator.ts";
import { buildValue } from "./build_value.ts";
import { endGuarded, newInputGuard, readGuarded, violationOf } from "../guards/input_guard.ts";
import { type Guards, needsCheck } from "../guards/options.ts";

/**
 * Bytes of the shortest limits that the parser gives signs for. A violation of a smaller limit is
 * looked for in any input.
 */
const NOTICED_STRING = 4096;
const NOTICED_MEMBERS = 128;
const NOTICED_ELEMENTS = 16;

/** Fewest bytes of a member, and of an element, with the comma before it. */
const MEMBER_BYTES = 5;
const ELEMENT_BYTES = 2;

/** Largest input whose value is made by `buildValue`, which has no windows. */
const MAX_BUILT = 2 ** 30;

const OPEN_BRACE = 0x7b;

const machine = /* @__PURE__ */ newMachine(false, false);

/** Returns the failure of an input of more than `maxBytes`, or `null`. */
function failureOfLength(bytes: Uint8Array, total: number, { maxBytes }: Guards): ParseFailure | null {
  return total > maxBytes ? describeFailure(bytes, "too-many-bytes", maxBytes, total) : null;
}

/** Returns what the parser is to look at in the names of objects, as bits. */
function watchedBy({ duplicateKeys, protoKeys, maxMembers }: Guards): number {
  return (duplicateKeys === "last" ? 0 : DUPLICATE) | (protoKeys === "keep" ? 0 : PROTO_KEY) |
    (maxMembers === Infinity ? 0 : COUNT);
}

/** Parses an input with guards. */
export function parseGuarded(input: Uint8Array, guards: Guards): ParseResult {
  const total = lengthOf(input);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, guards.number !== undefined);
  if (bytes === null) return describeFailure(input, "value-too-large", 0, total);
  if (guards.numbers === "source") {
    return failureIn(bytes, total, guards) ?? buildText(bytes, total, guards, changesNumbersOnly(guards));
  }
  let result: ParseResult;
  let isSuspect: boolean;
  let needsOther: boolean;
  let isExactOnly: boolean;
  beginNotices(guards.maxDepth, watchedBy(guards));
  try {
    const frames = beginDepthCheck(guards.maxDepth);
    const exact = guards.integers === "bigint" && guards.learned.hasUnsafeIntegers
      ? parseWithBigInts(bytes, total, guards)
      : null;
    result = exact ?? parseDocument(bytes);
    isSuspect = !result.ok || mayBeTooDeep(frames, guards.maxDepth) || mayBeViolated(guards, total);
    needsOther = hasOtherNames(guards) ||
      exact === null && guards.integers === "bigint" && notices.hasUnsafeInteger;
    guards.learned.hasUnsafeIntegers = notices.hasUnsafeInteger;
    isExactOnly = changesNumbersOnly(guards) || !hasOtherNames(guards);
  } finally {
    endNotices();
  }
  if (isSuspect && needsCheck(guards)) {
    const violation = violationIn(bytes, total, guards, result.ok);
    if (violation !== null) return violation;
  }
  return result.ok && needsOther ? buildText(bytes, total, guards, isExactOnly) : result;
}

/** Checks an input with guards. Returns its failure, or `null`. */
export function validateGuarded(input: Uint8Array, guards: Guards): ParseFailure | null {
  const total = lengthOf(input);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, false);
  if (bytes === null) return describeFailure(input, "value-too-large", 0, total);
  return failureIn(bytes, total, guards);
}

/**
 * Does what another reader does for an input, such as the selection from it, after checking its
 * length and before checking the rest.
 */
export function readWithGuards(
  input: Uint8Array,
  guards: Guards,
  read: (bytes: Uint8Array) => ParseResult,
): ParseResult {
  const total = lengthOf(input);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, false);
  if (bytes === null) return describeFailure(input, "value-too-large", 0, total);
  const result = read(bytes);
  return (needsCheck(guards) ? violationIn(bytes, total, guards, result.ok) : null) ?? result;
}

/** Returns the failure of an input that is there as a whole, or `null`. */
function failureIn(bytes: Uint8Array, total: number, guards: Guards): ParseFailure | null {
  resetMachine(machine);
  const failure = readAll(machine, bytes) ?? failureAtEnd(machine, 0);
  closeBrackets(machine);
  return (needsCheck(guards) ? violationIn(bytes, total, guards, failure === null) : null) ?? failure;
}

/**
 * Returns the bytes of an input that neither another thread nor, if `mustCopy`, the program can
 * change meanwhile; `null` if there is no memory for them.
 */
function privateBytes(input: Uint8Array, total: number, mustCopy: boolean): Uint8Array | null {
  if (!mustCopy && !isShared(input)) return input;
  try {
    return new Uint8Array(new Uint8Array(bufferOf(input), offsetOf(input), total));
  } catch {
    requireStack();
    return null;
  }
}

/** Returns whether the parser gave a sign that an input of `total` bytes may be refused. */
function mayBeViolated(guards: Guards, total: number): boolean {
  const { maxStringBytes, maxMembers, maxElements, duplicateKeys, protoKeys, integers } = guards;
  return (maxStringBytes < NOTICED_STRING ? total > maxStringBytes : notices.longestString > maxStringBytes) ||
    (maxMembers < NOTICED_MEMBERS ? total > MEMBER_BYTES * maxMembers : notices.members > maxMembers) ||
    (maxElements < NOTICED_ELEMENTS ? total > ELEMENT_BYTES * maxElements : notices.longestArray > maxElements) ||
    duplicateKeys === "reject" && notices.hasDuplicate ||
    protoKeys === "reject" && notices.hasProtoKey ||
    integers === "reject" && notices.hasUnsafeInteger;
}

/** Returns whether the parser met names that the guards may leave out. */
function hasOtherNames({ duplicateKeys, protoKeys }: Guards): boolean {
  return duplicateKeys === "first" && notices.hasDuplicate || protoKeys === "drop" && notices.hasProtoKey;
}

/** Returns whether guards leave out no names, and no program converts numbers. */
function changesNumbersOnly({ duplicateKeys, protoKeys, number }: Guards): boolean {
  return duplicateKeys !== "first" && protoKeys !== "drop" && number === undefined;
}

/**
 * Returns the failure of a violation, or `null` if there is none or the input is no longer JSON
 * before it. `isText` says whether the input is a JSON text.
 */
function violationIn(bytes: Uint8Array, total: number, guards: Guards, isText: boolean): ParseFailure | null {
  const guard = newInputGuard(guards);
  const end = readGuarded(guard, bytes, 0, total);
  if (guard.code === null && isText) endGuarded(guard);
  if (guard.code === null || !isText && !mayBegin(bytes, end)) return null;
  return violationOf(guard);
}

/** Returns whether the bytes before `end` may be the beginning of a JSON text. */
function mayBegin(bytes: Uint8Array, end: number): boolean {
  resetMachine(machine);
  const failure = readAll(machine, new Uint8Array(bufferOf(bytes), offsetOf(bytes), end));
  closeBrackets(machine);
  return failure === null;
}

/**
 * Parses an array or object with BigInts, which saves a second parse if there are any. Returns
 * `null` if it is something else, no JSON text, or too deep for recursion.
 */
function parseWithBigInts(bytes: Uint8Array, total: number, guards: Guards): ParseResult | null {
  if (total > MAX_BUILT) return null;
  beginParse();
  try {
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
    const start = skipWhitespace(bytes, skipByteOrderMark(bytes, total), total);
    const isContainer = start < total && (bytes[start] | 0x20) === OPEN_BRACE;
    if (isContainer && parseExactly(bytes, view, start, total, guards) === total) {
      return { ok: true, value: takeValue() };
    }
    limitFailure.code = null;
    return null;
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}

/**
 * Makes the value of a JSON text as the guards say. `isExactOnly` says whether nothing but numbers
 * differs from other parses.
 */
function buildText(bytes: Uint8Array, total: number, guards: Guards, isExactOnly: boolean): ParseResult {
  if (total > MAX_BUILT) return describeFailure(bytes, "value-too-large", MAX_BUILT, total);
  beginParse();
  try {
    resetObjectPrototypeCheck();
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
    const start = skipWhitespace(bytes, skipByteOrderMark(bytes, total), total);
    if (isExactOnly && (bytes[start] | 0x20) === OPEN_BRACE) {
      if (parseExactly(bytes, view, start, total, guards) === total) return { ok: true, value: takeValue() };
      limitFailure.code = null; // it is met again below
    }
    // A callback may parse, and so empty the cache.
    const cache = guards.number === undefined ? newStringCache(total) : NO_CACHE;
    const value = buildValue(bytes, view, cache, start, total, guards);
    if (value !== FAILED) return { ok: true, value };
  } finally {
    endParse(SMALL_INPUT + 1);
  }
  const { code, offset } = limitFailure;
  limitFailure.code = null;
  return describeFailure(bytes, code ?? "value-too-large", offset, total);
}
