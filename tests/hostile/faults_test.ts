/**
 * Fault injection: calls that the end of the stack interrupts, and heaps that are too small. Each
 * program runs in a process of its own.
 */

import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";

const STACK_END = "tests/processes/check_stack_end.ts";

for (
  const [group, what, args, atLeast] of [
    [describe, "of calls with some documents", ["stack", "0", "some"], 500],
    [describeLong, "of calls", ["stack", "0"], 1_000],
    [describe, "while constructors are generated", ["constructors"], 1],
    [describeLong, "of calls, at further places within a frame", ["stack", "1,2,3,4,5"], 1_000],
  ] as const
) {
  group(`the end of the stack ${what}`, () => {
    it("has no effect on later calls", async () => {
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
