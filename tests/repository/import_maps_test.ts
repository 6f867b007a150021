/** Tests of deno.json and imports.npm.json. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";

// deno-lint-ignore no-explicit-any
function readJson(path: string): any {
  return JSON.parse(Deno.readTextFileSync(new URL(path, projectRoot)));
}

const { exports, imports, publish } = readJson("deno.json");
const npmImports = readJson("imports.npm.json").imports;

describe("imports of deno.json and imports.npm.json", () => {
  it("have the same names", () => {
    assertEquals(Object.keys(npmImports), Object.keys(imports));
  });

  for (const name of Object.keys(imports)) {
    it(`give the same module for ${name}`, () => {
      const [, library, entry] = name.match(/^@std\/(\w+)(?:\/(.+))?$/) ?? [];
      if (library === undefined) return assertEquals(npmImports[name], imports[name]);
      assertMatch(imports[name], new RegExp(`^jsr:@std/${library}@\\^[\\d.]+${entry ? `/${entry}` : ""}$`));
      if (name === "@std/testing/bdd") return assertEquals(npmImports[name], "node:test");
      assertEquals(npmImports[name], `npm:deno-std@1.4.0/${library}/${entry?.replaceAll("-", "_") ?? "mod"}.js`);
    });
  }
});

describe("deno.json", () => {
  it("publishes the files it exports", () => {
    for (const path of Object.values<string>(exports)) {
      assert(publish.include.includes(path.replace("./", "")), path);
    }
  });
});
