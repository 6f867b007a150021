/**
 * Child process in which calls are interrupted: by the end of the stack, by a callback that throws,
 * by the end of their worker. The next call must know nothing of it. Prints failed checks, and the
 * number of checks.
 *
 *     check_interruptions.ts stack|callbacks|workers
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { BinaryValidator, JsonValidationStream, validateBinary } from "../../validate_binary.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";

const encoder = new TextEncoder();

const rows = Array.from(
  { length: 200 },
  (_, i) => `{"id":${i},"name":"näme\\n${i % 7}","ratio":${i / 7},"tags":["a"]}`,
);
const wide = `{${Array.from({ length: 300 }, (_, i) => `"key ${i}":{"a":[${i}]}`)}}`;

/** Documents that reach every part of the parser. */
const DOCUMENTS = [
  "1",
  '{"a":[1,{"b":null}],"\\u0061":"\\u4e2d"}',
  "[1,",
  `[${rows}]`,
  `[${rows},]`,
  wide,
  `[${Array.from({ length: 1_500 }, (_, i) => i % 5 ? i / 8 : `"${i}"`)}]`,
  `["${"中\\n".repeat(3_000)}"]`,
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
].map((text) => encoder.encode(text));

const validator = new BinaryValidator();

/** Entry points that one call reaches. */
const CALLS: Record<string, (bytes: Uint8Array) => unknown> = {
  parseBinary: (bytes) => parseBinary(bytes),
  validateBinary: (bytes) => validateBinary(bytes),
  BinaryValidator(bytes) {
    validator.reset();
    validator.push(bytes);
    return validator.end();
  },
};

const expected = Object.values(CALLS).map((call) => DOCUMENTS.map(call));

/** Checks that all calls have the results that they had at first. */
function checkResults(name: string): void {
  Object.keys(CALLS).forEach((entry, i) => {
    check(`${name}, then ${entry}`, difference(DOCUMENTS.map(CALLS[entry]), expected[i]));
  });
}

/** Makes a call with `levels` frames below it. */
function descend(levels: number, call: () => unknown): unknown {
  return levels > 0 ? descend(levels - 1, call) : call();
}

/** Finds the highest level at which nothing overflows, by bisection. */
function lastLevel(): number {
  let low = 0;
  for (let high = 1 << 20; high - low > 1;) {
    const middle = (low + high) >> 1;
    try {
      descend(middle, () => 0);
      low = middle;
    } catch {
      high = middle;
    }
  }
  return low;
}

/** Ends the stack in calls of each entry point with each document, at 60 levels from the last. */
function endStacks(): void {
  let overflows = 0;
  for (const [entry, call] of Object.entries(CALLS)) {
    for (const [i, bytes] of DOCUMENTS.entries()) {
      const last = lastLevel();
      for (let level = last; level > last - 60; level--) {
        try {
          descend(level, () => call(bytes));
        } catch (error) {
          overflows++;
          checkThat(`${entry} of document ${i}`, error instanceof RangeError, String(error));
        }
        check(`the next call`, difference(parseBinary(DOCUMENTS[1]), expected[0][1]));
      }
      checkResults(`${entry} of document ${i} at the end of the stack`);
    }
  }
  checkThat("calls that overflowed", overflows > 100, overflows);
}

class Thrown extends Error {}

/** Throws from each callback of each call, one after the other. */
async function throwFromCallbacks(): Promise<void> {
  const input = encoder.encode('1\n[2\n{"a":3}\n\n[4]]\n5\n');
  for (const multiple of ["lines", "concatenated"] as const) {
    const undisturbed = new BinaryValidator({ multiple });
    undisturbed.push(input);
    const expectedEnd = undisturbed.end();
    for (const cut of [1, 3, input.length]) {
      let thrown = 0;
      for (let nth = 1; nth < 12; nth++) {
        let calls = 0;
        const callback = (): void => {
          if (++calls === nth) throw new Thrown();
        };
        const several = new BinaryValidator({ multiple, onDocument: callback, onFailure: callback });
        const read = (): unknown => {
          for (let p = 0; p < input.length; p += cut) several.push(input.subarray(p, p + cut));
          return several.end();
        };
        try {
          read();
        } catch (error) {
          thrown++;
          checkThat(`callback ${nth} of ${multiple}`, error instanceof Thrown, String(error));
          let refusal = "";
          try {
            several.push(input);
          } catch (error) {
            refusal = String(error);
          }
          checkThat(`push after callback ${nth}`, refusal.includes("reset() begins a new input"), refusal);
        }
        several.reset();
        calls = 100;
        check(`reset after callback ${nth} of ${multiple}`, difference(read(), expectedEnd));
        checkResults(`callback ${nth} of ${multiple}`);
      }
      checkThat(`callbacks of ${multiple} that threw`, thrown >= 5, thrown);
    }
  }
  const stream = new JsonValidationStream({
    multiple: "lines",
    onDocument() {
      throw new Thrown();
    },
  });
  let reason: unknown;
  await new Response(new Blob([input]).stream().pipeThrough(stream)).text().catch((error) => reason = error);
  checkThat("a callback of a stream", reason instanceof Thrown, String(reason));
  checkResults("a callback of a stream");
}

/** Ends workers at different times while they parse memory that this thread shares with them. */
async function endWorkers(): Promise<void> {
  const text = encoder.encode(`[${Array(10).fill(rows.join())}]`);
  const shared = new Uint8Array(new SharedArrayBuffer(text.length));
  shared.set(text);
  for (let round = 0; round < 8; round++) {
    const worker = new Worker(new URL("parsing_worker.ts", import.meta.url), { type: "module" });
    await new Promise((resolve) => {
      worker.onmessage = resolve;
      worker.postMessage(shared);
    });
    await new Promise((resolve) => setTimeout(resolve, round * 4));
    worker.terminate();
    checkThat(`the input after worker ${round}`, shared.every((byte, i) => byte === text[i]), round);
    const result = parseBinary<unknown[]>(shared);
    checkThat(`the memory of worker ${round}, parsed here`, result.ok && result.value.length === 2_000, result.ok);
    checkResults(`worker ${round}`);
  }
}

const [scenario] = Deno.args;
if (scenario === "stack") endStacks();
else if (scenario === "callbacks") await throwFromCallbacks();
else await endWorkers();
reportChecks();
