/**
 * Child process in which the stack ends within calls. The next call must know nothing of it. Prints
 * failed checks, and the number of checks.
 *
 *     check_stack_end.ts stack|constructors [SHIFT,… [some]]
 *
 * With `some`, each entry point meets a third of the documents.
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
const { BinaryParser, BinaryValidator, parseBinary } = library;

const encoder = new TextEncoder();

const [scenario = "stack", shifts = "0", share = "all"] = Deno.args;

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

const expected = Object.values(CALLS).map((call) => DOCUMENTS.map(call));

/** Checks that some calls have the results that they had at first. */
function checkResults(name: string, some: Iterable<number>): void {
  for (const i of some) {
    const [entry, call] = Object.entries(CALLS)[i];
    check(`${name}, then ${entry}`, difference(DOCUMENTS.map(call), expected[i]));
  }
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
        if (share === "some" && (i + n) % 3 > 0) continue;
        const found = callNearEnd(() => call(bytes), ...Array(shift).fill(0));
        for (const result of found) {
          if (result instanceof RangeError) overflows++;
          else check(`${entry} of document ${i} at the end of the stack`, difference(result, expected[n][i]));
        }
        check(`the next call`, difference(CALLS.parseBinary(DOCUMENTS[1]), expected[0][1]));
      }
      checkResults(`${entry} at the end of the stack`, [n, (n + 1) % expected.length]);
    });
    checkResults("calls at the end of the stack", expected.keys());
  }
  checkThat("calls that overflowed", overflows > (share === "some" ? 50 : 150) * places.length, overflows);
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

if (scenario === "stack") endStacks();
else overflowInConstructors();
reportChecks();
