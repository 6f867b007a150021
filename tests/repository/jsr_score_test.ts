/**
 * Tests of what JSR's score is made of, as far as it can be checked offline. `deno task check` adds
 * slow types, by a dry run of publishing. JSR's own settings are out of reach: the description and
 * the runtimes that the package is said to run in.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot, runDeno } from "../support/environment.ts";

/** Text of documentation, as `deno doc --json` has it. */
interface Doc {
  doc?: string;
}

/** Module in the output of `deno doc --json`. */
interface ModuleDoc {
  module_doc?: Doc;
  symbols?: { name: string; declarations: { kind: string; jsDoc?: Doc }[] }[];
}

const read = (path: string): string => Deno.readTextFileSync(new URL(path, projectRoot));
const config: { exports: Record<string, string> } = JSON.parse(read("deno.json"));

const files = Object.values(config.exports);
const { output } = await runDeno(["doc", "--json", "--import-map=imports.npm.json", ...files]);
const modules: Record<string, ModuleDoc> = JSON.parse(output).nodes;

describe("JSR's score", () => {
  it("counts the documentation of each entry", () => {
    for (const [entry, file] of Object.entries(config.exports)) {
      const { module_doc: { doc: own = "" } = {}, symbols = [] } = modules[new URL(file, projectRoot).href];
      assert(own.length > 0, `${entry} has no documentation`);
      const undocumented = symbols.filter(({ declarations }) =>
        // Overloads share a comment, and a symbol of another entry is a reference to its comment.
        !declarations.some(({ kind, jsDoc }) => kind === "reference" || jsDoc?.doc)
      ).map(({ name }) => name);
      assertEquals(undocumented, [], entry);
    }
  });

  it("counts examples of the README, provenance, and types that need no inference", () => {
    assert(/^```ts\nimport .* from "bytejson";$/m.test(read("README.md")));
    const release = read(".github/workflows/release.yml");
    const job = /^ {2}jsr:\n(?: {4}.*\n|\n)+/m.exec(release)![0];
    assert(/^ {6}id-token: write\b/m.test(job), "JSR cannot know the workflow");
    assert(/^ {6}- run: deno publish$/m.test(job), "options could turn provenance or checks off");
    assert(!/allow-slow-types|no-provenance/.test(read("tools/check_package.ts") + release));
  });
});
