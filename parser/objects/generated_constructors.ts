/**
 * Generated constructors, for shapes in frequent use: an object made by their literal gets its
 * hidden class at once (documents of objects: 20 to 50 % faster). "Generated constructors":
 * see ARCHITECTURE.md.
 *
 * The names in a literal come from the sender of the document. They enter its source only through
 * `JSON.stringify`; `"__proto__"` becomes a computed key, which defines an ordinary property
 * (ECMA-262 §13.2.5.5).
 */

import { IS_BROWSER } from "../engine/realm.ts";

/** Maximum length of a generated function's source, in characters. */
export const MAX_SOURCE = 8192;

/** Makes an object of the members on the stack: a name at `stack[base]`, its value after it, … */
export type Constructor = (stack: unknown[], base: number) => unknown;

/** Whether functions may be generated: in browsers on request, as a policy may report them. */
export const generation: { isAllowed: boolean; isForbidden: boolean } = {
  isAllowed: !IS_BROWSER,
  isForbidden: false,
};

/** Allows the generation of functions unless the caller has forbidden it. */
export function allowGeneration(): void {
  generation.isAllowed = !generation.isForbidden;
}

export function forbidGeneration(): void {
  generation.isForbidden = true;
  generation.isAllowed = false;
}

/** Returns whether the engine evaluates code from strings. Tries it on an empty function. */
export function evaluatesCode(): boolean {
  try {
    return typeof Function("") === "function";
  } catch {
    return false;
  }
}

/** Returns the source of a constructor for the keys on the stack: one object literal. */
export function constructorSource(stack: unknown[], base: number, top: number): string {
  let members = "";
  for (let p = base; p < top; p += 2) members += memberSource(stack[p] as string, p - base + 1);
  return `"use strict";return{${members}}`;
}

/** Returns the source for `names` whose bits are set; the value of name `i` is at `s[b + i]`. */
export function namesSource(names: readonly string[], found: number): string {
  let members = "";
  for (let i = 0; i < names.length; i++) if ((found >> i & 1) !== 0) members += memberSource(names[i], i);
  return `"use strict";return{${members}}`;
}

/** Returns the source of a member. A computed key defines a property, `"__proto__"` too. */
function memberSource(name: string, index: number): string {
  const quoted = JSON.stringify(name);
  return `${quoted === '"__proto__"' ? `[${quoted}]` : quoted}:s[b+${index}],`;
}

/**
 * Compiles a source; returns `null` if it is too long, or that fails. An engine that forbids code
 * from strings throws an `EvalError` or, under Trusted Types, a `TypeError`; it is not asked again.
 * Any other error, such as a stack overflow, does not affect later attempts.
 */
export function compileConstructor(source: string): Constructor | null {
  // A policy may have been added since: probe with an empty function, so that it reports no names.
  if (IS_BROWSER && !evaluatesCode()) generation.isAllowed = false;
  if (!generation.isAllowed || source.length > MAX_SOURCE) return null;
  try {
    return new Function("s", "b", source) as Constructor;
  } catch (error) {
    if (error instanceof EvalError || error instanceof TypeError) generation.isAllowed = false;
    return null;
  }
}
