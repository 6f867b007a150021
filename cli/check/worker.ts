/** Thread of the command line: validates files, or reads lines, with modules loaded on demand. */

import type { PoolMessage, PoolTask } from "../lines/ordered_worker_pool.ts";
import { buffersOf } from "../lines/read_block.ts";
import { platform } from "../platform/platform.ts";
import type { JobText } from "../select/job.ts";
import type { Part, PartReader } from "../select/part_reader.ts";
import type { BlockTask, FileTask } from "./thread_tasks.ts";

/** First message to a thread that reads parts. */
export interface ThreadJob {
  readonly text: JobText;
}

type Task = Part | BlockTask | readonly FileTask[];

// The main thread imports the module, too, to see whether it can be loaded.
const scope = platform.workerScope();

let reader: PartReader | undefined;

/** Runs a task. Resolves with the result, and the buffers to transfer. */
async function run(task: Task): Promise<[result: unknown, buffers?: ArrayBuffer[]]> {
  if (!("options" in task || "length" in task)) return reader!.read(task);
  const { validateBlock, validateFiles } = await import("./thread_tasks.ts");
  if ("options" in task) return [validateBlock(task), buffersOf(task.lines)];
  return [await validateFiles(task, (bytes) => post({ index: -1, bytes }))];
}

async function handle(message: ThreadJob | PoolTask<Task>): Promise<void> {
  if ("text" in message) {
    const { PartReader } = await import("../select/part_reader.ts");
    reader = new PartReader(message.text);
    return post({ index: -1 });
  }
  const [result, buffers] = await run(message.task);
  post({ index: message.index, result }, buffers);
}

function post(message: PoolMessage<unknown>, buffers?: ArrayBuffer[]): void {
  scope!.postMessage(message, buffers);
}

scope?.listen((message) => {
  handle(message as ThreadJob | PoolTask<Task>).catch((error) => post({ index: -1, error: String(error) }));
});
