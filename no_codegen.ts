/**
 * Keeps `parseBinary` from making functions. Import it for that effect; it exports nothing.
 *
 * An object whose keys have been seen many times in the same order is made by a constructor generated for it, which is faster. That is
 * code whose property names are the sender's. They can do no harm: they are written by `JSON.stringify`, and functions are few and
 * short. Where rules forbid generated code all the same, import this module: from then on, wherever in the program it stands,
 * no function is made and those made before are dropped. Values are the same, documents of many objects take longer.
 *
 * There is no need for it where the engine itself forbids code from strings, as a page's Content Security Policy does: that is
 * noticed, and leads to the same. `detach` finds out by one constant text, at load, whether natives syntax is allowed;
 * no input reaches it.
 *
 * @example
 * ```ts
 * import "@bytejson/bytejson/no-codegen";
 * import { parseBinary } from "@bytejson/bytejson";
 * import { assertEquals } from "@std/assert";
 *
 * const result = parseBinary(new TextEncoder().encode('[{"id": 1}, {"id": 2}]'));
 * assertEquals(result, { ok: true, value: [{ id: 1 }, { id: 2 }] });
 * ```
 *
 * @module
 */

import { forbidCodeGeneration } from "./parser/shape_cache.ts";

forbidCodeGeneration();
