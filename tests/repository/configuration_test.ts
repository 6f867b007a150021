/**
 * Tests of deno.json and imports.npm.json: names that are imported, modules that are exported, and
 * tasks, with the programs behind `bench NAME` and `test NAME`.
 */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { pathToFileURL } from "node:url";
import { BENCHES, listOf, TESTS } from "../../tools/tasks.ts";
import { type Outcome, projectRoot, runDeno } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";
import { itUnless, notOnWindows } from "../support/skip.ts";

// deno-lint-ignore no-explicit-any
function readJson(path: string): any {
  return JSON.parse(Deno.readTextFileSync(new URL(path, projectRoot)));
}

/** Import map, as far as it is used here. */
interface ImportMap {
  imports: Record<string, string>;
  scopes: Record<string, Record<string, string>>;
}

const config: ImportMap & { exports: Record<string, string>; tasks: Record<string, { command: string }> } = readJson(
  "deno.json",
);
const { imports, scopes, tasks } = config;
const npm: ImportMap = readJson("imports.npm.json");

describe("imports of deno.json and imports.npm.json", () => {
  it("give the same module for each name", () => {
    assertEquals(Object.keys(npm.imports), Object.keys(imports));
    for (const name of Object.keys(imports)) {
      const [, library, entry] = name.match(/^@std\/(\w+)(?:\/(.+))?$/)!;
      assertMatch(imports[name], new RegExp(`^jsr:@std/${library}@\\^[\\d.]+${entry ? `/${entry}` : ""}$`));
      const expected = name === "@std/testing/bdd"
        ? "node:test"
        : `npm:deno-std@1.4.0/${library}/${entry?.replaceAll("-", "_") ?? "mod"}.js`;
      assertEquals(npm.imports[name], expected);
    }
  });

  it("give packages of npm to folders that are not published, and Hono's types to the middleware", () => {
    assertEquals(npm.scopes, scopes);
    assertEquals(Object.keys(scopes), ["./bench/", "./examples/", "./middleware/", "./tests/", "./tools/"]);
    assertEquals(Object.keys(scopes["./middleware/"]), ["hono"]);
  });
});

describe("exports of deno.json", () => {
  it("say what they are for, which counts for JSR's score", () => {
    // `deno task check` looks for the documentation of each symbol.
    for (const [entry, file] of Object.entries(config.exports)) {
      const source = Deno.readTextFileSync(new URL(file, projectRoot));
      assertMatch(source, /^\/\*\*\n \* [A-Z`][^]*?^ \* @module\n \*\//m, entry);
    }
  });
});

describe("a first contact", () => {
  it("downloads nothing for the command line", async () => {
    assertMatch(tasks.cli.command, /^deno run --no-config /);
    const folder = await Deno.makeTempDir();
    try {
      // `deno task` fetches every package of npm among the imports of deno.json, but not of
      // its scopes.
      const { success, output } = await runDeno(["task", "cli", "check", "deno.json"], { DENO_DIR: folder });
      assert(success, output);
      assertNotMatch(output, /Download/);
      assertEquals(filesBelow(pathToFileURL(`${folder}/`).href).filter((path) => /\/(?:npm|remote)\//.test(path)), []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});

describe("workflows", () => {
  const read = (path: string): string => Deno.readTextFileSync(new URL(path, projectRoot));
  const workflows = [...Deno.readDirSync(new URL(".github/workflows/", projectRoot))];
  const files = ["action.yml", ...workflows.map(({ name }) => `.github/workflows/${name}`)];

  it("name each action by its commit, with the version behind it", () => {
    for (const file of files) {
      for (const [, action] of read(file).matchAll(/\buses: (.*)$/gm)) {
        assertMatch(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
      }
    }
  });

  it("use the version of Deno that README.md and .ci/run name", () => {
    const versions = [...files, "README.md", ".ci/run"].flatMap((file) =>
      Array.from(read(file).matchAll(/\bdeno(?:-version: |@(?=\d))([\d.]+)/g), ([, version]) => version)
    );
    assert(versions.length > 8);
    assertEquals(new Set(versions).size, 1, versions.join());
  });
});

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
  it("have one line each in the list", async () => {
    const { success, output } = await runTask("bench");
    assertEquals([success, output], [true, `${listOf("bench", BENCHES)}\n`]);
    for (const name of Object.keys(BENCHES)) assertMatch(output, new RegExp(`^  ${name} +\\S`, "m"));
    assertEquals(await runTask("test", "--help"), { success: true, output: `${listOf("test", TESTS)}\n` });
  });

  it("are listed for an unknown name: exit 2", async () => {
    const { success, output } = await runTask("bench", "strem");
    assertEquals(success, false);
    assert(output.startsWith("Cannot run strem: "), output);
    assertStringIncludes(output, listOf("bench", BENCHES));
  });

  itUnless(notOnWindows("SIGTERM"))("end with the task", async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--import-map=imports.npm.json",
        "--allow-run",
        "tools/tasks.ts",
        "test",
        "fuzz",
        "--seconds",
        "60",
      ],
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
