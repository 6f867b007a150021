/**
 * Modules of @std that tests import, for a page, where no import map resolves them.
 *
 * @module
 */

export * from "@std/assert";
export { toBytes } from "@std/streams/to-bytes";
