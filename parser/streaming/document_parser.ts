/**
 * Parses one document while its bytes arrive, for streams.
 *
 * @module
 */

import type { ParseResult } from "../base/parse_result.ts";
import { bytesOf } from "../engine/input.ts";
import { guardsAmong, pieceGuardsOf } from "../guarded/options.ts";
import { maskOf } from "../wanted/selector.ts";
import { type ChunkParser, endChunks, newChunkParser, parseChunk, takeResult } from "./chunk_parser.ts";
import type { ParseStreamOptions } from "./stream_options.ts";

/**
 * Parser of one document. Unlike `BinaryParser`, it brings no filter into bundles (`parseStream`,
 * compressed: 8 KB less).
 */
export class DocumentParser<T> {
  readonly #parser: ChunkParser;

  /**
   * Makes a parser at the beginning of an input.
   *
   * @throws {TypeError} If an option is wrong.
   */
  constructor(options: ParseStreamOptions<T>) {
    const { select, maxTokenBytes } = options;
    const guards = guardsAmong(pieceGuardsOf(options, "parseStream"), "parseStream", true);
    const mask = select === undefined ? null : maskOf(select);
    this.#parser = newChunkParser(undefined, null, mask, maxTokenBytes, guards);
  }

  /** Parses the next bytes. Returns `false` once the input has had a failure. */
  push(bytes: Uint8Array): boolean {
    return parseChunk(this.#parser, bytesOf(bytes));
  }

  /** Ends the input. */
  end(): ParseResult<T> {
    endChunks(this.#parser);
    return takeResult(this.#parser) as ParseResult<T>;
  }
}
