/**
 * Reads a stream into one buffer, and frees each chunk as soon as it is copied:
 * {@linkcode readBytes}.
 *
 * @module
 */

import {
  type ByteSource,
  checkMaxBytes,
  type Chunks,
  openSource,
  raceAbort,
  tooManyBytes,
} from "./parser/streaming/byte_source.ts";
import { ChunkQueue } from "./chunk_queue.ts";
import { detach } from "./detach.ts";
import { bufferOf, lengthOf, NO_OPTIONS, offsetOf } from "./parser/engine/input.ts";

export type { ByteSource };

/**
 * Most bytes allocated for a size hint alone. A page of a buffer is resident only once it is
 * written to.
 */
const MAX_HINTED = 16 * 2 ** 20;

/**
 * Largest ratio of a buffer longer than {@linkcode MAX_HINTED} to the bytes received. While it
 * grows, these bytes are resident twice, which is less than the whole.
 */
const MAX_GROWTH = 8;

/** Fewest bytes of a segment. Segments are filled one after the other where no size is known. */
const MIN_SEGMENT = 4 * 2 ** 10;

/**
 * Most bytes of a segment. `malloc` may keep the pages of shorter ones when they are freed. In
 * Node.js on Linux, reading 200 MB without a hint peaked at 397 MB with segments of 8 MiB, and at
 * 223 MB with 16 MiB.
 */
const MAX_SEGMENT = 16 * 2 ** 20;

/** Options of {@linkcode readBytes}. */
export interface ReadBytesOptions {
  /**
   * Expected number of bytes, such as `Content-Length`. It is never trusted: a wrong hint costs a
   * copy, a hostile one no memory. Anything but a positive integer counts as no hint.
   */
  sizeHint?: number | undefined;
  /** Most bytes to read; unlimited by default. */
  maxBytes?: number | undefined;
  /**
   * Whether to detach each chunk once it is copied, which frees it and **takes it away from
   * everybody else who holds it**. `true` by default: pass `false` if anybody else reads the
   * chunks, for example if `source` is your own array. A chunk that does not cover the whole of its
   * buffer is never detached.
   */
  detachChunks?: boolean | undefined;
  /** Signal that aborts reading, even while it waits for the source. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads all bytes of a source into one buffer.
 *
 * **The chunks are detached once they are copied**, even if `source` is your own array. Pass
 * `detachChunks: false` to keep them.
 *
 * With the right size hint, reading needs memory for the bytes and one chunk. Without a hint it
 * needs up to 50 % more, but at most 16 MiB more.
 *
 * A stream is unlocked at the end. If reading fails for any reason, the source is cancelled
 * (`cancel()` of a stream, `destroy()` of a Node.js `Readable`, `return()` of any other iterator)
 * and the bytes read are freed.
 *
 * @param source Source of the bytes.
 * @param options Expected and accepted size in bytes, treatment of chunks, and an abort signal.
 * @returns The bytes, in a buffer of exactly their length, which `detach` can free. The promise
 * rejects
 * - with a `RangeError` for more than `maxBytes`,
 * - with the reason of the signal once it is aborted,
 * - with the error of the source if it fails,
 * - with a `TypeError` for a source of another type, a locked stream, a chunk that is not a
 *   `Uint8Array`, and a `maxBytes` that is not a number from 0 up.
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
 * @example A body that is too long
 * ```ts
 * import { readBytes } from "@bytejson/bytejson/read-bytes";
 * import { assertRejects } from "@std/assert";
 *
 * const chunks = [new Uint8Array(600), new Uint8Array(600)];
 * await assertRejects(
 *   () => readBytes(chunks, { maxBytes: 1000 }),
 *   RangeError,
 *   "Cannot read more than 1000 bytes",
 * );
 * ```
 *
 * @example Chunks that are read again
 * ```ts
 * import { readBytes } from "@bytejson/bytejson/read-bytes";
 * import { assertEquals } from "@std/assert";
 *
 * const chunks = [new Uint8Array(600), new Uint8Array(600)];
 * const bytes = await readBytes(chunks, { detachChunks: false });
 * assertEquals([bytes.length, chunks[0].length], [1200, 600]);
 * ```
 */
export async function readBytes(
  source: ByteSource,
  options: ReadBytesOptions = NO_OPTIONS,
): Promise<Uint8Array<ArrayBuffer>> {
  const { sizeHint = 0, maxBytes = Infinity, detachChunks = true, signal } = options;
  checkMaxBytes(maxBytes);
  const chunks = openSource(source);
  const received = new ReceivedBytes(sizeHint, maxBytes);
  try {
    signal?.throwIfAborted();
    return await raceAbort(collect(chunks, received, detachChunks), signal);
  } catch (error) {
    received.free();
    void chunks.cancel(error);
    throw error;
  }
}

/** Reads all chunks, and returns their bytes. */
async function collect(
  chunks: Chunks,
  received: ReceivedBytes,
  detachChunks: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    try {
      received.add(chunk);
    } finally {
      if (detachChunks && !chunks.isReused(chunk)) detach(chunk);
    }
  }
  chunks.close();
  return received.finish();
}

/**
 * Bytes received: in one buffer of the expected length or, without a hint, in a queue of segments
 * that are joined at the end.
 */
class ReceivedBytes {
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

  /**
   * Copies a chunk.
   *
   * @throws {RangeError} If the bytes are too many, or `free` was called.
   */
  add(chunk: Uint8Array): void {
    const length = lengthOf(chunk);
    if (length > this.#room) throw tooManyBytes(this.#maxBytes);
    this.#room -= length;
    for (let start = 0; start < length;) {
      if (this.#filled === this.#buffer.length) this.#extend();
      const size = Math.min(length - start, this.#buffer.length - this.#filled);
      this.#buffer.set(size === length ? chunk : partOf(chunk, start, size), this.#filled);
      this.#filled += size;
      start += size;
    }
  }

  /** Makes room for more bytes. Precondition: the buffer is full. */
  #extend(): void {
    const { length } = this.#buffer;
    if (length < this.#expected) {
      this.#buffer = resized(
        this.#buffer,
        length === 0 ? firstLength(this.#expected) : Math.min(length * MAX_GROWTH, this.#expected),
      );
      return;
    }
    this.#full.push(this.#buffer);
    this.#buffer = new Uint8Array(Math.min(Math.max(this.#full.byteLength, MIN_SEGMENT), MAX_SEGMENT));
    this.#filled = 0;
  }

  /** Returns all bytes in one buffer. */
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
    whole.set(partOf(rest, 0, this.#filled), end);
    detach(rest);
    return whole;
  }

  /** Frees all bytes; none can be added any more. */
  free(): void {
    this.#room = -1;
    detach(this.#buffer);
    for (let segment = this.#full.shift(); segment !== undefined; segment = this.#full.shift()) detach(segment);
  }
}

/**
 * Returns the length of the first buffer, from which growing by {@linkcode MAX_GROWTH} leads to the
 * expected length.
 */
function firstLength(expected: number): number {
  let length = expected;
  while (length > MAX_HINTED) length = Math.ceil(length / MAX_GROWTH);
  return length;
}

/**
 * Copies bytes to a buffer of another length, and frees the old one.
 *
 * `ArrayBuffer.prototype.transfer` takes twice the time, and writes to all of a longer buffer,
 * which makes all of it resident.
 */
function resized(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(length);
  result.set(bytes.length > length ? partOf(bytes, 0, length) : bytes);
  detach(bytes);
  return result;
}

/** Returns a plain view of part of an array, whatever its class. */
function partOf(bytes: Uint8Array, start: number, size: number): Uint8Array {
  return new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, size);
}
