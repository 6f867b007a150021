/**
 * Every reader of the library against the reference, on random inputs in every combination of
 * options, mask, conditions and separation that the reader takes, cut at random.
 */

import { assert, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Random } from "../../bench/support/random.ts";
import { formatMask } from "../../bench/support/selections.ts";
import { lineCountHints } from "../../parser/base/cursor.ts";
import { NO_KEY, ROOT_KEY } from "../../parser/objects/key.ts";
import { keys } from "../../parser/objects/key_cache.ts";
import type { ValueAt } from "../../pointer.ts";
import type { Mask } from "../../select.ts";
import { concat, show, utf8 } from "../support/bytes.ts";
import { randomCondition } from "../support/random_conditions.ts";
import { type Cut, evenCuts, everyCut, randomCut } from "../support/cuts.ts";
import { assertSame } from "../support/difference.ts";
import { MALFORMED, PROFILES } from "../support/random_documents.ts";
import { lengthened, picked, randomMask, showMask } from "../support/masks.ts";
import { corrupt } from "../support/mutations.ts";
import { randomOptions } from "../support/random_options.ts";
import { type PartsToRead, readParts } from "../support/read_parts.ts";
import { hasFewRounds, withSeeds, withSeedsAsync } from "../support/random.ts";
import { assertPointed, PointedText } from "../support/pointing.ts";
import {
  areEntries,
  assertEntriesRefused,
  assertLimited,
  assertRead,
  assertRefusedAtOnce,
  assertStreamed,
  type Reading,
} from "../support/readers.ts";
import { referenceParse, referenceTree } from "../support/reference.ts";

/** Separators between values, by the separation of the input. */
const SEPARATORS = {
  lines: ["\n", "\r\n", "\n\n"],
  concatenated: ["\n", " ", "\n\n", "\n\x1e"],
  elements: [",", " ,\n"],
  members: [",", " ,\n"],
};

type Separation = keyof typeof SEPARATORS | undefined;

/** Names of members as they are spelled. */
const KEYS = ["", "a", "\\u0062", "__proto__", "\\u005f_proto__", "é\\n", '\\"\\\\', "1"];

/** Returns a document as it is, cut off, with a byte that is valid nowhere, or corrupted. */
function damaged(random: Random, document: Uint8Array): Uint8Array {
  const broken = document.slice();
  broken[random.below(document.length)] = 1;
  const other = random.once(3) ? broken : corrupt(random, document);
  return random.once(2) ? other : document.slice(0, random.below(document.length));
}

/** Returns an input with random values. Entries of a container are valid; others may be damaged. */
function randomInput(random: Random, make: (random: Random) => string, separation: Separation): Uint8Array {
  if (separation === undefined) {
    const document = utf8(make(random));
    return random.once(3) ? damaged(random, document) : document;
  }
  const texts = Array.from({ length: 1 + random.below(6) }, () => {
    const text = make(random).replace("\ufeff", "");
    return separation === "lines" ? text.replaceAll(/[\n\r]/g, " ").trim() : text;
  });
  if (areEntries(separation)) {
    const separator = random.pick(SEPARATORS[separation]);
    if (separation === "elements") return utf8(`[${texts.join(separator)}]`);
    return utf8(`{${texts.map((text) => `"${random.pick(KEYS)}": ${text}`).join(separator)}}`);
  }
  return concat(texts.flatMap((text) => {
    const document = random.once(12) ? lengthened(utf8(text)) : utf8(text);
    return [random.once(4) ? damaged(random, document) : document, utf8(random.pick(SEPARATORS[separation]))];
  }));
}

/** Returns a random reading of an input, with a mask that fits one of its values. */
function randomReading(random: Random, bytes: Uint8Array, separation: Separation): Reading {
  const whole = referenceParse(bytes);
  const where = Array.from({ length: 1 + random.below(3) }, () => randomCondition(random));
  if (separation === undefined && random.once(4)) return { where };
  const value = whole.ok ? whole.value as object : [];
  const values = areEntries(separation) ? Object.values(value) : [value];
  const options = randomOptions(random);
  if (!whole.ok || separation !== undefined) options.maxBytes = undefined; // it ends all of an input
  const leavesOut = options.duplicateKeys === "first" || options.protoKeys === "drop";
  if (separation === "members" && leavesOut) options.duplicateKeys = options.protoKeys = undefined;
  const areValid = !areEntries(separation) || referenceParse(bytes, options).ok;
  const takesConditions = separation !== undefined && !leavesOut;
  return {
    ...random.once(2) && areValid && { options },
    ...random.once(2) && { mask: randomMask(random, random.pick(values)) },
    ...random.once(3) && takesConditions && { where },
    ...separation && { separation },
  };
}

function randomCuts(random: Random, { length }: Uint8Array): Cut[] {
  return length < 40 ? [...everyCut(length)] : [[], randomCut(random, length), ...evenCuts(length, 2).take(1)];
}

/** Inputs so far. */
let inputCount = 0;

/** Empties the cache of keys: as in a process that has met no key with a line end. */
function forgetKeys(): void {
  for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== ROOT_KEY) keys[slot] = NO_KEY;
  lineCountHints.isInKeys = 0;
}

/** Failures of the reference, by their codes. */
const codes = new Set<string>();

for (const separation of [undefined, "lines", "concatenated", "elements", "members"] as const) {
  describe(`${separation ?? "a document"}, whole and cut anywhere: each reader agrees with the reference on`, () => {
    const profiles = areEntries(separation) ? PROFILES : { ...PROFILES, ...MALFORMED };
    for (const [profile, make] of Object.entries(profiles)) {
      it(profile, () => {
        withSeeds(300, (random) => {
          if (++inputCount % 4 === 0) forgetKeys();
          const bytes = randomInput(random, make, separation);
          const reading = randomReading(random, bytes, separation);
          for (const { failure } of assertRead(bytes, reading, randomCuts(random, bytes))) {
            if (failure) codes.add(failure.code);
          }
          // Readers must not be misled by what they learned from that input.
          for (let times = 0; times < 2 && !reading.options?.maxBytes; times++) {
            const corrupted = corrupt(random, bytes);
            const cut = randomCut(random, corrupted.length);
            if (areEntries(separation)) assertEntriesRefused(corrupted, reading, cut);
            else assertRead(corrupted, reading, [cut]);
            if (times === 0 && (separation || !reading.where)) assertRefusedAtOnce(corrupted, reading);
          }
        });
      });

      it(`${profile}, in streams`, async () => {
        await withSeedsAsync(30, async (random) => {
          const bytes = randomInput(random, make, separation);
          const reading = randomReading(random, bytes, separation);
          if (reading.where && separation === undefined || reading.options?.maxBytes) return;
          await assertStreamed(bytes, reading, randomCut(random, bytes.length));
          await assertLimited(bytes, reading, randomCut(random, bytes.length), random.below(bytes.length + 1));
        });
      });
    }
  });
}

/** Tokens of pointers that seldom lead to a value. */
const MISSES = ["absent", "", "0", "00", "-", "-1", "1e0", "99", "9007199254740993", "length", "__proto__", "a", "é"];

/** Returns the tokens of some values of a document, and of some that it does not have. */
function randomPointers(random: Random, paths: string[][]): string[][] {
  return Array.from({ length: 1 + random.below(8) }, () => {
    const tokens = random.pick(paths);
    const miss = random.pick(MISSES);
    if (!random.once(4)) return tokens;
    return random.once(3) || tokens.length === 0 ? [...tokens, miss] : tokens.with(random.below(tokens.length), miss);
  });
}

describe("values at pointers, whole, in windows and cut anywhere: each reader agrees with the reference on", () => {
  for (const [profile, make] of Object.entries(PROFILES)) {
    it(profile, async () => {
      await withSeedsAsync(150, async (random) => {
        const document = utf8(make(random));
        const text = new PointedText(document);
        const list = random.once(3) ? [random.pick(text.paths())] : randomPointers(random, text.paths());
        const { duplicateKeys, protoKeys, ...others } = randomOptions(random);
        const reading = {
          stopWhenFound: random.once(2),
          ...random.once(2) && {
            options: {
              ...others,
              duplicateKeys: duplicateKeys === "first" ? "last" : duplicateKeys,
              protoKeys: protoKeys === "drop" ? "keep" : protoKeys,
            } as const,
          },
        };
        await assertPointed(document, list, reading, [randomCut(random, document.length)]);
        const corrupted = corrupt(random, document);
        await assertPointed(corrupted, list, reading, [randomCut(random, corrupted.length)]);
      });
    });
  }
});

/**
 * Returns whether the command line can write a mask: it has no form for an array of whole elements.
 */
function isOutline(mask: Mask): boolean {
  return mask !== true && !/\[true\]/.test(formatMask(mask));
}

describe("the command line prints what masks and pointers select of documents, in pieces of any size:", () => {
  for (const [profile, make] of Object.entries(PROFILES)) {
    it(profile, () => {
      withSeeds(60, (random) => {
        const document = utf8(make(random));
        const bytes = random.once(4) ? lengthened(document) : document;
        const { value } = referenceParse(bytes) as { value: unknown };
        const size = random.pick([bytes.length, 1 + random.below(4), 1 + random.below(bytes.length)]);
        const read = (parts: PartsToRead) => readParts(parts, bytes, false, size);
        const valueOf = (text: string) => (referenceParse(utf8(text)) as { value: unknown }).value;
        const mask = randomMask(random, value);
        const how = () => `${show(bytes)} by ${showMask(mask)} in pieces of ${size}`;
        const part = picked(value, mask);
        if (isOutline(mask) && part !== undefined) assertSame(valueOf(read({ mask: formatMask(mask) })), part, how);
        else if (isOutline(mask)) assertThrows(() => read({ mask: formatMask(mask) }), Error, "not valid", how());
        const text = new PointedText(bytes);
        const tokens = random.pick(text.paths());
        const found = text.follow(tokens) as ValueAt;
        assertSame(valueOf(read({ get: tokens })), found.value, how);
        const isOfObject = !Array.isArray(found.value);
        if (typeof found.value !== "object" || found.value === null) return;
        const entries = referenceTree(bytes.subarray(found.start, found.end)).entries!;
        const lines = read({ each: tokens, isOfObject }).split("\n").slice(0, -1).map(valueOf);
        const expected = entries.map(([key, { value }]) => isOfObject ? { key, value } : value);
        // Of equal names on the way, the first one leads to entries, and the last one to a value.
        if ((text.follow(tokens, true) as ValueAt).end === found.end) assertSame(lines, expected, how);
      });
    });
  }
});

it("random inputs meet all kinds of failures", () => {
  assert(hasFewRounds || codes.size >= 24, `only ${[...codes]} occurred`);
});
