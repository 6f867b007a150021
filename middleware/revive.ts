/** Calls a reviver for each value of a parsed body: {@linkcode reviveValue}. */

import { propertyNameOf } from "../parser/base/decode_name.ts";
import { skipByteOrderMark } from "../parser/engine/input_view.ts";
import { type ExpectedValue, expectedValueOf } from "../parser/selection/compare_values.ts";
import { refusePromise } from "./options.ts";

/** Third argument of a reviver: the source text of a primitive value. */
export interface ReviverContext {
  /** JSON of a primitive value, as written in the body. */
  source?: string;
}

/** Function that replaces values, like the reviver of `JSON.parse`. */
export type Reviver = (this: unknown, key: string, value: unknown, context: ReviverContext) => unknown;

/** Array or object whose values are visited. */
interface Visit {
  readonly holder: object;
  readonly key: string;
  readonly value: object;
  /** Names of an object; `null` for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  /** The value's source in the text; `undefined` if the reviver does not use sources. */
  readonly source: ExpectedValue | undefined;
  next: number;
}

const { defineProperty, deleteProperty } = Reflect;
const { hasOwn, is } = Object;

/** Minimum number of declared parameters of a reviver that uses sources. */
const WITH_CONTEXT = 3;

/**
 * Replaces values by the results of a reviver, inner ones first, like `JSON.parse` (ECMA-262,
 * InternalizeJSONProperty), but without recursion, so that nesting depth is unlimited.
 *
 * The third argument has the `source` of a primitive value, if the reviver declares that parameter,
 * the value was not replaced before, and the text is nested no deeper than 256 levels.
 *
 * @param value Value that was parsed from `bytes`.
 * @param bytes UTF-8 of the JSON text.
 * @throws {RangeError} If the reviver nests values deeper than the text is long, for example by
 * putting a value into itself.
 * @throws {TypeError} If the reviver returns a promise.
 */
export function reviveValue(value: unknown, reviver: Reviver, bytes: Uint8Array): unknown {
  const text = bytes.subarray(skipByteOrderMark(bytes, bytes.length));
  const source = reviver.length >= WITH_CONTEXT ? expectedValueOf(text) ?? undefined : undefined;
  const root = { "": value };
  const replaced = (holder: object, key: string, value: unknown, context: ReviverContext): unknown =>
    refusePromise(reviver.call(holder, key, value, context), "reviver");
  if (!isObject(value)) return replaced(root, "", value, contextOf(source, value));
  const visits = [visitOf(root, "", value, source)];
  for (;;) {
    const visit = visits.at(-1)!;
    if (visit.next < visit.length) {
      const i = visit.next++;
      const key = visit.keys === null ? String(i) : visit.keys[i];
      const inner = (visit.value as Record<string, unknown>)[key];
      const innerSource = visit.source && partOf(visit.source, key, i);
      if (isObject(inner)) visits.push(visitOf(visit.value, key, inner, innerSource));
      else put(visit.value, key, replaced(visit.value, key, inner, contextOf(innerSource, inner)));
      if (visits.length > bytes.length) throw new RangeError("Cannot revive values that are nested without end");
      continue;
    }
    visits.pop();
    const revived = replaced(visit.holder, visit.key, visit.value, {});
    if (visits.length === 0) return revived;
    put(visit.holder, visit.key, revived);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null || typeof value === "function";
}

function visitOf(holder: object, key: string, value: object, source: ExpectedValue | undefined): Visit {
  const keys = Array.isArray(value) ? null : Object.keys(value);
  return { holder, key, value, keys, length: keys?.length ?? (value as unknown[]).length, source, next: 0 };
}

function partOf({ items, members }: ExpectedValue, key: string, index: number): ExpectedValue | undefined {
  return items[members[propertyNameOf(key)] ?? index];
}

/** Replaces a value, or removes it if the new one is `undefined`. */
function put(holder: object, key: string, value: unknown): void {
  if (value === undefined) deleteProperty(holder, key);
  else if (!hasOwn(holder, key) || !is((holder as Record<string, unknown>)[key], value)) {
    const descriptor = { __proto__: null, value, writable: true, enumerable: true, configurable: true };
    defineProperty(holder, key, descriptor as PropertyDescriptor);
  }
}

function contextOf(source: ExpectedValue | undefined, value: unknown): ReviverContext {
  if (source === undefined) return {};
  const text = new TextDecoder().decode(source.bytes);
  const isOwn = typeof value === "number"
    ? Object.is(Number(text), value)
    : value === source.text || String(value) === text;
  return isOwn ? { source: text } : {};
}
