/** Tests of the tasks of deno.json, and of the programs behind `bench NAME` and `test NAME`. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BENCHES, listOf, TESTS } from "../../tools/tasks.ts";
import { type Outcome, projectRoot, runDeno } from "../support/environment.ts";

const { tasks }: { tasks: Record<string, { command: string }> } = JSON.parse(
  Deno.readTextFileSync(new URL("deno.json", projectRoot)),
);

const PROGRAMS = [...Object.entries(BENCHES), ...Object.entries(TESTS)];

/** Runs a task; its output is that of the program, without the line of `deno task` itself. */
function runTask(...args: string[]): Promise<Outcome> {
  return runDeno(["task", "--quiet", ...args], { NO_COLOR: "1", FORCE_COLOR: "" });
}

describe("tasks", () => {
  it("use imports.npm.json, or no import map, where they resolve modules", () => {
    for (const [name, { command }] of Object.entries(tasks)) {
      for (const [step] of command.matchAll(/\bdeno (?:run|test|check|bench|compile)\b[^&]*/g)) {
        assert(/ --import-map=imports\.npm\.json | --no-config /.test(step), `${name}: ${step}`);
      }
    }
    // Those of the build are made of imports.npm.json.
    for (const [name, { command }] of PROGRAMS) {
      assertMatch(command.at(1)!, /^--import-map=(?:imports\.npm|dist\/imports)\.json$/, name);
    }
  });
});

describe("programs of bench and test", () => {
  it("have one line each in a list that names are looked up in", async () => {
    const { success, output } = await runTask("bench");
    assertEquals([success, output], [true, `${listOf("bench", BENCHES)}\n`]);
    for (const name of Object.keys(BENCHES)) assertMatch(output, new RegExp(`^  ${name} +\\S`, "m"));
    assertEquals(await runTask("test", "--help"), { success: true, output: `${listOf("test", TESTS)}\n` });
  });

  it("are listed again for a name that none has: exit 2", async () => {
    const { success, output } = await runTask("bench", "strem");
    assertEquals(success, false);
    assert(output.startsWith("Cannot run strem: "), output);
    assertStringIncludes(output, listOf("bench", BENCHES));
  });

  it("end with the task", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no SIGTERM");
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", "--allow-run", "tools/tasks.ts", "test", "fuzz", "--seconds", "60"],
      cwd: projectRoot,
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read(); // the program says its seed
    child.kill("SIGTERM");
    // The pipe ends once both processes have ended.
    while (!(await reader.read()).done);
    assertEquals((await child.status).success, false);
  });
});
