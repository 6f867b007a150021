/** Tests of `deno task bench tools` with those tools that are installed. */

import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";

it("deno task bench tools times check and the tools there are, and names those there are not", async () => {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "bench", "tools", "--quick", "--json"],
    cwd: projectRoot,
  });
  const { success, stdout, stderr } = await command.output();
  assert(success, new TextDecoder().decode(stderr));
  const { sizes, absent } = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(sizes.map(({ bytes }: { bytes: number }) => bytes), [1e3, 1e6]);
  for (const { tools } of sizes) {
    assertEquals(Object.keys(tools)[0], "bytejson check");
    assertEquals([...Object.keys(tools), ...absent].sort(), [
      "bytejson check",
      "check-jsonschema",
      "jq empty",
      "json_verify",
      "jsonlint",
      "python3 -m json.tool",
    ]);
    const { milliseconds, failed } = tools["bytejson check"];
    assert(milliseconds > 0);
    assertEquals(failed, undefined);
  }
});
