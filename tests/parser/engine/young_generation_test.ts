/** Tests of the place where V8 keeps the values of large inputs, in processes of their own. */

import { assert, assertEquals, assertStrictEquals, fail } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../../support/environment.ts";
import { loadFresh, loadFreshWith, withGlobals } from "../../support/modules.ts";

type YoungValues = typeof import("../../../parser/engine/young_generation.ts");
const PATH = "parser/engine/young_generation.ts";

describe("values of large documents", () => {
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

  /** Returns the figures of Node.js about a heap of a limited size. */
  const node = (heap_size_limit: number, bun?: string) => ({
    versions: { v8: "15", ...bun && { bun } },
    getBuiltinModule: () => ({ getHeapStatistics: () => ({ heap_size_limit }) }),
  });
  const refusing = {
    get versions(): never {
      throw new Error("not for you");
    },
  };
  const runtimes: { name: string; Deno?: object; process?: object; isV8: boolean }[] = [
    { name: "Deno", Deno: { version: { v8: "15" } }, isV8: true },
    { name: "Node.js", process: node(2 ** 30), isV8: true },
    { name: "Node.js with little memory", process: node(2 ** 30 - 1), isV8: false },
    {
      name: "a runtime without statistics",
      process: { versions: { v8: "15" }, getBuiltinModule: () => ({}) },
      isV8: false,
    },
    { name: "a runtime without modules", process: { versions: { v8: "15" } }, isV8: false },
    { name: "Bun", process: node(2 ** 30, "1"), isV8: false },
    { name: "a browser", isV8: false },
    { name: "a browser with an element named process", process: {}, isV8: false },
    { name: "a runtime that refuses", process: refusing, isV8: false },
  ];
  for (const { name, Deno, process, isV8 } of runtimes) {
    it(`are ${isV8 ? "kept young" : "left alone"} in ${name}`, async () => {
      const globals = { Deno, process };
      const { addYoungLiteral, prepareForStream } = await loadFreshWith<YoungValues>(PATH, globals);
      let made = 0;
      addYoungLiteral(() => made++);
      await withGlobals(globals, async () => {
        prepareForStream(0, 2 ** 16 - 1);
        assertStrictEquals(made, 0, "not for a small document");
        prepareForStream(2 ** 16 - 1, 2 ** 16);
        await Promise.resolve();
      });
      assertStrictEquals(made > 0, isV8);
    });
  }
});

describe("literals that are kept young", () => {
  const CHUNK = 2 ** 16;

  /** Loads the module, and counts the objects that its literals make. */
  async function load() {
    const module = await loadFresh<YoungValues>(PATH);
    const made: number[] = [];
    const literal = (i: number) => () => made[i] = (made[i] ?? 0) + 1;
    return { ...module, made, literal };
  }

  it("make objects once, in the first large document", async () => {
    const { addYoungLiteral, learnFromInput, prepareYoungGeneration, made, literal } = await load();
    addYoungLiteral(literal(0));
    addYoungLiteral(literal(1));
    prepareYoungGeneration(2 ** 22 - 1);
    learnFromInput(2 ** 22 - 1);
    prepareYoungGeneration(2 ** 25);
    learnFromInput(2 ** 25);
    assertEquals(made, [], "too small, and too large");
    prepareYoungGeneration(2 ** 22);
    assertEquals(made, [384, 384]);
    learnFromInput(2 ** 22);
    prepareYoungGeneration(2 ** 22);
    assertEquals(made, [384, 384]);
  });

  it("make objects in a document in chunks, once the first chunks have arrived", async () => {
    const { addYoungLiteral, prepareForStream, made, literal } = await load();
    addYoungLiteral(literal(0));
    prepareForStream(0, 0);
    prepareForStream(0, CHUNK - 1);
    prepareForStream(CHUNK, 2 * CHUNK);
    assertEquals(made, []);
    prepareForStream(CHUNK - 1, CHUNK);
    assertEquals(made, [384]);
  });

  it("make objects when they are new, within a large document only, and not too many", async () => {
    const { keepYoung, learnFromStream, prepareForStream, made, literal } = await load();
    keepYoung(literal(0), [], 0);
    prepareForStream(0, CHUNK);
    for (let i = 1; i < 60; i++) keepYoung(literal(i), [], 0);
    assertEquals(Object.values(made), new Array(48).fill(384));
    assertEquals(Object.keys(made), Array.from({ length: 48 }, (_, i) => String(i + 1)));
    prepareForStream(0, CHUNK);
    for (const size of [CHUNK, 2 ** 20]) {
      learnFromStream(size);
      keepYoung(literal(60), [], 0);
      assertStrictEquals(made[60], undefined, "the document has ended");
    }
  });
});

describe("room in the young generation", () => {
  const MEGABYTE = 2 ** 20;
  /** Size from which on an input makes the module look at the heap at once. */
  const LARGE = 16 * MEGABYTE;

  /** Young generation of a made-up V8: each look at it finds a megabyte more in use. */
  class Heap {
    used = 40 * MEGABYTE;
    free = 2 * MEGABYTE;
    looks = 0;
    /** Looks at a full heap after which the engine has collected. */
    until: number;
    #looksAtFull = 0;

    constructor(until = Infinity) {
      this.until = until;
    }

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

  /** Parts of `process` that the module looks at. */
  type Process = { versions?: Record<string, string>; getBuiltinModule?: () => unknown };

  /** Returns a fresh module's function that makes room, in a runtime whose `process` is given. */
  async function inRuntime(process: Process | undefined): Promise<(size: number) => Promise<void>> {
    const { learnFromInput, prepareYoungGeneration } = await loadFresh<YoungValues>(PATH);
    return (size) => {
      return withGlobals({ process }, () => {
        prepareYoungGeneration(size);
        learnFromInput(size);
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
    // Looks: one to try the function, one before the garbage, three after garbage, one to learn.
    assertStrictEquals(heap.looks, 6);
  });

  it("is not made for ever if the engine does not collect", async () => {
    const heap = new Heap();
    const parse = await inV8(heap);
    await parse(LARGE);
    assert(heap.looks < 20, `${heap.looks} looks`);
  });

  /** Parses large inputs in a heap that is full, and returns for which of them room was made. */
  async function inputsWithRoom(heap: Heap, parse: (size: number) => Promise<void>, count: number): Promise<number[]> {
    const inputs: number[] = [];
    for (let i = 0; i < count; i++) {
      const { looks } = heap;
      heap.fill();
      await parse(LARGE);
      if (heap.looks > looks + 2) inputs.push(i); // more than one look before the parse and one after it
    }
    return inputs;
  }

  it("is made less and less often if that gains nothing, and more often again once it does", async () => {
    const heap = new Heap();
    const parse = await inV8(heap);
    await parse(LARGE);
    assertEquals(await inputsWithRoom(heap, parse, 8), [0, 2, 6]);
    heap.until = 3;
    assertEquals(await inputsWithRoom(heap, parse, 8), [6, 7]);
    heap.until = Infinity;
    assertEquals(await inputsWithRoom(heap, parse, 4), [0, 1, 3]);
  });

  it("is made if there is only a little more than an input needs", async () => {
    for (const [free, isMade] of [[3 * LARGE, false], [2.2 * LARGE, true]] as const) { // 2 are needed
      const heap = new Heap(4);
      const parse = await inV8(heap);
      heap.fill(free);
      await parse(LARGE);
      assertStrictEquals(heap.looks > 3, isMade);
    }
  });

  for (const form of ["whole", "in chunks"]) {
    it(`is learnt from documents ${form}`, async () => {
      const heap = new Heap();
      const { learnFromInput, learnFromStream, prepareYoungGeneration, prepareForStream } = await loadFresh<
        YoungValues
      >(PATH);
      const size = LARGE;
      /** Parses a document of a value of so many bytes; returns whether room was made before. */
      const makesRoom = (free: number, valueBytes: number): boolean => {
        heap.fill(free);
        heap.looks = 0;
        if (form === "whole") prepareYoungGeneration(size);
        else prepareForStream(0, size);
        const isMade = heap.looks > 1;
        heap.fill(free);
        heap.used += valueBytes;
        if (form === "whole") learnFromInput(size);
        else learnFromStream(size);
        return isMade;
      };
      await withGlobals({ process: { versions: { v8: "15" }, getBuiltinModule: () => heap } }, async () => {
        makesRoom(3 * size, size);
        for (let i = 0; i < 20; i++) makesRoom(3 * size, size);
        assertStrictEquals(makesRoom(1.4 * size, size), false, "one byte a byte is needed");
        makesRoom(3 * size, 1.8 * size);
        assertStrictEquals(makesRoom(1.4 * size, size), true, "the last one needed more");
        for (let i = 0; i < 20; i++) makesRoom(3 * size, size);
        assertStrictEquals(makesRoom(1.4 * size, -size), false, "one byte a byte is needed");
        assertStrictEquals(makesRoom(1.4 * size, size), true, "the engine collected within the last one");
        await Promise.resolve();
      });
    });
  }

  it("is made for a document in chunks, of the size of those before", async () => {
    const heap = new Heap();
    const { learnFromStream, prepareForStream } = await loadFresh<YoungValues>(PATH);
    await withGlobals({ process: { versions: { v8: "15" }, getBuiltinModule: () => heap } }, async () => {
      /** Parses a document in two chunks, and returns how often that looked at the heap. */
      const looksFor = (size: number): number => {
        const { looks } = heap;
        heap.fill();
        prepareForStream(0, size / 2);
        const looksBefore = heap.looks;
        prepareForStream(size / 2, size);
        assertStrictEquals(heap.looks, looksBefore, "not in the middle of the document");
        learnFromStream(size);
        return heap.looks - looks;
      };
      assertStrictEquals(looksFor(LARGE), 0, "nothing is expected yet");
      assert(looksFor(MEGABYTE / 2) > 2, "a large one is expected");
      for (let i = 0; i < 60; i++) looksFor(1000);
      assertStrictEquals(looksFor(1000), 0, "a small one is expected");
      await Promise.resolve();
    });
  });

  it("is not looked for in other engines, and before many bytes were parsed", async () => {
    const heap = new Heap();
    await (await inRuntime({ versions: { v8: "15", bun: "1" }, getBuiltinModule: () => heap }))(LARGE);
    await (await inV8(heap))(LARGE - 1);
    assertStrictEquals(heap.looks, 0);
  });

  const v8 = { versions: { v8: "15" } };
  const missing = (): never => {
    throw new Error("not implemented");
  };
  const others: [name: string, process: Process | undefined][] = [
    ["has no process", undefined],
    ["has no getBuiltinModule", v8],
    ["has no node:v8", { ...v8, getBuiltinModule: () => undefined }],
    ["has no statistics", { ...v8, getBuiltinModule: () => ({}) }],
    ["returns nothing", { ...v8, getBuiltinModule: () => ({ getHeapSpaceStatistics() {} }) }],
    ["does not implement them", { ...v8, getBuiltinModule: missing }],
    ["names no young generation", {
      ...v8,
      getBuiltinModule: () => ({ getHeapSpaceStatistics: () => [{ space_name: "other" }] }),
    }],
  ];
  for (const [name, process] of others) {
    it(`is given up in a runtime that ${name}`, async () => {
      assertEquals(await (await inRuntime(process))(LARGE), undefined);
    });
  }
});
