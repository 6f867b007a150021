/** Locates the values at JSON Pointers in a whole input, with their lines. */

import { OPEN_BRACE } from "../base/ascii.ts";
import { limitFailure, type ParseFailure } from "../base/failure.ts";
import { countLinesTo, countPendingReturn, newLineLocation } from "../base/line_counter.ts";
import { skipByteOrderMark, viewOf, windowOf } from "../engine/input_view.ts";
import { defineElement } from "../engine/arrays.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW, SMALL_INPUT } from "../engine/input_sizes.ts";
import { copySmall, smallView, smallViewOf, wipeSmall } from "../engine/small_copy.ts";
import type { Guards } from "../options/options.ts";
import { describeLocated, FAILED_POSITION, failure, setFailure } from "../validation/locate_failure.ts";
import { failWithoutMemory, violationIn } from "../options/validate_guarded.ts";
import { CLOSED, enter, FAILURE, leave, newWalk, skip, SKIPPED, VALUE_BEGINS, walkOn } from "./path_walker.ts";
import { beginPlace, depthFound, endPlace, type FoundPlace, isMet } from "./found_place.ts";
import type { PointerNode, PointerTree } from "./pointers.ts";
import { wantsEntries } from "./selection_node.ts";

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

/** Result if there is no value at a pointer. */
export interface NoPlace {
  /** Always `true`: the input has not failed. */
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
 * @param guards Guards of the bytes read; `null` for none.
 * @param windowSize Maximum bytes of an input whose positions are int32.
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
    const start = skipByteOrderMark(bytes, total);
    const view = isSmall ? smallView : null;
    const end = locateValues(bytes, view, start, total, tree, stops, windowSize);
    const failed = end < 0 ? describeLocated(bytes, total) : null;
    if (guards !== null) {
      const violation = violationIn(bytes, end < 0 ? total : end, guards, failed === null);
      if (violation !== null) return violation;
    }
    if (failed !== null) return failed;
    return describePlaces(tree.ends, bytes, start, windowSize);
  } finally {
    if (isSmall) wipeSmall(total);
  }
}

/**
 * Locates the values of pointers, from position `p` on, and leaves them in the places of the
 * tree. Returns the position up to which the input was read, or `FAILED_POSITION` after a failure
 * was located.
 *
 * Cost: linear in the bytes, for any number of pointers.
 *
 * @param inputView View of the input if there is one.
 * @param stops Whether the first of members with the same name counts, and reading stops once all
 * answers are certain. Otherwise the last one counts.
 */
export function locateValues(
  input: Uint8Array,
  inputView: DataView | null,
  p: number,
  total: number,
  { root }: PointerTree,
  stops: boolean,
  windowSize: number = PARSE_WINDOW,
): number {
  const walk = newWalk(root);
  let open = root.place.pointerCount;
  let skipped: FoundPlace | null = null;
  let origin = 0;
  let size = Math.min(total, windowSize);
  let bytes = lengthOf(input) === size ? input : viewOf(input, 0, size);
  let view = inputView ?? new DataView(bufferOf(bytes), offsetOf(bytes), size);
  for (;;) {
    const isLast = origin + size === total;
    const step = walkOn(walk, bytes, view, p, isLast);
    p = walk.position;
    if (step === VALUE_BEGINS) {
      const node = walk.node as PointerNode;
      skipped = node.place;
      if (stops && isMet(node.place)) {
        skipped = null; // an earlier member of the same name counts
        skip(walk);
        continue;
      }
      beginPlace(node.place, origin + p);
      if (!wantsEntries(node, bytes[p])) skip(walk);
      else {
        enter(walk, bytes[p] === OPEN_BRACE, null);
        p = walk.position;
      }
    } else if (step === SKIPPED || step === CLOSED) {
      const ended = step === CLOSED ? leave(walk).node.place : skipped;
      if (ended !== null) open -= endPlace(ended, origin + p);
      if (stops && open === 0) return origin + p;
    } else if (step === FAILURE) {
      failure.offset += origin;
      return FAILED_POSITION;
    } else if (isLast) {
      return total;
    } else {
      // The next window, or a longer one for an incomplete name.
      size = Math.min(total - origin - p, p === 0 ? 2 * size : windowSize);
      origin += p;
      if (size > PARSE_WINDOW) {
        // not covered: needs a name of 2 GiB
        setFailure("value-too-large", origin);
        return FAILED_POSITION;
      }
      bytes = viewOf(input, origin, size);
      view = new DataView(bufferOf(bytes), offsetOf(bytes), size);
      p = 0;
    }
  }
}

/** Returns the places of the values at nodes. The text begins at position `start`. */
function describePlaces(
  nodes: readonly PointerNode[],
  bytes: Uint8Array,
  start: number,
  windowSize: number,
): (Place | NoPlace)[] {
  const { length } = nodes;
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  if (length > 1) order.sort((a, b) => nodes[a].place.start - nodes[b].place.start);
  const location = newLineLocation();
  location.excessBytes = start; // of a byte-order mark
  const places: (Place | NoPlace)[] = [];
  for (let i = 0, counted = start; i < length; i++) {
    const { place } = nodes[order[i]];
    const depth = depthFound(place);
    if (depth < place.depth) {
      defineElement(places, order[i], { ok: true, found: false, depth });
      continue;
    }
    countLinesTo(location, bytes, counted, place.start, windowSize);
    counted = place.start;
    countPendingReturn(location, counted, bytes[counted]);
    defineElement(places, order[i], {
      ok: true,
      found: true,
      start: counted,
      end: place.end,
      line: location.lines + 1,
      column: counted - location.lineStart - location.excessBytes + 1,
    });
  }
  return places;
}
