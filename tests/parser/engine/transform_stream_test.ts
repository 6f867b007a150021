/** Transform streams of the runtime in `parser/engine/transform_stream.ts`. */

import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { newTransform } from "../../../parser/engine/transform_stream.ts";
import { loadFreshWith, withGlobals } from "../../support/modules.ts";

const double: Transformer<number, number> = {
  transform: (chunk, controller) => controller.enqueue(2 * chunk),
};

describe("newTransform()", () => {
  it("makes a TransformStream", async () => {
    const stream = newTransform(double);
    assertInstanceOf(stream, TransformStream);
    assertEquals(await Array.fromAsync(ReadableStream.from([1, 2]).pipeThrough(stream)), [2, 4]);
  });

  it("does not look at TransformStream when the module is loaded", async () => {
    const { newTransform } = await loadFreshWith<typeof import("../../../parser/engine/transform_stream.ts")>(
      "parser/engine/transform_stream.ts",
      { TransformStream: undefined },
    );
    assertInstanceOf(newTransform(double), TransformStream);
  });

  it("throws in an engine without TransformStream", async () => {
    const make = (): Promise<unknown> => Promise.resolve(newTransform(double));
    const { message } = await assertRejects(
      () => withGlobals({ TransformStream: undefined }, async () => await make()),
      TypeError,
    );
    assertEquals(message, "Cannot make a stream: this engine has no TransformStream");
  });
});
