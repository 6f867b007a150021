/** Whitespace between tokens in `parser/base/whitespace.ts`. */

import { assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { skipIndentation, skipWhitespace } from "../../../parser/base/whitespace.ts";
import { utf8 } from "../../support/bytes.ts";
import { withSeeds } from "../../support/random.ts";

type Skip = (bytes: Uint8Array, p: number, end: number) => number;

const SKIPS: Record<string, Skip> = {
  "skipWhitespace()": skipWhitespace,
  "skipIndentation()": (bytes, p, end) => skipIndentation(bytes, new DataView(bytes.buffer), p, end),
};

/** Position of the first byte from `p` on that is none of the four characters, or `end`. */
function expectedPosition(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && "\t\n\r ".includes(String.fromCharCode(bytes[p]))) p++;
  return p;
}

for (const [name, skip] of Object.entries(SKIPS)) {
  describe(name, () => {
    it("stops at each byte that is no whitespace, in every place of a word", () => {
      for (let spaces = 0; spaces <= 35; spaces++) {
        for (let byte = 0; byte < 256; byte++) {
          for (const after of [`\n   \t${" ".repeat(20)}x`, ""]) {
            const bytes = utf8("\n", " ".repeat(spaces), byte, after);
            const end = bytes.length;
            assertStrictEquals(skip(bytes, 0, end), expectedPosition(bytes, 0, end), `${spaces} spaces, ${byte}`);
          }
        }
      }
    });

    it("agrees with a look at each byte, from every start to every end", () => {
      withSeeds(300, (random) => {
        const pieces = [" ", "\n", "\r\n", "\t", "    ", " ".repeat(13), "\n        ", "x", "\v"];
        const bytes = utf8(random.repeat(0, 9, () => random.pick(pieces)));
        for (let start = 0; start < bytes.length; start++) {
          if (bytes[start] > 0x20) continue; // skipIndentation() is called where there is a space
          for (let end = start + 1; end <= bytes.length; end++) {
            assertStrictEquals(skip(bytes, start, end), expectedPosition(bytes, start, end));
          }
        }
      });
    });
  });
}
