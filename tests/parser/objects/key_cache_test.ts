/** Cache of object keys in `parser/objects/key_cache.ts`. Each test has a cache of its own. */

import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  FIRST_RESISTANCE,
  FULL_RESISTANCE,
  type Key,
  KEY_SLOTS,
  KEY_WAYS,
  makeKey,
  MAX_KEY_SIZE,
  NO_KEY,
  ROOT_KEY,
} from "../../../parser/objects/key.ts";
import { mixHash, mixWord, seenBefore } from "../../../parser/objects/hash.ts";
import { utf8 } from "../../support/bytes.ts";
import { constantOf, loadFresh } from "../../support/modules.ts";

type KeyCache = typeof import("../../../parser/objects/key_cache.ts");

const PATH = "parser/objects/key_cache.ts";
const KEYS_CACHED_AT_ONCE = constantOf(PATH, "KEYS_CACHED_AT_ONCE");

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** Reads keys through a cache that no other test has used. */
class KeyReader {
  readonly keys: Key[];
  readonly #read: KeyCache["readKeyUnpredicted"];
  readonly #foundKey: KeyCache["foundKey"];
  /** Key before the next one: at first one that predicts nothing. */
  before: Key = makeKey("", 0, 0, 0, NO_BYTES, -1);

  constructor({ foundKey, keys, readKeyUnpredicted }: KeyCache) {
    this.keys = keys;
    this.#read = readKeyUnpredicted;
    this.#foundKey = foundKey;
  }

  /** Entry of the key read last, or `NO_KEY`. */
  get found(): Key {
    return this.#foundKey.key;
  }

  static async create(): Promise<KeyReader> {
    return new KeyReader(await loadFresh(PATH));
  }

  /** Reads a key, given the bytes after its opening quote; returns its name. */
  read(text: string | Uint8Array, { isFirst = false, isCached = true } = {}): string | null {
    const key = typeof text === "string" ? utf8(text) : text;
    const bytes = new Uint8Array(key.length + 9);
    bytes[0] = 0x22;
    bytes.set(key, 1);
    const view = new DataView(bytes.buffer);
    return this.#read(bytes, view, 1, 1 + key.length, this.before, isFirst, isCached);
  }

  /** Reads a key as {@linkcode read} does, with a view and an end of the input. */
  readBytes(bytes: Uint8Array, view: DataView, end: number): string | null {
    return this.#read(bytes, view, 1, end, this.before, false, true);
  }

  /** Reads a key followed by a value, and returns its entry, or `NO_KEY`. */
  find(text: string, options?: { isFirst?: boolean; isCached?: boolean }): Key {
    this.before = makeKey("", 0, 0, 0, NO_BYTES, -1);
    assertNotStrictEquals(this.read(`${text}1}`, options), null);
    return this.found;
  }

  /** Reads a key until it is in the cache, and returns its entry. */
  cache(text: string): Key {
    for (let times = 0; times < 3; times++) {
      const key = this.find(text);
      if (key !== NO_KEY) return key;
    }
    throw new Error(`${text} is not cached`);
  }

  /** Reads other keys, each once, until so many of them were cached. */
  cacheFirst(count = KEYS_CACHED_AT_ONCE): void {
    for (let i = 0; count > 0; i++) if (this.find(`first ${i}":`) !== NO_KEY) count--;
  }

  /**
   * Fills the cache with keys used once, until one is refused for want of a slot; returns that one.
   */
  fill(): string {
    this.cacheFirst();
    for (let i = 0; i < KEY_SLOTS; i++) {
      const text = `key ${i}":`;
      assertStrictEquals(this.find(text), NO_KEY);
      if (this.find(text) === NO_KEY) return text;
    }
    throw new Error("no key was refused");
  }
}

describe("readKeyUnpredicted()", () => {
  it("caches the first keys of a process at once, later ones and those of digits when they are met twice", async () => {
    const reader = await KeyReader.create();
    const key = reader.find('name":');
    assertEquals([key.name, key.size, key.resistance, reader.keys[key.slot]], ["name", 6, FIRST_RESISTANCE, key]);
    assertStrictEquals(reader.find('name":'), key);
    for (const digit of "09") {
      assertStrictEquals(reader.find(`${digit}":`), NO_KEY);
      assertStrictEquals(reader.find(`${digit}":`).name, digit);
    }
    reader.cacheFirst(KEYS_CACHED_AT_ONCE - 1);
    assertStrictEquals(reader.find('later":'), NO_KEY);
    const later = reader.find('later":');
    assertEquals([later.name, later.size, later.resistance], ["later", 7, FIRST_RESISTANCE]);
    later.resistance = 1;
    assertStrictEquals(reader.find('later":').resistance, FULL_RESISTANCE);
  });

  it("caches keys of up to MAX_KEY_SIZE bytes, none at the end of the input, and none where it is told so", async () => {
    const reader = await KeyReader.create();
    for (let length = 0; length <= MAX_KEY_SIZE - 2; length++) {
      assertStrictEquals(reader.cache(`${"k".repeat(length)}":`).size, length + 2);
    }
    for (let times = 0; times < 4; times++) {
      assertStrictEquals(reader.find(`${"k".repeat(MAX_KEY_SIZE - 1)}":`), NO_KEY);
      assertStrictEquals(reader.find(`\\n${"k".repeat(MAX_KEY_SIZE - 3)}":`), NO_KEY);
      assertStrictEquals(reader.find('name":', { isCached: false }), NO_KEY);
      assertEquals([reader.read('name":1'), reader.found], ["name", NO_KEY]);
    }
  });

  it("predicts the key that followed last, then the one before that, apart from the first of an object", async () => {
    const reader = await KeyReader.create();
    const [before, first, second] = ['before":', 'first":', 'second":'].map((text) => reader.cache(text));
    reader.before = before;
    for (const text of ['first":1}', 'second":1}', 'first":1}']) reader.read(text);
    assertStrictEquals(reader.found, first);
    assertEquals([before.next, before.alternateNext], [first.slot, second.slot]);
    for (const text of ['first":1}', 'second":1}']) reader.read(text, { isFirst: true });
    assertEquals([before.child, before.alternateChild], [second.slot, first.slot]);
    assertEquals([before.next, before.alternateNext], [first.slot, second.slot]);
  });

  it("finds each key of a full cache", async () => {
    const reader = await KeyReader.create();
    // Long ones, all of whose words differ.
    const texts = Array.from({ length: 3 * KEY_SLOTS }, (_, i) => `${`${20_000 + i}`.repeat(12)}12":`);
    assertStrictEquals(texts[0].length, MAX_KEY_SIZE);
    for (const text of texts) for (let times = 0; times < 3; times++) reader.find(text);
    const slots = reader.keys.flatMap((key, slot) => key.size === MAX_KEY_SIZE ? [slot] : []);
    assert(
      slots.length > 0.9 * KEY_SLOTS && slots.at(-1)! >= KEY_SLOTS + 1,
      `${slots.length} keys, the last in ${slots.at(-1)}`,
    );
    for (const slot of slots) {
      const key = reader.keys[slot];
      assertEquals([key.slot, reader.find(`${key.name}":`) === key], [slot, true], `slot ${slot}`);
    }
  });

  it("leaves no half-made entry when the engine fails", async () => {
    const reader = await KeyReader.create();
    const collidingKey = `${"new words of a long name".repeat(2)}":`;
    const tenants = Array.from({ length: 4 * KEY_SLOTS }, (_, i) => `${"a long name of a tenant".repeat(2)} ${i}":`);
    for (const text of tenants) for (let times = 0; times < 2; times++) reader.find(text);
    assertStrictEquals(reader.find(collidingKey), NO_KEY);
    for (let calls = 0;; calls++) {
      for (const key of new Set(reader.keys)) if (key !== NO_KEY && key.size > 0) key.resistance = 0;
      const before = reader.keys.slice(0, KEY_SLOTS + KEY_WAYS);
      let left = calls;
      const failing = (view: DataView): DataView =>
        Object.assign(view, {
          getInt32: (position: number, isLittleEndian: boolean) => {
            if (left-- === 0) throw new RangeError("Maximum call stack size exceeded");
            return DataView.prototype.getInt32.call(view, position, isLittleEndian);
          },
        });
      reader.before = makeKey("", 0, 0, 0, NO_BYTES, -1);
      const bytes = utf8(`"${collidingKey}1}`);
      try {
        reader.readBytes(bytes, failing(new DataView(bytes.buffer)), bytes.length);
        assertStrictEquals(reader.found.name, collidingKey.slice(0, -2));
        return;
      } catch (error) {
        assert(error instanceof RangeError);
      }
      for (const [slot, key] of before.entries()) {
        if (reader.keys[slot] === key && key.size < 0x7fffffff) assertStrictEquals(reader.find(`${key.name}":`), key);
      }
    }
  });

  it("decrements the resistance of colliding keys and replaces one at 0", async () => {
    const reader = await KeyReader.create();
    const collidingKey = reader.fill();
    const resistances = (): number[] => reader.keys.slice(0, KEY_SLOTS + KEY_WAYS).map((key) => key.resistance);
    const before = resistances();
    assertStrictEquals(reader.find(collidingKey), NO_KEY);
    const after = resistances();
    const slots = after.flatMap((resistance, slot) => resistance < before[slot] ? [slot] : []);
    assertEquals(slots, Array.from({ length: KEY_WAYS }, (_, i) => slots[0] + i));
    assertEquals(slots.map((slot) => before[slot] - after[slot]), [1, 1, 1, 1]);

    const tenants = slots.map((slot) => reader.keys[slot]);
    for (const tenant of tenants) tenant.resistance = 2;
    const refused = [1, 2].map(() => reader.find(collidingKey));
    assertEquals(refused, [NO_KEY, NO_KEY]);
    const key = reader.find(collidingKey);
    assertStrictEquals(key.slot, slots[0]);
    assertEquals(slots.slice(1).map((slot) => reader.keys[slot]), tenants.slice(1));
  });
});

describe("mixHash() and mixWord()", () => {
  it("spread words and hashes that differ in one byte over the slots, however many words follow", () => {
    const hashes: ((bits: number) => number)[] = [(bits) => mixHash(0, bits), (bits) => mixHash(bits, 0)];
    for (const following of [0, 1, 2, 15]) {
      hashes.push((bits) => {
        let hash = mixWord(0, bits);
        for (let i = 0; i < following; i++) hash = mixWord(hash, 0x61616161);
        return mixHash(hash, 0);
      });
    }
    for (const hash of hashes) {
      for (const shift of [0, 8, 16, 24]) {
        const slots = new Set(Array.from({ length: 256 }, (_, byte) => hash(byte << shift) & KEY_SLOTS - 1));
        // 256 at random in 2,048 slots meet 241 on average.
        assert(slots.size > 200, `${slots.size} slots: ${hash}, byte ${shift / 8}`);
      }
    }
  });
});

describe("seenBefore()", () => {
  it("remembers two hashes of a slot, and evicts the older one for a third", () => {
    const hashes = new Int32Array(8);
    for (const hash of [1, -1, 0x7fffffff, -0x80000000]) {
      assertEquals([1, 2, 3].map(() => seenBefore(hashes, hash)), [false, true, true]);
    }
    const [first, second, third] = [2, 6, 10];
    assertEquals([first, second, first, second].map((hash) => seenBefore(hashes, hash)), [false, false, true, true]);
    assertEquals([third, third, second, first].map((hash) => seenBefore(hashes, hash)), [false, true, true, false]);
  });
});

describe("makeKey()", () => {
  it("makes entries that match no bytes but their own, and NO_KEY matches none", async () => {
    const { matches, matchesMiddle } = await loadFresh<KeyCache>(PATH);
    const bytes = new Uint8Array(MAX_KEY_SIZE + 16).map((_, i) => 0x61 + i % 26);
    const view = new DataView(bytes.buffer);
    for (let size = 2; size <= 12; size++) {
      const key = makeKey("name", 1, 0, size, view, 4);
      assertEquals(matches(key, view, 4), true);
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        const isWithin = bit >> 3 >= 4 && bit >> 3 < 4 + size;
        assertEquals(matches(key, view, 4), !isWithin, `bit ${bit} with a key of ${size} bytes`);
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
    }
    assertEquals(matchesMiddle(NO_KEY, new DataView(new ArrayBuffer(64)), 0), false);
    assertEquals([NO_KEY.id, ROOT_KEY.id, NO_KEY.slot >= KEY_SLOTS, ROOT_KEY.slot > NO_KEY.slot], [0, 0, true, true]);
    assertEquals([NO_KEY.size, ROOT_KEY.size].map((size) => size << 1 >> 1), [NO_KEY.size, ROOT_KEY.size]);
  });
});
