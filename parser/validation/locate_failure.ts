/**
 * Locates failures: the one place that decides what is wrong and where, or that the bytes only end
 * too early. If a token cannot be read, the readers and loops of the parser only return a sentinel.
 * Then the validator reads the token again, from its first byte and in the state of the loop, and
 * finds the failure, or that the bytes end within the token.
 */

import { MARK_LEAD, ZERO } from "../base/ascii.ts";
import { lineCountHints } from "../base/cursor.ts";
import { describeFailure, type FailureCode, limitFailure, type ParseFailure } from "../base/failure.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { smallBytes, smallViewOf } from "../engine/small_copy.ts";
import { BACKTRACK, beginsNoToken, codeOfByte, DONE, FIRST_KEY } from "./token_dfa.ts";
import {
  closeBrackets,
  codeOfEnd,
  codeOfWrongByte,
  INNER_START,
  type Machine,
  newInnerMachine,
  readPiece,
} from "./validator.ts";

/** Returned instead of a position after a failure was located. */
export const FAILED_POSITION = -1;
/** Returned instead of a position if the bytes end within a value, and more may follow. */
export const INCOMPLETE_POSITION = -2;

const machine = /* @__PURE__ */ newInnerMachine(false);

/** Failure located last. Its offset is relative to the first of the bytes. */
export const failure: {
  code: FailureCode;
  offset: number;
  /** Position after the last of the bytes if the failure is that they end; otherwise -1. */
  bytesEnd: number;
} = { code: "unexpected-end", offset: 0, bytesEnd: -1 };

/** Records a failure other than that the bytes end. */
export function setFailure(code: FailureCode, offset: number): void {
  failure.code = code;
  failure.offset = offset;
  failure.bytesEnd = -1;
}

/**
 * Describes the failure located last, for an input of `total` bytes.
 *
 * @param origin Offset of the bytes in the input.
 */
export function describeLocated(input: Uint8Array, total: number, origin: number = 0): ParseFailure {
  const offset = origin + failure.offset;
  return describeFailure(input, failure.code, offset, total, isTruncation(input, total, offset));
}

/**
 * Returns whether the failure located last, at an offset of an input of `length` bytes, is only that
 * the input ends too early. It may end within a byte-order mark, too.
 */
export function isTruncation(bytes: Uint8Array, length: number, offset: number): boolean {
  return failure.bytesEnd >= 0 || offset === 0 && isIncompleteByteOrderMark(bytes, length);
}

/** Returns whether an input of `length` bytes is the beginning of a byte-order mark. */
export function isIncompleteByteOrderMark(bytes: Uint8Array, length: number): boolean {
  return (length === 1 || length === 2 && bytes[1] === 0xbb) && bytes[0] === MARK_LEAD;
}

/**
 * Locates the failure of a token that could not be read, and records it in {@linkcode failure}. A
 * limit of the engine that was reached takes precedence. Returns `false` if there is no failure:
 * the bytes end within the token, and more may follow.
 *
 * @param p Position of the first byte of the token.
 * @param end Position after the last of the bytes.
 * @param state State of the automaton before the token: see `token_dfa.ts`.
 * @param isInObject Whether the innermost container is an object.
 * @param isLast Whether no bytes follow, as for readers of whole values.
 */
export function locateFailure(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  state: number,
  isInObject: boolean,
  isLast: boolean = true,
): boolean {
  if (limitFailure.code !== null) {
    setFailure(limitFailure.code, limitFailure.offset);
    limitFailure.code = null;
    return true;
  }
  // Shortcut for text that is not JSON at all (failure at the first byte of 512 B: 155 → 125 ns).
  if (p < end && state <= FIRST_KEY && beginsNoToken(bytes[p])) {
    setFailure(codeOfByte(state, bytes[p]), p);
    return true;
  }
  machine.state = state;
  if (p >= end && !isLast) return false;
  closeBrackets(machine);
  machine.brackets = isInObject ? 3 : 2; // one bracket, below the sentinel bit
  machine.isReturnPending = false;
  const piece = viewUpTo(bytes, end);
  const isLocated = locateWhereStopped(machine, piece, readPiece(machine, piece, view, p), isLast);
  closeBrackets(machine);
  return isLocated;
}

/** Like {@linkcode locateFailure}, for a validator that has stopped at `p`. */
function locateWhereStopped(stopped: Machine, bytes: Uint8Array, p: number, isLast: boolean): boolean {
  if (p < bytes.length) failure.code = codeOfWrongByte(stopped, bytes[p]);
  else if (!isLast) return false;
  // The parser fails only at input that the validator rejects, so the input may not end here.
  else failure.code = codeOfEnd(stopped, p) ?? "unexpected-end"; // not covered: it is never null here
  failure.offset = p - BACKTRACK[stopped.state];
  failure.bytesEnd = p < bytes.length ? -1 : p;
  return true;
}

/** Positions at which {@linkcode continueValidating} has stopped within a value. */
export const stopped: { validatedTo: number; keptFrom: number } = { validatedTo: 0, keptFrom: 0 };

/**
 * Validates more of a value, from `p` on: the only way to continue an incomplete one. Returns the
 * position after the value, {@linkcode FAILED_POSITION} after locating the failure, or
 * {@linkcode INCOMPLETE_POSITION} if more bytes may follow.
 *
 * In the last two cases, leaves in {@linkcode stopped} where to continue with the next bytes,
 * and the first byte that must be kept until then: the failure of an incomplete character is at
 * its beginning.
 *
 * Precondition: `machine` was made by `newInnerMachine`, and `bytes` has nothing after the
 * input.
 */
export function continueValidating(
  machine: Machine,
  bytes: Uint8Array,
  view: DataView,
  p: number,
  isLast: boolean,
): number {
  machine.isReturnPending = false;
  machine.lines = machine.excessBytes = 0;
  p = readPiece(machine, bytes, view, p);
  if ((machine.lines | machine.excessBytes) !== 0 || machine.isReturnPending) lineCountHints.passed = 1;
  if (machine.state === DONE) return machine.documentEnd - INNER_START;
  stopped.validatedTo = p;
  stopped.keptFrom = p - BACKTRACK[machine.state];
  // A number may end where the input ends; whether the input may is for the caller to say.
  if (isLast && p >= bytes.length && codeOfEnd(machine, p) === null) return p;
  return locateWhereStopped(machine, bytes, p, isLast) ? FAILED_POSITION : INCOMPLETE_POSITION;
}

/**
 * Returns whether more bytes could change what a reader of whole values has returned: it has failed
 * because the bytes end, or has read a number up to their end.
 *
 * @param p Position after the value; negative after the failure located last.
 */
export function isIncomplete(bytes: Uint8Array, p: number): boolean {
  return p < 0 ? failure.bytesEnd >= 0 : p === bytes.length && p > 0 && bytes[p - 1] - ZERO >>> 0 <= 9;
}

/** State of the automaton at the end of bytes, after {@linkcode locateFailure} returned `false`. */
export function stateAtEnd(): number {
  return machine.state;
}

/** Returns the bytes up to `end`, by a view that exists already if there is one. */
function viewUpTo(bytes: Uint8Array, end: number): Uint8Array {
  if (lengthOf(bytes) === end) return bytes;
  return bytes === smallBytes ? smallViewOf(end) : new Uint8Array(bufferOf(bytes), offsetOf(bytes), end);
}
