/** Selects from a whole input. */

import type { ParseResult } from "../base/failure.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { newSuspension, releaseSuspendedStack, resetSuspension } from "../document/suspension.ts";
import { releaseTables } from "../document/value_stack.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { isShared, lengthOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { newStringCache, NO_CACHE } from "../strings/string_cache.ts";
import { failWithoutMemory } from "../options/validate_guarded.ts";
import { newSelection, releaseSelection } from "./selection.ts";
import type { SelectionNode } from "./selection_node.ts";
import { valueMaker } from "./value_maker.ts";
import { failureOf, showInput } from "./whole_text.ts";
import { selectValue } from "./whole_walker.ts";

/**
 * Minimum size of an input that gets a string cache. Selecting makes fewer strings than parsing all
 * of it (messages of 800 B: +8 %).
 */
const CACHED_INPUT = 1 << 14;

const suspension = /* @__PURE__ */ newSuspension();
/** State of the selection from whole inputs. */
const selection = /* @__PURE__ */ newSelection(valueMaker, suspension);

/** Selects from a whole input. Reads a copy of shared memory. */
export function selectDocument(input: Uint8Array, node: SelectionNode | null): ParseResult {
  const total = lengthOf(input);
  const bytes = total > SMALL_INPUT && isShared(input) ? windowOf(input, 0, total) : input;
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  beginParse();
  try {
    showInput(selection, bytes, total);
    selection.cache = total < CACHED_INPUT ? NO_CACHE : newStringCache(total);
    resetObjectPrototypeCheck();
    const value = selectValue(selection, node, skipByteOrderMark(selection.bytes, total));
    return failureOf(selection, total) ?? { ok: true, value };
  } finally {
    releaseSelection(selection);
    suspension.cache = NO_CACHE;
    resetSuspension(suspension);
    releaseSuspendedStack(suspension);
    releaseTables();
    endParse(total);
  }
}
