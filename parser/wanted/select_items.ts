/**
 * Selects from containers of a document one value at a time, along the mask only. Slower than
 * `select_value.ts`, it leaves open how a value is made.
 *
 * @module
 */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "../base/ascii.ts";
import { failAtLimit } from "../base/limit_failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { FAILED } from "../document/parse_scalar.ts";
import type { Guards } from "../guarded/options.ts";
import { ARRAY_MASK, type MaskNode, OBJECT_MASK } from "./mask_node.ts";
import { closeFrame, enterMember, type Frame, newFrame, putValue } from "./selected_frame.ts";

const { hasOwn } = Object;

/** Document that is selected from. */
export interface ItemSelection {
  readonly bytes: Uint8Array;
  readonly total: number;
  /** Options that leave out members; `null` for none. */
  readonly guards: Guards | null;
  /** Position after the value read last. */
  position: number;
  /** Checks the value at `p`. Returns the position after it; a negative one if it is not JSON. */
  readonly skip: (p: number) => number;
  /**
   * Returns what is wanted of the value at `p`, which is `undefined` for a container of another kind
   * than that of the node, or `FAILED`. Leaves the position after it.
   */
  readonly make: (selection: ItemSelection, node: MaskNode | null, p: number) => unknown;
}

/** Returns whether a value with this first byte is a container. */
export function isContainer(c: number): boolean {
  return (c | 0x20) === OPEN_BRACE;
}

/** Returns whether a mask selects from a value with this first byte, a container. */
export function isSelected({ kind }: MaskNode, c: number): boolean {
  return c === OPEN_BRACE && kind === OBJECT_MASK || c === OPEN_BRACKET && kind === ARRAY_MASK;
}

/** Skips the value at `p`. Returns `undefined`, or `FAILED`. */
export function skipItem(selection: ItemSelection, p: number): undefined | typeof FAILED {
  selection.position = selection.skip(p);
  return selection.position < 0 ? FAILED : undefined;
}

/**
 * Selects from the container at `p`, which is of the node's kind. Returns `FAILED` if it is not
 * JSON, or at a limit of the engine, which `limitFailure` then has.
 */
export function selectItems(selection: ItemSelection, node: MaskNode, p: number): unknown {
  const { bytes, total, guards } = selection;
  const frame = newFrame(node, null);
  const closing = frame.isObject ? CLOSE_BRACE : CLOSE_BRACKET;
  const seen: Seen = { __proto__: null };
  p = skipWhitespace(bytes, p + 1, total);
  for (let isFirst = true; p >= total || bytes[p] !== closing; isFirst = false) {
    if (!isFirst) {
      if (p >= total || bytes[p] !== COMMA) return FAILED;
      p = skipWhitespace(bytes, p + 1, total);
    }
    let child: MaskNode | null | undefined = node.element;
    if (frame.isObject) {
      const name = readName(selection, p);
      if (name === null) return FAILED;
      child = enterMember(frame, name);
      if (child !== undefined && guards !== null && isLeftOut(guards, frame, seen)) child = undefined;
      p = selection.position;
    }
    let value = child === undefined ? skipItem(selection, p) : selection.make(selection, child, p);
    if (value === FAILED) return FAILED;
    const end = selection.position;
    if (child !== undefined) {
      if (frame.isObject && frame.name === "constructor" && guards?.protoKeys === "drop") {
        if (hasPrototype(selection, p)) value = undefined;
      }
      if (!putValue(frame, value)) {
        // not covered: needs 8,388,608 members
        failAtLimit("value-too-large", end - 1);
        return FAILED;
      }
    }
    p = skipWhitespace(bytes, end, total);
  }
  selection.position = p + 1;
  return closeFrame(frame);
}

/** Members of a mask that were met. */
type Seen = Record<number, boolean> & { __proto__: null };

/** Returns whether options leave out the current member of an object. */
function isLeftOut({ duplicateKeys, protoKeys }: Guards, { member, name, others }: Frame, seen: Seen): boolean {
  if (protoKeys === "drop" && name === "__proto__") return true;
  if (duplicateKeys !== "first") return false;
  if (member < 0) return hasOwn(others!, name);
  const wasSeen = seen[member] === true;
  seen[member] = true;
  return wasSeen;
}

/** Reads the name at `p`, and leaves the position of its value. Returns `null` if there is none. */
function readName(selection: ItemSelection, p: number): string | null {
  const { bytes, total } = selection;
  const name = p < total && bytes[p] === QUOTE ? selection.make(selection, null, p) : FAILED;
  if (name === FAILED) return null;
  const colon = skipWhitespace(bytes, selection.position, total);
  if (colon >= total || bytes[colon] !== COLON) return null;
  selection.position = skipWhitespace(bytes, colon + 1, total);
  return name as string;
}

/** Returns whether the value at `p`, which is valid, is an object with a member `prototype`. */
function hasPrototype(selection: ItemSelection, p: number): boolean {
  const { bytes, total } = selection;
  if (bytes[p] !== OPEN_BRACE) return false;
  const { position } = selection;
  let isFound = false;
  for (p = skipWhitespace(bytes, p + 1, total); bytes[p] !== CLOSE_BRACE && !isFound;) {
    if (bytes[p] === COMMA) p = skipWhitespace(bytes, p + 1, total);
    isFound = readName(selection, p) === "prototype";
    skipItem(selection, selection.position);
    p = skipWhitespace(bytes, selection.position, total);
  }
  selection.position = position;
  return isFound;
}
