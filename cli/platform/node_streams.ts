/**
 * Streams in Node.js and Bun, by their descriptors: those of `process` would buffer what a slow
 * reader has not taken yet.
 */

import * as fs from "node:fs";
import type { Socket, SocketConstructorOpts } from "node:net";
import type { ByteSource, OutputStream } from "./interface.ts";
import { isBun, isTerminal, load } from "./node_builtins.ts";

const STDIN = 0;

/** Bytes read at a time from a pipe: the size of its buffer in Linux. */
const PIPE_BYTES = 2 ** 16;

/** Milliseconds to wait if another program has made a descriptor non-blocking. */
const BUSY_MS = 1;

/** Calls a function of `node:fs` on this thread, again and again while its descriptor is not ready. */
function retrySync(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // At the end of a pipe, Windows reports that it was closed.
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
    }
  }
}

/** Reads bytes on this thread. Returns how many, or `null` at the end. */
export function readBlocking(descriptor: number, buffer: Uint8Array): number | null {
  return retrySync(() => fs.readSync(descriptor, buffer, 0, buffer.length, null)) || null;
}

export async function openSource(path: string): Promise<ByteSource> {
  if (path === "-") return sourceOf(STDIN);
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // A FIFO waits for a writer: when it is opened, or, if it is non-blocking, when it is read.
  // Node.js cannot exit while one of its threads waits; Bun can, and reads on such a thread.
  const flags = isBun ? O_RDONLY : O_RDONLY | O_NONBLOCK;
  fs.open(path, flags, (error, descriptor) => error === null ? resolve(descriptor) : reject(error));
  return sourceOf(await promise);
}

function sourceOf(descriptor: number): ByteSource {
  if (isBun) return fileSource(descriptor);
  if (isTerminal(descriptor)) {
    return new StreamSource((options) => new (load("node:tty").ReadStream)(descriptor, options));
  }
  if (!isPipe(descriptor)) return fileSource(descriptor);
  // Not by `fs.read`: Node.js cannot exit while one of its threads waits for bytes.
  const { Socket } = load("node:net");
  return new StreamSource((options) => new Socket({ ...options, fd: descriptor, readable: true, writable: false }));
}

/** Returns whether reading from a descriptor, or writing to it, may wait for another program. */
function isPipe(descriptor: number): boolean {
  try {
    const info = fs.fstatSync(descriptor);
    return info.isFIFO() || info.isSocket();
  } catch {
    return false; // it is closed
  }
}

/** Calls a function of `node:fs`, again and again while its descriptor is not ready. */
function retry(
  call: (done: (error: NodeJS.ErrnoException | null, length: number) => void) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const attempt = (): void =>
      call((error, length) => {
        if (error === null) resolve(length);
        else if (error.code === "EAGAIN") setTimeout(attempt, BUSY_MS);
        else if (error.code === "EOF") resolve(0);
        else reject(error);
      });
    attempt();
  });
}

/** Returns the source of a file, read by a thread of the runtime. */
function fileSource(descriptor: number): ByteSource {
  return {
    read: async (buffer) => await retry((done) => fs.read(descriptor, buffer, 0, buffer.length, null, done)) || null,
    close: () => descriptor === STDIN ? undefined : fs.close(descriptor, () => {}),
  };
}

/**
 * Source of a pipe, a socket or a terminal, whose bytes arrive in pieces. One buffer takes all of
 * them, and the stream pauses after each.
 */
class StreamSource implements ByteSource {
  readonly #stream: Socket;
  #piece: Uint8Array = new Uint8Array(0);
  #end: { error?: unknown } | undefined;
  #wake = (): void => {};

  constructor(open: (options: SocketConstructorOpts) => Socket) {
    const buffer = new Uint8Array(PIPE_BYTES);
    const callback = (length: number): boolean => {
      this.#piece = buffer.subarray(0, length);
      this.#wake();
      return false;
    };
    const end = (error?: unknown): void => {
      this.#end ??= error === undefined ? {} : { error };
      this.#wake();
    };
    this.#stream = open({ onread: { buffer, callback } }).on("end", end).on("error", end);
  }

  async read(buffer: Uint8Array<ArrayBuffer>): Promise<number | null> {
    while (this.#piece.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#stream.resume();
      });
    }
    const length = Math.min(this.#piece.length, buffer.length);
    if (length === 0 && this.#end?.error !== undefined) throw this.#end.error;
    buffer.set(this.#piece.subarray(0, length));
    this.#piece = this.#piece.subarray(length);
    return length || null;
  }

  close(): void {
    this.#stream.destroy();
  }
}

function writeBlocking(descriptor: number, bytes: Uint8Array): number {
  return retrySync(() => fs.writeSync(descriptor, bytes));
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
 * Returns a function that writes to a pipe. It does not use `fs.write`: Node.js cannot exit while
 * one of its threads waits for the reader.
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
