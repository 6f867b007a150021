/**
 * Thread of the command line: validates files, or reads lines. Loads the modules for either on
 * demand.
 */

import type { PartAnswer, PartTask } from "../lines/line_threads.ts";
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

/** Does a task. Resolves with the answer, and the buffers to transfer. */
async function read(task: Task): Promise<[answer: unknown, buffers?: ArrayBuffer[]]> {
  if (!("options" in task || "length" in task)) return reader!.read(task);
  const { validateBlock, validateFiles } = await import("./thread_tasks.ts");
  if ("options" in task) return [validateBlock(task), buffersOf(task.lines)];
  return [await validateFiles(task, (bytes) => post({ turn: -1, bytes }))];
}

async function answer(message: ThreadJob | PartTask<Task>): Promise<void> {
  if ("text" in message) {
    const { PartReader } = await import("../select/part_reader.ts");
    reader = new PartReader(message.text);
    return post({ turn: -1 });
  }
  const [answer, buffers] = await read(message.task);
  post({ turn: message.turn, answer }, buffers);
}

function post(message: PartAnswer<unknown>, buffers?: ArrayBuffer[]): void {
  scope!.postMessage(message, buffers);
}

scope?.listen((message) => {
  answer(message as ThreadJob | PartTask<Task>).catch((error) => post({ turn: -1, broken: String(error) }));
});
