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
    const same = { accepted: [], proto: "own member" as const, tellsLine: true };
    assertEquals(await observe("decode + JSON.parse"), { ...same, malformedUtf8: "replaced" });
    assertEquals(await observe("parseBinary"), { ...same, malformedUtf8: "refused" });
    assertEquals(await observeNesting("parseBinary"), "value");
    assert(await timeFirstCall("parseBinary") > 0);
  });
});
