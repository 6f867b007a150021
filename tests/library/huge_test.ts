/**
 * Documents that are longer than the engine's strings, which native cannot parse at all: 600 MB
 * always, and with `BYTEJSON_HUGE=1` (`deno task test huge`) also beyond what an int32 and a
 * uint32 count.
 */

import { assert } from "@std/assert";
import { it } from "@std/testing/bdd";
import { runDeno, setting } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";
import { itUnless } from "../support/skip.ts";

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

const NOT_HUGE = !setting("BYTEJSON_HUGE") && "needs 13 GB and minutes; set BYTEJSON_HUGE";
for (const scenario of ["elements", "members"]) {
  itUnless(NOT_HUGE)(`more ${scenario} than the engine holds are a failure`, async () => {
    const program = "tests/processes/check_limits.ts";
    const { success, output } = await runDeno(["run", "--v8-flags=--max-old-space-size=12000", program, scenario]);
    assert(success && output.endsWith("2 checks, 0 failed\n"), output);
  });
}
