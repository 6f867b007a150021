/** State of the walkers, and the functions that make their values. */

import type { Suspension } from "../document/suspension.ts";
import type { beginReading, endReading, placeReader, readValue } from "../document/value_reader.ts";
import { NO_BYTES, NO_VIEW } from "../engine/no_bytes.ts";
import type { Key } from "../objects/key.ts";
import type { readStringToken, readStringValue } from "../strings/read_string.ts";
import { NO_CACHE } from "../strings/string_cache.ts";
import type { SelectionNode } from "./selection_node.ts";

/**
 * Functions that make values. Trees of ranges and tests need none, so that bundles of programs that
 * only locate or test values have none (`matches`, compressed: 15 KB less).
 */
export interface ValueMaker {
  /**
   * Reads all of the value at `p`, whose first byte is `c`. Leaves the position after it in
   * `cursor`, or `FAILED_POSITION`.
   */
  readonly readWhole: (selection: Selection, p: number, c: number) => unknown;
  readonly readString: typeof readStringValue;
  /**
   * Reads the name at `p`, and the colon after it. Returns `null` if it cannot. Leaves the position
   * in `cursor`, and the key in `foundKey`.
   */
  readonly readName: (selection: Selection, p: number, before: Key, isFirst: boolean) => string | null;
  readonly readText: typeof readStringToken;
  /** Copies the string cache. "Fresh stack": see ARCHITECTURE.md. */
  readonly renewCache: (selection: Selection) => void;
  // For values that may be incomplete.
  readonly readValue: typeof readValue;
  readonly placeReader: typeof placeReader;
  readonly beginReading: typeof beginReading;
  readonly endReading: typeof endReading;
  /**
   * Returns the object of the members in `values`, in the order of the mask. `found` has a
   * bit for each one that was found or, if the mask has more than `MAX_BITS` names, the
   * others are `MISSING`.
   */
  readonly makeSelected: (node: SelectionNode, values: unknown[], found: number) => Record<string, unknown>;
  /**
   * Returns the object of the members that a mask names, and after them of all `others`.
   *
   * @param leavesOut Whether some of these are `MISSING`.
   */
  readonly joinMembers: (
    node: SelectionNode,
    values: unknown[],
    found: number,
    others: Record<string, unknown>,
    leavesOut: boolean,
  ) => unknown;
  /**
   * Adds or replaces a member that the mask does not name. One that is left out is `MISSING`, and
   * keeps its place for a later one of the same name. Returns `false` if the object cannot hold
   * more members.
   *
   * @param id Number of the key: see `isInObjectPrototype`.
   */
  readonly putOther: (others: Record<string, unknown>, name: string, id: number, value: unknown) => boolean;
  /** Returns the array of the first `count` items. */
  readonly makeArray: (items: unknown[], count: number) => unknown[];
}

/**
 * Bytes and state that selections from one input share.
 *
 * Made by a literal, not a class: V8 sets a declared field to `undefined` first, and then never
 * represents it as an integer.
 */
export interface Selection {
  /** The bytes, which end where the array ends. */
  bytes: Uint8Array;
  view: DataView;
  /** `null` for trees of ranges and tests, which have no use for the rest. */
  readonly maker: ValueMaker | null;
  cache: (string | null)[];
  /** State of the main loop, which reads wanted containers. */
  readonly suspension: Suspension | null;
}

export function newSelection(maker: ValueMaker | null = null, suspension: Suspension | null = null): Selection {
  return { bytes: NO_BYTES, view: NO_VIEW, maker, cache: NO_CACHE, suspension };
}

/** Drops the bytes, and the strings made of them. */
export function releaseSelection(selection: Selection): void {
  selection.bytes = NO_BYTES;
  selection.view = NO_VIEW;
  selection.cache = NO_CACHE;
}
