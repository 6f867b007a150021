/**
 * Thread of the command line: validates files, or reads lines. Loads what either needs.
 *
 * @module
 */

import type { PartAnswer, PartTask } from "../lines/line_threads.ts";
import { platform } from "../platform/platform.ts";
import type { JobText } from "../select/job.ts";
import type { Part, PartReader, PartResult } from "../select/part_reader.ts";
import type { RangeResult, RangeTask } from "./validate_range.ts";
import type { WorkerTask } from "./validate_batch.ts";

/** First message to a thread that reads lines. */
export interface ThreadJob {
  readonly text: JobText;
}

type Message = readonly WorkerTask[] | ThreadJob | PartTask<Part | RangeTask>;

// The main thread imports the module, too, to see whether it can be loaded.
const scope = platform.workerScope();

let reader: PartReader | undefined;

async function answer(message: Message): Promise<void> {
  if (!("task" in message || "text" in message)) {
    const { validateBatch } = await import("./validate_batch.ts");
    return await validateBatch(scope!, message);
  }
  if ("task" in message && "options" in message.task) {
    const { validateRange } = await import("./validate_range.ts");
    const answer = validateRange(message.task);
    scope!.postMessage({ turn: message.turn, answer } satisfies PartAnswer<RangeResult>);
    return;
  }
  const { PartReader } = await import("../select/part_reader.ts");
  if ("text" in message) {
    reader = new PartReader(message.text);
    scope!.postMessage({ turn: -1 } satisfies PartAnswer<PartResult>);
    return;
  }
  const [result, buffers] = reader!.read(message.task as Part);
  scope!.postMessage({ turn: message.turn, answer: result } satisfies PartAnswer<PartResult>, buffers);
}

scope?.listen((message) => {
  answer(message as Message).catch((error) => scope.postMessage({ turn: -1, bytes: 0, broken: String(error) }));
});
