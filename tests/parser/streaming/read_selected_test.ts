import { assertEquals, assertLess } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cursor } from "../../../parser/base/cursor.ts";
import { maskOf } from "../../../parser/wanted/selector.ts";
import {
  endChunks,
  MAX_TOKEN_BYTES,
  newChunkParser,
  parseChunk,
  takeResult,
} from "../../../parser/streaming/chunk_parser.ts";
import { selectBinary, selector } from "../../../select.ts";
import { utf8 } from "../../support/bytes.ts";
import { evenCuts, piecesAt } from "../../support/cuts.ts";

describe("readSelected()", () => {
  const items = Array.from({ length: 60 }, (_, i) => ({ id: i, name: `name ${i}`, tags: ["a", [i, "b"]] }));
  const bytes = utf8(JSON.stringify({ items, total: items.length }));

  for (const mask of [{ total: true }, { items: [{ id: true, tags: [true] }] }] as const) {
    it(`reads each byte a few times for ${JSON.stringify(mask)}, however small the chunks are`, () => {
      const select = selector(mask);
      const expected = selectBinary(bytes, select);
      const compiled = maskOf(select)!;
      for (const size of [1, 2, 5, 16, 100, 500, 2_000]) {
        for (const cut of evenCuts(bytes.length, size)) {
          let read = 0;
          const counting: typeof compiled.selectValue = (selection, node, p) => {
            const value = compiled.selectValue(selection, node, p);
            read += (cursor.position < 0 ? selection.bytes.length : cursor.position) - p;
            return value;
          };
          const parser = newChunkParser(undefined, null, { ...compiled, selectValue: counting }, MAX_TOKEN_BYTES, {});
          for (const piece of piecesAt(bytes, cut)) parseChunk(parser, piece);
          endChunks(parser);
          assertEquals(takeResult(parser), expected);
          assertLess(read, 6 * bytes.length, `bytes in chunks of ${size}`);
        }
      }
    });
  }
});
