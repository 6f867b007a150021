/** Tests of `deno task bench peers`: its tables, its errors, and its observations. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { behavioursTable, peersTable } from "../../bench/peers.ts";
import type { BehaviourReading } from "../../bench/processes/peer_child.ts";
import { PEERS } from "../../bench/support/peers.ts";
import { runDeno } from "../support/environment.ts";
import { assertRefusal } from "../support/outcomes.ts";

describe("deno task bench peers", () => {
  it("says in a line what it cannot do", async () => {
    const args = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "bench/peers.ts"];
    assertRefusal(await runDeno([...args, "--faster"]), "--faster");
  });

  it("pins the versions of packages", () => {
    for (const { packageSpecifier } of PEERS) {
      if (packageSpecifier !== undefined) assertEquals(/^[^ ]+@\d+\.\d+\.\d+$/.test(packageSpecifier), true);
    }
  });

  it("lays out ratios by document, and what parsers make of odd documents", () => {
    const row = { name: "a", ratios: { "1 KB": 0.5, "1 MB": 2 }, firstCall: 3 };
    assertEquals(peersTable({ runtime: "Deno 2.9.6 x86_64-linux", rows: [row] }), {
      header: ["Deno 2.9.6", "1 KB", "1 MB", "first call"],
      rows: [["a", "0.50×", "2.00×", "3 ms"]],
    });
    const behaviour = { malformedUtf8: "refused", proto: "dropped", tellsLine: true } as const;
    assertEquals(behavioursTable([{ name: "a", accepted: ["[01]", "[+1]"], nesting: "crash", ...behaviour }]).rows, [
      ["a", "JSON and [01]", "refused", "dropped", "crash", "yes"],
    ]);
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
