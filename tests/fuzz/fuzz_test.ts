/**
 * Tests of the fuzzer and of its regression corpus, and a short run of it. `deno task test fuzz`
 * runs for longer.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { minimise } from "./minimise.ts";
import { readRegressions } from "./regressions.ts";
import type { Order } from "./session.ts";
import { noCounts, type Step } from "./steps.ts";
import { readThresholds } from "./thresholds.ts";
import { ask } from "./workers.ts";
import { textOf, utf8 } from "../support/bytes.ts";
import { setting } from "../support/environment.ts";
import { ROUNDS } from "../support/random.ts";

const SEED = Number(setting("BYTEJSON_SEED") ?? 1);
const DOCUMENTS = 4_000 * ROUNDS;

describe("the regression corpus", () => {
  for (const [name, { mayGenerateCode, steps }] of readRegressions()) {
    it(`has no mismatch in ${name}`, async () => {
      const { problem } = await ask({ mayGenerateCode, steps });
      assertEquals(problem, undefined);
    });
  }
});

describe("made-up documents", () => {
  for (const mayGenerateCode of [true, false]) {
    it(`get the results of JSON.parse, ${mayGenerateCode ? "with" : "without"} generated code`, async () => {
      const fuzz = {
        seed: SEED,
        documents: DOCUMENTS,
        milliseconds: 600_000,
        thresholds: Object.values(readThresholds()),
      };
      const { counts, problem, steps } = await ask({ mayGenerateCode, fuzz });
      assertEquals(problem, undefined, `seed ${SEED}: ${steps && textOf(steps.at(-1)!.bytes)}`);
      assert(counts.documents >= DOCUMENTS && counts.valid > DOCUMENTS / 3, JSON.stringify(counts));
    });
  }
});

it("minimise() removes the steps and bytes that are not needed", async () => {
  /** Answers as a parser that is wrong about a document with an "x" after one with a "y". */
  const wrongParser = ({ steps }: Order): ReturnType<typeof ask> => {
    const texts = steps!.map(({ bytes }) => textOf(bytes)!);
    const y = texts.findIndex((text) => text.includes("y"));
    const x = texts.findIndex((text, i) => y >= 0 && i > y && text.includes("x"));
    return Promise.resolve({ counts: noCounts(), length: x + 1, ...x >= 0 && { problem: "wrong" } });
  };
  const all = [..."abcdefg", "lovely", ..."hijk", "maximum"].map((text): Step => {
    return { bytes: utf8(text), form: 0, alignment: 0, cuts: null };
  });
  const { steps, problem, isRepeatable } = await minimise(
    { mayGenerateCode: true, problem: "", steps: all },
    wrongParser,
  );
  assertEquals([steps.map(({ bytes }) => textOf(bytes)), problem, isRepeatable], [["y", "x"], "wrong", true]);
});
