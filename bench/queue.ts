/** ChunkQueue against an array of `{ value, size }` with push and shift. `--help` says how. */
import { ChunkQueue } from "../chunk_queue.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { loop, measureOperations, type Operation, renderOperations } from "./support/operations.ts";
import { runtimeName } from "./support/runtime.ts";

const HELP = `deno task bench:queue [options]

Nanoseconds per chunk, pushed and shifted, in one process, batches in alternating order, medians of ${FULL.rounds}, garbage
collection included. Filled and drained: so many chunks go in, then all come out. Flowing: so many wait while one goes in and one
comes out.`;

const CHUNK = new Uint8Array(1024);

/** The queue that WHATWG streams have by their specification. */
class WrappedQueue {
  readonly #entries: { value: Uint8Array; size: number }[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  push(value: Uint8Array): void {
    const size = value.length;
    this.#entries.push({ value, size });
    this.#byteLength += size;
  }

  shift(): Uint8Array | undefined {
    const entry = this.#entries.shift();
    if (entry === undefined) return undefined;
    this.#byteLength -= entry.size;
    return entry.value;
  }
}

function filledAndDrained(queue: WrappedQueue | ChunkQueue, buffered: number): () => void {
  return loop(
    `queue.push(chunk);
    if (i % buffered === buffered - 1) {
      for (let rest = buffered; rest > 0; rest--) consumed.value = queue.shift();
    }`,
    { queue, buffered, chunk: CHUNK },
  );
}

function flowing(queue: WrappedQueue | ChunkQueue, buffered: number): () => void {
  for (let i = 1; i < buffered; i++) queue.push(CHUNK);
  return loop("queue.push(chunk); consumed.value = queue.shift();", { queue, chunk: CHUNK });
}

const { only, effort, json } = readFlags(HELP);

const ROWS = Object.entries({ "filled and drained": filledAndDrained, flowing }).flatMap(([name, make]) =>
  [1, 10, 100, 1000].map((buffered) => ({ name: `${name}, ${buffered}`, make, buffered }))
);
const rows = ROWS.filter(({ name }) => only.test(name)).map(({ name, make, buffered }) => {
  const operations: Operation[] = [
    ["Array of wrappers", make(new WrappedQueue(), buffered)],
    ["ChunkQueue", make(new ChunkQueue(), buffered)],
  ];
  return measureOperations(name, operations, effort, undefined);
});
if (json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else console.log(`${runtimeName()}\n\n${renderOperations(rows)}`);
