/**
 * Containers that are selected from one value at a time.
 *
 * @module
 */

import { elementArray } from "../document/value_stack.ts";
import { copyRange, doubled } from "../engine/arrays.ts";
import { type MaskNode, OBJECT_MASK } from "./mask_node.ts";
import { joinMembers, makeSelected, MISSING, putOther } from "./selected_object.ts";

/** A container that is being selected from. */
export interface Frame {
  readonly node: MaskNode;
  readonly isObject: boolean;
  /** Elements of an array, or values of the members that the mask names. */
  items: unknown[];
  count: number;
  /** Bits of the members that were found: see `makeSelected`. */
  found: number;
  /** Members that the mask does not name. */
  readonly others: Record<string, unknown> | null;
  /** Whether one of those was left out. */
  leavesOut: boolean;
  /** Member that is being read: its number in the mask, or -1, and its name. */
  member: number;
  name: string;
  readonly outer: Frame | null;
}

/** Begins a container. */
export function newFrame(node: MaskNode, outer: Frame | null): Frame {
  const { kind, names, noValues, rest } = node;
  const isObject = kind === OBJECT_MASK;
  return {
    node,
    isObject,
    items: isObject ? copyRange(noValues, 0, names.length) : [null, null, null, null],
    count: 0,
    found: 0,
    others: rest === undefined ? null : {},
    leavesOut: false,
    member: -1,
    name: "",
    outer,
  };
}

/** Begins a member. Returns its mask; `undefined` if it is not wanted. */
export function enterMember(frame: Frame, name: string): MaskNode | null | undefined {
  const { children, members, rest } = frame.node;
  const member = members[name] ?? -1;
  frame.name = name;
  frame.member = member;
  return member < 0 ? rest : children[member];
}

/**
 * Puts a value, `undefined` if there is none, into its container. Returns `false` if that is full.
 */
export function putValue(frame: Frame, value: unknown): boolean {
  const { member } = frame;
  if (!frame.isObject) {
    if (frame.count === frame.items.length) frame.items = doubled(frame.items);
    frame.items[frame.count++] = value === undefined ? null : value;
  } else if (member >= 0) {
    frame.items[member] = value === undefined ? MISSING : value;
    if (value === undefined) frame.found &= ~(1 << member);
    else frame.found |= 1 << member;
  } else if (frame.others !== null) {
    if (value === undefined) frame.leavesOut = true;
    return putOther(frame.others, frame.name, 0, value === undefined ? MISSING : value);
  }
  return true;
}

/** Returns the value of a container that is complete. */
export function closeFrame({ node, isObject, items, count, found, others, leavesOut }: Frame): unknown {
  if (!isObject) return count === 0 ? [] : elementArray(items, 0, count);
  return others === null ? makeSelected(node, items, found) : joinMembers(node, items, found, others, leavesOut);
}
