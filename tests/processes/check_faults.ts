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
import * as library from "../../mod.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { coveredBy, entryPointsOf, type Reading } from "../support/entry_points.ts";
import { DOCUMENTS, FAULT, type Fault, makeFaults } from "../support/faults.ts";

const entryPoints = coveredBy("No wrong value", entryPointsOf(library));

/** Chunks of each document. */
const CHUNKS = DOCUMENTS.map((bytes) => [bytes]);

/** Bytes of the largest document that all of them get. */
const SMALL = 2_000;
const IS_SMALL = DOCUMENTS.map(({ length }) => length <= SMALL);
/** Returns whether an entry point gets larger ones too: those without a form, and no slices. */
const TAKES_LARGE = entryPoints.map((entryPoint) => entryPoint.name === entryPoint.export);

/**
 * Reads all documents by all entry points. Returns the readings, and what was thrown instead of
 * some.
 */
function readAll(): unknown[] {
  const found: unknown[] = [];
  let n = 0;
  // Plain loops: iterators and methods of arrays are among what is replaced.
  for (let e = 0; e < entryPoints.length; e++) {
    for (let d = 0; d < CHUNKS.length; d++) {
      if (!IS_SMALL[d] && !TAKES_LARGE[e]) continue;
      try {
        found[n++] = entryPoints[e].read(CHUNKS[d]);
      } catch (error) {
        found[n - 1] = error;
      }
    }
  }
  return found;
}

/** Returns readings that can be compared. To be called when nothing is replaced. */
function results(readings: unknown[]): unknown[] {
  return readings.map((reading) => {
    if (reading === FAULT || reading instanceof Error) return reading;
    const { values, failure } = reading as Reading;
    return [values.toArray(), failure];
  });
}

/** Replaces a property, makes the calls, and restores the property. */
function withFault({ holder, key, before, after }: Fault): unknown[] {
  const { defineProperty } = Object;
  defineProperty(holder, key, after);
  let found: unknown[];
  try {
    found = readAll();
  } finally {
    defineProperty(holder, key, before);
  }
  return results(found);
}

const kind = process.argv[2] ?? "throw";
const expected = results(readAll());
checkThat("results without a fault", expected.every((result) => !(result instanceof Error)), expected);
for (let times = 0; times < 3; times++) readAll();

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
  check(`results after a fault in ${fault.name}`, difference(results(readAll()), expected));
}
const buffer = new ArrayBuffer(8);
checkThat("detach after all faults", library.detach(buffer) && buffer.byteLength === 0, buffer.byteLength);
console.log(`${unaffected} faults had no effect, ${thrown.length} were thrown, ${changed.length} changed results`);
console.log(`thrown: ${thrown.join(" ")}`);
console.log(`changed: ${changed.join(" ")}`);
reportChecks();
