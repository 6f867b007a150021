/**
 * Cuts chunks into pieces, with a look at the clock before each, and frees the chunks.
 *
 * @module
 */

import { detach } from "../../detach.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { checkedChunk, checkMaxBytes, type Chunks, openSource, tooManyBytes } from "./byte_source.ts";
import type { ByteSource } from "./byte_source.ts";
import { Turn } from "./event_loop.ts";
import type { ParseStreamOptions } from "./stream_options.ts";

/** Default time slice in milliseconds: with one more piece, a turn takes less than 10 ms. */
const TIME_SLICE = 8;

/**
 * Most bytes parsed between two looks at the clock. They take 0.7 ms at 100 MB/s, a look takes
 * 0.1 µs.
 */
const PIECE_BYTES = 64 * 2 ** 10;

/**
 * Cuts chunks into pieces, and lets other tasks of the event loop run before a piece once a time
 * slice is over.
 */
export class PieceCutter {
  readonly #maxBytes: number;
  readonly #timeSlice: number;
  /** Elapsed milliseconds at which the next turn is requested. */
  readonly #timeToRequest: number;
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
  /** Turn of the event loop after this one, once it is requested. */
  #nextTurn: Turn | undefined = undefined;

  /**
   * Makes a cutter at the beginning of an input. With `requestsEarly`, it requests a turn of the
   * event loop before it needs one, and `endTurn` must be called at the end.
   */
  constructor(options: ParseStreamOptions, requestsEarly: boolean) {
    const { maxBytes = Infinity, timeSlice = TIME_SLICE, detachChunks = true } = options;
    checkMaxBytes(maxBytes);
    if (typeof timeSlice !== "number" || !(timeSlice >= 0)) {
      throw new TypeError(`Cannot parse for ${String(timeSlice)} milliseconds at a time: expected a number from 0 up`);
    }
    this.#maxBytes = this.#room = maxBytes;
    this.#timeSlice = timeSlice;
    this.#timeToRequest = requestsEarly ? timeSlice / 2 : timeSlice;
    this.#detachChunks = detachChunks;
  }

  /**
   * Takes a chunk. The one before it was cut or freed.
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
   * `undefined`. A chunk without bytes is a piece too: the parser finds out whether its buffer is
   * detached.
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

  /** Whether the piece returned last was the last one of its chunk. */
  get isChunkRead(): boolean {
    return this.#start >= this.#length;
  }

  /**
   * Returns the milliseconds since this turn of the event loop began. Requests the next turn before
   * it is needed: then it often comes while reading waits for the network, and nothing else has to
   * wait (10 MB from memory, in Deno: 133 → 100 ms).
   */
  #elapsed(): number {
    const start = this.#nextTurn?.start ?? 0;
    if (start > 0) {
      this.#turnStart = start;
      this.#nextTurn = undefined;
    }
    const elapsed = performance.now() - this.#turnStart;
    if (elapsed >= this.#timeToRequest) this.#nextTurn ??= new Turn();
    return elapsed;
  }

  /** Cancels the pending turn. */
  endTurn(): void {
    this.#nextTurn?.cancel();
    this.#nextTurn = undefined;
  }

  /** Frees the chunk, even if not all of it was cut. */
  free(): void {
    if (this.#chunk !== undefined && this.#detachChunks && this.#isDetachable) detach(this.#chunk);
    this.#chunk = undefined;
  }
}

/** Parser of pieces. */
interface PieceParser<R> {
  /** Parses a piece. Returns `false` if no further bytes matter. */
  push(piece: Uint8Array): boolean;
  end(): R;
}

/** Pieces of the chunks of a source. */
export class Pieces {
  readonly #cutter: PieceCutter;
  readonly #chunks: Chunks;
  /** Whether the source has ended, or was cancelled. */
  #isClosed = false;

  /** @param bytesOf Function that returns the bytes of a chunk, or throws if it has none. */
  constructor(source: ByteSource, options: ParseStreamOptions, bytesOf: (chunk: unknown) => Uint8Array = checkedChunk) {
    this.#cutter = new PieceCutter(options, true);
    this.#chunks = openSource(source, bytesOf);
  }

  /** Whether the piece returned last was the last one of its chunk. */
  get isChunkRead(): boolean {
    return this.#cutter.isChunkRead;
  }

  /**
   * Returns the next piece; `undefined` at the end, and once the source is cancelled. Frees the
   * chunks before it.
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
      this.#cutter.take(chunk, !this.#chunks.isReused(chunk));
      if (this.#isClosed) this.#cutter.free();
    }
  }

  /** Parses all pieces, or cancels the source once no further bytes matter. */
  async parse<R>(parser: PieceParser<R>): Promise<R> {
    for (let piece = await this.next(); piece !== undefined; piece = await this.next()) {
      if (parser.push(piece)) continue;
      const result = parser.end();
      this.cancel(result);
      return result;
    }
    return parser.end();
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
