/** Tests of memory that outlives a call, in a process of its own that can collect garbage. */

import { it } from "@std/testing/bdd";
import { type Outcome, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";

/** Runs a program that can collect garbage, and may read files. */
function runCollecting(program: string): Promise<Outcome> {
  const options = ["--no-config", "--v8-flags=--expose-gc", "--allow-read"];
  return runDeno(["run", ...options, `tests/processes/${program}`]);
}

describeLong("many calls", () => {
  it("retain a fixed amount of memory, and nothing of inputs and values", async () => {
    assertChecks(await runCollecting("check_heap.ts"), 15);
  });

  it("retain, of streams, no chunk and no value that they have returned", async () => {
    assertChecks(await runCollecting("check_stream_retention.ts"), 110);
  });
});

it("buffers that the library keeps contain no text and no number of an input after the call", async () => {
  assertChecks(await runCollecting("check_wiped_buffers.ts"), 120);
});
