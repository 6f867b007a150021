/**
 * Parses JSON while its bytes arrive. {@linkcode parseStream} returns the value of one document,
 * {@linkcode parseValues} iterates over many values of one input: JSON Lines, concatenated
 * documents, or the elements of an array. {@linkcode JsonParseStream} is the same as a
 * `TransformStream`, and {@linkcode BinaryParser} takes chunks from a caller of any kind.
 *
 * @module
 */

import { Transform } from "./parser/transform.ts";
import {
  type ByteSource,
  checkedChunk,
  checkMaxBytes,
  type Chunks,
  openSource,
  raceAbort,
  tooManyBytes,
} from "./byte_source.ts";
import { detach } from "./detach.ts";
import type { FailureCode, ParseFailure, ParseResult, ParseSuccess } from "./parse_binary.ts";
import {
  BinaryParser,
  type BinaryParserOptions,
  type InvalidValue,
  type ParsedValue,
  type ValueSeparation,
} from "./parser/binary_parser.ts";
import { bufferOf, lengthOf, NO_OPTIONS, offsetOf } from "./parser/input.ts";
import { Queue } from "./parser/queue.ts";

export { BinaryParser };
export type {
  BinaryParserOptions,
  ByteSource,
  FailureCode,
  InvalidValue,
  ParsedValue,
  ParseFailure,
  ParseResult,
  ParseSuccess,
  ValueSeparation,
};

/** Milliseconds of a time slice by default: with one more piece, a turn takes less than 10 ms. */
const TIME_SLICE = 8;

/**
 * Most bytes parsed between two looks at the clock. At 100 MB/s they take 0.7 ms, and a look at the
 * clock takes 0.1 µs.
 */
const PIECE_BYTES = 64 * 2 ** 10;

/** Options of {@linkcode parseStream}. */
export interface ParseStreamOptions {
  /** Most bytes to read; unlimited by default. */
  maxBytes?: number | undefined;
  /**
   * Most bytes of a string or number that ends of chunks cut: no other bytes are kept until the next
   * chunk. More are the failure `"value-too-large"`. By default 512 MiB, more than any string may
   * have.
   */
  maxTokenBytes?: number | undefined;
  /**
   * Milliseconds after which parsing lets other tasks of the event loop run, 8 by default;
   * `Infinity` for never. Without it, a source whose chunks are there already would be parsed in
   * one turn.
   */
  timeSlice?: number | undefined;
  /**
   * Whether to detach each chunk once it is parsed, which frees it and **takes it away from
   * everybody else who holds it**. `true` by default: pass `false` if anybody else reads the
   * chunks, for example if `source` is an array of yours. A chunk that does not cover the whole of
   * its buffer is never detached.
   */
  detachChunks?: boolean | undefined;
  /** Signal that aborts parsing, even while it waits for the source. */
  signal?: AbortSignal | undefined;
}

/** Options of {@linkcode parseValues}. */
export interface ParseValuesOptions extends ParseStreamOptions {
  /**
   * Separation of the values. `"lines"`, the default, is [JSON Lines](https://jsonlines.org), one
   * value on each line that is not blank; `"concatenated"` is one value after the other, on any
   * number of lines; `"elements"` are the elements of one array.
   */
  multiple?: ValueSeparation | undefined;
  /**
   * JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) of the array, for
   * `"elements"`: `""`, the default, is the document itself, `"/data/items"` a member of a member.
   */
  at?: string | undefined;
}

/** Options of a {@linkcode JsonParseStream}. */
export type JsonParseStreamOptions = Omit<ParseValuesOptions, "signal">;

/**
 * One of many values of an input, or the failure of one that is not valid. Offsets and lines count
 * from the beginning of the input.
 */
export type StreamedValue<T = unknown> = (ParseSuccess<T> | ParseFailure) & {
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /**
   * Offset after the last byte; for an invalid value, the end of the line that the failure is in.
   * Both offsets of a failure among elements are its own.
   */
  end: number;
  /** Line of the first byte, from 1; for an invalid value, the line of the failure. */
  line: number;
};

/**
 * Parses one JSON text while its bytes arrive.
 *
 * The result is that of `parseBinary` for all bytes in one buffer, values, failures and positions
 * included. It is there soon after the last byte: parsing overlaps receiving, and no buffer is ever
 * as large as the input. Only the bytes of a string or number that the end of a chunk cuts are kept
 * until the next chunk.
 *
 * **The chunks are detached once they are parsed**, also if `source` is an array of yours. Pass
 * `detachChunks: false` to keep them.
 *
 * Nothing is read after the first failure. The source is then cancelled (`cancel()` of a stream,
 * `destroy()` of a Node.js `Readable`, `return()` of any other iterator), and so it is if reading
 * fails for any reason. A stream is unlocked at the end.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source Source of the bytes.
 * @param options Limits, treatment of chunks, time slice, and an abort signal.
 * @returns `{ ok: true, value }` or, for bytes that are not a JSON text,
 * `{ ok: false, code, message, offset, line, column }`. The promise rejects
 * - with a `RangeError` for more than `maxBytes`,
 * - with the reason of the signal once it is aborted,
 * - with the error of the source if it fails,
 * - with a `TypeError` for a source of another type, a locked stream, a chunk that is not a
 *   `Uint8Array`, and an option out of its range.
 *
 * @example The body of a request
 * ```ts
 * import { parseStream } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("https://example.org/", { method: "POST", body: '{"id": 7}' });
 * const result = await parseStream<{ id: number }>(request.body ?? [], {
 *   maxBytes: 1_000_000,
 *   signal: request.signal,
 * });
 * assertEquals(result, { ok: true, value: { id: 7 } });
 * ```
 */
export async function parseStream<T = unknown>(
  source: ByteSource,
  options: ParseStreamOptions = NO_OPTIONS,
): Promise<ParseResult<T>> {
  const { maxTokenBytes, signal } = options;
  const parser = new BinaryParser<T>(documentOptions(maxTokenBytes));
  const pieces = new Pieces(source, options);
  try {
    signal?.throwIfAborted();
    return await raceAbort(parsePieces(pieces, parser), signal);
  } catch (error) {
    pieces.cancel(error);
    throw error;
  }
}

async function parsePieces<T>(pieces: Pieces, parser: BinaryParser<T>): Promise<ParseResult<T>> {
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
    if (parser.push(piece)) continue;
    const result = parser.end();
    pieces.cancel(result);
    return result;
  }
  return parser.end();
}

/**
 * Iterates over the values of an input while its bytes arrive: the documents of JSON Lines, of
 * concatenated JSON, or the elements of an array. Memory is bounded by the largest value and one
 * chunk, however long the input is.
 *
 * A value that is not valid JSON is a failure among the results, never an exception. With `"lines"`
 * and `"concatenated"`, the next value is that on the line after it. With `"elements"`, a failure
 * is the last result. It has the code `"expected-array"` if there is no array at the pointer.
 * Elements are parsed; everything around them is validated and skipped without making values.
 *
 * A value is parsed when it is asked for: no more values wait than one chunk has, and the source is
 * not read while one waits. **The chunks are detached once they are parsed**, unless
 * `detachChunks: false` is given.
 *
 * The end of the loop, however it comes, ends reading: `break`, an exception, or an abort cancels
 * the source and frees the values that wait. Call `return()`, or declare the iterator by
 * `await using`, if you call `next()` yourself.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 * @param source Source of the bytes.
 * @param options Separation of the values, limits, treatment of chunks, time slice, and an abort
 * signal.
 * @returns An iterator of `{ ok: true, value, index, start, end, line }` and, for a value that is
 * not valid, `{ ok: false, code, message, offset, line, column, index, start, end }`. `next()`
 * rejects, once, for the reasons that {@linkcode parseStream} rejects for; the iterator has then
 * ended.
 * @throws {TypeError} For a source of another type, a locked stream, a pointer that is none, and an
 * option out of its range.
 *
 * @example JSON Lines from a file
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const file = new Blob(['{"id": 1}\n{"id": }\n{"id": 3}\n']).stream();
 * const ids: number[] = [];
 * for await (const line of parseValues<{ id: number }>(file)) {
 *   if (line.ok) ids.push(line.value.id);
 *   else assertEquals(line.message, "Unexpected token '}' in JSON at position 17 (line 2 column 8)");
 * }
 * assertEquals(ids, [1, 3]);
 * ```
 *
 * @example Elements of an array within a document
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const { body } = new Response('{"total": 2, "data": {"items": ["a", "b"]}}');
 * const items: string[] = [];
 * for await (const item of parseValues<string>(body!, { multiple: "elements", at: "/data/items" })) {
 *   if (!item.ok) throw new SyntaxError(item.message);
 *   items.push(item.value);
 * }
 * assertEquals(items, ["a", "b"]);
 * ```
 */
export function parseValues<T = unknown>(
  source: ByteSource,
  options: ParseValuesOptions = NO_OPTIONS,
): AsyncIterableIterator<StreamedValue<T>, undefined> & AsyncDisposable {
  return new ValueIterator<T>(source, options);
}

/** Call of `next` that waits for a value. */
interface ValueRequest<T> {
  resolve(result: IteratorResult<StreamedValue<T>, undefined>): void;
  reject(error: unknown): void;
}

/**
 * Iterator of {@linkcode parseValues}. It is no async generator: `return` must end it while `next`
 * waits for a source that stalls, and an await for each value would cost more than parsing a short
 * one.
 */
class ValueIterator<T> implements AsyncIterableIterator<StreamedValue<T>, undefined>, AsyncDisposable {
  readonly #pieces: Pieces;
  readonly #parser: BinaryParser<T>;
  readonly #signal: AbortSignal | undefined;
  /** Continues after a failure. */
  readonly #skipsFailures: boolean;
  /** Values that wait. */
  readonly #values = new Queue<StreamedValue<T>>();
  /** Calls of `next` that wait. There are none while values wait. */
  readonly #requests = new Queue<ValueRequest<T>>();
  #isReading = false;
  /** Whether the source is read no more. */
  #hasEnded = false;
  /** Error that the next call of `next` rejects with. */
  #error: { reason: unknown } | undefined = undefined;

  constructor(source: ByteSource, options: ParseValuesOptions) {
    const { signal } = options;
    this.#parser = new BinaryParser<T>(parserOptions(options, (value) => this.#values.add(value)));
    this.#skipsFailures = options.multiple !== "elements";
    this.#pieces = new Pieces(source, options);
    this.#signal = signal;
    if (signal?.aborted) this.#fail(signal.reason);
    else signal?.addEventListener("abort", this.#abort);
  }

  next(): Promise<IteratorResult<StreamedValue<T>, undefined>> {
    const value = this.#values.take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.#error !== undefined) {
      const { reason } = this.#error;
      this.#error = undefined;
      return Promise.reject(reason);
    }
    if (this.#hasEnded) {
      this.#ignoreSignal();
      return Promise.resolve({ done: true, value: undefined });
    }
    return new Promise((resolve, reject) => {
      this.#requests.add({ resolve, reject });
      if (!this.#isReading) void this.#read();
    });
  }

  return(): Promise<IteratorResult<StreamedValue<T>, undefined>> {
    this.#stop(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stop(undefined);
    return Promise.resolve();
  }

  /** Parses pieces until no request is left. */
  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (!this.#requests.isEmpty) {
        const piece = await this.#pieces.next();
        if (this.#hasEnded) return;
        if (piece === undefined) {
          this.#parser.end();
          this.#hasEnded = true;
        } else if (!this.#parser.push(piece) && !this.#skipsFailures) {
          this.#hasEnded = true;
          this.#pieces.cancel(undefined);
        }
        this.#answer();
      }
    } catch (error) {
      if (!this.#hasEnded) this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Answers requests with the values that the parser has made of the last piece. */
  #answer(): void {
    while (!this.#requests.isEmpty && !this.#values.isEmpty) {
      this.#requests.take()!.resolve({ done: false, value: this.#values.take()! });
    }
    if (this.#hasEnded) this.#answerDone();
  }

  /** Answers the requests that are left after the last value. */
  #answerDone(): void {
    if (!this.#requests.isEmpty) this.#ignoreSignal();
    for (let request = this.#requests.take(); request !== undefined; request = this.#requests.take()) {
      request.resolve({ done: true, value: undefined });
    }
  }

  /** Ends with an error, for the first call of `next` that waits or else for the next one. */
  #fail(reason: unknown): void {
    const request = this.#requests.take();
    if (request === undefined) this.#error = { reason };
    else request.reject(reason);
    this.#stop(reason);
  }

  /** Ends without the values that wait. */
  #stop(reason: unknown): void {
    this.#hasEnded = true;
    this.#values.clear();
    this.#pieces.cancel(reason);
    this.#ignoreSignal();
    this.#answerDone();
  }

  #ignoreSignal(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  #abort = (): void => {
    if (!this.#hasEnded || !this.#values.isEmpty) this.#fail(this.#signal!.reason);
  };
}

// An engine without Symbol.asyncDispose has defined the method as "undefined".
if (Symbol.asyncDispose === undefined) Reflect.deleteProperty(ValueIterator.prototype, "undefined");

/**
 * Parses the values of an input, as {@linkcode parseValues} does, in a pipeline of streams.
 *
 * The readable side has a result for each value, valid or not. It ends with the first failure of
 * `"elements"`, and cancels what is piped into it. Chunks are detached once they are parsed, unless
 * `detachChunks: false` is given: do so for a stream that came from `tee()`. The readable side
 * fails with a `RangeError` for more than `maxBytes`, and with a `TypeError` for a chunk that is
 * not a `Uint8Array`.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 *
 * @example Lines of a gzip file
 * ```ts
 * import { JsonParseStream } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const text = new Blob(['{"id": 1}\n{"id": 2}\n']);
 * const lines = text.stream()
 *   .pipeThrough(new CompressionStream("gzip"))
 *   .pipeThrough(new DecompressionStream("gzip"))
 *   .pipeThrough(new JsonParseStream<{ id: number }>());
 * const ids: number[] = [];
 * for await (const line of lines) if (line.ok) ids.push(line.value.id);
 * assertEquals(ids, [1, 2]);
 * ```
 */
export class JsonParseStream<T = unknown> implements TransformStream<Uint8Array, StreamedValue<T>> {
  /** Side that values leave by. */
  readonly readable: ReadableStream<StreamedValue<T>>;
  /** Side that bytes enter by. */
  readonly writable: WritableStream<Uint8Array>;

  /**
   * Makes a transform stream for one input.
   *
   * @param options Separation of the values, limits, treatment of chunks, and time slice.
   * @throws {TypeError} For a pointer that is none, and an option out of its range.
   */
  constructor(options: JsonParseStreamOptions = NO_OPTIONS) {
    let output: TransformStreamDefaultController<StreamedValue<T>>;
    const parser = new BinaryParser<T>(parserOptions(options, (value) => output.enqueue(value)));
    const skipsFailures = options.multiple !== "elements";
    const cutter = new PieceCutter(options, false);
    const transformer = {
      __proto__: null, // streams read further members
      start(controller): void {
        output = controller;
      },
      async transform(chunk): Promise<void> {
        cutter.take(checkedChunk(chunk), true);
        for (let piece = await cutter.next(); piece !== undefined; piece = await cutter.next()) {
          if (parser.push(piece) || skipsFailures) continue;
          cutter.free();
          output.terminate();
        }
      },
      flush(): void {
        parser.end();
      },
    } as Transformer<Uint8Array, StreamedValue<T>>;
    const { readable, writable } = new Transform<Uint8Array, StreamedValue<T>>(transformer);
    this.readable = readable;
    this.writable = writable;
  }
}

/** Makes options of a parser of one document. None is left out, so that none is inherited. */
function documentOptions<T>(maxTokenBytes: number | undefined): BinaryParserOptions<T> {
  return {
    multiple: undefined,
    at: undefined,
    onValue: undefined,
    onFailure: undefined,
    onInvalid: undefined,
    maxTokenBytes,
  };
}

/** Makes options of a parser that passes on each value, valid or not. */
function parserOptions<T>(
  { multiple = "lines", at, maxTokenBytes }: JsonParseStreamOptions,
  receive: (value: StreamedValue<T>) => void,
): BinaryParserOptions<T> {
  let count = 0;
  return {
    multiple,
    at,
    maxTokenBytes,
    onValue({ value, index, start, end, line }): void {
      count = index + 1;
      receive({ ok: true, value, index, start, end, line });
    },
    onInvalid({ failure, index, start, end }): void {
      count = index + 1;
      receive({ ...failure, index, start, end });
    },
    onFailure(failure): void {
      // Neither a failure among elements nor a chunk that is detached belongs to a value.
      if (multiple !== "elements" && failure.code !== "detached-buffer") return;
      receive({ ...failure, index: count, start: failure.offset, end: failure.offset });
    },
  };
}

/**
 * Cuts chunks into pieces, and lets other tasks of the event loop run before a piece once a time
 * slice is over.
 */
class PieceCutter {
  readonly #maxBytes: number;
  readonly #timeSlice: number;
  /** Milliseconds of a turn after which the next one is asked for. */
  readonly #timeToAsk: number;
  readonly #detachChunks: boolean;
  /** Bytes that may still be taken. */
  #room: number;
  #chunk: Uint8Array | undefined = undefined;
  /** Length of the chunk when it was taken. */
  #length = 0;
  /** Position in the chunk where the next piece begins. */
  #start = 0;
  #isDetachable = false;
  #turnStart = performance.now();
  /** Turn of the event loop after this one, once it was asked for. */
  #nextTurn: Turn | undefined = undefined;

  /**
   * Makes a cutter at the beginning of an input. With `asksEarly`, it asks for a turn of the event
   * loop before it needs one, and `endTurn` must be called at the end.
   */
  constructor(options: ParseStreamOptions, asksEarly: boolean) {
    const { maxBytes = Infinity, timeSlice = TIME_SLICE, detachChunks = true } = options;
    checkMaxBytes(maxBytes);
    if (typeof timeSlice !== "number" || !(timeSlice >= 0)) {
      throw new TypeError(`Cannot parse for ${String(timeSlice)} milliseconds at a time: expected a number from 0 up`);
    }
    this.#maxBytes = this.#room = maxBytes;
    this.#timeSlice = timeSlice;
    this.#timeToAsk = asksEarly ? timeSlice / 2 : timeSlice;
    this.#detachChunks = detachChunks;
  }

  /**
   * Takes a chunk to be cut. The one before it has been cut or freed.
   *
   * @throws {RangeError} If the bytes are too many. The chunk is then freed.
   */
  take(chunk: Uint8Array, isDetachable: boolean): void {
    this.#chunk = chunk;
    this.#length = lengthOf(chunk);
    this.#start = 0;
    this.#isDetachable = isDetachable;
    if (this.#length > this.#room) {
      this.free();
      throw tooManyBytes(this.#maxBytes);
    }
    this.#room -= this.#length;
  }

  /**
   * Returns the next piece of the chunk. After the last one, frees the chunk and returns
   * `undefined`. A chunk without bytes is a piece, since only a parser can tell whether its buffer
   * is detached.
   *
   * @throws {TypeError} If the chunk has another length than when it was taken.
   */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#start > 0 && this.#start >= this.#length) this.free();
    if (this.#chunk === undefined) return undefined;
    if (this.#elapsed() >= this.#timeSlice) {
      await this.#nextTurn!.hasBegun;
      this.#turnStart = performance.now();
      this.#nextTurn = undefined;
      if (this.#chunk === undefined) return undefined; // freed meanwhile
    }
    const chunk = this.#chunk;
    if (lengthOf(chunk) !== this.#length) {
      throw new TypeError("Cannot parse the rest of a chunk: its buffer was detached or resized");
    }
    const start = this.#start;
    this.#start = start + PIECE_BYTES;
    if (this.#length <= PIECE_BYTES) return chunk;
    return new Uint8Array(bufferOf(chunk), offsetOf(chunk) + start, Math.min(PIECE_BYTES, this.#length - start));
  }

  /**
   * Returns the milliseconds since this turn of the event loop began. Asks for the next one before
   * it is needed: where reading waits for the network, turns come by themselves, and nothing else
   * has to wait (10 MB from memory, in Deno: 100 ms instead of 133).
   */
  #elapsed(): number {
    const start = this.#nextTurn?.start ?? 0;
    if (start > 0) {
      this.#turnStart = start;
      this.#nextTurn = undefined;
    }
    const elapsed = performance.now() - this.#turnStart;
    if (elapsed >= this.#timeToAsk) this.#nextTurn ??= new Turn();
    return elapsed;
  }

  /** Asks for no turn of the event loop any more. */
  endTurn(): void {
    this.#nextTurn?.cancel();
    this.#nextTurn = undefined;
  }

  /** Frees the chunk, whether all of it was cut or not. */
  free(): void {
    if (this.#chunk !== undefined && this.#detachChunks && this.#isDetachable) detach(this.#chunk);
    this.#chunk = undefined;
  }
}

/** Pieces of the chunks of a source. */
class Pieces {
  readonly #cutter: PieceCutter;
  readonly #chunks: Chunks;
  /** Whether the source has ended, or was cancelled. */
  #isClosed = false;

  constructor(source: ByteSource, options: ParseStreamOptions) {
    this.#cutter = new PieceCutter(options, true);
    this.#chunks = openSource(source);
  }

  /**
   * Returns the next piece; `undefined` at the end, and once the source is cancelled. The piece
   * before it is freed.
   */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = await this.#cutter.next();
      if (piece !== undefined || this.#isClosed) return piece;
      const chunk = await this.#chunks.next();
      if (chunk === undefined) {
        if (!this.#isClosed) this.#chunks.close();
        this.#isClosed = true;
        this.#cutter.endTurn();
        return undefined;
      }
      this.#cutter.take(chunk, !this.#chunks.lent(chunk));
      if (this.#isClosed) this.#cutter.free();
    }
  }

  /** Frees the chunk, and cancels the source unless it has ended. */
  cancel(reason: unknown): void {
    this.#cutter.free();
    this.#cutter.endTurn();
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#chunks.cancel(reason);
  }
}

/** A turn of the event loop that is to come. Other tasks run before it, input and output included. */
class Turn {
  /** Fulfilled when the turn begins or is cancelled. */
  readonly hasBegun: Promise<void>;
  /** When the turn began; 0 until then. */
  start = 0;
  /** Gives the turn up. */
  cancel!: () => void;

  constructor() {
    this.hasBegun = new Promise((resolve) => {
      const stop = callInNextTurn(() => {
        this.start = performance.now();
        resolve();
      });
      this.cancel = () => {
        stop();
        resolve();
      };
    });
  }
}

/** Globals of runtimes that this module uses. */
interface Host {
  Deno?: unknown;
  setImmediate?(callback: () => void): unknown;
  clearImmediate?(id: unknown): void;
}

/**
 * Calls back in the next turn of the event loop. Returns a function that prevents that.
 *
 * Browsers delay timers by 4 ms, Node.js and Bun by 1 ms: they have faster means. Deno reads no
 * sockets between messages or immediates that follow each other (0 of 58 turns; with timers, all),
 * so it gets a timer.
 */
function callInNextTurn(callback: () => void): () => void {
  const { Deno, setImmediate, clearImmediate } = globalThis as Host;
  if (Deno === undefined && setImmediate !== undefined) {
    const id = setImmediate(callback);
    return () => clearImmediate?.(id);
  }
  if (Deno !== undefined || typeof MessageChannel === "undefined") {
    const id = setTimeout(callback);
    return () => clearTimeout(id);
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
  return () => port1.close();
}
