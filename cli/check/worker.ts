/**
 * Thread of the command line. Validates batches of files, one file after the other, or reads blocks
 * of lines for the commands that print parts of documents.
 *
 * @module
 */

import type { Diagnostic, DiagnosticOptions } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import type { BlockReader, BlockTask } from "../select/block_reader.ts";
import type { JobText } from "../select/job.ts";
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

/** Job of a thread that reads lines, or a block to read for it. */
export interface PartsMessage {
  text?: JobText;
  task?: BlockTask;
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

let parts: Promise<typeof import("../select/block_reader.ts")> | undefined;
let reader: BlockReader | undefined;

/** Reads a block of lines for a job, which the first message has. */
async function readBlock({ text, task }: PartsMessage): Promise<void> {
  try {
    const { BlockReader } = await (parts ??= import("../select/block_reader.ts"));
    if (text !== undefined) reader = new BlockReader(text);
    if (task === undefined) return;
    const [answer, buffers] = reader!.read(task);
    scope!.postMessage(answer, buffers);
  } catch (error) {
    scope!.postMessage({ broken: String(error) });
  }
}

scope?.listen((message) => {
  if (Array.isArray(message)) void validateBatch(message);
  else void readBlock(message as PartsMessage);
});
