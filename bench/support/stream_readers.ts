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

/** Ways by name, for every runtime. */
export const STREAM_READERS: Record<string, StreamReader> = {
  "readBytes, size known": (stream, sizeHint) => readBytes(stream, { sizeHint }),
  "readBytes, size unknown": (stream) => readBytes(stream),
  "readBytes, size falsely 10 GB": (stream) => readBytes(stream, { sizeHint: 10e9 }),
  "arrayBuffer()": (stream) => new Response(stream).arrayBuffer(),
  "Buffer.concat": async (stream) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
};

/** Adds those of @std/streams, which Node.js and Bun cannot import: they ignore import maps. */
export async function loadStreamReaders(): Promise<Record<string, StreamReader>> {
  try {
    const [{ toArrayBuffer }, { toBytes }] = await Promise.all([
      import("@std/streams/to-array-buffer"),
      import("@std/streams/to-bytes"),
    ]);
    return { ...STREAM_READERS, "@std toArrayBuffer": (s) => toArrayBuffer(s), "@std toBytes": (s) => toBytes(s) };
  } catch {
    return STREAM_READERS;
  }
}
