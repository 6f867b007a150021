/** Shared memory that another thread changes. */

import type { Change, Order } from "../processes/memory_writer.ts";

/** Shared memory that a worker changes. The worker can make several changes in turn. */
export class ChangingMemory {
  readonly #worker = new Worker(new URL("../processes/memory_writer.ts", import.meta.url), { type: "module" });
  readonly #state = new Int32Array(new SharedArrayBuffer(4));

  /** Starts a worker; resolves once it changes the memory. */
  static async start(change: Change): Promise<ChangingMemory> {
    const memory = new ChangingMemory();
    await memory.change(change);
    return memory;
  }

  /** Makes the next change; resolves once the worker changes the memory. */
  async change(change: Change): Promise<void> {
    Atomics.store(this.#state, 0, 0);
    this.#worker.postMessage({ change, state: this.#state } satisfies Order);
    await this.#until((state) => state !== 0);
  }

  /** Ends a change; resolves once the memory stays as it is. */
  async pause(): Promise<void> {
    Atomics.compareExchange(this.#state, 0, 1, 2);
    await this.#until((state) => state === 3);
  }

  /** Ends a change, and the worker; resolves once the memory stays as it is. */
  async stop(): Promise<void> {
    await this.pause();
    this.#worker.terminate();
  }

  async #until(isReached: (state: number) => boolean): Promise<void> {
    while (!isReached(Atomics.load(this.#state, 0))) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
