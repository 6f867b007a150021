/**
 * Workers of the page. Each does one job at a time; the next one ends it.
 *
 * @module
 */

/// <reference lib="dom" />

import type {
  CheckJob,
  CheckResult,
  FindJob,
  FindResult,
  HoldJob,
  Job,
  KeysJob,
  KeysResult,
  MeasureJob,
  MeasureResult,
  Progress,
  Reply,
  Request,
} from "../messages.ts";

/** Address of a program of one line that loads the workers' program. */
let address: string | undefined;

/**
 * Returns the address that workers start at. It is a blob, because such a worker has the policy of
 * the page. A worker that is loaded from a server has the policy of its response, and not every
 * server can be told to send one.
 */
function workerAddress(): string {
  const program = new URL("worker.js", document.baseURI).href;
  return address ??= URL.createObjectURL(
    new Blob([`importScripts(${JSON.stringify(program)});`], { type: "text/javascript" }),
  );
}

/** Job that is under way. */
interface Pending {
  id: number;
  resolve: (result: unknown) => void;
  reject: (reason: Error) => void;
  onProgress: (progress: Progress) => void;
}

/** Worker that is started when its first job begins. */
export class WorkerClient {
  #worker: Worker | undefined;
  #pending: Pending | undefined;
  #id = 0;

  /**
   * Begins a job, and ends the one before it. Resolves with the result, or with `undefined` if the
   * job was ended. Rejects if the worker fails.
   */
  run(job: CheckJob, onProgress: (progress: Progress) => void): Promise<CheckResult | undefined>;
  run(job: FindJob, onProgress: (progress: Progress) => void): Promise<FindResult | undefined>;
  run(job: MeasureJob, onProgress: (progress: Progress) => void): Promise<MeasureResult | undefined>;
  run(job: HoldJob): Promise<number | undefined>;
  run(job: KeysJob): Promise<KeysResult | undefined>;
  run(job: Job, onProgress: (progress: Progress) => void = () => {}): Promise<unknown> {
    this.#pending?.resolve(undefined);
    const id = ++this.#id;
    const worker = this.#worker ??= this.#start();
    return new Promise((resolve, reject) => {
      this.#pending = { id, resolve, reject, onProgress };
      worker.postMessage({ id, job } satisfies Request);
    });
  }

  /** Ends the job between two pieces of its source. */
  cancel(): void {
    this.#pending?.resolve(undefined);
    this.#pending = undefined;
    this.#worker?.postMessage({ id: ++this.#id, job: null } satisfies Request);
  }

  /** Ends the worker, and frees its memory. The next job starts another one. */
  stop(): void {
    this.#pending?.resolve(undefined);
    this.#pending = undefined;
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const worker = new Worker(workerAddress());
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const pending = this.#pending;
      if (pending === undefined || data.id !== pending.id) return;
      if ("progress" in data) return pending.onProgress(data.progress);
      this.#pending = undefined;
      if ("error" in data) pending.reject(new Error(data.error));
      else pending.resolve(data.result);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#pending?.reject(new Error(event.message || "the worker does not start"));
      this.#pending = undefined;
      worker.terminate();
      if (this.#worker === worker) this.#worker = undefined;
    };
    return worker;
  }
}
