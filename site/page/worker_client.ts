/** Workers of the page. Each does one job at a time; the next one ends it. */

/// <reference lib="dom" />

import type { Job, Reply, Request, Results } from "../messages.ts";
import type { ProgressRow } from "./elements.ts";

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
}

/** Worker that is started when its first job begins, and the progress bar of its jobs. */
export class WorkerClient {
  readonly #progress: ProgressRow | undefined;
  #worker: Worker | undefined;
  #pending: Pending | undefined;
  #id = 0;

  constructor(progress?: ProgressRow) {
    this.#progress = progress;
  }

  /**
   * Begins a job, and ends the one before it. Resolves with the result, or with `undefined` if the
   * job was ended. Rejects if the worker fails.
   *
   * @param onSlow Called once the job is slow enough to have a progress bar.
   */
  run<J extends Job>(job: J, onSlow?: () => void): Promise<Results[J["kind"]] | undefined> {
    this.#settle((pending) => pending.resolve(undefined));
    const id = ++this.#id;
    const worker = this.#worker ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Results[J["kind"]] | undefined>();
    this.#pending = { id, resolve: resolve as Pending["resolve"], reject };
    this.#progress?.begin(onSlow);
    worker.postMessage({ id, job } satisfies Request);
    return promise;
  }

  /** Ends the job between two pieces of its source. */
  cancel(): void {
    this.#settle((pending) => pending.resolve(undefined));
    this.#worker?.postMessage({ id: ++this.#id, job: null } satisfies Request);
  }

  /** Ends the worker, and frees its memory. The next job starts another one. */
  stop(): void {
    this.#settle((pending) => pending.resolve(undefined));
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #settle(settle: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    this.#progress?.end();
    settle(pending);
  }

  #start(): Worker {
    const worker = new Worker(workerAddress());
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (data.id !== this.#pending?.id) return;
      if ("progress" in data) this.#progress?.show(data.progress);
      else if ("error" in data) this.#settle((pending) => pending.reject(new Error(data.error)));
      else this.#settle((pending) => pending.resolve(data.result));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#settle((pending) => pending.reject(new Error(event.message || "the worker does not start")));
      worker.terminate();
      if (this.#worker === worker) this.#worker = undefined;
    };
    return worker;
  }
}
