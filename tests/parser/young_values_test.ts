/** Tests of where V8 keeps the values of large inputs, in processes of their own. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { loadFreshWith } from "../support/modules.ts";

describe("values of large documents", () => {
  it("stay in the young generation, one document after the other", async () => {
    const { success, output } = await runDeno(["run", "tests/processes/parse_large_documents.ts"]);
    const [, size, grown] = /(\d+) bytes a document, grown by (\d+) bytes\n$/.exec(output) ?? [];
    assert(success && Number(grown) < Number(size), output);
  });
});

describe("room in the young generation", () => {
  type YoungValues = typeof import("../../parser/young_values.ts");
  const PATH = "parser/young_values.ts";
  const MEGABYTE = 2 ** 20;
  /** Size from which on an input makes the module look at the heap at once. */
  const LARGE = 16 * MEGABYTE;

  /** Young generation of a made-up V8: each look at it finds a megabyte more in use. */
  class Heap {
    used = 40 * MEGABYTE;
    free = 2 * MEGABYTE;
    looks = 0;
    /** Looks after which the engine has collected. */
    readonly #until: number;

    constructor(until = Infinity) {
      this.#until = until;
    }

    getHeapSpaceStatistics = () => {
      if (++this.looks > this.#until) [this.used, this.free] = [MEGABYTE, 41 * MEGABYTE];
      else [this.used, this.free] = [this.used + MEGABYTE / 4, this.free - MEGABYTE / 4];
      return [
        { space_name: "old_space", space_used_size: 0, space_available_size: 0 },
        { space_name: "new_space", space_used_size: this.used, space_available_size: this.free },
      ];
    };
  }

  /** Loads the module in a runtime whose `node:v8` is given. */
  function loadWith(v8: unknown): Promise<YoungValues> {
    return loadFreshWith<YoungValues>(PATH, {
      process: { versions: { v8: "15", deno: "2" }, getBuiltinModule: () => v8 },
    });
  }

  it("is made by garbage until the engine collects", async () => {
    const heap = new Heap(4);
    const { learnRoom, makeRoom } = await loadWith(heap);
    makeRoom(LARGE);
    assertStrictEquals(heap.looks, 5); // one to find the function, one before the garbage
    learnRoom(LARGE);
    assertStrictEquals(heap.looks, 6);
  });

  it("is not made for ever if the engine does not collect", async () => {
    const heap = new Heap();
    const { makeRoom } = await loadWith(heap);
    makeRoom(LARGE);
    assert(heap.looks < 20, `${heap.looks} looks`);
    // Nothing was gained, so the next inputs are parsed without.
    const { looks } = heap;
    makeRoom(LARGE);
    assertStrictEquals(heap.looks, looks + 1);
  });

  it("is not looked for in other engines, and before many bytes were parsed", async () => {
    const heap = new Heap();
    const { makeRoom } = await loadFreshWith<YoungValues>(PATH, {
      process: { versions: { v8: "15", bun: "1" }, getBuiltinModule: () => heap },
    });
    makeRoom(LARGE);
    (await loadWith(heap)).makeRoom(LARGE - 1);
    assertStrictEquals(heap.looks, 0);
  });

  const others: [name: string, v8: unknown][] = [
    ["has no statistics", {}],
    ["has no node:v8", undefined],
    ["returns nothing", { getHeapSpaceStatistics: () => undefined }],
    ["does not implement them", {
      getHeapSpaceStatistics(): never {
        throw new Error("not implemented");
      },
    }],
    ["names no young generation", { getHeapSpaceStatistics: () => [{ space_name: "other" }] }],
  ];
  for (const [name, v8] of others) {
    it(`is given up in a runtime that ${name}`, async () => {
      const { learnRoom, makeRoom } = await loadWith(v8);
      assertEquals([makeRoom(LARGE), learnRoom(LARGE)], [undefined, undefined]);
    });
  }

  it("is given up in a runtime without getBuiltinModule", async () => {
    const { makeRoom } = await loadFreshWith<YoungValues>(PATH, { process: { versions: { v8: "15" } } });
    assertStrictEquals(makeRoom(LARGE), undefined);
  });
});
