/** Objects without a generated constructor, in `parser/objects.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { addMember } from "../../parser/objects.ts";
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
