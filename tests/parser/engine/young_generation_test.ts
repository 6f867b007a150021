/** Where V8 keeps the values of large inputs: in a process, and by modules with a made-up heap. */

import { assert, assertEquals, assertLess, assertStrictEquals, fail } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../../support/environment.ts";
import { describeLong } from "../../support/long.ts";
import { loadFreshWith, withGlobals } from "../../support/modules.ts";

type Module = typeof import("../../../parser/engine/young_generation.ts");

const MEGABYTE = 2 ** 20;
/** Size from which on an input makes the module look at the heap at once. */
const LARGE = 16 * MEGABYTE;
/** Bytes after which a document that arrives in chunks is taken for a large one. */
const CHUNK = 2 ** 16;

describeLong("values of large documents", () => {
  // V8 may make even the best code pretenure if its compilers starve. So one of three processes is
  // enough.
  for (const form of ["whole", "in chunks"]) {
    it(`stay in the young generation, one document after the other, ${form}`, async () => {
      let outputs = "";
      for (let i = 0; i < 3; i++) {
        const { success, output } = await runDeno(["run", "tests/processes/parse_large_documents.ts", form]);
        const [, size, grown] = /(\d+) bytes a document, grown by (\d+) bytes\n$/.exec(output) ?? [];
        if (success && Number(grown) < Number(size)) return;
        outputs += output;
      }
      fail(outputs);
    });
  }
});

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

/** Returns the statistics of a heap of a limited size. */
const limited = (heap_size_limit: number): object => ({ getHeapStatistics: () => ({ heap_size_limit }) });

const DENO = { Deno: { version: { v8: "15" } } };

describe("literals of large documents", () => {
  const refusing = {
    get versions(): never {
      throw new Error("not for you");
    },
  };
  const runtimes: [name: string, globals: object, keepsYoung: boolean][] = [
    ["Deno", DENO, true],
    ["Node.js", v8(limited(2 ** 30)), true],
    ["Node.js with little memory", v8(limited(2 ** 30 - 1)), false],
    ["a runtime without statistics", v8({}), false],
    ["a runtime without modules", { process: { versions: { v8: "15" } } }, false],
    ["Bun", v8(limited(2 ** 30), { bun: "1" }), false],
    ["a browser", {}, false],
    ["a browser with an element named process", { process: {} }, false],
    ["a runtime that refuses", { process: refusing }, false],
  ];
  it("are kept young in runtimes with enough memory", async () => {
    for (const [name, globals, keepsYoung] of runtimes) {
      await inRuntime(globals, ({ addYoungLiteral, prepareForStream }) => {
        let made = 0;
        addYoungLiteral(() => made++);
        prepareForStream(0, CHUNK - 1);
        assertStrictEquals(made, 0, "not for a small document");
        prepareForStream(CHUNK - 1, CHUNK);
        assertStrictEquals(made > 0, keepsYoung, name);
      });
    }
  });

  it("make objects once, in the first document of a size that fits", async () => {
    await inRuntime(DENO, ({ addYoungLiteral, learnFromInput, prepareYoungGeneration }) => {
      let made = 0;
      addYoungLiteral(() => made++);
      const rows = [[2 ** 22 - 1, 0], [2 ** 25, 0], [2 ** 22, 384], [2 ** 22, 384]];
      for (const [size, expected] of rows) {
        prepareYoungGeneration(size);
        assertStrictEquals(made, expected, `${size} bytes`);
        learnFromInput(size);
      }
    });
  });

  it("make objects when they are new, within a large document only, and not too many", async () => {
    await inRuntime(DENO, ({ keepYoung, learnFromStream, prepareForStream }) => {
      const made: number[] = [];
      const literal = (i: number) => () => made[i] = (made[i] ?? 0) + 1;
      keepYoung(literal(0), [], 0);
      for (const size of [CHUNK, MEGABYTE]) {
        prepareForStream(0, CHUNK);
        for (let i = 1; i < 60; i++) keepYoung(literal(i), [], 0);
        assertEquals(Object.entries(made), Array.from({ length: 48 }, (_, i) => [`${i + 1}`, 384]));
        made.length = 0;
        prepareForStream(0, CHUNK);
        learnFromStream(size);
        keepYoung(literal(60), [], 0);
        assertEquals(made, [], "the document has ended");
      }
    });
  });
});

/** Young generation of a made-up V8: each look at it finds a quarter of a megabyte more in use. */
class Heap {
  used = 40 * MEGABYTE;
  free = 2 * MEGABYTE;
  looks = 0;
  /** Looks at a full heap after which the engine has collected. */
  until = Infinity;
  #looksAtFull = 0;

  fill(free = 2 * MEGABYTE): void {
    this.used = 40 * MEGABYTE;
    this.free = free;
    this.#looksAtFull = 0;
  }

  getHeapSpaceStatistics = () => {
    this.looks++;
    if (++this.#looksAtFull > this.until) [this.used, this.free] = [MEGABYTE, 41 * MEGABYTE];
    else [this.used, this.free] = [this.used + MEGABYTE / 4, this.free - MEGABYTE / 4];
    return [
      { space_name: "old_space", space_used_size: 0, space_available_size: 0 },
      { space_name: "new_space", space_used_size: this.used, space_available_size: this.free },
    ];
  };
}

/** Runs `use` with a made-up heap, and a function that parses a large document with so much room. */
function inHeap(
  use: (heap: Heap, looksAfter: (free?: number, valueBytes?: number) => number, module: Module) => void,
  form = "whole",
): Promise<void> {
  const heap = new Heap();
  return inRuntime(v8(heap), (module) => {
    /** Parses a document of a value of so many bytes. Returns how often the heap was looked at before. */
    const looksAfter = (free?: number, valueBytes?: number): number => {
      heap.fill(free);
      heap.looks = 0;
      if (form === "whole") module.prepareYoungGeneration(LARGE);
      else module.prepareForStream(0, LARGE);
      const { looks } = heap;
      if (valueBytes !== undefined) {
        heap.fill(free);
        heap.used += valueBytes;
      }
      if (form === "whole") module.learnFromInput(LARGE);
      else module.learnFromStream(LARGE);
      return looks;
    };
    use(heap, looksAfter, module);
  });
}

describe("room in the young generation", () => {
  it("is made by garbage until the engine collects, and not for ever if it does not", async () => {
    await inHeap((heap, looksAfter) => {
      heap.until = 4;
      assertStrictEquals(looksAfter(), 5); // to try the function, before the garbage, and after some
    });
    await inHeap((_, looksAfter) => assertLess(looksAfter(), 20));
  });

  it("is made less and less often if that gains nothing, and more often again once it does", async () => {
    await inHeap((heap, looksAfter) => {
      looksAfter();
      for (
        const [until, count, expected] of [[Infinity, 8, [0, 2, 6]], [3, 8, [6, 7]], [Infinity, 4, [0, 1, 3]]] as const
      ) {
        heap.until = until;
        const made = Array.from({ length: count }, () => looksAfter() > 1).entries();
        assertEquals<readonly number[]>(Array.from(made).flatMap(([i, isMade]) => isMade ? [i] : []), expected);
      }
    });
  });

  it("is made if there is only a little more than an input needs", async () => {
    for (const [free, isMade] of [[3 * LARGE, false], [2.2 * LARGE, true]] as const) { // 2 are needed
      await inHeap((_, looksAfter) => assertStrictEquals(looksAfter(free) > 2, isMade));
    }
  });

  for (const form of ["whole", "in chunks"]) {
    it(`is learnt from documents ${form}`, async () => {
      await inHeap((_, looksAfter) => {
        const makesRoom = (free: number, valueBytes: number): boolean =>
          looksAfter(free * LARGE, valueBytes * LARGE) > 1;
        for (let i = 0; i < 21; i++) makesRoom(3, 1);
        assertStrictEquals(makesRoom(1.4, 1), false, "one byte a byte is needed");
        makesRoom(3, 1.8);
        assertStrictEquals(makesRoom(1.4, 1), true, "the last one needed more");
        for (let i = 0; i < 20; i++) makesRoom(3, 1);
        assertStrictEquals(makesRoom(1.4, -1), false, "one byte a byte is needed");
        assertStrictEquals(makesRoom(1.4, 1), true, "the engine collected within the last one");
      }, form);
    });
  }

  it("is made for a document in chunks, of the size of those before", async () => {
    await inHeap((heap, _, { learnFromStream, prepareForStream }) => {
      const looksFor = (size: number): number => {
        heap.fill();
        heap.looks = 0;
        prepareForStream(0, size / 2);
        const { looks } = heap;
        prepareForStream(size / 2, size);
        assertStrictEquals(heap.looks, looks, "not in the middle of the document");
        learnFromStream(size);
        return looks;
      };
      assertStrictEquals(looksFor(LARGE), 0, "nothing is expected yet");
      assert(looksFor(MEGABYTE / 2) > 2, "a large one is expected");
      for (let i = 0; i < 60; i++) looksFor(1000);
      assertStrictEquals(looksFor(1000), 0, "a small one is expected");
    });
  });

  it("is not looked for before many bytes were parsed, and given up where the heap is not described", async () => {
    const heap = new Heap();
    const parse = (size: number) => ({ learnFromInput, prepareYoungGeneration }: Module): void => {
      prepareYoungGeneration(size);
      learnFromInput(size);
    };
    await inRuntime(v8(heap, { bun: "1" }), parse(LARGE));
    await inRuntime(v8(heap), parse(LARGE - 1));
    assertStrictEquals(heap.looks, 0);
    const missing = (): never => {
      throw new Error("not implemented");
    };
    const others = [
      v8(undefined),
      v8({}),
      v8({ getHeapSpaceStatistics() {} }),
      v8({ getHeapSpaceStatistics: missing }),
    ];
    others.push(v8({ getHeapSpaceStatistics: () => [{ space_name: "other" }] }), {}, {
      process: { versions: { v8: "1" } },
    });
    for (const globals of others) await inRuntime(globals, parse(LARGE));
  });
});
