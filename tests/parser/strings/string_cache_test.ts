/** Cache of string values in `parser/strings/string_cache.ts`, slot by slot. */

import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LARGE_INPUT, SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import {
  cachedString,
  cachedTwoCharString,
  cacheGeneration,
  findInL2,
  insertInL2,
  newStringCache,
  NO_CACHE,
  releaseStringCache,
} from "../../../parser/strings/string_cache.ts";
import { constantOf } from "../../support/modules.ts";

const encoder = new TextEncoder();

const PATH = "parser/strings/string_cache.ts";
const MIN_LONG_SLOTS = constantOf(PATH, "MIN_LONG_SLOTS");
const MAX_LONG_SLOTS = constantOf(PATH, "MAX_LONG_SLOTS");
const SHORT_SLOT_RATIO = constantOf(PATH, "SHORT_SLOT_RATIO");
const BYTES_PER_LONG_SLOT = constantOf(PATH, "BYTES_PER_LONG_SLOT");
const MAX_SHORT_LENGTH = constantOf(PATH, "MAX_SHORT_LENGTH");
const FIRST_HIT_BUDGET = constantOf(PATH, "FIRST_HIT_BUDGET");
const BYPASS_LENGTH = constantOf(PATH, "BYPASS_LENGTH");
const MAX_L2_TOKEN = constantOf(PATH, "MAX_L2_TOKEN");
const MAX_L2_HIT_BUDGET = constantOf(PATH, "MAX_L2_HIT_BUDGET");
const MAX_L2_CHARACTERS = constantOf(PATH, "MAX_L2_CHARACTERS");

/** Size of an input with an L1 cache of the usual size, and no L2 cache. */
const MEDIUM = LARGE_INPUT - 1;

/**
 * String tokens one after the other, in an input of their own. Strings have no identity: a test
 * puts another one into the cache to see whether a string comes from there.
 */
class Tokens {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
  /** Positions after the opening quotes, and of the closing ones. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  constructor(texts: readonly string[]) {
    const tokens = texts.map((text) => encoder.encode(`"${text}",`));
    let position = 3;
    for (const { length } of tokens) {
      this.starts.push(position + 1);
      this.ends.push(position + length - 2);
      position += length;
    }
    this.bytes = new Uint8Array(position + 16);
    tokens.forEach((token, i) => this.bytes.set(token, this.starts[i] - 1));
    this.view = new DataView(this.bytes.buffer);
  }

  /** Reads a token through an L1 cache. */
  read(cache: (string | null)[], index: number): string {
    return cachedString(cache, this.bytes, this.view, this.starts[index], this.ends[index]);
  }

  /** Looks for a token in the L2 cache. */
  find(index: number): string | null {
    return findInL2(this.view, this.starts[index], this.ends[index]);
  }

  /** Inserts a string for a token looked for before. */
  insert(index: number, text: string): void {
    insertInL2(text, this.starts[index]);
  }
}

/** Returns the texts that differ from one in a single byte. */
function changesOf(text: string): string[] {
  return Array.from(text, (_, place) => `${text.slice(0, place)}#${text.slice(place + 1)}`);
}

function plainText(length: number): string {
  return "abcdefghijklmnopqrstuvwxyz".repeat(length / 26 + 1).slice(0, length);
}

describe("newStringCache()", () => {
  it("returns NO_CACHE for a small input", () => {
    for (const size of [0, 1, SMALL_INPUT]) assertStrictEquals(newStringCache(size), NO_CACHE);
    assertNotStrictEquals(newStringCache(SMALL_INPUT + 1), NO_CACHE);
  });

  it("returns an empty cache that grows with the input up to a bound", () => {
    const smallest = MIN_LONG_SLOTS * BYTES_PER_LONG_SLOT;
    const largest = MAX_LONG_SLOTS * BYTES_PER_LONG_SLOT;
    const rows: [size: number, longSlots: number][] = [
      ...[SMALL_INPUT + 1, smallest].map((size): [number, number] => [size, MIN_LONG_SLOTS]),
      ...[smallest + 1, 2 * smallest].map((size): [number, number] => [size, 2 * MIN_LONG_SLOTS]),
      [2 * smallest + 1, 4 * MIN_LONG_SLOTS],
      [largest / 2, MAX_LONG_SLOTS / 2],
      ...[largest, 1e9].map((size): [number, number] => [size, MAX_LONG_SLOTS]),
    ];
    for (const [size, longSlots] of rows) {
      const cache = newStringCache(size);
      assertStrictEquals(cache.length, longSlots * (1 + SHORT_SLOT_RATIO), `${size} bytes`);
      assert(cache.every((text) => text === null));
    }
    releaseStringCache();
  });

  it("gives each cache another number, an int32, and NO_CACHE none", () => {
    const { value } = cacheGeneration;
    try {
      cacheGeneration.value = 0x7ffffffe;
      const numbers = [MEDIUM, SMALL_INPUT, MEDIUM, MEDIUM].map((size) => {
        newStringCache(size);
        return cacheGeneration.value;
      });
      assertStrictEquals(numbers[1], numbers[0]);
      assertEquals(new Set([0x7ffffffe, ...numbers]).size, 4);
      assertEquals(numbers, numbers.map((number) => number | 0));
    } finally {
      cacheGeneration.value = value;
    }
  });
});

describe("cachedString()", () => {
  it("returns the earlier string of a token met twice, of every length", () => {
    for (let length = 3; length <= 100; length++) {
      const text = plainText(length);
      const tokens = new Tokens([text, text]);
      const cache = newStringCache(MEDIUM);
      assertStrictEquals(tokens.read(cache, 0), text);
      cache[cache.indexOf(text)] = text.toUpperCase();
      assertStrictEquals(tokens.read(cache, 1), text.toUpperCase());
    }
  });

  it("tells a token from any that differs in one byte", () => {
    for (const length of [3, 4, 5, 7, 8, 10, 11, 12, 31, 64, 65]) {
      const text = plainText(length);
      const changes = changesOf(text);
      for (const [place, change] of changes.entries()) {
        const tokens = new Tokens([text, change]);
        const cache = newStringCache(MEDIUM);
        tokens.read(cache, 0);
        assertStrictEquals(tokens.read(cache, 1), change);
        // The slot follows from the first four bytes and the last three.
        if (place >= 4 && place < length - 3) assertEquals(cache.filter((other) => other !== null), [change]);
      }
    }
  });

  it("leaves the cache alone for a while after too many misses", () => {
    const texts = Array.from({ length: FIRST_HIT_BUDGET + BYPASS_LENGTH + 2 }, (_, i) => `distinct ${i}`);
    const tokens = new Tokens(texts);
    const cache = newStringCache(MEDIUM);
    for (let i = 0; i <= FIRST_HIT_BUDGET; i++) tokens.read(cache, i);
    const before = [...cache];
    for (let i = FIRST_HIT_BUDGET + 1; i <= FIRST_HIT_BUDGET + BYPASS_LENGTH; i++) {
      assertStrictEquals(tokens.read(cache, i), texts[i]);
    }
    assertEquals(cache, before);
    for (let i = texts.length - 2; i < texts.length; i++) {
      tokens.read(cache, i);
      assert(cache.includes(texts[i]), `token ${i}`);
    }
  });

  it("takes long strings that are not in the L1 cache from the L2 cache", () => {
    for (let length = 3; length <= 30; length++) {
      const text = plainText(length);
      const tokens = new Tokens([text, text]);
      const isLong = length > MAX_SHORT_LENGTH;
      let cache = newStringCache(LARGE_INPUT);
      assertStrictEquals(tokens.read(cache, 0), text);
      assertStrictEquals(tokens.find(1), isLong ? text : null);
      cache = newStringCache(LARGE_INPUT);
      assertStrictEquals(tokens.find(0), null);
      tokens.insert(0, "inserted");
      assertStrictEquals(tokens.read(cache, 1), isLong ? "inserted" : text);
    }
    releaseStringCache();
  });
});

describe("both caches", () => {
  it("spread strings over their slots", () => {
    for (const prefix of ["", "n", "number ", "a long text of the number "]) {
      // Strings that differ in one byte at a time, fewer than the cache takes misses.
      const texts = Array.from({ length: FIRST_HIT_BUDGET }, (_, i) => `${prefix}${(prefix ? 100 : 10) + i}`);
      const tokens = new Tokens(texts);
      const cache = newStringCache(MEDIUM);
      texts.forEach((text, i) => {
        if (text.length > 2) tokens.read(cache, i);
        else cachedTwoCharString(cache, tokens.bytes, tokens.view, tokens.starts[i]);
      });
      const used = cache.filter((text) => text !== null).length;
      // 64 at random in 256 slots take 57 on average.
      assert(used > 0.7 * FIRST_HIT_BUDGET, `${used} slots of ${prefix}`);
    }
    newStringCache(LARGE_INPUT);
    const texts = Array.from({ length: MAX_L2_HIT_BUDGET - 96 }, (_, i) => `token number ${i}`);
    const tokens = new Tokens(texts);
    for (const [i, text] of texts.entries()) {
      assertStrictEquals(tokens.find(i), null);
      tokens.insert(i, text);
    }
    const lost = texts.filter((text, i) => tokens.find(i) !== text).length;
    // Some 9 of 4,000 share a place with two others; some 240 with one.
    assert(lost < 40, `${lost} lost`);
    releaseStringCache();
  });
});

describe("findInL2() and insertInL2()", () => {
  it("return the string inserted for an equal token, of every length", () => {
    newStringCache(LARGE_INPUT);
    for (const length of [3, 4, 5, 10, 11, 100, MAX_L2_TOKEN]) {
      const text = plainText(length);
      const tokens = new Tokens([text, text]);
      assertStrictEquals(tokens.find(0), null);
      tokens.insert(0, "inserted");
      assertStrictEquals(tokens.find(1), "inserted");
      newStringCache(LARGE_INPUT);
    }
    releaseStringCache();
  });

  it("tell a token from any that differs in one byte", () => {
    for (const length of [3, 4, 5, 8, 13, 64, 100]) {
      const text = plainText(length);
      const tokens = new Tokens([text, ...changesOf(text)]);
      newStringCache(LARGE_INPUT);
      tokens.find(0);
      tokens.insert(0, "inserted");
      for (let i = 1; i < tokens.starts.length; i++) assertStrictEquals(tokens.find(i), null);
      assertStrictEquals(tokens.find(0), "inserted");
    }
    releaseStringCache();
  });

  it("find nothing shorter than 3 bytes or longer than MAX_L2_TOKEN", () => {
    newStringCache(LARGE_INPUT);
    for (const length of [0, 1, 2, MAX_L2_TOKEN + 1]) {
      const tokens = new Tokens([plainText(length)]);
      for (let times = 0; times < 2; times++) {
        assertStrictEquals(tokens.find(0), null);
        tokens.insert(0, "inserted");
      }
    }
    releaseStringCache();
  });

  it("find nothing in an input that is not large, or after the cache is released", () => {
    const tokens = new Tokens(["a text of some length"]);
    newStringCache(LARGE_INPUT);
    releaseStringCache();
    for (const size of [SMALL_INPUT, MEDIUM]) {
      newStringCache(size);
      assertStrictEquals(tokens.find(0), null);
      tokens.insert(0, "inserted");
      assertStrictEquals(tokens.find(0), null);
    }
    assertEquals(NO_CACHE, []);
    newStringCache(LARGE_INPUT);
    tokens.find(0);
    tokens.insert(0, "inserted");
    releaseStringCache();
    assertStrictEquals(tokens.find(0), null);
    newStringCache(LARGE_INPUT);
    assertStrictEquals(tokens.find(0), null);
    releaseStringCache();
  });

  it("insert no more when the strings have MAX_L2_CHARACTERS characters", () => {
    const tokens = new Tokens(["the first token", "the second token", "the third token"]);
    newStringCache(LARGE_INPUT);
    const texts = ["x".repeat(MAX_L2_CHARACTERS - 1), "y", "late"];
    for (const [index, text] of texts.entries()) {
      assertStrictEquals(tokens.find(index), null);
      tokens.insert(index, text);
    }
    assertStrictEquals(tokens.find(0)?.length, MAX_L2_CHARACTERS - 1);
    assertStrictEquals(tokens.find(1), "y");
    assertStrictEquals(tokens.find(2), null);
    releaseStringCache();
  });

  it("evict the older of two strings whose tokens have the hash of a third, and its characters", () => {
    // The fifth character is not hashed.
    const tokens = new Tokens([..."abc"].map((letter) => `same${letter}characters of a token`).concat("two", "three"));
    newStringCache(LARGE_INPUT);
    const texts = ["x".repeat(MAX_L2_CHARACTERS - 3), "b", "c", "d".repeat(MAX_L2_CHARACTERS - 3), "e"];
    for (const [index, text] of texts.entries()) {
      assertStrictEquals(tokens.find(index), null);
      tokens.insert(index, text);
    }
    assertEquals(texts.map((_, index) => tokens.find(index)?.[0]), [undefined, "b", "c", "d", "e"]);
    releaseStringCache();
  });

  it("tell a token from a longer one of the same hash that begins with it", () => {
    // In the shorter one, nothing is hashed but characters 1 to 4, 9 to 19 and the length.
    const shorter = "any beginnincccccbb";
    const tokens = new Tokens([`${shorter}b`, shorter, ...["B", "C"].map((letter) => shorter.replace("b", letter))]);
    newStringCache(LARGE_INPUT);
    tokens.find(0);
    tokens.insert(0, "longer");
    assertStrictEquals(tokens.find(1), null);
    for (const index of [2, 3]) {
      assertStrictEquals(tokens.find(index), null);
      tokens.insert(index, "other");
    }
    assertStrictEquals(tokens.find(0), null, "the hashes differ");
    releaseStringCache();
  });

  it("probe a fixed share of tokens with no hit budget left, and earn some by hits", () => {
    const texts = Array.from({ length: MAX_L2_HIT_BUDGET + 3_200 }, (_, i) => `token number ${i}`);
    const tokens = new Tokens(texts);
    newStringCache(LARGE_INPUT);
    for (const [i, text] of texts.entries()) {
      assertStrictEquals(tokens.find(i), null);
      if (i >= MAX_L2_HIT_BUDGET) tokens.insert(i, text);
    }
    const found = texts.filter((_, i) => i >= MAX_L2_HIT_BUDGET && tokens.find(i) !== null).length;
    assert(found > 100 && found < 300, `${found} of 3,200 tokens, not about 200`);
    releaseStringCache();
  });
});
