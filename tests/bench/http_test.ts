/** Tests of the servers under load, without k6: each pipeline. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PIPELINES } from "../../bench/http/pipelines.ts";
import { runDeno } from "../support/environment.ts";
import { Server } from "../support/server.ts";

const DENO = ["run", "--no-config", "--quiet", "--allow-net=127.0.0.1", "bench/http/server.ts"];

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
        await server[Symbol.asyncDispose]();
      }
    });
  }

  it("serves by nothing else", async () => {
    const { success, output } = await runDeno([...DENO, "magic"]);
    assertEquals(success, false);
    assertStringIncludes(output, "Cannot serve by magic: expected one of native,");
  });
});
