/** Parallel validation of files in threads. Results are reported in the order of the inputs. */

import { unlessInterrupted } from "../interrupt.ts";
import { LineThreads, startThreads, ThreadError } from "../lines/line_threads.ts";
import type { WorkerThread } from "../platform/interface.ts";
import type { CheckRun } from "./check_run.ts";
import type { Input } from "./find_inputs.ts";
import type { FileResult, FileTask } from "./thread_tasks.ts";

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

/** Iterates over files to hand out together. */
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
