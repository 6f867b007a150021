/** Files side by side, each in one of several Web Workers; told of in their order. */

import type { Check } from "./check.ts";
import type { Input } from "./input_list.ts";
import type { Finding, InspectionOptions } from "./inspection.ts";
import { unlessInterrupted } from "./interrupt.ts";
import type { Outcome } from "./report.ts";

/** What opening a file takes, in the bytes that are read in that time. */
const FILE_COST = 2 ** 16;

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

/** What a worker tells. */
export type Message =
  | { kind: "progress"; bytes: number }
  | { kind: "finding"; index: number; finding: Finding }
  | { kind: "outcome"; index: number; outcome: Outcome }
  | { kind: "idle" };

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
      const worker = new Worker(new URL("./check_worker.ts", import.meta.url), { type: "module" });
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

/** The files of a check on their way through workers and into the report. */
class ParallelRun {
  readonly #check: Check;
  readonly #findings: Finding[][];
  readonly #outcomes: (Outcome | undefined)[];
  /** The next input to give away. */
  #next = 0;
  /** The input whose turn it is in the report. */
  #turn = 0;
  /** The first input that makes further ones needless. */
  #last = Infinity;
  #reporting: Promise<void> = Promise.resolve();

  constructor(check: Check) {
    this.#check = check;
    this.#findings = check.inputs.map(() => []);
    this.#outcomes = check.inputs.map(({ trouble }) => trouble);
    if (check.failFast) this.#endAt(this.#outcomes.findIndex((outcome) => outcome !== undefined));
  }

  /** Gives a worker files until there are none left. Rejects if the worker breaks. */
  employ(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        const tasks = this.#takeBatch();
        if (tasks.length === 0) resolve();
        else worker.postMessage(tasks);
      };
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.kind === "idle") goOn();
        else this.#hear(data);
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

  #hear(message: Exclude<Message, { kind: "idle" }>): void {
    if (message.kind === "progress") {
      this.#check.bytesRead += message.bytes;
    } else if (message.kind === "finding") {
      this.#findings[message.index].push(message.finding);
    } else {
      const { index, outcome } = message;
      this.#outcomes[index] = outcome;
      if (this.#check.failFast && (typeof outcome === "string" || outcome.invalidDocuments > 0)) this.#endAt(index);
      this.#reportOnes();
    }
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
      const outcome = this.#outcomes[this.#turn];
      if (outcome === undefined) return;
      const { name } = inputs[this.#turn];
      for (const finding of this.#findings[this.#turn]) await report.finding(name, finding);
      this.#findings[this.#turn] = [];
      report.settle(name, outcome);
    }
  }
}
