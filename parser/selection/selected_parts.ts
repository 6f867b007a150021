/** Parts of containers: values of the wanted entries, their ranges, or the tests that hold in them. */

import { propertyNameOf } from "../base/decode_name.ts";
import type { Frame } from "./path_walker.ts";
import type { ValueMaker } from "./selection.ts";
import { ALL_ENTRIES, MISSING, type SelectionNode } from "./selection_node.ts";

/** Selected parts of a container that is being read. */
export interface SelectedParts {
  /** Elements of an array, or values of the members or indexes that the mask names. */
  items: unknown[];
  count: number;
  /** Bits of the members that were found: see `makeSelected`. */
  found: number;
  /** Members that the mask does not name. */
  readonly others: Record<string, unknown> | null;
  /** Whether one of `others` was left out. */
  leavesOut: boolean;
}

/** Returns an object for the members that a node does not name. */
export function newOthers(maker: ValueMaker | null): Record<string, unknown> {
  return maker === null ? { __proto__: null } as unknown as Record<string, unknown> : {};
}

/** Adds or replaces such a member: see `putOther` of {@linkcode ValueMaker}. */
export function putOther(
  maker: ValueMaker | null,
  others: Record<string, unknown>,
  name: string,
  id: number,
  value: unknown,
): boolean {
  if (maker !== null) return maker.putOther(others, name, id, value);
  others[propertyNameOf(name)] = value;
  return true;
}

/** Begins a container. */
export function newParts(
  maker: ValueMaker | null,
  { names, noValues, ofArray, rest }: SelectionNode,
  isObject: boolean,
): SelectedParts {
  return {
    items: isObject || ofArray !== ALL_ENTRIES ? noValues!.slice(0, names.length) : [null, null, null, null],
    count: 0,
    found: 0,
    others: rest === undefined ? null : newOthers(maker),
    leavesOut: false,
  };
}

/**
 * Puts the value of the current entry, `undefined` if there is none, into its container. Returns
 * `false` if that is full.
 */
export function putPart(
  maker: ValueMaker | null,
  { isObject, member, name, parts }: Frame<SelectedParts>,
  value: unknown,
): boolean {
  if (!isObject && member < 0) {
    if (parts.count === parts.items.length) parts.items = parts.items.concat(parts.items);
    parts.items[parts.count++] = value === undefined ? null : value;
  } else if (member >= 0) {
    parts.items[member] = value === undefined ? MISSING : value;
    if (value === undefined) parts.found &= ~(1 << member);
    else parts.found |= 1 << member;
  } else {
    if (value === undefined) parts.leavesOut = true;
    return putOther(maker, parts.others!, name, 0, value === undefined ? MISSING : value);
  }
  return true;
}

/** Returns the value of a container that is complete. */
export function closeParts(maker: ValueMaker | null, { node, isObject, parts }: Frame<SelectedParts>): unknown {
  const { items, count, found, others, leavesOut } = parts;
  if (!isObject && node.ofArray === ALL_ENTRIES) {
    return node.test === null ? closeArray(maker, items, count) : joinParts(node, items);
  }
  if (!isObject) return closeElements(maker, node, items);
  return others === null
    ? closeMembers(maker, node, items, found)
    : closeAllMembers(maker, node, items, found, others, leavesOut);
}

/** Returns the parts of an object whose wanted members were read. */
export function closeMembers(
  maker: ValueMaker | null,
  node: SelectionNode,
  parts: unknown[],
  found: number,
): unknown {
  return node.wantsRanges ? joinParts(node, parts) : maker!.makeSelected(node, parts, found);
}

/** Returns the parts of an object all of whose members were read. */
export function closeAllMembers(
  maker: ValueMaker | null,
  node: SelectionNode,
  parts: unknown[],
  found: number,
  others: Record<string, unknown>,
  leavesOut: boolean,
): unknown {
  if (maker !== null) return maker.joinMembers(node, parts, found, others, leavesOut);
  return joinParts(node, Object.values(others)); // no tree of ranges or tests also has names
}

/** Returns the parts of an array read by index; for a mask, with `null` for missing elements. */
export function closeElements(maker: ValueMaker | null, node: SelectionNode, parts: unknown[]): unknown {
  if (node.wantsRanges) return joinParts(node, parts);
  const { length } = node.names;
  for (let i = 0; i < length; i++) if (parts[i] === MISSING) parts[i] = null;
  return maker!.makeArray(parts, length);
}

/** Returns the parts of an array of `count` elements. */
export function closeArray(maker: ValueMaker | null, items: unknown[], count: number): unknown[] {
  return maker === null ? items.slice(0, count) : count === 0 ? [] : maker.makeArray(items, count);
}

/** Returns the parts of a container: ranges in order, or the tests that hold in any of them. */
function joinParts({ test }: SelectionNode, parts: readonly unknown[]): unknown {
  if (test === null) return parts;
  let answers = 0;
  for (let i = 0; i < parts.length; i++) if (parts[i] !== MISSING) answers |= parts[i] as number;
  return answers;
}
