/**
 * Compares ChunkQueue with an array of `{ value, size }` objects. `--help` lists the options.
 *
 * @module
 */

import { ChunkQueue } from "../chunk_queue.ts";
import { runtimeName } from "../measure/runtime.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { measureOperations, type Operation, renderOperations } from "./support/operations.ts";
import { filledAndDrained, flowing, WrappedQueue } from "./support/queues.ts";

const HELP = `deno task bench queue [options]

Compares ChunkQueue with an array of { value, size } objects: nanoseconds per chunk pushed and
shifted, in one process, in batches of alternating order, garbage collection included. Times are
medians of ${FULL.rounds} samples.

  filled and drained, N  push N chunks, then shift all of them
  flowing, N             push one chunk and shift one, with N in the queue`;

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
