/**
 * Tests of `deno task bench validate`: its output, its errors, and the memory of validating a
 * stream.
 */

import { assertEquals, assertLess } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Outcome, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertRefusal } from "../support/outcomes.ts";

function bench(...options: string[]): Promise<Outcome> {
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-run"];
  return runDeno(["run", "--quiet", "--import-map=imports.npm.json", ...permissions, "bench/validate.ts", ...options]);
}

describe("deno task bench validate", () => {
  it("says in a line what it cannot do", async () => {
    for (
      const [options, words] of [
        [["--pipe", "much"], "Cannot pipe much GB"],
        [["--only", "nothing"], "no document matches"],
        [["--faster"], "--faster"],
        [["no-such-file.json"], "no-such-file.json"],
      ] as const
    ) {
      assertRefusal(await bench(...options), words);
    }
  });
});

describeLong("deno task bench validate", () => {
  it("prints speeds and ratios of every document and group", async () => {
    const { success, output } = await bench("--quick", "--json", "--only", "payload/(31|512) B");
    assertEquals(success, true, output);
    const { documents, groups } = JSON.parse(output);
    assertEquals(documents.map(({ name }: { name: string }) => name), ["31 B", "512 B"]);
    assertEquals(groups.length, 1);
    assertEquals(Object.keys(groups[0].mbPerSecond), [
      "decode + JSON.parse",
      "parseBinary",
      "validateBinary",
      "64 KiB pieces",
    ]);
    assertEquals(Object.keys(groups[0].ratios), ["× native", "× parseBinary", "pieces × whole"]);
  });

  it("pipes any amount through a process whose memory stays flat", async () => {
    const { success, output } = await bench("--json", "--pipe", "0.3");
    assertEquals(success, true, output);
    const { valid, bytes, rssAtStart, rssPeak } = JSON.parse(output);
    assertEquals(valid, true);
    assertLess(300e6, bytes);
    assertLess(rssPeak - rssAtStart, bytes / 10); // 12 MB are usual, for code and the pipe
  });
});
