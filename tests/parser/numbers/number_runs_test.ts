/** Runs of numbers in `parser/numbers/number_runs.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import {
  dirtyRun,
  numberArray,
  numberAt,
  readNumberRun,
  resetNumberRuns,
  wipeRun,
} from "../../../parser/numbers/number_runs.ts";
import { MAX_RUN } from "../../../parser/numbers/limits.ts";
import { cursor } from "../../../parser/base/cursor.ts";
import { randomNumber } from "../../support/documents.ts";
import { constantOf } from "../../support/modules.ts";
import { withSeeds } from "../../support/random.ts";

const MAX_JOINED_RUN = constantOf("parser/numbers/number_runs.ts", "MAX_JOINED_RUN");
const MAX_JOINED_BYTES = constantOf("parser/numbers/number_runs.ts", "MAX_JOINED_BYTES");

/** Zeros behind every input. */
const LOOKAHEAD = 64;

/** Reads a run at the start of a text; returns how many numbers it has. */
function readRun(text: string, { readable = LOOKAHEAD, windowEnd = text.length } = {}): number {
  const bytes = new Uint8Array(text.length + readable);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const readableEnd = text.length + readable;
  return readNumberRun(bytes, new DataView(bytes.buffer), 0, text.length, readableEnd, windowEnd);
}

/** Numbers of every form, as many as asked for. */
function numbersOf(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i % 3 === 0 ? i : i % 3 === 1 ? -i / 8 : i * 1e20);
}

/** Fails unless a run of these numbers, bit for bit, is read from a text up to a position. */
function assertRun(text: string, expected: number[], position: number, options?: Parameters<typeof readRun>[1]): void {
  assertStrictEquals(readRun(text, options), expected.length, text.slice(0, 100));
  assertStrictEquals(cursor.position, position, text.slice(0, 100));
  const actual = numberArray(expected.length);
  assertStrictEquals(actual.length, expected.length);
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(actual[i], expected[i])) throw new Error(`${actual[i]} at ${i}, not ${expected[i]}`);
  }
}

describe("readNumberRun()", () => {
  it("reads numbers up to the bracket, at any distance from the end of what can be read", () => {
    for (let count = 1; count <= 40; count++) {
      const numbers = numbersOf(count);
      for (const separator of [",", ", ", " , ", ",\n    ", "\t,\r\n"]) {
        const text = numbers.join(separator);
        for (const readable of [0, 4, LOOKAHEAD]) assertRun(`${text}]`, numbers, text.length, { readable });
      }
    }
  });

  it("leaves the position after whitespace behind the last number", () => {
    for (const gap of ["", " ", "\n", "\n        ", "  \t\r\n "]) {
      for (const after of ["]", "}", "x", ":", "", ":]", "x]", "^]", ":,5]", "/5]", "]]"]) {
        assertRun(`1,2.5${gap}${after}`, [1, 2.5], 5 + gap.length);
      }
    }
  });

  for (const size of [0, LARGE_INPUT]) {
    it(`leaves the position of the comma before anything that is no number, in an input of ${size} bytes`, () => {
      resetNumberRuns(size);
      for (const gap of ["", " ", "\n    ", "  \t"]) {
        for (const after of ['"x"', "[", "null", "]", ",", "+1", ".5", "", "]]", ":]", "x]", ",]", ":,5]", "/]"]) {
          assertRun(`1,-2${gap},${gap}${after}`, [1, -2], 4 + gap.length);
        }
      }
      resetNumberRuns(0);
    });
  }

  it("reads numbers behind a comma or bracket at the beginning of the bytes", () => {
    for (const first of [",", "]"]) {
      const text = `${first}1.5e3,1.${"5".repeat(30)},-2]`;
      const bytes = new Uint8Array(text.length + LOOKAHEAD);
      for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
      const { length } = bytes;
      assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 1, text.length, length, text.length), 3);
      assertEquals(numberArray(3), [1500, Number(`1.${"5".repeat(30)}`), -2]);
    }
  });

  it("stops at each byte that is no part of a number or a list", () => {
    for (let byte = 0; byte < 256; byte++) {
      const after = String.fromCharCode(byte);
      if (/[-.eE0-9 \t\n\r]/.test(after)) continue;
      if (byte !== 0x2c) {
        assertRun(`1${after}5,6]`, [1], 1);
        assertRun(`7,-1.5${after}5,6]`, [7, -1.5], 6);
      }
      assertRun(`1,${after}5,6]`, [1], 1);
      assertRun(`1, ${after}5,6]`, [1], 1);
    }
  });

  it("keeps the sign of zero", () => {
    for (const readable of [0, LOOKAHEAD]) assertRun("-0,0,-0.0,-0e5,0.0]", [-0, 0, -0, -0, 0], 18, { readable });
  });

  it("reads no number but the first from the window's end on", () => {
    const text = "11,22,33,44]" + " ".repeat(200);
    for (let windowEnd = 0; windowEnd <= 12; windowEnd++) {
      const count = Math.max(1, Math.min(4, Math.ceil(windowEnd / 3)));
      assertRun(text, [11, 22, 33, 44].slice(0, count), 3 * count - 1, { windowEnd });
    }
  });

  it("returns -1 for a token that is no number", () => {
    for (const text of ["1,2,-x", "1, 02", "1.,2", "3,1e,2"]) {
      for (const readable of [0, LOOKAHEAD]) {
        for (const after of ["", "]", ",5]", "]]"]) assertStrictEquals(readRun(text + after, { readable }), -1);
      }
    }
  });

  it("stops after MAX_RUN numbers, at the comma", () => {
    for (const count of [MAX_RUN - 1, MAX_RUN, MAX_RUN + 1, 2 * MAX_RUN]) {
      const numbers = numbersOf(count).map((number) => number % 10 + 0);
      const text = `${numbers.map((number) => String(number).padStart(8)).join()}]`.trimStart();
      const first = numbers.slice(0, MAX_RUN);
      assertRun(text, first, text.length - 1 - 9 * (count - first.length));
    }
  });

  it("joins runs in a large input alone, as many as MAX_JOINED_RUN has numbers", () => {
    for (const count of [MAX_RUN, MAX_RUN + 1, 3 * MAX_RUN - 1, MAX_JOINED_RUN, MAX_JOINED_RUN + 1]) {
      const numbers = Array.from({ length: count }, (_, i) => i / 2 + 0.25);
      for (const separator of [",", ", ", " ,", ",\n  "]) {
        if (separator !== "," && count > 3 * MAX_RUN) continue;
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

  it("joins no run behind a comma at the window's end", () => {
    resetNumberRuns(LARGE_INPUT);
    const numbers = Array.from({ length: 2 * MAX_RUN }, () => 5);
    assertStrictEquals(readRun(`${numbers.join()}]`, { windowEnd: 2 * MAX_RUN - 1 }), MAX_RUN);
    assertStrictEquals(cursor.position, 2 * MAX_RUN - 1);
    resetNumberRuns(0);
  });

  it("joins runs again after a run that could not be joined", () => {
    resetNumberRuns(LARGE_INPUT);
    const numbers = numbersOf(2 * MAX_RUN).map((number) => number % 4 + 0);
    const broken = `${numbers.join()},-]`;
    assertStrictEquals(readRun(broken), -1);
    assertRun(`${numbers.join()}]`, numbers, numbers.join().length);
    resetNumberRuns(0);
  });

  it("joins no run behind anything but a comma, and nothing but a run", () => {
    for (const count of [MAX_RUN, MAX_RUN + 5]) {
      const run = Array.from({ length: count }, () => 7).join();
      for (const after of [",  x]", ',"7"]', ",]", "]7]", "]  7]", " 7]", ":7]", "}7]", " ] 7", "]"]) {
        resetNumberRuns(LARGE_INPUT);
        assertStrictEquals(readRun(run + after), count);
        assertStrictEquals(cursor.position, run.length + (after.startsWith(" ") ? 1 : 0), after);
      }
      resetNumberRuns(LARGE_INPUT);
      const bytes = new TextEncoder().encode(`${run},7,7]`);
      const end = run.length + 1; // what follows is left from before
      assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 0, end, end, end), count);
      assertStrictEquals(cursor.position, run.length);
    }
    resetNumberRuns(0);
  });

  it("reads nothing from the end on, whatever is there", () => {
    for (const before of ["1", "1,", "1 ", "1 ,", "1, "]) {
      for (const after of [",5]", " ,5]", "5]", "]", " ]", ".5]", "e5]"]) {
        const text = before + after;
        const bytes = new Uint8Array(100).fill(0x35);
        for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
        const end = before.length;
        assertStrictEquals(readNumberRun(bytes, new DataView(bytes.buffer), 0, end, end, end), 1);
        assertStrictEquals(cursor.position, before.includes(",") ? before.indexOf(",") : end);
      }
    }
  });

  it("agrees with JSON.parse on random runs", () => {
    withSeeds(2_000, (random) => {
      const tokens = Array.from({ length: 1 + random.below(30) }, () => randomNumber(random));
      const text = tokens.join(random.pick([",", ", ", " ,\n"]));
      const readable = random.pick([0, LOOKAHEAD]);
      assertRun(`${text}]`, JSON.parse(`[${text}]`), text.length, { readable });
    });
  });
});

describe("wipeRun()", () => {
  it("leaves none of the numbers that were read", () => {
    // An array, one whose end is missing, one that is followed by something else, and failures.
    const rows = [["1,2,3]", 3], ["1,2,3", 3], ["1,2,x", 2], ["1,2.,", 1], ["1,2,-", 2]] as const;
    for (const [text, count] of rows) {
      wipeRun();
      assertStrictEquals(dirtyRun.numbers, 0);
      readRun(text);
      assertStrictEquals(dirtyRun.numbers, count, text);
      readRun("7]");
      assertStrictEquals(dirtyRun.numbers, count, text);
      wipeRun();
      assertEquals(Array.from({ length: 4 }, (_, i) => numberAt(i)), [0.5, 0.5, 0.5, 0.5]);
    }
  });
});
