/** Test of `deno task bench load`. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";

/** Runs the bench. */
async function bench(...options: string[]): Promise<string> {
  const args = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-read", "--allow-run", "bench/load.ts"];
  const { success, output } = await runDeno([...args, "--quick", ...options]);
  assert(success, output);
  return output;
}

describeLong("deno task bench load", () => {
  it("compares processes with an empty one", async () => {
    const { rows } = JSON.parse(await bench("--json"));
    assertEquals(rows.map(({ name }: { name: string }) => name), [
      "an empty script",
      "Buffer",
      "parse_binary.ts",
      "validate_binary.ts",
      "mod.ts",
      "first call",
    ]);
    for (const { milliseconds, fastest, added } of rows) {
      assert(fastest > 0 && milliseconds >= fastest && Math.abs(rows[0].milliseconds + added - milliseconds) < 1e-6);
    }
  });
});

describe("deno task bench load", () => {
  it("prints a table of the rows asked for", async () => {
    assertMatch(await bench("--only", "^mod"), /^process +time .*\n.*\nan empty script .*\nmod\.ts .* ms\n$/m);
  });
});
