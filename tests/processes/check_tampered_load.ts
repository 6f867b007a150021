/**
 * Child process for any runtime that changes `Object.prototype` before it loads the library, and
 * reads an input by every entry point. Prints failed checks, and the number of checks.
 *
 *     check_tampered_load.ts KIND
 *
 * The library gets another `TransformStream`: streams of Node.js lose chunks where an index has an
 * accessor.
 *
 * @module
 */

import process from "node:process";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { coveredBy, entryPointsOf, PlainTransformStream, type Reading } from "../support/entry_points.ts";

const kind = process.argv[2];
/** Names that the runtime itself does not use. */
const NAMES = kind === "indexes" ? ["700", "701", "1023"] : ["q1", "x", "", "zz zz"];

// Loads a module that the runtime would otherwise load after the change.
process.getBuiltinModule("node:buffer");

const root = new URL("../../", import.meta.url).href;
const tests = new URL("tests/", root).href;

/** Frames of the library that have called an accessor. */
const callers = new Set<string>();

/** Notes the caller of the function that calls it, if that is of the library. */
function noteCaller(): void {
  const caller = String(new Error().stack).split("\n")[3] ?? "";
  if (caller.includes(root) && !caller.includes(tests)) callers.add(caller.trim());
}

function change(name: string): () => void {
  const accessor = { get: () => noteCaller(), set: () => noteCaller() };
  const attributes = kind === "read-only names" ? { value: 0, writable: false } : accessor;
  Object.defineProperty(
    Object.prototype,
    name,
    Object.assign(Object.create(null), attributes, { configurable: true }),
  );
  return () => void Reflect.deleteProperty(Object.prototype, name);
}

/** More members and values than are looked up one by one, and enough to generate a constructor. */
const member = '{"q1":1,"x":2,"":3,"zz zz":4,"700":5,"7":6,"long enough":7}';
const wide = `{${Array.from({ length: 300 }, (_, i) => `"wide ${i}":${i}`)},"q1":8,"700":9}`;
const texts = [...Array<string>(100).fill(member), wide, ...Array<string>(1_100).fill("[7]")];

const restores = NAMES.map(change);
Object.assign(globalThis, { TransformStream: PlainTransformStream });
let library: typeof import("../../mod.ts") | undefined;
try {
  library = await import("../../mod.ts");
} catch (error) {
  check("loading", String(error instanceof Error ? error.stack : error));
}
for (const entryPoint of library ? coveredBy("Prototypes", entryPointsOf(library)) : []) {
  const bytes = new TextEncoder().encode(entryPoint.inputOf(texts));
  const values = entryPoint.valuesOf(texts);
  let reading: Reading | undefined;
  try {
    for (let times = 0; times < 3; times++) reading = await entryPoint.read([bytes.slice()]);
    for (const restore of restores) restore();
    const found = reading && [reading.values.toArray(), reading.failure];
    check(entryPoint.name, difference(found, [values, null]));
  } catch (error) {
    check(entryPoint.name, `threw ${String(error instanceof Error ? error.stack : error)}`);
  }
  for (const name of NAMES) change(name);
}
for (const restore of restores) restore();
checkThat("accessors that the library has called", callers.size === 0, [...callers]);
reportChecks();
