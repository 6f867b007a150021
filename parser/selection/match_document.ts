/** Tests a whole input for conditions. */

import { limitFailure, type ParseResult } from "../base/failure.ts";
import { lengthOf } from "../engine/input.ts";
import { PARSE_WINDOW, SMALL_INPUT } from "../engine/input_sizes.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { wipeSmall } from "../engine/small_copy.ts";
import { failWithoutMemory, privateBytes } from "../options/validate_guarded.ts";
import { areFulfilled, type Conditions, fulfils } from "./conditions.ts";
import { selectLargeInput } from "./select_large.ts";
import { newSelection, releaseSelection } from "./selection.ts";
import { failureOf, showInput } from "./whole_text.ts";

const selection = /* @__PURE__ */ newSelection();

/**
 * Returns whether an input fulfils all conditions, or its failure.
 *
 * @param windowSize Maximum bytes of an input whose positions are int32.
 */
export function matchDocument(
  input: Uint8Array,
  conditions: Conditions,
  windowSize: number = PARSE_WINDOW,
): ParseResult<boolean> {
  const total = lengthOf(input);
  const bytes = privateBytes(input, total, false);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  limitFailure.code = null; // of a call that could not clean up
  if (total > windowSize) return matchLargeInput(bytes, conditions, windowSize);
  try {
    showInput(selection, bytes, total);
    const value = fulfils(conditions, selection, skipByteOrderMark(selection.bytes, total));
    return failureOf(selection, total) ?? { ok: true, value };
  } finally {
    releaseSelection(selection);
    if (total <= SMALL_INPUT) wipeSmall(total);
  }
}

function matchLargeInput(bytes: Uint8Array, conditions: Conditions, windowSize: number): ParseResult<boolean> {
  const { passes, answers } = conditions;
  for (let i = 0; i < passes.length; i++) {
    const result = selectLargeInput(bytes, passes[i], null, windowSize);
    if (!result.ok) return result;
    answers[i] = result.value as number;
  }
  return { ok: true, value: areFulfilled(conditions) };
}
