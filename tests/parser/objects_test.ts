/** Objects without a generated constructor, in `parser/objects.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { addMember } from "../../parser/objects.ts";

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
