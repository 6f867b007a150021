/**
 * Parsing of a whole input with guards. The parser does the work; if it gave a sign
 * that a guard may be violated, the input is read again by slower code that knows the place.
 */

import { OPEN_BRACE } from "../base/ascii.ts";
import { describeFailure, failAtLimit, limitFailure, type ParseFailure, type ParseResult } from "../base/failure.ts";
import { beginNotices, COUNT, DUPLICATE, endNotices, notices, PROTO_KEY } from "../base/notices.ts";
import { beginParse, endParse, parseDocument } from "../document/parse_document.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { parseRecursively, takeValue } from "../document/parse_recursively.ts";
import { beginDepthCheck, mayBeTooDeep } from "../document/value_stack.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { newStringCache, NO_CACHE } from "../strings/string_cache.ts";
import { failureIn, failureOfLength, failWithoutMemory, privateBytes, violationIn } from "./validate_guarded.ts";
import { buildValue } from "./build_value.ts";
import type { Guards } from "./options.ts";

/** Least limits that the parser gives signs for. Smaller ones are looked for in any input. */
const NOTICED_STRING = 4096;
const NOTICED_MEMBERS = 128;
const NOTICED_ELEMENTS = 16;

/** Fewest bytes of a member, and of an element, with the comma before it. */
const MEMBER_BYTES = 5;
const ELEMENT_BYTES = 2;

/** Largest input whose value is made by `buildValue`, which has no windows. */
const MAX_BUILT = 2 ** 30;

/** Returns what the parser is to look at in the names of objects, as bits. */
function watchedBy({ duplicateKeys, protoKeys, maxMembers }: Guards): number {
  return (duplicateKeys === "last" ? 0 : DUPLICATE) | (protoKeys === "keep" ? 0 : PROTO_KEY) |
    (maxMembers === Infinity ? 0 : COUNT);
}

export function parseGuarded(input: Uint8Array, guards: Guards): ParseResult {
  const total = lengthOf(input);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, guards.number !== undefined);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  if (guards.numbers === "source") {
    return failureIn(bytes, total, guards) ?? resultOf(bytes, total, buildText(bytes, total, 0, guards));
  }
  let result: ParseResult;
  let isSuspect: boolean;
  let needsOther: boolean;
  let hasOthers: boolean;
  beginNotices(guards.maxDepth, watchedBy(guards));
  try {
    const frames = beginDepthCheck(guards.maxDepth);
    const exact = guards.integers === "bigint" && guards.learned.hasUnsafeIntegers
      ? parseWithBigInts(bytes, total, guards)
      : null;
    result = exact ?? parseDocument(bytes);
    isSuspect = !result.ok || mayBeTooDeep(frames, guards.maxDepth) || mayBeViolated(guards, total);
    hasOthers = hasOtherNames(guards);
    needsOther = hasOthers || exact === null && guards.integers === "bigint" && notices.hasUnsafeInteger;
    guards.learned.hasUnsafeIntegers = notices.hasUnsafeInteger;
  } finally {
    endNotices();
  }
  if (isSuspect) {
    const violation = violationIn(bytes, total, guards, result.ok);
    if (violation !== null) return violation;
  }
  return result.ok && needsOther ? resultOf(bytes, total, buildText(bytes, total, 0, guards, hasOthers)) : result;
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

/** Parses a container with BigInts. Returns `null` if it is none, no JSON text, or too deep. */
function parseWithBigInts(bytes: Uint8Array, total: number, guards: Guards): ParseResult | null {
  if (total > MAX_BUILT) return null; // not covered: needs an input of more than 1 GiB
  beginParse();
  try {
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
    const start = skipWhitespace(bytes, skipByteOrderMark(bytes, total), total);
    const isContainer = start < total && (bytes[start] | 0x20) === OPEN_BRACE;
    if (isContainer && parseRecursively(bytes, view, start, total, guards) === total) {
      return { ok: true, value: takeValue() };
    }
    limitFailure.code = null;
    return null;
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}

/**
 * Makes the value of a JSON text as the guards say. Returns it, or `FAILED` at a limit of the
 * engine, which `limitFailure` then has.
 *
 * @param origin Offset of the text in the input.
 * @param hasOthers Whether it is known to have names that the guards leave out.
 */
export function buildText(
  bytes: Uint8Array,
  total: number,
  origin: number,
  guards: Guards,
  hasOthers = false,
): unknown {
  if (total > MAX_BUILT) {
    // not covered: needs an input of more than 1 GiB
    failAtLimit("value-too-large", MAX_BUILT);
    return FAILED;
  }
  beginParse();
  try {
    resetObjectPrototypeCheck();
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
    const start = skipWhitespace(bytes, skipByteOrderMark(bytes, total), total);
    // A callback may parse, and so empty the cache and forget the notices.
    const callsBack = guards.number !== undefined;
    if (!hasOthers && !callsBack && (bytes[start] | 0x20) === OPEN_BRACE) {
      if (parseUnlessOthers(bytes, view, start, total, guards)) return takeValue();
      limitFailure.code = null; // it is met again below
    }
    return buildValue(bytes, view, callsBack ? NO_CACHE : newStringCache(total), start, total, origin, guards);
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}

/** Parses a container as guards say. Returns `false` if it is too deep, or has names to drop. */
function parseUnlessOthers(bytes: Uint8Array, view: DataView, p: number, total: number, guards: Guards): boolean {
  const isExact = guards.numbers === "source" || guards.integers === "bigint";
  beginNotices(Infinity, watchedBy(guards));
  try {
    return parseRecursively(bytes, view, p, total, isExact ? guards : null) === total && !hasOtherNames(guards);
  } finally {
    endNotices();
  }
}

/** Returns the result of {@linkcode buildText}. */
function resultOf(bytes: Uint8Array, total: number, value: unknown): ParseResult {
  return value === FAILED ? failureAtLimit(bytes, total) : { ok: true, value };
}

/** Returns the failure of the limit that was met, and forgets it. */
export function failureAtLimit(bytes: Uint8Array, total: number, origin = 0): ParseFailure {
  const { code, offset } = limitFailure;
  limitFailure.code = null;
  return describeFailure(bytes, code!, origin + offset, total);
}
