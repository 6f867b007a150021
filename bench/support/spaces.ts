/**
 * Stream of bytes whose content does not matter, for measuring readers.
 *
 * @module
 */

/** Bytes of a chunk. */
export const CHUNK_BYTES = 64 * 1024;

/** Creates a stream as a socket does: each chunk has a buffer of its own, every page written to. */
export function spaces(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let rest = size;
  return new ReadableStream({
    pull(controller) {
      if (rest === 0) return controller.close();
      const chunk = new Uint8Array(Math.min(rest, CHUNK_BYTES)).fill(0x20);
      rest -= chunk.length;
      controller.enqueue(chunk);
    },
  });
}
