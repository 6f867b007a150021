/**
 * The loop that skips what a selector does not want, pinned to the validator: each token and each
 * state of the grammar, changed, cut and followed by anything. `tests/library/differential_test.ts`
 * has documents that are skipped whole.
 */

import { describe, it } from "@std/testing/bdd";
import type { ParseResult } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { selectBinary, selector } from "../../select.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { concat, show, utf8 } from "../support/bytes.ts";
import { resultDifference } from "../support/difference.ts";
import { mutantsOf, prefixesOf, shiftsOf } from "../support/mutants.ts";

/** Containers with every token, in every place. */
const CONTAINERS = [
  '{"a":[1,{"b":null}],"c":"d","e":-12.5e+3,"f":true,"g":false}',
  '["é中😀","\\u00e9\\n\\"",""," plain text longer than some words ",{"é\\\\":"ß"}]',
  '{ "k" :\t"v" ,\r\n "l" : [ ] , "m" : { } , "n" : [ 0 , -0.5 ] }',
  '[[[[{"a":[[]]}]]],{},[{}],0,10,123456789012,1,2,3,4,5,6,7,8,9]',
  "[1,22,333,4444,-5,6.0,7e1,8E-10,0.25,true,false,null,[]]",
];

/** Bytes after a value: the end, room for words, or other bytes at once. */
const TAILS = ["}", " ".repeat(16), "", ',"next":[1,2,3]', "]]]]]]]]]]]]", "}\n\n\n\n\n\n\n\n\n\n"];

const select = selector({ wanted: true });
const parser = new BinaryParser({ select });
const validator = new BinaryValidator();

/** Asserts that a value is skipped as the validator reads it: whole, and while its bytes arrive. */
function assertSkipped(value: Uint8Array, tails = TAILS): void {
  for (const tail of tails) {
    const bytes = concat([utf8('{"skipped":'), value, utf8(tail)]);
    const expected = validateBinary(bytes);
    const wanted: ParseResult = expected.ok ? { ok: true, value: {} } : expected;
    parser.reset();
    validator.reset();
    // A failure in the value is found at once, though more bytes may follow.
    const [goesOn, mayGoOn] = [parser.push(bytes), validator.push(bytes)];
    const isInValue = expected.ok || expected.code !== "trailing-content";
    const problem = resultDifference(selectBinary(bytes, select), wanted) ??
      (goesOn !== mayGoOn && isInValue ? `${goesOn} if more bytes may follow` : resultDifference(parser.end(), wanted));
    if (problem) throw new Error(`${show(bytes)}: ${problem}`);
  }
}

describe("a value that is skipped", () => {
  for (const text of CONTAINERS) {
    it(`is read as by the validator: every change of ${text}`, () => {
      const bytes = utf8(text);
      for (const prefix of prefixesOf(bytes)) assertSkipped(prefix);
      for (const mutant of mutantsOf(utf8(text))) assertSkipped(mutant, TAILS.slice(0, 2));
      for (const shifted of shiftsOf(bytes)) assertSkipped(shifted, TAILS.slice(0, 1));
    });
  }

  it("is read as by the validator: containers of any depth", () => {
    for (const depth of [20, 28, 29, 30, 31, 32, 60, 61, 900, 961, 962, 2_000, 100_000]) {
      for (const [opening, closing] of [["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]]) {
        if (depth > 1_000 && opening !== "[") continue;
        const [open, close] = [opening.repeat(depth), closing.repeat(depth)];
        for (const end of [close, close.slice(1), `${close}]`, `${close.slice(0, -1)})`]) {
          assertSkipped(utf8(`${open}0${end}`), TAILS.slice(0, 2));
        }
      }
    }
  });
});
