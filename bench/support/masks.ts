/**
 * Masks as text.
 *
 * @module
 */

import { every, type Mask } from "../../select.ts";

/** Name that needs no quotes. */
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

function isArrayMask(mask: Mask): mask is readonly [Mask] {
  return Array.isArray(mask);
}

/** Formats a mask as the command line takes it, such as `{data:[{id}]}`. */
export function formatMask(mask: Mask): string {
  if (mask === true) return "true";
  if (isArrayMask(mask)) return `[${formatMask(mask[0])}]`;
  const { [every]: others, ...named } = mask;
  const members: [name: string, mask: Mask][] = Object.entries(named).map(([name, mask]) => {
    return [PLAIN_NAME.test(name) ? name : JSON.stringify(name), mask];
  });
  if (others !== undefined) members.push(["*", others]);
  return `{${members.map(([name, mask]) => mask === true ? name : `${name}:${formatMask(mask)}`).join(",")}}`;
}
