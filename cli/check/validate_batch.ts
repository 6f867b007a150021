/**
 * Validates batches of files in a thread, one file after the other.
 *
 * @module
 */

import type { Diagnostic, DiagnosticOptions } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError } from "../input/read_error.ts";
import type { Input } from "./find_inputs.ts";
import { type InputOutcome, validateInput } from "./validate_input.ts";

export interface WorkerTask {
  input: Input;
  options: DiagnosticOptions;
}

export interface WorkerResult {
  diagnostics: Diagnostic[];
  outcome: InputOutcome;
}

/** Bytes read between two messages about progress. */
const PROGRESS_BYTES = 2 ** 24;

/** Validates a batch. Calls `onProgress` with numbers of bytes that have been read. */
export async function validateBatch(
  tasks: readonly WorkerTask[],
  onProgress: (bytes: number) => void,
): Promise<WorkerResult[]> {
  let bytes = 0;
  const onPiece = ({ length }: Uint8Array): void => {
    bytes += length;
    if (bytes < PROGRESS_BYTES) return;
    onProgress(bytes);
    bytes = 0;
  };
  const results: WorkerResult[] = [];
  for (const task of tasks) results.push(await validate(task, onPiece));
  onProgress(bytes);
  return results;
}

async function validate(
  { input, options }: WorkerTask,
  onPiece: (piece: Uint8Array) => void,
): Promise<WorkerResult> {
  const diagnostics: Diagnostic[] = [];
  if (input.error !== undefined) return { diagnostics, outcome: input.error };
  try {
    const outcome = await validateInput(input, options, {
      onPiece,
      onDiagnostic(diagnostic): void {
        const { excerpt } = diagnostic;
        // Copied, because it is a part of more bytes, which would all be sent.
        diagnostics.push({ ...diagnostic, excerpt: { ...excerpt, bytes: excerpt.bytes.slice() } });
      },
    });
    return { diagnostics, outcome };
  } catch (error) {
    return { diagnostics, outcome: describeReadError(error, input.path) };
  }
}
