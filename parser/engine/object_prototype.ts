/** Look-ups on `Object.prototype`, and definition of own members with the same names. */

import { isJavaScriptCore } from "./recognition.ts";

const OBJECT_PROTOTYPE = Object.prototype;

// Without symbols: no key of a document is one.
const KEYS_AT_LOAD = /* @__PURE__ */ Object.getOwnPropertyNames(OBJECT_PROTOTYPE);
const KEY_SET_AT_LOAD = /* @__PURE__ */ new Set(KEYS_AT_LOAD);
const SHORTEST_KEY_AT_LOAD = /* @__PURE__ */ shortestLength(KEYS_AT_LOAD);

/** Whether `Object.prototype` had array indexes at load. They come first among its keys. */
const HAS_INDEX_AT_LOAD = /* @__PURE__ */ beginsWithIndex(KEYS_AT_LOAD);

function beginsWithIndex(keys: string[]): boolean {
  return keys.length > 0 && keys[0] >= "0" && keys[0] < ":";
}

/** Returns the length of the shortest key of `Object.prototype`: `valueOf`, or an added one. */
function shortestLength(keys: string[]): number {
  let shortest = 7;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i].length < shortest) shortest = keys[i].length;
  }
  return shortest;
}

/**
 * Keys looked up one by one before all of the prototype is checked: in V8, 20 times 15 ns against
 * 300 ns. JavaScriptCore checks all of it in 20 to 40 ns and takes up to 60 ns for one key
 * (WebKitGTK, payload of 512 B: 0.61 → 0.9).
 */
const MAX_SINGLE_CHECKS = /* @__PURE__ */ isJavaScriptCore() ? 0 : 20;

/** Keys looked up since the parse began. */
let lookUpCount = 0;

/** Whether `Object.prototype` has the keys it had at load. Known after `MAX_SINGLE_CHECKS`. */
let isUnchanged = false;

/** Resets the check of `Object.prototype`. Call it when a parse begins. */
export function resetObjectPrototypeCheck(): void {
  lookUpCount = 0;
}

/** Returns whether `Object.prototype` had the name at load, or the name is `__proto__`. */
export function isNameAtLoad(name: string): boolean {
  if (name.length < SHORTEST_KEY_AT_LOAD) return false;
  if (name === "__proto__") return true;
  for (let i = 0; i < KEYS_AT_LOAD.length; i++) if (KEYS_AT_LOAD[i] === name) return true;
  return false;
}

/**
 * Returns whether `Object.prototype` has the key. If so, `object[key] = value` might not define an
 * own property: `__proto__` calls a setter, a frozen method throws, and user code or an attacker
 * may have added keys. `id` is positive if the key is not {@linkcode isNameAtLoad}.
 */
export function isInObjectPrototype(key: string | number, id: number): boolean {
  if (++lookUpCount <= MAX_SINGLE_CHECKS) return key in OBJECT_PROTOTYPE;
  if (lookUpCount === MAX_SINGLE_CHECKS + 1) {
    const now = Object.getOwnPropertyNames(OBJECT_PROTOTYPE);
    isUnchanged = now.length === KEYS_AT_LOAD.length;
    for (let i = 0; isUnchanged && i < now.length; i++) isUnchanged = now[i] === KEYS_AT_LOAD[i];
  }
  if (!isUnchanged) return key in OBJECT_PROTOTYPE;
  if (id > 0) return false;
  if (typeof key === "number") return HAS_INDEX_AT_LOAD && key in OBJECT_PROTOTYPE;
  return key.length >= SHORTEST_KEY_AT_LOAD && (key === "__proto__" || KEY_SET_AT_LOAD.has(key));
}

/** Defines an own member, even if the prototype has the key. */
export function defineMember(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(
    object,
    key,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
}
