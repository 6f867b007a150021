/**
 * Validates batches of files in a thread, one file after the other.
 *
 * @module
 */

import type { Diagnostic, DiagnosticOptions } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError } from "../input/read_error.ts";
import type { WorkerScope } from "../platform/interface.ts";
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

/** Bytes read between two messages about progress. */
const PROGRESS_BYTES = 2 ** 24;

/** Bytes read since the last message. */
let bytes = 0;

function post(scope: WorkerScope, rest: Omit<WorkerMessage, "bytes"> = {}): void {
  scope.postMessage({ bytes, ...rest } satisfies WorkerMessage);
  bytes = 0;
}

async function validate(scope: WorkerScope, { index, input, options }: WorkerTask): Promise<WorkerResult> {
  const diagnostics: Diagnostic[] = [];
  try {
    const outcome = await validateInput(input, options, {
      onPiece({ length }): void {
        bytes += length;
        if (bytes >= PROGRESS_BYTES) post(scope);
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

/** Validates a batch, and sends its results. */
export async function validateBatch(scope: WorkerScope, tasks: readonly WorkerTask[]): Promise<void> {
  try {
    const results: WorkerResult[] = [];
    for (const task of tasks) results.push(await validate(scope, task));
    post(scope, { results });
  } catch (error) {
    post(scope, { broken: String(error) });
  }
}
