/**
 * Bytes received from a source, to join in one buffer: {@linkcode ReceivedBytes}, and
 * {@linkcode ReceivedMessage}, which leaves an only chunk where it is. {@linkcode receive} adds the
 * chunks of a source.
 */

import { detach } from "../../detach.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { checkedChunk, type Chunks, nextOf, tooManyBytes } from "../streaming/byte_source.ts";
import { tooLarge, type UnreadBody } from "./body_failure.ts";
import type { Decompressor } from "./decompressor.ts";
import type { ReceivedBody } from "./message_reader.ts";

/** Maximum bytes allocated for a size hint alone. A page becomes resident once it is written to. */
const MAX_HINTED = 16 * 2 ** 20;

/** Maximum ratio of a long buffer to the bytes received: they are resident twice as it grows. */
const MAX_GROWTH = 8;

/** Minimum bytes of a segment. Segments are filled one after the other if no size is known. */
const MIN_SEGMENT = 4 * 2 ** 10;

/**
 * Maximum bytes of a segment. `malloc` may keep the pages of shorter ones when they are freed. In
 * Node.js on Linux, reading 200 MB without a hint peaked at 397 MB with segments of 8 MiB, and at
 * 223 MB with 16 MiB.
 */
const MAX_SEGMENT = 16 * 2 ** 20;

/** Full segment, and the one filled before it. */
interface Segment {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly before: Segment | null;
}

/** Bytes received, in a buffer of the expected length or in segments that are joined at the end. */
export class ReceivedBytes {
  /** Full segments, the last one first, and the number of bytes in them. */
  #full: Segment | null = null;
  #fullBytes = 0;
  #buffer = new Uint8Array(0);
  #filled = 0;
  readonly #expected: number;
  #room: number;
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
    if (length > 0) this.#full = { bytes: this.#buffer, before: this.#full };
    this.#fullBytes += length;
    this.#buffer = new Uint8Array(Math.min(Math.max(this.#fullBytes, MIN_SEGMENT), MAX_SEGMENT));
    this.#filled = 0;
  }

  finish(): ReceivedBody<ArrayBuffer> {
    return { ok: true, bytes: this.#join(), isOurs: true };
  }

  #join(): Uint8Array<ArrayBuffer> {
    const rest = this.#buffer;
    if (this.#full === null) return this.#filled === rest.length ? rest : resized(rest, this.#filled);
    const whole = new Uint8Array(this.#fullBytes + this.#filled);
    let start = this.#fullBytes;
    whole.set(partOf(rest, 0, this.#filled), start);
    detach(rest);
    for (let segment: Segment | null = this.#full; segment !== null; segment = segment.before) {
      start -= segment.bytes.length;
      whole.set(segment.bytes, start);
      detach(segment.bytes); // at once: the whole becomes resident as it is written to
    }
    this.#full = null;
    return whole;
  }

  /** Frees all bytes; none can be added any more. */
  free(): void {
    this.#room = -1;
    detach(this.#buffer);
    for (let segment = this.#full; segment !== null; segment = segment.before) detach(segment.bytes);
    this.#full = null;
  }
}

/** Returns the first length, from which factors of {@linkcode MAX_GROWTH} lead to the expected. */
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

/** Returns a plain view of part of an array of any class. */
function partOf(bytes: Uint8Array, start: number, size: number): Uint8Array {
  return new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, size);
}

/** Bytes of a message. A single chunk is not copied. */
export class ReceivedMessage {
  /** Number of bytes, including those that did not fit. */
  received = 0;
  readonly #length: number;
  readonly #maxBytes: number;
  readonly #ownsChunks: boolean;
  #room: number;
  /** First chunk, while it is the only one. */
  #first: Uint8Array | null = null;
  #received: ReceivedBytes | null = null;

  /**
   * Expects a number of bytes, or an unknown one if `length` is negative. The chunks are freed if
   * they are ours, or the caller allows it.
   */
  constructor(length: number, maxBytes: number, ownsChunks: boolean) {
    this.#length = length;
    this.#maxBytes = this.#room = maxBytes;
    this.#ownsChunks = ownsChunks;
  }

  /**
   * Takes a chunk. Returns whether it fits.
   *
   * @throws {TypeError} If the chunk is not bytes.
   */
  add(data: unknown): boolean {
    const chunk = checkedChunk(data);
    const size = lengthOf(chunk);
    this.received += size;
    if (size > this.#room) {
      this.#free(chunk);
      return false;
    }
    this.#room -= size;
    if (this.#first === null && this.#received === null) {
      this.#first = chunk;
      return true;
    }
    this.#received ??= new ReceivedBytes(this.#length, this.#maxBytes);
    if (this.#first !== null) this.#copy(this.#first, this.#received);
    this.#first = null;
    this.#copy(chunk, this.#received);
    return true;
  }

  #copy(chunk: Uint8Array, received: ReceivedBytes): void {
    received.add(chunk);
    this.#free(chunk);
  }

  #free(chunk: Uint8Array): void {
    if (this.#ownsChunks) detach(chunk);
  }

  /** Returns all bytes. They cover the whole of their buffer, unless they are an only chunk. */
  finish(): ReceivedBody {
    if (this.#received !== null) return this.#received.finish();
    return { ok: true, bytes: this.#first ?? new Uint8Array(0), isOurs: this.#ownsChunks };
  }

  /** Frees all bytes; none can be added any more. */
  free(): void {
    this.#room = -1;
    if (this.#first !== null) this.#free(this.#first);
    this.#first = null;
    this.#received?.free();
  }
}

/** Receives all chunks, and returns their bytes or a failure. */
export async function receive(
  chunks: Chunks,
  received: ReceivedBytes | Decompressor,
  detachChunks: boolean,
  maxBytes: number,
): Promise<ReceivedBody | UnreadBody> {
  const isDetachable = detachChunks && !chunks.isReused;
  let room = maxBytes;
  for (let chunk = await nextOf(chunks); chunk !== undefined; chunk = await nextOf(chunks)) {
    try {
      room -= lengthOf(chunk);
      const failing = room < 0 ? tooLarge(maxBytes) : received.add(chunk);
      const failure = failing && await failing;
      if (failure) return failure;
    } finally {
      if (isDetachable) detach(chunk);
    }
  }
  chunks.close();
  return received.finish();
}
