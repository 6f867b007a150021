/**
 * Shared memory that another thread changes.
 *
 * @module
 */

import type { Change, Order } from "../processes/memory_writer.ts";

/** Shared memory while a worker changes it. */
export class ChangingMemory {
  readonly #worker: Worker;
  readonly #state: Int32Array;

  private constructor(worker: Worker, state: Int32Array) {
    this.#worker = worker;
    this.#state = state;
  }

  /** Starts a worker; resolves once it changes the memory. */
  static async start(change: Change): Promise<ChangingMemory> {
    const state = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL("../processes/memory_writer.ts", import.meta.url), { type: "module" });
    worker.postMessage({ change, state } satisfies Order);
    while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    return new ChangingMemory(worker, state);
  }

  /** Stops the worker; resolves once the memory stays as it is. */
  async stop(): Promise<void> {
    Atomics.compareExchange(this.#state, 0, 1, 2);
    while (Atomics.load(this.#state, 0) !== 3) await new Promise((resolve) => setTimeout(resolve, 1));
    this.#worker.terminate();
  }
}
