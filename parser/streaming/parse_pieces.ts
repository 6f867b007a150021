/**
 * Parses the only document of a source.
 *
 * @module
 */

import { type Pointer, tokensOf } from "../selecting/pointer_node.ts";
import { nodeOf } from "../selecting/selector.ts";
import type { BinaryParserOptions } from "./binary_parser.ts";
import { checkTokenLimit, MAX_TOKEN_BYTES } from "./chunk_parser.ts";
import type { Pieces } from "./piece_cutter.ts";
import { PointerParser } from "./pointer_parser.ts";
import type { ParseStreamAtOptions, ParseStreamOptions } from "./stream_options.ts";

interface PieceParser<R> {
  push(piece: Uint8Array): boolean;
  end(): R;
}

/** Parses pieces until `push` returns `false`, which cancels the source, or they end. */
export async function parsePieces<R>(pieces: Pieces, parser: PieceParser<R>): Promise<R> {
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
    if (parser.push(piece)) continue;
    const result = parser.end();
    pieces.cancel(result);
    return result;
  }
  return parser.end();
}

/**
 * Makes a parser of the value at a pointer.
 *
 * @throws {TypeError} If the pointer or another option is wrong.
 */
export function pointerParser(at: Pointer, options: Omit<ParseStreamAtOptions, "at">): PointerParser {
  const { select, stopWhenFound = false, maxTokenBytes = MAX_TOKEN_BYTES } = options;
  checkTokenLimit(maxTokenBytes);
  return new PointerParser(tokensOf(at), stopWhenFound, select === undefined ? null : nodeOf(select), maxTokenBytes);
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
