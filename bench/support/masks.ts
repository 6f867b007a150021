/**
 * Masks as text, and what they want of values that `JSON.parse` has made, to compare with.
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

/**
 * Returns what a mask wants of a value, as `selectBinary` does: `undefined` for a container of the
 * other kind.
 */
export function pick(value: unknown, mask: Mask): unknown {
  if (mask === true || typeof value !== "object" || value === null) return value;
  if (isArrayMask(mask)) {
    return Array.isArray(value) ? value.map((element) => pick(element, mask[0]) ?? null) : undefined;
  }
  if (Array.isArray(value)) return undefined;
  const { [every]: others, ...named } = mask;
  const picked: Record<string, unknown> = {};
  const add = (name: string, mask: Mask): void => {
    const member = pick((value as Record<string, unknown>)[name], mask);
    const property = { value: member, writable: true, enumerable: true, configurable: true };
    if (member !== undefined) Object.defineProperty(picked, name, property);
  };
  for (const [name, mask] of Object.entries(named)) if (Object.hasOwn(value, name)) add(name, mask);
  if (others === undefined) return picked;
  for (const name of Object.keys(value)) if (!Object.hasOwn(named, name)) add(name, others);
  return picked;
}
