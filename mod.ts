/**
 * JSON parser for bytes. {@linkcode parseBinary} builds the value straight from UTF-8 bytes,
 * and returns a result instead of throwing an exception. {@linkcode detach} then frees the
 * bytes immediately.
 *
 * ```ts
 * import { detach, parseBinary } from "@bytejson/bytejson";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode('{"id": 7, "tags": ["a", "b"]}');
 * const result = parseBinary<{ id: number; tags: string[] }>(bytes);
 * detach(bytes);
 *
 * assertEquals(result.ok && result.value.tags, ["a", "b"]);
 * ```
 *
 * {@linkcode selectBinary} builds only the part of a document that a {@linkcode selector} names.
 * {@linkcode parseStream} and {@linkcode parseValues} take the same selectors while bytes arrive.
 * {@linkcode parseAt} and {@linkcode locate} find single values by their JSON Pointers.
 *
 * ```ts
 * import { selectBinary, selector } from "@bytejson/bytejson";
 * import { assertEquals } from "@std/assert";
 *
 * const wanted = selector({ id: true, customer: { name: true } });
 * const order = '{"id": 7, "items": [1, 2], "customer": {"name": "Ann", "since": 2020}}';
 * const result = selectBinary(new TextEncoder().encode(order), wanted);
 * assertEquals(result, { ok: true, value: { id: 7, customer: { name: "Ann" } } });
 * ```
 *
 * {@linkcode readJson} reads the body of a request, response or stream, and checks it by a schema.
 * {@linkcode UNTRUSTED} has limits for input from untrusted clients. {@linkcode validateBinary}
 * validates without building a value.
 *
 * @module
 */

export { Slice } from "./slice.ts"; // a type alone in other modules
export * from "./parse_binary.ts";
export * from "./validate_binary.ts";
export * from "./select.ts";
export * from "./pointer.ts";
export * from "./detach.ts";
export * from "./read_bytes.ts";
export * from "./read_json.ts";
export * from "./parse_stream.ts";
export * from "./chunk_queue.ts";
export * from "./slice.ts";
export * from "./pool_allocator.ts";
