/** Random masks for selection. */

import type { Random } from "../../bench/support/random.ts";
import { every, type Mask } from "../../select.ts";
import { concat } from "./bytes.ts";
import { own } from "./difference.ts";
import { pick } from "./picking.ts";

/** Maximum number of elements and members of a container that a random mask considers. */
const LOOKED_AT = 50;

/** Names that few documents have. */
const ABSENT = ["absent", "", "a", "0", "length", "__proto__", "toString"];

/** Generates a mask that more or less fits a value. */
export function randomMask(random: Random, value: unknown, depth = 2 + random.below(4)): Mask {
  if (depth === 0 || random.once(12)) return true;
  if (random.once(25)) return misfit(random);
  if (Array.isArray(value)) {
    if (random.once(10)) return random.pick<Mask>([{ length: true }, { [every]: true }]);
    if (random.once(4)) return randomIndexes(random, value.length);
    return [randomMask(random, value[random.below(Math.min(value.length, LOOKED_AT))], depth - 1)];
  }
  if (typeof value !== "object" || value === null) return random.once(3) ? misfit(random) : true;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).slice(0, LOOKED_AT);
  const masks: [string, Mask][] = [];
  for (let count = random.below(random.once(6) ? 9 : 4); count >= 0; count--) {
    const isAbsent = names.length === 0 || random.once(10);
    const name = random.pick(isAbsent ? ABSENT : names);
    masks.push([name, isAbsent ? misfit(random) : randomMask(random, members[name], depth - 1)]);
  }
  const mask = own(...masks);
  if (random.once(4)) {
    const rest = randomMask(random, names.length === 0 ? null : members[random.pick(names)], depth - 1);
    return { ...(random.once(2) ? mask : {}), [every]: rest } as Mask;
  }
  return mask as Mask;
}

/** Generates indexes of some elements, in any order, and perhaps of one more than there are. */
function randomIndexes(random: Random, length: number): Mask {
  const indexes = new Set([random.below(length + 1)]);
  for (let count = random.below(random.once(4) ? 9 : 3); count > 0; count--) indexes.add(random.below(length + 2));
  return [...indexes] as unknown as Mask;
}

/** Generates a small mask, independent of any value. */
function misfit(random: Random): Mask {
  return random.pick<Mask>([true, [true], [1, 0], [{ a: true }], { a: true }, { [every]: true }, {
    a: [true],
    [every]: [true],
  }]);
}

/** Renders a mask for an error. */
export function showMask(mask: Mask): string {
  return JSON.stringify(mask, (_key, part) => {
    if (typeof part !== "object" || part === null || !(every in part)) return part;
    return own(...Object.entries(part), ["[every]", part[every]]);
  });
}

/** Picks the part of a value that a mask selects. */
export function picked(value: unknown, mask: Mask): unknown {
  return pick(value, mask, every);
}

/** Bytes of whitespace that make a value too long to be read again once its rest has arrived. */
export const WAIT = 5_000;

/** Puts whitespace behind the first byte of a container; returns other bytes as they are. */
export function lengthened(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x5b && bytes[0] !== 0x7b) return bytes;
  return concat([bytes.subarray(0, 1), new Uint8Array(WAIT).fill(0x20), bytes.subarray(1)]);
}
