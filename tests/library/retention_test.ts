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

describeLong("many calls made to fill tables", () => {
  it("leave a fixed amount on the heap, and nothing of inputs and values", async () => {
    assertChecks(await runCollecting("check_heap.ts"), 15);
  });
});

it("memory that the library keeps holds no text and no number of an input once a call has ended", async () => {
  assertChecks(await runCollecting("check_wiped_buffers.ts"), 120);
});

it("streaming parsers refer to no chunk and to no value that they have passed on", async () => {
  assertChecks(await runCollecting("check_stream_retention.ts"), 110);
});
