/** What keeps the caches of keys, shapes and strings small, and right after a call that was ended. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { prepareForStream } from "../../parser/engine/young_generation.ts";
import { LARGE_INPUT } from "../../parser/engine/input_sizes.ts";
import { FULL_RESISTANCE, KEY_SLOTS, KEY_WAYS, makeKey } from "../../parser/objects/key.ts";
import { keys } from "../../parser/objects/key_cache.ts";
import { addMember } from "../../parser/objects/make_object.ts";
import { findInL2, insertInL2, newStringCache, releaseStringCache } from "../../parser/strings/string_cache.ts";
import { parseBinary } from "../../parse_binary.ts";
import { keyHash } from "../fuzz/collisions.ts";
import { utf8 } from "../support/bytes.ts";
import { constantOf, loadFresh, loadFreshWith } from "../support/modules.ts";

type ShapeCache = typeof import("../../parser/objects/shape_cache.ts");

const SHAPES = "parser/objects/shape_cache.ts";
const [MIN_THRESHOLD, MAX_SHAPE_KEYS, MAX_CONSTRUCTOR_MEMBERS, DECAY_INTERVAL] = [
  ...["MIN_THRESHOLD", "MAX_SHAPE_KEYS", "MAX_CONSTRUCTOR_MEMBERS", "DECAY_INTERVAL"],
].map((name) => constantOf(SHAPES, name));
const MAX_L2_CHARACTERS = constantOf("parser/strings/string_cache.ts", "MAX_L2_CHARACTERS");

describe("a call that is ended at any read of a word", () => {
  const SLOT = 7;
  // Names that take each other's slot, and differ in two words that the cache keeps apart.
  const all = Array.from({ length: 40_000 }, (_, i) => `a long name ${10_000_000 + i * 7_919 % 9_999_991}xx`);
  const names = all.filter((name) => (keyHash(name) & KEY_SLOTS - 1) === SLOT).slice(0, KEY_WAYS + 1);

  /** Parses some objects of a member. Returns its name. */
  function parse(name: string, count: number): string | undefined {
    const result = parseBinary(utf8(JSON.stringify(Array(count).fill({ [name]: 1 }))));
    return result.ok ? Object.keys((result.value as object[])[0])[0] : undefined;
  }

  it("leaves no half-made entry in the cache of keys", () => {
    const { getInt32 } = DataView.prototype;
    let ended = 0;
    for (let calls = 1; calls < 200; calls++) {
      for (const name of names) parse(name, 3);
      const [first, ...others] = keys.slice(SLOT, SLOT + KEY_WAYS).map((key) => key.name);
      const second = names.find((name) => name !== first && !others.includes(name))!;
      for (const name of [...others, first]) parse(name, 3); // the first one is predicted for the next input
      parse(second, FULL_RESISTANCE - 2); // after which it takes the place of the first
      let left = calls >> 1;
      DataView.prototype.getInt32 = function (position: number, isLittleEndian?: boolean): number {
        if (left-- === 0) throw new RangeError("Maximum call stack size exceeded");
        return getInt32.call(this, position, isLittleEndian);
      };
      try {
        parse(second, 6);
      } catch {
        ended++;
      } finally {
        DataView.prototype.getInt32 = getInt32;
      }
      const mixed = first.slice(0, 12) + second.slice(12, 16) + first.slice(16);
      for (const name of [mixed, first, second]) assertStrictEquals(parse(name, 1), name);
    }
    assert(ended > 80, `${ended} calls`);
  });
});

/** An object on the value stack, of keys that no other has, and the look-up of its constructor. */
class StackedObject {
  static lastId = 10_000;
  readonly #cache: ShapeCache;
  readonly #ids: Int32Array;
  readonly #stack: unknown[];
  readonly #lastKey = makeKey("", 1, 0, 0, new DataView(new ArrayBuffer(0)), -1);

  constructor(cache: ShapeCache, names: string[]) {
    this.#cache = cache;
    this.#ids = new Int32Array(2 * names.length).map((_, i) => i % 2 ? 0 : ++StackedObject.lastId);
    this.#stack = names.flatMap((name, i) => [name, i]);
    this.#lastKey.shape = constantOf(SHAPES, "SHAPE_SLOTS") + constantOf(SHAPES, "SHAPE_WAYS") - 1; // never used
  }

  find(): unknown {
    return this.#cache.findConstructor(this.#ids, 0, this.#stack.length, this.#lastKey, this.#stack);
  }

  /** Counts the calls up to the one that returns a constructor, at most 400. */
  calls(): number {
    let calls = 1;
    while (calls < 400 && this.find() === null) calls++;
    return calls;
  }
}

function objectOf(cache: ShapeCache, count = 2): StackedObject {
  return new StackedObject(cache, Array.from({ length: count }, (_, i) => `key ${i}`));
}

describe("constructors of shapes", () => {
  it("have few members together, and are made later the more there are, and sooner again after a time", async () => {
    const cache = await loadFresh<ShapeCache>(SHAPES);
    const first = 1 + MIN_THRESHOLD; // a shape has an entry from the second object on
    assertStrictEquals(objectOf(cache, MAX_SHAPE_KEYS).calls(), first);
    let most = 0;
    for (let i = 0; i < 100; i++) {
      objectOf(cache, MAX_SHAPE_KEYS).calls();
      const alive = cache.shapes.filter((shape) => shape.construct !== null);
      most = Math.max(most, alive.reduce((sum, shape) => sum + shape.count, 0));
    }
    assertStrictEquals(most, MAX_CONSTRUCTOR_MEMBERS);
    assertStrictEquals(objectOf(cache, MAX_SHAPE_KEYS + 1).calls(), 400);
    const later = objectOf(cache).calls();
    assert(later > first, `${later} calls`);
    const other = objectOf(cache, 3);
    for (let calls = later - 1; calls > MIN_THRESHOLD; calls >>= 1) {
      for (let i = 0; i < DECAY_INTERVAL; i++) other.find();
    }
    assertStrictEquals(objectOf(cache).calls(), first);
  });

  const throwing = (error: new () => Error) => (): never => {
    throw new error();
  };
  const engines: [globals: Record<string, unknown>, asks: number][] = [
    [{ Function: throwing(EvalError) }, 1],
    [{ Function: throwing(TypeError) }, 1],
    [{ Function: () => ({}) }, 1],
    [{ JSON: { stringify: (name: string) => name } }, 0],
    [{ JSON: { stringify: throwing(TypeError) } }, 0],
  ];
  it("are not made in an engine that forbids code or does not quote names, which is asked once", async () => {
    for (const [{ JSON = globalThis.JSON, Function = globalThis.Function }, asks] of engines) {
      let asked = 0;
      const counting = function (...args: unknown[]): unknown {
        asked++;
        return (Function as (...args: unknown[]) => unknown)(...args);
      };
      const cache = await loadFreshWith<ShapeCache>(SHAPES, { JSON, Function: counting });
      prepareForStream(0, 2 ** 30); // a large input, whose first literals are kept young
      for (let i = 0; i < 3; i++) assertStrictEquals(objectOf(cache).calls(), 400);
      assertStrictEquals(asked, asks);
      if (asks === 0) cache.allowCodeGeneration();
      assertStrictEquals(objectOf(cache).calls(), 400);
    }
  });

  it("are tried again after an overflow of the stack", async () => {
    let asked = 0;
    const overflowing = function (...args: string[]): unknown {
      if (asked++ === 0) throw new RangeError();
      return Function(...args);
    };
    const cache = await loadFreshWith<ShapeCache>(SHAPES, { Function: overflowing });
    assertStrictEquals(objectOf(cache).calls(), 1 + 2 * MIN_THRESHOLD);
  });
});

describe("addMember()", () => {
  it("returns false where the engine has no room for a member", () => {
    const object: Record<string, unknown> = {};
    assertEquals([addMember(object, "a", 1), object], [true, { a: 1 }]);
    assertEquals(addMember(Object.freeze({}), "a", 1), false);
  });
});

describe("strings of a large input", () => {
  it("are kept up to MAX_L2_CHARACTERS, apart from those that others have evicted, and until it is released", () => {
    // The fifth character is not hashed.
    const tokens = [..."abc"].map((letter) => `same${letter}characters of a token`).concat("two", "three", "four");
    const view = new DataView(utf8(`"${tokens.join('","')}"    `).buffer);
    const starts = tokens.map((_, i) => 1 + tokens.slice(0, i).join('","').length + (i > 0 ? 3 : 0));
    const find = (i: number): string | null => findInL2(view, starts[i], starts[i] + tokens[i].length);
    newStringCache(LARGE_INPUT);
    const texts = ["x".repeat(MAX_L2_CHARACTERS - 3), "b", "c", "d".repeat(MAX_L2_CHARACTERS - 3), "e", "late"];
    for (const [i, text] of texts.entries()) {
      assertStrictEquals(find(i), null);
      insertInL2(text, starts[i]);
    }
    assertEquals(texts.map((_, i) => find(i)?.[0]), [undefined, "b", "c", "d", "e", undefined]);
    releaseStringCache();
    for (const size of [LARGE_INPUT - 1, LARGE_INPUT]) {
      newStringCache(size);
      assertStrictEquals(find(1), null);
      insertInL2("b", starts[1]);
      assertStrictEquals(find(1), size === LARGE_INPUT ? "b" : null);
    }
    releaseStringCache();
  });
});
