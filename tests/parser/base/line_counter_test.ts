/**
 * Lines and columns of failures behind everything that may move them: whole and in pieces.
 * `tests/library/matrix_test.ts` has random lines.
 */

import { describe, it } from "@std/testing/bdd";
import { lineCountHints } from "../../../parser/base/cursor.ts";
import { utf8 } from "../../support/bytes.ts";
import { singleCuts } from "../../support/cuts.ts";
import { assertRead, type Reading } from "../../support/readers.ts";

const SEPARATIONS = [undefined, "lines", "concatenated"] as const;
type Separation = (typeof SEPARATIONS)[number];

describe("the location of a failure", () => {
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
    it(`is that of its offset, wherever the input is cut: ${multiple ?? "one document"}`, () => {
      const reading: Reading = multiple === undefined ? {} : { separation: multiple };
      for (const [i, last] of IRREGULAR.entries()) {
        lineCountHints.isInKeys = 0; // as in a process that has met no such key
        for (const document of documents(multiple, last).slice(i === 0 ? 0 : -1)) {
          const bytes = utf8(document);
          assertRead(bytes, reading, [[], ...singleCuts(bytes.length)]);
        }
      }
    });
  }
});
