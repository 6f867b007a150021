/**
 * Outlines: masks of the command line, compiled to trees of the selected parts, with the bytes that
 * are written before each member.
 */

import {
  MISSING,
  newElementsNode,
  newMaskNode,
  reuseParts,
  type SelectionNode,
  type ValueRange,
} from "../../parser/streaming/cli_internals.ts";
import type { ObjectPicture, Picture } from "./mask_text.ts";

/** Outline of a value: a node of the tree, and the way to write its entries. */
export interface Outline {
  readonly node: SelectionNode;
  /** Text before each member that the mask names: a comma, the name, and a colon. */
  readonly prefixes: readonly Uint8Array[];
  readonly members: readonly Outline[];
  /** Whether it is that of an array. Without `element`, `members` are elements at indexes. */
  readonly isArray: boolean;
  /** Outline of all other members, and of elements. */
  readonly rest: Outline | null;
  readonly element: Outline | null;
  /** Whether names are copied from the document below. Only the walker over pieces does that. */
  readonly hasRest: boolean;
}

const encoder = new TextEncoder();

/** Text before each element that is selected by index. */
const BEFORE_ELEMENT = encoder.encode(",");

/** Picture of the members of a value that is copied whole. */
const WHOLE: ObjectPicture = { members: new Map(), rest: undefined };

/**
 * Compiles a mask. Members are written in the order of its text.
 *
 * @param isRepeated Whether a document may have several of the values.
 */
export function compileOutline(picture: Picture, isRepeated = false): Outline {
  if (picture !== true && picture.indexes !== undefined) return compileIndexes(picture.indexes, isRepeated);
  const { element: each, members: pictures = WHOLE.members, rest: others } = picture === true ? WHOLE : picture;
  const element = each === undefined ? null : compileOutline(each, true);
  const rest = others === undefined ? null : compileOutline(others, true);
  const names = [...pictures.keys()];
  const members = Array.from(pictures.values(), (member) => compileOutline(member, isRepeated));
  const isObject = picture !== true && element === null;
  const nodes = members.map(({ node }) => node);
  const node = newMaskNode(true, isObject ? names : null, nodes, rest?.node, element?.node);
  if (!isRepeated) reuseParts(node);
  return {
    node,
    prefixes: names.map((name) => encoder.encode(`,${JSON.stringify(name)}:`)),
    members,
    isArray: element !== null,
    rest,
    element,
    hasRest: rest !== null || (element?.hasRest ?? false) || members.some(({ hasRest }) => hasRest),
  };
}

/** Returns the outline of a leaf. */
function wholeOutline(node: SelectionNode): Outline {
  return { node, prefixes: [], members: [], isArray: false, rest: null, element: null, hasRest: false };
}

function compileIndexes(indexes: readonly number[], isRepeated: boolean): Outline {
  const node = newElementsNode(true, indexes);
  if (!isRepeated) { for (const part of [node, ...node.elements]) reuseParts(part); }
  const members = node.children.map((child) => wholeOutline(child!));
  return { ...wholeOutline(node), prefixes: indexes.map(() => BEFORE_ELEMENT), members, isArray: true };
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
