/**
 * Iterates over the values of a source while its bytes arrive.
 *
 * @module
 */

import { Queue } from "../base/queue.ts";
import { Batch, isBatched } from "./batch.ts";
import { BinaryParser } from "./binary_parser.ts";
import type { ByteSource } from "./byte_source.ts";
import { streamedValueOptions } from "./parser_options.ts";
import { Pieces } from "./piece_cutter.ts";
import type { BatchOption, ParseValuesOptions, StreamedValue } from "./stream_options.ts";

const { deleteProperty } = Reflect;

/** Call of `next` that waits for a value, or for a batch of them. */
interface ValueRequest<Item> {
  resolve(result: IteratorResult<Item, undefined>): void;
  reject(error: unknown): void;
}

/**
 * Iterator of `parseValues`, over values or batches of them. It is not an async generator, because `return` must end it while
 * `next` waits for a stalled source, and awaiting each value would cost more than parsing a short
 * one.
 */
export class ValueIterator<T, Item extends StreamedValue<T> | StreamedValue<T>[]>
  implements AsyncIterableIterator<Item, undefined>, AsyncDisposable {
  readonly #pieces: Pieces;
  readonly #parser: BinaryParser<T>;
  readonly #signal: AbortSignal | undefined;
  /** Whether reading continues after a failure. */
  readonly #skipsFailures: boolean;
  /** Values that wait to be asked for. */
  readonly #values = new Queue<Item>();
  /** Values of the current piece, if they are wanted in batches. */
  readonly #batch: Batch<StreamedValue<T>> | null;
  /** Calls of `next` that wait for a value. */
  readonly #requests = new Queue<ValueRequest<Item>>();
  #isReading = false;
  /** Whether reading has stopped. */
  #hasEnded = false;
  /** Error that the next call of `next` rejects with. */
  #error: { reason: unknown } | undefined = undefined;

  constructor(source: ByteSource, options: ParseValuesOptions<T> & BatchOption<boolean>) {
    // An engine without Symbol.asyncDispose has defined the method as "undefined". Not at load: a
    // bundler would keep the class, and with it the whole streaming parser, in any bundle.
    if (Symbol.asyncDispose === undefined) deleteProperty(ValueIterator.prototype, "undefined");
    const { signal, batch } = options;
    this.#batch = isBatched(batch) ? new Batch() : null;
    this.#parser = new BinaryParser<T>(streamedValueOptions(options, (value) => {
      if (this.#batch === null) this.#values.add(value as Item);
      else this.#batch.add(value);
    }));
    this.#skipsFailures = options.multiple !== "elements";
    this.#pieces = new Pieces(source, options);
    this.#signal = signal;
    if (signal?.aborted) this.#fail(signal.reason);
    else signal?.addEventListener("abort", this.#abort);
  }

  next(): Promise<IteratorResult<Item, undefined>> {
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
        const values = this.#batch?.take();
        if (values !== undefined) this.#values.add(values as Item);
        this.#answer();
      }
    } catch (error) {
      if (!this.#hasEnded) this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Answers requests with the values of the last piece. */
  #answer(): void {
    while (!this.#requests.isEmpty && !this.#values.isEmpty) {
      this.#requests.take()!.resolve({ done: false, value: this.#values.take()! });
    }
    if (this.#hasEnded) this.#answerDone();
  }

  /** Answers the requests left after the last value. */
  #answerDone(): void {
    if (!this.#requests.isEmpty) this.#ignoreSignal();
    for (let request = this.#requests.take(); request !== undefined; request = this.#requests.take()) {
      request.resolve({ done: true, value: undefined });
    }
  }

  /** Ends with an error: the first pending call of `next` rejects, or else the next call. */
  #fail(reason: unknown): void {
    const request = this.#requests.take();
    if (request === undefined) this.#error = { reason };
    else request.reject(reason);
    this.#stop(reason);
  }

  /** Ends, and drops the values that wait. */
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
