/**
 * Makes objects without a generated constructor, member by member. As with `JSON.parse`, every key
 * becomes an own property, whatever a program has done to `Object.prototype`.
 *
 * @module
 */

import { packedArray } from "../engine/arrays.ts";
import { isJavaScriptCore } from "../engine/recognition.ts";

const OBJECT_PROTOTYPE = Object.prototype;
const { defineProperty, getOwnPropertyNames, setPrototypeOf } = Object;
// Without symbols: no key of a document is one.
const KEYS_AT_LOAD = getOwnPropertyNames(OBJECT_PROTOTYPE);
const KEY_SET_AT_LOAD = new Set(KEYS_AT_LOAD);
const SHORTEST_KEY_AT_LOAD = shortestLength(KEYS_AT_LOAD);
/** Whether `Object.prototype` had array indexes at load. They come first among its keys. */
const HAS_INDEX_AT_LOAD = KEYS_AT_LOAD.length > 0 && KEYS_AT_LOAD[0] >= "0" && KEYS_AT_LOAD[0] < ":";

/**
 * Returns the length of the shortest key of `Object.prototype`: that of `valueOf`, or of a key that
 * the program has added.
 */
function shortestLength(keys: string[]): number {
  let shortest = 7;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i].length < shortest) shortest = keys[i].length;
  }
  return shortest;
}

/**
 * Keys looked up one by one until a check of the whole prototype pays off: 20 times 15 ns against
 * 300 ns in V8. JavaScriptCore checks it in 20 to 40 ns, and takes up to 60 for one key (WebKitGTK,
 * payload of 512 B: 0.61 → 0.9).
 */
const MAX_SINGLE_CHECKS = isJavaScriptCore() ? 0 : 20;

/** Keys looked up since the parse began. */
let lookUpCount = 0;
/**
 * Whether `Object.prototype` has exactly the keys it had at load. Meaningful only once more than
 * {@linkcode MAX_SINGLE_CHECKS} keys were looked up.
 */
let isUnchanged = false;

type ResetObjectPrototypeCheck = () => void;

/** Drops what is known of `Object.prototype`. To be called when a parse begins. */
export const resetObjectPrototypeCheck = (function resetObjectPrototypeCheck() {
  lookUpCount = 0;
} satisfies ResetObjectPrototypeCheck).valueOf() as ResetObjectPrototypeCheck;

type IsNameAtLoad = (name: string) => boolean;

/**
 * Returns whether `Object.prototype` had the name at load, or has it in some engines. Calls nothing
 * that a program may have replaced.
 */
export const isNameAtLoad = (function isNameAtLoad(name) {
  if (name.length < SHORTEST_KEY_AT_LOAD) return false;
  if (name === "__proto__") return true;
  for (let i = 0; i < KEYS_AT_LOAD.length; i++) if (KEYS_AT_LOAD[i] === name) return true;
  return false;
} satisfies IsNameAtLoad).valueOf() as IsNameAtLoad;

type IsInObjectPrototype = (key: string | number, id: number) => boolean;

/**
 * Returns whether `Object.prototype` has the key, so that `object[key] = value` might not define an
 * own property: `__proto__` calls a setter, a frozen method throws, and a program or an attacker
 * may have added keys. `id` is positive if the key is not {@linkcode isNameAtLoad}.
 */
const isInObjectPrototype = (function isInObjectPrototype(key, id) {
  if (++lookUpCount <= MAX_SINGLE_CHECKS) return key in OBJECT_PROTOTYPE;
  if (lookUpCount === MAX_SINGLE_CHECKS + 1) {
    const now = getOwnPropertyNames(OBJECT_PROTOTYPE);
    isUnchanged = now.length === KEYS_AT_LOAD.length;
    for (let i = 0; isUnchanged && i < now.length; i++) isUnchanged = now[i] === KEYS_AT_LOAD[i];
  }
  if (!isUnchanged) return key in OBJECT_PROTOTYPE;
  if (id > 0) return false;
  if (typeof key === "number") return HAS_INDEX_AT_LOAD && key in OBJECT_PROTOTYPE;
  // A program may have replaced `has`. The one key that could set a prototype does not depend on it.
  return key.length >= SHORTEST_KEY_AT_LOAD && (key === "__proto__" || KEY_SET_AT_LOAD.has(key));
} satisfies IsInObjectPrototype).valueOf() as IsInObjectPrototype;

type DefineMember = (object: object, key: string | number, value: unknown) => void;

const defineMember = (function defineMember(object, key, value) {
  defineProperty(
    object,
    key,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
} satisfies DefineMember).valueOf() as DefineMember;

/**
 * Most members of an object made at its final size. V8 gives `{}` room for 4 members in the
 * object. Further ones go into an array with up to 3 to spare, or above 16 into a hash table. For
 * 5, 12 and 20 members `JSON.parse` takes 72, 128 and 192 bytes; `{}` and stores take 104, 152 and
 * 865. Also bounds {@linkcode sizedConstructors}.
 */
const MAX_SIZED_MEMBERS = 64;

/**
 * Objects that a constructor makes before V8 fixes their size to the most that any of them used
 * (in-object slack tracking). V8 15 needs 7.
 */
const SLACK_TRACKING_OBJECTS = 8;

type ObjectConstructor = new (never: boolean) => Record<string, unknown>;

/** Constructors by the number of members they leave room for; made when first needed. */
const sizedConstructors = packedArray<ObjectConstructor | null>(MAX_SIZED_MEMBERS + 1, null);

type MakeSizedConstructor = (members: number) => ObjectConstructor;

/**
 * Makes a function that makes empty objects with room for `members` members. V8 first reserves room
 * for the assignments it finds in the function's source, executed or not, and shrinks it to what
 * the first objects used. In engines that do not track sizes the objects are ordinary.
 */
const makeSizedConstructor = (function makeSizedConstructor(members) {
  // deno-lint-ignore no-explicit-any
  const Sized = (function Object(this: any, never: boolean): void {
    if (never) {
      // not covered: V8 reads it, and nothing runs it
      // deno-fmt-ignore
      {
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
      }
    }
  }).valueOf() as ObjectConstructor;
  Sized.prototype = OBJECT_PROTOTYPE;
  // V8 keeps as much room as the largest of them has used.
  const largest = new Sized(false);
  for (let i = 0; i < members; i++) defineMember(largest, `member ${i}`, 0);
  for (let times = 1; times < SLACK_TRACKING_OBJECTS; times++) new Sized(false);
  return Sized;
} satisfies MakeSizedConstructor).valueOf() as MakeSizedConstructor;

/**
 * Members of the largest object made with room for them. JavaScriptCore makes `{}` faster, and
 * gives it room for six (WebKitGTK, records: +4 %).
 */
const MAX_SIZED = isJavaScriptCore() ? -1 : MAX_SIZED_MEMBERS;

type SizedObject = (members: number) => Record<string, unknown>;

/** Returns a plain empty object with room for `members` members. */
const sizedObject = (function sizedObject(members) {
  if (members > MAX_SIZED) return {};
  return new (sizedConstructors[members] ??= makeSizedConstructor(members))(false);
} satisfies SizedObject).valueOf() as SizedObject;

type AssembleObject = (stack: unknown[], ids: Int32Array, base: number, top: number) => unknown;

/**
 * Returns the object of the members on the stack: names at `stack[base]`, `stack[base + 2]`, …
 * below `top`, each followed by its value. `ids` has the ids of the keys, at the same index; a
 * positive one is that of a key that `Object.prototype` did not have at load. A number stands for
 * the name that it spells; elements take no room among the members.
 */
export const assembleObject = (function assembleObject(stack, ids, base, top) {
  const object = typeof stack[base] === "number" ? {} as Record<string, unknown> : sizedObject(top - base >> 1);
  for (let p = base; p < top; p += 2) {
    const key = stack[p] as string | number;
    if (isInObjectPrototype(key, ids[p])) defineMember(object, key, stack[p + 1]);
    else object[key] = stack[p + 1];
  }
  return object;
} satisfies AssembleObject).valueOf() as AssembleObject;

/**
 * Returns the beginning of an object of very many members. It has no prototype, so that plain
 * stores define properties, `__proto__` included, and look nothing up. {@linkcode finishDictionary}
 * makes it an ordinary object.
 */
export function beginDictionary(stack: unknown[], base: number, top: number): Record<string, unknown> {
  const object = { __proto__: null } as unknown as Record<string, unknown>;
  for (let p = base; p < top; p += 2) object[stack[p] as string] = stack[p + 1];
  return object;
}

/**
 * Adds a member to an object of {@linkcode beginDictionary}. Returns false if the engine has no
 * room for it: V8 throws a `RangeError` from 8,388,608 members on.
 */
export function addMember(object: Record<string, unknown>, key: string | number, value: unknown): boolean {
  try {
    object[key] = value;
    return true;
  } catch {
    return false;
  }
}

/** Gives an object of {@linkcode beginDictionary} its prototype, and returns it. */
export function finishDictionary(object: Record<string, unknown>): unknown {
  return setPrototypeOf(object, OBJECT_PROTOTYPE);
}
