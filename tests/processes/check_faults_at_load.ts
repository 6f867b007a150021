/**
 * Child process for any runtime that injects faults before the library is loaded: every function
 * and accessor of the built-in objects, one at a time, throws or lies while the modules of a script
 * are evaluated and called. Then it is restored, and the same modules are called again. Prints the
 * faults that loading ended with, that a call ended with, and that changed a result; failed checks,
 * and the number of checks.
 *
 *     check_faults_at_load.ts throw|lie SCRIPT [without-buffer]
 *
 * The script is what `bundle` of `tests/support/bundle.ts` returns for the modules below. Without
 * `Buffer`, which the library then does not find, only faults in what stands for it are injected.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { Script } from "node:vm";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { DOCUMENTS, FAULT, makeFaults } from "../support/faults.ts";

/** Modules of the library, by path. */
interface Modules {
  "parse_binary.ts": typeof import("../../parse_binary.ts");
  "validate_binary.ts": typeof import("../../validate_binary.ts");
  "parse_stream.ts": typeof import("../../parse_stream.ts");
}

/** Entry points. Each gets modules and bytes, and returns a result that can be compared. */
const CALLS: ((modules: Modules, bytes: Uint8Array) => unknown)[] = [
  (modules, bytes) => modules["parse_binary.ts"].parseBinary(bytes),
  (modules, bytes) => modules["validate_binary.ts"].validateBinary(bytes),
  (modules, bytes) => {
    const parser = new modules["parse_stream.ts"].BinaryParser();
    parser.push(bytes);
    return parser.end();
  },
];

/** Bytes of the largest document that all of them get: the first one alone gets larger ones. */
const SMALL = 2_000;
/** Whether each document is that small. This is looked up before `length` is replaced. */
const IS_SMALL = DOCUMENTS.map(({ length }) => length <= SMALL);

/** Entry points that are called once more when a built-in function is restored. */
const AFTERWARDS = CALLS.slice(0, 1);

/** Appends the results of calls on all documents: the error where a call threw one. */
function appendResults(calls: typeof CALLS, modules: Modules, found: unknown[]): void {
  let n = found.length;
  // Plain loops: iterators and methods of arrays are among what is replaced.
  for (let c = 0; c < calls.length; c++) {
    for (let d = 0; d < DOCUMENTS.length; d++) {
      if (!IS_SMALL[d] && calls[c] !== CALLS[0]) continue;
      try {
        found[n++] = calls[c](modules, DOCUMENTS[d]);
      } catch (error) {
        found[n - 1] = error;
      }
    }
  }
}

const [, , kind, path, option] = process.argv;
const load = new Script(readFileSync(path, "utf8")).runInThisContext() as () => Modules;
const { defineProperty } = Object;

let faults = makeFaults(kind);
if (option === "without-buffer") {
  faults = faults.filter(({ name }) => /TextDecoder|^String\.|^Array\.|^Reflect\.|^Function\./.test(name));
  Reflect.deleteProperty(globalThis, "Buffer");
}

const expected: unknown[] = [];
for (const calls of [CALLS, AFTERWARDS]) appendResults(calls, load(), expected);
checkThat("results without a fault", expected.every((result) => !(result instanceof Error)), expected);

let unaffected = 0;
const refused: string[] = [];
const thrown: string[] = [];
const changed: string[] = [];
for (const { name, holder, key, before, after } of faults) {
  let modules: Modules | undefined;
  let error: unknown;
  const found: unknown[] = [];
  defineProperty(holder, key, after);
  try {
    modules = load();
    appendResults(CALLS, modules, found);
  } catch (thrown) {
    error = thrown;
  } finally {
    defineProperty(holder, key, before);
  }
  if (modules === undefined) {
    checkThat(`loading with ${name}`, error === FAULT || kind === "lie" || error instanceof TypeError, `${error}`);
    refused.push(name);
    continue;
  }
  appendResults(AFTERWARDS, modules, found);
  // A constructor that was replaced lacks its functions and its prototype.
  const isError = (result: unknown): boolean =>
    result === FAULT || kind === "lie" && result instanceof Error ||
    name.startsWith("globalThis.") && result instanceof TypeError;
  const problem = difference(found.map((result, i) => isError(result) ? expected[i] : result), expected);
  if (kind === "throw") check(`loading and calls with ${name}`, problem);
  if (problem !== undefined) {
    changed.push(name);
    console.log(`${name}: ${problem}`);
  } else if (found.some(isError)) thrown.push(name);
  else unaffected++;
}
console.log(
  `${unaffected} faults had no effect, ${refused.length} ended loading, ${thrown.length} ended calls, ` +
    `${changed.length} changed results`,
);
console.log(`loading: ${refused.join(" ")}`);
console.log(`calls: ${thrown.join(" ")}`);
console.log(`changed: ${changed.join(" ")}`);
check(
  "every fault",
  unaffected + refused.length + thrown.length + changed.length < faults.length ? "left out" : undefined,
);
reportChecks();
