/**
 * Masks, outlines of the command line, and JSON Pointers that want the same of random documents:
 * values, places and bytes agree, whole and cut.
 */

import { assertThrows } from "@std/assert";
import { it } from "@std/testing/bdd";
import { formatMask } from "../../bench/support/selections.ts";
import { parseStream } from "../../parse_stream.ts";
import { locate, parseAt, type ValueAt } from "../../pointer.ts";
import { every, type Mask } from "../../select.ts";
import { show, utf8 } from "../support/bytes.ts";
import { evenCuts, piecesAt, randomCut } from "../support/cuts.ts";
import { assertSame } from "../support/difference.ts";
import { randomDocument } from "../support/documents.ts";
import { lengthened, picked, randomMask, showMask } from "../support/masks.ts";
import { readParts } from "../support/parts.ts";
import { withSeedsAsync } from "../support/random.ts";
import { assertRead } from "../support/readers.ts";
import { referenceParse } from "../support/reference.ts";

/** Maximum number of pointers of a mask that are followed. */
const POINTERS = 20;

/** Returns the tokens of the pointers to the leaves of what a mask has selected. */
function leavesOf(selected: unknown, mask: Mask, tokens: readonly string[] = []): string[][] {
  if (mask === true) return selected === undefined ? [] : [[...tokens]];
  if (typeof selected !== "object" || selected === null) return [];
  const masks = mask as Record<string, Mask>;
  const rest = (mask as { [every]?: Mask })[every];
  return Object.entries(selected).flatMap(([name, value]) => {
    // An element at an index is at another one in what is selected.
    if (Array.isArray(mask) && typeof mask[0] === "number") return [];
    const inner = Array.isArray(mask) ? mask[0] : Object.hasOwn(masks, name) ? masks[name] : rest;
    return inner === undefined ? [] : leavesOf(value, inner, [...tokens, name]);
  });
}

/**
 * Returns whether the command line can write a mask: it has no form for an array of whole elements.
 */
function isOutline(mask: Mask): boolean {
  return mask !== true && !/\[true\]/.test(formatMask(mask));
}

function valueOf(text: string): unknown {
  const result = referenceParse(utf8(text));
  if (!result.ok) throw new SyntaxError(`${text}: ${result.message}`);
  return result.value;
}

// Demanded of the one tree: see "Wanted parts" in ARCHITECTURE.md. Whatever a mask wants, an
// outline and pointers want too.
it("a mask, an outline of the command line and pointers select the same parts", async () => {
  await withSeedsAsync(300, async (random) => {
    const text = randomDocument(random);
    const mask = randomMask(random, valueOf(text));
    const bytes = random.once(4) ? lengthened(utf8(text)) : utf8(text);
    const selected = picked(valueOf(text), mask);
    const equals = (actual: unknown, expected: unknown, how: string): void =>
      assertSame(actual, expected, () => `${show(bytes)}, mask ${showMask(mask)}, ${how}`);
    const sizes = [bytes.length, 1 + random.below(4), 1 + random.below(bytes.length)];
    assertRead(bytes, { mask }, sizes.flatMap((size) => [...evenCuts(bytes.length, size)]));
    for (const size of isOutline(mask) ? sizes : []) {
      const read = (): string => readParts({ mask: formatMask(mask) }, bytes, false, size);
      if (selected === undefined) assertThrows(read, Error, "not valid");
      else equals(valueOf(read()), selected, `outline, pieces of ${size}`);
    }

    const pointers = leavesOf(selected, mask).slice(0, POINTERS);
    const places = pointers.length > 0 ? locate(bytes, pointers) : [];
    for (const [i, place] of places.entries()) {
      const [pointer, [found]] = [pointers[i], parseAt(bytes, [pointers[i]])];
      const wanted = pointer.reduce((value, token) => (value as Record<string, unknown>)[token], selected);
      if (!place.ok || !place.found) throw new Error(`${show(bytes)}: nothing at ${pointer}`);
      const { value, ...rest } = found as ValueAt;
      equals([value, rest], [wanted, place], `at ${pointer}`);
      equals(valueOf(new TextDecoder().decode(bytes.subarray(place.start, place.end))), wanted, `bytes at ${pointer}`);
      if (i > 2) continue;
      equals(valueOf(readParts({ get: pointer }, bytes, false, sizes[1])), wanted, `get ${pointer}`);
      const cut = randomCut(random, bytes.length);
      const streamed = await parseStream(piecesAt(bytes, cut), { at: pointer, detachChunks: false });
      equals(streamed, found, `${pointer}, cut at ${cut}`);
    }
  });
});
