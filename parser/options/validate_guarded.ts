/** Checks a whole input with guards, and locates violations that a parse may have flagged. */

import { describeFailure, type ParseFailure } from "../base/failure.ts";
import { isShared, lengthOf } from "../engine/input.ts";
import { copyOf, viewOf } from "../engine/input_view.ts";
import { endGuarded, newInputGuard, readGuarded } from "./input_guard.ts";
import { type Guards, needsCheck } from "./options.ts";
import { closeBrackets, failureAtEnd, newMachine, readAll, resetMachine } from "../validation/validator.ts";

/** State of whole inputs. One is enough, since validation calls no code of the caller. */
const machine = /* @__PURE__ */ newMachine(false, false);

/** Returns the failure of an input of more than `maxBytes`, or `null`. */
export function failureOfLength(bytes: Uint8Array, total: number, { maxBytes }: Guards): ParseFailure | null {
  return total > maxBytes ? describeFailure(bytes, "too-many-bytes", maxBytes, total) : null;
}

/** Returns the failure when the input cannot be copied. */
export function failWithoutMemory(input: Uint8Array, total: number): ParseFailure {
  // not covered: needs an engine without memory
  return describeFailure(input, "value-too-large", 0, total);
}

/** Checks an input with guards. Returns its failure, or `null`. */
export function validateGuarded(input: Uint8Array, guards: Guards): ParseFailure | null {
  const total = lengthOf(input);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, false);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  return failureIn(bytes, total, guards);
}

/** Returns the failure of bytes that are not a JSON text, or `null`. */
export function failureOfText(bytes: Uint8Array): ParseFailure | null {
  resetMachine(machine);
  const failure = readAll(machine, bytes) ?? failureAtEnd(machine, 0);
  closeBrackets(machine);
  return failure;
}

/** Returns the failure of a complete input, or `null`. */
export function failureIn(bytes: Uint8Array, total: number, guards: Guards): ParseFailure | null {
  const failure = failureOfText(bytes);
  return violationIn(bytes, total, guards, failure === null) ?? failure;
}

/** Returns bytes that no thread or, if `mustCopy`, program can change; `null` without memory. */
export function privateBytes(input: Uint8Array, total: number, mustCopy: boolean): Uint8Array | null {
  return mustCopy || isShared(input) ? copyOf(viewOf(input, 0, total)) : input;
}

/** Returns a violation; `null` if there is none, or if the input is not JSON up to it. */
export function violationIn(bytes: Uint8Array, total: number, guards: Guards, isText: boolean): ParseFailure | null {
  if (!needsCheck(guards)) return null;
  const guard = newInputGuard(guards);
  const end = readGuarded(guard, bytes, 0, total);
  if (isText) endGuarded(guard);
  if (guard.violation === null) return null;
  const failure = isText ? null : failureOfText(viewOf(bytes, 0, end));
  return failure === null || failure.truncated ? guard.violation : null;
}
