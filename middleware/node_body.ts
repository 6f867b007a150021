/**
 * Reads the body of a request of Node.js into bytes, by events: {@linkcode readNodeBody}.
 *
 * @module
 */

import { type MessageReceiver, readMessage } from "../parser/bodies/message_reader.ts";
import { ReceivedMessage } from "../parser/bodies/received_bytes.ts";
import { isByteArray } from "../parser/engine/input.ts";

/** Part of a Node.js `Readable` in use. Streams of Deno and Bun have it too. */
export interface NodeReadable {
  /** Whether the stream was closed, before its end or after it. */
  readonly destroyed?: boolean;
  /** Whether all of the stream was read. */
  readonly readableEnded?: boolean;
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
export async function readNodeBody(stream: NodeReadable, options: NodeBodyOptions): Promise<Uint8Array | FailedRead> {
  const { limit, length, timeout = Infinity, decompressor } = options;
  const body = decompressor ? new CompressedBody(stream, decompressor, limit) : new PlainBody(length, limit);
  stream.on("error", ignore); // a stream without a listener throws its error
  let failure: Omit<FailedRead, "received">;
  try {
    if (stream.readableEnded) return { problem: "failed", error: new Error("Body was read before"), received: 0 };
    if (stream.destroyed) { // there will be no event
      stream.resume();
      return { problem: "aborted", received: 0 };
    }
    const result = await readMessage(stream, { maxBytes: limit, timeout, signal: body.signal }, body);
    if (isByteArray(result)) {
      if (length !== undefined && result.length !== length) return { problem: "wrong-length", received: body.received };
      stream.removeListener("error", ignore);
      return result;
    }
    failure = result.code === "source-failed"
      ? { problem: "failed", error: result.cause ?? new Error("Cannot read the body") }
      : { problem: result.code as BodyProblem };
  } catch (error) { // such as that of an engine that has no room for the bytes
    failure = { problem: "failed", error };
  }
  return { ...body.failure ?? failure, received: body.received };
}

function ignore(): void {}

/** Bytes of a body. */
class PlainBody implements MessageReceiver {
  /** Number of bytes, with those for which there is no room. */
  received = 0;
  /** Reason to stop, apart from those that {@linkcode readMessage} finds. */
  failure: Omit<FailedRead, "received"> | undefined = undefined;
  /** Aborted for this reason. */
  readonly signal: AbortSignal | undefined = undefined;
  readonly #bytes: ReceivedMessage;
  #isFreed = false;

  constructor(length: number | undefined, limit: number) {
    this.#bytes = new ReceivedMessage(length ?? -1, limit);
  }

  add(data: unknown): boolean {
    if (this.#isFreed) return true;
    const chunk = bytesOf(data);
    this.received += chunk.length;
    return this.#bytes.add(chunk);
  }

  finish(): Uint8Array | Promise<Uint8Array> {
    return this.#bytes.finish();
  }

  free(): void {
    this.#isFreed = true;
    this.#bytes.free();
  }
}

/** Bytes of a body that is decompressed as it arrives, a small piece at a time. */
class CompressedBody extends PlainBody {
  readonly #stream: NodeReadable;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #drained: Promise<void>;
  readonly #stopping = new AbortController();
  override readonly signal = this.#stopping.signal;

  constructor(stream: NodeReadable, { readable, writable }: DecompressionStream, limit: number) {
    super(undefined, limit);
    this.#stream = stream;
    this.#writer = writable.getWriter();
    this.#reader = readable.getReader();
    this.#drained = this.#drain();
    this.#drained.catch(ignore); // handled where it is awaited, which may be later
    this.#writer.closed.catch(ignore);
  }

  async #drain(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      if (!super.add(value)) this.#stop({ problem: "too-large" });
    }
  }

  override add(data: unknown): boolean {
    this.#stream.pause();
    this.#decompress(bytesOf(data)).then(
      () => this.#stream.resume(),
      (error) => this.#stop({ problem: "bad-compression", error }),
    );
    return true;
  }

  async #decompress(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.length; start += MAX_PIECE) {
      // Copied, since a stream may detach what it is given.
      await this.#writer.write(chunk.slice(start, start + MAX_PIECE) as Uint8Array<ArrayBuffer>);
    }
  }

  /** Waits for all bytes. Rejects if there are too many, or the compressed ones are cut short. */
  override async finish(): Promise<Uint8Array> {
    try {
      await this.#writer.close();
      await this.#drained;
    } catch (error) {
      this.#stop({ problem: "bad-compression", error });
    }
    if (this.failure !== undefined) throw this.failure;
    return super.finish();
  }

  override free(): void {
    super.free();
    this.#writer.abort().catch(ignore);
    this.#reader.cancel().catch(ignore);
  }

  #stop(failure: Omit<FailedRead, "received">): void {
    this.failure ??= failure;
    this.#stopping.abort();
  }
}

/** Returns the bytes of a chunk of a stream. */
function bytesOf(data: unknown): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data as Uint8Array;
}
