/** Workers of the page. Each does one job at a time; starting another ends it. */

/// <reference lib="dom" />

import type { Reply } from "../messages.ts";
import type { Jobs, Request } from "../worker.ts";
import type { ProgressRow } from "./elements.ts";

/** Address of a program of one line that loads the workers' program. */
let address: string | undefined;

/**
 * Returns the address that workers start at. It is a blob, because such a worker has the policy of
 * the page. A worker loaded from a server has the policy of its response, and not every server can
 * be configured to send one.
 */
function workerAddress(): string {
  const program = new URL("worker.js", document.baseURI).href;
  return address ??= URL.createObjectURL(
    new Blob([`importScripts(${JSON.stringify(program)});`], { type: "text/javascript" }),
  );
}

/** Worker that is started when its first job begins, and the progress bar of its jobs. */
export class WorkerClient {
  readonly #progress: ProgressRow | undefined;
  #worker: Worker | undefined;
  /** Resolves the promise of the current job. */
  #end: ((result: undefined) => void) | undefined;

  constructor(progress?: ProgressRow) {
    this.#progress = progress;
  }

  /**
   * Begins a job, and ends the one before it. Resolves with the result, or with `undefined` if the
   * job was ended. Rejects if the worker fails.
   *
   * @param onSlow Called once the job is slow enough to have a progress bar.
   * @param prefix Name of the job, in front of its progress.
   */
  run<Name extends keyof Jobs>(
    name: Name,
    job: Request<Name>["job"],
    onSlow?: () => void,
    prefix?: string,
  ): Promise<Awaited<ReturnType<Jobs[Name]>> | undefined> {
    this.cancel();
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Jobs[Name]>> | undefined>();
    this.#end = resolve;
    this.#progress?.begin(onSlow, prefix);
    const worker = this.#worker ??= new Worker(workerAddress());
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker !== this.#worker) return;
      if ("progress" in data) return this.#progress?.show(data.progress);
      this.#end = undefined;
      this.#progress?.end();
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.result as Awaited<ReturnType<Jobs[Name]>>);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || "the worker does not start"));
      if (worker === this.#worker) this.stop();
    };
    worker.postMessage({ name, job } satisfies Request<Name>);
    return promise;
  }

  /** Ends the current job, if there is one. */
  cancel(): void {
    if (this.#end !== undefined) this.stop();
  }

  /** Ends the worker, and frees its memory. The next job starts another one. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#progress?.end();
    this.#end?.(undefined);
    this.#end = undefined;
  }
}
