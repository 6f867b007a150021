/** Parses one document, or the value at a JSON Pointer in it, while its bytes arrive. */

import type { ParseFailure, ParseResult } from "../base/failure.ts";
import { bytesOf } from "../engine/input.ts";
import { refusedOption } from "../engine/argument_error.ts";
import { STREAM_NAMES } from "../base/option_names.ts";
import { pieceGuards, type PointerGuardOptions, pointerGuards } from "../options/options.ts";
import { maskOf } from "../selection/selector.ts";
import { type ChunkParser, endChunks, newChunkParser, parseChunk, takeResult } from "./chunk_parser.ts";
import type { ParseStreamOptions } from "./stream_options.ts";
import type { NoPlace } from "../selection/locate_document.ts";
import type { ValueAt } from "../selection/parse_values_at.ts";
import { type Pointer, tokensOf } from "../selection/pointers.ts";
import { type ElementReader, FIRST_TARGET, LAST_TARGET, newElementReader, tokensMatched } from "./read_elements.ts";

const DOCUMENT_NAMES = /* @__PURE__ */ STREAM_NAMES.concat("signal", "select", "at", "stopWhenFound");

/** Parser of one document. Unlike `BinaryParser`, it brings no filter into bundles (8 KB). */
export class DocumentParser<T> {
  readonly #parser: ChunkParser;

  /**
   * Makes a parser at the beginning of an input.
   *
   * @throws {TypeError} If an option is wrong.
   */
  constructor(options: ParseStreamOptions<T>) {
    const guards = pieceGuards(options, DOCUMENT_NAMES, "parseStream", true);
    const { select, maxTokenBytes } = options;
    const { stopWhenFound } = options as { stopWhenFound?: unknown };
    if (stopWhenFound !== undefined) throw refusedOption("stopWhenFound", stopWhenFound, 'it needs "at"');
    const mask = select === undefined ? null : maskOf(select);
    this.#parser = newChunkParser(undefined, null, mask, maxTokenBytes, guards);
  }

  /** Parses the next bytes. Returns `false` once the input has had a failure. */
  push(bytes: Uint8Array): boolean {
    return parseChunk(this.#parser, bytesOf(bytes));
  }

  end(): ParseResult<T> {
    endChunks(this.#parser);
    return takeResult(this.#parser) as ParseResult<T>;
  }
}

/** Parser of the value at a JSON Pointer, for one input. */
export class PointerParser {
  readonly #elements: ElementReader;
  readonly #parser: ChunkParser;

  /**
   * Makes a parser at the beginning of an input.
   *
   * @throws {TypeError} If the pointer or an option is wrong.
   */
  constructor(at: Pointer, options: ParseStreamOptions & { stopWhenFound?: boolean | undefined }) {
    const caller = "parseStream with a pointer";
    const guards = pointerGuards(options as PointerGuardOptions, DOCUMENT_NAMES, caller, true, false);
    const { select, stopWhenFound = false, maxTokenBytes } = options;
    const mask = select === undefined ? null : maskOf(select);
    this.#elements = newElementReader(tokensOf(at), guards, stopWhenFound ? FIRST_TARGET : LAST_TARGET);
    this.#parser = newChunkParser(undefined, this.#elements, mask, maxTokenBytes, guards);
  }

  /**
   * Parses the next bytes. Returns `false` once the result is certain: the input is wrong or, if
   * the parser stops, the value has ended or cannot come.
   */
  push(bytes: Uint8Array): boolean {
    const { state } = this.#parser;
    return parseChunk(this.#parser, bytes) && !state.isCertain;
  }

  end(): ValueAt | NoPlace | ParseFailure {
    endChunks(this.#parser);
    const { end: { place: { depth, start, end } }, line, column } = this.#elements;
    const result = takeResult(this.#parser);
    if (!result.ok) return result;
    const matched = tokensMatched(this.#elements);
    if (matched < depth) return { ok: true, found: false, depth: matched };
    return { ok: true, found: true, value: result.value, start, end, line, column };
  }
}
