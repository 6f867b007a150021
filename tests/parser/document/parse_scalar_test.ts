/** Scalars outside the main loop in `parser/document/parse_scalar.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cursor, failure } from "../../../parser/base/out_params.ts";
import { FAILED, failLiteral, parseScalar } from "../../../parser/document/parse_scalar.ts";
import { utf8 } from "../../support/bytes.ts";

const LITERALS: [text: string, value: unknown][] = [["true", true], ["false", false], ["null", null]];

function scalarOf(bytes: Uint8Array, p: number, end: number): unknown {
  return parseScalar(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), p, end);
}

describe("failLiteral()", () => {
  it("fails at the first byte of what is no literal", () => {
    for (let byte = 0x21; byte < 0x7f; byte++) {
      if ("tfn".includes(String.fromCharCode(byte))) continue;
      failLiteral(utf8(" ", byte, "rue"), 1, 5);
      assertStrictEquals(failure.offset, 1, String.fromCharCode(byte));
    }
  });

  for (const [text] of LITERALS) {
    it(`fails at the first byte that differs from ${text}`, () => {
      for (let place = 1; place < text.length; place++) {
        failLiteral(utf8(text.slice(0, place), "X", text.slice(place + 1)), 0, text.length);
        assertStrictEquals(failure.offset, place);
      }
    });

    it(`fails at the end of what may be read of ${text}, whatever is behind it`, () => {
      for (let end = 0; end < text.length; end++) {
        failLiteral(utf8(text, "  "), 0, end);
        assertEquals(failure, { code: "unexpected-end", offset: end });
      }
    });
  }
});

describe("parseScalar()", () => {
  for (const [text, value] of [...LITERALS, ["0", 0], ["-1.5e2", -150], ['"a\\nb"', "a\nb"], ['""', ""]] as const) {
    it(`reads ${text}, and leaves the position behind it`, () => {
      assertStrictEquals(scalarOf(utf8(" ", text, " "), 1, text.length + 1), value);
      assertStrictEquals(cursor.position, text.length + 1);
    });
  }

  for (const text of ["tru", "fals!", "nul,", "-", '"a', "x", "?", ""]) {
    it(`fails for ${JSON.stringify(text)}`, () => {
      assertStrictEquals(scalarOf(utf8(text), 0, text.length), FAILED);
    });
  }
});
