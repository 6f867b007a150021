/**
 * All readers of one document against the reference parser and `JSON.parse`, whole, in every form
 * of memory and in pieces: on prefixes, changes and cuts of seeds, on rows of large arrays, and on
 * files. `matrix_test.ts` has random documents.
 */

import { assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { parseAt } from "../../pointer.ts";
import { assertAgreement, assertReadAlike, assertResult } from "../support/assertions.ts";
import { between, concat, FORMS, show, utf8 } from "../support/bytes.ts";
import { cutsAround, evenCut, everyCut, manyCuts, randomCut, singleCuts } from "../support/cuts.ts";
import { assertSame } from "../support/difference.ts";
import { randomDocument } from "../support/random_documents.ts";
import { corrupt } from "../support/mutations.ts";
import { sharedFolder, withoutShared } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { randomMask } from "../support/masks.ts";
import { mutantsOf, placedMutantsOf, prefixesOf, SEEDS, shiftsOf } from "../support/mutants.ts";
import { type Random, sampled, withSeeds } from "../support/random.ts";
import { assertRead, partOf, PLAIN } from "../support/readers.ts";
import { referenceParse } from "../support/reference.ts";
import { itUnless } from "../support/skip.ts";

const FRONT = utf8(" ".repeat(600));

const ALL_SEEDS = [
  ...SEEDS,
  "[-0.0,10,123456789,1234567890123]",
  '{"\\u0061":"\\ud800","a\\n":1,"":2}',
  '[{"x":1,"y":2},{"x":3,"y":4}]',
  '{"1":1,"a":2,"0":3,"a":4}',
  '{"__proto__":{"a":1},"b":"__proto__"}',
  '{"a":12,"b":null,"c":true,"d":false,"e":-7,"f":0,"g":"h"}',
  '{"a":{"b":1,"c":"d"},"list":[{"id":1,"n":null},{"id":"2"}],"z":{"x":[1],"y":true}}',
];

const LONG_SEED = utf8(
  `{"items": [\r\n${
    Array.from(
      { length: 3 },
      (_, i) =>
        `  {"id": ${i}, "name": "näme ${i} \\u00e9\\n", "price": ${i * 1.25}, "tags": ["a", "中${i}"], "ok": true}`,
    ).join(",\n")
  }\n], "total": -6.5e1, "😀": {"__proto__": null, "7": [[1, 2], [3, 4]]}}`,
);

describe("seeds", () => {
  for (const text of ALL_SEEDS) {
    const seed = utf8(text);

    it(`are read alike by all readers in every prefix, cut anywhere: ${show(seed)}`, () => {
      for (const prefix of prefixesOf(seed)) { // what is cut off stands right behind it
        const forms = FORMS.filter((_, i) => i % 4 === prefix.length % 4);
        // The next prefix is cut at the places between.
        const cuts = everyCut(prefix.length).filter((cut) => cut.length !== 1 || (cut[0] + prefix.length) % 2 === 0);
        assertReadAlike(prefix, cuts, forms);
        assertAgreement(concat([FRONT, prefix]), FORMS.filter(sampled));
      }
      assertRead(seed, PLAIN, manyCuts(seed.length), referenceParse(seed));
    });

    it(`are read alike by all readers with every significant byte changed: ${show(seed)}`, () => {
      let count = 0;
      for (const [mutant, place] of placedMutantsOf(between("9", seed))) {
        if (++count % 2 === 0) assertAgreement(mutant); // the long tests have all
        if (!sampled()) continue;
        assertReadAlike(mutant, cutsAround(place, mutant.length));
        const longer = between("9", concat([FRONT, mutant]));
        assertResult(longer, referenceParse(longer));
      }
    });

    it(`are read alike by all readers with a byte added, removed or swapped: ${show(seed)}`, () => {
      for (const bytes of shiftsOf(seed)) if (sampled()) assertReadAlike(bytes, []);
    });
  }

  it("include a longer one, which is read alike, cut anywhere", () => {
    assertStrictEquals(assertReadAlike(LONG_SEED, singleCuts(LONG_SEED.length), FORMS).ok, true);
  });
});

describeLong("seeds", () => {
  for (const text of ALL_SEEDS) {
    it(`are read alike by all readers with every byte changed: ${show(utf8(text))}`, () => {
      const bytes = Array.from({ length: 256 }, (_, byte) => byte);
      for (const [mutant, place] of placedMutantsOf(between("9", utf8(text)), bytes)) {
        if (sampled()) assertReadAlike(mutant, [[place]]);
      }
    });
  }

  it("include a longer one, of which every prefix and change is read alike", () => {
    for (const prefix of prefixesOf(LONG_SEED)) assertAgreement(prefix);
    for (const mutant of mutantsOf(LONG_SEED.slice())) assertAgreement(mutant);
  });
});

describe("random documents", () => {
  it("are read alike as rows of large arrays in pieces of many sizes", () => {
    withSeeds(12, (random) => {
      const row = randomDocument(random);
      const length = 1 + Math.ceil(random.below(200_000) / row.length);
      const bytes = utf8("[", ...Array.from({ length }, () => `${row},`), "0]");
      for (const input of [bytes, corrupt(random, bytes)]) {
        const expected = parseBinary(input);
        for (const size of [10 + random.below(30), 1 + random.below(5_000), 65_536]) {
          assertRead(input, PLAIN, [evenCut(input, size)], expected);
        }
      }
    });
  });
});

/**
 * Asserts what readers make of each file of the corpus of at most so many bytes, in so many rounds.
 */
function assertCorpus(rounds: number, largest: number): void {
  const corpus = sharedFolder("corpus")!;
  for (const { name } of Deno.readDirSync(corpus)) {
    if (!name.endsWith(".json")) continue;
    const bytes = Deno.readFileSync(new URL(name, corpus));
    if (bytes.length > largest) continue;
    const value = JSON.parse(new TextDecoder().decode(bytes));
    withSeeds(rounds, (random) => {
      const cuts = [randomCut(random, bytes.length), evenCut(bytes, 1 + random.below(70_000))];
      assertRead(bytes, PLAIN, cuts, { ok: true, value });
      const mask = randomMask(random, value, 2 + random.below(5));
      assertRead(bytes, { mask }, [random.pick(cuts)], partOf({ ok: true, value }, mask));
      const paths = Array.from({ length: 20 }, () => randomPath(random, value));
      for (const [i, result] of parseAt(bytes, paths).entries()) {
        const expected = paths[i].reduce((part, token) => part[token], value);
        assertSame(result.ok && result.found ? result.value : result, expected, () => `${name} at ${paths[i]}`);
      }
      const corrupted = corrupt(random, bytes);
      assertRead(corrupted, PLAIN, [randomCut(random, corrupted.length)], parseBinary(corrupted));
    });
  }
}

/** Returns a path to a value within a value. */
// deno-lint-ignore no-explicit-any
function randomPath(random: Random, value: any): (string | number)[] {
  const path: (string | number)[] = [];
  while (typeof value === "object" && value !== null && Object.keys(value).length > 0 && !random.once(6)) {
    const token = random.pick(Object.keys(value));
    path.push(Array.isArray(value) ? Number(token) : token);
    value = value[token];
  }
  return path;
}

for (const [group, rounds, largest] of [[describe, 2, 200_000], [describeLong, 8, Infinity]] as const) {
  group(
    `files of the corpus of up to ${largest} bytes`,
    () => itUnless(withoutShared("corpus"))("are read alike", () => assertCorpus(rounds, largest)),
  );
}
