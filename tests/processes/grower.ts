/**
 * Worker that grows shared memory to its maximum, some time after it is told to start.
 *
 * @module
 */

/** Task of the worker. `state` is 0 before the start, 1 once the worker is ready, 2 to start it. */
export interface Growth {
  buffer: SharedArrayBuffer & { maxByteLength: number; grow(length: number): void };
  state: Int32Array;
}

let turn = 0;

addEventListener("message", (event) => {
  const { buffer, state } = (event as MessageEvent<Growth>).data;
  Atomics.store(state, 0, 1);
  while (Atomics.load(state, 0) === 1);
  for (let delay = turn++ * 37 % 3_000; delay > 0; delay--) Atomics.load(state, 0);
  buffer.grow(buffer.maxByteLength);
});
