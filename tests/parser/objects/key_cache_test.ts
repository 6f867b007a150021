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
} from "../../../parser/objects/key.ts";
import { indexKeys, MIN_INDEXES } from "../../../parser/objects/key_cache.ts";
import { mixHash, mixWord, seenBefore } from "../../../parser/objects/hash.ts";
import { cursor } from "../../../parser/base/cursor.ts";
import { KEY } from "../../../parser/validation/token_dfa.ts";
import { failureAt } from "../../support/failures.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { concat, show, utf8 } from "../../support/bytes.ts";
import { constantOf, loadFresh } from "../../support/modules.ts";
import { withSeeds } from "../../support/random.ts";

type KeyCache = typeof import("../../../parser/objects/key_cache.ts");

const KEYS_CACHED_AT_ONCE = constantOf("parser/objects/key_cache.ts", "KEYS_CACHED_AT_ONCE");

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
    return new KeyReader(await loadFresh("parser/objects/key_cache.ts"));
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

  /** Reads a key as {@linkcode read} does, from the first bytes of an input. */
  readUpTo(text: Uint8Array, length: number): string | null {
    const bytes = concat([Uint8Array.of(0x22), text]);
    return this.readBytes(bytes, new DataView(bytes.buffer), 1 + length);
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
  it("caches the first keys of a process at once", async () => {
    const reader = await KeyReader.create();
    const key = reader.find('name":');
    assertEquals([key.name, key.size, key.resistance], ["name", 6, FIRST_RESISTANCE]);
    assertStrictEquals(reader.keys[key.slot], key);
    assertStrictEquals(reader.find('name":'), key);
    reader.cacheFirst(KEYS_CACHED_AT_ONCE - 1);
    assertStrictEquals(reader.find('other":'), NO_KEY);
  });

  it("caches a later key when it is met twice", async () => {
    const reader = await KeyReader.create();
    reader.cacheFirst();
    assertStrictEquals(reader.find('later":'), NO_KEY);
    const key = reader.find('later":');
    assertEquals([key.name, key.size, key.resistance], ["later", 7, FIRST_RESISTANCE]);
    assertStrictEquals(reader.keys[key.slot], key);
    assertStrictEquals(reader.find('later":'), key);
  });

  it("caches a key that begins with a digit when it is met twice", async () => {
    const reader = await KeyReader.create();
    for (const digit of "09") {
      assertStrictEquals(reader.find(`${digit}":`), NO_KEY);
      assertStrictEquals(reader.find(`${digit}":`).name, digit);
    }
    for (const next of "/:") assertStrictEquals(reader.find(`${next}":`).name, next);
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
      assertStrictEquals(reader.found, NO_KEY);
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
    assertStrictEquals(reader.found, first);
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
      assertStrictEquals(reader.found, key);
      for (let place = 0; place < length; place++) {
        const other = `${text.slice(0, place)}Z${text.slice(place + 1)}`;
        reader.before.alternateNext = key.slot;
        assertStrictEquals(reader.read(`${other}1}`), other.slice(0, -2));
      }
    }
  });

  it("tries the alternate prediction first", async () => {
    const reader = await KeyReader.create();
    const text = 'by hand":';
    const made = makeKey("by hand", 99, 5, text.length, new DataView(utf8(text).buffer), 0);
    reader.keys[5] = made; // without a hash, so that no look-up finds it
    const { slot } = NO_KEY;
    for (const isFirst of [false, true]) {
      for (const [alternateNext, alternateChild] of [[5, slot], [slot, 5]]) {
        made.resistance = 1;
        const before = Object.assign(makeKey("", 0, 0, 0, NO_BYTES, -1), { alternateNext, alternateChild });
        reader.before = before;
        assertStrictEquals(reader.read(`${text}1}`, { isFirst }), "by hand");
        const isFound = isFirst === (alternateChild === 5);
        assertEquals([reader.found === made, made.resistance], [isFound, isFound ? FULL_RESISTANCE : 1]);
        if (isFound) assertEquals([before.next, before.child], isFirst ? [slot, 5] : [5, slot]);
        reader.keys.fill(NO_KEY, 6); // what the look-ups have cached
      }
    }
  });

  it("reads nothing behind the end of the input, whatever is there", async () => {
    const reader = await KeyReader.create();
    const texts = ['key":1}', 'key" : 1}', 'a long name of a key":  1}', '12": 1}', 'é\\n":1}', '":1}', 'key":\t1}'];
    const entries = texts.map((text) => reader.cache(text.slice(0, -2).trimEnd()));
    for (const text of texts) {
      const whole = utf8(text);
      for (let length = 0; length <= whole.length; length++) {
        const cut = whole.slice(0, length);
        const behind = ["", whole.slice(length), ...['"', ":", " "].map((byte) => byte.repeat(20))];
        for (const alternate of [NO_KEY, ...entries]) {
          const results = behind.map((more) => {
            const bytes = concat([cut, typeof more === "string" ? utf8(more) : more]);
            reader.before = Object.assign(makeKey("", 0, 0, 0, NO_BYTES, -1), { alternateNext: alternate.slot });
            const name = reader.readUpTo(bytes, length);
            return JSON.stringify(name === null ? null : [name, reader.found.name, cursor.position]);
          });
          assertEquals(results, results.map(() => results[0]), `${show(cut)}, ${alternate.name}`);
        }
      }
    }
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

  it("counts names of digits that are not cached, and no others", async () => {
    const rows: [name: string, isIndex: boolean][] = [
      ...["0", "9", "10", "99", "007", "1234567890"].map((name): [string, boolean] => [name, true]),
      ...["", "a", "1a", "a1", "1:", ":", "/", "1/", "-1", "1 "].map((name): [string, boolean] => [name, false]),
    ];
    for (const [name, isIndex] of rows) {
      for (const isCached of [true, false]) {
        const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
        const reader = new KeyReader(cache);
        assertStrictEquals(cache.indexKeys.missed, 0);
        reader.find(`${name}":`, { isCached });
        assertStrictEquals(cache.indexKeys.missed, isIndex ? 1 : 0, `${name}, ${isCached}`);
      }
    }
  });

  it("counts up to a bound", async () => {
    const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
    const reader = new KeyReader(cache);
    for (let i = 0; i < 1000; i++) reader.find(`${i}":`);
    assertStrictEquals(cache.indexKeys.missed, 2 * MIN_INDEXES);
  });

  it("reads a name right whose hash or first words are those of another", async () => {
    const reader = await KeyReader.create();
    withSeeds(3_000, (random) => {
      const name = random.repeat(0, 40, () => random.pick(["a", "b"]));
      assertStrictEquals(reader.read(`${name}":1}`), name);
    });
  });

  it("finds keys in turn whose hashes agree in the bits that remember a slot", async () => {
    const reader = await KeyReader.create();
    // 1,500 keys share 1,024 such places.
    const names = Array.from({ length: 1_500 }, (_, i) => `key ${i}`);
    for (const name of [...names, ...names]) reader.find(`${name}":`);
    const cached = names.filter((name) => reader.find(`${name}":`) !== NO_KEY);
    assert(cached.length > 1_200, `${cached.length} keys`);
    for (const name of [...cached, ...cached.toReversed()]) assertStrictEquals(reader.find(`${name}":`).name, name);
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

  it("leaves a key in use where it is, however many keys collide with it", async () => {
    const reader = await KeyReader.create();
    const collidingKey = reader.fill();
    const before = reader.keys.map((key) => key.resistance);
    reader.find(collidingKey);
    const used = reader.keys.find((key, slot) => key.resistance < before[slot])!;
    for (let times = 0; times < 4 * FIRST_RESISTANCE; times++) {
      reader.find(collidingKey);
      assertStrictEquals(reader.find(`${used.name}":`), used);
    }
    assertStrictEquals(reader.keys[used.slot], used);
  });

  it("refuses a key for a reason, at a place", async () => {
    const reader = await KeyReader.create();
    const rows: { text: string | Uint8Array; code: string; offset: number }[] = [
      { text: 'a"', code: "expected-colon", offset: 2 },
      { text: 'a" ', code: "expected-colon", offset: 3 },
      { text: 'a"1', code: "expected-colon", offset: 2 },
      { text: 'a\\n"  1', code: "expected-colon", offset: 6 },
      { text: "", code: "unterminated-string", offset: 0 },
      { text: "name", code: "unterminated-string", offset: 4 },
      { text: "a\n", code: "bad-control-character", offset: 1 },
      { text: "a\\x", code: "bad-escape", offset: 2 },
      { text: "a\\u00g0", code: "bad-unicode-escape", offset: 5 },
      { text: utf8("a", 0xff, '":'), code: "invalid-utf8", offset: 1 },
    ];
    for (const { text, code, offset } of rows) {
      assertStrictEquals(reader.read(text), null);
      const key = typeof text === "string" ? utf8('"', text) : concat([utf8('"'), text]);
      assertEquals(failureAt(key, 0, key.length, KEY), { code, offset: 1 + offset }, String(text));
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

describe("mixWord()", () => {
  it("spreads words that differ in one byte over the slots, however many words follow", () => {
    for (const shift of [0, 8, 16, 24]) {
      for (const following of [0, 1, 2, 15]) {
        const slots = new Set(Array.from({ length: 256 }, (_, byte) => {
          let hash = mixWord(0, byte << shift);
          for (let i = 0; i < following; i++) hash = mixWord(hash, 0x61616161);
          return mixHash(hash, 0) & KEY_SLOTS - 1;
        }));
        assert(slots.size > 200, `${slots.size} slots: byte ${shift / 8}, ${following} words`);
      }
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
    const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
    for (const index of [0, 7, 10, 4096, 999_999_999]) {
      const length = `${index}":`.length;
      cache.foundKey.key = makeKey("", 1, 0, 0, NO_BYTES, -1);
      assertEquals(read(cache, `${index}":`), [index, length]);
      assertStrictEquals(cache.foundKey.key, NO_KEY);
      assertEquals(read(cache, `${index}": `), [index, length + 1]);
      assertEquals(read(cache, `${index}":  `), [index, length]);
      assertEquals(read(cache, `${index}":\n`), [index, length]);
    }
  });

  it("returns any other name as a string", async () => {
    const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
    const others = ["1A", "A", "1:", "/1", "1x:", "1:y", ":"];
    for (
      const name of ["", "00", "01", "-0", "-1", "1.0", "1e3", "a", "1a", " 1", "1000000000", "4294967295", ...others]
    ) {
      assertEquals(read(cache, `${name}":`), [name, name.length + 2]);
    }
    assertEquals(read(cache, '\\u0031":'), ["1", 8]);
    assertEquals(read(cache, '12" : ')[0], "12");
  });

  it("refuses a key without a colon", async () => {
    const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
    assertEquals(read(cache, '12"')[0], null);
  });

  it("reads nothing behind the end of the input, whatever is there", async () => {
    const { readKeyOrIndex } = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
    const whole = utf8('"120":  1}');
    for (let end = 1; end <= whole.length; end++) {
      const results = [0, ...utf8('0": 1')].map((behind) => {
        const bytes = concat([whole.subarray(0, end), new Uint8Array(20).fill(behind)]);
        const before = makeKey("", 0, 0, 0, NO_BYTES, -1);
        const name = readKeyOrIndex(bytes, new DataView(bytes.buffer), 1, end, before, false, true);
        return JSON.stringify(name === null ? null : [name, cursor.position]);
      });
      assertEquals(results, results.map(() => results[0]), `${end} bytes`);
    }
  });

  it("counts only indexes that it looks up", async () => {
    const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
    const { indexKeys } = cache;
    for (let times = 0; times < 200; times++) read(cache, 'name":');
    assertEquals(indexKeys, { missed: 0, read: 0 });
    for (let index = 1; index <= 640; index++) read(cache, `${1000 + index}":`);
    assertEquals(indexKeys, { missed: 10, read: 640 });
  });

  it("looks some indexes up, and counts those that are cached", async () => {
    const cache = await loadFresh<KeyCache>("parser/objects/key_cache.ts");
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

describe("a name that is cached", () => {
  it("is right if Object.prototype has an enumerable property", () => {
    Object.defineProperty(Object.prototype, "inherited", { value: 1, enumerable: true, configurable: true });
    try {
      const bytes = new TextEncoder().encode('[{"first seen now": 1}, {"first seen now": 2}]');
      for (let i = 0; i < 2; i++) {
        const result = parseBinary<object[]>(bytes);
        if (!result.ok) throw new Error(result.message);
        assertEquals(result.value.map((object) => Object.keys(object)), [["first seen now"], ["first seen now"]]);
      }
    } finally {
      Reflect.deleteProperty(Object.prototype, "inherited");
    }
  });
});
