/** Tests of the masks that `deno task bench select` prints and checks. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatMask } from "../../bench/support/selections.ts";
import { difference } from "../support/difference.ts";
import { every, type Mask, selectBinary, selector } from "../../select.ts";
import { utf8 } from "../support/bytes.ts";
import { picked } from "../support/masks.ts";

/** Masks by the texts that the command line takes. */
const MASKS: [text: string, mask: Mask][] = [
  ["true", true],
  ["[true]", [true]],
  ["{b,a}", { b: true, a: true }],
  ["{a:[{x}]}", { a: [{ x: true }] }],
  ["{a,*:{x}}", { [every]: { x: true }, a: true }],
  ['{"a-b",__proto__:{x}}', { "a-b": true, ["__proto__"]: { x: true } }],
  ["[{*:[true]}]", [{ [every]: [true] }]],
];

describe("masks of bench select", () => {
  it("are printed as the command line takes them, and pick what selectBinary selects", () => {
    for (const [text, mask] of MASKS) assertEquals(formatMask(mask), text);
    const documents = [
      "null",
      "7",
      "[]",
      '{"a":1,"b":[2]}',
      '{"a":[{"x":1,"y":2},{"y":3},null,[4],"5"],"b":{"x":{"z":6}}}',
      '[{"a":[1,{"x":2}]},{"b":{"x":3}},[[4]],{}]',
      '{"c":{"x":1,"w":2},"a":{"x":3},"7":{"x":4},"__proto__":{"x":5},"a-b":6}',
    ];
    for (const document of documents) {
      for (const [text, mask] of MASKS) {
        const result = selectBinary(utf8(document), selector(mask));
        const problem = difference(result.ok && result.value, picked(JSON.parse(document), mask));
        assertEquals(problem, undefined, `${text} of ${document}`);
      }
    }
  });
});
