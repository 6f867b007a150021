/** Containers whose selected parts are put in one by one. */

import { elementArray } from "../document/value_stack.ts";
import { copyRange, doubled } from "../engine/arrays.ts";
import type { Frame } from "./cut_walker.ts";
import { joinMembers, makeSelected, MISSING, putOther } from "./selected_object.ts";
import type { Wanted } from "./wanted.ts";

/** Selected parts of a container that is being read. */
export interface SelectedParts {
  /** Elements of an array, or values of the members that the mask names. */
  items: unknown[];
  count: number;
  /** Bits of the members that were found: see `makeSelected`. */
  found: number;
  /** Members that the mask does not name. */
  readonly others: Record<string, unknown> | null;
  /** Whether one of those was left out. */
  leavesOut: boolean;
}

/** Begins a container. */
export function newParts({ names, noValues, rest }: Wanted, isObject: boolean): SelectedParts {
  return {
    items: isObject ? copyRange(noValues!, 0, names.length) : [null, null, null, null],
    count: 0,
    found: 0,
    others: rest === undefined ? null : {},
    leavesOut: false,
  };
}

/**
 * Puts the value of the current entry, `undefined` if there is none, into its container. Returns
 * `false` if that is full.
 */
export function putPart({ isObject, member, name, parts }: Frame<SelectedParts>, value: unknown): boolean {
  if (!isObject) {
    if (parts.count === parts.items.length) parts.items = doubled(parts.items);
    parts.items[parts.count++] = value === undefined ? null : value;
  } else if (member >= 0) {
    parts.items[member] = value === undefined ? MISSING : value;
    if (value === undefined) parts.found &= ~(1 << member);
    else parts.found |= 1 << member;
  } else {
    if (value === undefined) parts.leavesOut = true;
    return putOther(parts.others!, name, 0, value === undefined ? MISSING : value);
  }
  return true;
}

/** Returns the value of a container that is complete. */
export function closeParts({ node, isObject, parts }: Frame<SelectedParts>): unknown {
  const { items, count, found, others, leavesOut } = parts;
  if (!isObject) return count === 0 ? [] : elementArray(items, 0, count);
  return others === null ? makeSelected(node, items, found) : joinMembers(node, items, found, others, leavesOut);
}
