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
  const realms: [name: string, globals: Record<string, unknown>, expected: boolean][] = [
    ["a window", { SecurityPolicyViolationEvent: Event }, true],
    ["a worker of a browser", { SecurityPolicyViolationEvent: Event, WorkerGlobalScope: Object }, true],
    ["a worker of an older browser", { WorkerGlobalScope: Object }, true],
    ["a worklet", { WorkletGlobalScope: Object }, true],
    ["a worker of Deno", { WorkerGlobalScope: Object, Deno: { version: { deno: "2.0.0" } } }, false],
    ["a worker of Node.js", { WorkerGlobalScope: Object, process: { versions: { node: "24.0.0" } } }, false],
    ["an engine alone", {}, false],
  ];
  for (const [name, globals, expected] of realms) {
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
