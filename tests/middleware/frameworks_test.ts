/** Test of the recipes of docs/frameworks.md that need more than a block. */

import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";

it("NestJS without a parser of its own takes json(), and oak hands requests to readJson()", async () => {
  const args = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "tests/processes/run_frameworks.ts"];
  const { output } = await runDeno(args);
  const lines = output.trim().split("\n").filter((line) => !line.startsWith("oak send()")); // a warning of oak
  const answers = ['201 {"received":{"items":[]}}', "422 422", "400 400"];
  const behindAnother = ["500 500", "500 500", "400 400"];
  const ofOak = ['200 {"items":[]}', "400", "413"];
  assertEquals(lines.map((line) => line.trimEnd()), [...answers, ...answers, ...behindAnother, ...ofOak]);
});
