/** Tests of where V8 keeps the values of large inputs, in processes of their own. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { loadFresh, withGlobals } from "../support/modules.ts";

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

  /** Parts of `process` that the module looks at. */
  type Process = { versions?: Record<string, string>; getBuiltinModule?: () => unknown };

  /** Returns a fresh module's function that makes room, in a runtime whose `process` is given. */
  async function inRuntime(process: Process | undefined): Promise<(size: number) => Promise<void>> {
    const { learnRoom, makeRoom } = await loadFresh<YoungValues>(PATH);
    return (size) => {
      return withGlobals({ process }, () => {
        makeRoom(size);
        learnRoom(size);
        return Promise.resolve();
      });
    };
  }

  /** Does the same in a V8 whose `node:v8` is given. */
  function inV8(v8: unknown): Promise<(size: number) => Promise<void>> {
    return inRuntime({ versions: { v8: "15" }, getBuiltinModule: () => v8 });
  }

  it("is made by garbage until the engine collects", async () => {
    const heap = new Heap(4);
    await (await inV8(heap))(LARGE);
    // One to try the function, one before the garbage, three after garbage, one to learn.
    assertStrictEquals(heap.looks, 6);
  });

  it("is not made for ever if the engine does not collect", async () => {
    const heap = new Heap();
    const parse = await inV8(heap);
    await parse(LARGE);
    assert(heap.looks < 20, `${heap.looks} looks`);
    // Nothing was gained, so the next inputs are parsed without.
    const { looks } = heap;
    await parse(LARGE);
    assertStrictEquals(heap.looks, looks + 2);
  });

  it("is not looked for in other engines, and before many bytes were parsed", async () => {
    const heap = new Heap();
    await (await inRuntime({ versions: { v8: "15", bun: "1" }, getBuiltinModule: () => heap }))(LARGE);
    await (await inV8(heap))(LARGE - 1);
    assertStrictEquals(heap.looks, 0);
  });

  const others: [name: string, process: Process | undefined][] = [
    ["has no process", undefined],
    ["has no getBuiltinModule", { versions: { v8: "15" } }],
    ["has no node:v8", { versions: { v8: "15" }, getBuiltinModule: () => undefined }],
    ["has no statistics", { versions: { v8: "15" }, getBuiltinModule: () => ({}) }],
    ["returns nothing", { versions: { v8: "15" }, getBuiltinModule: () => ({ getHeapSpaceStatistics() {} }) }],
    ["does not implement them", {
      versions: { v8: "15" },
      getBuiltinModule(): never {
        throw new Error("not implemented");
      },
    }],
    ["names no young generation", {
      versions: { v8: "15" },
      getBuiltinModule: () => ({ getHeapSpaceStatistics: () => [{ space_name: "other" }] }),
    }],
  ];
  for (const [name, process] of others) {
    it(`is given up in a runtime that ${name}`, async () => {
      assertEquals(await (await inRuntime(process))(LARGE), undefined);
    });
  }
});
