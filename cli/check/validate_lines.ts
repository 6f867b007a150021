/** Validates a large file of lines in threads, by ranges. */

import { type Diagnostic, DiagnosticValidator, type InputResult } from "../diagnostics/diagnostic_validator.ts";
import { mayBeCompressed, readPieces } from "../input/read_pieces.ts";
import { unlessInterrupted } from "../interrupt.ts";
import { CONTEXT_BYTES } from "../lines/line_blocks.ts";
import { LineThreads, startThreads } from "../lines/line_threads.ts";
import { rangesOf } from "../lines/read_range.ts";
import { platform } from "../platform/platform.ts";
import type { CheckRun } from "./check_run.ts";
import type { Input } from "./find_inputs.ts";
import { type RangeResult, type RangeTask, validateRange } from "./thread_tasks.ts";
import { mayWait } from "./worker_pool.ts";

/** Returns whether a large file has plain lines, of which all failures are wanted. */
export function hasLinesForThreads(check: CheckRun, input: Input): boolean {
  const { isJsonLines, contentChecks, contentLimits, failFast } = check.optionsFor(input);
  if (!isJsonLines || contentChecks !== undefined || failFast) return false;
  if (!mayWait(check.maxDiagnostics)) return false;
  if (contentLimits === undefined) return true;
  const start = new Uint8Array(2);
  const file = platform.openSync(input.path);
  try {
    return file.readSync(start) === 2 && !mayBeCompressed(start);
  } finally {
    file.close();
  }
}

/**
 * Validates such a file. Reports its failures, and resolves with its result; `undefined` if there are
 * no threads.
 */
export async function validateLines(check: CheckRun, input: Input): Promise<InputResult | undefined> {
  const workers = await startThreads(check.jobs - 1);
  if (workers === undefined) return undefined;
  const threads = new LineThreads<RangeTask, RangeResult>(workers, { readHere: validateRange });
  const options = check.optionsFor(input);
  const { interrupt, report } = check;
  let documents = 0;
  let invalidDocuments = 0;
  let lines = 0;
  let next = 0;
  let shown = 0;
  const show = async (diagnostics: readonly Diagnostic[]): Promise<void> => {
    for (const diagnostic of diagnostics) {
      if (shown++ >= options.maxDiagnostics) return;
      await report.addDiagnostic(input.name, { ...diagnostic, line: diagnostic.line + lines });
    }
  };
  threads.begin(async (result) => {
    if (result.next < 0) return false;
    await show(result.diagnostics);
    documents += result.documents;
    invalidDocuments += result.invalidDocuments;
    lines += result.lines;
    next = result.next;
    check.bytesRead += result.range.end - result.range.start;
    return !interrupt.isRaised;
  });
  const tasks = rangesOf(input.path, 0, input.size!).map((range) => ({ range, options }));
  try {
    await unlessInterrupted(threads.readAll(tasks), interrupt);
  } finally {
    await threads.close();
  }
  if (interrupt.isRaised) return { bytes: next, documents, invalidDocuments, isFinal: false };

  // The rest is read on this thread: a line without end or too long, and what has been added to the
  // file.
  const from = Math.max(0, next - CONTEXT_BYTES);
  let validator: DiagnosticValidator | undefined;
  const isAtEnd = await readPieces({ path: input.path, from }, {
    interrupt,
    readsAhead: false,
    contentLimits: undefined,
    isDecided: () => false,
    async onPiece(piece) {
      const at = validator === undefined ? next - from : 0;
      validator ??= new DiagnosticValidator(options, { context: piece.slice(0, at), offset: next });
      check.bytesRead += piece.length - at;
      for (const part of validator.partsOf(piece.subarray(at))) {
        validator.push(part);
        await show(validator.take());
      }
      return !interrupt.isRaised;
    },
  });
  const rest = validator?.end(isAtEnd);
  await show(validator?.take() ?? []);
  return {
    bytes: rest?.bytes ?? next,
    documents: documents + (rest?.documents ?? 0),
    invalidDocuments: invalidDocuments + (rest?.invalidDocuments ?? 0),
    isFinal: isAtEnd,
  };
}
