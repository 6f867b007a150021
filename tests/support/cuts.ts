/** Positions at which inputs are split into pieces. */

import type { Random } from "../../bench/support/random.ts";
import { utf8 } from "./bytes.ts";

/** Positions in ascending order, each from 0 to the length of the input. */
export type Cut = number[];

/** Maximum length of an input that is split at every pair of positions. */
const SHORT = 48;
/** Maximum length of an input that is split at every position, which takes quadratic time. */
const LONG = 2_048;

/** Yields a cut at each position. */
export function* singleCuts(length: number): Generator<Cut> {
  for (let place = 0; place <= length; place++) yield [place];
}

/** Yields a cut at each position, and one at all positions at once. */
export function* everyCut(length: number): Generator<Cut> {
  yield* singleCuts(length);
  yield* evenCuts(length, 1);
}

/** Bytes between a position and the farthest of the cuts around it. */
const NEAR = 4;

/**
 * Yields a cut at each position around a changed one, and one at all positions at once. A cut far
 * from the change would only repeat a test of the unchanged input.
 */
export function* cutsAround(changed: number, length: number): Generator<Cut> {
  for (let place = Math.max(0, changed - NEAR); place <= Math.min(length, changed + NEAR + 1); place++) yield [place];
  yield* evenCuts(length, 1);
}

/** Yields a cut at each pair of positions, including equal ones, which make an empty piece. */
function* pairsOfCuts(length: number): Generator<Cut> {
  for (let first = 0; first <= length; first++) {
    for (let second = first; second <= length; second++) yield [first, second];
  }
}

/** Yields cuts into pieces of one size, also with a smaller first piece. */
export function* evenCuts(length: number, size: number): Generator<Cut> {
  for (let first = size; first > 0; first -= Math.ceil(size / 3)) {
    const places: Cut = [];
    for (let place = first; place < length; place += size) places.push(place);
    yield places;
  }
}

/** Returns a cut into pieces of one size. */
export function evenCut({ length }: Uint8Array, size: number): Cut {
  return evenCuts(length, size).next().value!;
}

/**
 * Yields every pair of cuts of a short input, every cut of a longer one, and cuts at many positions
 * of a long one; then pieces of some sizes, from single bytes on.
 */
export function* manyCuts(length: number): Generator<Cut> {
  if (length <= SHORT) yield* pairsOfCuts(length);
  else if (length <= LONG) yield* singleCuts(length);
  else for (let place = 1; place < length; place += Math.ceil(length / 50)) yield [place];
  for (const size of [1, 2, 3, 7, 64, 1_000]) if (size === 1 || size < length) yield* evenCuts(length, size);
}

/** Returns some random positions. */
export function randomCut(random: Random, length: number): Cut {
  return Array.from({ length: 1 + random.below(6) }, () => random.below(length + 1)).sort((a, b) => a - b);
}

/** Reads pieces in their order. Returns the result at their end. */
export function readPieces<P, T>(reader: { push(piece: P): unknown; end(): T }, pieces: Iterable<P>): T {
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

/** Reads pieces of a different input than before. Returns the result at their end. */
export function readAgain<P, T>(
  reader: { reset(): void; push(piece: P): unknown; end(): T },
  pieces: Iterable<P>,
): T {
  reader.reset();
  return readPieces(reader, pieces);
}

/**
 * Yields the pieces of an input, each in a buffer of exactly its length. A piece is overwritten
 * once the next one is asked for, so that no reader can rely on its bytes.
 */
export function* piecesAt(bytes: Uint8Array, cut: Cut): Generator<Uint8Array<ArrayBuffer>> {
  let start = 0;
  for (const place of [...cut, bytes.length]) {
    const piece = bytes.slice(start, place);
    start = place;
    yield piece;
    if (piece.length > 0) piece.fill(0x39); // unless detached
  }
}

/** Returns copies of the pieces of an input, which are not overwritten. */
export function copiesAt(bytes: Uint8Array, cut: Cut): Uint8Array<ArrayBuffer>[] {
  return Array.from(piecesAt(bytes, cut), (piece) => piece.slice());
}

/** Returns the pieces of an input, of `size` bytes each, with their own buffers. */
export function chunksOf(input: string | Uint8Array, size: number): Uint8Array<ArrayBuffer>[] {
  const bytes = typeof input === "string" ? utf8(input) : input;
  return copiesAt(bytes, evenCut(bytes, size));
}
