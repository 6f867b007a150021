/** Bugs of `deno task test planted`. */

import { assert } from "@std/assert";
import { it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";
import { planted, PLANTED_BUGS, PUBLIC_TESTS } from "./bugs.ts";

it("bugs to plant are changes of the source as it is, and tests that find them are there", () => {
  assert(PLANTED_BUGS.length > 40);
  for (const path of PUBLIC_TESTS) Deno.statSync(new URL(path, projectRoot));
  for (const bug of PLANTED_BUGS) planted(bug, Deno.readTextFileSync(new URL(bug.file, projectRoot)));
});
