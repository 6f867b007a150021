/**
 * Outlines: masks of the command line, compiled to trees of what is wanted, with the bytes that are
 * written before each member.
 */

import { newMaskNode, RANGE } from "../../parser/wanted/compile_mask.ts";
import { MISSING } from "../../parser/wanted/selected_object.ts";
import type { ValueRange, Wanted } from "../../parser/wanted/wanted.ts";
import type { Picture } from "./mask_text.ts";

/** Outline of a value: a node of the tree, and how its entries are written. */
export interface Outline {
  readonly node: Wanted;
  /** Bytes before the value of each member that the mask names: the name and a colon. */
  readonly prefixes: readonly Uint8Array[];
  readonly members: readonly Outline[];
  /** Outline of all other members, and of elements. */
  readonly rest: Outline | null;
  readonly element: Outline | null;
  /** Whether names are copied from the document, somewhere below. Only the cut walker finds them. */
  readonly hasRest: boolean;
}

const encoder = new TextEncoder();

const WHOLE: Outline = { node: RANGE, prefixes: [], members: [], rest: null, element: null, hasRest: false };

/** Compiles a mask. Members are written in the order of its text. */
export function compileOutline(picture: Picture): Outline {
  if (picture === true) return WHOLE;
  if (picture.element !== undefined) {
    const element = compileOutline(picture.element);
    const node = newMaskNode(true, null, [], undefined, element.node);
    return { ...WHOLE, node, element, hasRest: element.hasRest };
  }
  const names = [...picture.members.keys()];
  const members = Array.from(picture.members.values(), compileOutline);
  const rest = picture.rest === undefined ? null : compileOutline(picture.rest);
  return {
    node: newMaskNode(true, names, members.map(({ node }) => node), rest?.node),
    prefixes: names.map((name) => encoder.encode(`${JSON.stringify(name)}:`)),
    members,
    rest,
    element: null,
    hasRest: rest !== null || members.some(({ hasRest }) => hasRest),
  };
}

/** Selection from a value: a range, or parts of a container in the order of the mask. */
export type SelectedRanges = ValueRange | readonly SelectedRanges[] | null | undefined;

/** Returns what is selected at a path of members; `undefined` if it is missing. */
export function partAt(selected: SelectedRanges, path: readonly number[]): SelectedRanges {
  let part = selected;
  for (const member of path) {
    if (!Array.isArray(part)) return undefined;
    part = part[member];
    if (part === null || part as unknown === MISSING) return undefined;
  }
  return part;
}
