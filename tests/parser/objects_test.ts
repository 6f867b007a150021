/** Objects without a generated constructor, in `parser/objects.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { addMember, assembleObject } from "../../parser/objects.ts";
import { loadFresh } from "../support/modules.ts";

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

describe("assembleObject()", () => {
  it("takes a number for the name that it spells", () => {
    const entries: [string | number, unknown][] = [[7, "a"], ["b", 1], [0, "c"], [7, "d"], ["3", "e"], [
      999_999_999,
      2,
    ]];
    const object = assembleObject(entries.flat(), 0, 2 * entries.length);
    assertEquals(Object.entries(object as object), [["0", "c"], ["3", "e"], ["7", "d"], ["999999999", 2], ["b", 1]]);
  });

  for (const when of ["before", "after"]) {
    it(`defines an index that Object.prototype got ${when} the module was loaded`, async () => {
      const prototype = Object.prototype as unknown as Record<number, unknown>;
      const define = () => Object.defineProperty(prototype, 5, { value: "inherited", configurable: true });
      if (when === "before") define();
      try {
        const { assembleObject } = await loadFresh<typeof import("../../parser/objects.ts")>("parser/objects.ts");
        if (when === "after") define();
        const numbers = Array.from({ length: 40 }, (_, i) => 44 - i); // 5 comes last
        const object = assembleObject(numbers.flatMap((number) => [number, -number]), 0, 2 * numbers.length);
        assertEquals(Object.values(object as object), numbers.toReversed().map((number) => -number));
      } finally {
        Reflect.deleteProperty(prototype, 5);
      }
    });
  }

  it("defines members in a program that has added a symbol and a short key to Object.prototype", async () => {
    const added = Symbol("added");
    const prototype = Object.prototype as unknown as Record<PropertyKey, unknown>;
    Object.defineProperty(prototype, added, { value: 1, configurable: true });
    Object.defineProperty(prototype, "of", { value: 1, configurable: true });
    try {
      const { assembleObject } = await loadFresh<typeof import("../../parser/objects.ts")>("parser/objects.ts");
      const names = ["of", "a", ...Array.from({ length: 30 }, (_, i) => `name ${i}`), "of"];
      const object = assembleObject(names.flatMap((name, i) => [name, i]), 0, 2 * names.length);
      assertEquals(Object.entries(object as object).slice(0, 3), [["of", names.length - 1], ["a", 1], ["name 0", 2]]);
    } finally {
      Reflect.deleteProperty(prototype, added);
      Reflect.deleteProperty(prototype, "of");
    }
  });
});
