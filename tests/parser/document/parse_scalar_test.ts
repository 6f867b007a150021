/** Scalars outside the main loop in `parser/document/parse_scalar.ts`. */

import { assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cursor } from "../../../parser/base/cursor.ts";
import { FAILED, parseScalar } from "../../../parser/document/parse_scalar.ts";
import { utf8 } from "../../support/bytes.ts";

const LITERALS: [text: string, value: unknown][] = [["true", true], ["false", false], ["null", null]];

function scalarOf(bytes: Uint8Array, p: number, end: number): unknown {
  return parseScalar(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), p, end);
}

describe("parseScalar()", () => {
  for (const [text, value] of [...LITERALS, ["0", 0], ["-1.5e2", -150], ['"a\\nb"', "a\nb"], ['""', ""]] as const) {
    it(`reads ${text}, and leaves the position behind it`, () => {
      assertStrictEquals(scalarOf(utf8(" ", text, " "), 1, text.length + 1), value);
      assertStrictEquals(cursor.position, text.length + 1);
    });
  }

  for (const [text] of LITERALS) {
    it(`refuses a word that differs from ${text} in one byte, or is cut`, () => {
      for (let place = 0; place < text.length; place++) {
        assertStrictEquals(scalarOf(utf8(text.slice(0, place), "X", text.slice(place + 1)), 0, text.length), FAILED);
        assertStrictEquals(scalarOf(utf8(text, "  "), 0, place), FAILED);
      }
    });
  }

  for (const text of ["tru", "fals!", "nul,", "-", '"a', "x", "?", ""]) {
    it(`fails for ${JSON.stringify(text)}`, () => {
      assertStrictEquals(scalarOf(utf8(text), 0, text.length), FAILED);
    });
  }
});
