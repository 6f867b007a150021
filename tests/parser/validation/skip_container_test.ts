/**
 * The loop that skips values, pinned to the validator: each token and each state of the grammar,
 * changed, cut and followed by anything.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { CUT_POSITION, FAILED_POSITION, skipRest, skipValue } from "../../../parser/validation/skip_container.ts";
import { skipWhitespace } from "../../../parser/base/whitespace.ts";
import { BinaryValidator, validateBinary } from "../../../validate_binary.ts";
import { between, concat, NEIGHBOURS, show, utf8 } from "../../support/bytes.ts";
import { corrupt, randomDocument } from "../../support/documents.ts";
import { mutantsOf, prefixesOf, SEEDS, shiftsOf } from "../../support/mutants.ts";
import { withSeeds } from "../../support/random.ts";

/** Containers with every token, in every place. */
const CONTAINERS = [
  '{"a":[1,{"b":null}],"c":"d","e":-12.5e+3,"f":true,"g":false}',
  '["é中😀","\\u00e9\\n\\"",""," plain text longer than some words ",{"é\\\\":"ß"}]',
  '{ "k" :\t"v" ,\r\n "l" : [ ] , "m" : { } , "n" : [ 0 , -0.5 ] }',
  '[[[[{"a":[[]]}]]],{},[{}],0,10,123456789012,1,2,3,4,5,6,7,8,9]',
  "[1,22,333,4444,-5,6.0,7e1,8E-10,0.25,true,false,null,[]]",
  `${'[{"a":'.repeat(20)}0${"}]".repeat(20)}`,
];

/** Bytes after a value: room for words, or other bytes at once. */
const TAILS = ["", " ".repeat(16), ',"next":[1,2,3]', "]]]]]]]]]]]]", "}\n\n\n\n\n\n\n\n\n\n"];

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

const validator = new BinaryValidator();

/**
 * Asserts that the value at the beginning of an input is skipped as the validator reads it. Inputs
 * that may begin with a byte-order mark are passed over: it is for the caller to skip.
 */
function assertSkipped(bytes: Uint8Array): void {
  if (bytes[0] === 0xef) return;
  const view = viewOf(bytes);
  const expected = validateBinary(bytes);
  const end = skipValue(bytes, view, 0, true);
  if (end >= 0) {
    const next = skipWhitespace(bytes, end, bytes.length);
    const found = next === bytes.length ? "valid" : `trailing-content at ${next}`;
    const wanted = expected.ok ? "valid" : `${expected.code} at ${expected.offset}`;
    if (found !== wanted) throw new Error(`${show(bytes)}: skipped to ${end}, ${found} instead of ${wanted}`);
  } else {
    if (end !== FAILED_POSITION || expected.ok) throw new Error(`${show(bytes)}: ${end} for a valid input`);
    const found = `${failure.code} at ${failure.offset}`;
    const wanted = `${expected.code} at ${expected.offset}`;
    if (found !== wanted) throw new Error(`${show(bytes)}: ${found} instead of ${wanted}`);
  }
  // The same, if more bytes may follow.
  validator.reset();
  const mayGoOn = validator.push(bytes);
  const cutEnd = skipValue(bytes, view, 0, false);
  const isNumber = end === bytes.length && cutEnd === CUT_POSITION; // which may have more digits
  const isRight = cutEnd === FAILED_POSITION ? !mayGoOn : cutEnd === CUT_POSITION ? mayGoOn : cutEnd === end;
  if (!isRight && !isNumber) throw new Error(`${show(bytes)}: ${cutEnd} if more follow, ${end} if not`);
}

function assertSkippedBefore(bytes: Uint8Array, tails = TAILS): void {
  for (const tail of tails) assertSkipped(concat([bytes, utf8(tail)]));
}

describe("skipValue()", () => {
  const texts = [...CONTAINERS, ...SEEDS.filter((text) => !text.startsWith("\ufeff"))];

  for (const text of texts) {
    it(`agrees with the validator on every change of ${show(utf8(text))}`, () => {
      const bytes = utf8(text);
      assertSkippedBefore(bytes);
      for (const prefix of prefixesOf(bytes)) assertSkippedBefore(prefix);
      for (const tail of TAILS.slice(0, 3)) {
        const longer = utf8(text, tail);
        for (const mutant of mutantsOf(longer)) assertSkipped(mutant);
      }
      for (const shifted of shiftsOf(bytes)) assertSkippedBefore(shifted, TAILS.slice(0, 2));
    });
  }

  it("agrees with the validator on random documents, good and corrupted", () => {
    withSeeds(1_500, (random) => {
      const bytes = utf8(randomDocument(random));
      assertSkippedBefore(between(random.pick(NEIGHBOURS), bytes));
      for (let times = 0; times < 5; times++) {
        assertSkipped(between(random.pick(NEIGHBOURS), corrupt(random, bytes)));
        assertSkippedBefore(corrupt(random, bytes), TAILS.slice(1, 2));
      }
    });
  });

  it("agrees with the validator on containers of any depth", () => {
    for (const depth of [28, 29, 30, 31, 32, 60, 61, 900, 961, 962, 2_000, 100_000]) {
      for (const [opening, closing] of [["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]]) {
        const [open, close] = [opening.repeat(depth), closing.repeat(depth)];
        const room = " ".repeat(16);
        for (
          const text of [
            `${open}0${close}`,
            `${open}0${close.slice(1)}`,
            `${open}0${close}]`,
            `${open}0${close.slice(0, -1)})`,
          ]
        ) {
          if (depth < 1_000 || opening === "[") assertSkipped(utf8(text, room));
        }
      }
    }
  });
});

describe("skipValue() of a container", () => {
  it("returns the position after it anywhere in the bytes", () => {
    for (const text of CONTAINERS) {
      for (const before of [1, 3, 600]) {
        const bytes = utf8("x".repeat(before), text, ",1234567890");
        const end = before + utf8(text).length;
        assertStrictEquals(skipValue(bytes, viewOf(bytes), before, true), end);
        assertStrictEquals(skipValue(bytes, viewOf(bytes), before, false), end);
      }
    }
  });
});

describe("skipRest()", () => {
  it("skips what follows a value of a container, as the validator reads it", () => {
    const kinds: number[] = [];
    for (const text of CONTAINERS.slice(0, 5)) {
      const isObject = text.startsWith("{") ? 1 : 0;
      const first = isObject === 1 ? text.indexOf(":") + 1 : 1;
      kinds.push(isObject);
      for (const tail of TAILS.slice(0, 2)) {
        const bytes = utf8(text, tail);
        const place = skipValue(bytes, viewOf(bytes), first, true);
        for (const mutant of mutantsOf(bytes)) {
          const isSame = utf8(text).subarray(0, first).every((byte, i) => byte === mutant[i]);
          if (!isSame || skipValue(mutant, viewOf(mutant), first, true) !== place) continue;
          const view = viewOf(mutant);
          const expected = skipValue(mutant, view, 0, true);
          const { code, offset } = failure;
          assertStrictEquals(skipRest(mutant, view, place, true, isObject), expected, show(mutant));
          if (expected < 0) assertEquals([failure.code, failure.offset], [code, offset], show(mutant));
        }
      }
    }
    assertEquals(kinds, [1, 0, 1, 0, 0]);
  });
});
