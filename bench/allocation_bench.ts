/**
 * ChunkQueue, Slice and PoolAllocator by `deno bench`, warm. An iteration makes 1,000 operations,
 * since one is over before a clock ticks: microseconds of an iteration are nanoseconds of one.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { ChunkQueue } from "../chunk_queue.ts";
import { PoolAllocator } from "../pool_allocator.ts";
import { Slice } from "../slice.ts";
import { loop, LOOPS, type Operation } from "./support/operations.ts";
import { filledAndDrained, flowing, WrappedQueue } from "./support/queues.ts";

/** Registers a bench for each contestant; the first is the baseline. */
function benchOperations(group: string, operations: Operation[]): void {
  for (const [i, [name, fn]] of operations.entries()) {
    Deno.bench({ name, group: `warm: ${LOOPS} ${group}`, baseline: i === 0, warmup: 1000, n: 1000, fn });
  }
}

for (const buffered of [10, 1000]) {
  benchOperations(`chunks through a queue, ${buffered} in, then ${buffered} out`, [
    ["array of wrappers", filledAndDrained(new WrappedQueue(), buffered)],
    ["ChunkQueue", filledAndDrained(new ChunkQueue(), buffered)],
  ]);
  benchOperations(`chunks through a queue that holds ${buffered}`, [
    ["array of wrappers", flowing(new WrappedQueue(), buffered)],
    ["ChunkQueue", flowing(new ChunkQueue(), buffered)],
  ]);
}

const bytes = new Uint8Array(64 * 1024);
const buffer = Buffer.alloc(64 * 1024);
benchOperations("windows of 64 B", [
  ["Uint8Array.subarray", loop("consumed.value = bytes.subarray(i, i + 64);", { bytes })],
  ["Buffer.subarray", loop("consumed.value = buffer.subarray(i, i + 64);", { buffer })],
  ["Slice", loop("consumed.value = new Slice(bytes, i, 64);", { Slice, bytes })],
]);

const pool = new PoolAllocator(64 * 2 ** 20);
for (const size of [64, 1024, 4096]) {
  const ours = `consumed.value = pool.realloc(slice, ${size}); pool.realloc(slice, 0);`;
  benchOperations(`allocations of ${size} B, each freed`, [
    ["new Uint8Array", loop(`consumed.value = new Uint8Array(${size});`, {})],
    ["Buffer.allocUnsafe", loop(`consumed.value = Buffer.allocUnsafe(${size});`, { Buffer })],
    ["PoolAllocator", loop(ours, { pool, slice: new Slice() })],
  ]);
}
