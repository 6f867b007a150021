/** Selects from inputs of any size, with guards or without. */

import type { ParseResult } from "../base/failure.ts";
import { failureAtLimit } from "../options/parse_guarded.ts";
import { parseDocument } from "../document/parse_document.ts";
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
import { valueMaker } from "./value_maker.ts";

/** Selects the parts of a mask; `guards` is `null` if there are none. */
export function selectInput(input: Uint8Array, node: SelectionNode | null, guards: Guards | null): ParseResult {
  const total = lengthOf(input);
  if (guards === null) return select(input, total, node);
  const tooLong = failureOfLength(input, total, guards);
  if (tooLong !== null) return tooLong;
  const bytes = privateBytes(input, total, guards.number !== undefined);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  if (!needsBuilding(guards)) {
    const result = select(bytes, total, node);
    return violationIn(bytes, total, guards, result.ok) ?? result;
  }
  const failure = failureIn(bytes, total, guards);
  if (failure !== null) return failure;
  const value = buildSelected(bytes, total, 0, guards, node);
  return value === FAILED ? failureAtLimit(bytes, total) : { ok: true, value };
}

function select(input: Uint8Array, total: number, node: SelectionNode | null): ParseResult {
  if (total <= PARSE_WINDOW) return selectDocument(input, node);
  // not covered: needs 2 GiB
  return node === null ? parseDocument(input) : selectLargeInput(input, node, valueMaker);
}
