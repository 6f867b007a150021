/** Places where V8 keeps the values of large inputs, by modules with a made-up heap. */

import { assertEquals, assertLess, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { loadFreshWith, withGlobals } from "../../support/modules.ts";

type Module = typeof import("../../../parser/engine/young_generation.ts");

const MEGABYTE = 2 ** 20;
/** Size from which on an input makes the module look at the heap at once. */
const LARGE = 16 * MEGABYTE;
/** Bytes after which a document that arrives in chunks is taken for a large one. */
const CHUNK = 2 ** 12;

/** Loads the module in a runtime, and runs `use` there. */
async function inRuntime(globals: object, use: (module: Module) => void): Promise<void> {
  const all = { Deno: undefined, process: undefined, ...globals };
  const module = await loadFreshWith<Module>("parser/engine/young_generation.ts", all);
  await withGlobals(all, async () => await Promise.resolve(use(module)));
}

/** Returns `process` of a V8 with a module that describes its heap. */
function v8(heap: unknown, versions: object = {}): object {
  return { process: { versions: { v8: "15", ...versions }, getBuiltinModule: () => heap } };
}

const missing = (): never => {
  throw new Error("not implemented");
};

/** Heap with little memory, whose statistics are none of a V8. */
const POOR = { getHeapStatistics: () => ({ heap_size_limit: 2 ** 30 - 1 }), getHeapSpaceStatistics() {} };
const RICH = { ...POOR, getHeapStatistics: () => ({ heap_size_limit: 2 ** 30 }) };
const RUNTIMES: { name: string; globals: object; keepsYoung: boolean }[] = [
  { name: "Deno", globals: { Deno: { version: { v8: "15" } } }, keepsYoung: true },
  { name: "Node.js", globals: v8(RICH), keepsYoung: true },
  { name: "Node.js with little memory", globals: v8(POOR), keepsYoung: false },
  { name: "Bun", globals: v8(RICH, { bun: "1" }), keepsYoung: false },
  { name: "a runtime without statistics", globals: v8({}), keepsYoung: false },
  {
    name: "a runtime with others",
    globals: v8({ getHeapSpaceStatistics: () => [{ space_name: "other" }] }),
    keepsYoung: false,
  },
  {
    name: "a runtime that does not implement them",
    globals: v8({ getHeapSpaceStatistics: missing }),
    keepsYoung: false,
  },
  { name: "a runtime without node:v8", globals: v8(undefined), keepsYoung: false },
  { name: "a runtime without modules", globals: { process: { versions: { v8: "15" } } }, keepsYoung: false },
  { name: "a browser", globals: {}, keepsYoung: false },
  { name: "a browser with an element named process", globals: { process: {} }, keepsYoung: false },
  {
    name: "a runtime that refuses",
    globals: { process: Object.defineProperty({}, "versions", { get: missing }) },
    keepsYoung: false,
  },
];

describe("literals of large documents", () => {
  it("stay in the young generation, once, in runtimes with enough memory and documents that fit", async () => {
    for (const { name, globals, keepsYoung } of RUNTIMES) {
      await inRuntime(globals, ({ addYoungLiteral, learnFromInput, prepareForStream, prepareYoungGeneration }) => {
        let made = 0;
        addYoungLiteral(() => made++);
        for (const size of [2 ** 22 - 1, 2 ** 25]) {
          prepareYoungGeneration(size);
          learnFromInput(size);
        }
        prepareForStream(0, CHUNK - 1);
        assertStrictEquals(made, 0, "too small, and too large");
        for (let times = 0; times < 2; times++) {
          if (name === "Deno") prepareYoungGeneration(2 ** 22);
          else prepareForStream(CHUNK - 1, CHUNK);
          assertStrictEquals(made, keepsYoung ? 384 : 0, name);
        }
      });
    }
  });
});

/** Young generation of a made-up V8: each look at it finds a quarter of a megabyte more in use. */
class Heap {
  used = 0;
  free = 0;
  looks = 0;
  /** Looks after which the engine has collected. */
  until = Infinity;

  fill(): void {
    [this.used, this.free, this.looks] = [40 * MEGABYTE, 2 * MEGABYTE, 0];
  }

  getHeapSpaceStatistics = () => {
    if (++this.looks > this.until) [this.used, this.free] = [MEGABYTE, 41 * MEGABYTE];
    else [this.used, this.free] = [this.used + MEGABYTE / 4, this.free - MEGABYTE / 4];
    return [{ space_name: "new_space", space_used_size: this.used, space_available_size: this.free }];
  };
}

describe("room in the young generation", () => {
  /**
   * Runs `use` with a made-up heap and a function that returns how often it was looked at before
   * a parse.
   */
  function inHeap(form: string, use: (heap: Heap, parse: () => number) => void): Promise<void> {
    const heap = new Heap();
    return inRuntime(v8(heap), ({ learnFromInput, learnFromStream, prepareForStream, prepareYoungGeneration }) => {
      use(heap, () => {
        heap.fill();
        if (form === "whole") prepareYoungGeneration(LARGE);
        else prepareForStream(0, LARGE / 2);
        const { looks } = heap;
        if (form !== "whole") prepareForStream(LARGE / 2, LARGE);
        assertStrictEquals(heap.looks, looks, "not in the middle of the document");
        if (form === "whole") learnFromInput(LARGE);
        else learnFromStream(LARGE);
        return looks;
      });
    });
  }

  for (const form of ["whole", "in chunks"]) {
    it(`is made by garbage until the engine collects, less often if that gains nothing, for documents ${form}`, async () => {
      await inHeap(form, (heap, parse) => {
        parse();
        heap.until = 4;
        assertStrictEquals(parse(), 5, "before the garbage, and after some of it");
        for (const [until, count, expected] of [[Infinity, 9, [0, 1, 3, 7]], [3, 8, [6, 7]]] as const) {
          heap.until = until;
          const looks = Array.from({ length: count }, () => parse());
          assertLess(Math.max(...looks), 20, "and not for ever");
          assertEquals<readonly number[]>(looks.flatMap((count, i) => count > 1 ? [i] : []), expected);
        }
      });
    });
  }
});
