/** Names on `Object.prototype`, in `parser/engine/object_prototype.ts`. */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { loadFresh, loadFreshWith } from "../../support/modules.ts";

type Prototypes = typeof import("../../../parser/engine/object_prototype.ts");

const PATH = "parser/engine/object_prototype.ts";
const NAMES = Array.from({ length: 40 }, (_, i) => `name ${i}`);

/** Error of JavaScriptCore. */
class SafariError extends Error {
  sourceURL = "";
}

const ENGINES = [
  { engine: "here", globals: {} },
  { engine: "in Safari", globals: { Error: SafariError } },
];

/** Calls `body` while `Object.prototype` has other keys, to which nothing can be assigned. */
async function withKeys(keys: PropertyKey[], body: () => unknown): Promise<void> {
  for (const key of keys) Object.defineProperty(Object.prototype, key, { value: "inherited", configurable: true });
  try {
    await body();
  } finally {
    for (const key of keys) Reflect.deleteProperty(Object.prototype, key);
  }
}

/**
 * Fails unless exactly the keys that `Object.prototype` has are found there, in a parse of its own.
 */
function assertFound(prototypes: Prototypes, keys: (string | number)[]): void {
  const { isInObjectPrototype, isNameAtLoad, resetObjectPrototypeCheck } = prototypes;
  // A positive id says that the key was not there at load.
  for (const idOf of [() => 0, (key: string | number) => isNameAtLoad(String(key)) ? -1 : 1]) {
    resetObjectPrototypeCheck();
    for (const key of keys) assert(isInObjectPrototype(key, idOf(key)) === key in Object.prototype, String(key));
  }
}

describe("isInObjectPrototype()", () => {
  for (const { engine, globals } of ENGINES) {
    for (const place of [0, 18, 19, 20, 21, 22, 39]) {
      it(`finds a key that was added since the last parse, after ${place} others, ${engine}`, async () => {
        const fresh = await loadFreshWith<Prototypes>(PATH, globals);
        assertFound(fresh, NAMES);
        await withKeys(["added"], () => assertFound(fresh, NAMES.with(place, "added")));
        assertFound(fresh, NAMES.with(place, "added"));
      });
    }

    it(`looks for each key until the prototype is known to be unchanged, ${engine}`, async () => {
      const fresh = await loadFreshWith<Prototypes>(PATH, globals);
      for (const name of NAMES) await withKeys([name], () => assertFound(fresh, NAMES));
    });
  }

  for (const { before, after } of [{ before: "key at load", after: "key added" }, { before: "3", after: "4" }]) {
    it(`finds "${after}" once a program has put it in the place of "${before}"`, async () => {
      let fresh!: Prototypes;
      await withKeys([before], async () => {
        fresh = await loadFresh<Prototypes>(PATH);
      });
      await withKeys([after], () => assertFound(fresh, [...NAMES, after, Number(after)]));
    });
  }

  for (const index of [5, 0]) {
    it(`finds an index ${index} that was there at load`, async () => {
      const numbers = Array.from({ length: 40 }, (_, i) => index + 39 - i); // the index comes last
      await withKeys([index], async () => assertFound(await loadFresh<Prototypes>(PATH), numbers));
    });
  }

  it("finds keys at load that are short, after a symbol", async () => {
    await withKeys(["of", Symbol("added"), "not the shortest"], async () => {
      const fresh = await loadFresh<Prototypes>(PATH);
      for (const rest of [["of"], []]) assertFound(fresh, [...rest, "a", ...NAMES, "of", "not the shortest"]);
    });
  });
});
