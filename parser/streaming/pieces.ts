/** Splits chunks into pieces, checks the time before each, and frees the chunks. */

import { detach } from "../../detach.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { checkMaxBytes, type Chunks, detachesChunks, nextOf, type Reading, tooManyBytes } from "./byte_source.ts";
import type { ParseStreamOptions } from "./stream_options.ts";

/** Default time slice in milliseconds: with one more piece, a turn takes less than 10 ms. */
const TIME_SLICE = 8;

/** Size of a piece, and so maximum bytes between two checks of the time: 0.7 ms at 100 MB/s. */
const PIECE_BYTES = 64 * 2 ** 10;

/**
 * Minimum bytes between two checks, of 0.1 µs each: one after every 8 bytes would take a third of the
 * time. A piece counts as {@linkcode PIECE_LOOK_BYTES} more than it has.
 */
const LOOK_BYTES = 4096;
const PIECE_LOOK_BYTES = 128;

interface PieceParser<R, C> {
  /** Parses a piece. Returns `false` if no further bytes matter. */
  push(piece: C): boolean;
  end(): R;
}

/**
 * Pieces of the chunks of a source, or of chunks that are passed in. Other tasks run before a piece
 * once a time slice is over.
 */
export class Pieces<C extends Uint8Array | string = Uint8Array> implements Reading<boolean> {
  /** Source; `null` if chunks are passed in. */
  readonly #source: Chunks<C> | null;
  /** Whether the source has ended, or was cancelled. */
  #isClosed = false;
  readonly #maxBytes: number;
  readonly #timeSlice: number;
  /** Elapsed milliseconds at which the next turn is requested. */
  readonly #timeToRequest: number;
  readonly #detachChunks: boolean;
  /** Bytes that may still be read. */
  #room: number;
  #chunk: C | undefined = undefined;
  /** Length of the chunk when it was taken. */
  #length = 0;
  /** Length of its part within `maxBytes`. */
  #readable = 0;
  /** Position in the chunk where the next piece begins. */
  #start = 0;
  #isDetachable = false;
  #turnStart = performance.now();
  /** Whether other tasks must run first, and have not been waited for yet. */
  #isWaiting = false;
  /** Whether the pending read is of a turn. */
  #isTurn = false;
  /** Whether the next piece may be taken without checking the time. */
  #hasWaited = false;
  /** Bytes taken since the time was checked. */
  #unseen = 0;
  /** Turn of the event loop after this one, once it is requested. */
  #nextTurn: Turn | undefined = undefined;

  /** @param open Function that begins to read the source, once the options were checked. */
  constructor(options: ParseStreamOptions, open: (() => Chunks<C>) | null) {
    const { maxBytes = Infinity, timeSlice = TIME_SLICE } = options;
    checkMaxBytes(maxBytes);
    if (typeof timeSlice !== "number" || !(timeSlice >= 0)) {
      throw new TypeError(
        `Cannot parse for ${String(timeSlice)} milliseconds at a time: expected a non-negative number`,
      );
    }
    this.#maxBytes = this.#room = maxBytes;
    this.#timeSlice = timeSlice;
    // Not in advance for chunks that are passed in: if the caller drops this, nothing cancels the turn.
    this.#timeToRequest = open === null ? timeSlice : timeSlice / 2;
    this.#detachChunks = detachesChunks(options);
    this.#source = open === null ? null : open();
  }

  /**
   * Takes a chunk. The previous one was read or freed. Of one that exceeds `maxBytes`, only the
   * part within the limit is read. Texts count as their UTF-8.
   */
  take(chunk: C, isDetachable: boolean): void {
    this.#chunk = chunk;
    this.#start = 0;
    this.#isDetachable = isDetachable;
    this.#length = this.#readable = sizeOf(chunk);
    if (this.#maxBytes === Infinity) return;
    if (typeof chunk === "string") this.#limitText(chunk);
    else {
      this.#readable = Math.min(this.#length, Math.floor(this.#room));
      this.#room -= this.#readable;
    }
  }

  #limitText(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.#room -= unit < 0x80 ? 1 : unit < 0x800 || unit >>> 11 === 0x1b ? 2 : 3; // each half of a pair is 2
      if (this.#room >= 0) continue;
      this.#room = 0;
      this.#readable = i;
      return;
    }
  }

  /**
   * Returns whether other tasks must run before the next piece. First frees a chunk that was read.
   *
   * @throws {RangeError} If the chunk has more than could be read of it.
   */
  #mustWait(): boolean {
    if (this.#chunk !== undefined && this.#start >= this.#readable && (this.#start > 0 || this.#length > 0)) {
      this.free();
      if (this.#readable < this.#length) throw tooManyBytes(this.#maxBytes);
    }
    if (this.#chunk === undefined || this.#hasWaited) return this.#hasWaited = false;
    this.#unseen += Math.min(PIECE_BYTES, this.#length) + PIECE_LOOK_BYTES;
    return this.#isWaiting = (this.#unseen >= LOOK_BYTES || this.#timeSlice === 0) &&
      this.#elapsed() >= this.#timeSlice;
  }

  /** Resolves once other tasks have run. */
  async #waitForTurn(): Promise<void> {
    this.#isWaiting = false;
    this.#hasWaited = true;
    await this.#nextTurn!.hasBegun;
    this.#turnStart = performance.now();
    this.#nextTurn = undefined;
  }

  /** Resolves with the next piece of the chunk that was passed in. */
  async next(): Promise<C | undefined> {
    if (this.#mustWait()) await this.#waitForTurn();
    return this.#nextPiece();
  }

  /**
   * Returns the next piece of the chunk; `undefined` after the last one. A chunk without bytes is a
   * piece too: the parser finds out whether its buffer is detached.
   *
   * @throws {TypeError} If the chunk has another length than when it was taken.
   */
  #nextPiece(): C | undefined {
    const chunk = this.#chunk;
    if (chunk === undefined) return undefined; // or freed while waiting
    if (sizeOf(chunk) !== this.#length) {
      throw new TypeError("Cannot parse the rest of a chunk: its buffer was detached or resized");
    }
    const start = this.#start;
    this.#start = start + PIECE_BYTES;
    if (this.#length <= PIECE_BYTES && this.#readable === this.#length) return chunk;
    const size = Math.min(PIECE_BYTES, this.#readable - start);
    if (typeof chunk === "string") return chunk.slice(start, start + size) as C;
    return new Uint8Array(bufferOf(chunk), offsetOf(chunk) + start, size) as C;
  }

  /** Whether the piece returned last was the last one of its chunk. */
  get isChunkRead(): boolean {
    return this.#start >= this.#readable;
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
    this.#unseen = 0;
    const elapsed = performance.now() - this.#turnStart;
    if (elapsed >= this.#timeToRequest) this.#nextTurn ??= new Turn();
    return elapsed;
  }

  #endTurn(): void {
    this.#nextTurn?.cancel();
    this.#nextTurn = undefined;
  }

  /** Frees the chunk, even if not all of it was read. */
  free(): void {
    const chunk = this.#chunk;
    if (chunk !== undefined && typeof chunk !== "string" && this.#detachChunks && this.#isDetachable) detach(chunk);
    this.#chunk = undefined;
  }

  /** Returns the next piece, or `undefined` if the next chunk or turn must be read first. */
  poll(): C | undefined {
    return this.#isWaiting || this.#mustWait() ? undefined : this.#nextPiece();
  }

  /** Requests the next chunk, or a turn of the event loop in which other tasks run. */
  read(): Promise<unknown> {
    if (this.#isClosed || this.#isWaiting) {
      this.#isTurn = true;
      return this.#isClosed ? Promise.resolve() : this.#waitForTurn();
    }
    return this.#source!.read();
  }

  fail(): void {
    this.#source!.fail();
  }

  /**
   * Takes the chunk, if one was read, and frees the one before. Returns whether there may be a
   * piece: not at the end, and once the source is cancelled.
   */
  takeRead(read: unknown): boolean {
    if (this.#isTurn) {
      this.#isTurn = false;
      return !this.#isClosed;
    }
    const chunk = this.#source!.takeRead(read);
    if (chunk === undefined) {
      if (!this.#isClosed) this.#source!.close();
      this.#isClosed = true;
      this.#endTurn();
      return false;
    }
    this.take(chunk, !this.#source!.isReused);
    if (this.#isClosed) this.free();
    return !this.#isClosed;
  }

  /** Parses all pieces, or cancels the source once no further bytes matter. */
  async parse<R>(parser: PieceParser<R, C>): Promise<R> {
    do {
      for (let piece = this.poll(); piece !== undefined; piece = this.poll()) {
        if (parser.push(piece)) continue;
        const result = parser.end();
        this.cancel(result);
        return result;
      }
    } while (await nextOf(this));
    return parser.end();
  }

  /** Frees the chunk, and cancels the source unless it has ended. */
  cancel(reason: unknown): void {
    this.free();
    this.#endTurn();
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#source!.cancel(reason);
  }
}

function sizeOf(chunk: Uint8Array | string): number {
  return typeof chunk === "string" ? chunk.length : lengthOf(chunk);
}

interface EventLoopGlobals {
  Deno?: unknown;
  setImmediate?(callback: () => void): unknown;
  clearImmediate?(id: unknown): void;
}

/** A scheduled turn of the event loop. Other tasks run before it, input and output included. */
class Turn {
  /** Fulfilled when the turn begins or is cancelled. */
  readonly hasBegun: Promise<void>;
  /** Time when the turn began; 0 until then. */
  start = 0;
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

/**
 * Schedules a call in the next turn of the event loop. Returns a function that cancels it.
 *
 * Browsers delay timers by 4 ms, Node.js and Bun by 1 ms, so they get messages and immediates. Deno
 * reads no sockets between consecutive messages or immediates (0 of 58 turns; with timers, all), so
 * it gets a timer.
 */
function callInNextTurn(callback: () => void): () => void {
  const { Deno, setImmediate, clearImmediate } = globalThis as EventLoopGlobals;
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
