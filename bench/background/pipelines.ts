/**
 * Cost of streams over either queue: reading buffered chunks, piping, iterating.
 *
 * @module
 */

import { ChunkQueue } from "../../chunk_queue.ts";
import { consumed } from "../support/lane.ts";
import { WrappedQueue } from "../support/queues.ts";
import { type Measurement, type MeasurementLane, scaled } from "./measurement.ts";

const CHUNKS = 100_000;
/** Chunks that a piped stream buffers. */
const HIGH_WATER_MARK = 1024;
const CHUNK = new Uint8Array(1024);

type Queue = WrappedQueue | ChunkQueue;

const QUEUES: Record<string, () => Queue> = {
  "array of wrappers": () => new WrappedQueue(),
  "ChunkQueue": () => new ChunkQueue(),
};

/** Stream over a queue, reduced to what every read and write of a WHATWG stream does. */
class QueueStream {
  readonly #queue: Queue;
  readonly #highWaterMark: number;
  #rest: number;

  constructor(queue: Queue, chunks: number, highWaterMark: number) {
    this.#queue = queue;
    this.#rest = chunks;
    this.#highWaterMark = highWaterMark * CHUNK.length;
  }

  /** Fills the queue up to the mark, as the source of a stream does when it is pulled. */
  pull(): void {
    while (this.#rest > 0 && this.#queue.byteLength < this.#highWaterMark) {
      this.#rest--;
      this.#queue.push(CHUNK);
    }
  }

  read(): Promise<Uint8Array | undefined> {
    const chunk = this.#queue.shift();
    if (chunk !== undefined) return Promise.resolve(chunk);
    this.pull();
    return Promise.resolve(this.#queue.shift());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) yield chunk;
  }
}

/** Reads all chunks through a buffer of some chunks. */
async function readBuffered(make: () => Queue, chunks: number, buffered: number): Promise<void> {
  const stream = new QueueStream(make(), chunks, buffered);
  for (let chunk = await stream.read(); chunk !== undefined; chunk = await stream.read()) consumed.value = chunk;
}

/** Moves all chunks from one stream to the queue of another, which is drained when it is full. */
async function pipe(make: () => Queue, chunks: number): Promise<void> {
  const source = new QueueStream(make(), chunks, HIGH_WATER_MARK);
  const sink = make();
  for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) {
    sink.push(chunk);
    source.pull();
    if (sink.byteLength < HIGH_WATER_MARK * CHUNK.length) continue;
    for (let next = sink.shift(); next !== undefined; next = sink.shift()) consumed.value = next;
  }
}

async function iterate(make: () => Queue, chunks: number): Promise<void> {
  for await (const chunk of new QueueStream(make(), chunks, HIGH_WATER_MARK)) consumed.value = chunk;
}

/** Pipelines, with the gain that is published for a ring buffer in Node.js. */
const PIPELINES: Record<string, [gain: number, run: (make: () => Queue, chunks: number) => Promise<void>]> = {
  "read, 1 buffered": [0.20, (make, chunks) => readBuffered(make, chunks, 1)],
  "read, 10 buffered": [0.36, (make, chunks) => readBuffered(make, chunks, 10)],
  "read, 100 buffered": [0.38, (make, chunks) => readBuffered(make, chunks, 100)],
  "read, 1000 buffered": [0.49, (make, chunks) => readBuffered(make, chunks, 1000)],
  "pipe": [0.145, pipe],
  "async iteration": [0.21, iterate],
};

/** Times of a chunk in pipelines of either queue. */
export const pipelines: Measurement = {
  name: "pipelines",
  title: "Streams over an array of wrappers and over ChunkQueue, each chunk",
  section: "Queues",
  claims: [{ claim: "a ring buffer speeds up streams by 12 to 49 %", lane: "pipe: ChunkQueue" }],
  ratio: "speed",
  figures: { time: "time" },
  lanes: Object.fromEntries(
    Object.entries(PIPELINES).flatMap(([pipeline, [gain]]): [string, MeasurementLane][] => {
      const base = `${pipeline}: array of wrappers`;
      return [[base, {}], [`${pipeline}: ChunkQueue`, { base, publishedRatio: 1 + gain }]];
    }),
  ),
  isolated: false,
  async measure(lane, scale) {
    const [pipeline, queue] = lane.split(": ");
    const chunks = scaled(CHUNKS, scale);
    const [, run] = PIPELINES[pipeline];
    const start = performance.now();
    await run(QUEUES[queue], chunks);
    return { time: (performance.now() - start) / chunks };
  },
};
