/** Sources of bytes: chunks of streams and iterables, and the rules of all functions for them. */

import { detach } from "../../detach.ts";
import { notChunk, notSource, wrongOption } from "../engine/argument_error.ts";
import { bufferOf, isByteArray, isShared, lengthOf, plainView } from "../engine/input.ts";

/**
 * Bytes of the buffer that a byte stream fills repeatedly: for a short body, for one of unknown
 * length until it is filled once, and the maximum, which is what runtimes allocate themselves.
 */
const MIN_FILLED = 1024;
const UNKNOWN_FILLED = 16 * 2 ** 10;
const MAX_FILLED = 64 * 2 ** 10;

/** `Response` or `Request` of the Fetch API, reduced to the members used here. */
export interface BodySource {
  /** Stream of the body. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether the body was read. */
  readonly bodyUsed: boolean;
}

/**
 * Source of bytes in chunks: a stream, a `Response` or `Request`, a Node.js `Readable` or another
 * async iterable, or an iterable.
 */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array> | BodySource;

/** Source of chunks of another type. */
export type Source<C> = ReadableStream<C> | AsyncIterable<C> | Iterable<C> | BodySource;

/**
 * Checks the option `maxBytes`.
 *
 * @throws {TypeError} If it is not a non-negative number.
 */
export function checkMaxBytes(maxBytes: unknown): void {
  if (typeof maxBytes === "number" && maxBytes >= 0) return;
  throw wrongOption("maxBytes", maxBytes, "a non-negative number");
}

/** Option of all functions that read a source. */
export interface ChunkOptions {
  /**
   * Whether to give the chunks of the source away: each is detached once it is read, which frees
   * its memory and **makes it empty for all other code that holds it**. `false` by default: only
   * memory is freed that nothing else can hold. A chunk that does not cover the whole of its buffer
   * is never detached, and an only chunk of less than 4 KiB may be left to the collector.
   */
  detachChunks?: boolean | undefined;
}

/**
 * Returns the option `detachChunks`.
 *
 * @throws {TypeError} If the option is not a boolean.
 */
export function detachesChunks({ detachChunks = false }: ChunkOptions): boolean {
  if (typeof detachChunks !== "boolean") throw wrongOption("detachChunks", detachChunks, "a boolean");
  return detachChunks;
}

export function tooManyBytes(maxBytes: number): RangeError {
  return new RangeError(`Cannot read more than ${maxBytes} bytes`);
}

/** Settles as `work` does, or rejects once the signal is aborted. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let stop!: () => void;
  // Not by `Promise.race`: it iterates over an array, and user code may have replaced the iterator.
  const first = new Promise<T>((resolve, reject) => {
    stop = () => reject(signal.reason);
    work.then(resolve, reject);
  });
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop(); // the source may have aborted it when `work` began
  try {
    return await first;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Source of items, read in two steps: without a promise between them, callers need fewer. */
export interface Reading<T> {
  /** Requests a result, to be passed to {@linkcode Reading.takeRead}. */
  read(): Promise<unknown>;
  /** Returns the item of a result. */
  takeRead(read: unknown): T;
  /** To be called once {@linkcode Reading.read} has rejected. */
  fail(): void;
}

/** Chunks of a source; `undefined` at the end. */
export interface Chunks<C = Uint8Array> extends Reading<C | undefined> {
  /** Whether the memory of chunks is ours, and will be filled again. */
  readonly isReused: boolean;
  /** Releases the source after the end. */
  close(): void;
  /** Cancels the source before the end, even while a read is pending. Never rejects. */
  cancel(reason: unknown): Promise<void>;
}

/** Reads the next item. */
export async function nextOf<T>(reading: Reading<T>): Promise<T> {
  let read: unknown;
  try {
    read = await reading.read();
  } catch (error) {
    reading.fail();
    throw error;
  }
  return reading.takeRead(read);
}

const NO_CHUNKS: Chunks<never> = {
  read: () => Promise.resolve(undefined),
  takeRead: () => undefined,
  fail() {},
  isReused: false,
  close() {},
  cancel: () => Promise.resolve(),
};

/**
 * Begins to read a source. A stream is locked from then on.
 *
 * @param check Function that returns a chunk, or throws if it is not one.
 * @throws {TypeError} If `source` is of another type, a locked stream, or a body that was read.
 */
export function openSource<C extends Uint8Array | string>(
  source: Source<C>,
  check: (chunk: unknown) => C,
  expected = 0,
): Chunks<C> {
  if (typeof source === "object" && source !== null && !ArrayBuffer.isView(source)) {
    if (has(source, "getReader")) return new StreamChunks(source as ReadableStream<C>, expected, check);
    if (has(source, Symbol.asyncIterator)) {
      return new IteratorChunks(source, (source as AsyncIterable<C>)[Symbol.asyncIterator](), check);
    }
    if (has(source, Symbol.iterator)) {
      return new IteratorChunks(source, (source as Iterable<C>)[Symbol.iterator](), check);
    }
    if (has(source, "body") && has(source, "bodyUsed")) {
      const { body, bodyUsed } = source as BodySource;
      if (bodyUsed) throw new TypeError("Cannot read this body: it was read already");
      if (body === null) return NO_CHUNKS;
      return new StreamChunks(body as ReadableStream<C>, expected, check);
    }
  }
  throw notSource(source);
}

export function openBytes(source: ByteSource, expected = 0): Chunks {
  return openSource(source, checkedChunk, expected);
}

/** Returns whether an object or its class has a property that `Object.prototype` did not add. */
export function has(object: object, key: PropertyKey): boolean {
  if (!(key in object)) return false;
  if (!(key in Object.prototype)) return true; // in Deno 3 ns instead of 54
  let holder: object | null = object; // becomes `null` for a proxy that reports properties it does not have
  while (holder !== null && !Object.hasOwn(holder, key)) holder = Object.getPrototypeOf(holder);
  return holder !== Object.prototype;
}

/**
 * Returns a chunk if it is bytes, of any realm. Of shared memory it returns a view of fixed length,
 * because the buffer may grow while the chunk is counted and read.
 *
 * @throws {TypeError} If the chunk is not bytes.
 */
export function checkedChunk(chunk: unknown): Uint8Array {
  if (!isByteArray(chunk)) throw notChunk(chunk);
  return isShared(chunk) ? plainView(chunk) : chunk;
}

class IteratorChunks<C> implements Chunks<C> {
  readonly isReused = false;
  readonly #source: { destroy?: unknown };
  readonly #iterator: AsyncIterator<C> | Iterator<C>;
  readonly #check: (chunk: unknown) => C;
  #ended = false;

  constructor(source: object, iterator: AsyncIterator<C> | Iterator<C>, check: (chunk: unknown) => C) {
    this.#source = source;
    this.#iterator = iterator;
    this.#check = check;
  }

  // Not asynchronous: each promise takes a tenth of the time of pieces of 8 characters.
  read(): Promise<unknown> {
    try {
      return Promise.resolve(this.#iterator.next());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  takeRead(read: unknown): C | undefined {
    const { done, value } = read as IteratorResult<C>;
    return done ? undefined : this.#check(value);
  }

  fail(): void {
    this.#ended = true;
  }

  close(): void {}

  async cancel(): Promise<void> {
    try {
      // The iterator of a Readable returns only after the chunk it is waiting for.
      if (has(this.#source, "destroy") && typeof this.#source.destroy === "function") this.#source.destroy();
      else if (!this.#ended && has(this.#iterator, "return")) await this.#iterator.return?.();
    } catch {
      // the error that made reading fail is reported
    }
  }
}

class StreamChunks<C extends Uint8Array | string> implements Chunks<C> {
  readonly isReused: boolean;
  readonly #check: (chunk: unknown) => C;
  readonly #reader: ReadableStreamDefaultReader<C> | ReadableStreamBYOBReader;
  /** The reader, if it fills buffers of ours. */
  readonly #filler: ReadableStreamBYOBReader | undefined;
  /** Buffer that the stream fills. It is ours alone, since streams transfer buffers. */
  #buffer: ArrayBuffer | undefined = undefined;
  /** Bytes that are still expected. */
  #expected: number;
  #closed = false;

  constructor(stream: ReadableStream<C>, expected: number, check: (chunk: unknown) => C) {
    this.#check = check;
    this.#expected = expected;
    this.#filler = fillerOf(stream);
    this.isReused = this.#filler !== undefined;
    this.#reader = this.#filler ?? stream.getReader();
  }

  read(): Promise<unknown> {
    return this.#filler ? this.#fill(this.#filler) : (this.#reader as ReadableStreamDefaultReader<C>).read();
  }

  takeRead(read: unknown): C | undefined {
    if (this.#filler) return read as C | undefined;
    const { done, value } = read as ReadableStreamReadResult<C>;
    return done ? undefined : this.#check(value);
  }

  fail(): void {}

  async #fill(filler: ReadableStreamBYOBReader): Promise<C | undefined> {
    const buffer = this.#buffer ?? this.#firstBuffer(filler);
    const { byteLength } = buffer;
    try {
      const { done, value } = await filler.read(new Uint8Array(buffer));
      if (done) {
        if (value !== undefined) detach(bufferOf(value));
        return undefined;
      }
      const chunk = checkedChunk(value);
      const length = lengthOf(chunk);
      this.#expected -= length;
      this.#buffer = length === byteLength && length < MAX_FILLED && this.#expected !== 0
        ? new ArrayBuffer(MAX_FILLED)
        : bufferOf(chunk) as ArrayBuffer;
      return chunk as C;
    } catch (error) {
      if (this.#closed) return undefined;
      throw error;
    }
  }

  #firstBuffer(filler: ReadableStreamBYOBReader): ArrayBuffer {
    // A stream may close without answering the pending read, which would then never settle.
    filler.closed.then(() => {
      this.#closed = true;
      filler.releaseLock();
    }).catch(() => {});
    const expected = this.#expected > 0 ? this.#expected : UNKNOWN_FILLED;
    return new ArrayBuffer(Math.min(Math.max(expected, MIN_FILLED), MAX_FILLED));
  }

  close(): void {
    this.#reader.releaseLock();
  }

  async cancel(reason: unknown): Promise<void> {
    try {
      const cancelled = this.#reader.cancel(reason);
      this.#reader.releaseLock();
      await cancelled;
    } catch {
      // the error that made reading fail is reported
    }
  }
}

/**
 * Returns a reader that fills buffers of ours, or `undefined` for a stream that has none. Chunks of
 * such a stream may be held by others, such as the reader of a clone.
 */
function fillerOf(stream: ReadableStream): ReadableStreamBYOBReader | undefined {
  try {
    const reader: object = stream.getReader({ mode: "byob" });
    if (typeof ReadableStreamBYOBReader === "function" && reader instanceof ReadableStreamBYOBReader) return reader;
    (reader as ReadableStreamDefaultReader).releaseLock(); // not the engine's: it may not take our buffer
  } catch {
    // not a byte stream, or locked
  }
  return undefined;
}
