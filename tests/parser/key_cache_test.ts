/** Cache of object keys in `parser/key_cache.ts`. Each test has a cache of its own. */

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
} from "../../parser/key.ts";
import { indexKeys, MIN_INDEXES, mixHash, seenBefore } from "../../parser/key_cache.ts";
import { cursor, failure, foundKey } from "../../parser/out_params.ts";
import { parseBinary } from "../../parse_binary.ts";
import { show, utf8 } from "../support/bytes.ts";
import { loadFresh } from "../support/modules.ts";
import { withSeeds } from "../support/random.ts";

type KeyCache = typeof import("../../parser/key_cache.ts");

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** Reads keys through a cache that no other test has used. */
class KeyReader {
  readonly keys: Key[];
  readonly #read: typeof import("../../parser/key_cache.ts").readKeyUnpredicted;
  /** Key before the next one: at first one that predicts nothing. */
  before: Key = makeKey("", 0, 0, 0, NO_BYTES, -1);

  constructor({ keys, readKeyUnpredicted }: typeof import("../../parser/key_cache.ts")) {
    this.keys = keys;
    this.#read = readKeyUnpredicted;
  }

  static async create(): Promise<KeyReader> {
    return new KeyReader(await loadFresh("parser/key_cache.ts"));
  }

  /** Reads a key of which the bytes after the opening quote are given; returns its name. */
  read(text: string | Uint8Array, { isFirst = false, isCached = true } = {}): string | null {
    const key = typeof text === "string" ? utf8(text) : text;
    const bytes = new Uint8Array(key.length + 9);
    bytes[0] = 0x22;
    bytes.set(key, 1);
    const view = new DataView(bytes.buffer);
    return this.#read(bytes, view, 1, 1 + key.length, this.before, isFirst, isCached);
  }

  /** Reads a key followed by a value, and returns its entry, or `NO_KEY`. */
  find(text: string, options?: { isFirst?: boolean; isCached?: boolean }): Key {
    this.before = makeKey("", 0, 0, 0, NO_BYTES, -1);
    assertNotStrictEquals(this.read(`${text}1}`, options), null);
    return foundKey.key;
  }

  /** Reads a key until it is in the cache, and returns its entry. */
  cache(text: string): Key {
    for (let times = 0; times < 3; times++) {
      const key = this.find(text);
      if (key !== NO_KEY) return key;
    }
    throw new Error(`${text} is not cached`);
  }

  /**
   * Fills the cache with keys used once, until one is refused for want of a slot; returns that one.
   */
  fill(): string {
    for (let i = 0; i < KEY_SLOTS; i++) {
      const text = `key ${i}":`;
      assertStrictEquals(this.find(text), NO_KEY);
      if (this.find(text) === NO_KEY) return text;
    }
    throw new Error("no key was refused");
  }
}

describe("readKeyUnpredicted()", () => {
  it("caches a key met twice", async () => {
    const reader = await KeyReader.create();
    assertStrictEquals(reader.find('name":'), NO_KEY);
    const key = reader.find('name":');
    assertEquals([key.name, key.size, key.resistance], ["name", 6, FIRST_RESISTANCE]);
    assertStrictEquals(reader.keys[key.slot], key);
    assertStrictEquals(reader.find('name":'), key);
  });

  it("gives each key another number, never 0", async () => {
    const reader = await KeyReader.create();
    const ids = Array.from({ length: 100 }, (_, i) => reader.cache(`${i}":`).id);
    assertEquals(new Set(ids).size, 100);
    assert(!ids.includes(0));
  });

  it("restores the resistance of a key that is used again", async () => {
    const reader = await KeyReader.create();
    const key = reader.cache('name":');
    key.resistance = 1;
    assertStrictEquals(reader.find('name":').resistance, FULL_RESISTANCE);
  });

  it("reads names as JSON.parse does, cached or not", async () => {
    const reader = await KeyReader.create();
    const names = ["", "a", "name", "a longer name with spaces", "é", "中文", "😀", "__proto__", "x".repeat(200)];
    const texts = names.map((name) => JSON.stringify(name)).concat('"\\u0061"', '"a\\n"', '"\\ud800"', '"\\\\\\""');
    for (let times = 0; times < 3; times++) {
      for (const text of texts) assertStrictEquals(reader.read(`${text.slice(1)}:1`), JSON.parse(text));
    }
  });

  it("leaves the position after the colon and one space", async () => {
    const reader = await KeyReader.create();
    const rows: [text: string, position: number][] = [
      ['a":1', 3],
      ['a": 1', 4],
      ['a":  1', 3],
      ['a":\n1', 3],
      ['a" : 1', 5],
      ['a"\n\t:1', 5],
      ['\\u0061": 1', 9],
      ['":[]', 2],
    ];
    for (let times = 0; times < 3; times++) {
      for (const [text, position] of rows) {
        reader.before = makeKey("", 0, 0, 0, NO_BYTES, -1);
        reader.read(text);
        assertStrictEquals(cursor.position, 1 + position, show(utf8(text)));
      }
    }
  });

  it("keeps an entry for each spelling of a name", async () => {
    const reader = await KeyReader.create();
    const keys = ['a":', 'a": ', 'a" :', '\\u0061":', '\\u0061": '].map((text) => reader.cache(text));
    assertEquals(new Set(keys).size, 5);
    assertEquals(keys.map((key) => key.name), ["a", "a", "a", "a", "a"]);
  });

  it("caches keys of up to MAX_KEY_SIZE bytes", async () => {
    const reader = await KeyReader.create();
    for (let length = 0; length <= MAX_KEY_SIZE - 2; length++) {
      assertStrictEquals(reader.cache(`${"k".repeat(length)}":`).size, length + 2);
    }
    for (let times = 0; times < 3; times++) {
      assertStrictEquals(reader.find(`${"k".repeat(MAX_KEY_SIZE - 1)}":`), NO_KEY);
      assertStrictEquals(reader.find(`\\n${"k".repeat(MAX_KEY_SIZE - 3)}":`), NO_KEY);
    }
  });

  it("caches nothing where it is told so", async () => {
    const reader = await KeyReader.create();
    for (let times = 0; times < 4; times++) {
      assertStrictEquals(reader.find('name":', { isCached: false }), NO_KEY);
    }
    assertEquals(new Set(reader.keys.slice(0, KEY_SLOTS)), new Set([NO_KEY]));
  });

  it("caches no key at the end of the input", async () => {
    const reader = await KeyReader.create();
    for (let times = 0; times < 3; times++) {
      assertStrictEquals(reader.read('name":1'), "name");
      assertStrictEquals(foundKey.key, NO_KEY);
    }
  });

  it("predicts the key that followed last, then the one before that", async () => {
    const reader = await KeyReader.create();
    const [before, first, second] = ['before":', 'first":', 'second":'].map((text) => reader.cache(text));
    reader.before = before;
    reader.read('first":1}');
    assertStrictEquals(before.next, first.slot);
    reader.read('second":1}');
    assertEquals([before.next, before.alternateNext], [second.slot, first.slot]);
    reader.read('first":1}');
    assertStrictEquals(foundKey.key, first);
    assertEquals([before.next, before.alternateNext], [first.slot, second.slot]);
  });

  it("predicts the first key of the object in a key, apart from the key that follows", async () => {
    const reader = await KeyReader.create();
    const [outer, first, second] = ['outer":', 'first":', 'second":'].map((text) => reader.cache(text));
    const { next, alternateNext } = outer;
    reader.before = outer;
    reader.read('first":1}', { isFirst: true });
    reader.read('second":1}', { isFirst: true });
    assertEquals([outer.child, outer.alternateChild], [second.slot, first.slot]);
    assertEquals([outer.next, outer.alternateNext], [next, alternateNext]);
  });

  it("tells a predicted key from any that differs in one byte", async () => {
    const reader = await KeyReader.create();
    for (let length = 0; length <= MAX_KEY_SIZE - 2; length++) {
      const text = `${"abcdefghijklm".repeat(5).slice(0, length)}":`;
      const key = reader.cache(text);
      reader.before = makeKey("", 0, 0, 0, NO_BYTES, -1);
      reader.before.alternateNext = key.slot;
      assertStrictEquals(reader.read(`${text}1}`), text.slice(0, -2));
      assertStrictEquals(foundKey.key, key);
      for (let place = 0; place < length; place++) {
        const other = `${text.slice(0, place)}Z${text.slice(place + 1)}`;
        reader.before.alternateNext = key.slot;
        assertStrictEquals(reader.read(`${other}1}`), other.slice(0, -2));
      }
    }
  });

  it("reads a name right whose hash or first words are those of another", async () => {
    const reader = await KeyReader.create();
    withSeeds(3_000, (random) => {
      const name = random.repeat(0, 40, () => random.pick(["a", "b"]));
      assertStrictEquals(reader.read(`${name}":1}`), name);
    });
  });

  it("decrements the resistance of colliding keys and replaces one at 0", async () => {
    const reader = await KeyReader.create();
    const newcomer = reader.fill();
    const resistances = (): number[] => reader.keys.slice(0, KEY_SLOTS + KEY_WAYS).map((key) => key.resistance);
    const before = resistances();
    assertStrictEquals(reader.find(newcomer), NO_KEY);
    const after = resistances();
    const slots = after.flatMap((resistance, slot) => resistance < before[slot] ? [slot] : []);
    assertEquals(slots, Array.from({ length: KEY_WAYS }, (_, i) => slots[0] + i));
    assertEquals(slots.map((slot) => before[slot] - after[slot]), [1, 1, 1, 1]);

    const tenants = slots.map((slot) => reader.keys[slot]);
    for (const tenant of tenants) tenant.resistance = 2;
    const refused = [1, 2].map(() => reader.find(newcomer));
    assertEquals(refused, [NO_KEY, NO_KEY]);
    const key = reader.find(newcomer);
    assertStrictEquals(key.slot, slots[0]);
    assertEquals(slots.slice(1).map((slot) => reader.keys[slot]), tenants.slice(1));
  });

  it("leaves a key in use where it is, however many keys collide with it", async () => {
    const reader = await KeyReader.create();
    const newcomer = reader.fill();
    const before = reader.keys.map((key) => key.resistance);
    reader.find(newcomer);
    const used = reader.keys.find((key, slot) => key.resistance < before[slot])!;
    for (let times = 0; times < 4 * FIRST_RESISTANCE; times++) {
      reader.find(newcomer);
      assertStrictEquals(reader.find(`${used.name}":`), used);
    }
    assertStrictEquals(reader.keys[used.slot], used);
  });

  it("records where a key is wrong", async () => {
    const reader = await KeyReader.create();
    const rows: [text: string | Uint8Array, code: string, offset: number][] = [
      ['a"', "expected-colon", 2],
      ['a" ', "expected-colon", 3],
      ['a"1', "expected-colon", 2],
      ['a\\n"  1', "expected-colon", 6],
      ["", "unterminated-string", 0],
      ["name", "unterminated-string", 4],
      ["a\n", "bad-control-character", 1],
      ["a\\x", "bad-escape", 2],
      ["a\\u00g0", "bad-unicode-escape", 5],
      [utf8("a", 0xff, '":'), "invalid-utf8", 1],
    ];
    for (const [text, code, offset] of rows) {
      assertStrictEquals(reader.read(text), null);
      assertEquals([failure.code, failure.offset], [code, 1 + offset], String(text));
    }
  });
});

describe("mixHash()", () => {
  it("spreads words that differ in one byte over the slots", () => {
    for (const shift of [0, 8, 16, 24]) {
      const slots = new Set(Array.from({ length: 256 }, (_, byte) => mixHash(0, byte << shift) & KEY_SLOTS - 1));
      // 256 at random in 2,048 slots meet 241 on average.
      assert(slots.size > 220, `${slots.size} slots`);
    }
  });

  it("spreads hashes that differ in one byte over the slots", () => {
    for (const shift of [0, 8, 16, 24]) {
      const slots = new Set(Array.from({ length: 256 }, (_, byte) => mixHash(byte << shift, 0) & KEY_SLOTS - 1));
      assert(slots.size > 220, `${slots.size} slots`);
    }
  });
});

describe("readKeyOrIndex()", () => {
  /** Reads a key that a value follows; returns its name or number, and how many bytes were read. */
  function read({ readKeyOrIndex }: KeyCache, text: string): [string | number | null, number] {
    const key = utf8(`${text}1}`);
    const bytes = new Uint8Array(key.length + 9);
    bytes.set(key, 1);
    const before = makeKey("", 0, 0, 0, NO_BYTES, -1);
    const name = readKeyOrIndex(bytes, new DataView(bytes.buffer), 1, 1 + key.length, before, false, true);
    return [name, cursor.position - 1];
  }

  it("returns the number of an index", async () => {
    const cache = await loadFresh<KeyCache>("parser/key_cache.ts");
    for (const index of [0, 7, 10, 4096, 999_999_999]) {
      const length = `${index}":`.length;
      assertEquals(read(cache, `${index}":`), [index, length]);
      assertStrictEquals(foundKey.key, NO_KEY);
      assertEquals(read(cache, `${index}": `), [index, length + 1]);
    }
  });

  it("returns any other name as a string", async () => {
    const cache = await loadFresh<KeyCache>("parser/key_cache.ts");
    for (const name of ["", "00", "01", "-0", "-1", "1.0", "1e3", "a", "1a", " 1", "1000000000", "4294967295"]) {
      assertEquals(read(cache, `${name}":`), [name, name.length + 2]);
    }
    assertEquals(read(cache, '\\u0031":'), ["1", 8]);
    assertEquals(read(cache, '12" : ')[0], "12");
  });

  it("records the failure of a key without a colon", async () => {
    const cache = await loadFresh<KeyCache>("parser/key_cache.ts");
    assertEquals(read(cache, '12"')[0], null);
    assertEquals(failure, { code: "expected-colon", offset: 4 });
  });

  it("looks some indexes up, and counts those that are cached", async () => {
    const cache = await loadFresh<KeyCache>("parser/key_cache.ts");
    const names: unknown[] = [];
    const { missed } = cache.indexKeys;
    for (let times = 0; times < 512; times++) names.push(read(cache, '12":')[0]);
    assertEquals(names.filter((name) => name === 12).length, 504);
    assertEquals(names.filter((name) => name === "12").length, 8);
    assert(cache.indexKeys.missed < missed, `${cache.indexKeys.missed} missed`);
  });

  it("is called from the moment that many indexes were not cached", () => {
    const row = (i: number) => Array.from({ length: 40 }, (_, j) => `"${1000 + (i * 977 + j * 7919) % 90_000}":"${j}"`);
    const text = JSON.stringify(Array.from({ length: 300 }, (_, i) => JSON.parse(`{"id":${i},${row(i).join()}}`)));
    const result = parseBinary(utf8(text));
    assertStrictEquals(JSON.stringify(result.ok && result.value), text);
    assert(indexKeys.missed >= MIN_INDEXES, `${indexKeys.missed} missed`);
  });
});

describe("seenBefore()", () => {
  it("says so from the second time on", () => {
    const hashes = new Int32Array(16);
    for (const hash of [1, -1, 0x7fffffff, -0x80000000]) {
      assertEquals([1, 2, 3].map(() => seenBefore(hashes, hash)), [false, true, true]);
    }
  });

  it("remembers two hashes of a slot, and evicts the older one for a third", () => {
    const hashes = new Int32Array(8);
    const [first, second, third] = [1, 5, 9];
    assertEquals([first, second].map((hash) => seenBefore(hashes, hash)), [false, false]);
    assertEquals([first, second].map((hash) => seenBefore(hashes, hash)), [true, true]);
    assertEquals(seenBefore(hashes, third), false);
    assertEquals([third, second].map((hash) => seenBefore(hashes, hash)), [true, true]);
    assertEquals(seenBefore(hashes, first), false);
  });
});
