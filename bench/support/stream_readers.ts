/**
 * Ways to read a stream into one buffer that are measured against each other.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { readBytes } from "../../read_bytes.ts";

/** Function that reads a stream of `size` bytes. */
export type StreamReader = (
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  size: number,
) => Promise<ArrayBuffer | Uint8Array>;

/** Ways by name. */
export const STREAM_READERS: Record<string, StreamReader> = {
  "readBytes, size known": (stream, sizeHint) => readBytes(stream, { sizeHint }),
  "readBytes, size unknown": (stream) => readBytes(stream),
  "readBytes, 10 GB announced": (stream) => readBytes(stream, { sizeHint: 10e9 }),
  "arrayBuffer()": (stream) => new Response(stream).arrayBuffer(),
  "Buffer.concat": async (stream) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
};
