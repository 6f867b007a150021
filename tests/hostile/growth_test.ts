/**
 * Documents made to cost time: none may cost more than in proportion to its size. `deno task
 * test hostile` prints how long each takes.
 */

import { assertEquals, assertLess } from "@std/assert";
import { it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { every, selectBinary, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { bytesOf, GUARDED, INVALID, VALID } from "./documents.ts";
import { type Call, shortestTime } from "./timing.ts";
import { assertFailure } from "../support/assertions.ts";
import { utf8 } from "../support/bytes.ts";
import { describeLong } from "../support/long.ts";

/** Sizes in bytes whose times are compared, and the factor between them. */
const SIZE = 32_000;
const FACTOR = 16;

/** Bound between linear growth, by 16, and quadratic growth, by 256. */
const MAX_GROWTH = 100;

/** Shortest time, in milliseconds, that a clock of the operating system tells from none. */
const MIN_TIME = 0.1;

/** Measurements until one is within the bound: a busy machine spoils some, never all. */
const ATTEMPTS = 6;

/** Feeds chunks of 100 bytes to a consumer. */
function inChunks(consumer: { reset(): void; push(chunk: Uint8Array): boolean; end(): unknown }): Call {
  return (bytes) => {
    consumer.reset();
    for (let p = 0; p < bytes.length; p += 100) consumer.push(bytes.subarray(p, p + 100));
    return consumer.end();
  };
}

const CALLS: Record<string, Call> = {
  parseBinary,
  validateBinary,
  "BinaryValidator in chunks": inChunks(new BinaryValidator()),
  "BinaryParser in chunks": inChunks(new BinaryParser()),
  "BinaryValidator of lines": inChunks(new BinaryValidator({ multiple: "lines", onDocument() {} })),
  "BinaryParser of elements": inChunks(new BinaryParser({ multiple: "elements", onValue() {} })),
};

/** Asserts that the time of each call grows less than quadratically from some bytes to others. */
function assertGrowth(small: Uint8Array, large: Uint8Array, calls = CALLS): void {
  for (const [name, call] of Object.entries(calls)) {
    let growth = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && growth >= MAX_GROWTH; attempt++) {
      const before = Math.max(MIN_TIME, shortestTime(call, small, 3));
      growth = Math.min(growth, shortestTime(call, large, 2) / before);
    }
    assertLess(growth, MAX_GROWTH, name);
  }
}

describeLong("time grows in proportion to the size", () => {
  for (const document of [...VALID, ...INVALID]) {
    it(`of ${document.name}`, () => assertGrowth(bytesOf(document, SIZE), bytesOf(document, FACTOR * SIZE)));
  }

  for (const document of GUARDED) {
    it(`of ${document.name}, with guards`, () => {
      const { options } = document;
      const part = selector({ [every]: true });
      assertGrowth(bytesOf(document, SIZE), bytesOf(document, FACTOR * SIZE), {
        parseBinary: (bytes) => parseBinary(bytes, options),
        selectBinary: (bytes) => selectBinary(bytes, part, options),
        "BinaryParser in chunks": inChunks(new BinaryParser(options)),
        "BinaryParser of elements": inChunks(new BinaryParser({ ...options, multiple: "elements", onValue() {} })),
      });
    });
  }

  it("of bad lines", () => {
    const lines = (count: number): Uint8Array => utf8('{"a":[1,}\n'.repeat(count));
    assertGrowth(lines(3_000), lines(FACTOR * 3_000));
  });
});

describeLong("ten million", () => {
  it("levels are parsed and validated", () => {
    const levels = 10_000_000;
    const bytes = new Uint8Array(2 * levels).fill(0x5b, 0, levels).fill(0x5d, levels);
    assertEquals(validateBinary(bytes), { ok: true });
    const result = parseBinary(bytes);
    let depth = 0;
    for (let value = result.ok && result.value; Array.isArray(value); value = value[0]) depth++;
    assertEquals(depth, levels);
    assertFailure(bytes.subarray(0, levels), "unexpected-end", levels);
  });

  it("digits are one number", () => {
    const digits = "7".repeat(10_000_000);
    for (
      const [text, value] of [[digits, Infinity], [`0.${digits}`, 7 / 9], [`${digits}e-10000000`, 7 / 9], [
        `1e-${digits}`,
        0,
      ]] as const
    ) {
      assertEquals(parseBinary(utf8(text)), { ok: true, value });
    }
  });
});
