/** Code of the parser that V8 has optimised, and keeps. */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Kind, KINDS } from "../../bench/support/documents.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";

const WARM_LINE = "The parser is warm";

/** Most deoptimisations while a warm process parses documents of one kind. Measured: none. */
const MAX_DEOPTIMISATIONS = 1;
/** Most deoptimisations by all kinds in turn. Measured: none, but V8 is late on a busy machine. */
const MAX_DEOPTIMISATIONS_OF_ALL_KINDS = 4;

/** Names of the parser's functions. */
const FUNCTIONS = new Set(
  filesBelow("parser/").flatMap((path) => {
    const source = Deno.readTextFileSync(new URL(path, projectRoot));
    return Array.from(source.matchAll(/\bfunction (\w+)\(/g), ([, name]) => name);
  }),
);

/** Returns the functions of the parser that a warm process deoptimises, with the reasons. */
async function deoptimisations(kinds: readonly Kind[]): Promise<string[]> {
  const flags = "--v8-flags=--allow-natives-syntax,--trace-deopt";
  const script = "tests/processes/count_deoptimisations.ts";
  const { success, output } = await runDeno(["run", "--quiet", "--no-config", flags, script, WARM_LINE, ...kinds]);
  assert(success, output);
  const [, warm] = output.split(`\n${WARM_LINE}\n`);
  assert(warm !== undefined, output);
  const bailouts = warm.matchAll(
    /bailout \(kind: [\w-]+, reason: ([^)]*)\): begin\. deoptimizing \S+ <JSFunction (\w+)/g,
  );
  return Array.from(bailouts, ([, reason, name]) => `${name}: ${reason}`).filter((line) =>
    FUNCTIONS.has(line.split(":")[0])
  );
}

describe("a warm parser", () => {
  it("is not deoptimised by documents of one kind", async () => {
    const found = await deoptimisations(["records"]);
    assert(found.length <= MAX_DEOPTIMISATIONS, found.join("\n"));
  });

  it("is not deoptimised by documents of all kinds in turn", async () => {
    const found = await deoptimisations(KINDS);
    assert(found.length <= MAX_DEOPTIMISATIONS_OF_ALL_KINDS, found.join("\n"));
  });
});
