/** Tests of the measuring kit: statistics, formats, random choices, and the memory of a call. */

import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatBytes } from "../../measure/byte_format.ts";
import { measureCallMemory } from "../../measure/call_memory.ts";
import { native, parser, Rejection, response } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime, timeFormatter } from "../../measure/number_format.ts";
import { Random } from "../../bench/support/random.ts";
import { geometricMean, median, percentile, quantile, spread } from "../../measure/statistics.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { utf8 } from "../support/bytes.ts";

describe("statistics", () => {
  it("quantile() interpolates between neighbours, in any order of samples", () => {
    assertEquals(quantile([30, 10, 20], 0.25), 15);
  });

  it("median() returns the middle, or the mean of the two in the middle", () => {
    assertEquals([median([9, 1, 5]), median([4, 1, 3, 2])], [5, 2.5]);
    assertEquals([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])], [2, 2.5, 7]);
  });

  it("percentile() returns a sample, by nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    assertEquals([percentile(hundred, 0.95), percentile([1, 2, 3], 0.95), percentile([5], 0.95)], [95, 3, 5]);
  });

  it("spread() is half the interquartile range over the median", () => assertEquals(spread([8, 10, 12]), 0.1));

  it("geometricMean() of a ratio and its inverse is 1", () => {
    assertAlmostEquals(geometricMean([0.5, 2, 8]), 2, 1e-12);
    assertAlmostEquals(geometricMean([0.25, 4]), 1, 1e-12);
  });
});

describe("formats", () => {
  it("formatBytes() takes binary units and three digits, or one decimal in columns", () => {
    assertEquals([900, 1024, 43_201_337].map((bytes) => formatBytes(bytes)), ["900 B", "1 KiB", "41.2 MiB"]);
    assertEquals([900, 1024, 43_201_337].map((bytes) => formatBytes(bytes, true)), ["900 B", "1.0 KiB", "41.2 MiB"]);
  });

  it("formatDecimalBytes() takes decimal units and three digits", () => {
    assertEquals([1, 31, 3000, 1_727_204].map(formatDecimalBytes), ["1 B", "31 B", "3 KB", "1.73 MB"]);
  });

  it("formatTime() takes three digits", () => {
    assertEquals([0.0000453, 0.0123, 4.567, 1234.5].map(formatTime), ["45.3 ns", "12.3 µs", "4.57 ms", "1235 ms"]);
  });

  it("timeFormatter() takes one unit for a column", () => {
    assertEquals([1.5, 2000].map(timeFormatter(1.5)), ["1.5 ms", "2000.0 ms"]);
  });

  it("formatRatio() leaves out decimals from 100 on", () => {
    assertEquals([1.666, 123.4].map(formatRatio), ["1.67×", "123×"]);
  });
});

describe("Random", () => {
  const sequence = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 100 }, () => random.next());
  };

  it("gives the same numbers for the same seed", () => {
    assertEquals(sequence(1), sequence(1));
    assertNotEquals(sequence(1), sequence(2));
  });

  it("stays within its limits and reaches them", () => {
    const random = new Random(1);
    const below = new Set(Array.from({ length: 200 }, () => random.below(4)));
    const integers = new Set(Array.from({ length: 200 }, () => random.integer(-1, 2)));
    assertEquals([...below].sort(), [0, 1, 2, 3]);
    assertEquals([...integers].sort((a, b) => a - b), [-1, 0, 1, 2]);
  });

  it("shuffles into every order", () => {
    const random = new Random(1);
    const orders = new Set(Array.from({ length: 200 }, () => random.shuffle([..."abc"]).join("")));
    assertEquals([...orders].sort(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
  });
});

describe("contestants", () => {
  for (const contestant of [native, response, parser]) {
    it(`${contestant.name} returns the value`, async () => {
      assertEquals(await contestant.parse(utf8('{"a": [1, null]}')), { a: [1, null] });
    });
  }

  for (const contestant of [native, parser, validator]) {
    it(`${contestant.name} returns a Rejection of an invalid document`, () => {
      const result = contestant.parse(utf8("[1,]"));
      assert(result instanceof Rejection && result.message !== "");
    });
  }
});

describe("measureCallMemory", () => {
  it("measures input, peak and time, and no heap without a collection", async () => {
    const { input, peak, milliseconds, heap } = await measureCallMemory(parser, () => [utf8("[1]"), utf8("[22]")]);
    assertEquals([input, heap], [7, undefined]);
    assert(peak >= 0 && milliseconds > 0);
  });

  it("throws the reason of a rejection", async () => {
    let reason: unknown;
    try {
      await measureCallMemory(validator, () => [utf8("[1,]")]);
    } catch (error) {
      reason = (error as Error).message;
    }
    assertEquals(reason, "Unexpected token ']' in JSON at position 3 (line 1 column 4)");
  });
});
