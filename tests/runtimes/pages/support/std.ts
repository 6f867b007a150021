/** Modules of @std that tests import, for a page, where no import map resolves them. */

export * from "@std/assert";

/** Reads a stream to its end. That of @std rejects with another error than the stream's in Chromium. */
export async function toBytes(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
