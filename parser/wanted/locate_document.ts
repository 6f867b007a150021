/**
 * Locates the values at JSON Pointers in a whole input, with their lines.
 *
 * @module
 */

import { cursor } from "../base/cursor.ts";
import { describeFailure, type ParseFailure } from "../base/failure.ts";
import { limitFailure } from "../base/limit_failure.ts";
import { countLines } from "../base/line_counter.ts";
import { countPendingReturn, type LinePosition, newLinePosition } from "../base/line_position.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { skipByteOrderMark, windowOf } from "../engine/input_view.ts";
import { defineElement } from "../engine/arrays.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW, SMALL_INPUT } from "../engine/input_sizes.ts";
import { copySmall, smallView, smallViewOf, wipeSmall } from "../engine/small_copy.ts";
import type { Guards } from "../guarded/options.ts";
import { cut, failure } from "../validation/locate_failure.ts";
import { codeOfByte, DONE } from "../validation/token_dfa.ts";
import { failWithoutMemory, violationIn } from "../guarded/validate_guarded.ts";
import { locateValues, STOPPED_POSITION } from "./locate_values.ts";
import { depthFound, type PointerNode, type PointerTree } from "./pointer_node.ts";

const { apply } = Reflect;
const { sort } = Uint32Array.prototype;

/** Place of a value. */
export interface Place {
  /** Always `true`. */
  ok: true;
  /** Always `true`: there is a value. */
  found: true;
  /** Offset of the first byte of the value. */
  start: number;
  /** Offset after its last byte. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Column of the first byte in UTF-16 code units, from 1. */
  column: number;
}

/** Answer if there is no value at a pointer. */
export interface NoPlace {
  /** Always `true`: the input is no failure. */
  ok: true;
  /** Always `false`: there is no value. */
  found: false;
  /** Number of tokens of the pointer, from the first on, that lead to a value. */
  depth: number;
}

/**
 * Returns the places of the pointers' values, in order, or the failure of the input.
 *
 * @param stops Whether to read no further than the values.
 * @param guards Guards of what is read; `null` for none.
 * @param windowSize Bytes of the largest input whose positions are int32.
 */
export function locateDocument(
  input: Uint8Array,
  tree: PointerTree,
  stops: boolean,
  guards: Guards | null = null,
  windowSize: number = PARSE_WINDOW,
): (Place | NoPlace)[] | ParseFailure {
  const total = lengthOf(input);
  const isSmall = total <= SMALL_INPUT;
  const window = !isSmall && isShared(input) ? windowOf(input, 0, total) : input;
  if (window === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  limitFailure.code = null; // of a call that could not clean up
  try {
    if (isSmall) copySmall(input, total);
    const bytes = isSmall ? smallViewOf(total) : window;
    const view = isSmall ? smallView : new DataView(bufferOf(bytes), offsetOf(bytes), total);
    const start = skipByteOrderMark(bytes, total);
    let p = locateValues(bytes, view, start, tree, stops, windowSize);
    if (p >= 0 && !stops) {
      p = skipWhitespace(bytes, p, total);
      if (p < total) {
        failure.code = codeOfByte(DONE, bytes[p]);
        failure.offset = p;
        cut.at = p = -1;
      }
    }
    const failed = p === -1 ? describeFailure(bytes, failure.code, failure.offset, total, cut.at >= 0) : null;
    if (guards !== null) {
      const end = p === STOPPED_POSITION ? cursor.position : stops && p >= 0 ? p : total;
      const violation = violationIn(bytes, end, guards, failed === null);
      if (violation !== null) return violation;
    }
    if (failed !== null) return failed;
    return describePlaces(tree.ends, bytes, view, start, windowSize);
  } finally {
    if (isSmall) wipeSmall(total);
  }
}

/** Returns the places of the values at nodes, with lines and columns. The text begins at position `start`. */
function describePlaces(
  nodes: readonly PointerNode[],
  bytes: Uint8Array,
  view: DataView,
  start: number,
  windowSize: number,
): (Place | NoPlace)[] {
  const { length } = nodes;
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  if (length > 1) apply(sort, order, [(a: number, b: number) => nodes[a].start - nodes[b].start]);
  const position = newLinePosition();
  position.excessBytes = start; // of a byte-order mark
  const places: (Place | NoPlace)[] = [];
  for (let i = 0, counted = start; i < length; i++) {
    const node = nodes[order[i]];
    const depth = depthFound(node);
    if (depth < node.depth) {
      defineElement(places, order[i], { ok: true, found: false, depth });
      continue;
    }
    if (node.start <= windowSize) countLines(position, bytes, view, 0, counted, node.start);
    else countFarLines(position, bytes, counted, node.start, windowSize);
    counted = node.start;
    countPendingReturn(position, counted, bytes[counted]);
    defineElement(places, order[i], {
      ok: true,
      found: true,
      start: counted,
      end: node.end,
      line: position.lines + 1,
      column: counted - position.lineStart - position.excessBytes + 1,
    });
  }
  return places;
}

/** Does what `countLines` does where positions are no int32. */
function countFarLines(position: LinePosition, bytes: Uint8Array, from: number, to: number, windowSize: number): void {
  for (; from < to; from += windowSize) {
    const window = new Uint8Array(bufferOf(bytes), offsetOf(bytes) + from, Math.min(windowSize, to - from));
    const view = new DataView(window.buffer, window.byteOffset, window.length);
    countLines(position, window, view, from, 0, window.length);
  }
}
