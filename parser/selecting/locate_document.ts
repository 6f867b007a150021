/**
 * Locates the values at JSON Pointers in a whole input, with their lines, and parses them.
 *
 * @module
 */

import { cursor } from "../base/cursor.ts";
import { describeFailure, type ParseFailure } from "../base/failure.ts";
import { countLines } from "../base/line_counter.ts";
import { countPendingReturn, newLinePosition } from "../base/line_position.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { beginParse, endParse, parseRange } from "../document/parse_document.ts";
import { buildText, failureAtLimit, failWithoutMemory, privateBytes, violationIn } from "../document/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { skipByteOrderMark, windowOf } from "../document/windows.ts";
import { defineElement } from "../engine/arrays.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { copySmall, smallView, smallViewOf } from "../engine/small_copy.ts";
import { type Guards, needsBuilding } from "../guards/options.ts";
import { cut, failure, locateFailure } from "../validation/locate_failure.ts";
import { DONE } from "../validation/token_dfa.ts";
import { locateValues, type Location, STOPPED_POSITION } from "./locate_values.ts";
import type { PointerTree } from "./pointer_node.ts";

const { isArray } = Array;
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
 */
export function locateDocument(
  input: Uint8Array,
  tree: PointerTree,
  stops: boolean,
  guards: Guards | null = null,
): (Place | NoPlace)[] | ParseFailure {
  const total = lengthOf(input);
  const isSmall = total <= SMALL_INPUT;
  const window = !isSmall && isShared(input) ? windowOf(input, 0, total) : input;
  if (window === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  beginParse();
  try {
    if (isSmall) copySmall(input, total);
    const bytes = isSmall ? smallViewOf(total) : window;
    const view = isSmall ? smallView : new DataView(bufferOf(bytes), offsetOf(bytes), total);
    const start = skipByteOrderMark(bytes, total);
    const locations: Location[] = [];
    for (let i = 0; i < tree.count; i++) {
      defineElement(locations, i, { start: -1, end: -1, depth: 0, isCertain: false });
    }
    let p = locateValues(bytes, view, start, tree, locations, stops ? new Uint8Array(tree.nodeCount) : null);
    if (p >= 0 && !stops) {
      p = skipWhitespace(bytes, p, total);
      if (p < total) {
        locateFailure(bytes, view, p, total, DONE, false, true);
        p = -1;
      }
    }
    const failed = p === -1 ? describeFailure(bytes, failure.code, failure.offset, total, cut.at >= 0) : null;
    if (guards !== null) {
      const end = p === STOPPED_POSITION ? cursor.position : stops && p >= 0 ? p : total;
      const violation = violationIn(bytes, end, guards, failed === null);
      if (violation !== null) return violation;
    }
    if (failed !== null) return failed;
    return describeLocations(locations, bytes, view, start);
  } finally {
    endParse(total);
  }
}

/** Adds lines and columns to locations. The text begins at position `start`. */
function describeLocations(
  locations: readonly Location[],
  bytes: Uint8Array,
  view: DataView,
  start: number,
): (Place | NoPlace)[] {
  const { length } = locations;
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  if (length > 1) apply(sort, order, [(a: number, b: number) => locations[a].start - locations[b].start]);
  const position = newLinePosition();
  position.excessBytes = start; // of a byte-order mark
  const places: (Place | NoPlace)[] = [];
  for (let i = 0, counted = start; i < length; i++) {
    const location = locations[order[i]];
    if (location.end < 0) {
      defineElement(places, order[i], { ok: true, found: false, depth: location.depth });
      continue;
    }
    countLines(position, bytes, view, 0, counted, location.start);
    counted = location.start;
    countPendingReturn(position, counted, bytes[counted]);
    defineElement(places, order[i], {
      ok: true,
      found: true,
      start: counted,
      end: location.end,
      line: position.lines + 1,
      column: counted - position.lineStart - position.excessBytes + 1,
    });
  }
  return places;
}

/** Value at a pointer, and its place. */
export interface ValueAt<T = unknown> extends Place {
  /** The value. */
  value: T;
}

/** Result of `parseAt`, and of `parseStream` with a pointer. */
export type ParseAtResult<T = unknown> = ValueAt<T> | NoPlace | ParseFailure;

/** Returns the values of the pointers, in order, with their places, or the failure of the input. */
export function parseValuesAt(
  input: Uint8Array,
  tree: PointerTree,
  stops: boolean,
  guards: Guards | null = null,
): (ValueAt | NoPlace | ParseFailure)[] | ParseFailure {
  const total = lengthOf(input);
  // All is read from one copy of shared memory: the values may change between two.
  const bytes = privateBytes(input, total, guards !== null && guards.number !== undefined);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  const places = locateDocument(bytes, tree, stops, guards);
  if (!isArray(places)) return places;
  for (let i = 0; i < places.length; i++) {
    const place = places[i];
    if (!place.found) continue;
    const isBuilt = guards !== null && needsBuilding(guards);
    defineElement(places, i, isBuilt ? buildPlace(bytes, place, guards) : parsePlace(bytes, place));
  }
  return places as (ValueAt | NoPlace | ParseFailure)[];
}

/** Parses a located value. Offsets of its failure count from the beginning of the input. */
function parsePlace(bytes: Uint8Array, { ok, found, start, end, line, column }: Place): ValueAt | ParseFailure {
  const result = parseRange(bytes, start, end - start);
  if (!result.ok) {
    // not covered: needs a value that the engine has no room for; nothing else can fail here
    return describeFailure(bytes, result.code, start + result.offset);
  }
  return { ok, found, value: result.value, start, end, line, column };
}

/** Makes a located value as guards say. */
function buildPlace(bytes: Uint8Array, place: Place, guards: Guards): ValueAt | ParseFailure {
  const { ok, found, start, end, line, column } = place;
  const text = new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, end - start);
  const value = buildText(text, end - start, start, guards);
  if (value === FAILED) return failureAtLimit(bytes, lengthOf(bytes), start);
  return { ok, found, value, start, end, line, column };
}
