/** Tasks of threads that validate: batches of files, and blocks of the lines of a file. */

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type DiagnosticOptions, DiagnosticValidator } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError } from "../input/read_error.ts";
import { noBlock } from "../lines/line_blocks.ts";
import { blockOf, type Lines } from "../lines/read_block.ts";
import type { Input } from "./input_file.ts";
import { type InputOutcome, validateInput } from "./validate_input.ts";

export interface FileTask {
  input: Input;
  options: DiagnosticOptions;
}

export interface FileResult {
  diagnostics: Diagnostic[];
  outcome: InputOutcome;
}

export interface BlockTask {
  readonly lines: Lines;
  readonly options: DiagnosticOptions;
}

export type BlockResult = ReturnType<typeof validateBlock>;

/** Bytes read between two messages about progress. */
const PROGRESS_BYTES = 2 ** 24;

/** Validates files, one after the other. Calls `onProgress` with numbers of bytes read. */
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

/** Validates the lines of a block. The lines of failures count from its beginning. */
export function validateBlock(part: BlockTask) {
  const { lines, options } = part;
  const block = blockOf(lines);
  const { bytes, at, end, offset } = block ?? noBlock();
  const validator = new DiagnosticValidator(options, { bytes, at, offset });
  const diagnostics = Array.from(validator.diagnose(bytes.subarray(at, end)), ownCopy);
  const { documents = 0, invalidDocuments } = validator.end();
  diagnostics.push(...validator.take().map(ownCopy));
  const next = block === undefined ? -1 : offset + end;
  return { part, end: next, diagnostics, documents, invalidDocuments, lines: validator.lines };
}

/** Copies the bytes of an excerpt, since a view would be sent with its whole buffer. */
function ownCopy(diagnostic: Diagnostic): Diagnostic {
  const { excerpt } = diagnostic;
  return { ...diagnostic, excerpt: { ...excerpt, bytes: excerpt.bytes.slice() } };
}
