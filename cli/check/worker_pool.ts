/**
 * Parallel validation in threads, of files, and of the lines of a large file. Results are reported
 * in the order of the inputs.
 */

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { DiagnosticValidator, type InputResult } from "../diagnostics/diagnostic_validator.ts";
import type { Encoding } from "../input/utf16.ts";
import { readPieces } from "../input/read_pieces.ts";
import { unlessInterrupted } from "../interrupt.ts";
import { BlockWorkerPool, type OwnReader, startThreads } from "../lines/block_worker_pool.ts";
import { noBlock } from "../lines/line_blocks.ts";
import { MAX_WAITING_DIAGNOSTICS, OrderedWorkerPool, ThreadError } from "../lines/ordered_worker_pool.ts";
import type { WorkerThread } from "../platform/interface.ts";
import type { CheckRun } from "./check_run.ts";
import type { Input } from "./input_file.ts";
import { type BlockResult, type BlockTask, type FileResult, type FileTask, validateBlock } from "./thread_tasks.ts";

/** Cost of opening a file, in bytes that are read in the same time. */
const FILE_COST = 2 ** 15;

/** Cost of starting a worker, in bytes: one with less to do is not worth it. */
const WORKER_COST = 2 ** 25;

/** Cost of a batch, in bytes: one message per small file would take longer than the file. */
const BATCH_COST = 2 ** 22;

/**
 * Returns the number of workers that are worth their start, at most `jobs`; 1 if any input is a
 * stream, because then all are read in this thread. Small files do not count: sending one to a
 * worker takes as long as validating it (10,000 files of 1 KB, CPU time of two workers relative to
 * none: 1.4).
 */
export function workersFor(inputs: readonly Input[], jobs: number): number {
  if (inputs.some(({ size, error }) => size === undefined && error === undefined)) return 1;
  const cost = inputs.reduce((sum, { size = 0 }) => sum + (size > FILE_COST ? size : 0), 0);
  return Math.min(jobs, inputs.length, Math.floor(cost / WORKER_COST));
}

/**
 * Validates the inputs in workers, if that is possible and worthwhile. Resolves with the number of
 * inputs reported. The rest is left after an interrupt, after a failure with `failFast`, or if a
 * worker fails.
 */
export async function validateInWorkers(check: CheckRun): Promise<number> {
  const count = workersFor(check.inputs, check.jobs);
  const workers = count > 1 && check.maxDiagnostics <= MAX_WAITING_DIAGNOSTICS ? await startThreads(count) : undefined;
  return workers === undefined ? 0 : await validateBy(workers, check);
}

/** Validates the inputs in these workers. Resolves as {@linkcode validateInWorkers} does. */
export async function validateBy(workers: readonly WorkerThread[], check: CheckRun): Promise<number> {
  const { inputs, report, failFast, interrupt } = check;
  const threads = new OrderedWorkerPool<readonly FileTask[], readonly FileResult[]>(workers, {
    isFull(undelivered): boolean {
      let waiting = 0;
      for (const results of undelivered) for (const { diagnostics } of results) waiting += diagnostics.length;
      return waiting >= MAX_WAITING_DIAGNOSTICS;
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
    const readAll = async (): Promise<void> => {
      for (const tasks of batchesOf(check)) {
        await threads.waitForRoom();
        if (threads.isCancelled) return;
        await threads.submit(tasks, []);
      }
      await threads.drain();
    };
    await unlessInterrupted(readAll(), interrupt);
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
  } finally {
    await threads.cancel();
    await threads.close();
  }
  return reported;
}

function* batchesOf({ inputs, maxDiagnostics, optionsFor }: CheckRun): Generator<FileTask[]> {
  const maxTasks = Math.max(1, Math.floor(MAX_WAITING_DIAGNOSTICS / maxDiagnostics));
  for (let next = 0; next < inputs.length;) {
    const tasks: FileTask[] = [];
    for (let cost = 0; cost < BATCH_COST && tasks.length < maxTasks && next < inputs.length; next++) {
      const input = inputs[next];
      tasks.push({ input, options: optionsFor(input) });
      cost += FILE_COST + (input.size ?? 0);
    }
    yield tasks;
  }
}

/**
 * Validates a large file of lines to its end, even after failures. Reports its failures, and
 * resolves with its result; `undefined` if it is not such a file, or there are no threads.
 */
export async function validateLines(check: CheckRun, input: Input): Promise<InputResult | undefined> {
  const options = check.optionsFor(input);
  const { reading, contentChecks, failFast, maxDiagnostics } = options;
  if (reading !== "lines" || contentChecks !== undefined || failFast || maxDiagnostics > MAX_WAITING_DIAGNOSTICS) {
    return undefined;
  }
  const workers = await startThreads(check.jobs - 1);
  if (workers === undefined) return undefined;
  const threads = new BlockWorkerPool(workers, { runHere: validateBlock });
  const { interrupt, report } = check;
  const counts = { bytes: 0, documents: 0, invalidDocuments: 0 };
  let encoding: Encoding | undefined;
  let shown = 0;
  const show = async (diagnostics: Iterable<Diagnostic>, lines: number): Promise<void> => {
    for (const diagnostic of diagnostics) {
      if (shown++ < maxDiagnostics) {
        await report.addDiagnostic(input.name, { ...diagnostic, line: diagnostic.line + lines });
      }
    }
  };
  /** Validator of the lines that threads leave: from one that is too long, or unterminated. */
  let validator = new DiagnosticValidator(options);
  let linesBefore = 0;
  const reader: OwnReader<BlockTask, BlockResult> = {
    run: check,
    isWanted: () => !interrupt.isRaised,
    taskOf: (lines) => ({ lines, options }),
    async resume(block, lines): Promise<void> {
      validator = new DiagnosticValidator(options, block);
      linesBefore = lines;
      await this.push(block.bytes.subarray(block.at, block.end));
    },
    push: (piece) => show(validator.diagnose(piece), linesBefore),
    async add(result, lines): Promise<boolean> {
      await show(result.diagnostics, lines);
      counts.documents += result.documents;
      counts.invalidDocuments += result.invalidDocuments;
      counts.bytes = result.end;
      return this.isWanted();
    },
  };
  let hasBegun = false;
  try {
    const isAtEnd = await readPieces(input, {
      interrupt,
      contentLimits: options.contentLimits,
      onEncoding: options.refusesMark ? undefined : (found) => encoding = found,
      async onPiece(piece) {
        if (!hasBegun) {
          hasBegun = true;
          // Threads read files, but not compressed ones, which have no known size.
          const next = await threads.beginLines(noBlock(), 0, reader, input.size === undefined ? undefined : input);
          if (next !== true) return reader.isWanted() && next;
        }
        check.bytesRead += piece.length;
        await threads.push(piece);
        return reader.isWanted();
      },
    }).finally(() => threads.endLines());
    const rest = validator.end(isAtEnd);
    await show(validator.take(), linesBefore);
    return {
      bytes: Math.max(rest.bytes, counts.bytes),
      documents: counts.documents + rest.documents!,
      invalidDocuments: counts.invalidDocuments + rest.invalidDocuments,
      isFinal: isAtEnd,
      encoding,
    };
  } finally {
    await threads.close();
  }
}
