/** Iterates over the values so far of a document while it arrives. */

import type { ParseFailure } from "../base/failure.ts";
import { Queue } from "../base/queue.ts";
import { refusedOption } from "../engine/argument_error.ts";
import { bytesOf } from "../engine/input.ts";
import { STREAM_NAMES } from "../base/option_names.ts";
import { partialGuards } from "../options/options.ts";
import { type ByteSource, checkedChunk, openSource, type Source } from "./byte_source.ts";
import { type ChunkParser, endChunks, newChunkParser, takeResult, TextChunks } from "./chunk_parser.ts";
import {
  completePartial,
  growPartial,
  hasCredit,
  newPartialReader,
  readPartial,
  readPartialBetween,
} from "./partial_value.ts";
import { AFTER, ParserSink, type ParserState } from "./parser_state.ts";
import { Pieces } from "./pieces.ts";
import { Prose } from "./prose.ts";
import { PieceIterator, type PieceReader } from "./piece_iterator.ts";
import type { ParsePartialOptions, PartialResult, TextSource } from "./stream_options.ts";

const { is } = Object;

const PARTIAL_NAMES = /* @__PURE__ */ STREAM_NAMES.concat("signal", "interval", "embedded");

/** Makes the value so far during parsing, which takes less time than between two chunks. */
class PartialSink extends ParserSink {
  partial = newPartialReader();
  /** Whether a value may be passed on after the current piece. */
  isWanted = false;
  /** Whether the input has ended, after which the value so far needs no update. */
  isEnding = false;
  /** Whether the value had ended before the failure. */
  isComplete = false;
  /** Whether anything may follow the value. */
  isEmbedded = false;

  override changesState(state: ParserState): boolean {
    return state.isCertain = this.isEmbedded;
  }

  override afterReading(state: ParserState): void {
    if (this.isWanted && hasCredit(this.partial, state)) readPartial(this.partial, state);
  }

  override afterText(state: ParserState, text: string): void {
    if (this.isWanted && hasCredit(this.partial, state)) growPartial(this.partial, state, text);
  }

  override beforeFailure(state: ParserState, isReading: boolean): void {
    if (this.isEnding || state.readers.isViolated) return; // was called before the violation
    this.isComplete = state.phase === AFTER;
    if (isReading) readPartial(this.partial, state);
    else readPartialBetween(this.partial, state);
  }
}

/** Returns the iterator of `parsePartial`. */
export function iteratePartial<T>(
  source: ByteSource | TextSource,
  options: ParsePartialOptions,
): PieceIterator<PartialResult<T>, Uint8Array | string> {
  const reader = new PartialValueReader<T>(options);
  const pieces = new Pieces(options, () => {
    return openSource(
      source as Source<Uint8Array | string>,
      (chunk) => typeof chunk === "string" ? chunk : checkedChunk(chunk),
    );
  });
  return new PieceIterator(pieces, reader, options.signal);
}

/** Reads the values so far of pieces. */
class PartialValueReader<T> implements PieceReader<PartialResult<T>, Uint8Array | string> {
  readonly items = new Queue<PartialResult<T>>();
  readonly #text = new TextChunks();
  readonly #parser: ChunkParser;
  readonly #sink = new PartialSink();
  readonly #interval: number;
  /** Time of the last value, and the timer of the next one. */
  #passedOn = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  wake = (): void => {};

  constructor(options: ParsePartialOptions) {
    const guards = partialGuards(options, PARTIAL_NAMES, "parsePartial");
    const { maxTokenBytes, interval = 0, embedded = false } = options;
    if (typeof interval !== "number" || !(interval >= 0)) {
      throw new TypeError(`Cannot wait for ${String(interval)} milliseconds: expected a non-negative number`);
    }
    this.#parser = newChunkParser(undefined, null, null, maxTokenBytes, guards, this.#sink);
    const { state } = this.#parser;
    state.readers.beforeViolation = () => this.#sink.beforeFailure(state, true);
    if (typeof embedded !== "boolean" && embedded !== "object") {
      throw refusedOption("embedded", embedded, 'expected true, false or "object"');
    }
    if (embedded !== false) {
      this.#parser.prose = new Prose(embedded === "object");
      this.#sink.isEmbedded = true;
    }
    this.#interval = interval;
  }

  read(piece: Uint8Array | string, endsChunk: boolean): boolean {
    const { value } = this.#sink.partial;
    const wait = this.#interval === 0 ? 0 : this.#passedOn + this.#interval - performance.now();
    this.#sink.isWanted = endsChunk && wait <= 0;
    if (!this.#parse(piece) || this.#parser.state.isCertain) {
      this.#passOnResult(value);
      return false;
    }
    if (this.#sink.isWanted) this.#passOn(value);
    else if (endsChunk && this.#timer === undefined) this.#timer = setTimeout(() => this.#passOnLate(), wait);
    return true;
  }

  end(): void {
    const { partial } = this.#sink;
    const { value } = partial;
    readPartialBetween(partial, this.#parser.state);
    this.#sink.isEnding = true;
    this.#text.end(this.#parser);
    this.#parser.prose?.end(this.#parser);
    this.#passOnResult(value);
  }

  abandon(): void {
    const { partial } = this.#sink;
    const { value } = partial;
    const { state } = this.#parser;
    readPartialBetween(partial, state);
    this.#sink.isComplete = state.phase === AFTER;
    this.#passOnLast(value);
  }

  /** Passes on the complete value or, after its last partial value, the failure. */
  #passOnResult(before: unknown): void {
    const { partial } = this.#sink;
    endChunks(this.#parser);
    const result = takeResult(this.#parser);
    if (result.ok) {
      const { start, end } = this.#parser.state;
      const place = this.#sink.isEmbedded ? { start, end } : {};
      this.items.add({ ok: true, value: completePartial(partial, result.value) as T, isComplete: true, ...place });
    } else {
      this.#passOnLast(before);
      this.items.add(result as ParseFailure);
    }
  }

  /** Passes on the value so far if it has grown, or is complete. */
  #passOnLast(before: unknown): void {
    const { partial: { value }, isComplete } = this.#sink;
    if (isComplete) this.items.add({ ok: true, value: value as T, isComplete });
    else this.#passOn(before);
  }

  stop(): void {
    this.#clearTimer();
    this.#sink.partial = newPartialReader(); // releases the values
  }

  #clearTimer(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Parses a piece. Returns `false` once the input has had a failure. */
  #parse(piece: Uint8Array | string): boolean {
    return this.#text.parse(this.#parser, typeof piece === "string" ? piece : bytesOf(piece));
  }

  #passOnLate(): void {
    const { partial } = this.#sink;
    const { value } = partial;
    this.#timer = undefined;
    readPartialBetween(partial, this.#parser.state);
    this.#passOn(value);
    this.wake();
  }

  /** Passes on the value so far if it has changed. */
  #passOn(before: unknown): void {
    const { value } = this.#sink.partial;
    if (is(value, before)) return;
    this.#clearTimer();
    if (this.#interval > 0) this.#passedOn = performance.now();
    this.items.add({ ok: true, value: value as never, isComplete: false });
  }
}
