/** Lines and columns of failures in streams, behind everything that may move them. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { needsLineCount } from "../../../parser/base/cursor.ts";
import { USUAL_SIZE } from "../../../parser/streaming/chunk_buffer.ts";
import { BinaryParser } from "../../../parse_stream.ts";
import { BinaryValidator } from "../../../validate_binary.ts";
import { concat, utf8 } from "../../support/bytes.ts";

type Multiple = "lines" | "concatenated" | undefined;

let keys = 0;

/** Values and whitespace that move lines or columns. */
const PIECES = [
  ...[
    '"a"',
    '"\u00e9"',
    '"\\n\u00e9"',
    '"\\n\u00e9\u00e8"',
    '"\u6f22"',
    '"\\n\u6f22"',
    '"\u{1f600}"',
    '"\\n\u{1f600}"',
  ],
  ...['"\u00e9\\n\u6f22"', `"${"a".repeat(30)}\u00e9"`, `"${"\u00e9".repeat(40)}"`, "1\r", "1\r\n", "1 \r", "1\r\r\n"],
  ...["1\n\n", "1\n\r", "1\r \n", "1\n        ", "1\r\n   ", "[\n1\r]", "[\r1]", "[1,\r2]", "tru\u00e9", "1 \u00e9\r2"],
  ...['"\u00e9', "[1\r\n,2]", "[\r1,\n2]"],
];

/** Ends of keys after which the key cache holds a line end, or a byte beyond ASCII. */
const IRREGULAR = ['\u00e9":', '":\n', '"\n:', '"\r:', '"\r\n:'];

/** Returns documents with a failure behind each piece, twice, so that caches have met it. */
function documents(multiple: Multiple, last: string): string[] {
  const name = `key ${keys++} of a document`; // which no cache has met
  return [...PIECES, `{"${name}":1}`, `{"${name}${last}1}`].map((piece) =>
    multiple === undefined ? `[${piece},${piece}, 3 x` : `${piece}\n${piece} 1 x\n${piece}\n x\n`
  );
}

/** Returns the places of the failures that a parser or validator finds in chunks. */
function placesOf(
  Reader: typeof BinaryParser | typeof BinaryValidator,
  chunks: Uint8Array[],
  multiple: Multiple,
): number[][] {
  const places: number[][] = [];
  const onFailure = ({ line, column, offset }: { line: number; column: number; offset: number }): void => {
    places.push([line, column, offset]);
  };
  const reader = new Reader(multiple === undefined ? {} : { multiple, onFailure });
  for (const chunk of chunks) reader.push(chunk);
  const result = reader.end();
  if (multiple === undefined && !result.ok) onFailure(result);
  return places;
}

/** Asserts that a parser finds the places of a validator, which counts lines by itself. */
function assertPlaces(bytes: Uint8Array, multiple: Multiple, cuts: Iterable<number>, how: string): void {
  const expected = placesOf(BinaryValidator, [bytes], multiple);
  for (const cut of cuts) {
    const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
    assertEquals(placesOf(BinaryParser, chunks, multiple), expected, `${how}, cut at ${cut}`);
  }
}

describe("places of failures", () => {
  for (const multiple of [undefined, "lines", "concatenated"] as const) {
    it(`are right wherever a document is cut: ${multiple ?? "one document"}`, () => {
      for (const last of IRREGULAR) {
        needsLineCount.isInKeys = 0; // as in a process that has met no such key
        for (const document of documents(multiple, last)) {
          const bytes = utf8(document);
          assertPlaces(bytes, multiple, bytes.keys(), document);
        }
      }
    });

    it(`are right wherever the buffer is full: ${multiple ?? "one document"}`, () => {
      needsLineCount.isInKeys = 0;
      for (const [i, document] of documents(multiple, IRREGULAR[0]).entries()) {
        const bytes = utf8(multiple === undefined ? document.slice(1) : `\n${document}`);
        for (let cut = 1 + i % 2; cut < bytes.length; cut += 2) {
          const filler = new Uint8Array(USUAL_SIZE - cut).fill(0x61);
          filler.set(utf8('["'));
          filler.set(utf8(multiple === undefined ? '",' : '"]'), filler.length - 2);
          assertPlaces(concat([filler, bytes]), multiple, [0], document);
        }
      }
    });
  }
});
