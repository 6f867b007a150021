/**
 * Runs the tests of `deno task test mutate` in a process of its own: the compiler of TypeScript,
 * which finds the mutants, reads environment variables that tests may not read.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";

describe("deno task test mutate", () => {
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

  it("finds the mutants of a list that are killed, that survive and that do not end", async () => {
    const { success, output } = await runDeno([
      "run",
      "--no-check",
      "--import-map=imports.npm.json",
      "--allow-all",
      "tests/mutation/mutate.ts",
      "--hang=0.5",
      "--only=tests/mutation/sample.tsv",
      ...["call_status", "whitespace"].map((name) => `--tests=tests/parser/base/${name}_test.ts`),
    ]);
    assertEquals(success, false, output);
    assertMatch(output, /^survives: parser\/numbers\/limits.ts:\d+: .* INT32_DIGITS/m);
    assertMatch(output, /^parser\/numbers\/limits.ts +1 +0 +0 +1$/m);
    assertMatch(output, /^parser\/base\/whitespace.ts +1 +1 +0 +0$/m);
    assertMatch(output, /^parser\/base\/call_status.ts +(\d+) +\1 +0 +0$/m);
  });
});
