/** PoolAllocator and Slice against what the engine and Node.js offer. `--help` says how. */
import { Buffer } from "node:buffer";
import process from "node:process";
import { parseArgs } from "node:util";
import { PoolAllocator } from "../pool_allocator.ts";
import { Slice } from "../slice.ts";
import { FULL, QUICK } from "./support/lane.ts";
import { consumed } from "./support/contestants.ts";
import { LOOPS, measureOperations, type Operation, type OperationRow, renderOperations } from "./support/operations.ts";
import { runtimeName } from "./support/runtime.ts";

const HELP = `deno task bench:pool [options]

Nanoseconds per operation and ratios to PoolAllocator or Slice, in one process, batches in alternating order, medians of
${FULL.rounds}, garbage collection included. The ratio to reach goes for the slower of the other two where they differ.

  --only REGEX  rows whose name matches
  --quick       a third of the samples
  --json        one JSON object on standard output`;

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

function allocation(size: number, reach: number): Row {
  const slice = new Slice();
  return {
    name: `allocate ${size} B and give back`,
    reach,
    operations: [
      ["new Uint8Array", () => {
        for (let i = 0; i < LOOPS; i++) consumed.value = new Uint8Array(size);
      }],
      ["Buffer.allocUnsafe", () => {
        for (let i = 0; i < LOOPS; i++) consumed.value = Buffer.allocUnsafe(size);
      }],
      ["bytejson", () => {
        for (let i = 0; i < LOOPS; i++) {
          pool.realloc(slice, size);
          consumed.value = slice;
          pool.realloc(slice, 0);
        }
      }],
    ],
  };
}

/** What a slice costs that is used for one thing after the other. */
function kept(size: number, reach: number): Row {
  const slice = new Slice();
  return {
    name: `allocate ${size} B, slice kept`,
    reach,
    operations: [
      ...allocation(size, reach).operations.slice(0, -1),
      ["bytejson", () => {
        for (let i = 0; i < LOOPS; i++) consumed.value = pool.realloc(slice, size);
      }],
    ],
  };
}

function resizing(name: string, sizes: number[], reach: number): Row {
  const [first, second, third] = sizes;
  const slice = pool.realloc(third);
  return {
    name,
    reach,
    operations: [
      ["new Uint8Array", () => {
        for (let i = 0; i < LOOPS; i++) {
          consumed.value = new Uint8Array(first);
          consumed.value = new Uint8Array(second);
          consumed.value = new Uint8Array(third);
        }
      }],
      ["Buffer.allocUnsafe", () => {
        for (let i = 0; i < LOOPS; i++) {
          consumed.value = Buffer.allocUnsafe(first);
          consumed.value = Buffer.allocUnsafe(second);
          consumed.value = Buffer.allocUnsafe(third);
        }
      }],
      ["bytejson", () => {
        for (let i = 0; i < LOOPS; i++) {
          consumed.value = pool.realloc(slice, first);
          consumed.value = pool.realloc(slice, second);
          consumed.value = pool.realloc(slice, third);
        }
      }],
    ],
  };
}

function slicing(size: number, reach: number): Row {
  const bytes = new Uint8Array(64 * 1024);
  const buffer = Buffer.alloc(64 * 1024);
  return {
    name: `slice of ${size} B`,
    reach,
    operations: [
      ["Uint8Array.subarray", () => {
        for (let i = 0; i < LOOPS; i++) consumed.value = bytes.subarray(i, i + size);
      }],
      ["Buffer.subarray", () => {
        for (let i = 0; i < LOOPS; i++) consumed.value = buffer.subarray(i, i + size);
      }],
      ["bytejson", () => {
        for (let i = 0; i < LOOPS; i++) consumed.value = new Slice(bytes, i, size);
      }],
    ],
  };
}

/** The same with so many alive at a time, the oldest given up for each new one, in a heap that takes tracing. */
function pressed(size: number, reach: number): Row {
  const ballast = Array.from({ length: BALLAST }, (_, i) => ({ i }));
  const arrays: Uint8Array[] = new Array(LIVE).fill(new Uint8Array(0));
  const buffers: Uint8Array[] = new Array(LIVE).fill(new Uint8Array(0));
  const slices = Array.from({ length: LIVE }, () => new Slice());
  let at = 0;
  return {
    name: `allocate ${size} B, ${LIVE} alive`,
    reach,
    operations: [
      ["new Uint8Array", () => {
        for (let i = 0; i < LOOPS; i++) arrays[at = (at + 1) % LIVE] = new Uint8Array(size);
        consumed.value = ballast;
      }],
      ["Buffer.allocUnsafe", () => {
        for (let i = 0; i < LOOPS; i++) buffers[at = (at + 1) % LIVE] = Buffer.allocUnsafe(size);
      }],
      ["bytejson", () => {
        for (let i = 0; i < LOOPS; i++) {
          const slice = slices[at = (at + 1) % LIVE];
          if (slice.byteLength > 0) pool.realloc(slice, 0);
          pool.realloc(slice, size);
        }
      }],
    ],
  };
}

function pressedSlicing(size: number): Row {
  const ballast = Array.from({ length: BALLAST }, (_, i) => ({ i }));
  const bytes = new Uint8Array(64 * 1024);
  const buffer = Buffer.alloc(64 * 1024);
  const views: Uint8Array[] = new Array(LIVE).fill(bytes);
  const slices: Slice[] = new Array(LIVE).fill(new Slice());
  let at = 0;
  return {
    name: `slice of ${size} B, ${LIVE} alive`,
    operations: [
      ["Uint8Array.subarray", () => {
        for (let i = 0; i < LOOPS; i++) views[at = (at + 1) % LIVE] = bytes.subarray(i, i + size);
        consumed.value = ballast;
      }],
      ["Buffer.subarray", () => {
        for (let i = 0; i < LOOPS; i++) views[at = (at + 1) % LIVE] = buffer.subarray(i, i + size);
      }],
      ["bytejson", () => {
        for (let i = 0; i < LOOPS; i++) slices[at = (at + 1) % LIVE] = new Slice(bytes, i, size);
      }],
    ],
  };
}

const ROWS: (() => Row)[] = [
  () => kept(64, 6),
  () => kept(256, 8),
  () => kept(1024, 15),
  () => kept(4096, 70),
  () => allocation(64, 6),
  () => allocation(256, 8),
  () => allocation(1024, 15),
  () => allocation(4096, 70),
  () => slicing(64, 3),
  () => slicing(1024, 3),
  () => resizing("realloc in place, 80 → 100 → 128 B", [80, 100, 128], 5),
  () => resizing("realloc churn, 64 → 128 → 64 B", [64, 128, 64], 3.5),
  () => pressed(64, 6),
  () => pressed(256, 8),
  () => pressed(1024, 15),
  () => pressed(4096, 70),
  () => pressedSlicing(64),
];

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (flags.help) {
  console.log(HELP);
  process.exit();
}

const only = new RegExp(flags.only ?? "");
const rows: OperationRow[] = [];
for (const make of ROWS) {
  const { name, reach, operations } = make();
  if (!only.test(name)) continue;
  rows.push(measureOperations(name, operations, flags.quick ? QUICK : FULL, reach));
}
if (flags.json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else console.log(`${runtimeName()}\n\n${renderOperations(rows)}`);
