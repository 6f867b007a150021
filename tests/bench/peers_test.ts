/** Tests of `deno task bench peers`: its packages and its observations. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { BehaviourReading } from "../../bench/processes/peer_child.ts";
import { PEERS } from "../../bench/support/peers.ts";
import { runDeno } from "../support/environment.ts";

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
      const run = async (...args: string[]) => {
        const child = ["run", "--quiet", "--no-config", "--allow-all", "bench/processes/peer_child.ts", folder];
        const { success, output } = await runDeno([...child, ...args]);
        assertEquals(success, true, output);
        return JSON.parse(output);
      };
      const same = { accepted: [], proto: "own member", tellsLine: true } satisfies Partial<BehaviourReading>;
      assertEquals(await run("behaviour", "decode + JSON.parse"), { ...same, malformedUtf8: "replaced" });
      assertEquals(await run("behaviour", "parseBinary"), { ...same, malformedUtf8: "refused" });
      assertEquals(await run("depth", "parseBinary"), "value");
      assertEquals(typeof await run("cold", "parseBinary"), "number");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
