/** Random masks for selection, and selection checked in every way that a program can select. */

import type { Random } from "../../bench/support/random.ts";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryParser, type ParseResult } from "../../parse_stream.ts";
import { every, type Mask, selectBinary, type Selector, selector } from "../../select.ts";
import { concat, type Input, show } from "./bytes.ts";
import { type Cut, piecesAt, readPieces } from "./cuts.ts";
import { own, resultDifference } from "./difference.ts";
import { pick } from "./picking.ts";
import { referenceParse } from "./reference.ts";

/** Maximum number of elements and members of a container that a random mask looks at. */
const LOOKED_AT = 50;

/** Names that few documents have. */
const ABSENT = ["absent", "", "a", "0", "length", "__proto__", "toString"];

/** Generates a mask that fits a value more or less. */
export function randomMask(random: Random, value: unknown, depth = 2 + random.below(4)): Mask {
  if (depth === 0 || random.once(12)) return true;
  if (random.once(25)) return misfit(random);
  if (Array.isArray(value)) {
    if (random.once(10)) return random.pick<Mask>([{ length: true }, { [every]: true }]);
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

/** Generates a small mask, without a look at any value. */
function misfit(random: Random): Mask {
  return random.pick<Mask>([true, [true], [{ a: true }], { a: true }, { [every]: true }, {
    a: [true],
    [every]: [true],
  }]);
}

/** Writes a mask for an error. */
export function showMask(mask: Mask): string {
  return JSON.stringify(mask, (_key, part) => {
    if (typeof part !== "object" || part === null || !(every in part)) return part;
    return own(...Object.entries(part), ["[every]", part[every]]);
  });
}

/** Picks the part of a value that a mask wants. */
export function picked(value: unknown, mask: Mask): unknown {
  return pick(value, mask, every);
}

export function assertSelected(input: Input, select: Selector<unknown>, expected: ParseResult, how: string): void {
  const problem = resultDifference(selectBinary(input, select), expected);
  if (problem) throw new Error(`${show(input)}, ${how}: ${problem}`);
}

/** Bytes of whitespace that make a value too long to be read again once its rest has arrived. */
const WAIT = 5_000;

/** Puts whitespace behind the first byte of a container; returns other bytes as they are. */
export function lengthened(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x5b && bytes[0] !== 0x7b) return bytes;
  return concat([bytes.subarray(0, 1), new Uint8Array(WAIT).fill(0x20), bytes.subarray(1)]);
}

/** Returns the part of a result that a mask wants. */
export function partOf(result: ParseResult, mask: Mask): ParseResult {
  return result.ok ? { ok: true, value: picked(result.value, mask) } : result;
}

/**
 * Asserts the result of a selection, that of the reference if no other is expected: by a new
 * selector, by one that has met the input, and from pieces at each cut.
 */
export function assertSelection(
  bytes: Uint8Array,
  mask: Mask,
  cuts: Iterable<Cut> = [],
  expected: ParseResult = partOf(referenceParse(bytes), mask),
): void {
  const select: Selector<unknown> = selector(mask);
  const how = `mask ${showMask(mask)}`;
  for (const times of ["new", "used once", "used twice"]) assertSelected(bytes, select, expected, `${how}, ${times}`);
  for (const cut of cuts) assertSelectedFromPieces(bytes, select, expected, cut, how);
}

/** Asserts the result of a selection from pieces, and of one from the same value made longer. */
export function assertSelectedFromPieces(
  bytes: Uint8Array,
  select: Selector<unknown>,
  expected: ParseResult,
  cut: Cut,
  how: string,
): void {
  const assertPieces = (bytes: Uint8Array, cut: Cut, expected: ParseResult): void => {
    const problem = resultDifference(readPieces(new BinaryParser({ select }), piecesAt(bytes, cut)), expected);
    if (problem) throw new Error(`${show(bytes)}, ${how}, cut at ${cut}: ${problem}`);
  };
  assertPieces(bytes, cut, expected);
  const long = lengthened(bytes);
  if (long === bytes) return;
  assertPieces(long, cut.map((place) => place === 0 ? 0 : place + WAIT), expected.ok ? expected : parseBinary(long));
}
