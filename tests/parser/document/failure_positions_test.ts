/** Lines and columns of failures in streams, behind everything that may move them. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BinaryParser } from "../../../parser/streaming/binary_parser.ts";
import { BinaryValidator } from "../../../parser/validation/binary_validator.ts";
import { USUAL_SIZE } from "../../../parser/streaming/chunk_buffer.ts";
import { needsLineCount } from "../../../parser/base/cursor.ts";

type Multiple = "lines" | "concatenated" | undefined;
interface Position {
  line: number;
  column: number;
  offset: number;
}

const encoder = new TextEncoder();
let keys = 0;

/**
 * Returns values and whitespace. `name` is a key that no cache has met; `last` is the last piece.
 */
function pieces(name: string, last: string): string[] {
  const strings = ['"a"', '"\u00e9"', '"\\n\u00e9"', '"\\n\u00e9\u00e8"', '"\u6f22"', '"\\n\u6f22"', '"\u{1f600}"'];
  strings.push('"\\n\u{1f600}"', '"\u00e9\\n\u6f22"', `"${"a".repeat(30)}\u00e9"`, `"${"\u00e9".repeat(40)}"`);
  const spaces = [
    "1\r",
    "1\r\n",
    "1 \r",
    "1\r\r\n",
    "1\n\n",
    "1\n\r",
    "1\r \n",
    "1\n        ",
    "1\r\n   ",
    "[\n1\r]",
    "[\r1]",
    "[1,\r2]",
  ];
  const others = [`{"${name}":1}`, "tru\u00e9", "1 \u00e9\r2", '"\u00e9', "[1\r\n,2]", "[\r1,\n2]"];
  return [...strings, ...spaces, ...others, `{"${name}${last}1}`];
}

/** Returns the places of the failures that a parser or validator finds in chunks. */
function placesOf(
  Reader: typeof BinaryParser | typeof BinaryValidator,
  chunks: Uint8Array[],
  multiple: Multiple,
): Position[] {
  const positions: Position[] = [];
  const onFailure = ({ line, column, offset }: { line: number; column: number; offset: number }): void => {
    positions.push({ line, column, offset });
  };
  const reader = new Reader(multiple === undefined ? {} : { multiple, onFailure });
  for (const chunk of chunks) reader.push(chunk);
  const result = reader.end();
  if (multiple === undefined && !result.ok) {
    positions.push({ line: result.line, column: result.column, offset: result.offset });
  }
  return positions;
}

/** Returns the places of a validator, which counts lines by itself. */
function expected(bytes: Uint8Array, multiple: Multiple): Position[] {
  return placesOf(BinaryValidator, [bytes], multiple);
}

function found(chunks: Uint8Array[], multiple: Multiple): Position[] {
  return placesOf(BinaryParser, chunks, multiple);
}

/** Ends of keys after which the key cache holds a line end, or a byte beyond ASCII. */
const IRREGULAR = ['\u00e9":', '":\n', '"\n:', '"\r:', '"\r\n:'];

/** Returns documents with a failure behind each piece, twice, so that caches have met it. */
function documents(multiple: Multiple, last: string): string[] {
  const result: string[] = [];
  for (const piece of pieces(`key ${keys++} of a document`, last)) {
    if (multiple === undefined) result.push(`[${piece},${piece}, 3 x`);
    else result.push(`${piece}\n${piece} 1 x\n${piece}\n x\n`);
  }
  return result;
}

describe("places of failures", () => {
  for (const multiple of [undefined, "lines", "concatenated"] as const) {
    const name = multiple ?? "one document";

    it(`are right wherever a document is cut: ${name}`, () => {
      for (const last of IRREGULAR) {
        needsLineCount.isInKeys = 0; // as in a process that has met no such key
        for (const document of documents(multiple, last)) {
          const bytes = encoder.encode(document);
          const positions = expected(bytes, multiple);
          assertEquals(found([bytes], multiple), positions, document);
          for (let cut = 1; cut < bytes.length; cut++) {
            const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
            assertEquals(found(chunks, multiple), positions, `${document} ${cut}`);
          }
        }
      }
    });

    it(`are right wherever the buffer is full: ${name}`, () => {
      needsLineCount.isInKeys = 0;
      for (const [i, document] of documents(multiple, IRREGULAR[0]).entries()) {
        const bytes = encoder.encode(multiple === undefined ? document.slice(1) : `\n${document}`);
        for (let cut = 1 + i % 2; cut < bytes.length; cut += 2) {
          const padded = new Uint8Array(USUAL_SIZE + bytes.length).fill(0x61);
          padded.set(encoder.encode('["'));
          padded.set(encoder.encode(multiple === undefined ? '",' : '"]'), USUAL_SIZE - cut - 2);
          padded.set(bytes, USUAL_SIZE - cut);
          const chunk = padded.subarray(0, USUAL_SIZE - cut + bytes.length);
          assertEquals(found([chunk], multiple), expected(chunk, multiple), `${document} ${cut}`);
        }
      }
    });
  }
});
