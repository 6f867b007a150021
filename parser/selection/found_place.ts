/**
 * Places of the values at pointers, in the document read last.
 *
 * Of members with the same name, a later one invalidates everything found below an earlier one.
 * Instead of marking the places below, whose number an attacker chooses, each place counts its
 * values, and the places below remember the count.
 */

/** Place of the value of one or more pointers, or of a part of their path. */
export interface FoundPlace {
  /** Number of tokens that lead to it. */
  readonly depth: number;
  /** Place of the container. */
  readonly outer: FoundPlace | null;
  /** Number of pointers that end here or below. */
  pointerCount: number;
  /** Offsets of the first byte of the value, and after the last one. */
  start: number;
  end: number;
  /** Number of values begun here, in all documents; and at `outer` when the last one began. */
  valueCount: number;
  outerCount: number;
  /** Number of pointers below whose answers are certain, if the first value counts. */
  settled: number;
}

export function newPlace(outer: FoundPlace | null): FoundPlace {
  return {
    depth: outer === null ? 0 : outer.depth + 1,
    outer,
    pointerCount: 0,
    start: 0,
    end: 0,
    valueCount: 0,
    outerCount: -1,
    settled: 0,
  };
}

/** Begins a value at a place. */
export function beginPlace(place: FoundPlace, start: number): void {
  const { outer } = place;
  place.valueCount++;
  if (outer !== null) place.outerCount = outer.valueCount;
  place.start = start;
  place.settled = 0;
}

/**
 * Ends the value at a place. Returns for how many pointers the answer is then certain, if the
 * first value counts.
 */
export function endPlace(place: FoundPlace, end: number): number {
  const { outer, pointerCount, settled } = place;
  place.end = end;
  if (outer !== null) outer.settled += pointerCount;
  return pointerCount - settled;
}

/** Returns whether a place has a value in the current value of the container. */
export function isMet({ outer, outerCount }: FoundPlace): boolean {
  return outer !== null && outerCount === outer.valueCount;
}

/** Returns the number of tokens of a place that lead to a value of the current document. */
export function depthFound(place: FoundPlace): number {
  let { depth } = place;
  for (let { outer } = place; outer !== null; place = outer, outer = place.outer) {
    if (!isMet(place)) depth = outer.depth;
  }
  return depth;
}
