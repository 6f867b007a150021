/**
 * Reading a stream into one buffer by `deno bench`, warm. `deno task bench read` measures the
 * memory.
 *
 * @module
 */

import { format } from "@std/fmt/bytes";
import { loadStreamReaders } from "./support/stream_readers.ts";

const CHUNK_BYTES = 64 * 1024;
const BASELINE = "arrayBuffer()";

function streamOf(chunks: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull(controller) {
      if (chunks-- === 0) controller.close();
      else controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(0x20));
    },
  });
}

for (const [name, read] of Object.entries(await loadStreamReaders())) {
  for (const chunks of [1, 16, 160]) {
    Deno.bench({
      name,
      group: `warm: a stream of ${format(chunks * CHUNK_BYTES)}`,
      baseline: name === BASELINE,
      warmup: 50,
      n: 50,
      fn: async () => void await read(streamOf(chunks), chunks * CHUNK_BYTES),
    });
  }
}
