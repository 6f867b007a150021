/** Base class of the transform streams in `parser/engine/transform_stream.ts`. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Transform } from "../../../parser/engine/transform_stream.ts";
import { loadFreshWith } from "../../support/modules.ts";

describe("Transform", () => {
  it("is TransformStream", () => {
    assertStrictEquals(Transform, TransformStream);
  });

  it("cannot be instantiated in an engine without TransformStream", async () => {
    const globals = { TransformStream: undefined };
    const { Transform } = await loadFreshWith<typeof import("../../../parser/engine/transform_stream.ts")>(
      "parser/engine/transform_stream.ts",
      globals,
    );
    const { message } = assertThrows(() => new Transform(), TypeError);
    assertEquals(message, "Cannot make a stream: this engine has no TransformStream");
  });
});
