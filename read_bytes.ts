/**
 * Reads a stream into one buffer: {@linkcode readBytes}.
 *
 * @module
 */

import {
  type ByteSource,
  checkMaxBytes,
  type ChunkOptions,
  detachesChunks,
  openBytes,
  raceAbort,
} from "./parser/streaming/byte_source.ts";
import { checkOptions, CHUNK_NAMES } from "./parser/base/option_names.ts";
import { NO_OPTIONS } from "./parser/engine/input.ts";
import type { ReceivedBody } from "./parser/bodies/message_reader.ts";
import { receive, ReceivedBytes } from "./parser/bodies/received_bytes.ts";

export type { BodySource, ChunkOptions } from "./parser/streaming/byte_source.ts";
export type { ByteSource };

const READ_NAMES = /* @__PURE__ */ CHUNK_NAMES.concat("maxBytes", "signal", "sizeHint");

/** Options of {@linkcode readBytes}. */
export interface ReadBytesOptions extends ChunkOptions {
  /**
   * Expected number of bytes, such as `Content-Length`. It is never trusted: a wrong hint costs a
   * copy, and at most 16 MiB are allocated for a hint alone. Anything but a positive integer
   * counts as no hint.
   */
  sizeHint?: number | undefined;
  /** Maximum number of bytes to read; unlimited by default. */
  maxBytes?: number | undefined;
  /** Signal that aborts reading, even while it waits for the source. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads all bytes of a source into one buffer.
 *
 * The chunks are left as they are. With `detachChunks: true`, each is detached once it is copied.
 *
 * With the right size hint, reading needs memory for the bytes and one chunk. Without a hint it
 * needs up to 50 % more, but at most 16 MiB more.
 *
 * A stream is unlocked at the end. If reading fails for any reason, the source is cancelled
 * (`cancel()` of a stream, `destroy()` of a Node.js `Readable`, `return()` of any other iterator)
 * and the bytes read are freed.
 *
 * @param source Source of the bytes.
 * @param options Expected and accepted size in bytes, treatment of chunks, and an abort signal.
 * @returns The bytes, in a buffer of exactly their length, which `detach` can free. The promise
 * rejects
 * - with a `RangeError` for more than `maxBytes`,
 * - with the reason of the signal once it is aborted,
 * - with the error of the source if it fails,
 * - with a `TypeError` for a source of another type, a locked stream, a chunk that is not a
 *   `Uint8Array`, and a `maxBytes` that is not a non-negative number.
 *
 * @example
 * ```ts
 * import { readBytes } from "@bytejson/bytejson/read-bytes";
 * import { detach } from "@bytejson/bytejson/detach";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("https://example.org/", { method: "POST", body: '{"id": 7}' });
 * const bytes = await readBytes(request.body ?? [], {
 *   sizeHint: Number(request.headers.get("content-length")),
 *   maxBytes: 1_000_000,
 *   signal: request.signal,
 * });
 * assertEquals(bytes.length, 9);
 * assertEquals(detach(bytes), true);
 * ```
 */
export async function readBytes(
  source: ByteSource,
  options: ReadBytesOptions = NO_OPTIONS,
): Promise<Uint8Array<ArrayBuffer>> {
  checkOptions(options, READ_NAMES, "readBytes");
  const { sizeHint = 0, maxBytes = Infinity, signal } = options;
  checkMaxBytes(maxBytes);
  const detachChunks = detachesChunks(options);
  const chunks = openBytes(source, sizeHint);
  const received = new ReceivedBytes(sizeHint, maxBytes);
  try {
    signal?.throwIfAborted();
    // Never a failure for too many bytes: `received` throws instead.
    const work = receive(chunks, received, detachChunks, Infinity) as Promise<ReceivedBody<ArrayBuffer>>;
    return (await raceAbort(work, signal)).bytes;
  } catch (error) {
    received.free();
    void chunks.cancel(error);
    throw error;
  }
}
