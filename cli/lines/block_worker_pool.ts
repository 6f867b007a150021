/** Threads that read the lines of one input after the other, in blocks. */

import type { Input } from "../check/input_file.ts";
import { type Interrupt, unlessInterrupted } from "../interrupt.ts";
import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import { type Block, blockOfPiece, CONTEXT_BYTES, LineBlocks, noBlock } from "./line_blocks.ts";
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

/** Reader of this thread: takes the results of threads, and reads the lines that they leave. */
export interface OwnReader<T, R> {
  readonly run: { readonly interrupt: Interrupt; bytesRead: number };
  /** Returns whether to continue reading. */
  isWanted(): boolean;
  /** Returns the task of a thread that reads some lines. */
  taskOf(lines: Lines): T;
  /** Continues at a block that `lines` lines precede. */
  resume(block: Block, lines: number): void | Promise<void>;
  /** Reads the next bytes, which may change afterwards. */
  push(piece: Uint8Array<ArrayBuffer>): void | Promise<void>;
  /** Takes the result of lines that `lines` others precede. Resolves with whether to continue. */
  add(result: R, lines: number): Promise<boolean>;
}

/**
 * Pool whose tasks are blocks of lines. Their buffers come back with the results, to be reused. A
 * reader of this thread takes the results, and reads what threads leave.
 */
export class BlockWorkerPool<
  T extends { lines: Lines },
  R extends { part: T; end: number; lines: number },
> extends OrderedWorkerPool<T, R> {
  readonly #blocks = new LineBlocks();
  #reader!: OwnReader<T, R>;
  /** Whether arriving bytes go to threads. */
  #isOpen = false;
  /** Number of lines before the next result, and offset after the last one. */
  #lines = 0;
  #end = 0;
  /** Offset of the next piece, after threads have read a file. */
  #from: number | undefined;

  /**
   * Leaves an input to threads, from a block on that `lines` lines precede. Pushed bytes are sent to
   * them. A file they read themselves, except for an unterminated last line.
   *
   * @returns Offset to continue a file at, for that line; `true` if threads wait for more.
   */
  async beginLines(rest: Block, lines: number, reader: OwnReader<T, R>, file?: Input): Promise<true | number> {
    this.#reader = reader;
    this.#lines = lines;
    this.#end = rest.offset + rest.at;
    this.begin((result) => this.#take(result));
    this.#isOpen = file === undefined;
    if (file === undefined) {
      this.#blocks.begin(rest);
      // Input may arrive slowly: then lines are read as they arrive.
      this.onIdle = () => void this.#submitBlock();
      return true;
    }
    reader.run.bytesRead -= rest.end - rest.at;
    await unlessInterrupted(this.#readFile(file), reader.run.interrupt);
    await this.cancel();
    this.#from = Math.max(0, this.#end - CONTEXT_BYTES);
    if (reader.isWanted()) await reader.resume({ ...noBlock(), offset: this.#end }, this.#lines);
    return this.#from;
  }

  /** Takes the next bytes. Resolves with whether threads have them; the reader reads others. */
  async push(piece: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const reader = this.#reader;
    let added = 0;
    if (this.#isOpen) {
      added = await unlessInterrupted(this.#add(piece), reader.run.interrupt) ?? piece.length;
      if (added === piece.length || !reader.isWanted()) return true;
      await this.endLines();
    }
    const from = this.#from;
    this.#from = undefined;
    if (from === undefined) await reader.push(piece.subarray(added));
    else await reader.resume(blockOfPiece(piece, from, this.#end), this.#lines);
    return false;
  }

  /** Waits for the threads. The reader continues at the lines that they have left. */
  async endLines(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.onIdle = undefined;
    const rest = this.#blocks.takeRest();
    await this.drain();
    if (this.#reader.isWanted()) await this.#reader.resume(rest, this.#lines);
  }

  async #take(result: R): Promise<boolean> {
    if (result.end < 0) return false;
    const continues = await this.#reader.add(result, this.#lines);
    const { lines } = result.part;
    if ("path" in lines) this.#reader.run.bytesRead += result.end - this.#end;
    else this.#blocks.recycle(lines);
    this.#lines += result.lines;
    this.#end = result.end;
    return continues;
  }

  /**
   * Adds bytes to blocks. Resolves with how many were taken: not all before a line that is too long
   * for a block, or if the input was cancelled.
   */
  async #add(piece: Uint8Array): Promise<number> {
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
   * Lets threads read the lines of an open file. Resolves once they are read, up to lines that
   * threads cannot read: all, if the path now names another file.
   */
  async #readFile({ path, identity, size = 0 }: Input): Promise<void> {
    this.onIdle = undefined;
    // Shorter ones first, so that nothing waits for the result of a thread that is still cold.
    let bytes = RANGE_BYTES / 16;
    for (let start = this.#end; start < size && !this.isCancelled;) {
      await this.waitForRoom();
      const end = Math.min(start + bytes, size);
      await this.submit(this.#reader.taskOf({ path, file: identity!, start, end }), []);
      start = end;
      bytes = Math.min(2 * bytes, RANGE_BYTES);
    }
    await this.drain();
  }

  /** Submits the lines that are complete. Resolves with whether there are any. */
  async #submitBlock(): Promise<boolean> {
    const block = this.#blocks.cut();
    if (block === undefined) return false;
    await this.submit(this.#reader.taskOf(block), [block.bytes.buffer]);
    return true;
  }
}
