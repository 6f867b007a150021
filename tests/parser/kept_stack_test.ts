/** The stack of small inputs, which is kept between calls. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SMALL_INPUT } from "../../parser/input_sizes.ts";
import { parseDocument } from "../../parser/parse_document.ts";
import { keptStack } from "../../parser/value_stack.ts";
import { parseBinary } from "../../parse_binary.ts";

const ENTRIES = 64;
/** Documents that put as many values as they can on the stack: begin, repeated part, end. */
const DENSE: [begin: string, repeated: string, end: string][] = [
  ["[", '"",', '""]'],
  ["[", "[],", "[]]"],
  ["[", "{},", "1]"],
  ['[""', ",1", "]"],
  ["[null", ",1", "]"],
  ["{", '"":1,', '"":1}'],
  ["{", '"a":[],', '"b":{}}'],
  ["[", "[", "]"],
  ["[1,", "[2,", "]"],
  ['{"":', '{"":', "1}"],
  ["[", '"a",{"":', "}"],
];

describe("the stack of small inputs", () => {
  it("holds nothing after a call, valid or not, of any size", () => {
    for (const [begin, repeated, end] of DENSE) {
      for (let count = 0; begin.length + count * repeated.length <= SMALL_INPUT; count++) {
        for (const document of [begin + repeated.repeat(count) + end, begin + repeated.repeat(count)]) {
          parseBinary(new TextEncoder().encode(document));
          assertEquals(keptStack.findIndex((entry) => entry !== null), -1, document);
          assertEquals(keptStack.length, ENTRIES);
        }
      }
    }
  });

  it("is not that of larger inputs", () => {
    keptStack[0] = keptStack[ENTRIES - 1] = "kept";
    // Through windows, since the first inputs are parsed by recursion otherwise.
    const larger = new TextEncoder().encode(`["a", ${" ".repeat(2 * SMALL_INPUT)}"b"]`);
    assertEquals(parseDocument(larger, SMALL_INPUT, 64), { ok: true, value: ["a", "b"] });
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], ["kept", "kept"]);
    parseBinary(new TextEncoder().encode(`["a", "b"${" ".repeat(SMALL_INPUT - 10)}]`));
    assertEquals([keptStack[0], keptStack[ENTRIES - 1]], [null, null]);
  });
});
