/** Pool of workers that run tasks in parallel, and deliver the results in order. */

import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";

/** Tasks queued per worker, so that it never idles while the main thread runs a task, too. */
const TASKS_PER_WORKER = 3;

/** Maximum tasks per thread, the main one included, that run or have undelivered results. */
const MAX_UNDELIVERED = 4;

/**
 * Maximum number of diagnostics that wait until those of earlier lines or inputs are printed, each
 * with an excerpt of 3 KiB.
 */
export const MAX_WAITING_DIAGNOSTICS = 2 ** 12;

export class ThreadError extends Error {}

export interface PoolTask<T> {
  readonly index: number;
  readonly task: T;
}

/** Message from a worker. */
export interface PoolMessage<R> {
  /** Index of the task; -1 once the worker is ready, and in other messages. */
  readonly index: number;
  readonly result?: R;
  /** Bytes of the next result that were read since the last message. */
  readonly bytes?: number;
  /** Error that ends the work. Thrown, it would be printed with a stack trace. */
  readonly error?: string;
}

interface PoolWorker {
  readonly thread: WorkerThread;
  tasks: number;
  isReady: boolean;
}

export interface MainThreadHooks<T, R> {
  /** Runs a task here when all workers are busy; a cold worker costs about 0.3 s to warm up. */
  runHere?(task: T): R;
  /** Returns whether the undelivered results are too many to submit another task. */
  isFull?(results: Iterable<R>): boolean;
}

/**
 * Pool of workers that serves one input after the other: `begin`, `submit` for each task, and then
 * `drain`, or `cancel` before that. After `close`, nothing may be called.
 */
export class OrderedWorkerPool<T, R> {
  readonly #workers: PoolWorker[];
  readonly #hooks: MainThreadHooks<T, R>;
  #listener: (result: R) => Promise<boolean> = () => Promise.resolve(false);
  onIdle: (() => void) | undefined;
  onProgress: ((bytes: number) => void) | undefined;
  #nextIndex = 0;
  readonly #results = new Map<number, R>();
  /** Indexes of the tasks whose results are not delivered, in order. */
  #undelivered: number[] = [];
  #isDelivering = false;
  #delivering: Promise<void> | undefined;
  #isCancelled = false;
  #error: unknown;
  #wake = (): void => {};

  constructor(threads: readonly WorkerThread[], hooks: MainThreadHooks<T, R>) {
    this.#hooks = hooks;
    this.#workers = threads.map((thread) => ({ thread, tasks: 0, isReady: false }));
    for (const worker of this.#workers) {
      worker.thread.onmessage = ({ data }) => this.#receive(worker, data as PoolMessage<R>);
      worker.thread.onerror = (event) => {
        event.preventDefault();
        this.#fail(new ThreadError(`a thread has ended: ${event.message}`));
      };
    }
  }

  /**
   * Begins another input. The listener receives the results in order, and resolves with whether to
   * continue; `false` cancels the input.
   */
  begin(listener: (result: R) => Promise<boolean>): void {
    this.#listener = listener;
    this.#isCancelled = false;
  }

  get allReady(): boolean {
    return this.#workers.every(({ isReady }) => isReady);
  }

  /** Whether the rest of this input was cancelled, by {@linkcode cancel} or by the listener. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Resolves once another task may be submitted. Rejects after an error. */
  waitForRoom(): Promise<void> {
    return this.#waitFor(() => {
      if (this.#hooks.runHere !== undefined) {
        return this.#undelivered.length < MAX_UNDELIVERED * (this.#workers.length + 1);
      }
      return this.#workers.some(({ tasks }) => tasks === 0) && !this.#hooks.isFull?.(this.#results.values());
    });
  }

  /** Runs a task in a worker, to which the buffers are transferred, or here. */
  async submit(task: T, buffers: ArrayBuffer[]): Promise<void> {
    const index = this.#nextIndex++;
    this.#undelivered.push(index);
    const worker = this.#workers.reduce((least, other) => other.tasks < least.tasks ? other : least);
    const { runHere } = this.#hooks;
    if (runHere === undefined || worker.tasks < TASKS_PER_WORKER) {
      worker.tasks++;
      worker.thread.postMessage({ index, task } satisfies PoolTask<T>, buffers);
      return;
    }
    this.#addResult(index, runHere(task));
    // Workers may have finished meanwhile, and wait for more.
    await platform.yieldToEventLoop();
  }

  get isIdle(): boolean {
    return this.#workers.every(({ tasks }) => tasks === 0);
  }

  /** Resolves once all results are delivered, or the input is cancelled. */
  drain(): Promise<void> {
    return this.#waitFor(() => this.#undelivered.length === 0);
  }

  /** Drops undelivered results. Resolves once the listener has finished with its current one. */
  async cancel(): Promise<void> {
    this.#dropResults();
    await this.#delivering;
  }

  #dropResults(): void {
    this.#isCancelled = true;
    this.onIdle = undefined;
    this.#undelivered = [];
    this.#results.clear();
    this.#wake();
  }

  /** Drops the results that are not delivered, and ends the workers. */
  async close(): Promise<void> {
    this.#dropResults();
    await Promise.all(this.#workers.map(({ thread }) => thread.terminate()));
  }

  async #waitFor(isReady: () => boolean): Promise<void> {
    while (this.#error === undefined && !this.#isCancelled && !isReady()) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #receive(worker: PoolWorker, { index, result, bytes, error }: PoolMessage<R>): void {
    if (error !== undefined) return this.#fail(new ThreadError(error));
    if (bytes !== undefined) return this.onProgress?.(bytes);
    if (index < 0) {
      worker.isReady = true;
      return;
    }
    worker.tasks--;
    if (this.isIdle) this.onIdle?.();
    this.#addResult(index, result!);
  }

  #addResult(index: number, result: R): void {
    if (this.#undelivered.includes(index)) this.#results.set(index, result);
    if (!this.#isDelivering) this.#delivering = this.#deliver().catch((error) => this.#fail(error));
    this.#wake();
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    try {
      for (;;) {
        const [index] = this.#undelivered;
        const result = this.#results.get(index);
        if (result === undefined) return;
        this.#results.delete(index);
        if (!await this.#listener(result)) this.#dropResults();
        else this.#undelivered.shift();
        this.#wake();
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#wake();
  }
}
