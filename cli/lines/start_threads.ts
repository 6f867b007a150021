/** Start of threads. */

import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";

/** Starts some threads. Resolves with `undefined` if they cannot be started. */
export async function startThreads(count: number): Promise<WorkerThread[] | undefined> {
  const threads: WorkerThread[] = [];
  try {
    // Loaded here first: a thread that cannot load it would print the error, and so would one
    // without a network if only the modules that are imported have been downloaded.
    await import("../check/worker.ts");
    while (threads.length < count) threads.push(platform.startWorker());
    return threads;
  } catch {
    await Promise.all(threads.map((thread) => thread.terminate()));
    return undefined;
  }
}
