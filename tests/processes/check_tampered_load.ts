/**
 * Child process for any runtime that changes `Object.prototype` before it loads the library, and
 * reads an input by every entry point. Prints failed checks, and the number of checks.
 *
 *     check_tampered_load.ts KIND
 *
 * The library gets another `TransformStream`: streams of Node.js lose chunks where an index has
 * an accessor.
 */

import process from "node:process";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { coveredBy, entryPointsOf, PlainTransformStream, type Reading } from "../support/entry_points.ts";

// Loads a module that the runtime would otherwise load after the change.
process.getBuiltinModule("node:buffer");

const root = new URL("../../", import.meta.url).href;
const tests = new URL("tests/", root).href;

/** Frames of the library that have called an accessor. */
const callers = new Set<string>();

/** Notes the caller of the function that calls it, if that is of the library. */
function noteCaller(): void {
  const caller = String(new Error().stack).split("\n")[2] ?? "";
  if (caller.includes(root) && !caller.includes(tests)) callers.add(caller.trim());
}

const accessor = { get: noteCaller, set: noteCaller };
const NAMES = ["q1", "x", "", "zz zz"];
const INDEXES = ["700", "701", "1023"];
/**
 * Names that the runtime itself does not use: there at load, there when an input is read, and
 * their attributes.
 */
const KINDS: Record<string, [atLoad: string[], later: string[], attributes: PropertyDescriptor]> = {
  setters: [NAMES, NAMES, accessor],
  "read-only names": [NAMES, NAMES, { value: 0, writable: false }],
  indexes: [INDEXES, INDEXES, accessor],
  "other names": [["q0", "701"], ["q1", "700"], accessor],
};
const [atLoad, later, attributes] = KINDS[process.argv[2] ?? "other names"];

/** Puts names on `Object.prototype`, or takes them away. */
function change(names: string[], isAdded: boolean): void {
  for (const name of names) {
    if (!isAdded) Reflect.deleteProperty(Object.prototype, name);
    else {Object.defineProperty(
        Object.prototype,
        name,
        { __proto__: null, ...attributes, configurable: true } as object,
      );}
  }
}

/** Returns an object of numbered members, one of them with another name. */
const numbered = (count: number, prefix: string, place: number, name: string): string => {
  return `{${Array.from({ length: count }, (_, i) => `"${i === place ? name : `${prefix}${920 + i}`}":${i}`)}}`;
};
/** More members and values than are looked up one by one, and enough to generate a constructor. */
const member = '{"q1":1,"x":2,"":3,"zz zz":4,"700":5,"7":6,"long enough":7}';
const texts = [
  ...[0, 18, 19, 20, 21, 22, 39].map((place) => numbered(40, "name ", place, "q1")),
  ...[...Array<string>(100).fill(member), numbered(300, "wide ", 299, "700"), numbered(300, "wide ", 299, "q1")],
  ...[...Array<string>(20).fill(numbered(120, "", 119, "7")), ...Array<string>(1_100).fill("[7]")],
];

change(atLoad, true);
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
  try {
    change(atLoad, true);
    let reading: Reading = await entryPoint.read([bytes.slice()]);
    change(atLoad, false);
    change(later, true);
    for (let times = 0; times < 2; times++) reading = await entryPoint.read([bytes.slice()]);
    change(later, false);
    check(entryPoint.name, difference([reading.values.toArray(), reading.failure], [values, null]));
  } catch (error) {
    check(entryPoint.name, `threw ${String(error instanceof Error ? error.stack : error)}`);
  }
  change([...atLoad, ...later], false);
}
checkThat("accessors that the library has called", callers.size === 0, [...callers]);
reportChecks();
