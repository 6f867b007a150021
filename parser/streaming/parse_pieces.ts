/**
 * Parses the only document of a source.
 *
 * @module
 */

import type { ParseResult } from "../base/parse_result.ts";
import type { BinaryParser, BinaryParserOptions } from "./binary_parser.ts";
import type { Pieces } from "./piece_cutter.ts";
import type { ParseStreamOptions } from "./stream_options.ts";

/** Parses pieces up to the first failure or the end, and cancels the source after a failure. */
export async function parsePieces<T>(pieces: Pieces, parser: BinaryParser<T>): Promise<ParseResult<T>> {
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
    if (parser.push(piece)) continue;
    const result = parser.end();
    pieces.cancel(result);
    return result;
  }
  return parser.end();
}

/** Makes options of a parser of one document. None is left out, so that none is inherited. */
export function documentOptions<T>({ select, maxTokenBytes }: ParseStreamOptions<T>): BinaryParserOptions<T> {
  return {
    multiple: undefined,
    at: undefined,
    select,
    onValue: undefined,
    onFailure: undefined,
    onInvalid: undefined,
    maxTokenBytes,
  };
}
