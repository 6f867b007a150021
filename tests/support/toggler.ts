/**
 * Worker that changes shared memory as fast as it can until it is told to stop: toggles one byte
 * between two values, or grows buffers byte by byte.
 *
 * @module
 */

/** Byte of shared memory that takes two values in turn. */
export interface Toggle {
  bytes: Uint8Array<SharedArrayBuffer>;
  place: number;
  values: [number, number];
}

/**
 * Order to the worker. `state` is 0, then 1 while it works; 2 stops it, and it answers
 * 3.
 */
interface Order {
  task: Toggle | SharedArrayBuffer[];
  state: Int32Array<SharedArrayBuffer>;
}

addEventListener("message", (event) => {
  const { task, state } = (event as MessageEvent<Order>).data;
  Atomics.store(state, 0, 1);
  if (Array.isArray(task)) task.forEach((buffer) => grow(buffer, state));
  else toggle(task, state);
  Atomics.store(state, 0, 3);
});

function toggle({ bytes, place, values: [one, other] }: Toggle, state: Int32Array): void {
  while (Atomics.load(state, 0) === 1) {
    // Atomics: the engine may drop the first of two plain stores.
    Atomics.store(bytes, place, one);
    Atomics.store(bytes, place, other);
  }
}

function grow(buffer: SharedArrayBuffer, state: Int32Array): void {
  while (Atomics.load(state, 0) === 1 && buffer.byteLength < buffer.maxByteLength) buffer.grow(buffer.byteLength + 1);
}

/** Shared memory while a worker changes it. */
export class ChangingMemory {
  readonly #worker: Worker;
  readonly #state: Int32Array<SharedArrayBuffer>;

  private constructor(worker: Worker, state: Int32Array<SharedArrayBuffer>) {
    this.#worker = worker;
    this.#state = state;
  }

  /**
   * Starts a worker that toggles a byte or grows buffers, one after the other; resolves once it
   * does.
   */
  static async start(task: Toggle | SharedArrayBuffer[]): Promise<ChangingMemory> {
    const state = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(import.meta.url, { type: "module" });
    worker.postMessage({ task, state } satisfies Order);
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
