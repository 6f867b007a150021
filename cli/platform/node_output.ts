/**
 * Standard output and standard error in Node.js and Bun, by their descriptors: the streams of
 * `process` would keep what a slow reader has not taken yet in memory.
 */

import * as fs from "node:fs";
import type { OutputStream } from "./interface.ts";
import { isBun, isTerminal, load } from "./node_builtins.ts";
import { isPipe, retry, sleepWhileBusy } from "./node_input.ts";

function writeBlocking(descriptor: number, bytes: Uint8Array): number {
  for (;;) {
    try {
      return fs.writeSync(descriptor, bytes);
    } catch (error) {
      sleepWhileBusy(error);
    }
  }
}

function outputOf(descriptor: number): OutputStream {
  let isShown: boolean | undefined;
  let write: OutputStream["write"] | undefined;
  return {
    isTerminal: () => isShown ??= isTerminal(descriptor),
    writeSync: (bytes) => writeBlocking(descriptor, bytes),
    write: (bytes) => (write ??= writerOf(descriptor))(bytes),
  };
}

/** Returns a function that writes to a descriptor while signals are handled. */
function writerOf(descriptor: number): OutputStream["write"] {
  if (!isPipe(descriptor)) return (bytes) => Promise.resolve(writeBlocking(descriptor, bytes));
  return isBun ? (bytes) => retry((done) => fs.write(descriptor, bytes, done)) : bySocket(descriptor);
}

/**
 * Returns a function that writes to a pipe. It does not use `fs.write`: Node.js could not end while
 * a thread of its own waits for the reader.
 */
function bySocket(descriptor: number): OutputStream["write"] {
  const socket = new (load("node:net").Socket)({ fd: descriptor, readable: false, writable: true });
  let fail: (error: unknown) => void = () => {};
  socket.on("error", (error) => fail(error));
  return (bytes) =>
    new Promise((resolve, reject) => {
      fail = reject;
      socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
    });
}

export const nodeStdout: OutputStream = outputOf(1);
export const nodeStderr: OutputStream = outputOf(2);
