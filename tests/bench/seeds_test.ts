/** Tests of `deno task bench background`: each measurement with next to no work, and its errors. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MEASUREMENTS } from "../../bench/background/measurements.ts";
import { type Outcome, projectRoot, runDeno } from "../support/environment.ts";
import { assertRefusal } from "../support/outcomes.ts";
import { describeLong } from "../support/long.ts";

/** Runs the bench in Deno alone. */
function bench(...options: string[]): Promise<Outcome> {
  const missing = ["--node", "no-such-node", "--bun", "no-such-bun"];
  return runDeno([
    "run",
    "--quiet",
    "--import-map=imports.npm.json",
    "--allow-all",
    "bench/background.ts",
    ...missing,
    ...options,
  ]);
}

const TINY = ["--rounds", "1", "--scale", "0.0001"];

describe("bench:seeds", () => {
  it("leaves out runtimes that are missing, and says so", async () => {
    const { success, output } = await bench(...TINY, "--only", "^errors$");
    assertEquals(success, true, output);
    assertStringIncludes(output, "Node.js is left out: there is no no-such-node");
    assertStringIncludes(output, "Bun is left out: there is no no-such-bun");
    assertMatch(output, /published +Deno \d/);
  });

  it("says in a line what it cannot do", async () => {
    for (
      const [options, words] of [
        [["--only", "nothing"], "no name matches"],
        [["--rounds", "0"], "--rounds takes a whole number from 1 up"],
        [["--scale", "much"], "--scale takes a number above 0"],
        [["--faster"], "--faster"],
      ] as const
    ) {
      assertRefusal(await bench(...options), words);
    }
  });
});

describeLong("bench:seeds", () => {
  it("has figures of every lane, and published ones beside them", async () => {
    const { success, output } = await bench(...TINY, "--json");
    assertEquals(success, true, output);
    const { results } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("\n}") + 2));
    assertEquals(results.map(({ name }: { name: string }) => name), MEASUREMENTS.map(({ name }) => name));
    for (const [i, { name, lanes, figures }] of MEASUREMENTS.entries()) {
      assertEquals(results[i].lanes.map(({ lane }: { lane: string }) => lane), Object.keys(lanes));
      for (const { lane, runtimes } of results[i].lanes) {
        const [cells] = Object.values<Record<string, unknown>>(runtimes);
        assertEquals(Object.keys(cells).sort(), Object.keys(figures).sort(), `${name}: ${lane}`);
        assert("time" in cells);
      }
    }
  });
});

describe("measurements", () => {
  it("have lanes whose base is a lane of theirs", () => {
    for (const { name, lanes } of MEASUREMENTS) {
      for (const { base } of Object.values(lanes)) assert(base === undefined || base in lanes, name);
    }
  });

  it("are each documented in docs/background/measurements.md", () => {
    const page = Deno.readTextFileSync(new URL("docs/background/measurements.md", projectRoot));
    for (const { name } of MEASUREMENTS) assertStringIncludes(page, `deno task bench background --only ${name}`);
  });
});
