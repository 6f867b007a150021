/** Lines and columns of failures, behind everything that may move them: whole and in pieces. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { needsLineCount } from "../../parser/base/cursor.ts";
import { parseBinary, type ParseFailure } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { utf8 } from "../support/bytes.ts";
import { type Cut, piecesAt, randomCut, singleCuts } from "../support/cuts.ts";
import { withSeeds } from "../support/random.ts";
import { placeAt } from "../support/reference.ts";

const SEPARATIONS = [undefined, "lines", "concatenated"] as const;
type Separation = (typeof SEPARATIONS)[number];

type Place = [offset: number, line: number, column: number];

/** Returns the places of the failures that a parser or a validator finds in pieces. */
function failuresOf(
  Reader: typeof BinaryParser | typeof BinaryValidator,
  pieces: Iterable<Uint8Array>,
  multiple: Separation,
): Place[] {
  const places: Place[] = [];
  const onFailure = ({ offset, line, column }: ParseFailure): void => void places.push([offset, line, column]);
  const reader = new Reader(multiple === undefined ? {} : { multiple, onFailure });
  for (const piece of pieces) reader.push(piece);
  const result = reader.end();
  if (multiple === undefined && !result.ok) onFailure(result);
  return places;
}

/** Returns the places of the failures, of which a validator finds the offsets. */
function expectedPlaces(bytes: Uint8Array, multiple: Separation): Place[] {
  return failuresOf(BinaryValidator, [bytes], multiple).map(([offset]) => {
    const { line, column } = placeAt(bytes, offset);
    return [offset, line, column];
  });
}

/** Asserts that each failure has the line and the column of its offset, at each cut. */
function assertPlaces(bytes: Uint8Array, multiple: Separation, cuts: Iterable<Cut>, how = ""): void {
  const expected = expectedPlaces(bytes, multiple);
  for (const read of multiple === undefined ? [parseBinary, validateBinary] : []) {
    const { offset, line, column } = read(bytes) as ParseFailure;
    assertEquals([[offset, line, column]], expected, how);
  }
  for (const cut of [[], ...cuts]) {
    for (const Reader of [BinaryParser, BinaryValidator]) {
      assertEquals(failuresOf(Reader, piecesAt(bytes, cut), multiple), expected, `${how}, cut at ${cut}`);
    }
  }
}

/** Characters, some of whose bytes differ from those of line ends in a bit, and ends of lines. */
const KINDS: Record<string, [characters: string[], ends: string[]]> = {
  "ASCII": [[..."aaaa\t\x0b\x0c\x0e\x7fJM"], ["\n"]],
  "characters": [[..."aéʊ中ꊊ😀\u8d8d\u{10ffff}\u{40000}"], ["\n"]],
  "carriage returns": [[..."a\x0cé中😀"], ["\n", "\r", "\r\n"]],
};

describe("the place of a failure", () => {
  for (const [kind, [characters, ends]] of Object.entries(KINDS)) {
    it(`is that of its offset, behind random lines of ${kind}`, () => {
      withSeeds(1_000, (random) => {
        // Blocks of 255 words are counted at once.
        const longest = random.pick([3, 30, 300, 3_000]);
        const isValid = random.once(2); // up to its end, or each line is skipped
        const used = isValid ? characters.filter((character) => character >= " ") : characters;
        const quote = isValid ? '"' : "";
        const line = (): string => {
          const text = random.pick(used).repeat(random.below(longest)) + random.repeat(0, 20, () => random.pick(used));
          return `${quote}${text}${quote && '",'}${random.pick(ends).repeat(1 + random.below(2))}`;
        };
        const text = `${random.once(9) ? "\ufeff" : ""}${isValid ? "[" : ""}${random.repeat(1, 4, line)}] x`;
        const bytes = utf8(text.slice(0, random.once(4) ? random.below(text.length) : undefined));
        const cut = randomCut(random, bytes.length).map((place) => {
          const found = random.once(2) ? bytes.indexOf(0x0d, place) : -1;
          return found < 0 ? place : found + 1;
        }).sort((a, b) => a - b);
        assertPlaces(bytes, isValid ? undefined : random.pick(SEPARATIONS.slice(1)), [cut]);
      });
    });
  }

  /** Values and whitespace that move lines or columns. */
  const PIECES = [
    ...['"a"', '"é"', '"\\né"', '"\\néè"', '"中"', '"\\n中"', '"😀"', '"\\n😀"', '"é\\n中"', `"${"a".repeat(30)}é"`],
    ...[`"${"é".repeat(40)}"`, "1\r", "1\r\n", "1 \r", "1\r\r\n", "1\n\n", "1\n\r", "1\r \n", "1\n        "],
    ...["1\r\n   ", "[\n1\r]", "[\r1]", "[1,\r2]", "tru\u00e9", "1 \u00e9\r2", '"\u00e9', "[1\r\n,2]", "[\r1,\n2]"],
  ];

  /** Ends of keys after which the key cache holds a line end, or a byte beyond ASCII. */
  const IRREGULAR = ['é":', '":\n', '"\n:', '"\r:', '"\r\n:'];

  let keys = 0;

  /** Returns documents with a failure behind each piece, twice, so that caches have met it. */
  function documents(multiple: Separation, last: string): string[] {
    const name = `key ${keys++} of a document`; // which no cache has met
    return [...PIECES, `{"${name}":1}`, `{"${name}${last}1}`].map((piece) =>
      multiple === undefined ? `[${piece},${piece}, 3 x` : `${piece}\n${piece} 1 x\n${piece}\n x\n`
    );
  }

  for (const multiple of SEPARATIONS) {
    it(`is right wherever the input is cut: ${multiple ?? "one document"}`, () => {
      for (const [i, last] of IRREGULAR.entries()) {
        needsLineCount.isInKeys = 0; // as in a process that has met no such key
        for (const document of documents(multiple, last).slice(i === 0 ? 0 : -1)) {
          const bytes = utf8(document);
          assertPlaces(bytes, multiple, singleCuts(bytes.length), document);
        }
      }
    });
  }
});
