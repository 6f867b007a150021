/** Options that guard against hostile input, and exact numbers, against an independent reading. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseFailure, type ParseOptions, type ParseResult } from "../../parse_binary.ts";
import { describeFailure } from "../../parser/base/failure.ts";
import { show, utf8 } from "../support/bytes.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { guardedDocument, randomOptions } from "../support/guarded_documents.ts";
import { referenceRead, type Refusal } from "../support/guard_reference.ts";
import { withSeeds } from "../support/random.ts";

/** Returns the failure of a refusal. */
function failureOf(bytes: Uint8Array, { code, offset, firstOffset }: Refusal): ParseFailure {
  return { ...describeFailure(bytes, code, offset), ...firstOffset !== undefined && { firstOffset } };
}

/** Returns what is expected of a valid text. */
function expectedOf(bytes: Uint8Array, options: ParseOptions): ParseResult {
  const reading = referenceRead(bytes, options);
  return reading.refusal === null ? { ok: true, value: reading.value } : failureOf(bytes, reading.refusal);
}

/** Fails unless two results are equal, `firstOffset` included. */
function assertSame(actual: ParseResult, expected: ParseResult, bytes: Uint8Array, options: ParseOptions): void {
  const problem = resultDifference(actual, expected) ?? difference(actual, expected);
  if (problem !== undefined) throw new Error(`${show(bytes)} with ${JSON.stringify(options)}: ${problem}`);
}

describe("parseBinary() with random options", () => {
  it("returns what an independent reading does, of valid texts", () => {
    const codes = new Set<string>();
    withSeeds(3_000, (random) => {
      const bytes = utf8(guardedDocument(random));
      for (let i = 0; i < 4; i++) {
        const options = randomOptions(random);
        const expected = expectedOf(bytes, options);
        codes.add(expected.ok ? "ok" : expected.code);
        assertSame(parseBinary(bytes, options), expected, bytes, options);
      }
    });
    assertEquals(codes.size, 9, `only ${[...codes]} occurred`);
  });

  it("reports what comes first of texts that are cut or broken: the refusal, or the failure", () => {
    const counts = { refused: 0, failed: 0 };
    withSeeds(2_000, (random) => {
      const whole = utf8(guardedDocument(random));
      const options = { ...randomOptions(random), maxBytes: Infinity };
      const { refusal } = referenceRead(whole, options);
      for (let i = 0; i < 4; i++) {
        const at = random.below(whole.length);
        const isCut = random.below(2) === 0;
        const bytes = isCut ? whole.slice(0, at) : whole.slice();
        if (!isCut) bytes[at] = 1; // no valid byte anywhere
        const failure = parseBinary(bytes);
        // What is left of a number may be complete, and another one.
        if (failure.ok || /[-+.eE\d]/.test(String.fromCharCode(whole[at - 1]))) continue;
        const isRefused = refusal !== null && refusal.certainAt <= at;
        isRefused ? counts.refused++ : counts.failed++;
        assertSame(parseBinary(bytes, options), isRefused ? failureOf(bytes, refusal) : failure, bytes, options);
      }
    });
    assert(counts.refused > 500 && counts.failed > 500, JSON.stringify(counts));
  });
});
