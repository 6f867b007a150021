/** Parses the values at JSON Pointers of a whole input. */

import { describeFailure, type ParseFailure } from "../base/failure.ts";
import { parseRange } from "../document/parse_document.ts";
import { buildText, failureAtLimit } from "../options/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { type Guards, needsBuilding } from "../options/options.ts";
import { failWithoutMemory, privateBytes } from "../options/validate_guarded.ts";
import { locateDocument, type NoPlace, type Place } from "./locate_document.ts";
import type { PointerTree } from "./pointers.ts";

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
  windowSize: number = PARSE_WINDOW,
): (ValueAt | NoPlace | ParseFailure)[] | ParseFailure {
  const total = lengthOf(input);
  // All is read from one copy of shared memory: the values may change between two.
  const bytes = privateBytes(input, total, guards !== null && guards.number !== undefined);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  const places = locateDocument(bytes, tree, stops, guards, windowSize);
  if (!Array.isArray(places)) return places;
  const isBuilt = guards !== null && needsBuilding(guards);
  return places.map((place) => {
    if (!place.found) return place;
    return isBuilt ? buildPlace(bytes, place, guards) : parsePlace(bytes, place);
  });
}

/** Parses a located value. Offsets of its failure count from the beginning of the input. */
function parsePlace(bytes: Uint8Array, { ok, found, start, end, line, column }: Place): ValueAt | ParseFailure {
  const result = parseRange(bytes, start, end - start);
  if (!result.ok) {
    // not covered: needs a value too large for the engine; nothing else can fail here
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
