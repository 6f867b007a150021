/** Tests a whole input for conditions. */

import type { ParseResult } from "../base/failure.ts";
import { lengthOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { failWithoutMemory, privateBytes } from "../options/validate_guarded.ts";
import { areFulfilled, type Conditions } from "./conditions.ts";
import { selectDocument } from "./select_document.ts";
import { selectLargeInput } from "./select_large.ts";

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
  const { passes, answers } = conditions;
  for (let i = 0; i < passes.length; i++) {
    const result = total > windowSize
      ? selectLargeInput(bytes, passes[i], windowSize)
      : selectDocument(bytes, passes[i]);
    if (!result.ok) return result;
    answers[i] = result.value as number;
  }
  return { ok: true, value: areFulfilled(conditions) };
}
