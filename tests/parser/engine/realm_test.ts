/** Kind of realm in `parser/engine/realm.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { IS_BROWSER } from "../../../parser/engine/realm.ts";
import { loadFreshWith } from "../../support/modules.ts";

/** Globals that runtimes have, and that a page may have as well: an element called `Deno`, say. */
const NO_RUNTIME = {
  SecurityPolicyViolationEvent: undefined,
  WorkerGlobalScope: undefined,
  WorkletGlobalScope: undefined,
  Deno: {},
  process: {},
};

describe("IS_BROWSER", () => {
  const realms: { name: string; globals: Record<string, unknown>; expected: boolean }[] = [
    { name: "a window", globals: { SecurityPolicyViolationEvent: Event }, expected: true },
    {
      name: "a worker of a browser",
      globals: { SecurityPolicyViolationEvent: Event, WorkerGlobalScope: Object },
      expected: true,
    },
    { name: "a worker of an older browser", globals: { WorkerGlobalScope: Object }, expected: true },
    { name: "a worklet", globals: { WorkletGlobalScope: Object }, expected: true },
    {
      name: "a worker of Deno",
      globals: { WorkerGlobalScope: Object, Deno: { version: { deno: "2.0.0" } } },
      expected: false,
    },
    {
      name: "a worker of Node.js",
      globals: { WorkerGlobalScope: Object, process: { versions: { node: "24.0.0" } } },
      expected: false,
    },
    { name: "an engine alone", globals: {}, expected: false },
  ];
  for (const { name, globals, expected } of realms) {
    it(`is ${expected} in ${name}`, async () => {
      const realm = await loadFreshWith<typeof import("../../../parser/engine/realm.ts")>("parser/engine/realm.ts", {
        ...NO_RUNTIME,
        ...globals,
      });
      assertEquals(realm.IS_BROWSER, expected);
    });
  }

  it("is false here", () => {
    assertEquals(IS_BROWSER, false);
  });
});
