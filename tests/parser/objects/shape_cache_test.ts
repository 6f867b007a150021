/** Cache of object shapes in `parser/objects/shape_cache.ts`. Each test has a cache of its own. */

import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FULL_RESISTANCE, type Key, makeKey, NO_KEY } from "../../../parser/objects/key.ts";
import { type Constructor, MAX_SOURCE } from "../../../parser/objects/generated_constructors.ts";
import { addMember } from "../../../parser/objects/make_object.ts";
import { prepareForStream } from "../../../parser/engine/young_generation.ts";
import { constantOf, loadFresh, loadFreshWith } from "../../support/modules.ts";

type ShapeCache = typeof import("../../../parser/objects/shape_cache.ts");

const PATH = "parser/objects/shape_cache.ts";
const MIN_THRESHOLD = constantOf(PATH, "MIN_THRESHOLD");
const MAX_THRESHOLD = constantOf(PATH, "MAX_THRESHOLD");
const MAX_SHAPE_KEYS = constantOf(PATH, "MAX_SHAPE_KEYS");
const MAX_CONSTRUCTORS = constantOf(PATH, "MAX_CONSTRUCTORS");
const MAX_CONSTRUCTOR_MEMBERS = constantOf(PATH, "MAX_CONSTRUCTOR_MEMBERS");
const DECAY_INTERVAL = constantOf(PATH, "DECAY_INTERVAL");

/** Calls of a shape before it has an entry. */
const CALLS_BEFORE_ENTRY = 1;

/** Slot in the last key of an object whose shape was never found: one that no shape is in. */
const NOT_ENTERED = constantOf(PATH, "SHAPE_SLOTS") + constantOf(PATH, "SHAPE_WAYS") - 1;

/** Id given last. Ids decide which shapes collide. */
let lastId = 10_000;

/** An object as it is on the value stack, at a place that is not its beginning. */
class StackedObject {
  static readonly base = 3;
  readonly names: string[];
  readonly ids: Int32Array;
  readonly stack: unknown[];
  readonly top: number;
  readonly lastKey: Key;

  constructor(names: string[], idsOfNames: number[] = names.map(() => ++lastId)) {
    const { base } = StackedObject;
    this.names = names;
    this.top = base + 2 * names.length;
    this.ids = new Int32Array(this.top + 4).fill(-7);
    this.stack = Array(this.top + 4).fill("outside");
    names.forEach((name, i) => {
      this.ids[base + 2 * i] = idsOfNames[i];
      this.stack[base + 2 * i] = name;
      this.stack[base + 2 * i + 1] = `value ${i}`;
    });
    this.lastKey = makeKey(names.at(-1) ?? "", 1, 0, 0, new DataView(new ArrayBuffer(0)), -1);
    this.lastKey.shape = NOT_ENTERED;
  }

  /** Object of keys that no other has. */
  static of(count: number): StackedObject {
    return new StackedObject(Array.from({ length: count }, (_, i) => `key ${i}`));
  }

  /** Looks for the constructor once, as for each object of a document. */
  find(cache: ShapeCache): Constructor | null {
    return cache.findConstructor(this.ids, StackedObject.base, this.top, this.lastKey, this.stack);
  }

  /** Counts the calls up to the one that returns a constructor; `limit` if none does. */
  callsUntilConstructor(cache: ShapeCache, limit = 4 * MAX_THRESHOLD): number {
    let calls = 1;
    while (calls < limit && this.find(cache) === null) calls++;
    return calls;
  }

  /** Returns the members that the object must have. */
  entries(): [string, unknown][] {
    return this.names.map((name, i) => [name, `value ${i}`]);
  }
}

/** Loads a shape cache that no other test has used. */
function freshCache(): Promise<ShapeCache> {
  return loadFresh<ShapeCache>(PATH);
}

function constructorsOf({ shapes }: ShapeCache): number {
  return shapes.filter((shape) => shape.construct !== null).length;
}

/** Makes so many constructors, of shapes of so many members. */
function makeConstructors(cache: ShapeCache, count: number, members = 2): StackedObject[] {
  const objects: StackedObject[] = [];
  for (let tries = 0; constructorsOf(cache) < count && tries < 2 * count; tries++) {
    const object = StackedObject.of(members);
    if (object.callsUntilConstructor(cache, 200) < 200) objects.push(object);
  }
  assertStrictEquals(constructorsOf(cache), count);
  return objects;
}

describe("findConstructor()", () => {
  it("makes a constructor at the tier-up threshold", async () => {
    const calls = StackedObject.of(3).callsUntilConstructor(await freshCache());
    assertStrictEquals(calls, CALLS_BEFORE_ENTRY + MIN_THRESHOLD);
  });

  it("returns the same constructor from then on", async () => {
    const cache = await freshCache();
    const object = StackedObject.of(3);
    object.callsUntilConstructor(cache);
    const construct = object.find(cache);
    assertNotStrictEquals(construct, null);
    assertStrictEquals(object.find(cache), construct);
    assertStrictEquals(constructorsOf(cache), 1);
  });

  it("makes constructors of objects with these members as own properties", async () => {
    const cache = await freshCache();
    const lists = [["a"], ["a", "b", "c"], ["__proto__", "constructor"], ['"', "\\", "\u2028", "${1}", "é", "\ud800"]];
    lists.push(Array.from({ length: MAX_SHAPE_KEYS }, (_, i) => `k${i}`));
    for (const names of lists) {
      const object = new StackedObject(names);
      object.callsUntilConstructor(cache);
      const made = object.find(cache)!(object.stack, StackedObject.base) as object;
      assertEquals(Object.entries(made), object.entries());
      assertStrictEquals(Object.getPrototypeOf(made), Object.prototype);
    }
  });

  it("returns null for a key that is not cached", async () => {
    const cache = await freshCache();
    for (let place = 0; place < 3; place++) {
      const ids = [1, 2, 3];
      ids[place] = 0;
      const object = new StackedObject(["a", "b", "c"], ids);
      assertStrictEquals(object.callsUntilConstructor(cache, 200), 200);
    }
    const { ids, stack, top } = StackedObject.of(2);
    for (let times = 0; times < 200; times++) {
      assertStrictEquals(cache.findConstructor(ids, StackedObject.base, top, NO_KEY, stack), null);
    }
  });

  it("returns null for more than MAX_SHAPE_KEYS keys", async () => {
    const cache = await freshCache();
    assertStrictEquals(StackedObject.of(MAX_SHAPE_KEYS + 1).callsUntilConstructor(cache, 200), 200);
    assert(StackedObject.of(MAX_SHAPE_KEYS).callsUntilConstructor(cache, 200) < 200);
  });

  it("makes no function longer than MAX_SOURCE", async () => {
    const cache = await freshCache();
    const long = new StackedObject(Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(MAX_SOURCE / 100)));
    assertStrictEquals(long.callsUntilConstructor(cache, 200), 200);
    const short = new StackedObject(Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(MAX_SOURCE / 200)));
    assert(short.callsUntilConstructor(cache, 200) < 200);
  });

  it("decrements the resistance of colliding shapes and replaces one at 0", async () => {
    const cache = await freshCache();
    const isRefused = (object: StackedObject): boolean => {
      object.find(cache);
      object.find(cache);
      return object.lastKey.shape === NOT_ENTERED;
    };
    let collidingShape = StackedObject.of(2);
    for (let tries = 0; !isRefused(collidingShape) && tries < 2_000; tries++) collidingShape = StackedObject.of(2);
    const before = cache.shapes.map((shape) => shape.resistance);
    collidingShape.find(cache);
    const slots = cache.shapes.flatMap((shape, slot) => shape.resistance === before[slot] - 1 ? [slot] : []);
    assertEquals(slots, [0, 1, 2, 3].map((i) => slots[0] + i));

    const tenants = slots.map((slot) => cache.shapes[slot]);
    tenants[2].resistance = 1;
    collidingShape.find(cache);
    assertStrictEquals(collidingShape.lastKey.shape, NOT_ENTERED);
    collidingShape.find(cache);
    assertStrictEquals(collidingShape.lastKey.shape, slots[2]);
    assertEquals([0, 1, 3].map((i) => cache.shapes[slots[i]]), [0, 1, 3].map((i) => tenants[i]));
  });

  it("keeps at most MAX_CONSTRUCTORS constructors", async () => {
    const cache = await freshCache();
    makeConstructors(cache, MAX_CONSTRUCTORS);
    for (let i = 0; i < 300; i++) {
      StackedObject.of(2).callsUntilConstructor(cache, 100);
      assert(constructorsOf(cache) <= MAX_CONSTRUCTORS);
    }
  });

  it("keeps constructors of at most MAX_CONSTRUCTOR_MEMBERS members together", async () => {
    const cache = await freshCache();
    let most = 0;
    for (let i = 0; i < 100; i++) {
      StackedObject.of(MAX_SHAPE_KEYS).callsUntilConstructor(cache, 100);
      const alive = cache.shapes.filter((shape) => shape.construct !== null);
      most = Math.max(most, alive.reduce((sum, shape) => sum + shape.count, 0));
    }
    assertStrictEquals(most, MAX_CONSTRUCTOR_MEMBERS);
  });

  it("doubles the threshold and drops constructors long unused when there is no room", async () => {
    lastId = 30_000; // after which the new shape does not meet four that collide with it
    const cache = await freshCache();
    const [used] = makeConstructors(cache, MAX_CONSTRUCTORS);
    let collidingShape = StackedObject.of(2);
    const halvings = Math.log2(FULL_RESISTANCE) + 1;
    for (let decays = 0; decays < halvings - 1; decays++) {
      used.find(cache);
      for (let calls = 0; calls < CALLS_BEFORE_ENTRY + MIN_THRESHOLD; calls++) {
        assertStrictEquals(collidingShape.find(cache), null);
      }
      assertStrictEquals(constructorsOf(cache), MAX_CONSTRUCTORS);
      collidingShape = StackedObject.of(2);
    }
    used.find(cache);
    assertStrictEquals(collidingShape.callsUntilConstructor(cache), CALLS_BEFORE_ENTRY + MIN_THRESHOLD);
    assertStrictEquals(constructorsOf(cache), 2);
    assertNotStrictEquals(used.find(cache), null);
    assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache), CALLS_BEFORE_ENTRY + 2 * MIN_THRESHOLD);
  });

  it("halves the threshold after DECAY_INTERVAL objects of shapes not predicted", async () => {
    const cache = await freshCache();
    makeConstructors(cache, MAX_CONSTRUCTORS);
    for (const shape of cache.shapes) if (shape.construct !== null) shape.resistance = 1;
    const other = StackedObject.of(2);
    other.callsUntilConstructor(cache);
    assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache), CALLS_BEFORE_ENTRY + 2 * MIN_THRESHOLD);
    for (let i = 0; i < DECAY_INTERVAL; i++) other.find(cache);
    assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache), CALLS_BEFORE_ENTRY + MIN_THRESHOLD);
  });

  const throwing = (error: new () => Error) => (): never => {
    throw new error();
  };
  const answers: [name: string, answer: () => unknown][] = [
    ["forbids code by an EvalError", throwing(EvalError)],
    ["forbids code by a TypeError", throwing(TypeError)],
    ["makes no functions", () => ({})],
  ];
  for (const [name, answer] of answers) {
    it(`asks an engine that ${name} once`, async () => {
      let asked = 0;
      const globals = {
        Function: function () {
          asked++;
          return answer();
        },
      };
      const cache = await loadFreshWith<ShapeCache>(PATH, globals);
      for (let i = 0; i < 3; i++) assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache, 200), 200);
      assertStrictEquals(asked, 1);
    });
  }

  it("takes no refusal for a constructor in a large input, whose first literals are kept young", async () => {
    const cache = await loadFreshWith<ShapeCache>(PATH, {
      Function: function (): never {
        throw new EvalError();
      },
    });
    prepareForStream(0, 2 ** 30);
    assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache, 200), 200);
  });

  const otherFunctions: [name: string, globals: Record<string, unknown>][] = [
    ["Function makes no functions", { Function: () => ({}) }],
    ["JSON.stringify does not quote", { JSON: { stringify: (name: string) => name } }],
    ["JSON.stringify throws", {
      JSON: {
        stringify(): never {
          throw new TypeError();
        },
      },
    }],
  ];
  for (const [name, globals] of otherFunctions) {
    it(`generates none where ${name}`, async () => {
      const cache = await loadFreshWith<ShapeCache>(PATH, globals);
      for (let i = 0; i < 3; i++) assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache, 200), 200);
      cache.allowCodeGeneration();
      assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache, 200), 200);
    });
  }

  it("asks the engine again after an overflow of the stack", async () => {
    const { Function: makeFunction } = globalThis;
    let asked = 0;
    const cache = await loadFreshWith<ShapeCache>(PATH, {
      Function: function (...args: string[]): unknown {
        if (asked++ === 0) throw new RangeError();
        return makeFunction(...args);
      },
    });
    assertStrictEquals(StackedObject.of(2).callsUntilConstructor(cache), CALLS_BEFORE_ENTRY + 2 * MIN_THRESHOLD);
  });
});

describe("shapeMatches()", () => {
  it("says whether the keys are exactly those of the shape", async () => {
    const cache = await freshCache();
    const { base } = StackedObject;
    for (const count of [1, 2, 5, MAX_SHAPE_KEYS]) {
      const object = StackedObject.of(count);
      object.find(cache);
      object.find(cache);
      const { ids, top, lastKey: { shape } } = object;
      assert(cache.shapeMatches(shape, ids, base, top));
      assert(!cache.shapeMatches(shape, ids, base, top - 2));
      assert(!cache.shapeMatches(shape, ids, base, top + 2));
      for (let i = base; i < top; i += 2) {
        const id = ids[i];
        ids[i] = id + 1;
        assert(!cache.shapeMatches(shape, ids, base, top));
        ids[i] = id;
        ids[i + 1]++; // of a value, so it must not count
      }
      assert(cache.shapeMatches(shape, ids, base, top));
    }
  });
});

describe("forbidCodeGeneration()", () => {
  it("drops the constructor in each slot, and keeps others from being made", async () => {
    const cache = await freshCache();
    const [object] = makeConstructors(cache, 2);
    const shape = { hash: 1, count: 1, useCount: 0, resistance: 1 };
    for (let slot = 0; slot < cache.shapes.length; slot++) cache.shapes[slot] = { ...shape, construct: () => ({}) };
    cache.forbidCodeGeneration();
    assertStrictEquals(constructorsOf(cache), 0);
    cache.allowCodeGeneration();
    for (const other of [object, StackedObject.of(2)]) {
      assertStrictEquals(other.callsUntilConstructor(cache, 200), 200);
    }
  });
});

describe("a full shape cache", () => {
  it("gives a shape in use an entry, and leaves those beside a shape of MAX_SHAPE_KEYS keys", async () => {
    const cache = await freshCache();
    const enter = (object: StackedObject): number => {
      for (let call = 0; call <= CALLS_BEFORE_ENTRY; call++) object.find(cache);
      return object.lastKey.shape;
    };
    const small = Array.from({ length: 300 }, () => StackedObject.of(2));
    const slots = small.map(enter);
    for (let i = 0; i < 100; i++) enter(StackedObject.of(MAX_SHAPE_KEYS));
    for (const [i, { ids, top }] of small.entries()) {
      if (slots[i] === NOT_ENTERED || cache.shapes[slots[i]].count !== 2) continue;
      assert(cache.shapeMatches(slots[i], ids, StackedObject.base, top), `slot ${slots[i]}`);
    }
    for (let i = 0; i < 4000; i++) enter(StackedObject.of(2));
    const full = cache.shapes.filter(({ resistance }) => resistance > 0).length;
    assert(full > 1000, `${full} entries resist`);
    assert(StackedObject.of(2).callsUntilConstructor(cache) < 4 * MAX_THRESHOLD, "a shape in use finds an entry");
  });
});

describe("addMember()", () => {
  it("adds a member, and returns false where the engine has no room for it", () => {
    const object: Record<string, unknown> = {};
    assertEquals([addMember(object, "a", 1), object], [true, { a: 1 }]);
    assertEquals(addMember(Object.freeze({}), "a", 1), false);
  });
});
