/** Reference for selection: picks part of a value of `JSON.parse`. Runs in any runtime. */

import type { every, Mask } from "../../select.ts";

const { defineProperty, hasOwn, keys } = Object;
const { isArray } = Array;

/**
 * Picks the part of a value that a mask selects: `undefined` for a container of the other kind.
 *
 * @param rest Symbol for all other members: `every` of the tested library.
 */
export function pick(value: unknown, mask: Mask, rest: typeof every): unknown {
  if (mask === true || typeof value !== "object" || value === null) return value;
  if (isArray(mask) !== isArray(value)) return undefined;
  if (isArray(mask) && typeof mask[0] === "number") {
    return (mask as number[]).map((i) => (value as unknown[])[i] ?? null);
  }
  if (isArray(mask)) return (value as unknown[]).map((element) => pick(element, mask[0], rest) ?? null);
  const masks = mask as Readonly<Record<string, Mask>>;
  const members = value as Record<string, unknown>;
  const picked = {};
  const take = (name: string, mask: Mask): void => {
    const part = pick(members[name], mask, rest);
    if (part === undefined) return;
    // Assignment could not add a property such as `"__proto__"`.
    defineProperty(picked, name, { value: part, writable: true, enumerable: true, configurable: true });
  };
  for (const name of keys(masks)) if (hasOwn(members, name)) take(name, masks[name]);
  const others = (mask as { [rest]?: Mask })[rest];
  if (others !== undefined) { for (const name of keys(members)) if (!hasOwn(masks, name)) take(name, others); }
  return picked;
}
