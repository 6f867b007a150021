/** Tests of `deno task bench guards`: its output, and its errors. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Outcome, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertRefusal } from "../support/outcomes.ts";

function bench(...options: string[]): Promise<Outcome> {
  const permissions = ["--allow-read", "--allow-env"];
  return runDeno(["run", "--quiet", "--import-map=imports.npm.json", ...permissions, "bench/guards.ts", ...options]);
}

describe("deno task bench guards", () => {
  it("says in a line what it cannot do", async () => {
    for (
      const [options, words] of [[["--only", "nothing"], "no document matches"], [["--faster"], "--faster"]] as const
    ) {
      assertRefusal(await bench(...options), words);
    }
  });
});

describeLong("deno task bench guards", () => {
  it("prints ratios of every document and group", async () => {
    const { success, output } = await bench("--quick", "--json", "--only", "payload/3 KB");
    assertEquals(success, true, output);
    const { documents, groups } = JSON.parse(output);
    assertEquals(documents.map(({ name }: { name: string }) => name), ["3 KB"]);
    assertEquals(Object.keys(groups[0].ratios), [
      "limits",
      "protoKeys",
      "duplicateKeys",
      "bigint",
      "all",
      "all × secure-json-parse",
      "source × lossless-json",
    ]);
  });
});
