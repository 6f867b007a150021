/** Reads the lines of inputs in threads. */

import { detach } from "../../detach.ts";
import type { ThreadJob } from "../check/worker.ts";
import { type Block, LineBlocks } from "../lines/line_blocks.ts";
import { LineThreads, startThreads } from "../lines/line_threads.ts";
import { rangesOf } from "../lines/read_range.ts";
import type { WorkerThread } from "../platform/interface.ts";
import type { JobText } from "./job.ts";
import { type Part, PartReader, type PartResult } from "./part_reader.ts";

/** Starts threads for a job. Resolves with `null` if they cannot be started. */
export async function startPartsThreads(jobs: number, text: JobText): Promise<PartsThreads | null> {
  const threads = await startThreads(jobs - 1);
  for (const thread of threads ?? []) thread.postMessage({ text } satisfies ThreadJob);
  return threads === undefined ? null : new PartsThreads(threads, new PartReader(text));
}

export class PartsThreads extends LineThreads<Part, PartResult> {
  #blocks = new LineBlocks();
  #resultsLeft: () => number = () => 0;

  constructor(threads: readonly WorkerThread[], reader: PartReader) {
    super(threads, { readHere: (part) => reader.read(part)[0] });
  }

  /**
   * Begins another input. The listener receives results in turn, and resolves with whether to go
   * on.
   */
  beginInput(resultsLeft: () => number, listener: (result: PartResult) => Promise<boolean>): void {
    // One more than are wanted, so that a part with the last of them can be told.
    this.#resultsLeft = () => resultsLeft() + 1;
    this.begin(async (result) => {
      const goesOn = await listener(result);
      for (const { buffer } of result.outputs) detach(buffer); // written
      if (result.part.block !== undefined) this.#blocks.recycle(result.part.block);
      return goesOn;
    });
  }

  /**
   * Reads the lines that begin in `[start, end)` of a file. Resolves once all are read or enough is
   * found.
   */
  readFile(path: string, start: number, end: number): Promise<void> {
    const parts = rangesOf(path, start, end).map((range) => ({ range, resultsLeft: this.#resultsLeft() }));
    return this.readAll(parts);
  }

  /** Begins with the bytes that another reader has left, and goes on with those of {@linkcode add}. */
  beginBlocks(rest: Block): void {
    this.#blocks.begin(rest);
    // Input may arrive slowly: then lines are read as they come.
    this.onIdle = () => void this.#readBlock();
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
      if (this.isStopped) return added;
      // An idle thread may have taken a block meanwhile.
      if (blocks.room === 0 && !await this.#readBlock() && !blocks.grow()) return added;
    }
    if (this.isIdle) await this.#readBlock();
    return added;
  }

  /** Resolves with the bytes of blocks that were not sent, after the results of all others. */
  async endBlocks(): Promise<Block> {
    this.onIdle = undefined;
    const rest = this.#blocks.takeRest();
    await this.drain();
    return rest;
  }

  /** Reads the lines that are complete. Resolves with whether there are any. */
  async #readBlock(): Promise<boolean> {
    const block = this.#blocks.cut();
    if (block === undefined) return false;
    await this.read({ block, resultsLeft: this.#resultsLeft() }, [block.bytes.buffer]);
    return true;
  }
}
