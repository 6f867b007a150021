/**
 * The loop that skips what a selector does not want, pinned to the validator: each token and each
 * state of the grammar, changed, cut and followed by anything.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { describe, it } from "@std/testing/bdd";
import type { ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { selectBinary, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { between, concat, NEIGHBOURS, show, utf8 } from "../support/bytes.ts";
import { resultDifference } from "../support/difference.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { mutantsOf, prefixesOf, shiftsOf } from "../support/mutants.ts";
import { withSeeds } from "../support/random.ts";

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

const select = selector({ wanted: true });
const parser = new BinaryParser({ select });
const validator = new BinaryValidator();
const OPENING = utf8('{"skipped":');

/** Asserts that a value is skipped as the validator reads it: whole, and while its bytes arrive. */
function assertSkipped(value: Uint8Array): void {
  const bytes = concat([OPENING, value]);
  const expected = validateBinary(bytes);
  const wanted: ParseResult = expected.ok ? { ok: true, value: {} } : expected;
  const problem = resultDifference(selectBinary(bytes, select), wanted);
  if (problem) throw new Error(`${show(bytes)}: ${problem}`);
  parser.reset();
  validator.reset();
  // A failure in the value is found at once, though more bytes may follow.
  const [goesOn, mayGoOn] = [parser.push(bytes), validator.push(bytes)];
  const isInValue = expected.ok || expected.code !== "trailing-content";
  if (goesOn !== mayGoOn && isInValue) throw new Error(`${show(bytes)}: ${goesOn} if more bytes may follow`);
  const inPieces = resultDifference(parser.end(), wanted);
  if (inPieces) throw new Error(`${show(bytes)}, pushed: ${inPieces}`);
}

function assertSkippedBefore(bytes: Uint8Array, tails = TAILS): void {
  for (const tail of [...tails, "}"]) assertSkipped(concat([bytes, utf8(tail)]));
}

describe("a value that is skipped", () => {
  for (const text of CONTAINERS) {
    it(`is read as by the validator: every change of ${show(utf8(text))}`, () => {
      const bytes = utf8(text);
      assertSkippedBefore(bytes);
      for (const prefix of prefixesOf(bytes)) assertSkippedBefore(prefix);
      for (const tail of ["}", TAILS[1]]) {
        for (const mutant of mutantsOf(utf8(text, tail))) assertSkipped(mutant);
      }
      for (const shifted of shiftsOf(bytes)) assertSkippedBefore(shifted, TAILS.slice(0, 1));
    });
  }

  it("is read as by the validator: random documents, good and corrupted", () => {
    withSeeds(1_500, (random) => {
      const bytes = utf8(randomDocument(random));
      assertSkippedBefore(between(random.pick(NEIGHBOURS), bytes));
      for (let times = 0; times < 5; times++) assertSkippedBefore(corrupt(random, bytes), TAILS.slice(1, 2));
    });
  });

  it("is read as by the validator: containers of any depth", () => {
    for (const depth of [28, 29, 30, 31, 32, 60, 61, 900, 961, 962, 2_000, 100_000]) {
      for (const [opening, closing] of [["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]]) {
        const [open, close] = [opening.repeat(depth), closing.repeat(depth)];
        for (const end of [close, close.slice(1), `${close}]`, `${close.slice(0, -1)})`]) {
          if (depth < 1_000 || opening === "[") assertSkippedBefore(utf8(`${open}0${end}`), [" ".repeat(16)]);
        }
      }
    }
  });
});
