/** Reading in Node.js and Bun. */

import * as fs from "node:fs";
import type { Socket } from "node:net";
import type { ReadStream } from "node:tty";
import type { ByteSource } from "./interface.ts";
import { isBun, isTerminal, load } from "./node_builtins.ts";

const STDIN = 0;

/** Bytes that a pipe is read in at a time: as much as Linux keeps for one. */
const PIPE_BYTES = 2 ** 16;

/** Milliseconds to wait where another program has made a descriptor non-blocking. */
const BUSY_MS = 1;

/** Waits a moment if an error says that a descriptor is not ready; throws any other. */
export function sleepWhileBusy(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
}

/** Reads bytes on this thread. Returns how many, or `null` at the end. */
export function readBlocking(descriptor: number, buffer: Uint8Array): number | null {
  for (;;) {
    try {
      return fs.readSync(descriptor, buffer, 0, buffer.length, null) || null;
    } catch (error) {
      // At the end of a pipe, Windows says that it was closed.
      if (error instanceof Error && "code" in error && error.code === "EOF") return null;
      sleepWhileBusy(error);
    }
  }
}

/** Opens a path, or standard input for `-`, which may be anything that can be read. */
export async function openSource(path: string): Promise<ByteSource> {
  if (path === "-") return sourceOf(STDIN);
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // A FIFO waits for somebody who writes: when it is opened, or, non-blocking, when it is read.
  // Node.js could not end while a thread of its own waits; Bun can, and reads on such a thread.
  const flags = isBun ? O_RDONLY : O_RDONLY | O_NONBLOCK;
  fs.open(path, flags, (error, descriptor) => error === null ? resolve(descriptor) : reject(error));
  return sourceOf(await promise);
}

function sourceOf(descriptor: number): ByteSource {
  if (isBun) return new FileSource(descriptor);
  if (isTerminal(descriptor)) return new StreamSource((take) => openTerminal(descriptor, take));
  const info = fs.fstatSync(descriptor);
  const isPipe = info.isFIFO() || info.isSocket();
  return isPipe ? new StreamSource((take) => openPipe(descriptor, take)) : new FileSource(descriptor);
}

/** Source of a file, read by a thread of the runtime. */
class FileSource implements ByteSource {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  read(buffer: Uint8Array<ArrayBuffer>): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const attempt = (): void =>
        fs.read(this.#descriptor, buffer, 0, buffer.length, null, (error, length) => {
          if (error === null) resolve(length || null);
          else if (error.code === "EAGAIN") setTimeout(attempt, BUSY_MS);
          else if (error.code === "EOF") resolve(null);
          else reject(error);
        });
      attempt();
    });
  }

  close(): void {
    if (this.#descriptor !== STDIN) fs.close(this.#descriptor, () => {});
  }
}

interface Reader {
  buffer: Uint8Array<ArrayBuffer>;
  resolve(length: number | null): void;
  reject(error: unknown): void;
}

/** Receiver of a piece, after which none may arrive before the stream resumes. */
type Receiver = (piece: Uint8Array) => void;

/** Source of a stream, whose bytes arrive in pieces. One piece is kept. */
class StreamSource implements ByteSource {
  readonly #stream: Socket | ReadStream;
  #piece: Uint8Array = new Uint8Array(0);
  #reader: Reader | undefined;
  #hasEnded = false;
  #failure: { error: unknown } | undefined;

  constructor(open: (take: Receiver) => Socket | ReadStream) {
    const stream: Socket = this.#stream = open((piece) => {
      this.#piece = piece;
      this.#serve();
    });
    stream.on("end", () => {
      this.#hasEnded = true;
      this.#serve();
    });
    stream.on("error", (error) => {
      this.#failure = { error };
      this.#serve();
    });
  }

  read(buffer: Uint8Array<ArrayBuffer>): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#reader = { buffer, resolve, reject };
      this.#serve();
    });
  }

  close(): void {
    this.#stream.destroy();
  }

  #serve(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    const length = Math.min(this.#piece.length, reader.buffer.length);
    if (length === 0 && this.#failure === undefined && !this.#hasEnded) return void this.#stream.resume();
    this.#reader = undefined;
    reader.buffer.set(this.#piece.subarray(0, length));
    this.#piece = this.#piece.subarray(length);
    if (length > 0) reader.resolve(length);
    else if (this.#failure !== undefined) reader.reject(this.#failure.error);
    else reader.resolve(null);
  }
}

/**
 * Opens a pipe or a socket. It does not use `fs.read`: Node.js could not end while a thread of its own
 * waits for bytes. One buffer takes all of them.
 */
function openPipe(fd: number, take: Receiver): Socket {
  const buffer = new Uint8Array(PIPE_BYTES);
  const callback = (length: number): boolean => {
    take(buffer.subarray(0, length));
    return false;
  };
  return new (load("node:net").Socket)({ fd, readable: true, writable: false, onread: { buffer, callback } });
}

function openTerminal(fd: number, take: Receiver): ReadStream {
  const stream = new (load("node:tty").ReadStream)(fd);
  stream.on("data", (piece: Uint8Array) => {
    stream.pause();
    take(piece);
  });
  return stream.pause();
}
