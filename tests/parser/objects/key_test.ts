/** Entries of the key cache in `parser/objects/key.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KEY_SLOTS, makeKey, MAX_KEY_SIZE, NO_KEY, ROOT_KEY } from "../../../parser/objects/key.ts";
import { loadFresh } from "../../support/modules.ts";

describe("makeKey()", () => {
  it("makes entries that match no bytes but their own", async () => {
    const { matches } = await loadFresh<typeof import("../../../parser/objects/key_cache.ts")>(
      "parser/objects/key_cache.ts",
    );
    const bytes = new Uint8Array(MAX_KEY_SIZE + 16).map((_, i) => 0x61 + i % 26);
    const view = new DataView(bytes.buffer);
    for (let size = 2; size <= 12; size++) {
      const key = makeKey("name", 1, 0, size, view, 4);
      assertEquals(matches(key, view, 4), true);
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        const isWithin = bit >> 3 >= 4 && bit >> 3 < 4 + size;
        assertEquals(matches(key, view, 4), !isWithin, `bit ${bit} with a key of ${size} bytes`);
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
    }
  });
});

describe("NO_KEY and ROOT_KEY", () => {
  it("have the number of no cached key, and slots behind those of the cache", () => {
    assertEquals([NO_KEY.id, ROOT_KEY.id], [0, 0]);
    assertEquals(NO_KEY.slot >= KEY_SLOTS && ROOT_KEY.slot > NO_KEY.slot, true);
  });

  it("are no match for zeros in an input as long as NO_KEY, and fit 31 bits", async () => {
    const { matchesMiddle } = await loadFresh<typeof import("../../../parser/objects/key_cache.ts")>(
      "parser/objects/key_cache.ts",
    );
    assertEquals(matchesMiddle(NO_KEY, new DataView(new ArrayBuffer(64)), 0), false);
    assertEquals([NO_KEY.size, ROOT_KEY.size].map((size) => size << 1 >> 1), [NO_KEY.size, ROOT_KEY.size]);
  });
});
