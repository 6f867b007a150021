/**
 * Cost of allocating from a pool and of slices, beside buffers of Node.js.
 *
 * @module
 */

import { LOOPS } from "../support/operations.ts";
import { POOL_ROWS, type PoolRow, PRESSED_POOL_ROWS } from "../support/pool_rows.ts";
import { type Measurement, type MeasurementLane, timeCalls } from "./measurement.ts";

/** Names of the lanes of a row. */
function laneNames({ name }: PoolRow): [buffer: string, ours: string] {
  return [`${name}: Buffer`, `${name}: bytejson`];
}

/** Creates the measurement of some rows. */
function pool(name: string, title: string, section: string, rows: PoolRow[], claim: string, best: string): Measurement {
  const operations = new Map<string, () => void>();
  return {
    name,
    title,
    section,
    figures: { time: "time" },
    ratio: "speed",
    claims: [{ claim, lane: best }],
    lanes: Object.fromEntries(rows.flatMap((row): [string, MeasurementLane][] => {
      const [buffer, ours] = laneNames(row);
      const [published, publishedOurs] = row.published?.map((nanoseconds) => ({ time: nanoseconds / 1e6 })) ?? [];
      return [
        [buffer, { ...(published && { published }) }],
        [ours, { base: buffer, ...(publishedOurs && { published: publishedOurs }) }],
      ];
    })),
    isolated: false,
    measure(lane, scale) {
      if (!operations.has(lane)) {
        const row = rows.find((row) => laneNames(row).includes(lane))!;
        const [[, buffer], [, ours]] = row.operations().slice(-2);
        for (const [i, run] of [buffer, ours].entries()) operations.set(laneNames(row)[i], run);
      }
      return { time: timeCalls(operations.get(lane)!, scale) / LOOPS };
    },
  };
}

/** Times of one operation in a heap that holds little else. */
export const pools: Measurement = pool(
  "pools",
  "PoolAllocator and Slice, beside Buffer.allocUnsafe and Buffer.subarray, each operation",
  "Pools",
  POOL_ROWS,
  "a pool allocates 4 KiB 72 times as fast as `Buffer.allocUnsafe`",
  "allocate 4096 B, slice kept: bytejson",
);

/** Times of one operation in a heap with much to trace. */
export const pressedPools: Measurement = pool(
  "gc-pools",
  "The same while a million objects are alive",
  "Pools and the garbage collector",
  PRESSED_POOL_ROWS,
  "with much alive, 103 times as fast",
  "allocate 4096 B, 4096 alive, slices kept: bytejson",
);
