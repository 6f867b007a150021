/**
 * `parseBinary` against `JSON.parse` and against the reference parser, on documents nobody wrote
 * down: random ones, corrupted ones, every prefix and every single-byte change of seeds.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertAgreement, assertResult, assertValue } from "../support/assertions.ts";
import { between, concat, FORMS, NEIGHBOURS, show, utf8 } from "../support/bytes.ts";
import { corrupt, randomDocument, randomNumber, randomString } from "../support/documents.ts";
import { describeLong } from "../support/long.ts";
import { mutantsOf, prefixesOf, SEEDS, shiftsOf } from "../support/mutants.ts";
import { type Random, withSeeds } from "../support/random.ts";
import { referenceParse } from "../support/reference.ts";

const FRONT = utf8(" ".repeat(600));
const BACK = utf8(" ".repeat(64));

/**
 * The same, also for bytes far from the end of their input, where a parser may read words at once.
 */
function assertAgreementAnywhere(bytes: Uint8Array): void {
  assertAgreement(bytes);
  const longer = concat([bytes, BACK]);
  assertResult(longer, referenceParse(longer));
}

/** Does the same at the end of a long input, where other code may read the bytes. */
function assertAgreementAtTheEnd(bytes: Uint8Array): void {
  const longer = between("9", concat([FRONT, bytes]));
  assertResult(longer, referenceParse(longer));
}

/** There are more documents here than those that are cut. */
const MORE_SEEDS = [
  ...SEEDS,
  "[-0.0,10,123456789,1234567890123]",
  '{"\\u0061":"\\ud800","a\\n":1,"":2}',
  '["é中😀","\ufeff"]',
  '[{"x":1,"y":2},{"x":3,"y":4}]',
  '{\r\n\t"k" : "v" ,\r"l":[]\n}',
  '{"1":1,"a":2,"0":3,"a":4}',
  '{"__proto__":{"a":1},"b":"__proto__"}',
];

const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => byte);

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
  for (const text of MORE_SEEDS) {
    const seed = utf8(text);

    it(`every prefix of ${show(seed)}`, () => {
      for (const prefix of prefixesOf(seed)) { // what is cut off stands right behind it
        assertAgreement(prefix, FORMS);
        assertAgreement(concat([FRONT, prefix]), FORMS);
      }
    });

    it(`every suffix of ${show(seed)}`, () => {
      for (let start = 0; start <= seed.length; start++) assertAgreementAnywhere(seed.subarray(start));
    });

    it(`every significant change of ${show(seed)}`, () => {
      for (const mutant of mutantsOf(between("9", seed))) {
        assertAgreementAnywhere(mutant);
        assertAgreementAtTheEnd(mutant);
      }
    });

    it(`a byte more, a byte less, two bytes swapped in ${show(seed)}`, () => {
      for (const bytes of shiftsOf(seed)) assertAgreementAnywhere(bytes);
    });
  }

  it("a longer one: every prefix, every significant change", () => {
    assertStrictEquals(assertAgreement(LONG_SEED, FORMS).ok, true);
    for (const prefix of prefixesOf(LONG_SEED)) assertAgreement(prefix);
    for (const mutant of mutantsOf(LONG_SEED.slice())) assertAgreement(mutant);
  });
});

describeLong("seeds", () => {
  for (const text of MORE_SEEDS) {
    const seed = utf8(text);
    it(`every change of a byte of ${show(seed)}`, () => {
      for (const mutant of mutantsOf(between("9", seed), ALL_BYTES)) assertAgreement(mutant);
    });
  }
});

describe("random documents", () => {
  it("are read alike", () => {
    withSeeds(3_000, (random) => {
      const bytes = utf8(randomDocument(random));
      const { ok } = assertAgreement(between(random.pick(NEIGHBOURS), bytes), [random.pick(FORMS)]);
      assertStrictEquals(ok, true);
    });
  });

  it("are cut off alike", () => {
    withSeeds(600, (random) => {
      const bytes = utf8(randomDocument(random));
      for (let times = 0; times < 10; times++) assertAgreement(bytes.subarray(0, random.below(bytes.length)));
    });
  });

  it("are rejected alike when corrupted", () => {
    withSeeds(1_200, (random) => {
      const bytes = utf8(randomDocument(random));
      for (let times = 0; times < 10; times++) {
        assertAgreement(between(random.pick(NEIGHBOURS), corrupt(random, bytes)));
      }
    });
  });

  it("leave nothing behind for the next one, good or bad", () => {
    withSeeds(60, (random) => {
      const documents = Array.from({ length: 12 }, () => {
        const bytes = utf8(randomDocument(random));
        return random.once(2) ? bytes : corrupt(random, bytes);
      });
      const expected = documents.map(referenceParse);
      for (let times = 0; times < 60; times++) {
        const i = random.below(documents.length);
        assertResult(documents[i], expected[i]);
      }
    });
  });
});

describe("random bytes", () => {
  const PIECES = [
    ...["{", "}", "[", "]", ":", ",", '"', "\\", "-", ".", "e", "0", "1", "9", " ", "\n", "\r"],
    ...["true", "false", "null", '"a"', '"a":', "[[", "]]", "12.5e3", "\\u0061", "\\ud83d", "é", "中", "😀", "\ufeff"],
  ].map((text) => utf8(text)).concat([0x00, 0x7f, 0x80, 0xc3, 0xe4, 0xf0, 0xff].map((byte) => Uint8Array.of(byte)));

  it("of JSON's own alphabet", () => {
    withSeeds(15_000, (random) => {
      assertAgreementAnywhere(concat(Array.from({ length: 1 + random.below(12) }, () => random.pick(PIECES))));
    });
  });

  it("of three, all of JSON's own alphabet", () => {
    for (const first of PIECES) {
      for (const second of PIECES) {
        for (const third of PIECES) assertAgreementAnywhere(concat([first, second, third]));
      }
    }
  });
});

describe("UTF-8 in a string", () => {
  const quote = utf8('"');

  /** The sequence alone in a string, behind some text, and as a key. */
  function assertSequence(...sequence: number[]): void {
    const bytes = Uint8Array.from(sequence);
    const document = concat([quote, bytes, quote]);
    assertAgreementAnywhere(document);
    assertAgreement(concat([utf8('["text é", {"'), bytes, utf8('": "')]));
  }

  it("every sequence of one and of two bytes", () => {
    for (let first = 0x20; first < 0x100; first++) {
      assertSequence(first);
      // All bytes behind ASCII are alike.
      for (let second = first < 0x7e ? 0xff : 0x7e; second < 0x100; second++) assertSequence(first, second);
    }
  });

  it("every border of sequences of three and of four bytes", () => {
    const leads = [0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff];
    const followers = [0x61, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
    for (const lead of leads) {
      for (const second of followers) {
        for (const third of followers) {
          assertSequence(lead, second, third);
          for (const fourth of [0x61, 0x7f, 0x80, 0xbf, 0xc0]) assertSequence(lead, second, third, fourth);
        }
      }
    }
  });
});

describe("random tokens", () => {
  /** Many tokens of one kind in one array, and each of them alone. */
  function assertTokens(random: Random, make: (random: Random) => string): void {
    const tokens = Array.from({ length: 40 }, () => make(random));
    for (const token of tokens) assertAgreementAnywhere(between(random.pick(NEIGHBOURS), utf8(token)));
    assertAgreementAnywhere(utf8(`[${tokens.join()}]`));
    assertAgreementAnywhere(utf8(`[${tokens.map((token) => `{"k":${token}}`).join(",\n  ")}]`));
  }

  it("numbers", () => withSeeds(1_000, (random) => assertTokens(random, randomNumber)));
  it("strings", () => withSeeds(300, (random) => assertTokens(random, randomString)));

  it("decimals of all lengths that people write", () => {
    const digits = (random: Random, count: number): string => {
      let text = "";
      for (let i = 0; i < count; i++) text += random.below(10);
      return text;
    };
    withSeeds(20_000, (random) => {
      const texts = Array.from({ length: 12 }, () => {
        const sign = random.once(3) ? "-" : "";
        const whole = random.once(4) ? "0" : String(1 + random.below(9)) + digits(random, random.below(11));
        return `${sign}${whole}.${digits(random, 1 + random.below(12))}`;
      });
      assertValue(utf8(`[${texts.join(random.pick([",", ", ", " ,\n"]))}]`), texts.map(Number));
    });
  });

  it("doubles of random bits, in 15 to 17 digits and in full", () => {
    const bits = new DataView(new ArrayBuffer(8));
    withSeeds(5_000, (random) => {
      bits.setUint32(0, random.below(2 ** 32));
      bits.setUint32(4, random.below(2 ** 32));
      const number = bits.getFloat64(0);
      if (!Number.isFinite(number)) return;
      for (
        const text of [String(number), number.toExponential(14), number.toExponential(15), number.toExponential(16)]
      ) {
        assertAgreementAnywhere(utf8(text));
      }
      if (Math.abs(number) > 1e-30 && Math.abs(number) < 1e21) assertAgreementAnywhere(utf8(number.toFixed(30)));
    });
  });

  it("the exact middle between two doubles, and what is next to it", () => {
    withSeeds(2_000, (random) => {
      // A number of 54 bits, the last of them set, in units of 2^-scale: few digits where the scale
      // is small.
      const odd = (2n ** 52n + BigInt(random.below(2 ** 26)) * 2n ** 26n + BigInt(random.below(2 ** 26))) * 2n + 1n;
      const scale = random.below(8);
      const digits = String(odd * 5n ** BigInt(scale));
      const decimal = `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
      for (const middle of [scale ? decimal : `${decimal}0`, `${odd * 2n ** BigInt(random.below(60))}.0`]) {
        const near = middle.slice(0, -1) + String((Number(middle.at(-1)) + random.pick([1, 9])) % 10);
        for (const text of [middle, `${middle}0`, `${middle}${"0".repeat(30)}1`, near, `${middle}e-2`, `${middle}E5`]) {
          assertAgreementAnywhere(utf8(text));
        }
      }
    });
  });
});
