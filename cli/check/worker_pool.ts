/**
 * Parallel validation of files in threads. Results are reported in the order of the inputs.
 *
 * @module
 */

import { unlessInterrupted } from "../interrupt.ts";
import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import type { CheckRun } from "./check_run.ts";
import type { Input } from "./find_inputs.ts";
import type { WorkerMessage, WorkerResult, WorkerTask } from "./validate_batch.ts";

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

function costOf({ size }: Input): number {
  return size === undefined ? 0 : FILE_COST + size;
}

/**
 * Validates the inputs in `count` workers. Resolves with the number of inputs reported. The rest is
 * left after an interrupt, after a failure with `failFast`, or if a worker breaks.
 */
export async function validateInWorkers(check: CheckRun, count: number): Promise<number> {
  const pool = new WorkerPool(check);
  const workers: WorkerThread[] = [];
  try {
    await loadWorkerModule();
    const all = Array.from({ length: count }, () => {
      const worker = startWorker();
      workers.push(worker);
      return pool.employ(worker);
    });
    await unlessInterrupted(Promise.all(all), check.interrupt);
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return await pool.countReported();
}

/** Error of a worker that does not start, or breaks. */
class WorkerError extends Error {}

/**
 * Loads the module of the workers here. A worker that cannot load it would print the error, and so
 * would one without a network if only the modules that are imported have been downloaded.
 */
async function loadWorkerModule(): Promise<void> {
  try {
    await import("./worker.ts");
    await import("./validate_batch.ts");
  } catch (error) {
    throw new WorkerError("the module of the workers cannot be loaded", { cause: error });
  }
}

function startWorker(): WorkerThread {
  try {
    return platform.startWorker();
  } catch (error) {
    throw new WorkerError("a worker could not be started", { cause: error });
  }
}

/** Distributes files to workers, and reports their results in order. */
export class WorkerPool {
  readonly #check: CheckRun;
  /** Results that wait for their turn, by the index of their input. */
  readonly #results: (WorkerResult | undefined)[];
  /** Index of the next input to hand out. */
  #next = 0;
  /** Index of the next input to report. */
  #turn = 0;
  /** Index of the first input that makes further ones unnecessary. */
  #last = Infinity;
  /** Number of diagnostics that wait for their turn. */
  #waiting = 0;
  /** Workers that get no file until fewer diagnostics wait. */
  #idle: (() => void)[] = [];
  #reporting: Promise<void> = Promise.resolve();

  constructor(check: CheckRun) {
    this.#check = check;
    this.#results = check.inputs.map(({ error }, index) =>
      error === undefined ? undefined : { index, diagnostics: [], outcome: error }
    );
    if (check.failFast) this.#endAt(check.inputs.findIndex(({ error }) => error !== undefined));
  }

  /** Hands files to a worker until none are left. Rejects if it breaks, or if writing fails. */
  employ(worker: WorkerThread): Promise<void> {
    return new Promise((resolve, reject) => {
      const handOut = (): void => {
        if (this.#isFull()) return void this.#idle.push(handOut);
        const tasks = this.#takeBatch();
        if (tasks.length === 0) resolve();
        else worker.postMessage(tasks);
      };
      worker.onmessage = (event) => {
        const data = event.data as WorkerMessage;
        this.#check.bytesRead += data.bytes;
        if (data.broken !== undefined) reject(new WorkerError(data.broken));
        if (data.results === undefined) return;
        this.#addResults(data.results).catch(reject);
        handOut();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new WorkerError(event.message));
      };
      handOut();
    });
  }

  /** Resolves with the number of inputs reported, after all results received so far. */
  async countReported(): Promise<number> {
    await this.#report();
    return this.#turn;
  }

  /** Returns whether too much waits. The input whose turn it is has been handed out then. */
  #isFull(): boolean {
    return this.#waiting >= MAX_WAITING && this.#turn <= this.#last;
  }

  #takeBatch(): WorkerTask[] {
    const { inputs, maxDiagnostics } = this.#check;
    const tasks: WorkerTask[] = [];
    const most = Math.max(1, Math.floor(MAX_WAITING / maxDiagnostics));
    for (
      let cost = 0;
      cost < BATCH_COST && tasks.length < most && this.#next < inputs.length && this.#next <= this.#last;
      this.#next++
    ) {
      const input = inputs[this.#next];
      if (input.error !== undefined) continue;
      tasks.push({ index: this.#next, input, options: this.#check.optionsFor(input) });
      cost += costOf(input);
    }
    return tasks;
  }

  #addResults(results: readonly WorkerResult[]): Promise<void> {
    for (const result of results) {
      const { index, outcome } = result;
      this.#results[index] = result;
      this.#waiting += result.diagnostics.length;
      if (this.#check.failFast && (typeof outcome === "string" || outcome.invalidDocuments > 0)) this.#endAt(index);
    }
    return this.#report();
  }

  #endAt(index: number): void {
    if (index >= 0) this.#last = Math.min(this.#last, index);
  }

  /** Reports the inputs whose turn it is, after any report under way. */
  #report(): Promise<void> {
    return this.#reporting = this.#reporting.then(() => this.#reportInTurn());
  }

  async #reportInTurn(): Promise<void> {
    const { inputs, report } = this.#check;
    for (; this.#turn < inputs.length && this.#turn <= this.#last; this.#turn++) {
      const result = this.#results[this.#turn];
      if (result === undefined) break;
      this.#results[this.#turn] = undefined;
      const { name } = inputs[this.#turn];
      for (const diagnostic of result.diagnostics) await report.addDiagnostic(name, diagnostic);
      report.addOutcome(name, result.outcome);
      this.#waiting -= result.diagnostics.length;
    }
    for (const handOut of this.#idle.splice(0)) handOut();
  }
}
