/**
 * Parses the only document of a source.
 *
 * @module
 */

import { pieceGuardsOf, type PointerGuardOptions, pointerGuards } from "../guards/options.ts";
import { type Pointer, tokensOf } from "../selecting/pointer_node.ts";
import { nodeOf } from "../selecting/selector.ts";
import type { BinaryParserOptions } from "./binary_parser.ts";
import { checkTokenLimit, MAX_TOKEN_BYTES } from "./chunk_parser.ts";
import type { Pieces } from "./piece_cutter.ts";
import { PointerParser } from "./pointer_parser.ts";
import type { ParseStreamOptions } from "./stream_options.ts";

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
export function pointerParser(
  at: Pointer,
  options: ParseStreamOptions & { stopWhenFound?: boolean | undefined },
): PointerParser {
  const { select, stopWhenFound = false, maxTokenBytes = MAX_TOKEN_BYTES } = options;
  checkTokenLimit(maxTokenBytes);
  // What is read is limited by the reader of the source.
  const guards = pointerGuards(
    { ...options, maxBytes: undefined } as PointerGuardOptions,
    "parseStream with a pointer",
    true,
  );
  const mask = select === undefined ? null : nodeOf(select);
  return new PointerParser(tokensOf(at), stopWhenFound, mask, maxTokenBytes, false, guards);
}

/** Makes options of a parser of one document. None is left out, so that none is inherited. */
export function documentOptions<T>(options: ParseStreamOptions<T>): BinaryParserOptions<T> {
  const { select, maxTokenBytes } = options;
  return {
    ...pieceGuardsOf(options, "parseStream"),
    multiple: undefined,
    at: undefined,
    select,
    onValue: undefined,
    onFailure: undefined,
    onInvalid: undefined,
    maxTokenBytes,
  };
}
