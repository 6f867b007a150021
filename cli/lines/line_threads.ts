/**
 * Reads lines in threads: blocks of them in any order, their results in that of the input.
 *
 * @module
 */

import type { WorkerThread } from "../platform/interface.ts";
import type { Block } from "./line_blocks.ts";
import { LineBlocks } from "./line_blocks.ts";

/** Blocks that a thread has at a time, so that it need not wait for the next one. */
const BLOCKS_AT_ONCE = 2;

/** Blocks for each thread whose results may wait for their turn, or to be written. */
const MAX_WAITING = 3;

/** Answer of a thread: the result of a block, which it gives back. */
export interface BlockAnswer<R> {
  readonly block: Block;
  readonly result: R;
  /** Error that ends the work. */
  readonly broken?: string;
}

/** Thread with the number of blocks that it has. */
interface Reader {
  readonly thread: WorkerThread;
  blocks: number;
}

/** Receives results in the order of their blocks. Resolves with whether to go on. */
export type ResultListener<R> = (block: Block, result: R) => Promise<boolean>;

/** Threads that read the lines of one input after the other. */
export class LineThreads<T, R> {
  readonly #readers: Reader[];
  readonly #blocks = new LineBlocks();
  readonly #makeTask: (block: Block) => T;
  #listener: ResultListener<R> = () => Promise.resolve(false);
  /** Answers that wait for their turn, by the offsets of their blocks. */
  readonly #answers = new Map<number, BlockAnswer<R>>();
  /** Offsets of the blocks that are not done, in their order. */
  #turns: number[] = [];
  #isDelivering = false;
  #isStopped = false;
  #error: unknown;
  #wake = (): void => {};

  /** @param makeTask Makes the message that has a thread read a block. */
  constructor(threads: readonly WorkerThread[], makeTask: (block: Block) => T) {
    this.#readers = threads.map((thread) => ({ thread, blocks: 0 }));
    this.#makeTask = makeTask;
    for (const reader of this.#readers) {
      reader.thread.onmessage = ({ data }) => this.#receive(reader, data as BlockAnswer<R>);
      reader.thread.onerror = (event) => {
        event.preventDefault();
        this.#fail(new Error(`a thread has ended: ${event.message}`));
      };
    }
  }

  /** Begins with lines that another reader has left. */
  begin(rest: Block, listener: ResultListener<R>): void {
    this.#listener = listener;
    this.#isStopped = false;
    this.#blocks.begin(rest);
  }

  /** Whether the listener wants no more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Adds bytes. Resolves with how many: fewer than all before a line that is too long for a block. */
  async add(piece: Uint8Array): Promise<number> {
    let added = 0;
    while (added < piece.length && !this.#isStopped) {
      const part = piece.subarray(added, added + this.#blocks.room);
      this.#blocks.add(part);
      added += part.length;
      if (this.#blocks.room > 0) continue;
      await this.#waitFor(() => this.#hasTurn());
      if (this.#blocks.room > 0) continue; // cut meanwhile
      const block = this.#blocks.cut();
      if (block !== undefined) this.#send(block);
      else if (!this.#blocks.grow()) return added;
    }
    this.#sendWhileIdle();
    return added;
  }

  /** Resolves with the bytes that no thread has got, after the results of all others. */
  async drain(): Promise<Block> {
    const rest = this.#blocks.takeRest();
    await this.#waitFor(() => this.#turns.length === 0);
    return rest;
  }

  /** Reads the rest of an input. */
  async end(): Promise<void> {
    await this.#waitFor(() => this.#hasTurn());
    const rest = this.#blocks.takeRest();
    if (rest.end > rest.at && !this.#isStopped) this.#send(rest);
    await this.#waitFor(() => this.#turns.length === 0);
  }

  /** Drops what was added, and all results to come. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.all(this.#readers.map(({ thread }) => thread.terminate()));
  }

  #hasTurn(): boolean {
    return this.#turns.length < MAX_WAITING * this.#readers.length &&
      this.#readers.some(({ blocks }) => blocks < BLOCKS_AT_ONCE);
  }

  async #waitFor(isReady: () => boolean): Promise<void> {
    while (this.#error === undefined && !this.#isStopped && !isReady()) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #send(block: Block): void {
    const reader = this.#readers.reduce((least, other) => other.blocks < least.blocks ? other : least);
    reader.blocks++;
    this.#turns.push(block.offset + block.at);
    reader.thread.postMessage(this.#makeTask(block), [block.bytes.buffer]);
  }

  /** Sends lines that have arrived if all threads wait for more: input may arrive slowly. */
  #sendWhileIdle(): void {
    if (this.#isStopped || this.#readers.some(({ blocks }) => blocks > 0)) return;
    const block = this.#blocks.cut();
    if (block !== undefined) this.#send(block);
  }

  #receive(reader: Reader, answer: BlockAnswer<R>): void {
    if (answer.broken !== undefined) return this.#fail(new Error(answer.broken));
    reader.blocks--;
    this.#answers.set(answer.block.offset + answer.block.at, answer);
    this.#sendWhileIdle();
    if (!this.#isDelivering) this.#deliver().catch((error) => this.#fail(error)).finally(this.#wake);
    this.#wake();
  }

  /** Passes on the results whose turn it is. */
  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    for (;;) {
      const answer = this.#answers.get(this.#turns[0]);
      if (answer === undefined) break;
      this.#answers.delete(this.#turns[0]);
      if (!this.#isStopped && !await this.#listener(answer.block, answer.result)) this.#isStopped = true;
      this.#turns.shift();
      this.#blocks.recycle(answer.block);
      this.#wake();
    }
    this.#isDelivering = false;
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#wake();
  }
}
