/**
 * Operations of PoolAllocator and Slice beside those of typed arrays and of buffers of Node.js,
 * with what @nxtedition/slice has published.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { PoolAllocator } from "../../pool_allocator.ts";
import { Slice } from "../../slice.ts";
import { loop, type Operation } from "./operations.ts";

/**
 * Number of live buffers under garbage-collection pressure: enough to outlive the young generation.
 */
const LIVE = 4096;
/** Number of other live objects, which the collector has to trace. */
const BALLAST = 1e6;

const pool = new PoolAllocator(64 * 2 ** 20);

/** Operation of several contestants. */
export interface PoolRow {
  name: string;
  /** Ratio that ours is meant to reach, to the contestant before it. */
  goal: number;
  /** Published nanoseconds of `Buffer` and of the pool or the slice. */
  published?: [buffer: number, ours: number];
  /** Creates the contestants, ours last, `Buffer` before it. */
  operations(): Operation[];
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

/** Allocates by statements of ours, for a slice of our own. */
function allocating(name: string, sizes: number[], goal: number, statements: string): PoolRow {
  return {
    name,
    goal,
    operations: () => [
      ...others(sizes),
      ["bytejson", loop(statements, { pool, slice: pool.realloc(sizes.at(-1)!) })],
    ],
  };
}

/** Allocates again for the same slice, as for a slice that is reused. */
function kept(size: number, goal: number): PoolRow {
  const statements = `consumed.value = pool.realloc(slice, ${size});`;
  return allocating(`allocate ${size} B, slice kept`, [size], goal, statements);
}

/** Allocates and frees in turn. */
function cycle(size: number, goal: number): PoolRow {
  const statements = `consumed.value = pool.realloc(slice, ${size}); pool.realloc(slice, 0);`;
  return allocating(`allocate ${size} B and free`, [size], goal, statements);
}

/** Reallocates one slice from size to size. */
function resizing(name: string, sizes: number[], goal: number): PoolRow {
  const statements = sizes.map((size) => `consumed.value = pool.realloc(slice, ${size});`).join(" ");
  return allocating(name, sizes, goal, statements);
}

/** Allocates several times, then frees all; under garbage-collection pressure if asked to. */
function concurrent(size: number, goal: number, isPressed: boolean): PoolRow {
  const make = isPressed ? pressedLoop : loop;
  const inTurn = `for (let place = 0; place < ${CONCURRENT}; place++)`;
  return {
    name: `allocate ${CONCURRENT} × ${size} B and free${isPressed ? ", much alive" : ""}`,
    goal,
    operations() {
      const others = ["new Uint8Array", "Buffer.allocUnsafe"].map((way): Operation => {
        return [
          way,
          make(`${inTurn} list[place] = ${way}(${size}); ${inTurn} list[place] = undefined;`, {
            Buffer,
            list: new Array(CONCURRENT).fill(undefined),
          }),
        ];
      });
      const list = Array.from({ length: CONCURRENT }, () => new Slice());
      const statements = `${inTurn} pool.realloc(list[place], ${size}); ${inTurn} pool.realloc(list[place], 0);`;
      return [...others, ["bytejson", make(statements, { pool, list })]];
    },
  };
}

/** Creates views of one buffer, by statements that end with each way's expression. */
function views(name: string, size: number, goal: number, isPressed: boolean): PoolRow {
  const make = isPressed ? pressedLoop : loop;
  const target = isPressed ? "alive[at]" : "consumed.value";
  return {
    name,
    goal,
    operations() {
      const bytes = new Uint8Array(64 * 1024);
      const buffer = Buffer.alloc(64 * 1024);
      const alive = (): unknown[] => new Array(LIVE).fill(undefined);
      return [
        ["Uint8Array.subarray", make(`${target} = bytes.subarray(i, i + ${size});`, { bytes, alive: alive() })],
        ["Buffer.subarray", make(`${target} = buffer.subarray(i, i + ${size});`, { buffer, alive: alive() })],
        ["bytejson", make(`${target} = new Slice(bytes, i, ${size});`, { Slice, bytes, alive: alive() })],
      ];
    },
  };
}

let ballast: object[] | undefined;

/**
 * Creates a loop in a heap with much to trace. Its statements may keep results alive, in the place
 * `at` of {@linkcode LIVE}.
 */
function pressedLoop(statements: string, scope: Record<string, unknown>): () => void {
  ballast ??= Array.from({ length: BALLAST }, (_, i) => ({ i }));
  const state = { at: 0 };
  return loop(`const at = state.at = state.at + 1 & ${LIVE - 1}; ${statements}`, { state, ...scope });
}

/** Reallocation of a live slice that keeps its slot. */
const KEPT = { name: "slices kept", statements: (size: number) => `pool.realloc(alive[at], ${size});` };
/** Reallocation of a live slice that is freed first. */
const FREED = {
  name: "freed first",
  statements: (size: number) => `pool.realloc(alive[at], 0); pool.realloc(alive[at], ${size});`,
};

/** Allocates under garbage-collection pressure. */
function pressed(size: number, goal: number, { name, statements }: typeof KEPT): PoolRow {
  return {
    name: `allocate ${size} B, ${LIVE} alive, ${name}`,
    goal,
    operations() {
      const alive = (): unknown[] => new Array(LIVE).fill(undefined);
      const slices = Array.from({ length: LIVE }, () => pool.realloc(size));
      return [
        ["new Uint8Array", pressedLoop(`alive[at] = new Uint8Array(${size});`, { alive: alive() })],
        ["Buffer.allocUnsafe", pressedLoop(`alive[at] = Buffer.allocUnsafe(${size});`, { alive: alive(), Buffer })],
        ["bytejson", pressedLoop(statements(size), { alive: slices, pool })],
      ];
    },
  };
}

/** Rows in a heap that holds little else. */
export const POOL_ROWS: PoolRow[] = [
  { ...kept(64, 6), published: [38.08, 5.66] },
  { ...kept(256, 8), published: [52.09, 5.90] },
  { ...kept(1024, 15), published: [91.24, 5.83] },
  { ...kept(4096, 70), published: [446.53, 6.24] },
  { ...cycle(64, 6), published: [32.72, 30.80] },
  { ...cycle(256, 8), published: [58.88, 29.38] },
  cycle(1024, 15),
  cycle(4096, 70),
  { ...concurrent(64, 1.2, false), published: [406.26, 337.83] },
  { ...views("slice of 64 B", 64, 3, false), published: [38.11, 12.99] },
  { ...views("slice of 1024 B", 1024, 3, false), published: [36.87, 13.26] },
  { ...resizing("realloc in place, 80 → 100 → 128 B", [80, 100, 128], 5), published: [60.16, 11.06] },
  { ...resizing("realloc churn, 64 → 128 → 64 B", [64, 128, 64], 3.5), published: [93.63, 26.99] },
];

/** Rows under garbage-collection pressure. Once one of them has contestants, its ballast stays. */
export const PRESSED_POOL_ROWS: PoolRow[] = [
  { ...pressed(64, 6, KEPT), published: [400.46, 6.33] },
  { ...pressed(256, 8, KEPT), published: [309.57, 6.35] },
  pressed(1024, 15, KEPT),
  { ...pressed(4096, 70, KEPT), published: [653.40, 6.32] },
  { ...pressed(64, 6, FREED), published: [273.35, 73.34] },
  pressed(256, 8, FREED),
  pressed(1024, 15, FREED),
  pressed(4096, 70, FREED),
  { ...concurrent(64, 1, true), published: [647.95, 649.73] },
  { ...views(`slice of 64 B, ${LIVE} alive`, 64, 3, true), published: [127.30, 81.60] },
];
