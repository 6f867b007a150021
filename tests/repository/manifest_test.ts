/**
 * Tests of the `package.json` that the npm package gets. `deno task test package` uses the package.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { libraryEntries, manifestOf } from "../../tools/build/manifest.ts";
import { projectRoot } from "../support/environment.ts";

const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
const manifest = manifestOf(config);

describe("package.json of the npm package", () => {
  it("has the entries of deno.json, each with types first", () => {
    const { "./package.json": own, ...entries } = manifest.exports as Record<string, Record<string, string>>;
    assertEquals(Object.keys(entries), Object.keys(config.exports));
    assertEquals(own as unknown, "./package.json");
    for (const entry of Object.values(entries)) {
      assertEquals(Object.keys(entry), ["types", "default"]);
      assertEquals(entry.types.replace(/\.d\.ts$/, ".js"), entry.default);
    }
    assertEquals(new Set(Object.values(entries).map(({ types }) => types)).size, Object.keys(entries).length);
  });

  it("keeps exactly the modules without exports, and the command line, for their effect", () => {
    const withoutExports = [...libraryEntries(config)].filter(([, module]) =>
      !/^export /m.test(Deno.readTextFileSync(new URL(module, projectRoot)))
    );
    assertEquals(manifest.sideEffects, [...withoutExports.map(([file]) => `./${file}.js`), "./cli/**/*.js"]);
  });

  it("has the version and the licence of deno.json, and a program", () => {
    assertEquals([manifest.version, manifest.license], [config.version, config.license]);
    assertEquals(manifest.bin, { bytejson: "cli/bin.js" });
    assert(/^>=\d+$/.test((manifest.engines as { node: string }).node));
  });
});
