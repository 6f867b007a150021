/**
 * A queue to compare ChunkQueue with, and operations on both.
 *
 * @module
 */

import type { ChunkQueue } from "../../chunk_queue.ts";
import { loop } from "./operations.ts";

const CHUNK = new Uint8Array(1024);

/** Queue of WHATWG streams, as the standard specifies it. */
export class WrappedQueue {
  readonly #entries: { value: Uint8Array; size: number }[] = [];
  #byteLength = 0;

  /** Bytes in the queue. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Adds a chunk. */
  push(value: Uint8Array): void {
    const size = value.length;
    this.#entries.push({ value, size });
    this.#byteLength += size;
  }

  /** Removes the first chunk. */
  shift(): Uint8Array | undefined {
    const entry = this.#entries.shift();
    if (entry === undefined) return undefined;
    this.#byteLength -= entry.size;
    return entry.value;
  }
}

/** Creates a loop that pushes `buffered` chunks, then shifts them. */
export function filledAndDrained(queue: WrappedQueue | ChunkQueue, buffered: number): () => void {
  return loop(
    `queue.push(chunk);
    if (i % buffered === buffered - 1) {
      for (let rest = buffered; rest > 0; rest--) consumed.value = queue.shift();
    }`,
    { queue, buffered, chunk: CHUNK },
  );
}

/** Creates a loop that pushes one chunk and shifts one, with `buffered` chunks in the queue. */
export function flowing(queue: WrappedQueue | ChunkQueue, buffered: number): () => void {
  for (let i = 1; i < buffered; i++) queue.push(CHUNK);
  return loop("queue.push(chunk); consumed.value = queue.shift();", { queue, chunk: CHUNK });
}
