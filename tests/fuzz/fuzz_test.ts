/**
 * Tests of the fuzzer and of its regression corpus, and a short run of it. `deno task test fuzz`
 * runs for longer.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { mixHash } from "../../parser/objects/hash.ts";
import {
  collidingKeys,
  collidingLongStrings,
  collidingShapes,
  collidingStrings,
  keyHash,
  keysOfOneSlot,
  shapeHash,
  stringHash,
} from "./collisions.ts";
import { minimise } from "./minimise.ts";
import { MUTATORS } from "./mutators.ts";
import { readRegressions } from "./regressions.ts";
import type { Order } from "./session.ts";
import { noCounts, runStep, type Step } from "./steps.ts";
import { readThresholds } from "./thresholds.ts";
import { ask } from "./workers.ts";
import { textOf, utf8 } from "../support/bytes.ts";
import { setting } from "../support/environment.ts";
import { Random, ROUNDS, withSeeds } from "../support/random.ts";

const SEED = Number(setting("BYTEJSON_SEED") ?? 1);
const DOCUMENTS = 4_000 * ROUNDS;

function step(text: string): Step {
  return { bytes: utf8(text), form: 0, alignment: 0, cuts: null };
}

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
      const fuzz = { seed: SEED, documents: DOCUMENTS, milliseconds: 600_000, thresholds: readThresholds() };
      const { counts, problem, steps } = await ask({ mayGenerateCode, fuzz });
      assertEquals(problem, undefined, `seed ${SEED}: ${steps && textOf(steps.at(-1)!.bytes)}`);
      assert(counts.documents >= DOCUMENTS && counts.valid > DOCUMENTS / 3, JSON.stringify(counts));
    });
  }
});

describe("constructed collisions", () => {
  it("of keys have one hash, in several lengths", () => {
    withSeeds(20, (random) => {
      const names = collidingKeys(random, 6);
      assertEquals(names.length, 6);
      assertEquals(new Set(names.map(keyHash)).size, 1);
    });
  });

  it("of keys in a slot have many hashes", () => {
    const names = keysOfOneSlot(new Random(1), 6);
    assertEquals(new Set(names.map((name) => keyHash(name) & 2_047)).size, 1);
    assertEquals(new Set(names.map(keyHash)).size, 6);
  });

  it("of shapes have one hash", () => {
    const ids = Array.from({ length: 1_500 }, (_, i) => 7 * i + 1);
    const pairs = collidingShapes(new Random(1), ids, 3);
    assertEquals(pairs.length, 3);
    for (const [first, second] of pairs) {
      assertEquals(shapeHash(first), shapeHash(second));
      assert(`${first}` !== `${second}`);
    }
  });

  it("of strings have one hash", () => {
    withSeeds(20, (random) => {
      const strings = collidingStrings(random, 4);
      assert(new Set(strings).size > 1);
      assertEquals(new Set(strings.map(stringHash)).size, 1);
    });
  });

  it("of long strings differ in bytes that are not hashed", () => {
    const strings = collidingLongStrings(new Random(1), 9);
    assert(new Set(strings).size > 1);
    assertEquals(new Set(strings.map((text) => text.length)).size, 1);
  });

  it("depend on a hash that mixes every word", () => {
    assert(mixHash(0, 1) !== mixHash(0, 2));
  });
});

describe("mutators", () => {
  for (const [name, mutator] of Object.entries(MUTATORS)) {
    it(`${name}() leaves its arguments as they are`, () => {
      withSeeds(50, (random) => {
        const [bytes, other] = [utf8('{"a":[1,"b"]}'), utf8("[null,2]")];
        assert(mutator(random, bytes, other) instanceof Uint8Array);
        assertEquals([textOf(bytes), textOf(other)], ['{"a":[1,"b"]}', "[null,2]"]);
      });
    });
  }
});

describe("thresholds", () => {
  it("are those that the parser names", () => {
    const names = readThresholds().map(({ name, value }) => `${name} = ${value}`);
    for (const known of ["input_sizes.ts: SMALL_INPUT = 512", "value_stack.ts: FLUSH_LENGTH = 512"]) {
      assert(names.includes(known), known);
    }
  });
});

describe("runStep()", () => {
  it("finds nothing wrong with documents, cut or not", () => {
    const counts = noCounts();
    for (const text of ['{"a":1}', "[1,]", '"\\ud800"', "", '{"\\\\":0}', '{"\\"":0}']) {
      assertEquals(
        runStep({ ...step(text), cuts: [0, 1, 2].filter((place) => place <= text.length) }, counts),
        undefined,
      );
    }
    assertEquals(runStep({ ...step("1\nx\n\n[2]"), cuts: [3], multiple: "lines" }, counts), undefined);
    assertEquals(runStep({ ...step("1 [2] x\n3"), cuts: [3], multiple: "concatenated" }, counts), undefined);
    assertEquals(counts.documents, 8);
  });
});

describe("minimise()", () => {
  /** Answers as a parser that is wrong about a document with an "x" after one with a "y". */
  function wrongParser({ steps }: Order): ReturnType<typeof ask> {
    const texts = steps!.map(({ bytes }) => textOf(bytes)!);
    const y = texts.findIndex((text) => text.includes("y"));
    const x = texts.findIndex((text, i) => y >= 0 && i > y && text.includes("x"));
    return Promise.resolve({ counts: noCounts(), length: x + 1, ...x >= 0 && { problem: "wrong" } });
  }

  it("removes the steps and bytes that are not needed", async () => {
    const texts = [..."abcdefg", "lovely", ..."hijk", "maximum"];
    const found = { mayGenerateCode: true, problem: "wrong", steps: texts.map(step) };
    const { steps, problem, isRepeatable } = await minimise(found, wrongParser);
    assertEquals(steps.map(({ bytes }) => textOf(bytes)), ["y", "x"]);
    assertEquals([problem, isRepeatable], ["wrong", true]);
  });

  it("says so if the sequence does not fail again", async () => {
    const found = { mayGenerateCode: true, problem: "wrong", steps: ["a", "b"].map(step) };
    assertEquals((await minimise(found, wrongParser)).isRepeatable, false);
  });
});
