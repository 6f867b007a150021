/**
 * A worker that makes shared memory grow at once, at some moment after it is told to begin.
 *
 * @module
 */

/** Work for the worker: `state` is 0, 1 when it is ready, 2 when it is to begin. */
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
