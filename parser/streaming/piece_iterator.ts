/** Iterates over the items that a reader makes while the bytes of a source arrive. */

import { Queue } from "../base/queue.ts";
import type { Pieces } from "./pieces.ts";

/** Reader that makes items from pieces. */
export interface PieceReader<Item, Piece = Uint8Array> {
  /** Items that wait to be asked for. */
  readonly items: Queue<Item>;
  /**
   * Reads a piece. Returns `false` if no further bytes matter.
   *
   * @param endsChunk Whether it is the last one of its chunk.
   */
  read(piece: Piece, endsChunk: boolean): boolean;
  end(): void;
  /** Adds the part of an item that has arrived, before the error of the source. */
  abandon?(): void;
  /** Called once nothing more is read. */
  stop(): void;
  /** Set by the iterator. Call it after adding items between two pieces. */
  wake: () => void;
}

/** Call of `next` that waits for an item. */
interface ItemRequest<Item> {
  resolve(result: IteratorResult<Item, undefined>): void;
  reject(error: unknown): void;
}

/**
 * Iterator over items. It is not an async generator, because `return` must end it while `next`
 * waits for a stalled source, and awaiting each item would cost more than parsing a short one.
 */
export class PieceIterator<Item, Piece extends Uint8Array | string = Uint8Array>
  implements AsyncIterableIterator<Item, undefined>, AsyncDisposable {
  readonly #pieces: Pieces<Piece>;
  readonly #reader: PieceReader<Item, Piece>;
  readonly #signal: AbortSignal | undefined;
  readonly #items: Queue<Item>;
  /** Calls of `next` that wait for an item. */
  readonly #requests = new Queue<ItemRequest<Item>>();
  /** Whether a chunk is being waited for. */
  #isReading = false;
  /** Whether reading has stopped. */
  #hasEnded = false;
  /** Error that the next call of `next` rejects with. */
  #error: { reason: unknown } | undefined = undefined;

  constructor(pieces: Pieces<Piece>, reader: PieceReader<Item, Piece>, signal: AbortSignal | undefined) {
    // An engine without Symbol.asyncDispose has defined the method as "undefined". Not at load: a
    // bundler would keep the class, and with it the whole streaming parser, in any bundle.
    if (Symbol.asyncDispose === undefined) Reflect.deleteProperty(PieceIterator.prototype, "undefined");
    this.#pieces = pieces;
    this.#reader = reader;
    this.#items = reader.items;
    this.#signal = signal;
    reader.wake = () => this.#answer();
    if (signal?.aborted) this.#fail(signal.reason);
    else signal?.addEventListener("abort", this.#abort);
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const value = this.#items.take();
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
    return new Promise(this.#request);
  }

  #request = (
    resolve: (result: IteratorResult<Item, undefined>) => void,
    reject: (error: unknown) => void,
  ): void => {
    this.#requests.add({ resolve, reject });
    if (!this.#isReading) this.#read();
  };

  return(): Promise<IteratorResult<Item, undefined>> {
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

  /** Reads pieces until no request is left. */
  #read(): void {
    try {
      while (!this.#hasEnded && !this.#requests.isEmpty) {
        const piece = this.#poll();
        if (piece === undefined) {
          if (this.#hasEnded) return;
          this.#isReading = true;
          this.#pieces.read().then(this.#goOn, this.#failedToRead);
          return;
        }
        if (!this.#reader.read(piece, this.#pieces.isChunkRead)) {
          this.#end();
          this.#pieces.cancel(undefined);
        }
        this.#answer();
      }
    } catch (error) {
      if (!this.#hasEnded) this.#fail(error);
    }
  }

  #poll(): Piece | undefined {
    try {
      return this.#pieces.poll();
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** Receives an error of reading. */
  #failedToRead = (error: unknown): void => {
    this.#pieces.fail();
    this.#failed(error);
  };

  /** Reads on after a chunk has arrived, or at the end. */
  #goOn = (read: unknown): void => {
    this.#isReading = false;
    let hasPiece: boolean;
    try {
      hasPiece = this.#pieces.takeRead(read);
    } catch (error) {
      return this.#failed(error);
    }
    if (!hasPiece && !this.#hasEnded) {
      try {
        this.#reader.end();
        this.#end();
        this.#answer();
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#read();
  };

  /** Ends with an error of the source or of the limit, after the items that have arrived. */
  #failed = (error: unknown): void => {
    this.#isReading = false;
    if (this.#hasEnded) return;
    this.#reader.abandon?.();
    this.#answer();
    if (this.#items.isEmpty) return this.#fail(error);
    this.#error = { reason: error };
    this.#end();
    this.#pieces.cancel(error);
  };

  /** Answers requests with the items that wait. */
  #answer(): void {
    while (!this.#requests.isEmpty && !this.#items.isEmpty) {
      this.#requests.take()!.resolve({ done: false, value: this.#items.take()! });
    }
    if (this.#hasEnded) this.#answerDone();
  }

  /** Answers the requests left after the last item. */
  #answerDone(): void {
    if (!this.#requests.isEmpty) this.#ignoreSignal();
    for (let request = this.#requests.take(); request !== undefined; request = this.#requests.take()) {
      request.resolve({ done: true, value: undefined });
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#reader.stop();
  }

  /** Ends at once with an error: the first pending call of `next` rejects, or else the next call. */
  #fail(reason: unknown): void {
    const request = this.#requests.take();
    if (request === undefined) this.#error = { reason };
    else request.reject(reason);
    this.#stop(reason);
  }

  /** Ends, and drops the items that wait. */
  #stop(reason: unknown): void {
    this.#end();
    this.#items.clear();
    this.#pieces.cancel(reason);
    this.#ignoreSignal();
    this.#answerDone();
  }

  #ignoreSignal(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  #abort = (): void => {
    if (!this.#hasEnded || !this.#items.isEmpty) this.#fail(this.#signal!.reason);
  };
}
