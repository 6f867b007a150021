/**
 * String values that were seen before in the same input are looked up, not made again: in documents made to confuse the tables the
 * value must be that of `JSON.parse` all the same.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../parser/parse_document.ts";
import { difference } from "../support/difference.ts";
import { Random } from "../support/random.ts";

const encoder = new TextEncoder();

/** From this size on a second table looks further back. */
const LARGE = 5e6;

/** Texts of one length that are alike at both ends and in the middle, and differ elsewhere. */
function alike(random: Random, length: number, characters: string): string {
  const text = "the same at the ends".repeat(length).slice(0, length).split("");
  for (let times = 0; times < 2; times++) {
    text[4 + random.below(Math.max(1, length - 8))] = random.pick(characters);
  }
  return text.slice(0, length).join("");
}

/** Strings of many lengths as tokens, short and long, plain and not. */
function token(random: Random): string {
  const length = random.pick([0, 1, 2, 2, 3, 3, 4, 5, 7, 8, 10, 11, 12, 13, 16, 20, 31, 64, 200, 520]);
  const text = JSON.stringify(alike(random, length, random.pick(["ab", "éü", "中文", '\n"', "é中\\"])));
  return random.once(4) ? text.replaceAll("a", "\\u0061") : text;
}

function document(random: Random, size: number): Uint8Array {
  const tokens: string[] = [];
  for (let length = 0; length < size; length += tokens[tokens.length - 1].length + 1) {
    // Again and again for a while, then none that was there before.
    const isLate = length > 0.7 * size && length < 0.8 * size;
    const again = tokens.length > 0 && !random.once(3) && !isLate;
    tokens.push(again ? tokens[random.below(tokens.length)] : token(random));
  }
  return encoder.encode(`[${tokens.join()}]`);
}

function check(bytes: Uint8Array, windowSize?: number, margin?: number): void {
  const result = parseDocument(bytes, windowSize, margin);
  assertEquals(difference(result.ok && result.value, JSON.parse(new TextDecoder().decode(bytes))), undefined);
}

describe("texts that recur", () => {
  for (const size of [600, 3_000, 5_000, 300_000, LARGE]) {
    it(`are those of JSON.parse in ${size} bytes`, () => {
      for (let seed = 1; seed <= (size < LARGE ? 20 : 3); seed++) check(document(new Random(seed), size));
    });
  }

  it("are those of JSON.parse in windows of a large input", () => {
    for (let seed = 1; seed <= 2; seed++) check(document(new Random(seed), 2.5 * LARGE), LARGE, LARGE / 10);
  });

  it("are those of JSON.parse if they have two characters", () => {
    const pairs: string[] = [];
    for (let first = 0x20; first < 0x7f; first++) {
      for (let second = 0x20; second < 0x7f; second++) pairs.push(String.fromCharCode(first, second));
    }
    check(encoder.encode(JSON.stringify([pairs, pairs, pairs.toReversed()])));
  });

  it("stop where the input does", () => {
    const bytes = document(new Random(1), LARGE);
    for (const text of ["é", "éa", "ab", "abc", "中", "a text of some length", "a text with é and 中"]) {
      const end = encoder.encode(`,"${text}"`);
      const cut = new Uint8Array(bytes.length - 1 + end.length);
      cut.set(bytes.subarray(0, -1));
      cut.set(end, bytes.length - 1);
      assertEquals(parseDocument(cut).ok, false);
      assertEquals(parseDocument(cut.subarray(0, -1)).ok, false);
    }
  });
});
