/** Reads the values of a source while its bytes arrive, one by one or in batches. */

import type { ParseFailure } from "../base/failure.ts";
import { Queue } from "../base/queue.ts";
import { bytesOf } from "../engine/input.ts";
import { STREAM_NAMES } from "../base/option_names.ts";
import { pieceGuards } from "../options/options.ts";
import { type ByteSource, openBytes } from "./byte_source.ts";
import { type ChunkParser, endChunks, parseChunk, takeResult } from "./chunk_parser.ts";
import { newParserOf } from "./parser_of_options.ts";
import { BETWEEN, canRecover, ParserSink, type ParserState, SKIPPING } from "./parser_state.ts";
import { Pieces } from "./pieces.ts";
import { PieceIterator, type PieceReader } from "./piece_iterator.ts";
import type {
  BatchOption,
  BytesOption,
  InvalidValue,
  JsonParseStreamOptions,
  ParseValuesOptions,
  StreamedValue,
} from "./stream_options.ts";

const TRANSFORM_NAMES = /* @__PURE__ */ STREAM_NAMES.concat("select", "multiple", "at", "where", "batch", "bytes");
const VALUES_NAMES = /* @__PURE__ */ TRANSFORM_NAMES.concat("signal");

/** @throws {TypeError} If the flag is not a boolean. */
function isFlag(options: BatchOption<boolean> & BytesOption, name: "batch" | "bytes"): boolean {
  const value = options[name];
  if (value === undefined || typeof value === "boolean") return value === true;
  throw new TypeError(`Cannot parse this way: expected "${name}" to be a boolean`);
}

/** Returns the iterator of `parseValues`, over values or batches of them. */
export function iterateValues<T>(
  source: ByteSource,
  options: ParseValuesOptions<T> & BatchOption<boolean> & BytesOption,
): PieceIterator<StreamedValue<T> | StreamedValue<T>[]> {
  const reader = new ValuesReader<T>(options, "parseValues");
  return new PieceIterator(new Pieces(options, () => openBytes(source)), reader, options.signal);
}

/** Reads the values of pieces, valid or not. */
export class ValuesReader<T> extends ParserSink implements PieceReader<StreamedValue<T> | StreamedValue<T>[]> {
  override readonly wantsFailuresAtOnce = false;
  readonly items = new Queue<StreamedValue<T> | StreamedValue<T>[]>();
  readonly #parser: ChunkParser;
  readonly #isBatched: boolean;
  /** Maximum bytes of a value that are kept until it has ended; 0 if its bytes are not wanted. */
  readonly #maxKept: number;
  /** Values of the current piece, if they are wanted in batches, and their number. */
  #batch: (StreamedValue<T> | null)[] = [];
  #batchSize = 0;
  /** Whether reading continues after a failure. */
  readonly #skipsFailures: boolean;
  wake = (): void => {};

  /** @throws {TypeError} If an option is wrong. */
  constructor(
    options: JsonParseStreamOptions<T> & BatchOption<boolean> & BytesOption,
    caller: "parseValues" | "JsonParseStream",
  ) {
    super();
    const guards = pieceGuards(options, caller === "parseValues" ? VALUES_NAMES : TRANSFORM_NAMES, caller, true);
    const { multiple = "lines" } = options;
    this.#isBatched = isFlag(options, "batch");
    const keepsBytes = isFlag(options, "bytes");
    this.#parser = newParserOf(options, multiple, guards, this);
    this.#maxKept = keepsBytes ? this.#parser.maxTokenBytes : 0;
    this.#skipsFailures = canRecover({ multiple });
  }

  override onValue({ value, key, count, start, end, line }: ParserState): void {
    let result: StreamedValue<T> = { ok: true, value: value as T, index: count - 1, start, end, line };
    if (key !== undefined) result = { ...result, key };
    this.#add(this.#maxKept === 0 ? result : { ...result, bytes: this.#copyOf(start, end) });
  }

  override onInvalid({ failure, index, start, end }: InvalidValue): void {
    const result = { ...failure, index, start, end };
    const { origin } = this.#parser.state.reader.buffer;
    const isKept = this.#maxKept > 0 && start >= origin && end - start <= this.#maxKept;
    this.#add(isKept ? { ...result, bytes: this.#copyOf(start, end) } : result);
  }

  override onFailure({ count }: ParserState, failure: ParseFailure): void {
    // A failure among entries, or a detached chunk, belongs to no value.
    if (this.#skipsFailures && failure.code !== "detached-buffer") return;
    const { offset } = failure;
    this.#add({ ...failure, index: count, start: offset, end: offset });
  }

  override get keepsValues(): boolean {
    return this.#maxKept > 0;
  }

  override keptFrom(state: ParserState): number {
    const { phase, start, reader: { buffer, position } } = state;
    if (this.#maxKept === 0 || phase === BETWEEN) return position;
    const from = start - buffer.origin;
    const isTooLong = phase === SKIPPING && (from < 0 || buffer.end - from > this.#maxKept);
    return isTooLong ? position : from;
  }

  read(piece: Uint8Array): boolean {
    const isValid = parseChunk(this.#parser, bytesOf(piece));
    this.#endBatch();
    return isValid || this.#skipsFailures;
  }

  end(): void {
    endChunks(this.#parser);
    takeResult(this.#parser);
    this.#endBatch();
  }

  stop(): void {}

  /** Copies the bytes between two offsets, which the parser still has. */
  #copyOf(start: number, end: number): Uint8Array<ArrayBuffer> {
    const { bytes, origin } = this.#parser.state.reader.buffer;
    return bytes.slice(start - origin, end - origin);
  }

  #add(value: StreamedValue<T>): void {
    if (!this.#isBatched) {
      this.items.add(value);
      return;
    }
    if (this.#batchSize === 0) this.#batch = [null, null, null, null, null, null, null, null];
    else if (this.#batchSize === this.#batch.length) this.#batch = this.#batch.concat(this.#batch);
    this.#batch[this.#batchSize++] = value;
  }

  #endBatch(): void {
    if (this.#batchSize === 0) return;
    this.items.add(this.#batch.slice(0, this.#batchSize) as StreamedValue<T>[]);
    this.#batch = [];
    this.#batchSize = 0;
  }
}
