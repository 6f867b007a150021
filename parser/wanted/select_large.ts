/**
 * Selects from an input of more than 2 GiB, in which positions are no int32. A container that is
 * too large for the loop that reads whole inputs is read one value at a time: each is skipped, and
 * so checked, before that loop selects from it.
 *
 * @module
 */

import { describeFailure } from "../base/failure.ts";
import { failAtLimit, limitFailure } from "../base/limit_failure.ts";
import type { ParseResult } from "../base/parse_result.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { parseDocument, parseRange } from "../document/parse_document.ts";
import { failureAtLimit } from "../guarded/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { resetArrayPrototypeCheck } from "../engine/arrays.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { cut, failure } from "../validation/locate_failure.ts";
import { newLargeInput, skipInLarge } from "../validation/skip_large.ts";
import { codeOfByte, DONE, VALUE } from "../validation/token_dfa.ts";
import { failWithoutMemory } from "../guarded/validate_guarded.ts";
import type { MaskNode } from "./mask_node.ts";
import { selectDocument } from "./select_document.ts";
import { isContainer, isSelected, type ItemSelection, selectItems, skipItem } from "./select_items.ts";

/**
 * Does what `selectDocument` does. Shared memory needs a copy, for which there may be no memory.
 *
 * @param windowSize Most bytes of a value for the loop that reads whole inputs.
 */
export function selectLargeInput(
  input: Uint8Array,
  mask: MaskNode | null,
  windowSize: number = PARSE_WINDOW,
): ParseResult {
  if (mask === null) return parseDocument(input);
  const total = lengthOf(input);
  const bytes = isShared(input) ? windowOf(input, 0, total) : input;
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  limitFailure.code = null; // of a call that could not clean up
  resetArrayPrototypeCheck();
  resetObjectPrototypeCheck();
  const large = newLargeInput(bytes, total, windowSize);

  function make(selection: ItemSelection, node: MaskNode | null, p: number): unknown {
    if (skipItem(selection, p) === FAILED) return FAILED;
    const size = selection.position - p;
    const mask = isContainer(bytes![p]) ? node : null;
    if (mask !== null && size > windowSize) {
      return isSelected(mask, bytes![p]) ? selectItems(selection, mask, p) : undefined;
    }
    const result = mask === null
      ? parseRange(bytes!, p, size)
      : selectDocument(new Uint8Array(bufferOf(bytes!), offsetOf(bytes!) + p, size), mask);
    if (!result.ok) {
      // not covered: needs a value for which the engine has no room
      failAtLimit(result.code as "value-too-large", p + result.offset);
      return FAILED;
    }
    return result.value;
  }

  const skip = (p: number): number => skipInLarge(large, p, 1, VALUE);
  const selection = { bytes, total, guards: null, position: 0, skip, make };
  const start = skipWhitespace(bytes, skipByteOrderMark(bytes, total), total);
  const value = isSelected(mask, bytes[start]) ? selectItems(selection, mask, start) : make(selection, mask, start);
  const end = value === FAILED ? -1 : skipWhitespace(bytes, selection.position, total);
  if (end >= total) return { ok: true, value };
  if (limitFailure.code !== null) return failureAtLimit(bytes, total); // not covered: as above
  // The validator tells what is wrong, from the beginning on.
  const p = end < 0 ? skipInLarge(large, start, 1, VALUE) : end;
  if (p >= 0) {
    failure.offset = skipWhitespace(bytes, p, total);
    failure.code = codeOfByte(DONE, bytes[failure.offset]);
    cut.at = -1;
  }
  return describeFailure(bytes, failure.code, failure.offset, total, cut.at >= 0);
}
