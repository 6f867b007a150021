/**
 * Keeps `parseBinary` from generating code. Import the module for this effect; it exports nothing.
 *
 * `parseBinary` makes objects with the same keys in the same order by a constructor that it
 * generates once it has met them many times; that is faster. The source of the constructor contains
 * property names of the input. They cannot do harm: `JSON.stringify` writes them, and the functions
 * are few and short.
 *
 * Import this module where rules forbid generated code all the same. From then on, no function is
 * generated, and functions generated before are dropped; the import may stand anywhere in the
 * program. Values stay the same; documents of many objects take longer.
 *
 * The module is not needed where the engine itself forbids code from strings, as the Content
 * Security Policy of a page can: `parseBinary` notices, and does without. `detach` evaluates one
 * constant text when it loads, to find out whether natives syntax is allowed; no input reaches it.
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
