/** Reads the body of a Node.js request into bytes, from events: {@linkcode readNodeBody}. */

import type { UnreadBodyCode } from "../parser/bodies/body_failure.ts";
import { CompressedMessage, type Decompression, Decompressor } from "../parser/bodies/decompressor.ts";
import { type MessageReceiver, readMessage, type ReceivedBody } from "../parser/bodies/message_reader.ts";
import { ReceivedMessage } from "../parser/bodies/received_bytes.ts";

/** Members of a Node.js `Readable` that are used. Streams of Deno and Bun have it too. */
export interface NodeReadable {
  /** Whether the stream was closed, before its end or after it. */
  readonly destroyed?: boolean;
  /** Whether the stream was read to its end. */
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

/** Settings of {@linkcode readNodeBody}. */
export interface NodeBodyOptions {
  /** Maximum number of bytes, after decompression. */
  limit: number;
  /** Announced number of bytes before decompression, or `undefined`. */
  length: number | undefined;
  /** Maximum number of milliseconds until the end, or `undefined`. */
  timeout: number | undefined;
  /** Whether chunks may be detached. */
  detachChunks: boolean;
  /** Decompression stream, or `undefined`. */
  decompression: Decompression | undefined;
}

/** Body that could not be read. */
export interface FailedRead {
  ok: false;
  code: UnreadBodyCode | "wrong-length";
  /** Error of the stream or of the decompression, if there is one. */
  cause: unknown;
  /** Bytes received, or decompressed if the body was compressed. */
  received: number;
}

/**
 * Reads a body. If that fails, the rest of the body is dropped as it arrives, so that the request
 * can be answered. All listeners are removed.
 *
 * @param stream Stream of buffers or strings.
 * @param options Limits of size and time, and the decompression.
 * @returns The bytes, or the reason for the failure. Never rejects.
 */
export async function readNodeBody(stream: NodeReadable, options: NodeBodyOptions): Promise<ReceivedBody | FailedRead> {
  const { limit, length, timeout = Infinity, detachChunks, decompression } = options;
  const bytes = new ReceivedMessage(length ?? -1, limit, decompression !== undefined || detachChunks);
  const body: MessageReceiver = {
    add: (data) => bytes.add(typeof data === "string" ? new TextEncoder().encode(data) : data),
    finish: () => bytes.finish(),
    free: () => bytes.free(),
  };
  const receiver = decompression === undefined
    ? body
    : new CompressedMessage(stream, new Decompressor(decompression, body, limit), detachChunks);
  const failed = (code: FailedRead["code"], cause: unknown = new Error("Cannot read the body")): FailedRead => {
    return { ok: false, code, cause, received: bytes.received };
  };
  stream.on("error", ignore); // a stream without a listener throws its error
  try {
    if (stream.readableEnded) return failed("source-failed", new Error("Body was read before"));
    if (stream.destroyed) { // there will be no event
      stream.resume();
      return failed("aborted");
    }
    const result = await readMessage(stream, { maxBytes: limit, timeout, signal: undefined }, receiver);
    if (!result.ok) return failed(result.code, result.cause);
    if (length !== undefined && result.bytes.length !== length) return failed("wrong-length");
    stream.removeListener("error", ignore);
    return result;
  } catch (error) { // for example if the engine cannot allocate the bytes
    return failed("source-failed", error);
  }
}

function ignore(): void {}

/** Bytes of a body: a `Buffer` where the runtime has one. */
export interface BodyBytes extends Uint8Array {
  /** Decodes the bytes. */
  toString(encoding?: string): string;
}

interface BufferClass {
  isBuffer(bytes: unknown): boolean;
  from(buffer: ArrayBufferLike, start: number, length: number): BodyBytes;
}

/** Request whose bytes were kept, by the option `keepBytes`. */
export interface WithRawBody {
  /** Bytes of the body, after decompression. */
  rawBody: BodyBytes;
}

/** Returns bytes as a `Buffer`, where the runtime has one. */
export function asBuffer(bytes: Uint8Array): BodyBytes {
  const { Buffer } = globalThis as { Buffer?: BufferClass };
  if (Buffer === undefined || Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
