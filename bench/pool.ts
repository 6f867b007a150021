/** PoolAllocator and Slice against what the engine and Node.js offer. `--help` says how. */
import { Buffer } from "node:buffer";
import { PoolAllocator } from "../pool_allocator.ts";
import { Slice } from "../slice.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { loop, measureOperations, type Operation, type OperationRow, renderOperations } from "./support/operations.ts";
import { runtimeName } from "./support/runtime.ts";

const HELP = `deno task bench:pool [options]

Nanoseconds per operation and ratios to PoolAllocator or Slice, in one process, batches in alternating order, medians of
${FULL.rounds}, garbage collection included. "reach" is the ratio to reach, to either.`;

/** Buffers alive at a time under garbage-collection pressure: enough to outlive the young generation. */
const LIVE = 4096;
/** Objects that the collector has to trace meanwhile. */
const BALLAST = 1e6;

const pool = new PoolAllocator(64 * 2 ** 20);

interface Row {
  name: string;
  reach?: number;
  operations: Operation[];
}

/** What `new Uint8Array` and `Buffer.allocUnsafe` do for each of some sizes. */
function others(sizes: number[]): Operation[] {
  const each = (make: string): string => sizes.map((size) => `consumed.value = ${make}(${size});`).join(" ");
  return [
    ["new Uint8Array", loop(each("new Uint8Array"), {})],
    ["Buffer.allocUnsafe", loop(each("Buffer.allocUnsafe"), { Buffer })],
  ];
}

/** The same slice gets memory again, which is what a slice costs that is used for one thing after the other. */
function kept(size: number, reach: number): Row {
  const ours = loop(`consumed.value = pool.realloc(slice, ${size});`, { pool, slice: new Slice() });
  return { name: `allocate ${size} B, slice kept`, reach, operations: [...others([size]), ["bytejson", ours]] };
}

function cycle(size: number, reach: number): Row {
  const ours = loop(`consumed.value = pool.realloc(slice, ${size}); pool.realloc(slice, 0);`, {
    pool,
    slice: new Slice(),
  });
  return { name: `allocate ${size} B and give back`, reach, operations: [...others([size]), ["bytejson", ours]] };
}

function resizing(name: string, sizes: number[], reach: number): Row {
  const each = sizes.map((size) => `consumed.value = pool.realloc(slice, ${size});`).join(" ");
  const ours = loop(each, { pool, slice: pool.realloc(sizes.at(-1)!) });
  return { name, reach, operations: [...others(sizes), ["bytejson", ours]] };
}

function slicing(size: number, reach: number): Row {
  const bytes = new Uint8Array(64 * 1024);
  const buffer = Buffer.alloc(64 * 1024);
  return {
    name: `slice of ${size} B`,
    reach,
    operations: [
      ["Uint8Array.subarray", loop(`consumed.value = bytes.subarray(i, i + ${size});`, { bytes })],
      ["Buffer.subarray", loop(`consumed.value = buffer.subarray(i, i + ${size});`, { buffer })],
      ["bytejson", loop(`consumed.value = new Slice(bytes, i, ${size});`, { Slice, bytes })],
    ],
  };
}

/** A loop with so many of its results alive at a time, the oldest given up for each new one, in a heap that takes tracing. */
function pressedLoop(statements: string, alive: unknown[], scope: Record<string, unknown>): () => void {
  const ballast = Array.from({ length: BALLAST }, (_, i) => ({ i }));
  const state = { at: 0, ballast };
  return loop(`const at = state.at = state.at + 1 & ${LIVE - 1}; ${statements}`, { state, alive, ...scope });
}

/** How a slice gets other memory: with its slot kept, or given back first. */
const KEPT = { name: "slices kept", statements: (size: number) => `pool.realloc(alive[at], ${size});` };
const GIVEN_BACK = {
  name: "given back",
  statements: (size: number) => `pool.realloc(alive[at], 0); pool.realloc(alive[at], ${size});`,
};

function pressed(size: number, reach: number, { name, statements }: typeof KEPT): Row {
  const alive = (): unknown[] => new Array(LIVE).fill(undefined);
  const slices = Array.from({ length: LIVE }, () => pool.realloc(size));
  return {
    name: `allocate ${size} B, ${LIVE} alive, ${name}`,
    reach,
    operations: [
      ["new Uint8Array", pressedLoop(`alive[at] = new Uint8Array(${size});`, alive(), {})],
      ["Buffer.allocUnsafe", pressedLoop(`alive[at] = Buffer.allocUnsafe(${size});`, alive(), { Buffer })],
      ["bytejson", pressedLoop(statements(size), slices, { pool })],
    ],
  };
}

function pressedSlicing(size: number, reach: number): Row {
  const bytes = new Uint8Array(64 * 1024);
  const buffer = Buffer.alloc(64 * 1024);
  const alive = (): unknown[] => new Array(LIVE).fill(undefined);
  return {
    name: `slice of ${size} B, ${LIVE} alive`,
    reach,
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
  () => pressed(64, 6, GIVEN_BACK),
  () => pressed(256, 8, GIVEN_BACK),
  () => pressed(1024, 15, GIVEN_BACK),
  () => pressed(4096, 70, GIVEN_BACK),
  () => pressedSlicing(64, 3),
];

const { only, effort, json } = readFlags(HELP);

const rows: OperationRow[] = [];
for (const make of ROWS) {
  const { name, reach, operations } = make();
  if (!only.test(name)) continue;
  rows.push(measureOperations(name, operations, effort, reach));
}
if (json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else console.log(`${runtimeName()}\n\n${renderOperations(rows)}`);
