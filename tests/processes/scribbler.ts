/**
 * Worker that overwrites bytes of shared memory at random until it is told to stop.
 *
 * @module
 */

import { Random } from "../../measure/random.ts";

const PUT = Uint8Array.from(
  '0123456789-+.eE"\\/,:[]{} \n\0atfu\x80\xbf\xc3\xe4\xf0\xff',
  (character) => character.charCodeAt(0),
);

/** Task of the worker. */
export interface Task {
  bytes: Uint8Array;
  /** 0 before the start, 1 while the worker writes, 2 to stop it, 3 once it has stopped. */
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
    // Most bytes are restored, so that parsing proceeds.
    if (!random.once(100)) bytes[place] = former;
  }
  Atomics.store(state, 0, 3);
});
