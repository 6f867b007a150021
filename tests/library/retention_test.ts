/** Tests of what outlives a call, on the heap of a process of its own that can collect garbage. */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";

describeLong("many calls made to fill tables", () => {
  it("leave a fixed amount on the heap, and nothing of inputs and values", async () => {
    const { success, output } = await runDeno([
      "run",
      "--v8-flags=--expose-gc",
      "-R",
      "tests/processes/check_retention.ts",
    ]);
    const [, checks, failures] = /(\d+) checks, (\d+) failed\n$/.exec(output) ?? [];
    assert(success && failures === "0" && Number(checks) >= 15, output);
  });
});

describe("memory that the library keeps", () => {
  it("holds no text and no number of an input once a call has ended", async () => {
    const { success, output } = await runDeno([
      "run",
      "--v8-flags=--expose-gc",
      "tests/processes/check_wiped_buffers.ts",
    ]);
    const [, checks, failures] = /(\d+) checks, (\d+) failed\n$/.exec(output) ?? [];
    assert(success && failures === "0" && Number(checks) >= 145, output);
  });
});

describe("streaming parsers", () => {
  it("refer to no chunk and to no value that they have passed on", async () => {
    const { success, output } = await runDeno([
      "run",
      "--no-config",
      "--v8-flags=--expose-gc",
      "-R",
      "tests/processes/check_stream_retention.ts",
    ]);
    const [, checks, failures] = /(\d+) checks, (\d+) failed\n$/.exec(output) ?? [];
    assert(success && failures === "0" && Number(checks) >= 59, output);
  });
});
