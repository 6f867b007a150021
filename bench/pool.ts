/**
 * Compares PoolAllocator and Slice with typed arrays and with buffers of Node.js. `--help` lists
 * the options.
 *
 * @module
 */

import { runtimeName } from "../measure/runtime.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { measureOperations, renderOperations } from "./support/operations.ts";
import { POOL_ROWS, PRESSED_POOL_ROWS } from "./support/pool_rows.ts";

const HELP = `deno task bench pool [options]

Compares PoolAllocator and Slice with typed arrays and with buffers of Node.js: nanoseconds per
operation, and ratios, in one process, in batches of alternating order, garbage collection included.
Times are medians of ${FULL.rounds} samples. "published" is the ratio to Buffer.allocUnsafe, or to
Buffer.subarray, that @nxtedition/slice has published; "goal" is the one that ours is meant to reach.`;

const { only, effort, json } = readFlags(HELP);

const rows = [...POOL_ROWS, ...PRESSED_POOL_ROWS].filter(({ name }) => only.test(name)).map(
  ({ name, goal, published, operations }) =>
    measureOperations(name, operations(), effort, goal, published && published[0] / published[1]),
);
if (json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else console.log(`${runtimeName()}\n\n${renderOperations(rows)}`);
