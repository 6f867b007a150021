/**
 * Keeps `parseBinary` from generating code. Import the module for this effect; it exports nothing.
 *
 * Once `parseBinary` has read many objects with the same keys in the same order, it generates a
 * constructor for them, which is faster. The source of the constructor contains property names
 * of the input. They can do no harm: `JSON.stringify` quotes them, and the functions are few
 * and short.
 *
 * Import this module where your rules forbid generated code anyway. From then on, no function is
 * generated, and functions generated before are dropped. The import may be anywhere in the program.
 * Values stay the same, but documents with many objects take longer. In a browser, no function is
 * generated in the first place unless `./codegen` is imported.
 *
 * The module is not needed where the engine itself forbids code from strings, for example by the
 * Content Security Policy of a page: `parseBinary` then generates none. `detach` evaluates one
 * constant text when it loads, to find out whether natives syntax is allowed; no input reaches it.
 *
 * @example
 * ```ts
 * import "@bytejson/bytejson/no-codegen";
 * import { parseBinary } from "@bytejson/bytejson";
 *
 * parseBinary(new TextEncoder().encode('[{"id": 1}, {"id": 2}]'));
 * ```
 *
 * @module
 */

import { forbidCodeGeneration } from "./parser/objects/shape_cache.ts";

forbidCodeGeneration();
