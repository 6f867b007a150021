/** Fresh copies of modules, and the constants that modules do not export. */

import { assert } from "@std/assert";
import { projectRoot } from "./environment.ts";

let loaded = 0;

/**
 * Loads a fresh copy of a module of the project, with its own state. The modules that it imports
 * are shared with every other copy.
 *
 * @typeParam T Type of the module, `typeof import("…")`.
 */
export function loadFresh<T>(path: string): Promise<T> {
  return import(new URL(`${path}?copy=${++loaded}`, projectRoot).href);
}

/** Loads a fresh copy of a module while some globals have other values. */
export function loadFreshWith<T>(path: string, globals: Record<string, unknown>): Promise<T> {
  return withGlobals(globals, () => loadFresh<T>(path));
}

/** Sets some globals while a function runs. */
export async function withGlobals<T>(globals: Record<string, unknown>, run: () => Promise<T>): Promise<T> {
  const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
  try {
    return await run();
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

/** Reads a numeric constant that a module does not export from its source. */
export function constantOf(path: string, name: string): number {
  const source = Deno.readTextFileSync(new URL(path, projectRoot));
  const [, value] = new RegExp(`^(?:export )?const ${name}(?:: number)? = ([\\d_]+|0x[\\da-f]+|1 << \\d+);`, "m")
    .exec(source) ?? [];
  assert(value, `${name} is not in ${path}`);
  const [base, shift] = value.replaceAll("_", "").split(" << ");
  return Number(base) * 2 ** Number(shift ?? 0);
}
