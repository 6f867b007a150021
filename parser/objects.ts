/**
 * Objects without a generated constructor, member by member, as `JSON.parse` makes them: every key an own property,
 * whatever `Object.prototype` has become.
 *
 * @module
 */

import { packedArray } from "./arrays.ts";

const PROTOTYPE = Object.prototype;
const STANDARD = Reflect.ownKeys(PROTOTYPE);
const STANDARD_NAMES = new Set(STANDARD);
/** Length of the shortest standard name, or of a shorter one that a program had put there before this module was loaded. */
const SHORTEST_NAME = STANDARD.reduce(
  (least, name) => Math.min(least, typeof name === "string" ? name.length : least),
  7,
);
const { defineProperty, setPrototypeOf } = Object;
const ownKeys = Reflect.ownKeys;

/** Keys looked up one by one before it pays to look at the prototype once: 20 times 50 ns against 1,000 ns. In keys. */
const LOOKUPS = 20;

let lookups = 0;
let pristine = false;

/** To be called when a parse begins: what was known of `Object.prototype` is no longer certain. */
export function forgetObjectPrototype(): void {
  lookups = 0;
}

/**
 * Whether `object[key] = value` could meet something inherited: the `__proto__` setter, a frozen method, or what a
 * program or an attacker put there.
 */
function isInherited(key: string): boolean {
  if (++lookups <= LOOKUPS) return key in PROTOTYPE;
  if (lookups === LOOKUPS + 1) {
    const now = ownKeys(PROTOTYPE);
    pristine = now.length === STANDARD.length;
    for (let i = 0; pristine && i < now.length; i++) pristine = now[i] === STANDARD[i];
  }
  return pristine ? key.length >= SHORTEST_NAME && STANDARD_NAMES.has(key) : key in PROTOTYPE;
}

function define(object: object, key: string, value: unknown): void {
  defineProperty(
    object,
    key,
    { __proto__: null, value, writable: true, enumerable: true, configurable: true } as object,
  );
}

/**
 * Members of the largest object that is made at its size. A `{}` has capacity for 4 and keeps further ones in an array of its own, with up
 * to 3 to spare, or above 16 in a hash table: `JSON.parse` takes 72, 128 and 192 bytes for 5, 12 and 20 members, `{}` and stores 104,
 * 152 and 865. Bounds the sizedConstructors kept. In members.
 */
const MAX_SIZED = 64;

/** Objects of one constructor after which V8 knows their size: it takes the most that any of them used (7 in V8 15). */
const TRAINING = 8;

type ObjectConstructor = new (never: boolean) => Record<string, unknown>;

/** By the number of members they make capacity for; made when first needed. */
const sizedConstructors = packedArray<ObjectConstructor | null>(MAX_SIZED + 1, null);

/**
 * A function that makes empty objects with capacity for so many members, in engines that learn it from what it made before. V8 starts
 * from the assignments it sees in the function, done or not, and settles for what was used.
 */
function makeSizedConstructor(members: number): ObjectConstructor {
  // deno-lint-ignore no-explicit-any
  const Sized = function Object(this: any, never: boolean): void {
    if (never) {
      // deno-fmt-ignore
      {
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
      }
    }
  } as unknown as ObjectConstructor;
  defineProperty(Sized, "prototype", { __proto__: null, value: PROTOTYPE } as object);
  for (let times = 0; times < TRAINING; times++) {
    const object = new Sized(false);
    for (let i = 0; i < members; i++) define(object, `member ${i}`, 0);
  }
  return Sized;
}

/** A plain empty object with capacity for so many members. */
function sizedObject(members: number): Record<string, unknown> {
  if (members > MAX_SIZED) return {};
  return new (sizedConstructors[members] ??= makeSizedConstructor(members))(false);
}

/** The object of the members `stack[base]` name, `stack[base + 1]` value, … below `top`. */
export function assembleObject(stack: unknown[], base: number, top: number): unknown {
  const object = sizedObject(top - base >> 1);
  for (let p = base; p < top; p += 2) {
    const key = stack[p] as string;
    if (isInherited(key)) define(object, key, stack[p + 1]);
    else object[key] = stack[p + 1];
  }
  return object;
}

/**
 * An object of very many members while it is filled: without a prototype, so that a plain store defines, also for
 * `__proto__`, and nothing is looked up in vain. {@linkcode finishDictionary} makes it ordinary.
 */
export function beginDictionary(stack: unknown[], base: number, top: number): Record<string, unknown> {
  const object = { __proto__: null } as unknown as Record<string, unknown>;
  for (let p = base; p < top; p += 2) object[stack[p] as string] = stack[p + 1];
  return object;
}

/**
 * Adds a member to such an object; returns `false` if the engine has no capacity for it: V8 throws a `RangeError` from 8,388,608 on.
 */
export function addMember(object: Record<string, unknown>, key: string, value: unknown): boolean {
  try {
    object[key] = value;
    return true;
  } catch {
    return false;
  }
}

/** Gives the filled object its prototype. */
export function finishDictionary(object: Record<string, unknown>): unknown {
  return setPrototypeOf(object, PROTOTYPE);
}
