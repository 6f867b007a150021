/**
 * Skips values that are not wanted: checks them, and makes nothing of them.
 *
 * @module
 */

import * as cursors from "../base/cursor.ts";
import * as dfa from "../validation/token_dfa.ts";
import { locateWhereStopped } from "../validation/locate_failure.ts";
import * as validator from "../validation/validator.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const needsLineCount = cursors.needsLineCount;
const DONE = dfa.DONE, VALUE = dfa.VALUE;
const codeOfEnd = validator.codeOfEnd, readPiece = validator.readPiece;

/** Position returned in place of one after a failure was located. */
export const FAILED_POSITION = -1;
/** Position returned in place of one where the bytes end within a token, and more may follow. */
export const CUT_POSITION = -2;

const machine = validator.newMachine(false, true);
// A byte-order mark begins an input, and was skipped then.
const PIECE_START = 1;
machine.pieceStart = PIECE_START;

type SkipValue = (bytes: Uint8Array, view: DataView, p: number, isLast: boolean) => number;

/**
 * Skips the value that begins at `p` or after whitespace. Returns the position after it,
 * {@linkcode FAILED_POSITION} or {@linkcode CUT_POSITION}.
 *
 * Precondition: the bytes end where the array ends; `isLast` if no more follow.
 */
export const skipValue = (function skipValue(bytes, view, p, isLast) {
  machine.state = VALUE;
  machine.brackets = 1;
  machine.outerCount = 0;
  machine.isReturnPending = false;
  machine.lines = 0;
  machine.excessBytes = 0;
  p = readPiece(machine, bytes, view, p);
  if ((machine.lines | machine.excessBytes) !== 0) needsLineCount.passed = 1;
  if (machine.state === DONE) return machine.documentEnd - PIECE_START;
  // A number may end where the input ends; whether the input may is for the caller to say.
  if (isLast && p >= bytes.length && codeOfEnd(machine, p) === null) return p;
  return locateWhereStopped(machine, bytes, p, isLast) ? FAILED_POSITION : CUT_POSITION;
} satisfies SkipValue).valueOf() as SkipValue;
