/** Test of the middleware with the types of the frameworks. Express reads the environment. */

import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { assertChecks } from "../support/outcomes.ts";

const PROGRAM = "tests/processes/check_framework_types.ts";

describe("the middleware", () => {
  it("works with the types of Express, Fastify and node:http", async () => {
    assertChecks(await runDeno(["run", "--allow-all", "--import-map=imports.npm.json", PROGRAM]), 8);
  });
});
