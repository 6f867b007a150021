/**
 * Tests of texts in the charsets that the middleware of Express knows, malformed ones above all.
 */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isKnownCharset, toText, toUtf8 } from "../../middleware/charset.ts";
import { utf8 } from "../support/bytes.ts";

/** Bytes of numbers, each in four bytes. */
function utf32(codePoints: number[], isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(4 * codePoints.length);
  const view = new DataView(bytes.buffer);
  for (const [i, codePoint] of codePoints.entries()) view.setUint32(4 * i, codePoint, isLittle);
  return bytes;
}

describe("isKnownCharset()", () => {
  it("knows the encodings of Unicode, with and without a byte order", () => {
    const names = ["utf-8", "utf8", "utf-16", "utf16", "utf-16le", "utf-16-be", "utf-32", "utf32be", "utf-32le"];
    for (const name of names) assertEquals(isKnownCharset(name), true, name);
    for (const name of ["", "utf-7", "utf-16xe", "xutf-16", "latin1", "utf-64"]) {
      assertEquals(isKnownCharset(name), false, name);
    }
  });
});

describe("toUtf8()", () => {
  it("returns bytes of UTF-8 as they are, malformed ones too", () => {
    const bytes = utf8("[", 0xff, "]");
    for (const charset of ["utf-8", "utf8"]) assertStrictEquals(toUtf8(bytes, charset), bytes);
  });

  it("converts every range of code points", () => {
    const points = [0x5b, 0xff, 0xd7ff, 0xe000, 0xfeff, 0xffff, 0x10000, 0x10ffff];
    for (const isLittle of [true, false]) {
      const bytes = utf32(points, isLittle);
      assertEquals(toUtf8(bytes, `utf-32${isLittle ? "le" : "be"}`), utf8(String.fromCodePoint(...points)));
      assertEquals(toUtf8(bytes, "utf-32"), utf8(String.fromCodePoint(...points)));
    }
  });

  it("leaves out a byte-order mark at the beginning alone", () => {
    for (const isLittle of [true, false]) {
      assertEquals(toUtf8(utf32([0xfeff, 0x31, 0xfeff], isLittle), "utf-32"), utf8("1\ufeff"));
    }
    assertEquals(toUtf8(Uint8Array.of(0xfe, 0xff, 0, 0x31), "utf-16"), utf8("1"));
    assertEquals(toUtf8(Uint8Array.of(0xff, 0xfe, 0x31, 0), "utf-16"), utf8("1"));
  });

  const MALFORMED: { name: string; bytes: Uint8Array; charset: string }[] = [
    { name: "half a surrogate pair", bytes: Uint8Array.of(0x5b, 0, 0, 0xd8), charset: "utf-16le" },
    { name: "half a code unit", bytes: Uint8Array.of(0x5b, 0, 0x5d), charset: "utf-16le" },
    { name: "half a code unit, big-endian", bytes: Uint8Array.of(0, 0x5b, 0), charset: "utf-16" },
    { name: "part of a code point", bytes: Uint8Array.of(0x5b, 0, 0, 0, 0x5d), charset: "utf-32le" },
    { name: "a code point above all", bytes: utf32([0x5b, 0x110000], true), charset: "utf-32" },
    { name: "the first surrogate", bytes: utf32([0x5b, 0xd800], false), charset: "utf-32" },
    { name: "the last surrogate", bytes: utf32([0x5b, 0xdfff], false), charset: "utf-32be" },
  ];
  for (const { name, bytes, charset } of MALFORMED) {
    it(`refuses ${name}`, () => {
      assertEquals(toUtf8(bytes, charset), undefined);
      assertEquals(toText(bytes, charset), new TextDecoder().decode(bytes));
    });
  }
});

describe("toText()", () => {
  it("decodes bytes, and replaces malformed UTF-8", () => {
    assertEquals(toText(utf32([0x5b, 0x1f600], false), "utf-32"), "[😀");
    assertEquals(toText(Uint8Array.of(0x5b, 0, 0xe9, 0), "utf-16"), "[é");
    assertEquals(toText(utf8("[", 0xff, "]"), "utf-8"), "[\ufffd]");
  });

  it("reads a part of a buffer alone", () => {
    const bytes = utf32([0x5b, 0x31, 0x5d], true).subarray(4, 8);
    assertEquals(toText(bytes, "utf-32le"), "1");
  });
});
