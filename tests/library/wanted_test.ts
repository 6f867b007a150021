/**
 * Masks, outlines of the command line, and JSON Pointers that want the same of random documents:
 * values, places and bytes agree, whole and cut.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatMask } from "../../bench/support/selections.ts";
import { parseStream } from "../../parse_stream.ts";
import { locate, parseAt } from "../../pointer.ts";
import { every, type Mask, selectBinary, selector } from "../../select.ts";
import { show, utf8 } from "../support/bytes.ts";
import { evenCuts, piecesAt, randomCut } from "../support/cuts.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { randomDocument } from "../support/documents.ts";
import { lengthened, picked, randomMask, selectPieces, showMask } from "../support/masks.ts";
import { readParts } from "../support/parts.ts";
import { withSeedsAsync } from "../support/random.ts";
import { referenceParse } from "../support/reference.ts";

/** Most pointers of a mask that are followed. */
const POINTERS = 20;

/** Returns the tokens of the pointers to the leaves of what a mask has selected. */
function leavesOf(selected: unknown, mask: Mask, tokens: readonly string[] = []): string[][] {
  if (mask === true) return selected === undefined ? [] : [[...tokens]];
  if (typeof selected !== "object" || selected === null) return [];
  const masks = mask as Record<string, Mask>;
  const rest = (mask as { [every]?: Mask })[every];
  return Object.entries(selected).flatMap(([name, value]) => {
    const inner = Array.isArray(mask) ? mask[0] : Object.hasOwn(masks, name) ? masks[name] : rest;
    return inner === undefined ? [] : leavesOf(value, inner, [...tokens, name]);
  });
}

/** Returns whether the command line can write a mask: it has no form for an array of whole elements. */
function isOutline(mask: Mask): boolean {
  return mask !== true && !/\[true\]/.test(formatMask(mask));
}

/** Returns the value at a pointer that leads to one. */
function valueAt(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce((value, token) => (value as Record<string, unknown>)[token], value);
}

function valueOf(text: string): unknown {
  const result = referenceParse(utf8(text));
  if (!result.ok) throw new SyntaxError(`${text}: ${result.message}`);
  return result.value;
}

// Demanded of the one tree: see "Wanted parts" in ARCHITECTURE.md. Whatever a mask wants, an outline and
// pointers want too.
describe("what is wanted", () => {
  it("is the same by a mask, an outline and pointers", async () => {
    await withSeedsAsync(300, async (random) => {
      const text = randomDocument(random);
      const value = valueOf(text);
      const mask = randomMask(random, value);
      const bytes = random.once(4) ? lengthened(utf8(text)) : utf8(text);
      const select = selector(mask);
      const selected = picked(value, mask);
      const equals = (actual: unknown, expected: unknown, how: string): void => {
        const problem = difference(actual, expected);
        if (problem) throw new Error(`${show(bytes)}, mask ${showMask(mask)}, ${how}: ${problem}`);
      };
      const sizes = [bytes.length, 1 + random.below(4), 1 + random.below(bytes.length)];

      const expected = { ok: true, value: selected } as const;
      equals(resultDifference(selectBinary(bytes, select), expected), undefined, "whole");
      for (const size of sizes) {
        for (const cut of evenCuts(bytes.length, size)) {
          equals(resultDifference(selectPieces(piecesAt(bytes, cut), select), expected), undefined, `cut at ${cut}`);
        }
        if (!isOutline(mask)) continue;
        const { output, diagnostics } = readParts({ mask: formatMask(mask) }, bytes, false, size);
        assertEquals(diagnostics, []);
        equals(valueOf(output), selected ?? null, `outline, pieces of ${size}`);
      }

      const pointers = leavesOf(selected, mask).slice(0, POINTERS);
      if (pointers.length === 0) return;
      const places = locate(bytes, pointers);
      for (const [i, found] of parseAt(bytes, pointers).entries()) {
        const pointer = pointers[i];
        if (!found.ok || !found.found) throw new Error(`${show(bytes)}: nothing at ${pointer}`);
        const { value: actual, ...place } = found;
        const wanted = valueAt(selected, pointer);
        equals(actual, wanted, `at ${pointer}`);
        assertEquals(places[i], place);
        const own = new TextDecoder().decode(bytes.subarray(place.start, place.end));
        equals(valueOf(own), wanted, `bytes at ${pointer}`);
        if (i > 2) continue;
        const { output } = readParts({ get: pointer }, bytes, false, sizes[1]);
        equals(valueOf(output), wanted, `get ${pointer}`);
        const cut = randomCut(random, bytes.length);
        const streamed = await parseStream(piecesAt(bytes, cut), { at: pointer, detachChunks: false });
        assertEquals(streamed, found, `${show(bytes)}: ${pointer}, cut at ${cut}`);
      }
    });
  });
});
