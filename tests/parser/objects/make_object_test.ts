/** Objects without a generated constructor, in `parser/objects/make_object.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as objects from "../../../parser/objects/make_object.ts";
import { loadFresh, loadFreshWith } from "../../support/modules.ts";

type Objects = typeof import("../../../parser/objects/make_object.ts");
const { addMember, isNameAtLoad } = objects;

describe("addMember()", () => {
  it("adds a member", () => {
    const object: Record<string, unknown> = {};
    assertEquals(addMember(object, "a", 1), true);
    assertEquals(object, { a: 1 });
  });

  it("returns false where the engine has no room for a member", () => {
    assertEquals(addMember(Object.freeze({}), "a", 1), false);
  });
});

/** Error of JavaScriptCore. */
class SafariError extends Error {
  sourceURL = "";
}

/** Returns the object of keys and their values in turn. Each key has the id at its place, or 0. */
function assemble({ assembleObject }: Objects, entries: unknown[], ids: number[] = []): unknown {
  const idsAtKeys = new Int32Array(entries.length);
  ids.forEach((id, i) => idsAtKeys[2 * i] = id);
  return assembleObject(entries, idsAtKeys, 0, entries.length);
}

describe("assembleObject()", () => {
  it("takes a number for the name that it spells", () => {
    const entries: [string | number, unknown][] = [[7, "a"], ["b", 1], [0, "c"], [7, "d"], ["3", "e"], [
      999_999_999,
      2,
    ]];
    const object = assemble(objects, entries.flat());
    assertEquals(Object.entries(object as object), [["0", "c"], ["3", "e"], ["7", "d"], ["999999999", 2], ["b", 1]]);
  });

  for (const [index, when] of [[5, "before"], [5, "after"], [0, "before"]] as const) {
    it(`defines an index ${index} that Object.prototype got ${when} the module was loaded`, async () => {
      const prototype = Object.prototype as unknown as Record<number, unknown>;
      const define = () => Object.defineProperty(prototype, index, { value: "inherited", configurable: true });
      if (when === "before") define();
      try {
        const fresh = await loadFresh<Objects>("parser/objects/make_object.ts");
        if (when === "after") define();
        const numbers = Array.from({ length: 40 }, (_, i) => index + 39 - i); // the index comes last
        const object = assemble(fresh, numbers.flatMap((number) => [number, -number]));
        assertEquals(Object.values(object as object), numbers.toReversed().map((number) => -number));
      } finally {
        Reflect.deleteProperty(prototype, index);
      }
    });
  }

  it("defines members in a program that has added a symbol and a short key to Object.prototype", async () => {
    const added: PropertyKey[] = ["of", Symbol("added"), "not the shortest"];
    const prototype = Object.prototype as unknown as Record<PropertyKey, unknown>;
    for (const key of added) Object.defineProperty(prototype, key, { value: 1, configurable: true });
    try {
      const fresh = await loadFresh<Objects>("parser/objects/make_object.ts");
      // The key comes after those that are looked up one by one, or before them.
      for (const rest of [["of"], []]) {
        const names = [...rest, "a", ...Array.from({ length: 30 }, (_, i) => `name ${i}`), "of"];
        const object = assemble(fresh, names.flatMap((name, i) => [name, i]));
        assertEquals(Object.keys(object as object), [...new Set(names)]);
        assertEquals((object as { of: number }).of, names.length - 1);
      }
    } finally {
      for (const key of added) Reflect.deleteProperty(prototype, key);
    }
  });
});

describe("resetObjectPrototypeCheck()", () => {
  const names = Array.from({ length: 40 }, (_, i) => `name ${i}`);

  /** Fails unless `keys` become the own keys of an object, in this order. */
  function assertAssembled(objects: Objects, keys: string[]): void {
    for (const ids of [[], keys.map((_, i) => i + 1)]) {
      const object = assemble(objects, keys.flatMap((key) => [key, key]), ids);
      assertEquals(Object.entries(object as object), keys.map((key): [string, string] => [key, key]));
      objects.resetObjectPrototypeCheck();
    }
  }

  /** Calls `body` while `Object.prototype` has another key, to which nothing can be assigned. */
  async function withKey(key: string, body: () => unknown): Promise<void> {
    Object.defineProperty(Object.prototype, key, { value: "inherited", configurable: true });
    try {
      await body();
    } finally {
      Reflect.deleteProperty(Object.prototype, key);
    }
  }

  for (
    const { place, engine, globals } of [0, 18, 19, 20, 21, 22, 39].flatMap((place) => [
      { place, engine: "here", globals: {} },
      { place, engine: "in Safari", globals: { Error: SafariError } },
    ])
  ) {
    it(`makes the next parse define a key that was added since, after ${place} others, ${engine}`, async () => {
      const objects = await loadFreshWith<Objects>("parser/objects/make_object.ts", globals);
      assertAssembled(objects, names);
      await withKey("added", () => {
        objects.resetObjectPrototypeCheck();
        assertAssembled(objects, names.with(place, "added"));
      });
    });
  }

  for (const [before, after] of [["key at load", "key added"], ["3", "4"]]) {
    it(`makes the next parse define "${after}" once a program has put it in the place of "${before}"`, async () => {
      let objects!: Objects;
      await withKey(before, async () => {
        objects = await loadFresh<Objects>("parser/objects/make_object.ts");
      });
      await withKey(after, () => {
        // An index comes first among the keys of an object.
        const object = assemble(objects, [...names, after].flatMap((key) => [key, 1]));
        assertEquals(new Set(Object.keys(object as object)), new Set([...names, after]));
      });
    });
  }
});

describe("a key that was not in Object.prototype at load", () => {
  it("is looked for there until it is known to be unchanged", async () => {
    for (const globals of [{}, { Error: SafariError }]) {
      const fresh = await loadFreshWith<Objects>("parser/objects/make_object.ts", globals);
      const names = Array.from({ length: 40 }, (_, i) => `name ${i}`);
      const ids = names.map((_, i) => i + 1);
      for (const name of names) {
        Object.defineProperty(Object.prototype, name, { value: "inherited", configurable: true });
        try {
          fresh.resetObjectPrototypeCheck();
          const object = assemble(fresh, names.flatMap((name, i) => [name, i]), ids);
          assertEquals(Object.values(object as object), names.map((_, i) => i));
        } finally {
          Reflect.deleteProperty(Object.prototype, name);
        }
      }
    }
  });
});

describe("isNameAtLoad()", () => {
  it("returns true for names that Object.prototype has, and for __proto__", () => {
    for (const name of ["toString", "constructor", "__proto__"]) assertEquals(isNameAtLoad(name), true, name);
  });

  it("returns false for any other", () => {
    for (const name of ["", "a", "tostring", "length", "0"]) assertEquals(isNameAtLoad(name), false, name);
  });
});
