/**
 * Standard output and standard error in Node.js and Bun, by their descriptors: the streams of
 * `process` would keep what a slow reader has not taken yet in memory.
 */

import * as fs from "node:fs";
import type { OutputStream } from "./interface.ts";
import { isBun, isTerminal, load } from "./node_builtins.ts";
import { isPipe, retry, sleepWhileBusy } from "./node_input.ts";

/** Writes bytes on this thread. Returns how many. */
function writeBlocking(descriptor: number, bytes: Uint8Array): number {
  for (;;) {
    try {
      return fs.writeSync(descriptor, bytes);
    } catch (error) {
      sleepWhileBusy(error);
    }
  }
}

class NodeOutput implements OutputStream {
  readonly #descriptor: number;
  #isTerminal: boolean | undefined;
  #write: ((bytes: Uint8Array) => Promise<number>) | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  isTerminal(): boolean {
    return this.#isTerminal ??= isTerminal(this.#descriptor);
  }

  writeSync(bytes: Uint8Array): number {
    return writeBlocking(this.#descriptor, bytes);
  }

  write(bytes: Uint8Array): Promise<number> {
    this.#write ??= isPipe(this.#descriptor)
      ? isBun ? (bytes) => retry((done) => fs.write(this.#descriptor, bytes, done)) : bySocket(this.#descriptor)
      : (bytes) => Promise.resolve(writeBlocking(this.#descriptor, bytes));
    return this.#write(bytes);
  }
}

/**
 * Returns a function that writes to a pipe. It does not use `fs.write`: Node.js could not end while
 * a thread of its own waits for the reader.
 */
function bySocket(descriptor: number): (bytes: Uint8Array) => Promise<number> {
  const socket = new (load("node:net").Socket)({ fd: descriptor, readable: false, writable: true });
  let fail: (error: unknown) => void = () => {};
  socket.on("error", (error) => fail(error));
  return (bytes) =>
    new Promise((resolve, reject) => {
      fail = reject;
      socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
    });
}

export const nodeStdout: OutputStream = new NodeOutput(1);
export const nodeStderr: OutputStream = new NodeOutput(2);
