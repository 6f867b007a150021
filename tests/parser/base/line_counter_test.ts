import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeFailure } from "../../../parser/base/failure.ts";
import { countLines } from "../../../parser/base/line_counter.ts";
import { countPendingReturn, failureAtOffset, newLinePosition } from "../../../parser/base/line_position.ts";
import { concat, utf8 } from "../../support/bytes.ts";
import { randomCut } from "../../support/cuts.ts";
import { withSeeds } from "../../support/random.ts";

describe("countLines()", () => {
  it("counts no byte twice, and none of an empty range", () => {
    const bytes = utf8("a\nb\n");
    const position = newLinePosition();
    const view = new DataView(bytes.buffer);
    countLines(position, bytes, view, 0, 0, 2);
    countLines(position, bytes, view, 0, 2, 2);
    assertEquals([position.lines, position.lineStart], [1, 2]);
  });

  it("leaves a carriage return at the end of a range to the next one that is not empty", () => {
    const bytes = utf8("\r\n");
    const position = newLinePosition();
    const view = new DataView(bytes.buffer);
    countLines(position, bytes, view, 0, 0, 1);
    countLines(position, bytes, view, 0, 1, 1);
    assertEquals([position.lines, position.isReturnPending], [0, true]);
    countLines(position, bytes, view, 0, 1, 2);
    assertEquals([position.lines, position.lineStart, position.isReturnPending], [1, 2, false]);
  });

  for (
    const text of [
      "a\nb",
      "é\n中😀",
      `${"x".repeat(600)}é\n${"y".repeat(2_000)}`,
      `${"a\n".repeat(600)}é${"a\n".repeat(300)}`,
      "a\rb\r\nc\r",
      "\r\r\n\n",
      "x".repeat(1_100) + "\n\n",
      "中\n".repeat(400) + "é",
      "aaaa\rbbbbbbb",
      "\f".repeat(8) + "a\rb",
      "a\n".repeat(510) + "é".repeat(8),
      "a\n".repeat(510) + "é\n".repeat(9) + "é",
      "é".repeat(510) + "aaa\rbbb",
    ]
  ) {
    it(`finds the place that describeFailure() does, after ${JSON.stringify(text.slice(0, 20))}, cut anywhere`, () => {
      const bytes = utf8(`${text}]`);
      const offset = bytes.length - 1;
      const expected = describeFailure(bytes, "unexpected-token", offset);
      const step = Math.ceil(bytes.length / 40);
      for (let cut = 0; cut <= offset; cut += step) {
        const position = newLinePosition();
        const view = new DataView(bytes.buffer);
        countLines(position, bytes, view, 0, 0, cut);
        countLines(position, bytes, view, 0, cut, offset);
        countPendingReturn(position, offset, bytes[offset]);
        assertEquals(
          failureAtOffset(position, offset, "unexpected-token", bytes[offset], false),
          expected,
          `cut at ${cut}`,
        );
      }
    });
  }

  for (
    const { kind, returns, characters } of [
      { kind: "ASCII", returns: [], characters: ["a", "a", "a", "\t", "\x0b", "\x0c", "\x0e", "\x7f", "J", "M"] },
      {
        kind: "characters",
        returns: [],
        characters: ["a", "é", "ʊ", "中", "ꊊ", "😀", "\u{8d8d}", "\u{10ffff}", "\u{40000}"],
      },
      { kind: "carriage returns", returns: ["\r", "\r\n"], characters: ["a", "\x0c", "é", "中", "😀"] },
    ] as { kind: string; returns: string[]; characters: string[] }[]
  ) {
    it(`finds the place that describeFailure() does, after random lines of ${kind}`, () => {
      withSeeds(1_000, (random) => {
        const ends = ["\n", ...random.once(2) ? returns : []];
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
});
