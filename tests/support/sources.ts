/** Sources of bytes, one of each kind that the library reads. */

import { PassThrough } from "node:stream";
import type { ByteSource } from "../../read_bytes.ts";
import { concat } from "./bytes.ts";

/** Source that records whether it was cancelled. */
export interface ObservedSource {
  source: ByteSource;
  cancelled(): boolean;
}

export type MakeSource = (chunks: Uint8Array[], end?: "stalls" | Error) => ObservedSource;

/** Waits until the tasks that are due have run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/**
 * Makes the source of a stream, which enqueues a chunk at each pull, and records a cancellation.
 */
function pulled(chunks: Uint8Array[], end?: "stalls" | Error) {
  let cancelled = false;
  const rest = [...chunks];
  return {
    pull(controller: ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController) {
      const chunk = rest.shift();
      if (chunk) return controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
      if (end === "stalls") return never();
      if (end) controller.error(end);
      else controller.close();
    },
    cancel() {
      cancelled = true;
    },
    cancelled: () => cancelled,
  };
}

/** Sources of every kind. Each yields the chunks, then ends, fails, or lets its reader wait. */
export const SOURCES: Record<string, MakeSource> = {
  "an iterable": (chunks, end) => {
    let cancelled = false;
    function* generate() {
      try {
        yield* chunks;
        if (end instanceof Error) throw end;
        // An iterable cannot wait, so it never ends.
        while (end === "stalls") yield new Uint8Array(0);
      } finally {
        cancelled = true;
      }
    }
    return { source: generate(), cancelled: () => cancelled };
  },
  "an async iterable": (chunks, end) => {
    let cancelled = false;
    const rest = [...chunks];
    const iterator = {
      async next() {
        const value = rest.shift();
        if (value) return { done: false, value } as const;
        if (end === "stalls") await never();
        if (end instanceof Error) throw end;
        return { done: true, value: undefined } as const;
      },
      return() {
        cancelled = true;
        return Promise.resolve({ done: true, value: undefined } as const);
      },
    };
    return { source: { [Symbol.asyncIterator]: () => iterator }, cancelled: () => cancelled };
  },
  "a stream": (chunks, end) => {
    const { cancelled, ...underlying } = pulled(chunks, end);
    return { source: new ReadableStream(underlying, { highWaterMark: 0 }), cancelled };
  },
  "a byte stream that fills what it is lent": (chunks, end) => {
    let cancelled = false;
    let rest = concat(chunks);
    const source = new ReadableStream({
      type: "bytes",
      autoAllocateChunkSize: 1000,
      pull(controller) {
        const request = controller.byobRequest!;
        if (rest.length === 0 && end === "stalls") return never();
        if (rest.length === 0 && end instanceof Error) return controller.error(end);
        if (rest.length === 0) {
          controller.close();
          return request.respond(0);
        }
        const view = request.view! as Uint8Array;
        const part = rest.subarray(0, Math.min(view.byteLength, 999));
        new Uint8Array(view.buffer, view.byteOffset).set(part);
        rest = rest.subarray(part.length);
        request.respond(part.length);
      },
      cancel() {
        cancelled = true;
      },
    });
    return { source, cancelled: () => cancelled };
  },
  "a byte stream of parts that closes without an answer": (chunks, end) => {
    const parts = chunks.map((chunk) => {
      const part = new Uint8Array(chunk.length + 1).subarray(1);
      part.set(chunk);
      return part;
    });
    const { cancelled, ...underlying } = pulled(parts, end);
    return { source: new ReadableStream({ type: "bytes", ...underlying }), cancelled };
  },
  "a Node.js Readable": (chunks, end) => {
    const source = new PassThrough();
    for (const chunk of chunks) source.write(chunk);
    if (end instanceof Error) setTimeout(() => source.destroy(end));
    else if (end === undefined) source.end();
    return { source, cancelled: () => source.destroyed };
  },
};
