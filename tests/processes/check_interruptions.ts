/**
 * Child process in which calls are interrupted: by the end of the stack, by a callback that throws,
 * by the end of their worker. The next call must know nothing of it. Prints failed checks, and the
 * number of checks.
 *
 *     check_interruptions.ts stack|constructors|callbacks|workers [SHIFT,…]
 *
 * @module
 */

import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";
import { coveredBy, type EntryPoint, entryPointsOf, type Reading } from "../support/entry_points.ts";

/** Number of functions that the library has generated, by the `Function` that it finds at load. */
let generated = 0;
globalThis.Function = new Proxy(globalThis.Function, {
  construct(target, args): object {
    generated++;
    return Reflect.construct(target, args);
  },
});
const library = await import("../../mod.ts");
const { BinaryParser, BinaryValidator, JsonValidationStream, parseBinary } = library;

const encoder = new TextEncoder();

const [scenario = "stack", shifts = "0"] = Deno.args;

const rows = Array.from(
  { length: 200 },
  (_, i) => `{"id":${i},"name":"näme\\n${i % 7}","ratio":${i / 7},"tags":["a"]}`,
);
const wide = `{${Array.from({ length: 300 }, (_, i) => `"key ${i}":{"a":[${i}]}`)}}`;

/** Documents that reach every part of the parser. */
const DOCUMENTS = [
  "1",
  '{"a":[1,{"b":null}],"\\u0061":"\\u4e2d"}',
  ...["[1,", "[12", '["', "{", `[1111111111,{"a":[${"1,".repeat(100)}"text"],"b":{"c":[{"d":null}]}}]`],
  `[${rows}]`,
  `[${rows},]`,
  wide,
  `[${Array.from({ length: 1_500 }, (_, i) => i % 5 ? i / 8 : `"${i}"`)}]`,
  `["${"中\\n".repeat(3_000)}"]`,
  `["${"long ".repeat(1_000)}","${"é".repeat(5_000)}","${"中".repeat(50)}",${"7".repeat(5_000)}]`,
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
].map((text) => encoder.encode(text));

const parser = new BinaryParser();
const validator = new BinaryValidator();

/** Returns a call that reads bytes at once. */
function callOf({ read }: EntryPoint): (bytes: Uint8Array) => unknown {
  return (bytes) => {
    const { values, failure } = read([bytes]) as Reading;
    return [values.toArray(), failure];
  };
}

/** Entry points that one call reaches. The last two go on with what an earlier call has left. */
const CALLS: Record<string, (bytes: Uint8Array) => unknown> = {
  ...Object.fromEntries(
    coveredBy("Clean failure", entryPointsOf(library)).map((entryPoint) => [entryPoint.name, callOf(entryPoint)]),
  ),
  "BinaryParser after reset()"(bytes) {
    parser.reset();
    parser.push(bytes);
    return parser.end();
  },
  "BinaryValidator after reset()"(bytes) {
    validator.reset();
    validator.push(bytes);
    return validator.end();
  },
};

const isWorker = "WorkerGlobalScope" in globalThis;

const expected = isWorker ? [] : Object.values(CALLS).map((call) => DOCUMENTS.map(call));

const ENTRIES = Object.keys(CALLS);

/** Checks that the calls of an entry point have the results that they had at first. */
function checkEntry(name: string, i: number): void {
  check(`${name}, then ${ENTRIES[i]}`, difference(DOCUMENTS.map(CALLS[ENTRIES[i]]), expected[i]));
}

/** Checks that all calls have the results that they had at first. */
function checkResults(name: string): void {
  for (const i of ENTRIES.keys()) checkEntry(name, i);
}

/** Calls to make on the way back from the end of the stack that do not overflow. */
const CALLS_WITH_ROOM = 8;

/**
 * Fills the stack, and makes a call at each level on the way back, until several have had room.
 * Returns what they returned or threw. The arguments shift the frames, so that the stack ends at
 * other places of a call.
 */
function callNearEnd(call: () => unknown, ..._shift: number[]): unknown[] {
  const found: unknown[] = [];
  let left = CALLS_WITH_ROOM;
  function descend(): void {
    try {
      descend();
    } catch {
      // The end of the stack.
    }
    if (left === 0) return;
    let result: unknown;
    try {
      result = call();
      left--;
    } catch (error) {
      result = error;
    }
    found.push(result);
  }
  descend();
  return found;
}

/** Ends the stack in calls of each entry point with each document, before it is warm and after. */
function endStacks(): void {
  const places = shifts.split(",").map(Number);
  let overflows = 0;
  for (const shift of places) {
    Object.entries(CALLS).forEach(([entry, call], n) => {
      for (const [i, bytes] of DOCUMENTS.entries()) {
        const found = callNearEnd(() => call(bytes), ...Array(shift).fill(0));
        for (const result of found) {
          if (result instanceof RangeError) overflows++;
          else check(`${entry} of document ${i} at the end of the stack`, difference(result, expected[n][i]));
        }
        check(`the next call`, difference(CALLS.parseBinary(DOCUMENTS[1]), expected[0][1]));
      }
      checkResults(`${entry} at the end of the stack`);
    });
  }
  checkThat("calls that overflowed", overflows > 150 * places.length, overflows);
}

/**
 * Overflows the stack where constructors are generated for many shapes, which must not count as a
 * ban on code: others are generated later.
 */
function overflowInConstructors(): void {
  const documentOf = (n: number): Uint8Array => encoder.encode(`[${`{"a${n}":1,"b${n}":2},`.repeat(200)}0]`);
  let made = 0;
  // Fewer documents than the limit of constructors, since more would raise the tier-up threshold.
  for (let times = 0; times < 15; times++) callNearEnd(() => parseBinary(documentOf(made++)));
  const before = generated;
  for (let times = 0; times < 100; times++) parseBinary(documentOf(made));
  checkThat("functions generated afterwards", generated > before, generated - before);
}

class Thrown extends Error {}

/** Throws from each callback of each call, one after the other. */
async function throwFromCallbacks(): Promise<void> {
  const input = encoder.encode('1\n[2\n{"a":3}\n\n[4]]\n5\n');
  let turn = 0;
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
        // The call next to the throw is the one that meets what it left: another one each time.
        checkEntry(`callback ${nth} of ${multiple}`, turn++ % ENTRIES.length);
      }
      checkResults(`callbacks of ${multiple}`);
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
  for (let round = 0; round < 4; round++) {
    const worker = new Worker(import.meta.url, { type: "module" });
    await new Promise((resolve) => {
      worker.onmessage = resolve;
      worker.postMessage(shared);
    });
    await new Promise((resolve) => setTimeout(resolve, round * 8));
    worker.terminate();
    checkThat(`the input after worker ${round}`, shared.every((byte, i) => byte === text[i]), round);
    const result = parseBinary<unknown[]>(shared);
    checkThat(`the memory of worker ${round}, parsed here`, result.ok && result.value.length === 2_000, result.ok);
    for (let i = round; i < ENTRIES.length; i += 4) checkEntry(`worker ${round}`, i);
  }
}

/** Parses what the worker gets, for a second or until it is ended. Posts a message once it has begun. */
function parseInWorker({ data }: MessageEvent<Uint8Array>): void {
  (globalThis as unknown as Worker).postMessage("begun");
  for (const end = performance.now() + 1_000; performance.now() < end;) {
    parseBinary(data);
    library.validateBinary(data);
  }
}

if ("WorkerGlobalScope" in globalThis) {
  addEventListener("message", (event) => parseInWorker(event as MessageEvent<Uint8Array>));
} else {
  if (scenario === "stack") endStacks();
  else if (scenario === "constructors") overflowInConstructors();
  else if (scenario === "callbacks") await throwFromCallbacks();
  else await endWorkers();
  reportChecks();
}
