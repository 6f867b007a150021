/** Objects without a generated constructor, in `parser/objects/make_object.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { resetObjectPrototypeCheck } from "../../../parser/engine/object_prototype.ts";
import { addMember, assembleObject } from "../../../parser/objects/make_object.ts";

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

/** Returns the object of keys and their values in turn. Each key has the id at its place, or 0. */
function assemble(entries: unknown[], ids: number[] = []): object {
  const idsAtKeys = new Int32Array(entries.length);
  ids.forEach((id, i) => idsAtKeys[2 * i] = id);
  resetObjectPrototypeCheck();
  return assembleObject(entries, idsAtKeys, 0, entries.length) as object;
}

describe("assembleObject()", () => {
  it("takes a number for the name that it spells", () => {
    const members = [
      { key: 7, value: "a" },
      { key: "b", value: 1 },
      { key: 0, value: "c" },
      { key: 7, value: "d" },
      { key: "3", value: "e" },
      { key: 999_999_999, value: 2 },
    ];
    const object = assemble(members.flatMap(({ key, value }) => [key, value]));
    assertEquals(Object.entries(object), [["0", "c"], ["3", "e"], ["7", "d"], ["999999999", 2], ["b", 1]]);
  });

  it("defines keys that a program has added to Object.prototype, wherever they come", () => {
    const names = Array.from({ length: 40 }, (_, i) => `name ${i}`);
    for (const added of ["added", "0", "of"]) {
      Object.defineProperty(Object.prototype, added, { value: "inherited", configurable: true });
      try {
        for (let place = 0; place < names.length; place++) {
          const keys = names.with(place, added);
          const object = assemble(keys.flatMap((key) => [key, key]));
          assertEquals(new Map(Object.entries(object)), new Map(keys.map((key) => [key, key])));
        }
      } finally {
        Reflect.deleteProperty(Object.prototype, added);
      }
    }
  });
});
