/**
 * Sources of bytes: the chunks of streams and iterables, and the rules shared by all functions that
 * read them.
 */

import { notChunk, notSource, wrongOption } from "../engine/argument_error.ts";
import { bufferOf, isByteArray, isShared, lengthOf, plainView } from "../engine/input.ts";
import { IS_BROWSER } from "../engine/realm.ts";

const { isView } = ArrayBuffer;
const { getPrototypeOf, hasOwn, prototype: OBJECT_PROTOTYPE } = Object;

/** Bytes of the buffer that a byte stream fills again and again: as many as streams allocate. */
const REUSED_BYTES = 64 * 2 ** 10;

/** `Response` or `Request` of the Fetch API, as far as it is used here. */
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
 * @throws {TypeError} If it is not a number from 0 up.
 */
export function checkMaxBytes(maxBytes: unknown): void {
  if (typeof maxBytes === "number" && maxBytes >= 0) return;
  throw wrongOption("maxBytes", maxBytes, "a number from 0 up");
}

export function tooManyBytes(maxBytes: number): RangeError {
  return new RangeError(`Cannot read more than ${maxBytes} bytes`);
}

/** Settles as `work` does, or rejects once the signal is aborted. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let stop!: () => void;
  // Not by `Promise.race`: it iterates over an array, and the program may have replaced the
  // iterator.
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

export interface Chunks<C = Uint8Array> {
  /** Reads the next chunk; `undefined` at the end. */
  next(): Promise<C | undefined>;
  /** Returns whether the memory of a chunk will be filled again. */
  isReused(chunk: C): boolean;
  /** Releases the source after the end. */
  close(): void;
  /** Cancels the source before the end, even while `next` is waiting. Never rejects. */
  cancel(reason: unknown): Promise<void>;
}

const NO_CHUNKS: Chunks<never> = {
  next: () => Promise.resolve(undefined),
  isReused: () => false,
  close() {},
  cancel: () => Promise.resolve(),
};

/**
 * Begins to read a source. A stream is locked from then on.
 *
 * @param check Function that returns a chunk, or throws if it is not one.
 * @throws {TypeError} If `source` is of another type, a locked stream, or a body that was read.
 */
export function openSource<C extends Uint8Array | string>(source: Source<C>, check: (chunk: unknown) => C): Chunks<C> {
  if (typeof source === "object" && source !== null && !isView(source)) {
    if (has(source, "getReader")) return new StreamChunks(source as ReadableStream<C>, check);
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
      return new StreamChunks(body as ReadableStream<C>, check);
    }
  }
  throw notSource(source);
}

export function openBytes(source: ByteSource): Chunks {
  return openSource(source, checkedChunk);
}

/** Returns whether an object or its class has a property that `Object.prototype` did not add. */
export function has(object: object, key: PropertyKey): boolean {
  if (!(key in object)) return false;
  if (!(key in OBJECT_PROTOTYPE)) return true; // in Deno 3 ns instead of 54
  let holder: object | null = object; // becomes `null` for a proxy that answers for what it has not
  while (holder !== null && !hasOwn(holder, key)) holder = getPrototypeOf(holder);
  return holder !== OBJECT_PROTOTYPE;
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
  readonly #source: { destroy?: unknown };
  readonly #iterator: AsyncIterator<C> | Iterator<C>;
  readonly #check: (chunk: unknown) => C;
  #ended = false;

  constructor(source: object, iterator: AsyncIterator<C> | Iterator<C>, check: (chunk: unknown) => C) {
    this.#source = source;
    this.#iterator = iterator;
    this.#check = check;
  }

  async next(): Promise<C | undefined> {
    let result: IteratorResult<C>;
    try {
      result = await this.#iterator.next();
    } catch (error) {
      this.#ended = true;
      throw error;
    }
    return result.done ? undefined : this.#check(result.value);
  }

  isReused(): boolean {
    return false;
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
  readonly #stream: ReadableStream<C>;
  readonly #check: (chunk: unknown) => C;
  #reader: ReadableStreamDefaultReader<C>;
  #filler: ReadableStreamBYOBReader | undefined = undefined;
  #buffer = new ArrayBuffer(0);
  #mayReuseBuffer = true;
  #closed = false;

  constructor(stream: ReadableStream<C>, check: (chunk: unknown) => C) {
    this.#stream = stream;
    this.#check = check;
    this.#reader = stream.getReader();
  }

  async next(): Promise<C | undefined> {
    if (this.#filler) return await this.#fill(this.#filler);
    const { done, value } = await this.#reader.read();
    if (done) return undefined;
    const chunk = this.#check(value);
    if (typeof chunk === "string" || !this.#mayReuseBuffer) return chunk;
    if (IS_BROWSER || lengthOf(chunk) < bufferOf(chunk).byteLength) this.#reuseBuffer();
    return chunk;
  }

  /**
   * Continues with a buffer that this class passes to the stream to fill.
   *
   * Precondition: chunks of the stream cannot be freed. A stream that allocates the buffers it
   * fills, as in Deno, yields parts of them. Chromium keeps what it has allocated until a
   * collection, even if it is detached (100 MB by `fetch`, peak memory: 200 → 112 MB).
   */
  #reuseBuffer(): void {
    this.#reader.releaseLock();
    try {
      this.#filler = this.#stream.getReader({ mode: "byob" });
    } catch {
      this.#reader = this.#stream.getReader(); // no byte stream, or one that takes no buffers
      this.#mayReuseBuffer = false;
      return;
    }
    this.#buffer = new ArrayBuffer(REUSED_BYTES);
    // A stream may close without answering the pending read, which would then never settle.
    this.#filler.closed.then(() => {
      this.#closed = true;
      this.#filler!.releaseLock();
    }).catch(() => {});
  }

  async #fill(filler: ReadableStreamBYOBReader): Promise<C | undefined> {
    try {
      const { done, value } = await filler.read(new Uint8Array(this.#buffer));
      if (done) return undefined;
      const chunk = checkedChunk(value);
      this.#buffer = bufferOf(chunk) as ArrayBuffer;
      return chunk as C;
    } catch (error) {
      if (this.#closed) return undefined;
      throw error;
    }
  }

  isReused(chunk: C): boolean {
    return typeof chunk !== "string" && bufferOf(chunk) === this.#buffer;
  }

  close(): void {
    (this.#filler ?? this.#reader).releaseLock();
  }

  async cancel(reason: unknown): Promise<void> {
    try {
      const reader = this.#filler ?? this.#reader;
      const cancelled = reader.cancel(reason);
      reader.releaseLock();
      await cancelled;
    } catch {
      // the error that made reading fail is reported
    }
  }
}
