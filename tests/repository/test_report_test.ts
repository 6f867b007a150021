/** Report of `deno task test`: what it prints of the output of `deno test`, and what of a green run. */

import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TestReport } from "../../tools/test_report.ts";
import { execute, projectRoot } from "../support/environment.ts";
import { folderOf } from "../support/files.ts";

/** Returns the lines that a report prints for these. */
function printed(lines: readonly string[]): string[] {
  const result: string[] = [];
  const report = new TestReport((line) => result.push(line));
  for (const line of lines) report.add(line);
  return result;
}

const END = "ok | 2 passed (3 steps) | 0 failed | 1 ignored (5ms)";

describe("TestReport", () => {
  const cases: { name: string; lines: string[]; expected: string[] }[] = [
    {
      name: "prints a file once, and no test that passed",
      lines: ["./a_test.ts => group ... one ... ok (1ms)", "./a_test.ts => group ... ok (2ms)", "", END],
      expected: ["./a_test.ts", "", END],
    },
    {
      name: "counts examples of documentation as their file",
      lines: ["./mod.ts$7-9.ts => ./mod.ts$7-9.ts ... ok (1ms)", "./mod.ts#12-20.ts => x ... ok (1ms)", END],
      expected: ["./mod.ts", "", END],
    },
    {
      name: "recognises lines in colour",
      lines: ["\x1b[0m./a_test.ts => \x1b[0mgroup ... \x1b[0m\x1b[32mok\x1b[0m \x1b[38;5;245m(2ms)\x1b[0m"],
      expected: ["./a_test.ts"],
    },
    {
      name: "prints a failure as it happens, and all that Deno says of it at the end",
      lines: [
        "./a_test.ts => group ... one ... FAILED (1ms)",
        "./a_test.ts => group ... FAILED (due to 1 failed step) (2ms)",
        " ERRORS ",
        "./a_test.ts => group ... one ... ok (1ms)",
        "",
        "FAILED | 0 passed | 1 failed (1 step) (5ms)",
      ],
      expected: [
        "./a_test.ts",
        "./a_test.ts => group ... one ... FAILED (1ms)",
        "./a_test.ts => group ... FAILED (due to 1 failed step) (2ms)",
        "",
        " ERRORS ",
        "./a_test.ts => group ... one ... ok (1ms)",
        "",
        "FAILED | 0 passed | 1 failed (1 step) (5ms)",
      ],
    },
    {
      name: "prints what tests print, without the lines around",
      lines: ["------- output -------", "seed 7", "----- output end -----", "------- post-test output -------"],
      expected: ["seed 7"],
    },
    {
      name: "lists the reasons of skipped tests, with their numbers",
      lines: [
        "./a_test.ts => group ... one (skipped: there is no jq) ... ignored (0ms)",
        "./a_test.ts => two (skipped: there is no jq) ... ignored (0ms)",
        "./a_test.ts => group (skipped: not here) ... three ... ignored (0ms)",
        "./a_test.ts => all (long) ... ignored (0ms)",
        "./a_test.ts => nobody says why ... ignored (0ms)",
        "skipped: npm cannot install",
        END,
      ],
      expected: [
        "./a_test.ts",
        "",
        "skipped: there is no jq (2 times)",
        "skipped: not here",
        "skipped: takes long; deno task test long runs it",
        "skipped: nobody says why",
        "skipped: npm cannot install",
        END,
      ],
    },
  ];
  for (const { name, lines, expected } of cases) it(name, () => assertEquals(printed(lines), expected));
});

describe("deno task test", () => {
  it("reads what this Deno prints, and keeps its exit code", async () => {
    const source = (body: string): string => `
      import { describe, it } from "node:test";
      describe("group", () => {
        it("one", () => {${body}});
        it.skip("two (skipped: not here)", () => {});
      });`;
    using folder = folderOf({ "good_test.ts": source(""), "bad_test.ts": source('throw new Error("seven")') });
    const run = (file: string) =>
      execute(Deno.execPath(), ["task", "--quiet", "test", "long", "--filter=group", `${folder.path}/${file}`], {
        cwd: projectRoot,
        env: { NO_COLOR: "1", FORCE_COLOR: "" },
      });
    const good = await run("good_test.ts");
    assertEquals([good.code, good.stdout.trim().split("\n").length], [0, 4], good.stdout);
    assertMatch(good.stdout, /good_test\.ts\n\nskipped: not here\nok \| 1 passed \(1 step\) \| 0 failed/);
    const bad = await run("bad_test.ts");
    assert(bad.code !== 0);
    assertMatch(bad.stdout, /=> group \.\.\. one \.\.\. FAILED/);
    assertMatch(bad.stdout, /Error: seven[^]*\nFAILED \| 0 passed \| 1 failed/);
    assertNotMatch(bad.stdout, /ignored \(0ms\)\n/);
  });
});
