/** Tests of deno.json and imports.npm.json: names that are imported, and modules that are exported. */

import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { pathToFileURL } from "node:url";
import { projectRoot, runDeno } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";

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

  it("give packages of npm to folders that are not published, and the same in both", () => {
    assertEquals(npm.scopes, scopes);
    assertEquals(Object.keys(scopes), ["./bench/", "./examples/", "./tests/", "./tools/"]);
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
      // `deno task` fetches every package of npm among the imports of deno.json, but not of its
      // scopes.
      const { success, output } = await runDeno(["task", "cli", "check", "deno.json"], { DENO_DIR: folder });
      assert(success, output);
      assertNotMatch(output, /Download/);
      const cached = filesBelow(pathToFileURL(`${folder}/`).href);
      assertEquals(cached.filter((path) => /\/(?:npm|remote)\//.test(path)), []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
