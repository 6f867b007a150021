/** Objects without members that options leave out: duplicates, and those that poison prototypes. */

import { CHANGING, DROPS_PROTO, flagShape, guardFlags, KEEPS_FIRST, shapeFlags } from "../base/guard_flags.ts";
import { defineMember, isInObjectPrototype } from "../engine/object_prototype.ts";
import type { Constructor } from "./generated_constructors.ts";

/** Returns whether options keep the next member of an object. */
export function keepsMember(object: object, name: string | number): boolean {
  const { watched } = guardFlags;
  return !((watched & DROPS_PROTO) !== 0 && name === "__proto__") &&
    !((watched & KEEPS_FIRST) !== 0 && Object.hasOwn(object, name));
}

/** Leaves out a complete object's member `constructor` if required: see `protoKeys`. */
export function dropPoison(object: Record<string, unknown>): void {
  if ((guardFlags.watched & DROPS_PROTO) === 0 || !Object.hasOwn(object, "constructor")) return;
  const { constructor } = object as { constructor: unknown };
  if (typeof constructor === "object" && constructor !== null && Object.hasOwn(constructor, "prototype")) {
    Reflect.deleteProperty(object, "constructor");
  }
}

/** Makes the object of the members on the stack that options keep. */
export function assembleChanged(stack: unknown[], base: number, top: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let p = base; p < top; p += 2) {
    const key = stack[p] as string | number;
    if (!keepsMember(object, key)) continue;
    if (isInObjectPrototype(key, 0)) defineMember(object, key, stack[p + 1]);
    else object[key] = stack[p + 1];
  }
  dropPoison(object);
  return object;
}

/** Returns a constructor that applies the options, if they concern any of its names. */
export function filteringConstructor(
  construct: Constructor,
  stack: unknown[],
  ids: Int32Array,
  base: number,
  top: number,
): Constructor {
  const flags = shapeFlags(stack, ids, base, top);
  if (flags === 0) return construct;
  const size = top - base;
  return (values, start) => {
    flagShape(flags);
    return (guardFlags.watched & CHANGING) === 0
      ? construct(values, start)
      : assembleChanged(values, start, start + size);
  };
}
