/**
 * Locates the values at JSON Pointers in bytes that are all there.
 *
 * @module
 */

import { CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { decodeName, MAX_ESCAPE, propertyNameOf } from "../base/decode_name.ts";
import { needsAttention } from "../base/swar.ts";
import { lowestByte } from "../base/swar.ts";
import { skipIndentation, skipWhitespace } from "../base/whitespace.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { skipItems } from "../validation/skip_container.ts";
import { type LargeInput, newLargeInput, skipInLarge } from "../validation/skip_large.ts";
import { AFTER_ELEMENT, FIRST_KEY, FIRST_VALUE, KEY, VALUE } from "../validation/token_dfa.ts";
import { findMember } from "./name_table.ts";
import type { PointerNode, PointerTree } from "./pointer_node.ts";

const { apply } = Reflect;
const { charCodeAt } = String.prototype;

/** Position returned in place of one once all answers are certain. */
export const STOPPED_POSITION = -3;

/** Container on the path of a pointer that is being read. */
interface Frame {
  readonly node: PointerNode;
  /** 1 for an object, 0 for an array. */
  readonly isObject: number;
  /** Number of elements before the next one, and the next child of the node among them. */
  index: number;
  nextChild: number;
  readonly outer: Frame | null;
}

/**
 * Locates the values of pointers, from position `p` on, and leaves them in the nodes of the tree.
 * Returns the position after the value there, `FAILED_POSITION` after a failure was located, or
 * {@linkcode STOPPED_POSITION}, with the position in `cursor`.
 *
 * Cost: linear in the bytes, whatever the number of pointers.
 *
 * @param stops Whether the first of members with the same name counts, and reading stops once all
 * answers are certain. Otherwise the last one counts.
 * @param windowSize Bytes of the largest input whose positions are int32. In a larger one they are doubles
 * here, and the loops that need int32 read it through windows.
 */
export function locateValues(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  { root }: PointerTree,
  stops: boolean,
  windowSize: number = PARSE_WINDOW,
): number {
  const end = bytes.length;
  const large = end > windowSize ? newLargeInput(bytes, end, windowSize) : null;
  let open = root.pointerCount;
  let frame: Frame | null = null;
  let node = root;
  for (;;) {
    // The value at a node.
    if (p < end && bytes[p] <= SPACE) p = skipSpace(bytes, view, p, end, large);
    beginValue(node, p);
    const c: number = p < end ? bytes[p] : 0;
    let isFirst = false;
    if (c === OPEN_BRACE && node.names.length > 0 || c === OPEN_BRACKET && node.elements.length > 0) {
      frame = { node, isObject: c >> 5 & 1, index: 0, nextChild: 0, outer: frame };
      isFirst = true;
      p++;
    } else {
      p = skip(bytes, view, p, 1, VALUE, large);
      if (p < 0) return p;
      open -= endValue(node, p);
    }
    // The tokens up to the next value at a node.
    next: for (;;) {
      if (frame === null) return p;
      if (stops && open === 0) {
        cursor.position = p;
        return STOPPED_POSITION;
      }
      const { isObject } = frame;
      if (p < end && bytes[p] <= SPACE) p = skipSpace(bytes, view, p, end, large);
      let c = p < end ? bytes[p] : 0;
      if ((c ^ CLOSE_BRACKET) === isObject << 5) {
        p++;
        open -= endValue(frame.node, p);
        frame = frame.outer;
        isFirst = false;
        continue;
      }
      if (!isFirst) {
        if (c !== COMMA) return skip(bytes, view, p, 2 | isObject, AFTER_ELEMENT + isObject, large);
        p++;
        if (p < end && bytes[p] <= SPACE) p = skipSpace(bytes, view, p, end, large);
        c = p < end ? bytes[p] : 0;
      }
      let child: PointerNode | null = null;
      if (isObject === 1) {
        const state = isFirst ? FIRST_KEY : KEY;
        if (c !== QUOTE) return skip(bytes, view, p, 3, state, large);
        const name = p++;
        let attention = 0;
        for (; p <= end - 4; p += 4) {
          attention = needsAttention(view.getInt32(p, true));
          if (attention !== 0) break;
        }
        if (attention !== 0) p += lowestByte(attention);
        let member: number;
        if (attention !== 0 && bytes[p] === QUOTE && large === null) {
          const { table, names } = frame.node;
          if (table !== null) member = findMember(table, bytes, name + 1, p);
          else member = names.length === 1 && isName(names[0], bytes, name + 1, p) ? 0 : -1;
          p++;
        } else {
          p = skip(bytes, view, name, 1, VALUE, large);
          if (p < 0) return skip(bytes, view, name, 3, state, large);
          member = memberOf(frame.node, bytes, name + 1, p - 1);
        }
        if (p < end && bytes[p] <= SPACE) p = skipSpace(bytes, view, p, end, large);
        if (p >= end || bytes[p] !== COLON) return skip(bytes, view, name, 3, state, large);
        p++;
        if (member >= 0) child = frame.node.children[member];
      } else {
        if (c === CLOSE_BRACKET || p >= end) return skip(bytes, view, p, 2, isFirst ? FIRST_VALUE : VALUE, large);
        const { elements } = frame.node;
        if (frame.nextChild === elements.length) {
          p = skip(bytes, view, p, 1, VALUE, large);
          if (p >= 0) p = skip(bytes, view, p, 2, AFTER_ELEMENT, large);
          if (p < 0) return p;
          open -= endValue(frame.node, p);
          frame = frame.outer;
          isFirst = false;
          continue;
        }
        if (elements[frame.nextChild].index === frame.index++) child = elements[frame.nextChild++];
      }
      isFirst = false;
      if (child !== null && !(stops && child.outerCount === frame.node.valueCount)) {
        node = child;
        break next;
      }
      p = skip(bytes, view, p, 1, VALUE, large);
      if (p < 0) return p;
    }
  }
}

/** Skips whitespace. Precondition: there is some at `p`. */
function skipSpace(bytes: Uint8Array, view: DataView, p: number, end: number, large: LargeInput | null): number {
  return large === null ? skipIndentation(bytes, view, p, end) : skipWhitespace(bytes, p, end);
}

/**
 * Skips what `skipItems` skips. Returns the position after it, or `FAILED_POSITION` after a failure
 * was located, also of a token that cannot be there.
 */
function skip(
  bytes: Uint8Array,
  view: DataView,
  p: number,
  brackets: number,
  state: number,
  large: LargeInput | null,
): number {
  return large === null ? skipItems(bytes, view, p, true, brackets, state) : skipInLarge(large, p, brackets, state);
}

/** Returns the child whose name the well-formed `bytes[start, end)` spell, or -1. */
function memberOf(node: PointerNode, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length > MAX_ESCAPE * node.longestName) return -1;
  const name = decodeName(new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, length), length);
  return node.members[propertyNameOf(name)] ?? -1;
}

/** Returns whether `bytes[start, end)`, which are ASCII, spell a name. */
function isName(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== name.length) return false;
  for (let i = name.length - 1; i >= 0; i--) if (apply(charCodeAt, name, [i]) !== bytes[start + i]) return false;
  return true;
}

/** Begins a value at a node. What was found below an earlier one becomes stale. */
function beginValue(node: PointerNode, p: number): void {
  const { outer } = node;
  node.valueCount++;
  if (outer !== null) node.outerCount = outer.valueCount;
  node.start = p;
  node.settled = 0;
}

/**
 * Ends the value at a node. Returns how many pointers have got certain answers by that, if the first
 * value counts.
 */
function endValue(node: PointerNode, p: number): number {
  const { outer, pointerCount, settled } = node;
  node.end = p;
  if (outer !== null) outer.settled += pointerCount;
  return pointerCount - settled;
}
