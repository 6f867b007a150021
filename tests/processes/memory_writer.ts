/**
 * Worker that changes shared memory as fast as it can until it is told to stop. Started
 * by `ChangingMemory`.
 */

import { Random } from "../../bench/support/random.ts";

/** Change of shared memory. */
export type Change =
  /** Two images of equal length written in turn; only the bytes that differ are. */
  | { kind: "rewrite"; bytes: Uint8Array; images: [Uint8Array, Uint8Array] }
  /** Random bytes at random places; most are restored, so that parsing proceeds. */
  | { kind: "scribble"; bytes: Uint8Array }
  /** Buffers that grow byte by byte, one after the other. */
  | { kind: "grow"; buffers: SharedArrayBuffer[] }
  /**
   * Buffers that grow to their full length at once, each some time after its first byte was set.
   */
  | { kind: "grow at once"; buffers: SharedArrayBuffer[] };

export interface Order {
  change: Change;
  /** 0 before the start, 1 while the worker works, 2 to stop it, 3 once it has stopped. */
  state: Int32Array;
}

/** Bytes that a scribble writes. */
const BYTES = Uint8Array.from(
  '0123456789-+.eE"\\/,:[]{} \n\0atfu\x80\xbf\xc3\xe4\xf0\xff',
  (character) => character.charCodeAt(0),
);

addEventListener("message", (event) => {
  const { change, state } = (event as MessageEvent<Order>).data;
  const isOn = (): boolean => Atomics.load(state, 0) === 1;
  Atomics.store(state, 0, 1);
  if (change.kind === "rewrite") rewrite(change.bytes, change.images, isOn);
  else if (change.kind === "scribble") scribble(change.bytes, isOn);
  else if (change.kind === "grow") { for (const buffer of change.buffers) grow(buffer, isOn); }
  else change.buffers.forEach((buffer, i) => growAtOnce(buffer, i * 37 % 3_000, isOn));
  Atomics.store(state, 0, 3);
});

function rewrite(bytes: Uint8Array, images: [Uint8Array, Uint8Array], isOn: () => boolean): void {
  const places = [...images[0].keys()].filter((i) => images[0][i] !== images[1][i]);
  for (let turn = 0; isOn(); turn ^= 1) {
    const image = images[turn];
    for (let i = 0; i < places.length; i++) bytes[places[i]] = image[places[i]];
  }
}

function scribble(bytes: Uint8Array, isOn: () => boolean): void {
  const random = new Random(1);
  while (isOn()) {
    const place = random.below(bytes.length);
    const former = bytes[place];
    bytes[place] = random.pick(BYTES);
    if (!random.once(100)) bytes[place] = former;
  }
}

function grow(buffer: SharedArrayBuffer, isOn: () => boolean): void {
  while (isOn() && buffer.byteLength < buffer.maxByteLength) buffer.grow(buffer.byteLength + 1);
}

function growAtOnce(buffer: SharedArrayBuffer, delay: number, isOn: () => boolean): void {
  const bytes = new Uint8Array(buffer);
  while (isOn() && Atomics.load(bytes, 0) === 0);
  for (let rounds = 0; rounds < delay && isOn(); rounds++);
  buffer.grow(buffer.maxByteLength);
}
