/**
 * Keeps the bytes of a value until it has ended, and makes it then: for options that change values,
 * with which a value cannot be made piece by piece. Meanwhile the bytes are validated as they arrive.
 *
 * @module
 */

import { needsLineCount } from "../base/cursor.ts";
import { limitFailure } from "../base/limit_failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { buildText } from "../document/parse_guarded.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import type { Guards } from "../guards/options.ts";
import type { CompiledMask } from "../selecting/selector.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";
import { continueValidating, CUT_POSITION, stopped } from "../validation/skip_container.ts";
import { closeBrackets, type Machine, newInnerMachine } from "../validation/validator.ts";
import { FAILED, SUSPENDED, type ValueReader } from "./value_reader.ts";

/** Offset in place of one before a value. */
const NOWHERE = -1;

/** Reader of values that are made once their last byte has arrived. */
export interface ValueKeeper {
  readonly guards: Guards;
  /** Mask of each value; `null` for all of it. */
  readonly mask: CompiledMask | null;
  readonly machine: Machine;
  /** Offset in the input up to which the current value was validated. */
  validatedTo: number;
  /** Position after the value that has ended last. */
  end: number;
}

export function newValueKeeper(guards: Guards, mask: CompiledMask | null): ValueKeeper {
  return { guards, mask, machine: newInnerMachine(true), validatedTo: NOWHERE, end: 0 };
}

/** Goes back to the beginning of a value. */
export function resetValueKeeper(keeper: ValueKeeper): void {
  keeper.validatedTo = NOWHERE;
  closeBrackets(keeper.machine);
}

/**
 * Validates more of the value at the reader's position, which stays there. Returns `true` once it
 * has ended, or what `readValue` returns.
 */
export function validateKept(keeper: ValueKeeper, reader: ValueReader, end: number, isLast: boolean): unknown {
  const { machine } = keeper;
  const { bytes, view, origin } = reader.buffer;
  needsLineCount.passed = 1; // not known
  if (keeper.validatedTo === NOWHERE) {
    const start = reader.position = skipWhitespace(bytes, reader.position, end);
    if (start >= end) return locateFailure(bytes, view, start, end, VALUE, false, isLast) ? FAILED : SUSPENDED;
    machine.state = VALUE;
    closeBrackets(machine);
    keeper.validatedTo = origin + start;
  }
  const piece = new Uint8Array(bytes.buffer, 0, end);
  const p = continueValidating(machine, piece, view, keeper.validatedTo - origin, isLast);
  if (p >= 0) {
    keeper.end = p;
    return true;
  }
  keeper.validatedTo = origin + stopped.validatedTo;
  return p === CUT_POSITION ? SUSPENDED : FAILED;
}

/**
 * Makes the value at the reader's position that has ended. Returns it, or `FAILED` after locating
 * the limit of the engine that was met.
 *
 * Precondition: a parse was begun. It begins anew, since the program may be called back.
 */
export function buildKept({ guards, mask, end }: ValueKeeper, reader: ValueReader): unknown {
  const { buffer, position } = reader;
  reader.position = end;
  endParse(SMALL_INPUT + 1);
  let value: unknown;
  try {
    const bytes = new Uint8Array(buffer.bytes.buffer, position, end - position);
    const origin = buffer.origin + position;
    value = mask === null
      ? buildText(bytes, bytes.length, origin, guards)
      : mask.buildSelected(bytes, bytes.length, origin, guards, mask.node);
  } finally {
    beginParse();
    needsLineCount.passed = 1; // what the program has parsed meanwhile does not count
  }
  if (value !== FAILED) return value;
  failure.code = limitFailure.code!;
  failure.offset = position + limitFailure.offset;
  limitFailure.code = null;
  cut.at = -1;
  return FAILED;
}
