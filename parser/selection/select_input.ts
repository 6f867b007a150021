/** Selects from inputs of any size, with guards or without. */

import type { ParseResult } from "../base/failure.ts";
import { failureAtLimit } from "../options/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { lengthOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { type Guards, needsBuilding } from "../options/options.ts";
import {
  failureIn,
  failureOfLength,
  failWithoutMemory,
  privateBytes,
  violationIn,
} from "../options/validate_guarded.ts";
import { buildSelected } from "./build_selected.ts";
import { selectDocument } from "./select_document.ts";
import { selectLargeInput } from "./select_large.ts";
import type { SelectionNode } from "./selection_node.ts";

/** Selects the parts of a mask; `guards` is `null` if there are none. */
export function selectInput(input: Uint8Array, node: SelectionNode | null, guards: Guards | null): ParseResult {
  const total = lengthOf(input);
  const select = total > PARSE_WINDOW ? selectLargeInput : selectDocument; // not covered: needs 2 GiB
  if (guards === null) return select(input, node);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, guards.number !== undefined);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  if (!needsBuilding(guards)) {
    const result = select(bytes, node);
    return violationIn(bytes, total, guards, result.ok) ?? result;
  }
  const failure = failureIn(bytes, total, guards);
  if (failure !== null) return failure;
  const value = buildSelected(bytes, total, 0, guards, node);
  return value === FAILED ? failureAtLimit(bytes, total) : { ok: true, value };
}
