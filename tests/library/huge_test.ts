/**
 * Documents that are longer than the engine's strings, which native cannot parse at all: 600 MB
 * always, and with `BYTEJSON_HUGE=1` (`deno task test huge`) also beyond what an int32 and a uint32
 * count.
 */

import { assert } from "@std/assert";
import { it } from "@std/testing/bdd";
import { runDeno, setting } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";

const GIGABYTES = setting("BYTEJSON_HUGE") ? [0.6, 2.5, 4.5] : [0.6];

describeLong("a document of so many bytes, in a process of its own", () => {
  for (const gigabytes of GIGABYTES) {
    it(`${gigabytes} GB`, async () => {
      const program = "tests/processes/check_huge.ts";
      const outcome = await runDeno(["run", "--allow-sys=systemMemoryInfo", program, `${gigabytes * 1e9}`]);
      const [skipped] = /^skipped: .*$/m.exec(outcome.output) ?? [];
      if (outcome.success && skipped !== undefined) return console.log(skipped);
      assertChecks(outcome, 16);
    });
  }
});

if (setting("BYTEJSON_HUGE")) {
  for (const scenario of ["elements", "members"]) {
    it(`more ${scenario} than the engine holds are a failure`, async () => {
      const program = "tests/processes/check_limits.ts";
      const { success, output } = await runDeno(["run", "--v8-flags=--max-old-space-size=12000", program, scenario]);
      assert(success && output.endsWith("2 checks, 0 failed\n"), output);
    });
  }
} else {
  console.log("skipped: more elements and members than the engine holds; set BYTEJSON_HUGE to run it (13 GB, minutes)");
}
