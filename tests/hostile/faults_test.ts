/**
 * Fault injection: built-in functions that throw or lie, calls that are interrupted, and heaps that
 * are too small. Each program runs in processes of its own. `deno task test runtimes` injects faults
 * after loading.
 */

import { describe, it } from "@std/testing/bdd";
import { bundleModule } from "../../tools/executables.ts";
import { runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";

const FAULTS = "tests/processes/check_faults.ts";
const STACK_END = "tests/processes/check_stack_end.ts";

/** Milliseconds that a program may take: a fault must not make the library hang. */
const PATIENCE = 240_000;

/** Runs the program for a library that is loaded anew for each fault, with `Buffer` and without it. */
async function runAtLoad(kind: "throw" | "lie"): Promise<void> {
  const script = await Deno.makeTempFile({ suffix: ".js" });
  try {
    bundleModule("mod.ts", script);
    const code = Deno.readTextFileSync(script).replace(/^export \{([^}]*)\};\s*$/m, (_, names) => {
      return `return {${names.replaceAll(/(\S+) as (\w+)/g, "$2: $1")}};`;
    });
    Deno.writeTextFileSync(script, `(function load() {\n"use strict";\n${code}})`);
    for (const [atLeast, option] of [[550, []], [100, ["without-buffer"]]] as const) {
      const outcome = await runDeno(["run", "--allow-read", FAULTS, kind, script, ...option], {}, PATIENCE);
      assertChecks(outcome, kind === "throw" ? atLeast : 3);
    }
  } finally {
    await Deno.remove(script);
  }
}

describeLong("built-in functions that throw or lie while the library is loaded", () => {
  it("end loading or a call with their error at most if they throw", () => runAtLoad("throw"));

  it("change no value if they lie", () => runAtLoad("lie"));
});

for (
  const [group, what, args, atLeast] of [
    [describe, "of calls", ["stack", "0"], 1_000],
    [describe, "while constructors are generated", ["constructors"], 1],
    [describeLong, "of calls, at further places within a frame", ["stack", "1,2,3,4,5"], 1_000],
  ] as const
) {
  group(`the end of the stack ${what}`, () => {
    it("leaves nothing behind for later ones", async () => {
      assertChecks(await runDeno(["run", STACK_END, ...args]), atLeast);
    });
  });
}

describeLong("a heap of 64 MB", () => {
  it("is enough for inputs of any size whose values are small or dropped", async () => {
    const args = ["run", "--v8-flags=--max-old-space-size=64", "tests/processes/check_limits.ts", "heap"];
    assertChecks(await runDeno(args), 7);
  });
});
