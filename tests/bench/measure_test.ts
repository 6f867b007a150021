/**
 * Tests of the measuring kit: formats, rows, and the memory of a call. What `bytejson bench` shows of
 * it is tested there.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { measureCallMemory } from "../../measure/call_memory.ts";
import { native, parser, Rejection, response } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatTime } from "../../measure/number_format.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { utf8 } from "../support/bytes.ts";

describe("formats", () => {
  it("formatDecimalBytes() takes decimal units and three digits", () => {
    assertEquals([1, 31, 3000, 1_727_204].map(formatDecimalBytes), ["1 B", "31 B", "3 KB", "1.73 MB"]);
  });

  it("formatTime() takes three digits", () => {
    assertEquals([0.0000453, 0.0123, 4.567, 1234.5].map(formatTime), ["45.3 ns", "12.3 µs", "4.57 ms", "1235 ms"]);
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
    const { input, peak, milliseconds, retained } = await measureCallMemory(parser, () => [utf8("[1]"), utf8("[22]")]);
    assertEquals([input, retained], [7, undefined]);
    assert(peak >= 0 && milliseconds > 0);
  });

  it("throws the reason of a rejection", async () => {
    const message = "Unexpected token ']' in JSON at position 3 (line 1 column 4)";
    await assertRejects(() => measureCallMemory(validator, () => [utf8("[1,]")]), Error, message);
  });
});
