/**
 * Lines and columns of input that arrives in pieces. They are counted while the pieces are read:
 * when a failure needs them, earlier pieces are gone.
 *
 * @module
 */

import { LINE_FEED } from "./ascii.ts";
import { type FailureCode, makeFailure, type ParseFailure } from "./failure.ts";

/** Line and column after the bytes counted so far. */
export interface LinePosition {
  /** Number of lines that have ended, and the offset at which the current line begins. */
  lines: number;
  lineStart: number;
  /** Bytes of the current line so far minus their UTF-16 code units. */
  excessBytes: number;
  /**
   * Whether the bytes so far end in a carriage return, which ends a line unless a line feed
   * follows.
   */
  isReturnPending: boolean;
}

export function newLinePosition(): LinePosition {
  return { lines: 0, lineStart: 0, excessBytes: 0, isReturnPending: false };
}

export function resetLinePosition(position: LinePosition): void {
  position.lines = 0;
  position.lineStart = 0;
  position.excessBytes = 0;
  position.isReturnPending = false;
}

/** Counts a line that ended before `offset` of the input. */
export function endLine(position: LinePosition, offset: number): void {
  position.lines++;
  position.lineStart = offset;
  position.excessBytes = 0;
}

/**
 * Decides on a carriage return that is pending before `offset` of the input: it has ended a line
 * unless `next`, the byte after it, is a line feed.
 */
export function countPendingReturn(position: LinePosition, offset: number, next: number): void {
  if (!position.isReturnPending) return;
  position.isReturnPending = false;
  if (next !== LINE_FEED) endLine(position, offset);
}

/**
 * Makes the failure at `offset` of the input; `byte` is the byte there, -1 for the end. `isCut`
 * says whether the input ends too early.
 *
 * Precondition: the bytes before `offset` were counted.
 */
export function failureAtOffset(
  { lines, lineStart, excessBytes }: LinePosition,
  offset: number,
  code: FailureCode,
  byte: number,
  isCut: boolean,
): ParseFailure {
  return makeFailure(code, byte, offset, lines + 1, offset - lineStart - excessBytes + 1, isCut);
}
