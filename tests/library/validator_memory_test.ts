/** Memory of `BinaryValidator`: a file of its own, because the test takes seconds. */

import { assert, assertEquals, assertLess } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BinaryValidator } from "../../validate_binary.ts";

describe("BinaryValidator", () => {
  it("takes one bit of memory for an open bracket", () => {
    const depth = 100_000_000;
    const opening = new Uint8Array(100_000).fill(0x5b);
    const closing = new Uint8Array(100_000).fill(0x5d);
    const validator = new BinaryValidator();
    const { external } = Deno.memoryUsage();
    for (let i = 0; i < depth; i += opening.length) assert(validator.push(opening));
    assertLess(Deno.memoryUsage().external - external, 1.2 * depth / 8, "bytes");
    for (let i = 0; i < depth; i += closing.length) assert(validator.push(closing));
    assertEquals(validator.end(), { ok: true, bytes: 2 * depth });
  });
});
