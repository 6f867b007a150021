/**
 * Reads the body of a request of Node.js into bytes, by events: {@linkcode readNodeBody}.
 *
 * @module
 */

import { detach } from "../detach.ts";
import { isByteArray } from "../parser/engine/input.ts";
import { MAX_TIMER } from "../parser/guards/options.ts";

/** Part of a Node.js `Readable` in use. Streams of Deno and Bun have it too. */
export interface NodeReadable {
  /** Whether the stream was closed, before its end or after it. */
  readonly destroyed?: boolean;
  /** Adds a listener. */
  on(event: string, listener: (argument?: unknown) => void): unknown;
  /** Removes a listener. */
  removeListener(event: string, listener: (argument?: unknown) => void): unknown;
  /** Stops reading. */
  pause(): unknown;
  /** Continues reading. */
  resume(): unknown;
}

/** Name of a compression, as `DecompressionStream` takes it. */
export type Compression = "gzip" | "deflate" | "brotli" | "zstd";

/** Settings of {@linkcode readNodeBody}. */
export interface NodeBodyOptions {
  /** Most bytes, after decompression. */
  limit: number;
  /** Announced number of bytes before decompression, or `undefined`. */
  length: number | undefined;
  /** Most milliseconds until the end, or `undefined`. */
  timeout: number | undefined;
  /** Makes a stream that undoes the compression, or `undefined`. */
  decompressor: DecompressionStream | undefined;
}

/** Reason for a body that could not be read. */
export type BodyProblem =
  | "too-large"
  | "wrong-length"
  | "aborted"
  | "timed-out"
  | "bad-compression"
  | "failed";

/** Body that could not be read. */
export interface FailedRead {
  problem: BodyProblem;
  /** Bytes received, or decompressed if the body was compressed. */
  received: number;
  /** Error of the stream, for `failed` and `bad-compression`. */
  error?: unknown;
}

/**
 * Most bytes that are decompressed at once. A byte becomes a thousand at most, so a piece becomes
 * 4 MB before its size is looked at.
 */
const MAX_PIECE = 4096;

/** Returns whether a result of {@linkcode readNodeBody} is a body. */
export function isRead(body: Uint8Array | FailedRead): body is Uint8Array {
  return isByteArray(body);
}

/**
 * Reads a body. If that fails, the rest of the body is dropped as it arrives, so that the request
 * can be answered. All listeners are removed.
 *
 * @param stream Stream of buffers or strings.
 * @param options Limits of size and time, and the decompression.
 * @returns The bytes, or the reason why there are none. Never rejects.
 */
export function readNodeBody(stream: NodeReadable, options: NodeBodyOptions): Promise<Uint8Array | FailedRead> {
  const { limit, length, timeout, decompressor } = options;
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let received = 0;
    let hasEnded = false;
    let isSettled = false;
    const inflater = decompressor && new Inflater(decompressor, (chunk) => keep(chunk));
    const hasTimer = timeout !== undefined && timeout <= MAX_TIMER;
    const timer = hasTimer ? setTimeout(() => fail("timed-out"), timeout) : undefined;

    stream.on("data", onData);
    stream.on("end", onEnd);
    stream.on("error", onError);
    stream.on("aborted", onAborted);
    stream.on("close", onAborted);

    if (stream.destroyed) fail("aborted"); // there will be no event

    function settle(result: Uint8Array | FailedRead): void {
      isSettled = true;
      clearTimeout(timer);
      stream.removeListener("data", onData);
      stream.removeListener("end", onEnd);
      stream.removeListener("error", onError);
      stream.removeListener("aborted", onAborted);
      stream.removeListener("close", onAborted);
      resolve(result);
    }

    function fail(problem: BodyProblem, error?: unknown): void {
      if (isSettled) return;
      settle(error === undefined ? { problem, received } : { problem, received, error });
      chunks.length = 0;
      inflater?.cancel();
      stream.on("error", ignore); // a stream without a listener throws its error
      stream.resume();
    }

    /** Keeps bytes of the body, unless they are too many. */
    function keep(chunk: Uint8Array): void {
      received += chunk.length;
      if (received > limit) fail("too-large");
      else chunks.push(chunk);
    }

    function onData(data: unknown): void {
      const chunk = typeof data === "string" ? new TextEncoder().encode(data) : data as Uint8Array;
      if (inflater === undefined) return keep(chunk);
      stream.pause();
      inflater.add(chunk).then(() => {
        if (!isSettled) stream.resume();
      }, (error) => fail("bad-compression", error));
    }

    function onEnd(): void {
      hasEnded = true;
      if (inflater === undefined) return finish();
      inflater.finish().then(finish, (error) => fail("bad-compression", error));
    }

    function finish(): void {
      if (isSettled) return;
      if (length !== undefined && received !== length) return fail("wrong-length");
      let bytes: Uint8Array;
      try {
        bytes = joined(chunks, received);
      } catch (error) { // the engine has no room for them
        return fail("failed", error);
      }
      settle(bytes);
    }

    function onError(error: unknown): void {
      fail("failed", error ?? new Error("Cannot read the body"));
    }

    function onAborted(): void {
      if (!hasEnded) fail("aborted");
    }
  });
}

function ignore(): void {}

/** Joins chunks, and frees them. A single chunk is returned as it is. */
function joined(chunks: Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
    detach(chunk);
  }
  return bytes;
}

/** Decompresses chunks, a small piece at a time. */
class Inflater {
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #drained: Promise<void>;

  /** @param keep Receives the decompressed bytes. */
  constructor(stream: DecompressionStream, keep: (chunk: Uint8Array) => void) {
    this.#writer = stream.writable.getWriter();
    this.#reader = stream.readable.getReader();
    this.#drained = this.#drain(keep);
    this.#drained.catch(ignore); // handled where it is awaited, which may be later
    this.#writer.closed.catch(ignore);
  }

  async #drain(keep: (chunk: Uint8Array) => void): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      keep(value);
    }
  }

  /** Decompresses a chunk. Rejects if it is not what the compression makes. */
  async add(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.length; start += MAX_PIECE) {
      // Copied, since a stream may detach what it is given.
      await this.#writer.write(chunk.slice(start, start + MAX_PIECE) as Uint8Array<ArrayBuffer>);
    }
  }

  /** Waits for all bytes. Rejects if the compressed ones are cut short. */
  async finish(): Promise<void> {
    await this.#writer.close();
    await this.#drained;
  }

  /** Drops what is left. */
  cancel(): void {
    this.#writer.abort().catch(ignore);
    this.#reader.cancel().catch(ignore);
  }
}
