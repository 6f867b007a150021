/** Lines and columns of failures: of whole inputs by `failure.ts`, of pieces by `line_counter.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { countUtf16Units, describeFailure } from "../../../parser/base/failure.ts";
import { countLines } from "../../../parser/base/line_counter.ts";
import { countPendingReturn, failureAtOffset, newLinePosition } from "../../../parser/base/line_position.ts";
import { concat, utf8 } from "../../support/bytes.ts";
import { randomCut } from "../../support/cuts.ts";
import { withSeeds } from "../../support/random.ts";

/** Line and column of an offset, byte by byte. */
function placeOf(bytes: Uint8Array, offset: number): [line: number, column: number] {
  let line = 1;
  let column = 1;
  for (let p = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0; p < offset; p++) {
    if (bytes[p] === 0x0a || bytes[p] === 0x0d && bytes[p + 1] !== 0x0a) {
      line++;
      column = 1;
    } else if (bytes[p] < 0x80 || bytes[p] >= 0xc0) column += bytes[p] >= 0xf0 ? 2 : 1;
  }
  return [line, column];
}

describe("describeFailure()", () => {
  it("counts lines and UTF-16 code units up to each offset, in inputs of every length", () => {
    withSeeds(100, (random) => {
      const pieces = ["a", "b", "\n", "\r", "\r\n", "é", "中", "😀", "0123456789", "\ufeff"];
      const text = random.repeat(0, 120, () => random.pick(pieces));
      for (const bytes of [utf8(text), utf8("abc", text).subarray(3), utf8(`\ufeff${text}`)]) {
        for (let offset = 0; offset <= bytes.length; offset++) {
          const failure = describeFailure(bytes, "invalid-utf8", offset);
          assertEquals([failure.line, failure.column], placeOf(bytes, offset), `offset ${offset}`);
          assertStrictEquals(failure.offset, offset);
        }
      }
    });
  });

  it("takes a CR for the end of a line unless an LF follows within the input", () => {
    const bytes = utf8("a\r\nb");
    assertEquals(describeFailure(bytes, "invalid-utf8", 2).line, 1);
    assertEquals(describeFailure(bytes, "invalid-utf8", 2, 2).line, 2);
    assertEquals(describeFailure(bytes, "invalid-utf8", 3).line, 2);
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

describe("countLines()", () => {
  const KINDS: { kind: string; returns: string[]; characters: string[] }[] = [
    { kind: "ASCII", returns: [], characters: ["a", "a", "a", "\t", "\x0b", "\x0c", "\x0e", "\x7f", "J", "M"] },
    {
      kind: "characters",
      returns: [],
      characters: ["a", "é", "ʊ", "中", "ꊊ", "😀", "\u{8d8d}", "\u{10ffff}", "\u{40000}"],
    },
    { kind: "carriage returns", returns: ["\r", "\r\n"], characters: ["a", "\x0c", "é", "中", "😀"] },
  ];
  for (const { kind, returns, characters } of KINDS) {
    it(`finds the places that describeFailure() does, after random lines of ${kind}, cut anywhere`, () => {
      withSeeds(1_000, (random) => {
        const ends = ["\n", ...random.once(2) ? returns : []];
        // Blocks of 255 words are counted at once.
        const longest = random.pick([3, 30, 300, 3_000]);
        const line = (): string => {
          const one = random.pick(characters);
          const some = random.repeat(0, 20, () => random.pick(characters));
          return one.repeat(random.below(longest)) + some + random.pick(ends).repeat(1 + random.below(2));
        };
        const text = random.repeat(1, 4, line) + random.repeat(0, random.pick([3, 80]), () => random.pick(characters));
        const bytes = utf8(`${text}]`);
        const position = newLinePosition();
        let from = 0;
        const cuts = randomCut(random, bytes.length - 1).map((place) => {
          const found = random.once(2) ? bytes.indexOf(0x0d, place) : -1;
          return found < 0 ? place : found + 1;
        }).sort((a, b) => a - b);
        for (const to of [...cuts, bytes.length - 1]) {
          // Bytes that were counted may be gone, and other bytes may follow the rest.
          const origin = random.once(2) ? from : random.below(from + 1);
          const buffer = concat([bytes.subarray(origin, to), utf8("\n\r\xff\n")]);
          countLines(position, buffer, new DataView(buffer.buffer), origin, from - origin, to - origin);
          const copy = { ...position };
          countPendingReturn(copy, to, bytes[to]);
          const found = failureAtOffset(copy, to, "unexpected-token", bytes[to], false);
          assertEquals(found, describeFailure(bytes, "unexpected-token", to), `at ${to}`);
          from = to;
        }
      });
    });
  }

  for (const text of [`${"a\n".repeat(510)}é`, `${"a\n".repeat(510)}${"é\n".repeat(9)}é`, "x".repeat(1_100) + "\n\n"]) {
    it(`counts ${text.length} characters across the ends of its blocks, cut anywhere`, () => {
      const bytes = utf8(`${text}]`);
      const offset = bytes.length - 1;
      for (let cut = 0; cut <= offset; cut += 26) {
        const position = newLinePosition();
        const view = new DataView(bytes.buffer);
        countLines(position, bytes, view, 0, 0, cut);
        countLines(position, bytes, view, 0, cut, offset);
        const found = failureAtOffset(position, offset, "unexpected-token", bytes[offset], false);
        assertEquals(found, describeFailure(bytes, "unexpected-token", offset), `cut at ${cut}`);
      }
    });
  }
});
