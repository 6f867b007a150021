/** Scratch buffer of small inputs, in `parser/engine/small_copy.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SMALL_INPUT } from "../../../parser/engine/input_sizes.ts";
import { copySmall, smallBytes, smallViewOf, wipeSmall } from "../../../parser/engine/small_copy.ts";

const ZEROS = new Uint8Array(smallBytes.length);

describe("copySmall() and wipeSmall()", () => {
  it("copy an input of any size, and leave nothing of it", () => {
    for (let size = 0; size <= SMALL_INPUT; size++) {
      const input = new Uint8Array(size).fill(0xff);
      copySmall(input, size);
      assertEquals(smallViewOf(size), input);
      assertStrictEquals(smallBytes.indexOf(0), size);
      wipeSmall(size);
      assertEquals(smallBytes, ZEROS, `${size} bytes`);
    }
  });

  it("copy the first bytes of shared memory that has grown since", () => {
    for (const size of [20, SMALL_INPUT]) {
      for (const grown of [size + 1, 2 * SMALL_INPUT]) {
        copySmall(new Uint8Array(new SharedArrayBuffer(grown)).fill(0xff), size);
        assertStrictEquals(smallBytes.indexOf(0), size);
        wipeSmall(size);
        assertEquals(smallBytes, ZEROS, `${size} of ${grown} bytes`);
      }
    }
  });
});

describe("smallViewOf()", () => {
  it("makes one view of a size", () => {
    for (const size of [0, 1, SMALL_INPUT]) {
      assertStrictEquals(smallViewOf(size), smallViewOf(size));
      assertStrictEquals(smallViewOf(size).length, size);
      assertStrictEquals(smallViewOf(size).buffer, smallBytes.buffer);
    }
  });
});
