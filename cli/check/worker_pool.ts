/** Files side by side, each in one of several Web Workers; told of in their order. */

import type { Check } from "./check_command.ts";
import type { Input } from "./find_inputs.ts";
import type { Finding, InspectionOptions } from "../diagnostics/diagnostic_validator.ts";
import { unlessInterrupted } from "../interrupt.ts";
import type { Outcome } from "./report.ts";

/** What opening a file takes, in the bytes that are read in that time. */
const FILE_COST = 2 ** 15;

/** The least a worker has to do, in bytes: starting one takes as long as reading these. */
const WORKER_COST = 2 ** 25;

/** How much a worker is given at a time: a message for each small file would take longer than the file. */
const BATCH_COST = 2 ** 22;

/** A file for a worker, with its place among the inputs. */
export interface Task {
  index: number;
  input: Input;
  options: InspectionOptions;
}

/** What came of one. */
export interface Result {
  index: number;
  findings: Finding[];
  outcome: Outcome;
}

/** What a worker tells: how many bytes it has read since it last told, and at the end of a batch what came of it. */
export interface Message {
  bytes: number;
  results?: Result[];
}

/** How many workers pay for these inputs, `jobs` at most. What is no regular file is for this thread alone to read. */
export function workersFor(inputs: readonly Input[], jobs: number): number {
  if (inputs.some(({ size, trouble }) => size === undefined && trouble === undefined)) return 1;
  const cost = inputs.reduce((sum, input) => sum + costOf(input), 0);
  return Math.min(jobs, inputs.length, Math.floor(cost / WORKER_COST));
}

function costOf({ size }: Input): number {
  return size === undefined ? 0 : FILE_COST + size;
}

/**
 * Inspects the inputs in `count` workers. Resolves with the number of those that have been reported: not all if there was an interrupt
 * or enough to stop at, or if a worker broke down.
 */
export async function inspectInParallel(check: Check, count: number): Promise<number> {
  const run = new ParallelRun(check);
  const workers: Worker[] = [];
  try {
    const all = Array.from({ length: count }, () => {
      const worker = startWorker();
      workers.push(worker);
      return run.employ(worker);
    });
    await unlessInterrupted(Promise.all(all), check.interrupt);
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
  } finally {
    for (const worker of workers) worker.terminate();
  }
  return await run.reported();
}

/** A worker could not be started, or broke down. */
class WorkerFailure extends Error {}

function startWorker(): Worker {
  try {
    return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  } catch (error) {
    throw new WorkerFailure("a worker could not be started", { cause: error });
  }
}

/** The files of a check on their way through workers and into the report. */
class ParallelRun {
  readonly #check: Check;
  /** Those that wait for their turn, by their place. */
  readonly #results: (Result | undefined)[];
  /** The next input to give away. */
  #next = 0;
  /** The input whose turn it is in the report. */
  #turn = 0;
  /** The first input that makes further ones needless. */
  #last = Infinity;
  #reporting: Promise<void> = Promise.resolve();

  constructor(check: Check) {
    this.#check = check;
    this.#results = check.inputs.map(({ trouble }, index) =>
      trouble === undefined ? undefined : { index, findings: [], outcome: trouble }
    );
    if (check.failFast) this.#endAt(check.inputs.findIndex(({ trouble }) => trouble !== undefined));
  }

  /** Gives a worker files until there are none left. Rejects if the worker breaks, or the report cannot be written. */
  employ(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        const tasks = this.#takeBatch();
        if (tasks.length === 0) resolve();
        else worker.postMessage(tasks);
      };
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        this.#check.bytesRead += data.bytes;
        if (data.results === undefined) return;
        this.#take(data.results).catch(reject);
        goOn();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new WorkerFailure(event.message));
      };
      goOn();
    });
  }

  /** Resolves with how many inputs are in the report when everything heard up to now is. */
  async reported(): Promise<number> {
    await this.#reportOnes();
    return this.#turn;
  }

  #takeBatch(): Task[] {
    const { inputs } = this.#check;
    const tasks: Task[] = [];
    for (let cost = 0; cost < BATCH_COST && this.#next < inputs.length && this.#next <= this.#last; this.#next++) {
      const input = inputs[this.#next];
      if (input.trouble !== undefined) continue;
      tasks.push({ index: this.#next, input, options: this.#check.optionsFor(input) });
      cost += costOf(input);
    }
    return tasks;
  }

  #take(results: readonly Result[]): Promise<void> {
    for (const result of results) {
      const { index, outcome } = result;
      this.#results[index] = result;
      if (this.#check.failFast && (typeof outcome === "string" || outcome.invalidDocuments > 0)) this.#endAt(index);
    }
    return this.#reportOnes();
  }

  #endAt(index: number): void {
    if (index >= 0) this.#last = Math.min(this.#last, index);
  }

  /** Reports the inputs whose turn has come, after what is being reported already. */
  #reportOnes(): Promise<void> {
    return this.#reporting = this.#reporting.then(() => this.#reportTurns());
  }

  async #reportTurns(): Promise<void> {
    const { inputs, report } = this.#check;
    for (; this.#turn < inputs.length && this.#turn <= this.#last; this.#turn++) {
      const result = this.#results[this.#turn];
      if (result === undefined) return;
      this.#results[this.#turn] = undefined;
      const { name } = inputs[this.#turn];
      for (const finding of result.findings) await report.finding(name, finding);
      report.settle(name, result.outcome);
    }
  }
}
