/**
 * Makes objects without a generated constructor, member by member. As with `JSON.parse`, every key
 * becomes an own property, even if user code has modified `Object.prototype`.
 */

import { defineMember, isInObjectPrototype } from "../engine/object_prototype.ts";
import { CHANGING, flagAdded, flagMembers, guardFlags } from "../base/guard_flags.ts";
import { assembleChanged, dropPoison, keepsMember } from "./changed_object.ts";
import { FULL_RESISTANCE, type Key } from "./key.ts";
import { findConstructor, shapeMatches, shapes } from "./shape_cache.ts";
import { sizedObject } from "./sized_objects.ts";

const OBJECT_PROTOTYPE = Object.prototype;

/**
 * Returns the object of the members on the stack: names at `stack[base]`, `stack[base + 2]`, …
 * below `top`, each followed by its value. A number is an array index; elements take no room among
 * the members. `ids` has the ids of the keys, at the same indexes: see
 * {@linkcode isInObjectPrototype}.
 */
export function assembleObject(stack: unknown[], ids: Int32Array, base: number, top: number): unknown {
  const object = typeof stack[base] === "number" ? {} as Record<string, unknown> : sizedObject(top - base >> 1);
  for (let p = base; p < top; p += 2) {
    const key = stack[p] as string | number;
    if (isInObjectPrototype(key, ids[p])) defineMember(object, key, stack[p + 1]);
    else object[key] = stack[p + 1];
  }
  if (guardFlags.watched === 0) return object;
  flagMembers(object, stack, base, top);
  return (guardFlags.watched & CHANGING) === 0 ? object : assembleChanged(stack, base, top);
}

/**
 * Makes the object of the members on the stack by the constructor of its shape, if there is one.
 * `key` is its last key: see {@linkcode findConstructor}.
 */
export function makeObject(stack: unknown[], ids: Int32Array, base: number, top: number, key: Key): unknown {
  if (base === top) return {};
  const shape = shapes[key.shape];
  if (shape.construct !== null && shapeMatches(key.shape, ids, base, top)) {
    shape.resistance = FULL_RESISTANCE;
    return shape.construct(stack, base);
  }
  const construct = findConstructor(ids, base, top, key, stack);
  return construct === null ? assembleObject(stack, ids, base, top) : construct(stack, base);
}

/**
 * Begins an object of very many members. It has no prototype, so that plain stores define
 * properties, `__proto__` included, without a look-up. {@linkcode finishDictionary} makes it an
 * ordinary object.
 */
export function beginDictionary(stack: unknown[], base: number, top: number): Record<string, unknown> {
  const object = { __proto__: null } as unknown as Record<string, unknown>;
  for (let p = base; p < top; p += 2) {
    if (keepsMember(object, stack[p] as string)) object[stack[p] as string] = stack[p + 1];
  }
  if (guardFlags.watched !== 0) flagMembers(object, stack, base, top);
  return object;
}

/** Adds a member to a dictionary. Returns `false` without room: V8 has it for 8,388,607. */
export function addMember(object: Record<string, unknown>, key: string | number, value: unknown): boolean {
  try {
    if (guardFlags.watched !== 0) {
      flagAdded(object, key);
      if (!keepsMember(object, key)) return true;
    }
    object[key] = value;
    return true;
  } catch {
    return false;
  }
}

/** Gives an object of {@linkcode beginDictionary} its prototype, and returns it. */
export function finishDictionary(object: Record<string, unknown>): unknown {
  if (guardFlags.watched !== 0) dropPoison(object);
  return Object.setPrototypeOf(object, OBJECT_PROTOTYPE);
}
