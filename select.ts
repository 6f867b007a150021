/**
 * Selects parts of a JSON text in bytes: {@linkcode selectBinary} builds the members that a
 * {@linkcode selector} names, and only validates the rest.
 *
 * @module
 */

import { detachedBuffer, type ParseResult } from "./parser/base/failure.ts";
import { bytesOf } from "./parser/engine/input.ts";
import { buildingGuardsOf, type ParseOptions } from "./parser/options/options.ts";
import { every } from "./parser/selection/compile_mask.ts";
import { type Condition, conditionsOf } from "./parser/selection/conditions.ts";
import { matchDocument } from "./parser/selection/match_document.ts";
import { selectInput } from "./parser/selection/select_input.ts";
import { maskOf, Selector } from "./parser/selection/selector.ts";
import type { Slice } from "./slice.ts";

export type { FailureCode, ParseFailure, ParseSuccess } from "./parser/base/failure.ts";
export { type ParseLimits, UNTRUSTED } from "./parser/options/options.ts";
export type { ConditionTest, ConditionValue } from "./parser/selection/conditions.ts";
export type { Pointer, PointerPath } from "./parser/selection/pointers.ts";
export type * from "./slice.ts";
export { every };
export type { Condition, ParseOptions, ParseResult, Selector };

/** Indexes of selected elements of an array. */
export type Indexes = readonly [number, ...number[]];

/**
 * Picture of the selected part of a value: `true` for all of it, `[mask]` for a part of each element
 * of an array, `[0, 3]` for the elements at these indexes, or an object with a mask for each selected
 * member. Its member {@linkcode every} is the mask of all members that the object does not name.
 */
export type Mask = true | readonly [Mask] | Indexes | { readonly [name: string]: Mask; readonly [every]?: Mask };

/** Mask of values of the type `T`: members that `T` does not have are errors. */
export type MaskOf<T> =
  | true
  | (unknown extends T ? Mask
    : T extends readonly (infer Element)[] ? readonly [MaskOf<Element>] | Indexes
    : T extends object ?
        & { readonly [Name in keyof T & string]?: MaskOf<T[Name]> }
        & { readonly [every]?: MaskOf<T[keyof T & string]> }
    : never);

/** Type of the part that a mask selects from a value of unknown type. Members may be missing. */
export type Selected<M> = M extends true ? unknown
  : M extends Indexes ? { -readonly [I in keyof M]: unknown }
  : M extends readonly [infer Element] ? Selected<Element>[]
  :
    & { -readonly [Name in keyof M & string]?: Selected<M[Name]> }
    & (M extends { readonly [every]: infer Rest } ? { [name: string]: Selected<Rest> | Selected<M[keyof M & string]> }
      : unknown);

/** Type of the part that the mask `M` selects from a value of the type `T`. */
export type SelectedOf<T, M> = M extends true ? T
  : unknown extends T ? Selected<M>
  : T extends readonly (infer Element)[] ? M extends Indexes ? { -readonly [I in keyof M]: T[M[I] & number] | null }
    : (M extends readonly [infer Mask] ? SelectedOf<Element, Mask>[] : undefined)
  : T extends object ? (M extends readonly unknown[] ? undefined : SelectedMembers<T, M>)
  : T;

/** Type of the members that the mask `M` selects from an object of the type `T`. */
export type SelectedMembers<T, M> = string extends keyof T ?
    & { -readonly [Name in keyof M & string]?: SelectedOf<T[Name & keyof T], M[Name]> }
    & (M extends { readonly [every]: infer Rest } ? { [name: string]: SelectedOf<T[keyof T], Rest> } : unknown)
  : {
    -readonly [
      Name in keyof T as Name extends keyof M ? Name
        : typeof every extends keyof M ? Name
        : never
    ]: SelectedOf<T[Name], Name extends keyof M ? M[Name] : M extends { readonly [every]: infer Rest } ? Rest : never>;
  };

/**
 * Compiles a mask, a picture of the selected part of documents. Compile a mask once: the selector
 * becomes faster with each document.
 *
 * - `true` takes the value whole.
 * - `[mask]` applies to every element of an array.
 * - `[3, 0]` takes the elements at these indexes, in this order: an array of as many, with `null`
 *   for those that are missing.
 * - `{ name: mask }` takes members of an object; those that are missing stay missing. The member
 *   `[every]: mask` applies to all members that are not named.
 *
 * A `null`, string, number or boolean in place of an array or object of the mask is taken as it is.
 * An array in place of an object, or the reverse, is left out; in an array, `null` takes its place.
 * Members come in the order of the mask, and those of `every` after them as in the document.
 *
 * @param mask The mask, of up to 200 levels.
 * @returns The selector, frozen. Its type has the structure of the mask, with `unknown` leaves.
 * @throws {TypeError} If the mask is wrong. The message says where.
 *
 * @example
 * ```ts
 * import { every, selectBinary, selector } from "@bytejson/bytejson/select";
 * import { assertEquals } from "@std/assert";
 *
 * const wanted = selector({ next: true, data: [{ id: true, prices: { [every]: { net: true } } }] });
 *
 * const page = '{"data":[{"id":7,"name":"Tea","prices":{"EUR":{"net":3,"tax":1}}}],"next":null}';
 * const result = selectBinary(new TextEncoder().encode(page), wanted);
 * assertEquals(result, { ok: true, value: { next: null, data: [{ id: 7, prices: { EUR: { net: 3 } } }] } });
 * ```
 */
export function selector<const M extends Mask>(mask: M): Selector<Selected<M> | undefined>;
/**
 * Returns a function that compiles masks of documents of the type `T`. Masks are checked against
 * `T`, and an editor completes their names.
 *
 * @typeParam T Type that you expect documents to have. They are not checked against it.
 * @returns A function like {@linkcode selector}, for masks of `T`.
 *
 * @example
 * ```ts
 * import { selectBinary, selector } from "@bytejson/bytejson/select";
 * import { assertEquals } from "@std/assert";
 *
 * interface Page {
 *   next: string | null;
 *   data: { id: number; name: string }[];
 * }
 * const names = selector<Page>()({ data: [{ name: true }] });
 *
 * const page = '{"data":[{"id":7,"name":"Tea"}],"next":null}';
 * const result = selectBinary(new TextEncoder().encode(page), names);
 * assertEquals(result.ok && result.value.data.map(({ name }) => name), ["Tea"]);
 * ```
 */
export function selector<T>(): <const M extends MaskOf<T>>(mask: M) => Selector<SelectedOf<T, M>>;
export function selector(...masks: [mask?: unknown]): unknown {
  return masks.length === 0 ? (mask: unknown) => new Selector(mask) : new Selector(masks[0]);
}

/**
 * Selects parts of a JSON text in UTF-8 bytes, synchronously. All of the text is checked, as
 * `parseBinary` checks it, but only the selected values are built, which takes about a third of
 * the time.
 *
 * The selected values are those that `JSON.parse` returns: the last of members with the same name,
 * own `"__proto__"`, `-0`. The bytes are read in place, or from a copy if they are in shared
 * memory. Neither the value nor this module refers to the input afterwards.
 *
 * @param input The bytes: a `Uint8Array` (a Node `Buffer` is one), an `ArrayBuffer`, a
 * `SharedArrayBuffer` or a `Slice`.
 * @param selector Selector of the selected part.
 * @param options Limits for the whole text, and treatment of names and of numbers. The value is
 * then the selected part of what `parseBinary` returns with these options.
 * @returns `{ ok: true, value }` or, for input that is not a JSON text or whose buffer is
 * detached, `{ ok: false, code, message, offset, line, column, truncated }`, the same as
 * `parseBinary` returns. The value is `undefined` if the mask wants an object and the text is an
 * array, or the reverse.
 * @throws {TypeError} If `input` has none of these types, `selector` is not a selector, or an
 * option is unknown or has a wrong value.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 *
 * @example
 * ```ts
 * import { selectBinary, selector } from "@bytejson/bytejson/select";
 * import { assertEquals } from "@std/assert";
 *
 * const wanted = selector({ id: true });
 *
 * const encoder = new TextEncoder();
 * assertEquals(selectBinary(encoder.encode('{"id":7,"tags":["a"]}'), wanted), { ok: true, value: { id: 7 } });
 *
 * const wrong = selectBinary(encoder.encode('{"id":7,"tags":["a"}'), wanted);
 * assertEquals(wrong.ok || wrong.code, "expected-comma-or-bracket");
 * ```
 */
export function selectBinary<T>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  selector: Selector<T>,
  options?: ParseOptions,
): ParseResult<T> {
  const mask = maskOf(selector);
  const guards = buildingGuardsOf(options, "selectBinary");
  const bytes = bytesOf(input);
  if (bytes === null) return detachedBuffer();
  return selectInput(bytes, mask === null ? null : mask.node, guards) as ParseResult<T>;
}

/**
 * Tests whether a JSON text in UTF-8 bytes fulfils all of the given conditions. The whole text is
 * checked, but no value is built.
 *
 * @param input The bytes, as {@linkcode selectBinary} takes them.
 * @param conditions The conditions. With an empty list, every JSON text matches.
 * @returns `{ ok: true, value }`, whose value is a boolean or, for input that is not a JSON text or
 * whose buffer is detached, the failure that `parseBinary` returns.
 * @throws {TypeError} If `input` has none of these types, or a condition is wrong. The message has
 * the index of the condition, from 0.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 *
 * @example
 * ```ts
 * import { matches } from "@bytejson/bytejson/select";
 * import { assertEquals } from "@std/assert";
 *
 * const line = new TextEncoder().encode('{"level":"error","http":{"status":502}}');
 * assertEquals(matches(line, [["/level", "=", "error"], ["/http/status", ">=", 500]]), { ok: true, value: true });
 * assertEquals(matches(line, [["/user", "exists"]]), { ok: true, value: false });
 * ```
 */
export function matches(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  conditions: readonly Condition[],
): ParseResult<boolean> {
  const compiled = conditionsOf(conditions);
  const bytes = bytesOf(input);
  return bytes === null ? detachedBuffer() : matchDocument(bytes, compiled);
}
