/**
 * Parallel validation in threads, of files, and of the lines of a large file. Results are reported
 * in the order of the inputs.
 */

import type { Diagnostic, InputResult } from "../diagnostics/diagnostic_validator.ts";
import { mayBeCompressed } from "../input/read_pieces.ts";
import { unlessInterrupted } from "../interrupt.ts";
import { LineThreads, startThreads, ThreadError } from "../lines/line_threads.ts";
import { rangesOf } from "../lines/read_range.ts";
import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import type { CheckRun } from "./check_run.ts";
import type { Input } from "./find_inputs.ts";
import { type FileResult, type FileTask, type RangeResult, type RangeTask, validateRange } from "./thread_tasks.ts";
import { validateInput } from "./validate_input.ts";

/** Cost of opening a file, in bytes that are read in the same time. */
const FILE_COST = 2 ** 15;

/** Cost of starting a worker, in bytes: one with less to do does not pay. */
const WORKER_COST = 2 ** 25;

/** Cost of a batch, in bytes: one message per small file would take longer than the file. */
const BATCH_COST = 2 ** 22;

/**
 * Diagnostics that may wait for the turn of their input, each with an excerpt of 3 KiB. With more,
 * no further file is handed out.
 */
const MAX_WAITING = 2 ** 12;

/** Returns whether diagnostics of an input, up to `maxDiagnostics`, may wait. */
export function mayWait(maxDiagnostics: number): boolean {
  return maxDiagnostics <= MAX_WAITING;
}

/**
 * Returns the number of workers, at most `jobs`, that pay. Streams are left to this thread, and so
 * are small files: to send one to a worker takes as long as to validate it (10,000 files of 1 KB,
 * CPU time of two workers beside none: 1.4 times).
 */
export function workersFor(inputs: readonly Input[], jobs: number): number {
  if (inputs.some(({ size, error }) => size === undefined && error === undefined)) return 1;
  const cost = inputs.reduce((sum, { size = 0 }) => sum + (size > FILE_COST ? size : 0), 0);
  return Math.min(jobs, inputs.length, Math.floor(cost / WORKER_COST));
}

/**
 * Validates the inputs in `count` workers. Resolves with the number of inputs reported. The rest is
 * left after an interrupt, after a failure with `failFast`, or if a worker breaks.
 */
export async function validateInWorkers(check: CheckRun, count: number): Promise<number> {
  const workers = await startThreads(count);
  return workers === undefined ? 0 : await validateBy(workers, check);
}

/** Validates the inputs by workers, in the same way. */
export async function validateBy(workers: readonly WorkerThread[], check: CheckRun): Promise<number> {
  const { inputs, report, failFast, interrupt } = check;
  const threads = new LineThreads<readonly FileTask[], readonly FileResult[]>(workers, {
    isFull(answers): boolean {
      let waiting = 0;
      for (const results of answers) for (const { diagnostics } of results) waiting += diagnostics.length;
      return waiting >= MAX_WAITING;
    },
  });
  threads.onProgress = (bytes) => check.bytesRead += bytes;
  let reported = 0;
  threads.begin(async (results) => {
    for (const { diagnostics, outcome } of results) {
      const { name } = inputs[reported++];
      for (const diagnostic of diagnostics) await report.addDiagnostic(name, diagnostic);
      report.addOutcome(name, outcome);
      if (failFast && (typeof outcome === "string" || outcome.invalidDocuments > 0)) return false;
    }
    return true;
  });
  try {
    await unlessInterrupted(threads.readAll(batchesOf(check)), interrupt);
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
  } finally {
    await threads.stop();
    await threads.close();
  }
  return reported;
}

function* batchesOf({ inputs, maxDiagnostics, optionsFor }: CheckRun): Generator<FileTask[]> {
  const most = Math.max(1, Math.floor(MAX_WAITING / maxDiagnostics));
  for (let next = 0; next < inputs.length;) {
    const tasks: FileTask[] = [];
    for (let cost = 0; cost < BATCH_COST && tasks.length < most && next < inputs.length; next++) {
      const input = inputs[next];
      tasks.push({ input, options: optionsFor(input) });
      cost += FILE_COST + (input.size ?? 0);
    }
    yield tasks;
  }
}

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
  const rest = await validateInput(input, options, {
    interrupt,
    onPiece: ({ length }) => void (check.bytesRead += length),
    onDiagnostic: (diagnostic) => show([diagnostic]),
  }, next);
  return {
    ...rest,
    documents: documents + rest.documents!,
    invalidDocuments: invalidDocuments + rest.invalidDocuments,
  };
}
