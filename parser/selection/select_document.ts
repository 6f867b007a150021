/** Selects from a whole input. */

import type { ParseResult } from "../base/failure.ts";
import { cursor } from "../base/cursor.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { newSuspension, releaseSuspendedStack, resetSuspension } from "../document/suspension.ts";
import { releaseTables } from "../document/value_stack.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { copySmall, smallView, smallViewOf } from "../engine/small_copy.ts";
import { newStringCache, NO_CACHE } from "../strings/string_cache.ts";
import { describeLocated, locateFailure } from "../validation/locate_failure.ts";
import { DONE } from "../validation/token_dfa.ts";
import { failWithoutMemory } from "../options/validate_guarded.ts";
import type { SelectionNode } from "./selection_node.ts";
import { type Selection, selectValue } from "./whole_walker.ts";

/**
 * Minimum size of an input that gets a string cache. Selecting makes fewer strings than parsing all
 * of it (messages of 800 B: +8 %).
 */
const CACHED_INPUT = 1 << 14;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));

const suspension = /* @__PURE__ */ newSuspension();
/** State of the selection from whole inputs. */
const selection: Selection = {
  bytes: NO_BYTES,
  view: NO_VIEW,
  cache: NO_CACHE,
  suspension,
};

/** Selects from a whole input. Reads a copy of shared memory. */
export function selectDocument(input: Uint8Array, node: SelectionNode | null): ParseResult {
  const total = lengthOf(input);
  const bytes = total > SMALL_INPUT && isShared(input) ? windowOf(input, 0, total) : input;
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  beginParse();
  try {
    if (total <= SMALL_INPUT) {
      copySmall(input, total);
      selection.bytes = smallViewOf(total);
      selection.view = smallView;
    } else {
      selection.bytes = bytes;
      selection.view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
    }
    selection.cache = total < CACHED_INPUT ? NO_CACHE : newStringCache(total);
    resetObjectPrototypeCheck();
    return selectText(node, total);
  } finally {
    selection.bytes = NO_BYTES;
    selection.view = NO_VIEW;
    selection.cache = suspension.cache = NO_CACHE;
    resetSuspension(suspension);
    releaseSuspendedStack(suspension);
    releaseTables();
    endParse(total);
  }
}

function selectText(node: SelectionNode | null, total: number): ParseResult {
  const { bytes, view } = selection;
  const value = selectValue(selection, node, skipByteOrderMark(bytes, total));
  let p = cursor.position;
  if (p >= 0) {
    p = skipWhitespace(bytes, p, total);
    if (p >= total) return { ok: true, value };
    locateFailure(bytes, view, p, total, DONE, false, true);
  }
  return describeLocated(bytes, total);
}
