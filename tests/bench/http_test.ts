/** Tests of the load test without k6: the reading of traces, and the server with each pipeline. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PIPELINES } from "../../bench/http/pipelines.ts";
import { collectionsIn } from "../../bench/http/gc_trace.ts";
import { runDeno } from "../support/environment.ts";
import { Server } from "../support/server.ts";

const DENO = ["run", "--no-config", "--allow-net=127.0.0.1", "bench/http/server.ts"];

describe("collectionsIn", () => {
  it("finds V8's", () => {
    const trace = `Listening on http://0.0.0.0:8000/
[7:0x5] 124 ms: Scavenge 64.2 (78.9) -> 64.2 (79.2) MB, pooled: 0.0 MB, 1.25 / 0.00 ms (average mu = 1.000, current mu = 1.000) allocation failure;
[7:0x5] 156 ms: Scavenge (during sweeping) 99.0 (113.8) -> 99.0 (113.8) MB, 1.5 / 0.00 ms (average mu = 1.000, current mu = 1.000) task;
[7:0x5] 308 ms: Incremental Mark-Compact (reduce) 131.5 (146.5) -> 94.4 (109.4) MB, pooled: 0.0 MB, 100.00 / 0.00 ms (+ 0.25 ms in 8 steps since start of marking, biggest step 0.0 ms, walltime since start of marking 112 ms) (average mu = 0.654, current mu = 0.654) finalize incremental marking via stack guard; GC in old space requested
[7:0x5] 309 ms: Mark-Compact 13.5 (14.5) -> 9.4 (10.4) MB, pooled: 0.0 MB, 2.00 / 0.00 ms (average mu = 0.654, current mu = 0.654) external memory pressure;
`;
    assertEquals(collectionsIn(trace), { events: 4, milliseconds: 105 });
  });

  it("finds JavaScriptCore's", () => {
    const trace = `[GC<0x4>: starting 0.06ms]
[GC<0x4>: START M 9125kb => EdenCollection, a=0kb hf=0.000 mu=0.600 v=0kb (C:0 M:0) o=0 b=0 i#1:N<CsMsrShDMsm(0)SrbBcs> 450+0 p=8.5ms (max 8.550213)...]
[GC<0x4>: M a=533kb hf=0.157 mu=0.506 v=8522kb (C:8522 M:0) o=1 b=1 0+1 p=0.75ms (max 8.550213)...]
[GC<0x4>: START M 9125kb => FullCollection, v=1kb p=0.25ms (max 8.55) END]
`;
    assertEquals(collectionsIn(trace), { events: 2, milliseconds: 9.5 });
  });

  it("finds none in other text", () => {
    assertEquals(collectionsIn("Listening on http://127.0.0.1:8000/\n"), { events: 0, milliseconds: 0 });
  });
});

describe("bench/http/server.ts", () => {
  for (const pipeline of Object.keys(PIPELINES)) {
    it(`answers by ${pipeline}`, async () => {
      const server = await Server.start(Deno.execPath(), [...DENO, pipeline]);
      try {
        for (
          const { body, status, text } of [
            { body: "1", status: 200, text: "number" },
            { body: "[1, 2]", status: 200, text: "array" },
            { body: "[1,", status: 400, text: "JSON" },
          ] as const
        ) {
          const response = await server.post(body);
          assertEquals(response.status, status);
          assertStringIncludes(await response.text(), text);
        }
      } finally {
        await server.stop();
      }
    });
  }

  it("reads a body without parsing it", async () => {
    const server = await Server.start(Deno.execPath(), [...DENO, "readBytes + detach"]);
    try {
      const response = await server.post("[1,");
      assertEquals([response.status, await response.text()], [200, "undefined"]);
    } finally {
      await server.stop();
    }
  });

  it("serves by nothing else", async () => {
    const { success, output } = await runDeno([...DENO, "magic"]);
    assertEquals(success, false);
    assertStringIncludes(output, "Cannot serve by magic: expected one of native,");
  });
});
