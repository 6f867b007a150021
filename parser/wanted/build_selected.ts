/**
 * Makes the selected part of a valid JSON text as options say: other numbers, the first of equal
 * names, no names that poison prototypes. It is what the mask selects from the value that
 * `parseBinary` returns with these options.
 *
 * @module
 */

import { QUOTE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { buildValue } from "../guarded/build_value.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { buildText } from "../guarded/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import type { Guards } from "../guarded/options.ts";
import { readStringValue } from "../strings/read_string.ts";
import { NO_CACHE } from "../strings/string_cache.ts";
import { skipValue } from "../validation/skip_container.ts";
import type { MaskNode } from "./mask_node.ts";
import { isContainer, isSelected, type ItemSelection, selectItems, skipItem } from "./select_items.ts";

/**
 * Makes the part of a JSON text of `total` bytes that a mask wants; all of it for `null`. Returns
 * what `buildText` does, and `undefined` for a container of another kind than the mask.
 *
 * @param origin Offset of the text in the input.
 */
export function buildSelected(
  bytes: Uint8Array,
  total: number,
  origin: number,
  guards: Guards,
  node: MaskNode | null,
): unknown {
  if (node === null) return buildText(bytes, total, origin, guards);
  const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);

  function make(selection: ItemSelection, node: MaskNode | null, p: number): unknown {
    const c = bytes[p];
    if (node !== null && isContainer(c)) {
      return isSelected(node, c) ? selectItems(selection, node, p) : skipItem(selection, p);
    }
    const value = c === QUOTE
      ? readStringValue(bytes, view, NO_CACHE, p + 1, total, total) ?? FAILED // not covered: fails from 512 MiB on
      : buildValue(bytes, view, NO_CACHE, p, total, origin, guards);
    selection.position = cursor.position;
    return value;
  }

  beginParse();
  try {
    resetObjectPrototypeCheck();
    const skip = (p: number): number => skipValue(bytes, view, p, true);
    const selection = { bytes, total, guards, position: 0, skip, make };
    return make(selection, node, skipWhitespace(bytes, skipByteOrderMark(bytes, total), total));
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}
