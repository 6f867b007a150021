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

const config: { exports: Record<string, string> } = JSON.parse(
  Deno.readTextFileSync(new URL("deno.json", projectRoot)),
);

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
});
