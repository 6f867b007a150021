/**
 * Makes selected objects. A literal gives an object its hidden class at once, so each set of
 * members that objects of a mask have gets a constructor with a literal, if functions may be
 * generated. The names come from the mask, and so from the caller.
 */

import { elementArray } from "../document/value_stack.ts";
import { defineMember, isInObjectPrototype } from "../engine/object_prototype.ts";
import { keepYoung } from "../engine/young_generation.ts";
import { compileConstructor, type Constructor, generation, namesSource } from "../objects/generated_constructors.ts";
import { addMember } from "../objects/make_object.ts";
import { sizedObject } from "../objects/sized_objects.ts";
import type { Frame } from "./path_walker.ts";
import { ALL_ENTRIES, type SelectionNode } from "./selection_node.ts";

/** Maximum members of a mask for each to have a bit. */
export const MAX_BITS = 31;

/**
 * Value of a member that is missing, in masks with more names, or that was left out, among those
 * that the mask does not name. No input has this value.
 */
export const MISSING: object = {};

/** Maximum number of constructors of a node. */
const MAX_CONSTRUCTORS = 64;

/**
 * Returns the object of the members in `values`, in the order of the mask. `found` has a bit for
 * each one that was found or, if the mask has more than {@linkcode MAX_BITS} names, the others are
 * {@linkcode MISSING}.
 */
export function makeSelected(node: SelectionNode, values: unknown[], found: number): Record<string, unknown> {
  if (node.wantsRanges) return joinParts(node, values) as Record<string, unknown>;
  const { names } = node;
  const constructors = node.constructors!;
  if (names.length <= MAX_BITS && generation.isAllowed) {
    if (found !== constructors.found) findSelectedConstructor(node, found, values);
    const { construct } = constructors;
    if (construct !== null) return construct(values, 0) as Record<string, unknown>;
  }
  const object = sizedObject(names.length);
  for (let member = 0; member < names.length; member++) {
    const value = values[member];
    if (names.length <= MAX_BITS ? (found >> member & 1) === 0 : value === MISSING) continue;
    const name = names[member];
    if (isInObjectPrototype(name, 0)) defineMember(object, name, value);
    else object[name] = value;
  }
  return object;
}

/**
 * Returns the parts of a container: ranges in their order, or the tests that hold in one of them.
 */
export function joinParts({ test }: SelectionNode, parts: readonly unknown[]): unknown {
  if (test === null) return parts;
  let answers = 0;
  for (let i = 0; i < parts.length; i++) if (parts[i] !== MISSING) answers |= parts[i] as number;
  return answers;
}

/**
 * Returns the parts of an array that is read by index: for a mask, with `null` for missing
 * elements.
 */
export function joinElements(node: SelectionNode, parts: unknown[]): unknown {
  if (node.wantsRanges || node.test !== null) return joinParts(node, parts);
  const { length } = node.names;
  for (let i = 0; i < length; i++) if (parts[i] === MISSING) parts[i] = null;
  return elementArray(parts, 0, length);
}

/**
 * Returns the object of the members that a mask names, and after them of all `others`.
 *
 * @param leavesOut Whether some of these are {@linkcode MISSING}.
 */
export function joinMembers(
  node: SelectionNode,
  values: unknown[],
  found: number,
  others: Record<string, unknown>,
  leavesOut: boolean,
): unknown {
  if (node.test !== null) return joinParts(node, [...values, ...Object.values(others)]);
  if (node.names.length === 0 && !leavesOut) return others;
  const object = node.names.length === 0 ? {} : makeSelected(node, values, found);
  const rest = Object.keys(others);
  for (let i = 0; i < rest.length; i++) {
    const value = others[rest[i]];
    if (value !== MISSING) defineMember(object, rest[i], value);
  }
  return object;
}

/**
 * Adds or replaces a member that the mask does not name. One that is left out is
 * {@linkcode MISSING}, and keeps its place for a later one of the same name. Returns `false` if the
 * object cannot hold more members.
 *
 * @param id Number of the key: see `isInObjectPrototype`.
 */
export function putOther(others: Record<string, unknown>, name: string, id: number, value: unknown): boolean {
  if (!isInObjectPrototype(name, id)) return addMember(others, name, value);
  defineMember(others, name, value);
  return true;
}

/** Finds or makes the constructor of the objects that have certain members. */
function findSelectedConstructor(node: SelectionNode, found: number, values: unknown[]): void {
  const { names } = node;
  const constructors = node.constructors!;
  let construct: Constructor | null = constructors.all[found] ?? null;
  if (construct === null && constructors.count < MAX_CONSTRUCTORS) {
    construct = compileConstructor(namesSource(names, found));
    if (construct !== null) {
      constructors.all[found] = construct;
      constructors.count++;
      keepYoung(construct, values, 0);
    }
  }
  constructors.construct = construct;
  constructors.found = found;
}

/** Selected parts of a container that is being read. */
export interface SelectedParts {
  /** Elements of an array, or values of the members or indexes that the mask names. */
  items: unknown[];
  count: number;
  /** Bits of the members that were found: see `makeSelected`. */
  found: number;
  /** Members that the mask does not name. */
  readonly others: Record<string, unknown> | null;
  /** Whether one of them was left out. */
  leavesOut: boolean;
}

/** Begins a container. */
export function newParts({ names, noValues, ofArray, rest }: SelectionNode, isObject: boolean): SelectedParts {
  return {
    items: isObject || ofArray !== ALL_ENTRIES ? noValues!.slice(0, names.length) : [null, null, null, null],
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
  if (!isObject && member < 0) {
    if (parts.count === parts.items.length) parts.items = parts.items.concat(parts.items);
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
  if (!isObject) {
    if (node.ofArray !== ALL_ENTRIES) return joinElements(node, items);
    if (node.test !== null) return joinParts(node, items);
    return count === 0 ? [] : elementArray(items, 0, count);
  }
  return others === null ? makeSelected(node, items, found) : joinMembers(node, items, found, others, leavesOut);
}
