/** Tasks of threads that validate: batches of files, and ranges of the lines of a file. */

import { type Diagnostic, type DiagnosticOptions, DiagnosticValidator } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError } from "../input/read_error.ts";
import { type LineRange, piecesOfRange } from "../lines/read_range.ts";
import type { Input } from "./find_inputs.ts";
import { type InputOutcome, validateInput } from "./validate_input.ts";

export interface FileTask {
  input: Input;
  options: DiagnosticOptions;
}

export interface FileResult {
  diagnostics: Diagnostic[];
  outcome: InputOutcome;
}

export interface RangeTask {
  readonly range: LineRange;
  readonly options: DiagnosticOptions;
}

export interface RangeResult {
  readonly range: LineRange;
  /** Failures; their lines count from the beginning of the range. */
  readonly diagnostics: Diagnostic[];
  readonly documents: number;
  readonly invalidDocuments: number;
  readonly lines: number;
  /** Offset of the next line; -1 if the range cannot be read like this. */
  readonly next: number;
}

/** Bytes read between two messages about progress. */
const PROGRESS_BYTES = 2 ** 24;

/**
 * Validates files, one after the other. Calls `onProgress` with numbers of bytes that have been
 * read.
 */
export async function validateFiles(
  tasks: readonly FileTask[],
  onProgress: (bytes: number) => void,
): Promise<FileResult[]> {
  let bytes = 0;
  const onPiece = ({ length }: Uint8Array): void => {
    bytes += length;
    if (bytes < PROGRESS_BYTES) return;
    onProgress(bytes);
    bytes = 0;
  };
  const results: FileResult[] = [];
  for (const task of tasks) results.push(await validateFile(task, onPiece));
  onProgress(bytes);
  return results;
}

async function validateFile(
  { input, options }: FileTask,
  onPiece: (piece: Uint8Array) => void,
): Promise<FileResult> {
  const diagnostics: Diagnostic[] = [];
  if (input.error !== undefined) return { diagnostics, outcome: input.error };
  try {
    const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(ownCopy(diagnostic));
    return { diagnostics, outcome: await validateInput(input, options, { onPiece, onDiagnostic }) };
  } catch (error) {
    return { diagnostics, outcome: describeReadError(error, input.path) };
  }
}

/** Validates the lines that begin in a range. */
export function validateRange({ range, options }: RangeTask): RangeResult {
  let validator: DiagnosticValidator | undefined;
  const diagnostics: Diagnostic[] = [];
  const take = (): void => {
    for (const diagnostic of validator?.take() ?? []) diagnostics.push(ownCopy(diagnostic));
  };
  const pieces = piecesOfRange(range);
  for (;;) {
    const { value, done } = pieces.next();
    if (done) {
      const { documents = 0, invalidDocuments = 0 } = validator?.end() ?? {};
      take();
      return { range, diagnostics, documents, invalidDocuments, lines: validator?.lines ?? 0, next: value };
    }
    const { bytes, at, offset } = value;
    validator ??= new DiagnosticValidator(options, { context: bytes.slice(0, at), offset: offset + at });
    for (const part of validator.partsOf(bytes.subarray(at))) {
      validator.push(part);
      take();
    }
  }
}

/** Copies the bytes of an excerpt. As a view, they would be sent with their whole buffer. */
function ownCopy(diagnostic: Diagnostic): Diagnostic {
  const { excerpt } = diagnostic;
  return { ...diagnostic, excerpt: { ...excerpt, bytes: excerpt.bytes.slice() } };
}
