/**
 * Thread of the command line. Validates batches of files, one file after the other, or reads blocks
 * of lines for the commands that print parts of documents.
 *
 * @module
 */

import type { Diagnostic, DiagnosticOptions } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import type { PartAnswer, PartTask } from "../lines/line_threads.ts";
import type { JobText } from "../select/job.ts";
import type { Part, PartReader, PartResult } from "../select/part_reader.ts";
import type { Input } from "./find_inputs.ts";
import { type InputOutcome, validateInput } from "./validate_input.ts";

/** File to validate, with its index among the inputs. */
export interface WorkerTask {
  index: number;
  input: Input;
  options: DiagnosticOptions;
}

/** Outcome of a task. */
export interface WorkerResult {
  index: number;
  diagnostics: Diagnostic[];
  outcome: InputOutcome;
}

/** Progress: bytes read since the last message, and the results of a finished batch. */
export interface WorkerMessage {
  bytes: number;
  results?: WorkerResult[];
  /** Error that ends the work. Thrown, it would be printed with a stack trace. */
  broken?: string;
}

/** First message to a thread that reads lines. */
export interface ThreadJob {
  readonly text: JobText;
}

/** Bytes read between two messages about progress. */
const PROGRESS_BYTES = 2 ** 24;

// The main thread imports the module, too, to see whether it can be loaded.
const scope = platform.workerScope();

/** Bytes read since the last message. */
let bytes = 0;

function post(rest: Omit<WorkerMessage, "bytes"> = {}): void {
  scope?.postMessage({ bytes, ...rest } satisfies WorkerMessage);
  bytes = 0;
}

async function validate({ index, input, options }: WorkerTask): Promise<WorkerResult> {
  const diagnostics: Diagnostic[] = [];
  try {
    const outcome = await validateInput(input, options, {
      onPiece({ length }): void {
        bytes += length;
        if (bytes >= PROGRESS_BYTES) post();
      },
      onDiagnostic(diagnostic): void {
        const { excerpt } = diagnostic;
        // Copied, because it is a part of more bytes, which would all be sent.
        diagnostics.push({ ...diagnostic, excerpt: { ...excerpt, bytes: excerpt.bytes.slice() } });
      },
    });
    return { index, diagnostics, outcome };
  } catch (error) {
    return { index, diagnostics, outcome: describeReadError(error, input.path) };
  }
}

async function validateBatch(tasks: readonly WorkerTask[]): Promise<void> {
  try {
    const results: WorkerResult[] = [];
    for (const task of tasks) results.push(await validate(task));
    post({ results });
  } catch (error) {
    post({ broken: String(error) });
  }
}

let parts: Promise<typeof import("../select/part_reader.ts")> | undefined;
let reader: PartReader | undefined;

/** Prepares a job of reading lines, or reads a part for it. */
async function readPart(message: ThreadJob | PartTask<Part>): Promise<void> {
  try {
    const { PartReader } = await (parts ??= import("../select/part_reader.ts"));
    if ("text" in message) {
      reader = new PartReader(message.text);
      return;
    }
    const [answer, buffers] = reader!.read(message.task);
    scope!.postMessage({ turn: message.turn, answer } satisfies PartAnswer<PartResult>, buffers);
  } catch (error) {
    scope!.postMessage({ turn: -1, broken: String(error) } satisfies PartAnswer<PartResult>);
  }
}

scope?.listen((message) => {
  if (Array.isArray(message)) void validateBatch(message);
  else void readPart(message as ThreadJob | PartTask<Part>);
});
