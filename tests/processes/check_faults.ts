/**
 * Child process for any runtime that injects faults: it replaces every function and accessor of the
 * built-in objects, one at a time, by one that throws and by one that lies. A call then either has
 * the right result or throws the fault's error, and the next call knows nothing of it. Prints the
 * faults that changed a result, failed checks, and the number of checks.
 *
 *     check_faults.ts throw|lie
 *
 * @module
 */

import process from "node:process";
import { detach } from "../../detach.ts";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { DOCUMENTS, FAULT, type Fault, makeFaults } from "../support/faults.ts";

const validator = new BinaryValidator({ multiple: "lines", onDocument() {} });

/** Entry points. Each gets bytes and returns a result that can be compared. */
const CALLS: ((bytes: Uint8Array) => unknown)[] = [
  (bytes) => parseBinary(bytes),
  (bytes) => validateBinary(bytes),
  (bytes) => {
    validator.reset();
    validator.push(bytes);
    return validator.end();
  },
];

/** Results of calls on all documents: `FAULT` where a call threw it. */
function results(): unknown[] {
  const found: unknown[] = [];
  let n = 0;
  // Plain loops: iterators and methods of arrays are among what is replaced.
  for (let c = 0; c < CALLS.length; c++) {
    for (let d = 0; d < DOCUMENTS.length; d++) {
      try {
        found[n++] = CALLS[c](DOCUMENTS[d]);
      } catch (error) {
        found[n - 1] = error;
      }
    }
  }
  return found;
}

/** Replaces a property, makes the calls, and restores the property. */
function withFault({ holder, key, before, after }: Fault): unknown[] {
  const { defineProperty } = Object;
  defineProperty(holder, key, after);
  try {
    return results();
  } finally {
    defineProperty(holder, key, before);
  }
}

const kind = process.argv[2] ?? "throw";
const expected = results();
checkThat("results without a fault", expected.every((result) => !(result instanceof Error)), expected);
for (let times = 0; times < 3; times++) results();

let unaffected = 0;
const thrown: string[] = [];
const changed: string[] = [];
for (const fault of makeFaults(kind)) {
  const found = withFault(fault);
  const threw = found.some((result, i) => result === FAULT && expected[i] !== FAULT);
  const others = found.map((result, i) => result === FAULT ? expected[i] : result);
  // Only a lie may change a result or make the engine itself throw.
  const problem = difference(others, expected);
  if (problem !== undefined) changed.push(fault.name);
  else if (threw) thrown.push(fault.name);
  else unaffected++;
  if (kind === "throw") check(`a throwing ${fault.name}`, problem);
  validator.reset();
  check(`results after a fault in ${fault.name}`, difference(results(), expected));
}
const buffer = new ArrayBuffer(8);
checkThat("detach after all faults", detach(buffer) && buffer.byteLength === 0, buffer.byteLength);
console.log(`${unaffected} faults had no effect, ${thrown.length} were thrown, ${changed.length} changed results`);
console.log(`thrown: ${thrown.join(" ")}`);
console.log(`changed: ${changed.join(" ")}`);
reportChecks();
