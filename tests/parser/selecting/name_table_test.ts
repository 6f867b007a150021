/** Names by their bytes in `parser/selecting/name_table.ts`, and their UTF-8 in `utf8.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { encodeUtf8, findMember, newNameTable } from "../../../parser/selecting/name_table.ts";
import { utf8 } from "../../support/bytes.ts";
import { withSeeds } from "../../support/random.ts";

/** Asserts that each name is found, within other bytes, and that others are not. */
function assertFound(names: string[], others: string[]): void {
  const table = newNameTable(names);
  const find = (name: string): number => {
    const bytes = utf8('"', name, '"');
    return findMember(table, bytes, 1, bytes.length - 1);
  };
  assertEquals(names.map(find), names.map((_, i) => i));
  assertEquals(others.map(find), others.map(() => -1));
}

describe("findMember()", () => {
  it("finds no name in a table of none", () => {
    assertFound([], ["", "a", "name"]);
  });

  it("tells names apart that are beginnings of each other", () => {
    const names = Array.from({ length: 60 }, (_, i) => "abcdefgh".repeat(8).slice(0, i));
    assertFound(names.filter((_, i) => i % 2 === 0), names.filter((_, i) => i % 2 === 1));
  });

  it("tells names apart that the hash does not: of one length, first, last and middle byte", () => {
    const names = Array.from({ length: 676 }, (_, i) => {
      return `a${String.fromCharCode(97 + i % 26)}m${String.fromCharCode(97 + Math.floor(i / 26))}z`;
    });
    assertFound(names.slice(0, 400), names.slice(400));
  });

  it("finds names beyond ASCII", () => {
    assertFound(["é", "中文", "😀", "naïve", "\u0000", "\u007f"], ["è", "中", "😁", "naive", "\u0001", "e\u0301"]);
  });

  it("finds names with a lone surrogate in no bytes that are valid", () => {
    assertFound(["a", "b"], ["\ufffd"]);
    const table = newNameTable(["\ud800", "\udc00x"]);
    for (const text of ["\ufffd", "\ufffdx", "😀", "\ud7ff", "\ue000"]) {
      const bytes = utf8(text);
      assertStrictEquals(findMember(table, bytes, 0, bytes.length), -1);
    }
  });

  it("finds random names", () => {
    withSeeds(80, (random) => {
      const name = (): string => random.repeat(0, 12, () => random.pick(["a", "b", "c", "é", "中", "😀", " "]));
      const names = [...new Set(Array.from({ length: 1 + random.below(200) }, name))];
      const others = Array.from({ length: 50 }, name).filter((other) => !names.includes(other));
      assertFound(names, others);
    });
  });
});

describe("encodeUtf8()", () => {
  it("encodes code points as TextEncoder does", () => {
    const encoder = new TextEncoder();
    const borders = [0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
    for (let codePoint = 0; codePoint < 0x110000; codePoint += 61) borders.push(codePoint);
    for (const codePoint of borders) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const text = `a${String.fromCodePoint(codePoint)}b`;
      assertStrictEquals(encodeUtf8(text).join(), encoder.encode(text).join());
    }
    assertEquals(encodeUtf8(""), new Uint8Array(0));
  });

  it("encodes a lone surrogate as three bytes that no input may have", () => {
    assertEquals([...encodeUtf8("\ud800")], [0xed, 0xa0, 0x80]);
    assertEquals([...encodeUtf8("\udfff")], [0xed, 0xbf, 0xbf]);
    assertEquals([...encodeUtf8("\udc00\ud83d")], [0xed, 0xb0, 0x80, 0xed, 0xa0, 0xbd]);
    assertEquals([...encodeUtf8("a\ud83db")], [0x61, 0xed, 0xa0, 0xbd, 0x62]);
  });
});
