/** Runs of numbers in `parser/numbers/number_runs.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import { numberArray, numberAt, readNumberRun, resetNumberRuns } from "../../../parser/numbers/number_runs.ts";
import { MAX_RUN } from "../../../parser/numbers/limits.ts";
import { cursor } from "../../../parser/base/cursor.ts";
import { constantOf } from "../../support/modules.ts";

const MAX_JOINED_RUN = constantOf("parser/numbers/number_runs.ts", "MAX_JOINED_RUN");
const MAX_JOINED_BYTES = constantOf("parser/numbers/number_runs.ts", "MAX_JOINED_BYTES");

/** Bytes behind an input that may be read: zeros, or what is left from before. */
interface Surroundings {
  before?: string;
  left?: string;
  readable?: number;
}

/** Reads a run at the start of a text; returns how many numbers it has. */
function readRun(text: string, { before = "", left = "", readable = 64 }: Surroundings = {}): number {
  const bytes = new Uint8Array(before.length + text.length + Math.max(readable, left.length));
  bytes.set(Array.from(before + text + left, (character) => character.charCodeAt(0)));
  const end = before.length + text.length;
  return readNumberRun(bytes, new DataView(bytes.buffer), before.length, end, end + readable);
}

/** Fails unless a run of these numbers, bit for bit, is read from a text up to a position. */
function assertRun(text: string, expected: number[], position: number, surroundings?: Surroundings): void {
  assertStrictEquals(readRun(text, surroundings), expected.length, text.slice(0, 100));
  assertStrictEquals(cursor.position - (surroundings?.before ?? "").length, position, text.slice(0, 100));
  const actual = numberArray(expected.length);
  assertStrictEquals(actual.length, expected.length);
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(actual[i], expected[i])) throw new Error(`${actual[i]} at ${i}, not ${expected[i]}`);
  }
}

describe("readNumberRun()", () => {
  it("reads numbers up to the bracket, at any distance from the readable end", () => {
    for (let count = 1; count <= 40; count++) {
      const numbers = Array.from({ length: count }, (_, i) => i % 3 === 0 ? i : i % 3 === 1 ? -i / 8 : i * 1e20);
      for (const separator of [",", ", ", " , ", ",\n    ", "\t,\r\n"]) {
        const text = numbers.join(separator);
        for (const readable of [0, 4, 64]) assertRun(`${text}]`, numbers, text.length, { readable });
      }
    }
    for (const readable of [0, 64]) assertRun("-0,0,-0.0,-0e5,0.0]", [-0, 0, -0, -0, 0], 18, { readable });
    for (const before of [",", "]"]) {
      const text = `1.5e3,1.${"5".repeat(30)},-2]`;
      assertRun(text, [1500, Number(`1.${"5".repeat(30)}`), -2], text.length - 1, { before });
    }
  });

  it("stops after MAX_RUN numbers, at the comma, and joins runs in a large input up to MAX_JOINED_RUN", () => {
    for (const count of [MAX_RUN - 1, MAX_RUN, MAX_RUN + 1, 3 * MAX_RUN - 1, MAX_JOINED_RUN, MAX_JOINED_RUN + 1]) {
      const numbers = Array.from({ length: count }, (_, i) => i / 2 + 0.25);
      for (const separator of count > 3 * MAX_RUN ? [","] : [",", ", ", " ,", ",\n  "]) {
        for (const [size, most] of [[LARGE_INPUT, MAX_JOINED_RUN], [LARGE_INPUT - 1, MAX_RUN]]) {
          resetNumberRuns(size);
          const first = numbers.slice(0, most);
          const gap = first.length < count && separator === " ," ? 1 : 0;
          assertRun(`${numbers.join(separator)}]`, first, first.join(separator).length + gap);
          assertRun("1,2,3,4,5]", [1, 2, 3, 4, 5], 9);
          assertEquals([0, 1, 2, 3, 4].map((i) => numberAt(i)), [1, 2, 3, 4, 5]);
        }
      }
    }
    resetNumberRuns(0);
  });

  it("joins the runs that begin in the MAX_JOINED_BYTES after the first", () => {
    resetNumberRuns(LARGE_INPUT);
    const size = 128;
    const first = MAX_JOINED_BYTES / size + MAX_RUN;
    const numbers = Array.from({ length: first + 2 * MAX_RUN }, (_, i) => i);
    const text = numbers.map((number) => String(number).padEnd(size - 1)).join();
    assertStrictEquals(readRun(`${text}]`), first);
    resetNumberRuns(0);
  });

  it("joins only runs, only behind a comma, and works again after a failure", () => {
    for (const count of [MAX_RUN, MAX_RUN + 5]) {
      const sevens = Array<number>(count).fill(7);
      const run = sevens.join();
      for (const after of [",  x]", ',"7"]', ",]", "]7]", "]  7]", " 7]", ":7]", "}7]", " ] 7", "]"]) {
        resetNumberRuns(LARGE_INPUT);
        assertRun(run + after, sevens, run.length + (after.startsWith(" ") ? 1 : 0));
      }
      resetNumberRuns(LARGE_INPUT);
      assertRun(`${run},`, sevens, run.length, { left: "7,7]", readable: 0 });
      assertStrictEquals(readRun(`${run},${run},-]`), -1);
      assertRun(`${run},${run}]`, [...sevens, ...sevens], 2 * run.length + 1);
    }
    resetNumberRuns(0);
  });
});
