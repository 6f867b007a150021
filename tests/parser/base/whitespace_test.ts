/** Whitespace between tokens in `parser/base/whitespace.ts`. */

import { assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { skipIndentation, skipWhitespace } from "../../../parser/base/whitespace.ts";
import { utf8 } from "../../support/bytes.ts";
import { type Random, withSeeds } from "../../support/random.ts";

/**
 * Returns the position of the first byte from `p` on that is none of the four characters, or `end`.
 */
function expectedPosition(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && "\t\n\r ".includes(String.fromCharCode(bytes[p]))) p++;
  return p;
}

function indentationEnd(bytes: Uint8Array, p: number, end: number): number {
  return skipIndentation(bytes, new DataView(bytes.buffer), p, end);
}

/** Whitespace as in random documents, with another byte now and then. */
function mostlyWhitespace(random: Random): Uint8Array {
  const piece = (): string => random.pick([" ", "\n", "\r\n", "\t", "    ", " ".repeat(13), "\n        ", "x", "\v"]);
  return utf8(random.repeat(0, 9, piece));
}

describe("skipWhitespace()", () => {
  it("skips space, tab, line feed and carriage return, and none of the other 252 bytes", () => {
    for (let byte = 0; byte < 256; byte++) {
      const isWhitespace = [0x20, 0x09, 0x0a, 0x0d].includes(byte);
      assertStrictEquals(skipWhitespace(Uint8Array.of(byte, 0x78), 0, 2), isWhitespace ? 1 : 0, `byte ${byte}`);
    }
  });

  it("stops at the end, though whitespace follows", () => {
    const bytes = utf8("\n\r\t      ");
    for (let start = 0; start <= 9; start++) {
      for (let end = start; end <= 9; end++) assertStrictEquals(skipWhitespace(bytes, start, end), end);
    }
  });

  it("agrees with a look at each byte", () => {
    withSeeds(1_000, (random) => {
      const bytes = mostlyWhitespace(random);
      assertStrictEquals(skipWhitespace(bytes, 0, bytes.length), expectedPosition(bytes, 0, bytes.length));
    });
  });
});

describe("skipIndentation()", () => {
  it("skips a line feed and any number of spaces before each byte, at any distance from the end", () => {
    for (let spaces = 0; spaces <= 35; spaces++) {
      for (let after = 0; after <= 9; after++) {
        const bytes = utf8(`\n${" ".repeat(spaces)}${"x".repeat(after)}`);
        assertStrictEquals(indentationEnd(bytes, 0, bytes.length), 1 + spaces, `${spaces} spaces, ${after} bytes`);
      }
    }
  });

  it("stops at each byte that is no whitespace, in every place of a word", () => {
    for (let spaces = 0; spaces <= 12; spaces++) {
      for (let byte = 0; byte < 256; byte++) {
        const bytes = utf8("\n", " ".repeat(spaces), byte, "\n   \t        x");
        const end = bytes.length;
        assertStrictEquals(indentationEnd(bytes, 0, end), expectedPosition(bytes, 0, end), `${spaces} spaces, ${byte}`);
      }
    }
  });

  it("skips one space and what may follow it", () => {
    for (const text of [" x", " ", "  x", " \n x", " \t\r\nx", "\t x", "\r\n   x"]) {
      const bytes = utf8(text);
      assertStrictEquals(indentationEnd(bytes, 0, bytes.length), text.replace("x", "").length, JSON.stringify(text));
    }
  });

  it("stops at the end, though whitespace follows", () => {
    const bytes = utf8(`\n${" ".repeat(40)}`);
    for (let end = 1; end <= 41; end++) assertStrictEquals(indentationEnd(bytes, 0, end), end);
  });

  it("agrees with a look at each byte, from every start to every end", () => {
    withSeeds(500, (random) => {
      const bytes = mostlyWhitespace(random);
      for (let start = 0; start < bytes.length; start++) {
        if (bytes[start] > 0x20) continue;
        for (let end = start + 1; end <= bytes.length; end++) {
          assertStrictEquals(indentationEnd(bytes, start, end), expectedPosition(bytes, start, end));
        }
      }
    });
  });
});

describe("skipIndentation() before other content", () => {
  it("stops at each byte that is no whitespace, though spaces follow", () => {
    for (let spaces = 0; spaces <= 12; spaces++) {
      for (let byte = 0x21; byte < 256; byte++) {
        const bytes = utf8("\n", " ".repeat(spaces), byte, " ".repeat(20));
        assertStrictEquals(indentationEnd(bytes, 0, bytes.length), spaces + 1, `${spaces} spaces, ${byte}`);
      }
    }
  });
});
