/**
 * {@linkcode readBytes}: a stream of chunks into one buffer, with each chunk's memory freed as soon as it is copied.
 *
 * @module
 */

import { ChunkQueue } from "./chunk_queue.ts";
import { detach } from "./detach.ts";

/** Bytes allocated on the word of a size hint alone. Nothing of a buffer is resident before it is written to. */
const CREDIT = 16 * 2 ** 20;

/**
 * Past the credit, a buffer is at most so many times as long as what has arrived. When it grows, twice the old length is
 * resident, which is then less than the whole.
 */
const GROWTH = 8;

/** The least bytes of a segment, the buffer that is filled while no size is known. */
const MIN_SEGMENT = 4 * 2 ** 10;

/**
 * The most bytes of a segment. Shorter ones would leave less at once in the end, but malloc may not give the pages of shorter ones
 * back: in Node.js on Linux, 200 MB without a hint came to a peak of 397 MB with 8 MiB, and to 223 MB with 16.
 */
const MAX_SEGMENT = 16 * 2 ** 20;

/** Bytes of the buffer that is lent to a byte stream; those that allocate their own take as much. */
const LENT = 64 * 2 ** 10;

/** What {@linkcode readBytes} reads: a stream, a Node.js `Readable` or another async iterable, or an iterable. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Options of {@linkcode readBytes}. */
export interface ReadBytesOptions {
  /**
   * How many bytes to expect, as `Content-Length` says. It is never trusted: a wrong one costs a copy, a hostile one no memory.
   * What is no positive integer counts as none.
   */
  sizeHint?: number | undefined;
  /** The most bytes to read. Unlimited by default. */
  maxBytes?: number | undefined;
  /**
   * Whether to detach each chunk once it is copied. A chunk that does not own the whole of its buffer stays as it is.
   * `true` by default: leave it so only if nobody else reads the chunks.
   */
  detachChunks?: boolean | undefined;
  /** Ends the reading when it is aborted, also while the source keeps it waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads all bytes of a source into one buffer. With the right size hint no more memory is needed than for the bytes and one
 * chunk; without one, up to half as much comes on top, and never more than 16 MiB.
 *
 * A stream is unlocked in the end. When reading fails, for whatever reason, the source is cancelled (`cancel()` of a stream,
 * `destroy()` of a Node.js `Readable`, `return()` of other iterators) and all that has been read is freed.
 *
 * @param source Where the bytes come from.
 * @param options How many to expect and to accept, and what else there is to say: see {@linkcode ReadBytesOptions}.
 * @returns The bytes, in a buffer that is theirs alone and just as long, so that `detach` frees it.
 * Rejects with a `RangeError` over `maxBytes`, with the reason of the signal if it is aborted, with the source's own error if it
 * fails, and with a `TypeError` for what is no source, is locked, or has chunks other than `Uint8Array`, and for a `maxBytes` that
 * is no number from 0 up.
 *
 * @example A request body
 * ```ts
 * import { readBytes } from "@bytejson/bytejson/read-bytes";
 * import { detach } from "@bytejson/bytejson/detach";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("https://example.org/", { method: "POST", body: '{"id": 7}' });
 * const bytes = await readBytes(request.body ?? [], {
 *   sizeHint: Number(request.headers.get("content-length")),
 *   maxBytes: 1_000_000,
 *   signal: request.signal,
 * });
 * assertEquals(bytes.length, 9);
 * assertEquals(detach(bytes), true);
 * ```
 *
 * @example Too much
 * ```ts
 * import { readBytes } from "@bytejson/bytejson/read-bytes";
 * import { assertRejects } from "@std/assert";
 *
 * const chunks = [new Uint8Array(600), new Uint8Array(600)];
 * await assertRejects(() => readBytes(chunks, { maxBytes: 1000 }), RangeError, "Cannot read more than 1000 bytes");
 * ```
 */
export async function readBytes(source: ByteSource, options: ReadBytesOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { sizeHint = 0, maxBytes = Infinity, detachChunks = true, signal } = options;
  if (typeof maxBytes !== "number" || !(maxBytes >= 0)) {
    throw new TypeError(`Cannot read at most ${String(maxBytes)} bytes: expected a number from 0 up`);
  }
  const chunks = open(source);
  const intake = new Intake(sizeHint, maxBytes);
  try {
    signal?.throwIfAborted();
    return await unlessAborted(collect(chunks, intake, detachChunks), signal);
  } catch (error) {
    intake.free();
    void chunks.cancel(error);
    throw error;
  }
}

async function collect(chunks: Chunks, intake: Intake, detachChunks: boolean): Promise<Uint8Array<ArrayBuffer>> {
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    try {
      intake.add(chunk);
    } finally {
      if (detachChunks && !chunks.lent(chunk)) detach(chunk);
    }
  }
  chunks.close();
  return intake.finish();
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let stop!: () => void;
  const aborted = new Promise<never>((_, reject) => stop = () => reject(signal.reason));
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The bytes that have arrived: one buffer as long as the hint, or else segments in a queue, joined in the end. */
class Intake {
  readonly #full = new ChunkQueue();
  #buffer = new Uint8Array(0);
  #filled = 0;
  #expected = 0;
  #room = 0;
  readonly #maxBytes: number;

  constructor(sizeHint: number, maxBytes: number) {
    this.#expected = Number.isSafeInteger(sizeHint) && sizeHint > 0 ? Math.min(sizeHint, Math.floor(maxBytes)) : 0;
    this.#room = maxBytes;
    this.#maxBytes = maxBytes;
  }

  /** @throws {RangeError} If these are too many bytes, or `free` was called. */
  add(chunk: Uint8Array): void {
    if (chunk.length > this.#room) throw new RangeError(`Cannot read more than ${this.#maxBytes} bytes`);
    this.#room -= chunk.length;
    for (let start = 0; start < chunk.length;) {
      if (this.#filled === this.#buffer.length) this.#extend();
      const end = Math.min(chunk.length, start + this.#buffer.length - this.#filled);
      this.#buffer.set(end - start === chunk.length ? chunk : chunk.subarray(start, end), this.#filled);
      this.#filled += end - start;
      start = end;
    }
  }

  /** Precondition: the buffer is full. */
  #extend(): void {
    const { length } = this.#buffer;
    if (length < this.#expected) {
      this.#buffer = resized(
        this.#buffer,
        length === 0 ? creditOf(this.#expected) : Math.min(length * GROWTH, this.#expected),
      );
      return;
    }
    this.#full.push(this.#buffer);
    this.#buffer = new Uint8Array(Math.min(Math.max(this.#full.byteLength, MIN_SEGMENT), MAX_SEGMENT));
    this.#filled = 0;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const rest = this.#buffer;
    if (this.#full.length === 0) return this.#filled === rest.length ? rest : resized(rest, this.#filled);
    const whole = new Uint8Array(this.#full.byteLength + this.#filled);
    let end = 0;
    for (let segment = this.#full.shift(); segment !== undefined; segment = this.#full.shift()) {
      whole.set(segment, end);
      end += segment.length;
      detach(segment);
    }
    whole.set(rest.subarray(0, this.#filled), end);
    detach(rest);
    return whole;
  }

  /** Frees all bytes; none can be added from then on. */
  free(): void {
    this.#room = -1;
    detach(this.#buffer);
    for (let segment = this.#full.shift(); segment !== undefined; segment = this.#full.shift()) detach(segment);
  }
}

/** The length to begin with, such that growing by {@linkcode GROWTH} ends at the expected one. */
function creditOf(expected: number): number {
  let length = expected;
  while (length > CREDIT) length = Math.ceil(length / GROWTH);
  return length;
}

/**
 * The first bytes in a buffer of another length; the old one is freed. Not by `ArrayBuffer.prototype.transfer`, which writes to all
 * of a longer buffer and so makes it resident, and takes twice the time.
 */
function resized(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(length);
  result.set(bytes.length > length ? bytes.subarray(0, length) : bytes);
  detach(bytes);
  return result;
}

/** A source, whatever its kind. */
interface Chunks {
  /** The next chunk, `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Whether the memory of a chunk will be read into again. */
  lent(chunk: Uint8Array): boolean;
  /** After the end. */
  close(): void;
  /** Before the end, also while `next` is waiting. Never fails. */
  cancel(reason: unknown): Promise<void>;
}

function open(source: ByteSource): Chunks {
  if (typeof source === "object" && source !== null) {
    if ("getReader" in source) return new StreamChunks(source);
    if (Symbol.asyncIterator in source) return new IteratorChunks(source, source[Symbol.asyncIterator]());
    if (Symbol.iterator in source) return new IteratorChunks(source, source[Symbol.iterator]());
  }
  throw new TypeError("Cannot read this source: expected a ReadableStream or an iterable of Uint8Array");
}

function checked(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("Cannot read a chunk of this source: expected a Uint8Array");
}

class IteratorChunks implements Chunks {
  readonly #source: { destroy?: unknown };
  readonly #iterator: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #ended = false;

  constructor(source: object, iterator: AsyncIterator<Uint8Array> | Iterator<Uint8Array>) {
    this.#source = source;
    this.#iterator = iterator;
  }

  async next(): Promise<Uint8Array | undefined> {
    let result: IteratorResult<Uint8Array>;
    try {
      result = await this.#iterator.next();
    } catch (error) {
      this.#ended = true;
      throw error;
    }
    return result.done ? undefined : checked(result.value);
  }

  lent(): boolean {
    return false;
  }

  close(): void {}

  async cancel(): Promise<void> {
    try {
      // A Readable's iterator would only return once the chunk has come that it is waiting for.
      if (typeof this.#source.destroy === "function") this.#source.destroy();
      else if (!this.#ended) await this.#iterator.return?.();
    } catch {
      // what made the reading fail counts
    }
  }
}

class StreamChunks implements Chunks {
  readonly #stream: ReadableStream<Uint8Array>;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #filler: ReadableStreamBYOBReader | undefined = undefined;
  #buffer = new ArrayBuffer(0);
  #closed = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#stream = stream;
    this.#reader = stream.getReader();
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#filler) return await this.#fill(this.#filler);
    const { done, value } = await this.#reader.read();
    if (done) return undefined;
    const chunk = checked(value);
    if (chunk.length < chunk.buffer.byteLength) this.#lend();
    return chunk;
  }

  /**
   * Goes on with a buffer of ours. Precondition: a chunk was part of a buffer. So are the chunks of a stream that allocates the
   * buffers it reads into, as in Deno, and those cannot be freed.
   */
  #lend(): void {
    this.#reader.releaseLock();
    try {
      this.#filler = this.#stream.getReader({ mode: "byob" });
    } catch {
      this.#reader = this.#stream.getReader(); // no byte stream, or one without lending
      return;
    }
    this.#buffer = new ArrayBuffer(LENT);
    // A stream that is closed without an answer to the pending request would keep us waiting for ever.
    this.#filler.closed.then(() => {
      this.#closed = true;
      this.#filler!.releaseLock();
    }).catch(() => {});
  }

  async #fill(filler: ReadableStreamBYOBReader): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await filler.read(new Uint8Array(this.#buffer));
      if (done) return undefined;
      this.#buffer = value.buffer;
      return value;
    } catch (error) {
      if (this.#closed) return undefined;
      throw error;
    }
  }

  lent(chunk: Uint8Array): boolean {
    return chunk.buffer === this.#buffer;
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
      // what made the reading fail counts
    }
  }
}
