/**
 * Threads that print parts of the documents of lines.
 *
 * @module
 */

import { LineThreads } from "../lines/line_threads.ts";
import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import type { PartsMessage } from "../check/worker.ts";
import type { BlockResult } from "./block_reader.ts";
import type { JobText } from "./job.ts";

export type PartsThreads = LineThreads<PartsMessage, BlockResult>;

/** Starts threads for a job. Resolves with `null` if they cannot be started. */
export async function startPartsThreads(
  jobs: number,
  text: JobText,
  resultsLeft: () => number,
): Promise<PartsThreads | null> {
  const threads: WorkerThread[] = [];
  try {
    // Loaded here first: a thread that cannot load it would print the error.
    await import("../check/worker.ts");
    await import("./block_reader.ts");
    for (let i = 0; i < jobs; i++) {
      const thread = platform.startWorker();
      threads.push(thread);
      thread.postMessage({ text } satisfies PartsMessage);
    }
  } catch {
    await Promise.all(threads.map((thread) => thread.terminate()));
    return null;
  }
  // One more than are wanted, so that a block with the last of them can be told.
  return new LineThreads(threads, (block) => ({ task: { block, resultsLeft: resultsLeft() + 1 } }));
}
