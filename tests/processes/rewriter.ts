/**
 * Worker that writes two images into shared memory in turn until it is told to stop.
 *
 * @module
 */

/**
 * Task of the worker. `state` is 0 before the start, 1 while the worker writes, 2 to stop it, 3
 * once it has stopped.
 */
export interface Rewriting {
  bytes: Uint8Array;
  images: [Uint8Array, Uint8Array];
  state: Int32Array;
}

addEventListener("message", (event) => {
  const { bytes, images, state } = (event as MessageEvent<Rewriting>).data;
  // Writes only the bytes that differ, so that a byte changes every few nanoseconds.
  const places = [...images[0].keys()].filter((i) => images[0][i] !== images[1][i]);
  Atomics.store(state, 0, 1);
  for (let turn = 0; Atomics.load(state, 0) === 1; turn ^= 1) {
    const image = images[turn];
    for (let i = 0; i < places.length; i++) bytes[places[i]] = image[places[i]];
  }
  Atomics.store(state, 0, 3);
});
