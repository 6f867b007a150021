/**
 * Tests of the demonstration of V8's wrong keys, in every runtime at hand. They assert that
 * parseBinary is right, and print what JSON.parse does without asserting that it is wrong.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findWrongKeys, makeSequences } from "../../examples/v8_key_pairs.ts";
import { type Demonstration, readSequences } from "../../examples/v8_wrong_keys.ts";
import { findBun, findNode, NO_BUN, NO_NODE, type Outcome, run, runDeno } from "../support/environment.ts";
import { referenceParse } from "../support/reference.ts";
import { utf8 } from "../support/bytes.ts";
import { exampleProject } from "../support/npm_project.ts";
import { itUnless } from "../support/skip.ts";

const PROGRAM = "examples/v8_wrong_keys.ts";
const MAP = "--import-map=imports.npm.json";

/** Checks the output of the demonstration, and prints its result for JSON.parse. */
function assertOursRight({ success, output }: Outcome, count = makeSequences().length): void {
  const { runtime, sequences, native, parseBinary }: Demonstration = JSON.parse(output.slice(output.indexOf("{")));
  console.log(`${runtime}: JSON.parse has ${native.length} wrong keys in ${sequences} sequences`);
  assertEquals(parseBinary, []);
  assertEquals([success, sequences], [true, count]);
}

const RUNTIMES = [["Node.js", await findNode(), NO_NODE], ["Bun", await findBun(), NO_BUN]] as const;

describe(PROGRAM, () => {
  it("makes distinct sequences, and knows their last keys", () => {
    const sequences = makeSequences();
    assertEquals(new Set(sequences.map(({ second }) => second)).size, sequences.length);
    const reference = (text: string): unknown => {
      const result = referenceParse(utf8(text));
      return result.ok ? result.value : undefined;
    };
    assertEquals(findWrongKeys(sequences, reference), []);
  });

  it("reads sequences from hexadecimal fields", () => {
    assertEquals(readSequences("#first\tsecond\tkey\n31\t7B22C3A9223A317D\tc3a9\tnote\n"), [
      { first: "1", second: '{"é":1}', lastKey: "é" },
    ]);
  });

  it("has no wrong key of parseBinary in Deno", async () => {
    assertOursRight(await runDeno(["run", MAP, PROGRAM, "--json"]));
  });

  for (const [name, runtime, reason] of RUNTIMES) {
    itUnless(!runtime && reason)(`has no wrong key of parseBinary in ${name}`, async () => {
      using project = await exampleProject();
      if (!project || !runtime) return;
      const args = [...name === "Bun" ? [] : ["--no-warnings"], `${project.path}/v8_wrong_keys.ts`, "--json"];
      assertOursRight(await run(runtime, args));
    });
  }
});
