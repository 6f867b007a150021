/** Test of `deno task bench parts` with those tools that are installed. */

import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";

describeLong("deno task bench parts", () => {
  it("times select and get, and asserts that other tools print the same", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no POSIX shell");
    const command = new Deno.Command(Deno.execPath(), {
      args: ["task", "bench", "parts", "--quick", "--megabytes", "1", "--json"],
      cwd: projectRoot,
    });
    const { success, stdout, stderr } = await command.output();
    assert(success, new TextDecoder().decode(stderr));
    const { bytes, results, absent } = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals(bytes, 1e6);
    assertEquals(results.map(({ name }: { name: string }) => name), [
      "members",
      "lines that match",
      "a value of each line",
    ]);
    for (const { tools } of results) {
      assert(tools.bytejson.milliseconds > 0);
      for (const tool of ["jq", "gojq", "jaq"]) assert(tool in tools !== absent.includes(tool), tool);
    }
  });
});
