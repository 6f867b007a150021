/**
 * Makes the selected part of a valid JSON text as options say: other numbers, the first of equal
 * names, no names that poison prototypes. It is what the mask selects from the value that
 * `parseBinary` returns with these options.
 *
 * @module
 */

import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/limit_failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { buildValue } from "../document/build_value.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { buildText } from "../document/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { elementArray } from "../document/value_stack.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { copyRange, doubled, packedArray } from "../engine/arrays.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import type { Guards } from "../guards/options.ts";
import { readStringToken } from "../strings/read_string.ts";
import { NO_CACHE } from "../strings/string_cache.ts";
import { skipValue } from "../validation/skip_container.ts";
import { ARRAY_MASK, type MaskNode, OBJECT_MASK } from "./mask_node.ts";
import { joinMembers, makeSelected, MISSING, putOther } from "./selected_object.ts";

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const { hasOwn } = Object;

/** A text that is selected from. */
interface Text {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly origin: number;
  readonly guards: Guards;
}

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
  beginParse();
  try {
    resetObjectPrototypeCheck();
    const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
    return buildAt({ bytes, view, origin, guards }, node, skipByteOrderMark(bytes, total));
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}

/** Makes what is wanted of the value at `p`, and leaves the position after it in `cursor`. */
function buildAt(text: Text, node: MaskNode | null, p: number): unknown {
  const { bytes, view, origin, guards } = text;
  const end = bytes.length;
  p = skipWhitespace(bytes, p, end);
  const c = bytes[p];
  if (node === null || c !== OPEN_BRACE && c !== OPEN_BRACKET) {
    return buildValue(bytes, view, NO_CACHE, p, end, origin, guards);
  }
  if (node.kind !== (c === OPEN_BRACE ? OBJECT_MASK : ARRAY_MASK)) {
    cursor.position = skipValue(bytes, view, p, true);
    return undefined;
  }
  return c === OPEN_BRACE ? buildMembers(text, node, p) : buildElements(text, node.element, p);
}

function buildElements(text: Text, element: MaskNode | null, p: number): unknown {
  const { bytes } = text;
  const end = bytes.length;
  let items = packedArray<unknown>(8, null);
  let count = 0;
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACKET) {
    const value = buildAt(text, element, bytes[p] === COMMA ? p + 1 : p);
    if (value === FAILED) return FAILED;
    p = skipWhitespace(bytes, cursor.position, end);
    if (count === items.length) items = doubled(items);
    items[count++] = value === undefined ? null : value;
  }
  cursor.position = p + 1;
  return count === 0 ? [] : elementArray(items, 0, count);
}

/** Reads the name at `p`, or after a comma there. Leaves the position after the colon. */
function readName({ bytes, view }: Text, p: number): string | null {
  const end = bytes.length;
  if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, end);
  const name = readStringToken(bytes, view, p + 1, p + 1, end);
  if (name !== null) cursor.position = skipWhitespace(bytes, cursor.position, end) + 1;
  return name;
}

function buildMembers(text: Text, node: MaskNode, p: number): unknown {
  const { bytes, view, guards } = text;
  const { children, members, names, noValues, rest } = node;
  const end = bytes.length;
  const values = copyRange(noValues, 0, noValues.length);
  const others: Record<string, unknown> = {};
  const seen = guards.duplicateKeys === "first" ? { __proto__: null } as unknown as Record<number, true> : null;
  let found = 0;
  let leavesOut = false;
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACE) {
    const name = readName(text, p);
    if (name === null) return FAILED; // not covered: needs a string of more than 536,870,888 characters
    const member = members[name] ?? -1;
    const isDropped = guards.protoKeys === "drop" && name === "__proto__" ||
      seen !== null && (member >= 0 ? seen[member] === true : hasOwn(others, name));
    if (isDropped || member < 0 && rest === undefined) {
      p = skipWhitespace(bytes, skipValue(bytes, view, cursor.position, true), end);
      continue;
    }
    let value = buildAt(text, member >= 0 ? children[member] : rest!, p = cursor.position);
    if (value === FAILED) return FAILED;
    const next = cursor.position;
    if (guards.protoKeys === "drop" && name === "constructor" && hasPrototype(text, p)) value = undefined;
    p = skipWhitespace(bytes, next, end);
    if (value === undefined) value = MISSING;
    if (member >= 0) {
      values[member] = value;
      if (seen !== null) seen[member] = true;
      found = value === MISSING ? found & ~(1 << member) : found | 1 << member;
    } else {
      if (value === MISSING) leavesOut = true;
      if (!putOther(others, name, 0, value)) {
        // not covered: needs 8,388,608 members
        failAtLimit("value-too-large", next - 1);
        return FAILED;
      }
    }
  }
  cursor.position = p + 1;
  if (rest === undefined) return makeSelected(node, values, found);
  return joinMembers(node, names.length === 0 ? noValues : values, found, others, leavesOut);
}

/** Returns whether the value at `p` is an object with a member `prototype`. */
function hasPrototype(text: Text, p: number): boolean {
  const { bytes, view } = text;
  const end = bytes.length;
  p = skipWhitespace(bytes, p, end);
  if (bytes[p] !== OPEN_BRACE) return false;
  p = skipWhitespace(bytes, p + 1, end);
  while (bytes[p] !== CLOSE_BRACE) {
    if (readName(text, p) === "prototype") return true;
    p = skipWhitespace(bytes, skipValue(bytes, view, cursor.position, true), end);
  }
  return false;
}
