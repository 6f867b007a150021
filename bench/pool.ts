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
Times are medians of ${FULL.rounds} samples. "published" is the ratio to Buffer.allocUnsafe, or to
Buffer.subarray, that @nxtedition/slice has published; "goal" is the one that ours is meant to reach.`;

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
  published?: number;
  operations: Operation[];
}

/** Number of slices that are allocated before the first one is freed. */
const CONCURRENT = 10;

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

/** Allocates several times, then frees all; under garbage-collection pressure if asked to. */
function concurrent(size: number, goal: number, isPressed: boolean): Row {
  const make = isPressed
    ? (statements: string, scope: Record<string, unknown>) => pressedLoop(statements, [], scope)
    : loop;
  const places = Array.from({ length: CONCURRENT }, (_, place) => place);
  const each = (statement: (place: number) => string): string => places.map(statement).join(" ");
  const list = (): unknown[] => new Array(CONCURRENT).fill(undefined);
  const drop = each((place) => `list[${place}] = undefined;`);
  const others = ["new Uint8Array", "Buffer.allocUnsafe"].map((way): Operation => {
    const allocate = each((place) => `list[${place}] = ${way}(${size});`);
    return [way, make(`${allocate} ${drop}`, { Buffer, list: list() })];
  });
  const allocate = each((place) => `pool.realloc(list[${place}], ${size});`);
  const free = each((place) => `pool.realloc(list[${place}], 0);`);
  const ours = make(`${allocate} ${free}`, { pool, list: places.map(() => new Slice()) });
  const name = `allocate ${CONCURRENT} × ${size} B and free${isPressed ? ", much alive" : ""}`;
  return { name, goal, operations: [...others, ["bytejson", ours]] };
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
  () => ({ ...kept(64, 6), published: 6.7 }),
  () => ({ ...kept(256, 8), published: 8.8 }),
  () => ({ ...kept(1024, 15), published: 15.6 }),
  () => ({ ...kept(4096, 70), published: 71.6 }),
  () => ({ ...cycle(64, 6), published: 1.1 }),
  () => ({ ...cycle(256, 8), published: 2.0 }),
  () => cycle(1024, 15),
  () => cycle(4096, 70),
  () => ({ ...concurrent(64, 1.2, false), published: 1.2 }),
  () => ({ ...slicing(64, 3), published: 2.9 }),
  () => ({ ...slicing(1024, 3), published: 2.8 }),
  () => ({ ...resizing("realloc in place, 80 → 100 → 128 B", [80, 100, 128], 5), published: 5.4 }),
  () => ({ ...resizing("realloc churn, 64 → 128 → 64 B", [64, 128, 64], 3.5), published: 3.5 }),
  () => ({ ...pressed(64, 6, KEPT), published: 63.3 }),
  () => ({ ...pressed(256, 8, KEPT), published: 48.7 }),
  () => pressed(1024, 15, KEPT),
  () => ({ ...pressed(4096, 70, KEPT), published: 103.4 }),
  () => ({ ...pressed(64, 6, FREED), published: 3.7 }),
  () => pressed(256, 8, FREED),
  () => pressed(1024, 15, FREED),
  () => pressed(4096, 70, FREED),
  () => ({ ...concurrent(64, 1, true), published: 1.0 }),
  () => ({ ...pressedSlicing(64, 3), published: 1.6 }),
];

const { only, effort, json } = readFlags(HELP);

const rows: OperationRow[] = [];
for (const make of ROWS) {
  const { name, goal, published, operations } = make();
  if (!only.test(name)) continue;
  rows.push(measureOperations(name, operations, effort, goal, published));
}
if (json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else console.log(`${runtimeName()}\n\n${renderOperations(rows)}`);
