/**
 * Runs the tests of `deno task mutate` in a process of its own: the compiler of TypeScript, which
 * finds the mutants, reads environment variables that tests may not read.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "./support/environment.ts";

describe("deno task mutate", () => {
  it("passes the tests of its parts", async () => {
    const { success, output } = await runDeno([
      "test",
      "--quiet",
      "--no-check",
      "--import-map=imports.npm.json",
      "--allow-read",
      "--allow-env",
      "tests/mutation/check_mutants.ts",
    ]);
    assertEquals(success, true, output);
  });
});
