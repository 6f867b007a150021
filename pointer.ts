/**
 * Reads single values of a JSON text in bytes, by JSON Pointers ([RFC
 * 6901](https://www.rfc-editor.org/rfc/rfc6901)): {@linkcode parseAt} parses them, and
 * {@linkcode locate} finds their locations, for messages about wrong values.
 *
 * @module
 */

import { detachedBuffer, type ParseFailure } from "./parser/base/failure.ts";
import { defineElement } from "./parser/engine/arrays.ts";
import { bytesOf, lengthOf, NO_OPTIONS } from "./parser/engine/input.ts";
import { GUARD_NAMES } from "./parser/base/option_names.ts";
import { type PointerGuardOptions, pointerGuards } from "./parser/options/options.ts";
import { locateDocument, type NoPlace, type Place } from "./parser/selection/locate_document.ts";
import { type ParseAtResult, parseValuesAt } from "./parser/selection/parse_values_at.ts";
import { compilePointers, type Pointer, type PointerPath, pointersOf } from "./parser/selection/pointers.ts";
import { failureOfLength } from "./parser/options/validate_guarded.ts";
import type { Slice } from "./slice.ts";

export type { FailureCode } from "./parser/base/failure.ts";
export type { ParseLimits, ParseOptions } from "./parser/options/options.ts";
export type { ValueAt } from "./parser/selection/parse_values_at.ts";
export type * from "./slice.ts";
export type { NoPlace, ParseAtResult, ParseFailure, Place, Pointer, PointerGuardOptions, PointerPath };

const POINTER_NAMES = /* @__PURE__ */ GUARD_NAMES.concat("stopWhenFound");

/**
 * List of pointers. An array is a list if all its items are arrays, or texts that begin with a
 * slash or are empty; any other array is one path. A path whose names all begin with a slash
 * looks like a list, so pass it as the only item of one: `[path]`.
 */
export type PointerList = readonly ("" | `/${string}` | PointerPath)[];

/** Result of {@linkcode locate}. */
export type LocateResult = Place | NoPlace | ParseFailure;

/**
 * Result of {@linkcode parseAt} with `stopWhenFound`. Members that follow with the same name, and
 * whether the rest of the input is JSON, are unknown.
 */
export type ParseFirstResult<T = unknown> = ParseAtResult<T>;

/**
 * Options of {@linkcode parseAt} and {@linkcode locate}. Options that reject input apply to all of
 * it or, with `stopWhenFound`, to the part that is read. Options that change values are for
 * `parseAt` only.
 */
export interface ParseAtOptions extends PointerGuardOptions {
  /**
   * Whether to read no further than the value: of members with the same name, the first one counts,
   * and the rest of the input is not checked. `false` by default.
   */
  stopWhenFound?: boolean | undefined;
}

/**
 * Returns the values at JSON Pointers, read in one pass.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 * @param input The bytes, as for one pointer.
 * @param pointers The pointers.
 * @param options Whether to read no further than the last of the values.
 * @returns One result for each pointer, in order. If the input is not a JSON text, every result
 * is that failure.
 * @throws {TypeError} If `input` is not bytes, or an item is not a pointer.
 *
 * @example
 * ```ts
 * import { parseAt } from "@bytejson/bytejson/pointer";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode('{"id": 7, "items": [{"price": 3}, {"price": 4}]}');
 * const results = parseAt(bytes, ["/id", ["items", 1, "price"]]);
 * assertEquals(results.map((result) => result.ok && result.found && result.value), [7, 4]);
 * ```
 */
export function parseAt<T = unknown>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  pointers: PointerList,
  options?: ParseAtOptions,
): ParseAtResult<T>[];
/**
 * Returns the value at a JSON Pointer, and its location. All of the input is checked, but only that
 * value is built. It is the value that the pointer refers to in the result of `JSON.parse`: of
 * members with the same name, the last one counts.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param input The bytes: a `Uint8Array` (a Node `Buffer` is one), an `ArrayBuffer`, a
 * `SharedArrayBuffer` or a `Slice`.
 * @param pointer The pointer: a text or a path.
 * @param options Guards, and whether to read no further than the value: `stopWhenFound`. Of members
 * with the same name, the first one then counts.
 * @returns `{ ok: true, found: true, value, start, end, line, column }`, or `{ ok: true, found:
 * false, depth }` if there is no value there: `depth` is the number of leading tokens of the
 * pointer that do lead to a value. For input that is not a JSON text or whose buffer is detached,
 * the failure, the same as `parseBinary` returns.
 * @throws {TypeError} If `input` has none of these types, or `pointer` is not a pointer.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 *
 * @example
 * ```ts
 * import { parseAt } from "@bytejson/bytejson/pointer";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode('{"user": {"name": "Ann", "tags": ["a", "b"]}}');
 * const result = parseAt<string>(bytes, "/user/tags/1");
 * assertEquals(result.ok && result.found && result.value, "b");
 *
 * const missing = parseAt(bytes, "/user/address/city");
 * assertEquals(missing, { ok: true, found: false, depth: 1 });
 *
 * const start = bytes.subarray(0, 24); // {"user": {"name": "Ann",
 * const first = parseAt<string>(start, "/user/name", { stopWhenFound: true });
 * assertEquals(first.ok && first.found && first.value, "Ann");
 * ```
 */
export function parseAt<T = unknown>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  pointer: Pointer,
  options?: ParseAtOptions,
): ParseAtResult<T>;
export function parseAt(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  pointers: Pointer | PointerList,
  options: ParseAtOptions = NO_OPTIONS,
): unknown {
  return lookUp(input, pointers, options, "parseAt", parseValuesAt);
}

/**
 * Returns the locations of values, read in one pass.
 *
 * @param input The bytes, as for one pointer.
 * @param pointers The pointers.
 * @param options Whether to read no further than the last of the values.
 * @returns One result for each pointer, in order. If the input is not a JSON text, every result
 * is that failure.
 * @throws {TypeError} If `input` is not bytes, or an item is not a pointer.
 *
 * @example The issues of a schema library
 * ```ts
 * import { locate } from "@bytejson/bytejson/pointer";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode('{\n  "name": 5,\n  "tags": ["a", 6]\n}');
 * const issues = [
 *   { path: ["name"], message: "Expected a string" },
 *   { path: ["tags", 1], message: "Expected a string" },
 * ];
 * const places = locate(bytes, issues.map((issue) => issue.path));
 * const lines = places.map((place) => place.ok && place.found && place.line);
 * assertEquals(lines, [2, 3]);
 * ```
 */
export function locate(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  pointers: PointerList,
  options?: ParseAtOptions,
): LocateResult[];
/**
 * Returns the location of the value at a JSON Pointer. Like {@linkcode parseAt}, but builds
 * no value.
 *
 * @param input The bytes: a `Uint8Array` (a Node `Buffer` is one), an `ArrayBuffer`, a
 * `SharedArrayBuffer` or a `Slice`.
 * @param pointer The pointer: a text or a path.
 * @param options Whether to read no further than the value.
 * @returns `{ ok: true, found: true, start, end, line, column }`, or `{ ok: true, found: false,
 * depth }` if there is no value. For input that is not a JSON text or whose buffer is detached, the
 * failure, the same as `parseBinary` returns.
 * @throws {TypeError} If `input` has none of these types, or `pointer` is not a pointer.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 *
 * @example
 * ```ts
 * import { locate } from "@bytejson/bytejson/pointer";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode('{\n  "port": "eighty"\n}');
 * assertEquals(locate(bytes, "/port"), { ok: true, found: true, start: 12, end: 20, line: 2, column: 11 });
 * ```
 */
export function locate(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  pointer: Pointer,
  options?: ParseAtOptions,
): LocateResult;
export function locate(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  pointers: Pointer | PointerList,
  options: ParseAtOptions = NO_OPTIONS,
): unknown {
  return lookUp(input, pointers, options, "locate", locateDocument);
}

/** Looks pointers up by `find`, which parses values or, for `locate`, only finds them. */
function lookUp(
  input: unknown,
  pointers: Pointer | PointerList,
  options: ParseAtOptions,
  caller: "locate" | "parseAt",
  find: typeof parseValuesAt | typeof locateDocument,
): unknown {
  const guards = pointerGuards(options, POINTER_NAMES, caller, caller === "parseAt", true);
  const { stopWhenFound = false } = options;
  const { tokens, isList } = pointersOf(pointers);
  const bytes = bytesOf(input);
  const { length } = tokens;
  if (bytes === null) return resultOf(detachedBuffer(), isList, length);
  const tooLong = guards === null ? null : failureOfLength(bytes, lengthOf(bytes), guards);
  if (tooLong !== null) return resultOf(tooLong, isList, length);
  return resultOf(find(bytes, compilePointers(tokens), stopWhenFound, guards), isList, length);
}

/** Returns the results of a list, or the only one. */
function resultOf(results: unknown[] | ParseFailure, isList: boolean, length: number): unknown {
  if (Array.isArray(results)) return isList ? results : results[0];
  if (!isList) return results;
  const failures: ParseFailure[] = [];
  for (let i = 0; i < length; i++) defineElement(failures, i, results);
  return failures;
}
