/**
 * Locates failures: the one place that decides what is wrong and where. If a token cannot be read,
 * the readers and loops of the parser only return a sentinel. Then the validator reads the token
 * again, from its first byte and in the state of the loop, and finds the failure, or that the bytes
 * end within the token.
 */

import { ZERO } from "../base/ascii.ts";
import { describeFailure, type FailureCode, limitFailure, type ParseFailure } from "../base/failure.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { smallBytes, smallViewOf } from "../engine/small_copy.ts";
import { BACKTRACK, beginsNoToken, codeOfByte, FIRST_KEY } from "./token_dfa.ts";
import { closeBrackets, codeOfEnd, codeOfWrongByte, type Machine, newInnerMachine, readPiece } from "./validator.ts";

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
  return describeFailure(input, failure.code, origin + failure.offset, total, failure.bytesEnd >= 0);
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
 * @param isLast Whether no bytes follow.
 */
export function locateFailure(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  end: number,
  state: number,
  isInObject: boolean,
  isLast: boolean,
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

/**
 * Locates the failure of a validator that {@linkcode readPiece} has stopped at `p`, before the
 * document is complete. Returns `false` if there is no failure: the bytes end there, and more
 * may follow.
 */
export function locateWhereStopped(stopped: Machine, bytes: Uint8Array, p: number, isLast: boolean): boolean {
  if (p < bytes.length) failure.code = codeOfWrongByte(stopped, bytes[p]);
  else if (!isLast) return false;
  // The parser fails only at input that the validator rejects, so the input may not end here.
  else failure.code = codeOfEnd(stopped, p) ?? "unexpected-end"; // not covered: it is never null here
  failure.offset = p - BACKTRACK[stopped.state];
  failure.bytesEnd = p < bytes.length ? -1 : p;
  return true;
}

/**
 * Returns whether more bytes could change what a reader of whole values has returned for `bytes`:
 * it has failed because they end, or has read a number up to their end.
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
