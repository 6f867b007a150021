/** Messages, lines and columns of failures in `parser/base/failure.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { countUtf16Units, describeFailure, type FailureCode, makeFailure } from "../../../parser/base/failure.ts";
import { utf8 } from "../../support/bytes.ts";
import { withSeeds } from "../../support/random.ts";

/** Line and column of an offset, byte by byte. */
function placeOf(bytes: Uint8Array, offset: number): [line: number, column: number] {
  const mark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let line = 1;
  let column = 1;
  for (let p = mark; p < offset; p++) {
    const isReturn = bytes[p] === 0x0d && bytes[p + 1] !== 0x0a;
    if (bytes[p] === 0x0a || isReturn) {
      line++;
      column = 1;
    } else if (bytes[p] < 0x80 || bytes[p] >= 0xc0) column += bytes[p] >= 0xf0 ? 2 : 1;
  }
  return [line, column];
}

function assertPlaces(bytes: Uint8Array): void {
  for (let offset = 0; offset <= bytes.length; offset++) {
    const failure = describeFailure(bytes, "invalid-utf8", offset);
    assertEquals([failure.line, failure.column], placeOf(bytes, offset), `offset ${offset}`);
    assertStrictEquals(failure.offset, offset);
  }
}

describe("describeFailure()", () => {
  it("counts lines and UTF-16 code units in inputs of every length", () => {
    withSeeds(60, (random) => {
      const pieces = ["a", "b", "\n", "\r", "\r\n", "é", "中", "😀", "0123456789"];
      const text = random.repeat(0, 120, () => random.pick(pieces));
      assertPlaces(utf8(text));
      assertPlaces(utf8("abc", text).subarray(3));
    });
  });

  it("counts lines and code units in malformed UTF-8", () => {
    withSeeds(60, (random) => {
      assertPlaces(Uint8Array.from({ length: random.integer(0, 250) }, () => {
        return random.pick([0x0a, 0x0d, 0x61, random.integer(0, 255), random.integer(0x80, 255)]);
      }));
    });
  });

  it("does not count a byte-order mark, but what only begins like one", () => {
    const places = (...bytes: number[]): number => {
      return describeFailure(Uint8Array.from(bytes), "unexpected-end", bytes.length).column;
    };
    assertEquals(places(0xef, 0xbb, 0xbf), 1);
    assertEquals(places(0xef, 0xbb, 0xbf, 0x61), 2);
    assertEquals([places(0xef), places(0xef, 0xbb), places(0xef, 0xbb, 0x61)], [2, 2, 3]);
    assertEquals([places(0xef, 0x61, 0xbf), places(0x61, 0xbb, 0xbf)], [3, 2]);
    assertEquals(describeFailure(utf8("\ufeff"), "unexpected-end", 2, 2).column, 2);
  });

  it("takes a CR for the end of a line unless an LF follows within the input", () => {
    const bytes = utf8("a\r\nb");
    assertEquals(describeFailure(bytes, "invalid-utf8", 2).line, 1);
    assertEquals(describeFailure(bytes, "invalid-utf8", 2, 2).line, 2);
    assertEquals(describeFailure(bytes, "invalid-utf8", 3).line, 2);
    assertEquals(describeFailure(bytes, "invalid-utf8", 3, 3).line, 2);
    assertEquals(describeFailure(bytes, "invalid-utf8", 2, 3).line, 1);
  });
});

describe("countUtf16Units()", () => {
  it("agrees with a look at each byte", () => {
    const view = new DataView(new ArrayBuffer(4));
    withSeeds(3000, (random) => {
      let expected = 0;
      for (let i = 0; i < 4; i++) {
        const byte = random.pick([0x61, 0x7f, 0x80, 0xbf, 0xc2, 0xdf, 0xe0, 0xef, 0xf0, 0xff, random.integer(0, 255)]);
        view.setUint8(i, byte);
        expected += byte >= 0xf0 ? 2 : byte < 0x80 || byte >= 0xc0 ? 1 : 0;
      }
      assertStrictEquals(countUtf16Units(view.getInt32(0, true)), expected);
    });
  });
});

describe("makeFailure()", () => {
  const place = " at position 7 (line 2 column 3)";
  const messages: [code: FailureCode, message: string][] = [
    ["unexpected-end", "Unexpected end of JSON input"],
    ["unexpected-number", `Unexpected number in JSON${place}`],
    ["unexpected-string", `Unexpected string in JSON${place}`],
    ["unterminated-string", `Unterminated string in JSON${place}`],
    ["expected-property-name-or-brace", `Expected property name or '}' in JSON${place}`],
    ["expected-property-name", `Expected double-quoted property name in JSON${place}`],
    ["expected-colon", `Expected ':' after property name in JSON${place}`],
    ["expected-comma-or-brace", `Expected ',' or '}' after property value in JSON${place}`],
    ["expected-comma-or-bracket", `Expected ',' or ']' after array element in JSON${place}`],
    ["unterminated-fraction", `Unterminated fractional number in JSON${place}`],
    ["missing-exponent", `Exponent part is missing a number in JSON${place}`],
    ["missing-digits", `No number after minus sign in JSON${place}`],
    ["bad-control-character", `Bad control character in string literal in JSON${place}`],
    ["bad-escape", `Bad escaped character in JSON${place}`],
    ["bad-unicode-escape", `Bad Unicode escape in JSON${place}`],
    ["trailing-content", `Unexpected non-whitespace character after JSON${place}`],
    ["expected-array", `Expected an array at the JSON Pointer in JSON${place}`],
    ["invalid-utf8", `Invalid UTF-8 in JSON${place}`],
    ["string-too-long", `String too long in JSON${place}`],
    ["value-too-large", `Value too large for this engine in JSON${place}`],
    ["too-deep", `Nesting too deep in JSON${place}`],
    ["detached-buffer", "Cannot parse a detached buffer"],
  ];
  for (const [code, message] of messages) {
    it(`has a message for ${code}`, () => {
      for (const truncated of [false, true]) {
        const expected = { ok: false as const, code, message, offset: 7, line: 2, column: 3, truncated };
        assertEquals(makeFailure(code, 0x78, 7, 2, 3, truncated), expected);
      }
    });
  }

  it("shows an unexpected byte, as a character if it is printable", () => {
    for (let byte = 0; byte < 256; byte++) {
      const shown = byte >= 0x20 && byte < 0x7f
        ? `token '${String.fromCharCode(byte)}'`
        : `byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
      assertStrictEquals(
        makeFailure("unexpected-token", byte, 7, 2, 3, false).message,
        `Unexpected ${shown} in JSON${place}`,
      );
    }
  });
});
