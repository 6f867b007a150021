/**
 * Parses or locates the value at a JSON Pointer while bytes arrive.
 *
 * @module
 */

import type { ParseFailure } from "../base/failure.ts";
import type { Guards } from "../guards/options.ts";
import type { NoPlace, Place } from "../selecting/locate_document.ts";
import type { MaskNode } from "../selecting/mask_node.ts";
import type { ValueAt } from "../selecting/parse_values_at.ts";
import { type ChunkParser, endChunks, newChunkParser, parseChunk, takeResult } from "./chunk_parser.ts";
import { FIRST_TARGET, LAST_TARGET } from "./element_finder.ts";
import { type ElementReader, newElementReader } from "./read_elements.ts";

/** Parser of the value at a JSON Pointer, for one input. */
export class PointerParser {
  readonly #elements: ElementReader;
  readonly #parser: ChunkParser;

  /**
   * Makes a parser at the beginning of an input.
   *
   * @param tokens Tokens of the pointer.
   * @param stops Whether to read no further than the value.
   * @param mask What is wanted of the value; `null` for all of it.
   * @param skipsValue Whether nothing but the place is wanted.
   * @param guards Guards of the document, or of what is read of it; `null` for none.
   */
  constructor(
    tokens: readonly string[],
    stops: boolean,
    mask: MaskNode | null,
    maxTokenBytes: number,
    skipsValue = false,
    guards: Guards | null = null,
  ) {
    this.#elements = newElementReader(tokens, guards, stops ? FIRST_TARGET : LAST_TARGET, skipsValue);
    this.#parser = newChunkParser(undefined, this.#elements, mask, maxTokenBytes, {}, guards);
  }

  /**
   * Parses the next bytes. Returns `false` once the result is certain: the input is wrong or, if
   * the parser stops, the value has ended or cannot come.
   */
  push(bytes: Uint8Array): boolean {
    const { state } = this.#parser;
    return parseChunk(this.#parser, bytes) && !state.isCertain;
  }

  /** Ends the input. */
  end(): ValueAt | Place | NoPlace | ParseFailure {
    endChunks(this.#parser);
    const { finder, place, skipsValue } = this.#elements;
    const { isFound, matched } = finder;
    const result = takeResult(this.#parser);
    if (!result.ok) return result;
    if (!isFound) return { ok: true, found: false, depth: matched };
    const { start, end, line, column } = place!;
    if (skipsValue) return { ok: true, found: true, start, end, line, column };
    return { ok: true, found: true, value: result.value, start, end, line, column };
  }
}
