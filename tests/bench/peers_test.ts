/** Tests of `deno task bench peers`: its packages and its observations. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { observe, observeNesting, timeFirstCall } from "../../bench/processes/peers.ts";
import { PEERS } from "../../bench/support/peers.ts";

describe("deno task bench peers", () => {
  it("pins the versions of packages", () => {
    for (const { packageSpecifier } of PEERS) {
      if (packageSpecifier !== undefined) assertEquals(/^[^ ]+@\d+\.\d+\.\d+$/.test(packageSpecifier), true);
    }
  });

  it("observes native and parseBinary", async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/load.mjs`, "export const load = (path) => import(path);\n");
      const same = { accepted: [], proto: "own member", tellsLine: true } as const;
      assertEquals(await observe(folder, "decode + JSON.parse"), { ...same, malformedUtf8: "replaced" });
      assertEquals(await observe(folder, "parseBinary"), { ...same, malformedUtf8: "refused" });
      assertEquals(await observeNesting(folder, "parseBinary"), "value");
      assert(await timeFirstCall(folder, "parseBinary") > 0);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
