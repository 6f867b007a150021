/** Base class of the transform streams in `parser/transform.ts`. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Transform } from "../../parser/transform.ts";
import { loadFreshWith } from "../support/modules.ts";

describe("Transform", () => {
  it("is TransformStream", () => {
    assertStrictEquals(Transform, TransformStream);
  });

  it("cannot be instantiated in an engine without TransformStream", async () => {
    const globals = { TransformStream: undefined };
    const { Transform } = await loadFreshWith<typeof import("../../parser/transform.ts")>(
      "parser/transform.ts",
      globals,
    );
    const { message } = assertThrows(() => new Transform(), TypeError);
    assertEquals(message, "Cannot make a stream: this engine has no TransformStream");
  });
});
