/**
 * Selection against picking from whole values: random masks of random documents, of the corpus, and
 * of mutants, whole and cut anywhere, as one document, lines, concatenated values and elements.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { assertEquals, assertLess, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { BinaryParser, JsonParseStream, parseStream, parseValues, type StreamedValue } from "../../parse_stream.ts";
import { every, type Mask, selectBinary, type Selector, selector } from "../../select.ts";
import { validateBinary } from "../../validate_binary.ts";
import { between, NEIGHBOURS, show, utf8 } from "../support/bytes.ts";
import { type Cut, evenCuts, everyCut, piecesAt, randomCut } from "../support/cuts.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { sharedFolder } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import {
  assertSelected,
  assertSelectedFromPieces,
  assertSelection,
  lengthened,
  picked,
  randomMask,
  selectPieces,
  showMask,
} from "../support/masks.ts";
import { mutantsOf, SEEDS } from "../support/mutants.ts";
import { type Random, withSeeds } from "../support/random.ts";
import { referenceParse } from "../support/reference.ts";

/** Longest document that is cut at every place. */
const SHORT = 150;

/** Returns the selection that is expected of a mask, from the result for the whole input. */
function expectedOf(whole: ParseResult, mask: Mask): ParseResult {
  return whole.ok ? { ok: true, value: picked(whole.value, mask) } : whole;
}

/** Returns the value of a random document, which is valid. */
function valueOf(bytes: Uint8Array): unknown {
  const result = referenceParse(bytes);
  if (!result.ok) throw new Error(`${show(bytes)}: ${result.message}`);
  return result.value;
}

function cutsOf(random: Random, { length }: Uint8Array): Cut[] {
  if (length <= SHORT) return [...everyCut(length)];
  return [...evenCuts(length, 1 + random.below(100)), randomCut(random, length), randomCut(random, length)];
}

describe("random masks", () => {
  it("of random documents select what is picked from the value, wherever the document is cut", () => {
    withSeeds(400, (random) => {
      const bytes = utf8(randomDocument(random));
      const value = valueOf(bytes);
      const mask = randomMask(random, value);
      assertSelection(bytes, mask, { ok: true, value: picked(value, mask) }, cutsOf(random, bytes));
    });
  });

  it("of one selector select from one document after the other", () => {
    withSeeds(60, (random) => {
      const documents = Array.from({ length: 8 }, () => utf8(randomDocument(random)));
      const mask = randomMask(random, valueOf(random.pick(documents)));
      const select: Selector<unknown> = selector(mask);
      for (let times = 0; times < 40; times++) {
        const bytes = random.pick(documents);
        const input = random.once(4) ? corrupt(random, bytes) : bytes;
        const expected = expectedOf(referenceParse(input), mask);
        assertSelected(between(random.pick(NEIGHBOURS), input), select, expected, `mask ${showMask(mask)}`);
      }
    });
  });

  it("select from rows, with members in another order, missing and more than once", () => {
    withSeeds(150, (random) => {
      const names = Array.from(
        { length: 2 + random.below(12) },
        (_, i) => random.once(6) ? `n\\u006${i % 10}` : `name ${i}`,
      );
      const space = random.pick(["", " ", "\n    "]);
      const row = (): string => {
        const members = names.filter(() => !random.once(8));
        if (random.once(10)) members.push(random.pick(names));
        if (random.once(10)) members.reverse();
        const value = (): string =>
          random.pick(["1", '"text"', "null", "-2.5", '{"a":1}', "[2,3]", '"\\n"', "12345678901"]);
        return `{${members.map((name) => `"${name}":${space}${value()}`).join(`,${space}`)}}`;
      };
      const bytes = utf8(`[${Array.from({ length: 1 + random.below(60) }, row).join(`,${space}`)}]`);
      const value = valueOf(bytes);
      const mask = [randomMask(random, (value as unknown[])[0], 2)] as const;
      assertSelection(bytes, mask, { ok: true, value: picked(value, mask) }, [randomCut(random, bytes.length)]);
    });
  });
});

/** Asserts the selections of random masks from each file of the corpus of at most so many bytes. */
function assertCorpus(masks: number, largest = Infinity): void {
  const corpus = sharedFolder("corpus");
  if (corpus === undefined) return;
  for (const { name } of Deno.readDirSync(corpus)) {
    if (!name.endsWith(".json")) continue;
    const bytes = Deno.readFileSync(new URL(name, corpus));
    if (bytes.length > largest) continue;
    const value = JSON.parse(new TextDecoder().decode(bytes));
    withSeeds(masks, (random) => {
      const mask = randomMask(random, value, 2 + random.below(5));
      const select: Selector<unknown> = selector(mask);
      const expected: ParseResult = { ok: true, value: picked(value, mask) };
      assertSelected(bytes, select, expected, `${name}, mask ${showMask(mask)}`);
      const cut = random.once(2)
        ? randomCut(random, bytes.length)
        : evenCuts(bytes.length, 1_000 + random.below(70_000)).next().value!;
      const problem = resultDifference(selectPieces(piecesAt(bytes, cut), select), expected);
      if (problem) throw new Error(`${name}, mask ${showMask(mask)}, cut at ${cut.slice(0, 9)}: ${problem}`);
    });
  }
}

describe("the corpus", () => {
  it("has what random masks select from its smaller files", () => assertCorpus(2, 1_000_000));
});

describeLong("all of the corpus", () => {
  it("has what many random masks select", () => assertCorpus(5));
});

/** Asserts that mutants get the result of `parseBinary`, with the selected part as value. */
function assertMutants(rounds: number): void {
  let accepted = 0;
  withSeeds(rounds, (random) => {
    const document = utf8(randomDocument(random));
    const mask = randomMask(random, valueOf(document));
    const select: Selector<unknown> = selector(mask);
    selectBinary(document, select); // which learns its gaps
    for (let times = 0; times < 10; times++) {
      const bytes = corrupt(random, document);
      const valid = validateBinary(bytes);
      if (valid.ok) accepted++;
      const expected = valid.ok ? expectedOf(parseBinary(bytes), mask) : valid;
      const how = `mask ${showMask(mask)}`;
      assertSelected(between(random.pick(NEIGHBOURS), bytes), select, expected, how);
      assertSelectedFromPieces(bytes, select, expected, randomCut(random, bytes.length), how);
    }
  });
  assertLess(rounds / 10, accepted, "mutants that are valid");
}

describe("mutants", () => {
  it("of random documents are accepted and rejected as by validateBinary", () => assertMutants(500));

  it("of seeds are accepted and rejected as by validateBinary, with one mask each", () => assertSeeds(1));
});

/** Asserts that each mutant of seeds gets its result with so many masks, wherever it is cut. */
function assertSeeds(count: number): void {
  const masks: Mask[] = [
    { a: [{ b: true }], [every]: [true] },
    [{ [every]: { [every]: true } }],
    { k: true, l: [true] },
    [[true]],
  ];
  const selectors = masks.map((mask) => ({ mask, select: selector(mask) as Selector<unknown> }));
  for (const seed of SEEDS.slice(0, 9)) {
    let place = 0;
    for (const mutant of mutantsOf(utf8(seed))) {
      const parsed = parseBinary(mutant);
      for (let i = 0; i < count; i++) {
        const { mask, select } = selectors[(place + i) % masks.length];
        const expected = expectedOf(parsed, mask);
        const how = `mask ${showMask(mask)}`;
        assertSelected(mutant, select, expected, how);
        assertSelectedFromPieces(mutant, select, expected, [place % (mutant.length + 1)], how);
      }
      place++;
    }
  }
}

describeLong("mutants with every mask", () => {
  it("of seeds are accepted and rejected as by validateBinary", () => assertSeeds(4));
});

describeLong("50,000 mutants", () => {
  it("are accepted and rejected as by validateBinary", () => assertMutants(5_000));
});

/** Forms of an input of several values. */
const FORMS = {
  lines: { multiple: "lines", at: undefined, join: (texts: string[]) => texts.map((text) => `${text}\n`).join("") },
  "concatenated values": { multiple: "concatenated", at: undefined, join: (texts: string[]) => texts.join(" ") },
  elements: {
    multiple: "elements",
    at: "/x/1",
    join: (texts: string[]) => `{"w":[{"x":[0]}],"x":[{"a":1},[${texts.join(" ,\n")}]],"y":[1,2]}`,
  },
} as const;

/** Returns random values on lines of their own, some of them long, and a mask of them. */
function randomValues(random: Random): { texts: string[]; mask: Mask } {
  const texts = Array.from({ length: 1 + random.below(6) }, () => {
    const text = randomDocument(random).replaceAll(/[\n\r]/g, " ").trim();
    return random.once(2) ? text : new TextDecoder().decode(lengthened(utf8(text)));
  });
  return { texts, mask: randomMask(random, valueOf(utf8(random.pick(texts)))) };
}

/** Returns all that a parser passes on, with the picked parts in place of values. */
function readPieces(pieces: Iterable<Uint8Array>, form: keyof typeof FORMS, select?: Selector<unknown>): unknown[] {
  const { multiple, at } = FORMS[form];
  const passed: unknown[] = [];
  const note = (value: unknown): void => void passed.push(value);
  const parser = new BinaryParser({ multiple, at, select, onValue: note, onInvalid: note, onFailure: note });
  for (const piece of pieces) parser.push(piece);
  note(parser.end());
  return passed;
}

/** Replaces each value by the part of it that a mask picks. */
function pickEach(passed: unknown[], mask: Mask): unknown[] {
  return passed.map((item) => {
    const isValue = typeof item === "object" && item !== null && "value" in item && "index" in item;
    return isValue ? { ...item, value: picked(item.value, mask) } : item;
  });
}

async function collect(results: AsyncIterable<StreamedValue>): Promise<StreamedValue[]> {
  const collected: StreamedValue[] = [];
  for await (const result of results) collected.push(result);
  return collected;
}

for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
  const { multiple, at, join } = FORMS[form];

  /**
   * Asserts that selecting from an input is parsing it and picking from its values, at each cut.
   */
  const assertForm = (bytes: Uint8Array, mask: Mask, cuts: Iterable<Cut>): void => {
    const select: Selector<unknown> = selector(mask);
    const expected = pickEach(readPieces([bytes], form), mask);
    for (const cut of [[], ...cuts]) {
      const problem = difference(readPieces(piecesAt(bytes, cut), form, select), expected);
      if (problem) throw new Error(`${show(bytes)}, mask ${showMask(mask)}, cut at ${cut}: ${problem}`);
    }
  };

  describe(`selection from ${form}`, () => {
    it("is picking from each value, wherever the input is cut", () => {
      withSeeds(80, (random) => {
        const { texts, mask } = randomValues(random);
        const bytes = utf8(join(texts));
        assertForm(bytes, mask, cutsOf(random, bytes));
      });
    });

    it("has the same failures, and goes on after them alike", () => {
      withSeeds(120, (random) => {
        const { texts, mask } = randomValues(random);
        const bytes = corrupt(random, utf8(join(texts)));
        assertForm(bytes, mask, [randomCut(random, bytes.length), [...evenCuts(bytes.length, 2)][0]]);
      });
    });

    it("gives the same by parseValues and JsonParseStream", async () => {
      const rounds: { bytes: Uint8Array; mask: Mask; cut: Cut }[] = [];
      withSeeds(40, (random) => {
        const { texts, mask } = randomValues(random);
        const good = utf8(join(texts));
        const bytes = random.once(2) ? good : corrupt(random, good);
        rounds.push({ bytes, mask, cut: randomCut(random, bytes.length) });
      });
      for (const { bytes, mask, cut } of rounds) {
        const select: Selector<unknown> = selector(mask);
        const whole = await collect(parseValues([bytes.slice()], { multiple, at }));
        const expected = pickEach(whole, mask);
        const how = `${show(bytes)}, mask ${showMask(mask)}, cut at ${cut}`;
        const values = await collect(parseValues(piecesAt(bytes, cut), { multiple, at, select }));
        assertStrictEquals(difference(values, expected), undefined, how);
        const stream = ReadableStream.from(piecesAt(bytes, cut)).pipeThrough(
          new JsonParseStream({ multiple, at, select }),
        );
        assertStrictEquals(difference(await collect(stream), expected), undefined, how);
      }
    });
  });
}

describe("selection from a stream", () => {
  it("is that of selectBinary", async () => {
    const rounds: { bytes: Uint8Array; mask: Mask; cut: Cut }[] = [];
    withSeeds(60, (random) => {
      const good = utf8(randomDocument(random));
      const bytes = random.once(3) ? corrupt(random, good) : good;
      rounds.push({ bytes, mask: randomMask(random, valueOf(good)), cut: randomCut(random, bytes.length) });
    });
    for (const { bytes, mask, cut } of rounds) {
      const select: Selector<unknown> = selector(mask);
      const result = await parseStream(piecesAt(bytes, cut), { select });
      assertStrictEquals(resultDifference(result, selectBinary(bytes, select)), undefined, show(bytes));
    }
  });

  it("begins anew after reset()", () => {
    withSeeds(100, (random) => {
      const bytes = utf8(randomDocument(random));
      const value = valueOf(bytes);
      const mask = randomMask(random, value);
      const parser = new BinaryParser({ select: selector(mask) as Selector<unknown> });
      for (let times = 0; times < 5; times++) {
        for (const piece of piecesAt(bytes, [random.below(bytes.length), bytes.length].slice(0, 1))) {
          parser.push(piece);
          if (random.once(2)) break;
        }
        parser.reset();
        for (const piece of piecesAt(bytes, [random.below(bytes.length)])) parser.push(piece);
        assertStrictEquals(resultDifference(parser.end(), { ok: true, value: picked(value, mask) }), undefined);
        parser.reset();
      }
    });
  });
});

describe("what is not wanted of a stream", () => {
  const MEBIBYTE = 2 ** 20;
  const PARTS: Record<string, [before: string, part: string, after: string]> = {
    "a string": ['{"a":1,"x":"', "text é\\n", '","b":2}'],
    "an array": ['{"a":1,"x":[0', ",1234567", '],"b":2}'],
    "an object of one name": ['{"a":1,"x":{"y":0', ',"y":{}', '},"b":2}'],
    whitespace: ['{"a":1,"x":0', " \n      ", ',"b":2}'],
  };

  for (const [name, [before, part, after]] of Object.entries(PARTS)) {
    it(`is not kept: ${name} of 30 MiB`, () => {
      const chunk = utf8(part.repeat(Math.floor(MEBIBYTE / utf8(part).length)));
      const parser = new BinaryParser({ select: selector({ b: true, a: true }), maxTokenBytes: 1_000 });
      parser.push(utf8(before));
      parser.push(chunk);
      const { external } = Deno.memoryUsage();
      for (let pushed = 1; pushed < 30; pushed++) parser.push(chunk);
      assertLess(Deno.memoryUsage().external - external, 10 * MEBIBYTE);
      parser.push(utf8(after));
      const result = parser.end();
      assertEquals(result, { ok: true, value: { b: 2, a: 1 } });
    });
  }

  it("is, where it is wanted, a token within the limit", () => {
    const parser = new BinaryParser({ select: selector({ x: true }), maxTokenBytes: 1_000 });
    parser.push(utf8('{"a":1,"x":"'));
    for (let pushed = 0; pushed < 30; pushed++) parser.push(utf8("x".repeat(100)));
    const result = parser.end();
    assertEquals(result.ok || result.code, "value-too-large");
  });
});
