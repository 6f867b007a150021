/**
 * Child process for any runtime that injects faults: it replaces every function and accessor of the
 * built-in objects, one at a time, by one that throws or by one that lies. A call then either has
 * the right result or throws the fault's error, and the next call knows nothing of it. Prints the
 * faults that ended loading or a call, or that changed a result, failed checks, and the number of
 * checks.
 *
 *     check_faults.ts throw|lie [SCRIPT [without-buffer]]
 *
 * With a script whose value is a function that evaluates `mod.ts` and returns its exports, the fault
 * is there while the library is loaded and called, for one fault after the other. Without `Buffer`,
 * which the library then does not find, only faults in what stands for it are injected.
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { Script } from "node:vm";
import * as loaded from "../../mod.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { coveredBy, entryPointsOf, type Reading } from "../support/entry_points.ts";
import { DOCUMENTS, FAULT, makeFaults } from "../support/faults.ts";

type Library = Pick<typeof loaded, "BinaryParser" | "parseBinary" | "validateBinary">;

/** Reads a document. Its result is compared once nothing is replaced. */
type Call = (bytes: Uint8Array, chunks: Uint8Array[]) => unknown;

const [, , kind = "throw", script, option] = process.argv;
const isAtLoad = script !== undefined;
const load = isAtLoad ? new Script(readFileSync(script, "utf8")).runInThisContext() as () => Library : null;

/** Chunks of each document. */
const CHUNKS = DOCUMENTS.map((bytes) => [bytes]);
/** Whether each document is so small that all calls get it: the others are for a few. */
const IS_SMALL = DOCUMENTS.map(({ length }) => length <= 2_000);

/**
 * Functions that decide what a value is if they lie: the parser makes strings by the first one. The
 * others count at load: the library keeps them, and nothing else does what they do.
 */
const DECISIVE = isAtLoad
  ? ["Object.defineProperty", "Object.keys", "Object.setPrototypeOf", "Reflect.apply", "String.fromCharCode"]
  : ["Function.prototype.call"];

const entryPoints = coveredBy("No wrong value", entryPointsOf(loaded));
/** Calls of the library that is loaded; those without a form come first, and get larger documents. */
const CALLS = entryPoints.map(({ read }): Call => (_, chunks) => read(chunks));
const TAKES_LARGE = entryPoints.map(({ name, export: exported }) => name === exported);

/** Makes calls of a library that is loaded anew, by no function that a fault replaces. */
function callsOf({ BinaryParser, parseBinary, validateBinary }: Library): Call[] {
  return [(bytes) => parseBinary(bytes), (bytes) => validateBinary(bytes), (bytes) => {
    const parser = new BinaryParser();
    parser.push(bytes);
    return parser.end();
  }];
}

/** Reads all documents by some calls. Returns the results, and what was thrown instead of some. */
function readAll(calls: Call[], found: unknown[] = []): unknown[] {
  let n = found.length;
  // Plain loops: iterators and methods of arrays are among what is replaced.
  for (let c = 0; c < calls.length; c++) {
    for (let d = 0; d < DOCUMENTS.length; d++) {
      if (!IS_SMALL[d] && !(isAtLoad ? c === 0 : TAKES_LARGE[c])) continue;
      try {
        found[n++] = calls[c](DOCUMENTS[d], CHUNKS[d]);
      } catch (error) {
        found[n - 1] = error;
      }
    }
  }
  return found;
}

/** Returns results that can be compared. To be called when nothing is replaced. */
function comparable(results: unknown[]): unknown[] {
  return results.map((result) => {
    if (isAtLoad || result instanceof Error) return result;
    const { values, failure } = result as Reading;
    return [values.toArray(), failure];
  });
}

let faults = makeFaults(kind);
if (option === "without-buffer") {
  faults = faults.filter(({ name }) => /TextDecoder|^String\.|^Array\.|^Reflect\.|^Function\./.test(name));
  Reflect.deleteProperty(globalThis, "Buffer");
}

const makeCalls = (): Call[] => load === null ? CALLS : callsOf(load());
const expected = comparable(readAll(makeCalls()));
checkThat("results without a fault", expected.every((result) => !(result instanceof Error)), expected);
for (let times = 0; times < 3; times++) readAll(makeCalls());

const { defineProperty } = Object;
const names: Record<"unaffected" | "loading" | "calls" | "changed", string[]> = {
  ...{ unaffected: [], loading: [], calls: [], changed: [] },
};
for (const { name, holder, key, before, after } of faults) {
  let calls: Call[] | undefined;
  let error: unknown;
  const results: unknown[] = [];
  defineProperty(holder, key, after);
  try {
    calls = makeCalls();
    readAll(calls, results);
  } catch (thrown) {
    error = thrown;
  } finally {
    defineProperty(holder, key, before);
  }
  if (calls === undefined) {
    checkThat(`loading with ${name}`, error === FAULT || kind === "lie" || error instanceof TypeError, `${error}`);
    names.loading.push(name);
    continue;
  }
  // A constructor that was replaced while the library was loaded lacks its functions.
  const isError = (result: unknown): boolean =>
    result === FAULT || isAtLoad && (kind === "lie" && result instanceof Error ||
        name.startsWith("globalThis.") && result instanceof TypeError);
  const found = comparable(results);
  const next = comparable(readAll(isAtLoad ? calls.slice(0, 1) : calls));
  const problemOf = (results: unknown[]): string | undefined =>
    difference(results.map((result, i) => isError(result) ? expected[i] : result), expected.slice(0, results.length));
  // What was loaded with a fault may keep it.
  const problem = problemOf(found) ?? (isAtLoad ? problemOf(next) : undefined);
  if (kind === "throw") check(`a throwing ${name}`, problem);
  if (!isAtLoad) check(`results after a fault in ${name}`, difference(next, expected));
  names[problem !== undefined ? "changed" : found.some(isError) ? "calls" : "unaffected"].push(name);
}
if (!isAtLoad) {
  const buffer = new ArrayBuffer(8);
  checkThat("detach after all faults", loaded.detach(buffer) && buffer.byteLength === 0, buffer.byteLength);
}
const { unaffected, loading, calls, changed } = names;
checkThat("faults that change results", kind === "throw" || changed.every((name) => DECISIVE.includes(name)), changed);
console.log(
  `${unaffected.length} faults had no effect, ${loading.length} ended loading, ${calls.length} ended calls, ` +
    `${changed.length} changed results`,
);
for (const kind of ["loading", "calls", "changed"] as const) console.log(`${kind}: ${names[kind].join(" ")}`);
reportChecks();
