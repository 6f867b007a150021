/**
 * Classes that `using` takes, in an engine that has no `Symbol.dispose`: they load all the same.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../../mod.ts"; // the modules that copies share need other symbols
import { loadFresh, withGlobals } from "../support/modules.ts";

// deno-lint-ignore no-explicit-any
type Module = any;

/** Returns the prototype of the class that each module exports. */
const PROTOTYPES: Record<string, (module: Module) => object> = {
  "chunk_queue.ts": ({ ChunkQueue }) => ChunkQueue.prototype,
  "slice.ts": ({ Slice }) => Slice.prototype,
  "pool_allocator.ts": ({ PoolAllocator }) => PoolAllocator.prototype,
  // Of the values of parseValues and parsePartial.
  "parser/streaming/piece_iterator.ts": ({ PieceIterator }) => Object.getPrototypeOf(new PieceIterator({}, {})),
};

describe("an engine without Symbol.dispose and Symbol.asyncDispose", () => {
  for (const [path, prototypeOf] of Object.entries(PROTOTYPES)) {
    it(`has no method for them in ${path}`, async () => {
      const globals = { Symbol: { iterator: Symbol.iterator, asyncIterator: Symbol.asyncIterator } };
      const prototype = await withGlobals(globals, async () => prototypeOf(await loadFresh(path)));
      assertEquals(Reflect.ownKeys(prototype).filter((key) => key === "undefined" || /dispose/i.test(String(key))), []);
    });
  }
});
