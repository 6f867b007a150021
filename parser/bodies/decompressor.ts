/** Decompresses bodies while they arrive, a small piece at a time. */

import { badCompression, tooLarge, type UnreadBody } from "./body_failure.ts";
import { checkedChunk } from "../streaming/byte_source.ts";
import { normalized } from "./headers.ts";
import type { MessageReceiver, ReceivedBody } from "./message_reader.ts";

/** Maximum bytes decompressed at once. One becomes a thousand at most, and all of them 4 MB. */
const MAX_PIECE = 4096;

/**
 * Whether all that a piece becomes arrives at once. A byte of brotli can become 16 MB, so Deno
 * would turn a request of 1 KB into gigabytes. Node.js and Bun wait for the reader every 16 KiB.
 */
const IS_UNBOUNDED = "Deno" in globalThis;

/**
 * Opens a stream that undoes a `Content-Encoding`. Returns `undefined` if the runtime does not know
 * the compression or cannot limit what comes out, or if there are several.
 */
export function openDecompression(encoding: string): DecompressionStream | undefined {
  const name = normalized(encoding, 0, encoding.length);
  try {
    if (name === "gzip" || name === "x-gzip") return new DecompressionStream("gzip"); // RFC 9110, 8.4.1.3
    if (name === "deflate") return new DecompressionStream(name);
    if (IS_UNBOUNDED || name !== "br" && name !== "zstd") return undefined; // not covered: other runtimes than Deno
    return new DecompressionStream((name === "br" ? "brotli" : name) as CompressionFormat); // not covered: the same
  } catch {
    // not covered: a runtime that does not know the compression
    return undefined;
  }
}

/** Decompresses a body into a receiver. The body may be as long before as afterwards. */
export class Decompressor {
  readonly #receiver: MessageReceiver;
  readonly #maxBytes: number;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #drained: Promise<void>;
  #written: Promise<UnreadBody | undefined> = Promise.resolve(undefined);
  #room: number;
  #failure: UnreadBody | undefined = undefined;

  constructor({ readable, writable }: DecompressionStream, receiver: MessageReceiver, maxBytes: number) {
    this.#receiver = receiver;
    this.#maxBytes = this.#room = maxBytes;
    this.#writer = writable.getWriter();
    this.#reader = readable.getReader();
    this.#drained = this.#drain();
    this.#writer.closed.catch(ignore);
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return;
        if (!this.#receiver.add(value)) this.#stop(tooLarge(this.#maxBytes));
      }
    } catch (error) {
      this.#stop(badCompression(error));
    }
  }

  /** Decompresses the next chunk. Returns a failure if that is impossible, or there is no room. */
  add(chunk: Uint8Array): Promise<UnreadBody | undefined> {
    return this.#written = this.#written.then(() => this.#write(chunk));
  }

  async #write(chunk: Uint8Array): Promise<UnreadBody | undefined> {
    this.#room -= chunk.length; // many bytes may become none
    if (this.#room < 0) this.#stop(tooLarge(this.#maxBytes));
    try {
      for (let start = 0; start < chunk.length && this.#failure === undefined; start += MAX_PIECE) {
        // Copied, since a stream may detach what it is given. `slice` of a `Buffer` does not copy.
        await this.#writer.write(new Uint8Array(chunk.subarray(start, start + MAX_PIECE)));
      }
    } catch (error) {
      this.#stop(badCompression(error));
    }
    return this.#failure;
  }

  /** Returns all bytes, or a failure if there are too many or they are cut short. */
  async finish(): Promise<ReceivedBody | UnreadBody> {
    await this.#written;
    try {
      await this.#writer.close();
      await this.#drained;
    } catch (error) {
      this.#stop(badCompression(error));
    }
    return this.#failure ?? await this.#receiver.finish();
  }

  #stop(failure: UnreadBody): void {
    this.#failure ??= failure;
    this.free();
  }

  free(): void {
    this.#receiver.free();
    this.#writer.abort().catch(ignore);
    this.#reader.cancel().catch(ignore);
  }
}

/** Receiver of a compressed message of Node.js, which waits while a chunk is decompressed. */
export class CompressedMessage implements MessageReceiver {
  /** Ends reading. Set by the reader of the message. */
  fail: (failure: UnreadBody) => void = ignore;
  readonly #message: { pause?(): unknown; resume(): unknown };
  readonly #decompressor: Decompressor;

  constructor(message: { pause?(): unknown; resume(): unknown }, decompressor: Decompressor) {
    this.#message = message;
    this.#decompressor = decompressor;
  }

  add(chunk: unknown): boolean {
    this.#message.pause?.();
    this.#decompressor.add(checkedChunk(chunk)).then((failure) => {
      if (failure === undefined) this.#message.resume();
      else this.fail(failure);
    });
    return true;
  }

  finish(): Promise<ReceivedBody | UnreadBody> {
    return this.#decompressor.finish();
  }

  free(): void {
    this.#decompressor.free();
  }
}

function ignore(): void {}
