/**
 * Selects from an input of more than 2 GiB, in which positions are not int32: as from chunks, which
 * are windows onto the input.
 */

import { describeFailure, limitFailure, type ParseResult } from "../base/failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { newValueReader, readWindows } from "../document/value_reader.ts";
import { isShared, lengthOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { describeLocated } from "../validation/locate_failure.ts";
import { codeOfByte, DONE } from "../validation/token_dfa.ts";
import { failWithoutMemory } from "../options/validate_guarded.ts";
import { newSelectedReader } from "./read_selected.ts";
import type { ValueMaker } from "./selection.ts";
import type { SelectionNode } from "./selection_node.ts";

/**
 * Like `selectDocument`, for inputs of any size. Shared memory needs a copy, for which there may be
 * no memory.
 *
 * @param maker Functions that make values; `null` for a tree of tests.
 * @param windowSize Bytes of a window. One that a token does not fit into is doubled.
 */
export function selectLargeInput(
  input: Uint8Array,
  node: SelectionNode,
  maker: ValueMaker | null,
  windowSize: number = PARSE_WINDOW,
): ParseResult {
  const total = lengthOf(input);
  const bytes = isShared(input) ? windowOf(input, 0, total) : input;
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  limitFailure.code = null; // of a call that could not clean up
  const reader = newValueReader();
  const parts = newSelectedReader(reader, node, maker, Infinity);
  reader.position = skipByteOrderMark(bytes, total);
  const value = readWindows(reader, bytes, total, windowSize, () => {
    maker?.beginReading(reader);
    try {
      return parts.read(reader);
    } finally {
      maker?.endReading(reader);
    }
  });
  const { origin } = reader.buffer;
  if (value === FAILED) return describeLocated(bytes, total, origin);
  const p = skipWhitespace(bytes, origin + reader.position, total);
  return p < total ? describeFailure(bytes, codeOfByte(DONE, bytes[p]), p, total) : { ok: true, value };
}
