/**
 * A worker that overwrites bytes of shared memory at random until it is told to stop.
 *
 * @module
 */

import { Random } from "./random.ts";

const PUT = Uint8Array.from(
  '0123456789-+.eE"\\/,:[]{} \n\0atfu\x80\xbf\xc3\xe4\xf0\xff',
  (character) => character.charCodeAt(0),
);

/** What the worker is asked to do: `state` is 0, then 1 while it scribbles, 2 when it shall stop, 3 when it has. */
export interface Task {
  bytes: Uint8Array;
  state: Int32Array;
}

addEventListener("message", (event) => {
  const { bytes, state } = (event as MessageEvent<Task>).data;
  const random = new Random(1);
  Atomics.store(state, 0, 1);
  while (Atomics.load(state, 0) === 1) {
    const place = random.below(bytes.length);
    const former = bytes[place];
    bytes[place] = random.pick(PUT);
    // Mostly put right again, so that parsing gets far.
    if (!random.once(100)) bytes[place] = former;
  }
  Atomics.store(state, 0, 3);
});
