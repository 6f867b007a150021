/**
 * Reads the body of a request of Node.js into bytes, by events: {@linkcode readNodeBody}.
 *
 * @module
 */

import type { UnreadBody } from "../parser/bodies/body_failure.ts";
import { CompressedMessage, Decompressor } from "../parser/bodies/decompressor.ts";
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

/** Settings of {@linkcode readNodeBody}. */
export interface NodeBodyOptions {
  /** Most bytes, after decompression. */
  limit: number;
  /** Announced number of bytes before decompression, or `undefined`. */
  length: number | undefined;
  /** Most milliseconds until the end, or `undefined`. */
  timeout: number | undefined;
  /** Stream that undoes the compression, or `undefined`. */
  decompression: DecompressionStream | undefined;
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
  const { limit, length, timeout = Infinity, decompression } = options;
  const body = new NodeBody(length, limit);
  const receiver = decompression === undefined
    ? body
    : new CompressedMessage(stream, new Decompressor(decompression, body, limit));
  stream.on("error", ignore); // a stream without a listener throws its error
  let failure: Omit<FailedRead, "received">;
  try {
    if (stream.readableEnded) return { problem: "failed", error: new Error("Body was read before"), received: 0 };
    if (stream.destroyed) { // there will be no event
      stream.resume();
      return { problem: "aborted", received: 0 };
    }
    const result = await readMessage(stream, { maxBytes: limit, timeout, signal: undefined }, receiver);
    if (isByteArray(result)) {
      if (length !== undefined && result.length !== length) return { problem: "wrong-length", received: body.received };
      stream.removeListener("error", ignore);
      return result;
    }
    failure = problemOf(result);
  } catch (error) { // such as that of an engine that has no room for the bytes
    failure = { problem: "failed", error };
  }
  return { ...failure, received: body.received };
}

function problemOf({ code, cause }: UnreadBody): Omit<FailedRead, "received"> {
  switch (code) {
    case "source-failed":
      return { problem: "failed", error: cause ?? new Error("Cannot read the body") };
    case "bad-compression":
      return { problem: code, error: cause };
    default:
      return { problem: code as BodyProblem };
  }
}

function ignore(): void {}

/** Bytes of a body, of chunks that may be strings. */
class NodeBody implements MessageReceiver {
  readonly #bytes: ReceivedMessage;
  #isFreed = false;

  constructor(length: number | undefined, limit: number) {
    this.#bytes = new ReceivedMessage(length ?? -1, limit);
  }

  /** Number of bytes, with those for which there is no room. */
  get received(): number {
    return this.#bytes.received;
  }

  add(data: unknown): boolean {
    return this.#isFreed || this.#bytes.add(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  finish(): Uint8Array {
    return this.#bytes.finish();
  }

  free(): void {
    this.#isFreed = true;
    this.#bytes.free();
  }
}
