/** Tests of `deno task bench stream`: its output, its errors, and the memory of long streams. */

import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Outcome, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertRefusal } from "../support/outcomes.ts";

function bench(...options: string[]): Promise<Outcome> {
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-run"];
  return runDeno([
    "run",
    "--quiet",
    "--import-map=imports.npm.json",
    ...permissions,
    "bench/parse_stream.ts",
    ...options,
  ]);
}

describe("deno task bench stream", () => {
  it("measures some contestants beside the first of their group", async () => {
    const { success, output } = await bench("--quick", "--megabytes", "0.1", "--only", "JSON Lines, parseValues");
    assertEquals(success, true, output);
    assertStringIncludes(output, "JSON Lines: split + JSON.parse");
    assertStringIncludes(output, "JSON Lines: parseValues, lines");
    assert(!output.includes("elements"), output);
  });

  it("says in a line what it cannot do", async () => {
    for (
      const [options, words] of [
        [["--memory", "much"], "--memory takes a number above 0"],
        [["--megabytes", "0"], "--megabytes takes a number above 0"],
        [["--only", "nothing"], "no contestant matches"],
        [["--faster"], "--faster"],
      ] as const
    ) {
      assertRefusal(await bench(...options), words);
    }
  });
});

describeLong("deno task bench stream", () => {
  it("compares all contestants, which find the same number of values", async () => {
    const { success, output } = await bench("--quick", "--json", "--megabytes", "0.2");
    assertEquals(success, true, output);
    const { rows } = JSON.parse(output);
    assertEquals(rows.length, 15);
    for (const { mbPerSecond, ratio, cpuRatio } of rows) assert(mbPerSecond > 0 && ratio > 0 && cpuRatio > 0);
  });

  it("measures turns, and the time from the last byte to the value", async () => {
    const { success, output } = await bench("--json", "--latency", "--megabytes", "5");
    assertEquals(success, true, output);
    const { afterLastByte, late, longestTurn, peak, value } = JSON.parse(output);
    assert(afterLastByte > 0 && late >= 0 && longestTurn > 0 && peak >= 0 && value > 5e6, output);
  });

  it("iterates over any amount in memory that stays flat", async () => {
    const { success, output } = await bench("--json", "--memory", "0.1");
    assertEquals(success, true, output);
    const { bytes, values, peak } = JSON.parse(output);
    assert(bytes === 0.1e9 && values > 200_000, output);
    assertLess(peak, 80e6);
  });
});
