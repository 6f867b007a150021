/** Threads that read the lines of one input after the other, in blocks. */

import type { Input } from "../check/input_file.ts";
import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import { type Block, LineBlocks } from "./line_blocks.ts";
import { OrderedWorkerPool } from "./ordered_worker_pool.ts";
import { type Lines, RANGE_BYTES } from "./read_block.ts";

/** Starts some threads. Resolves with `undefined` if they cannot be started. */
export async function startThreads(count: number): Promise<WorkerThread[] | undefined> {
  const threads: WorkerThread[] = [];
  try {
    // Loaded here first, because a thread that cannot load it would print the error, for example
    // without a network if the module has not been downloaded.
    await import("../check/worker.ts");
    while (threads.length < count) threads.push(platform.startWorker());
    return threads;
  } catch {
    await Promise.all(threads.map((thread) => thread.terminate()));
    return undefined;
  }
}

/** Pool whose tasks are blocks of lines. Their buffers come back with the results, to be reused. */
export class BlockWorkerPool<T extends { lines: Lines }, R extends { part: T; end: number }>
  extends OrderedWorkerPool<T, R> {
  readonly #blocks = new LineBlocks();
  #taskOf: ((lines: Lines) => T) | undefined;

  /**
   * Begins another input, with the bytes that another reader has left, followed by those of
   * {@linkcode add}. The listener receives the results in order, and resolves with whether
   * to continue.
   */
  beginBlocks(rest: Block, taskOf: (lines: Lines) => T, listener: (result: R) => Promise<boolean>): void {
    this.#taskOf = taskOf;
    this.begin(async (result) => {
      if (result.end < 0) return false;
      const continues = await listener(result);
      const { lines } = result.part;
      if (!("path" in lines)) this.#blocks.recycle(lines);
      return continues;
    });
    this.#blocks.begin(rest);
    // Input may arrive slowly: then lines are read as they come.
    this.onIdle = () => void this.#submitBlock();
  }

  /**
   * Adds the next bytes. Resolves with how many were taken: not all before a line that is too long
   * for a block, or if no more are wanted.
   */
  async add(piece: Uint8Array): Promise<number> {
    const blocks = this.#blocks;
    let added = 0;
    while (added < piece.length) {
      const part = piece.subarray(added, added + blocks.room);
      blocks.add(part);
      added += part.length;
      if (blocks.room > 0) break;
      await this.waitForRoom();
      if (this.isCancelled) return added;
      // An idle thread may have taken a block meanwhile.
      if (blocks.room === 0 && !await this.#submitBlock() && !blocks.grow()) return added;
    }
    if (this.isIdle) await this.#submitBlock();
    return added;
  }

  /**
   * Has threads read the lines of an open file that begin from `start` to `end`. Resolves once they
   * are read, up to lines that cannot be read like this, which are all if the path now names
   * another file.
   */
  async readFile({ path, identity }: Input, start: number, end: number): Promise<void> {
    this.onIdle = undefined;
    // Shorter ones first, so that nothing waits for the result of a thread that is still cold.
    for (let size = RANGE_BYTES / 16; start < end && !this.isCancelled; size = Math.min(2 * size, RANGE_BYTES)) {
      await this.waitForRoom();
      const next = Math.min(start + size, end);
      await this.submit(this.#taskOf!({ path, file: identity!, start, end: next }), []);
      start = next;
    }
    await this.drain();
  }

  /** Resolves with the bytes of blocks that were not sent, after the results of all others. */
  async endBlocks(): Promise<Block> {
    this.onIdle = undefined;
    const rest = this.#blocks.takeRest();
    await this.drain();
    return rest;
  }

  /** Submits the lines that are complete. Resolves with whether there are any. */
  async #submitBlock(): Promise<boolean> {
    const block = this.#blocks.cut();
    if (block === undefined) return false;
    await this.submit(this.#taskOf!(block), [block.bytes.buffer]);
    return true;
  }
}
