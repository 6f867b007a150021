/**
 * Iterates over the values so far of a document while it arrives.
 *
 * @module
 */

import type { ParseFailure } from "../base/failure.ts";
import { Queue } from "../base/queue.ts";
import { bytesOf, lengthOf } from "../engine/input.ts";
import { guardsAmong, pieceGuardsOf } from "../guards/options.ts";
import { type ByteSource, checkedChunk } from "./byte_source.ts";
import {
  checkTokenLimit,
  type ChunkParser,
  endChunks,
  MAX_TOKEN_BYTES,
  newChunkParser,
  parseChunk,
  takeResult,
} from "./chunk_parser.ts";
import { completePartial, hasCredit, newPartialReader, NOTHING, readPartial } from "./partial_value.ts";
import { Pieces } from "./piece_cutter.ts";
import { PieceIterator, type PieceReader } from "./piece_iterator.ts";
import type { ParsePartialOptions, PartialResult, TextSource } from "./stream_options.ts";
import { TextEncoding } from "./text_chunks.ts";

const { is } = Object;

/** Returns the iterator of `parsePartial`. */
export function iteratePartial<T>(
  source: ByteSource | TextSource,
  options: ParsePartialOptions,
): PieceIterator<PartialResult<T>> {
  const text = new TextEncoding();
  const reader = new PartialValueReader<T>(options, text);
  const pieces = new Pieces(
    source as ByteSource,
    options,
    (chunk) => typeof chunk === "string" ? text.encode(chunk) : text.before(checkedChunk(chunk)),
  );
  return new PieceIterator(pieces, reader, options.signal);
}

/** Reads the values so far of pieces. */
class PartialValueReader<T> implements PieceReader<PartialResult<T>> {
  readonly items = new Queue<PartialResult<T>>();
  readonly #text: TextEncoding;
  readonly #parser: ChunkParser;
  readonly #partial = newPartialReader();
  readonly #interval: number;
  /** Time of the last value, and the timer of the next one. */
  #passedOn = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  wake = (): void => {};

  constructor(options: ParsePartialOptions, text: TextEncoding) {
    const { maxTokenBytes = MAX_TOKEN_BYTES, interval = 0 } = options;
    checkTokenLimit(maxTokenBytes);
    if (typeof interval !== "number" || !(interval >= 0)) {
      throw new TypeError(`Cannot wait for ${String(interval)} milliseconds: expected a number from 0 up`);
    }
    if ((options as { select?: unknown }).select !== undefined) {
      throw new TypeError("Cannot select from a value that is not complete: parsePartial has no option select");
    }
    const guards = guardsAmong(pieceGuardsOf(options, "parsePartial"), "parsePartial", false);
    // All of them, as prototypes may have properties of these names.
    const callbacks = { onValue: undefined, onFailure: undefined, onInvalid: undefined };
    this.#parser = newChunkParser(undefined, null, null, maxTokenBytes, callbacks, guards);
    this.#text = text;
    this.#interval = interval;
  }

  read(piece: Uint8Array, endsChunk: boolean): boolean {
    if (!parseChunk(this.#parser, bytesOf(piece))) {
      this.end();
      return false;
    }
    if (endsChunk && this.#timer === undefined) {
      const wait = this.#interval === 0 ? 0 : this.#passedOn + this.#interval - performance.now();
      if (wait <= 0) this.#passOn();
      else this.#timer = setTimeout(() => this.#passOnLate(), wait);
    }
    return true;
  }

  end(): void {
    const partial = this.#partial;
    const half = this.#text.take();
    if (lengthOf(half) > 0) parseChunk(this.#parser, half);
    endChunks(this.#parser);
    const result = takeResult(this.#parser);
    if (result.ok) this.items.add({ ok: true, value: completePartial(partial, result.value) as T, isComplete: true });
    else this.items.add(result as ParseFailure);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #passOnLate(): void {
    this.#timer = undefined;
    this.#passOn();
    this.wake();
  }

  /** Passes the value so far on if it has changed, and there was enough input for the work. */
  #passOn(): void {
    const { state } = this.#parser;
    const partial = this.#partial;
    const before = partial.value;
    if (!hasCredit(partial, state)) return;
    const value = readPartial(partial, state);
    if (value === NOTHING || is(value, before)) return;
    if (this.#interval > 0) this.#passedOn = performance.now();
    this.items.add({ ok: true, value: value as never, isComplete: false });
  }
}
