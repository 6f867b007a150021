/**
 * Decompresses bodies while they arrive, a small piece at a time.
 *
 * @module
 */

import { badCompression, tooLarge, type UnreadBody } from "./body_failure.ts";
import { checkedChunk } from "../streaming/byte_source.ts";
import { normalized } from "./headers.ts";
import type { MessageReceiver } from "./message_reader.ts";

/** Name of a compression, as `DecompressionStream` takes it. */
type Compression = "gzip" | "deflate" | "brotli" | "zstd";

/**
 * Most bytes that are decompressed at once. A byte becomes a thousand at most, so a piece becomes
 * 4 MB before its size is looked at.
 */
const MAX_PIECE = 4096;

/** Returns the name of the compression of a `Content-Encoding`; `undefined` for an unknown one. */
function compressionOf(encoding: string): Compression | undefined {
  switch (normalized(encoding, 0, encoding.length)) {
    case "gzip":
      return "gzip";
    case "deflate":
      return "deflate";
    case "br":
      return "brotli";
    case "zstd":
      return "zstd";
  }
}

/**
 * Opens a stream that undoes a `Content-Encoding`. Returns `undefined` if the runtime does not know
 * the compression, or there are several.
 */
export function openDecompression(encoding: string): DecompressionStream | undefined {
  const compression = compressionOf(encoding);
  try {
    return compression && new DecompressionStream(compression as CompressionFormat);
  } catch {
    return undefined; // not known to this runtime
  }
}

/** Decompresses a body into a receiver. */
export class Decompressor {
  readonly #receiver: MessageReceiver;
  readonly #maxBytes: number;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #drained: Promise<void>;
  #isTooLarge = false;

  constructor({ readable, writable }: DecompressionStream, receiver: MessageReceiver, maxBytes: number) {
    this.#receiver = receiver;
    this.#maxBytes = maxBytes;
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
      if (!this.#receiver.add(value)) {
        this.#isTooLarge = true;
        this.free();
      }
    }
  }

  /** Decompresses a chunk. Returns a failure if it cannot be, or there is no room for the result. */
  async write(chunk: Uint8Array): Promise<UnreadBody | undefined> {
    try {
      for (let start = 0; start < chunk.length && !this.#isTooLarge; start += MAX_PIECE) {
        // Copied, since a stream may detach what it is given.
        await this.#writer.write(chunk.slice(start, start + MAX_PIECE) as Uint8Array<ArrayBuffer>);
      }
      return this.#isTooLarge ? tooLarge(this.#maxBytes) : undefined;
    } catch (error) {
      return this.#failureBy(error);
    }
  }

  /** Returns all bytes, or a failure if there are too many, or the compressed ones are cut short. */
  async finish(): Promise<Uint8Array | UnreadBody> {
    try {
      await this.#writer.close();
      await this.#drained;
    } catch (error) {
      return this.#failureBy(error);
    }
    return this.#isTooLarge ? tooLarge(this.#maxBytes) : await this.#receiver.finish();
  }

  #failureBy(error: unknown): UnreadBody {
    return this.#isTooLarge ? tooLarge(this.#maxBytes) : badCompression(error);
  }

  /** Frees all bytes, and ends decompression. */
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
    this.#decompressor.write(checkedChunk(chunk)).then((failure) => {
      if (failure === undefined) this.#message.resume();
      else this.fail(failure);
    });
    return true;
  }

  finish(): Promise<Uint8Array | UnreadBody> {
    return this.#decompressor.finish();
  }

  free(): void {
    this.#decompressor.free();
  }
}

function ignore(): void {}
