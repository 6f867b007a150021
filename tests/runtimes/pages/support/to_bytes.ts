/**
 * `toBytes` for a page, in place of @std/streams, which comes from a registry.
 *
 * @module
 */

/** Reads a stream to its end. */
export async function toBytes(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
