/** Tests of the servers under load, without k6: each pipeline. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PIPELINES } from "../../bench/http/pipelines.ts";
import { Server } from "../support/server.ts";

const DENO = ["run", "--no-config", "--quiet", "--allow-net=127.0.0.1", "bench/http/server.ts"];

const REQUESTS = [
  { body: "1", status: 200, text: "number" },
  { body: "[1, 2]", status: 200, text: "array" },
  { body: "[1,", status: 400, text: "JSON" },
];

describe("bench/http/server.ts", () => {
  for (const pipeline of Object.keys(PIPELINES)) {
    it(`answers by ${pipeline}`, async () => {
      const server = await Server.start(Deno.execPath(), [...DENO, pipeline]);
      try {
        for (const { body, status, text } of REQUESTS) {
          const response = await server.post(body);
          assertEquals(response.status, status);
          assertStringIncludes(await response.text(), text);
        }
      } finally {
        await server[Symbol.asyncDispose]();
      }
    });
  }
});
