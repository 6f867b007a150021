/**
 * Compares PoolAllocator and Slice with typed arrays and with buffers of Node.js. `--help` lists
 * the options.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { runtimeName } from "../measure/runtime.ts";
import { PoolAllocator } from "../pool_allocator.ts";
import { Slice } from "../slice.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { loop, measureOperations, type Operation, type OperationRow, renderOperations } from "./support/operations.ts";

const HELP = `deno task bench:pool [options]

Compares PoolAllocator and Slice with typed arrays and with buffers of Node.js: nanoseconds per
operation, and ratios, in one process, in batches of alternating order, garbage collection included.
Times are medians of ${FULL.rounds} samples. "goal" is the ratio that ours is meant to reach.`;

/**
 * Number of live buffers under garbage-collection pressure: enough to outlive the young generation.
 */
const LIVE = 4096;
/** Number of other live objects, which the collector has to trace. */
const BALLAST = 1e6;

const pool = new PoolAllocator(64 * 2 ** 20);

/** Operation of several contestants. */
interface Row {
  name: string;
  goal?: number;
  operations: Operation[];
}

/** Creates the operations of `new Uint8Array` and `Buffer.allocUnsafe` for each of some sizes. */
function others(sizes: number[]): Operation[] {
  const each = (make: string): string => sizes.map((size) => `consumed.value = ${make}(${size});`).join(" ");
  return [
    ["new Uint8Array", loop(each("new Uint8Array"), {})],
    ["Buffer.allocUnsafe", loop(each("Buffer.allocUnsafe"), { Buffer })],
  ];
}

/** Allocates again for the same slice, as for a slice that is reused. */
function kept(size: number, goal: number): Row {
  const ours = loop(`consumed.value = pool.realloc(slice, ${size});`, { pool, slice: new Slice() });
  return { name: `allocate ${size} B, slice kept`, goal, operations: [...others([size]), ["bytejson", ours]] };
}

/** Allocates and frees in turn. */
function cycle(size: number, goal: number): Row {
  const ours = loop(`consumed.value = pool.realloc(slice, ${size}); pool.realloc(slice, 0);`, {
    pool,
    slice: new Slice(),
  });
  return { name: `allocate ${size} B and free`, goal, operations: [...others([size]), ["bytejson", ours]] };
}

/** Reallocates one slice from size to size. */
function resizing(name: string, sizes: number[], goal: number): Row {
  const each = sizes.map((size) => `consumed.value = pool.realloc(slice, ${size});`).join(" ");
  const ours = loop(each, { pool, slice: pool.realloc(sizes.at(-1)!) });
  return { name, goal, operations: [...others(sizes), ["bytejson", ours]] };
}

/** Creates views of one buffer. */
function slicing(size: number, goal: number): Row {
  const bytes = new Uint8Array(64 * 1024);
  const buffer = Buffer.alloc(64 * 1024);
  return {
    name: `slice of ${size} B`,
    goal,
    operations: [
      ["Uint8Array.subarray", loop(`consumed.value = bytes.subarray(i, i + ${size});`, { bytes })],
      ["Buffer.subarray", loop(`consumed.value = buffer.subarray(i, i + ${size});`, { buffer })],
      ["bytejson", loop(`consumed.value = new Slice(bytes, i, ${size});`, { Slice, bytes })],
    ],
  };
}

/**
 * Creates a loop that keeps its latest {@linkcode LIVE} results alive, in a heap with much to
 * trace.
 */
function pressedLoop(statements: string, alive: unknown[], scope: Record<string, unknown>): () => void {
  const ballast = Array.from({ length: BALLAST }, (_, i) => ({ i }));
  const state = { at: 0, ballast };
  return loop(`const at = state.at = state.at + 1 & ${LIVE - 1}; ${statements}`, { state, alive, ...scope });
}

/** Reallocation of a live slice that keeps its slot. */
const KEPT = { name: "slices kept", statements: (size: number) => `pool.realloc(alive[at], ${size});` };
/** Reallocation of a live slice that is freed first. */
const FREED = {
  name: "freed first",
  statements: (size: number) => `pool.realloc(alive[at], 0); pool.realloc(alive[at], ${size});`,
};

/** Allocates under garbage-collection pressure. */
function pressed(size: number, goal: number, { name, statements }: typeof KEPT): Row {
  const alive = (): unknown[] => new Array(LIVE).fill(undefined);
  const slices = Array.from({ length: LIVE }, () => pool.realloc(size));
  return {
    name: `allocate ${size} B, ${LIVE} alive, ${name}`,
    goal,
    operations: [
      ["new Uint8Array", pressedLoop(`alive[at] = new Uint8Array(${size});`, alive(), {})],
      ["Buffer.allocUnsafe", pressedLoop(`alive[at] = Buffer.allocUnsafe(${size});`, alive(), { Buffer })],
      ["bytejson", pressedLoop(statements(size), slices, { pool })],
    ],
  };
}

/** Creates views under garbage-collection pressure. */
function pressedSlicing(size: number, goal: number): Row {
  const bytes = new Uint8Array(64 * 1024);
  const buffer = Buffer.alloc(64 * 1024);
  const alive = (): unknown[] => new Array(LIVE).fill(undefined);
  return {
    name: `slice of ${size} B, ${LIVE} alive`,
    goal,
    operations: [
      ["Uint8Array.subarray", pressedLoop(`alive[at] = bytes.subarray(i, i + ${size});`, alive(), { bytes })],
      ["Buffer.subarray", pressedLoop(`alive[at] = buffer.subarray(i, i + ${size});`, alive(), { buffer })],
      ["bytejson", pressedLoop(`alive[at] = new Slice(bytes, i, ${size});`, alive(), { Slice, bytes })],
    ],
  };
}

const ROWS: (() => Row)[] = [
  () => kept(64, 6),
  () => kept(256, 8),
  () => kept(1024, 15),
  () => kept(4096, 70),
  () => cycle(64, 6),
  () => cycle(256, 8),
  () => cycle(1024, 15),
  () => cycle(4096, 70),
  () => slicing(64, 3),
  () => slicing(1024, 3),
  () => resizing("realloc in place, 80 → 100 → 128 B", [80, 100, 128], 5),
  () => resizing("realloc churn, 64 → 128 → 64 B", [64, 128, 64], 3.5),
  () => pressed(64, 6, KEPT),
  () => pressed(256, 8, KEPT),
  () => pressed(1024, 15, KEPT),
  () => pressed(4096, 70, KEPT),
  () => pressed(64, 6, FREED),
  () => pressed(256, 8, FREED),
  () => pressed(1024, 15, FREED),
  () => pressed(4096, 70, FREED),
  () => pressedSlicing(64, 3),
];

const { only, effort, json } = readFlags(HELP);

const rows: OperationRow[] = [];
for (const make of ROWS) {
  const { name, goal, operations } = make();
  if (!only.test(name)) continue;
  rows.push(measureOperations(name, operations, effort, goal));
}
if (json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else console.log(`${runtimeName()}\n\n${renderOperations(rows)}`);
