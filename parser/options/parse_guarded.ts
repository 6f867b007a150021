/**
 * Parses a whole input with guards. The parser does the work. If it has flagged a possible
 * violation, slower code reads the input again to locate it.
 */

import { describeFailure, failAtLimit, limitFailure, type ParseFailure, type ParseResult } from "../base/failure.ts";
import {
  beginGuardFlags,
  COUNT,
  DROPS_PROTO,
  DUPLICATE,
  endGuardFlags,
  guardFlags,
  KEEPS_FIRST,
  MAX_UNFLAGGED_ARRAY,
  MAX_UNFLAGGED_OBJECT,
  MAX_UNFLAGGED_STRING,
  PROTO_KEY,
} from "../base/guard_flags.ts";
import { beginParse, endParse, parseDocument, parseExact } from "../document/parse_document.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { beginDepthCheck, mayBeTooDeep } from "../document/value_stack.ts";
import { lengthOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { convertNumbers } from "../numbers/exact_number.ts";
import { failureIn, failureOfLength, failWithoutMemory, privateBytes, violationIn } from "./validate_guarded.ts";
import { exactNumbers, type Guards } from "./options.ts";

/** Minimum number of bytes of a member, and of an element, with the comma before it. */
const MEMBER_BYTES = 5;
const ELEMENT_BYTES = 2;

/** Maximum size of an input whose numbers are not doubles: such a parse has no windows. */
const MAX_EXACT_INPUT = 2 ** 30;

/** Returns flags for the checks of object keys. */
function watchedBy({ duplicateKeys, protoKeys, maxMembers }: Guards): number {
  return (duplicateKeys === "reject" ? DUPLICATE : duplicateKeys === "first" ? KEEPS_FIRST : 0) |
    (protoKeys === "reject" ? PROTO_KEY : protoKeys === "drop" ? DROPS_PROTO : 0) |
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
  let needsBigInts: boolean;
  beginGuardFlags(guards.maxDepth, watchedBy(guards));
  try {
    const frames = beginDepthCheck(guards.maxDepth);
    const mayHaveBigInts = guards.integers === "all-bigint" || guards.learned.hasUnsafeIntegers;
    const numbers = mayHaveBigInts && total <= MAX_EXACT_INPUT ? exactNumbers(guards) : null;
    result = numbers === null ? parseDocument(bytes) : parseExact(bytes, total, numbers);
    isSuspect = !result.ok || mayBeTooDeep(frames, guards.maxDepth) || mayBeViolated(guards, total);
    needsBigInts = numbers === null &&
      (guards.integers === "all-bigint" || guards.integers === "bigint" && guardFlags.hasUnsafeInteger);
    guards.learned.hasUnsafeIntegers = guardFlags.hasUnsafeInteger;
  } finally {
    endGuardFlags();
  }
  if (isSuspect) {
    const violation = violationIn(bytes, total, guards, result.ok);
    if (violation !== null) return violation;
  }
  return result.ok && needsBigInts ? resultOf(bytes, total, buildText(bytes, total, 0, guards)) : result;
}

/**
 * Returns whether an input of `total` bytes may be refused: by the flags or, for a limit below those
 * of the flags, by its size.
 */
function mayBeViolated(guards: Guards, total: number): boolean {
  const { maxStringBytes, maxMembers, maxElements, duplicateKeys, protoKeys, integers } = guards;
  return (maxStringBytes < MAX_UNFLAGGED_STRING ? total > maxStringBytes : guardFlags.longestString > maxStringBytes) ||
    (maxMembers < MAX_UNFLAGGED_OBJECT ? total > MEMBER_BYTES * maxMembers : guardFlags.members > maxMembers) ||
    (maxElements < MAX_UNFLAGGED_ARRAY ? total > ELEMENT_BYTES * maxElements : guardFlags.longestArray > maxElements) ||
    duplicateKeys === "reject" && guardFlags.hasDuplicate ||
    protoKeys === "reject" && guardFlags.hasProtoKey ||
    integers === "reject" && guardFlags.hasUnsafeInteger;
}

/**
 * Makes the value of a JSON text as the guards require. Returns it, or `FAILED` at a limit of the
 * engine, which `limitFailure` then has.
 *
 * @param origin Offset of the text in the input.
 */
export function buildText(bytes: Uint8Array, total: number, origin: number, guards: Guards): unknown {
  if (total > MAX_EXACT_INPUT) {
    // not covered: needs an input of more than 1 GiB
    failAtLimit("value-too-large", MAX_EXACT_INPUT);
    return FAILED;
  }
  const { number } = guards;
  let converted: unknown[] | null = null;
  if (number !== undefined) {
    beginParse();
    try {
      converted = convertNumbers(bytes, total, origin, number);
    } finally {
      endParse(SMALL_INPUT + 1);
    }
  }
  beginGuardFlags(Infinity, watchedBy(guards));
  try {
    const numbers = exactNumbers(guards, converted);
    const result = numbers === null ? parseDocument(bytes) : parseExact(bytes, total, numbers);
    if (result.ok) return result.value;
    failAtLimit(result.code as "value-too-large", result.offset);
    return FAILED;
  } finally {
    endGuardFlags();
  }
}

/** Returns the result of {@linkcode buildText}. */
function resultOf(bytes: Uint8Array, total: number, value: unknown): ParseResult {
  return value === FAILED ? failureAtLimit(bytes, total) : { ok: true, value };
}

/** Returns the failure of the limit that was reached, and resets it. */
export function failureAtLimit(bytes: Uint8Array, total: number, origin = 0): ParseFailure {
  const { code, offset } = limitFailure;
  limitFailure.code = null;
  return describeFailure(bytes, code!, origin + offset, total);
}
