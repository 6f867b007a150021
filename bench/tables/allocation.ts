/**
 * Tables of docs/allocation.md.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import type { OperationRow } from "../support/operations.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/allocation.md";

/** Memory and time of reading a stream, in one runtime each. */
export interface ReaderResults {
  /** Bytes of the stream. */
  size: number;
  rows: { runtime: string; reader: string; peak: number; milliseconds: number }[];
}

/** Times of operations that take nanoseconds. */
export interface OperationResults {
  rows: Pick<OperationRow, "name" | "nanoseconds" | "ratios">[];
}

/** Results that the page shows. */
export interface AllocationResults {
  read: ReaderResults;
  queue: OperationResults;
  pool: OperationResults;
}

/** Measures by bench read. */
export function measureReaders(settings: Settings): ReaderResults {
  const { size, rows } = runBench(settings, "read_bytes", quickly(settings)) as ReaderResults;
  return { size, rows };
}

/** Measures by bench queue or bench pool. */
export function measureOperations(settings: Settings, bench: "queue" | "pool"): OperationResults {
  const { rows } = runBench(settings, bench, quickly(settings)) as OperationResults;
  return { rows: rows.map(({ name, nanoseconds, ratios }) => ({ name, nanoseconds, ratios })) };
}

/** Ways to read that every runtime has, with the words of the page. */
const READERS: Record<string, string> = {
  "readBytes, size known": "`readBytes`, size known",
  "readBytes, size unknown": "`readBytes`, size unknown",
  "arrayBuffer()": "`arrayBuffer()`",
};

function readersTable({ rows }: ReaderResults): Table {
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))];
  return {
    header: ["way", ...runtimes],
    rows: Object.entries(READERS).map(([way, words]) => [
      words,
      ...runtimes.map((runtime) =>
        rows.filter((row) => row.reader === way && row.runtime === runtime)
          .map(({ peak, milliseconds }) => `${formatDecimalBytes(peak)}, ${formatTime(milliseconds)}`).join()
      ),
    ]),
  };
}

/** Operations that the page shows: words, name, our way, and the way that it is compared with. */
const OPERATIONS: [words: string, name: string, ours: string, other: string][] = [
  ["a chunk into a queue and out, 1 waiting", "flowing, 1", "ChunkQueue", "Array of wrappers"],
  ["the same, 100 waiting", "flowing, 100", "ChunkQueue", "Array of wrappers"],
  ["a slice of 64 B", "slice of 64 B", "new Slice", "Uint8Array.subarray"],
  ["allocate 64 B and free", "allocate 64 B and free", "PoolAllocator", "Buffer.allocUnsafe"],
  ["allocate 4096 B and free", "allocate 4096 B and free", "PoolAllocator", "Buffer.allocUnsafe"],
  ["resize 64 → 128 → 64 B", "realloc churn, 64 → 128 → 64 B", "PoolAllocator", "Buffer.allocUnsafe"],
  [
    "ten of 64 B, with a million objects alive",
    "allocate 10 × 64 B and free, much alive",
    "PoolAllocator",
    "Buffer.allocUnsafe",
  ],
];

/** Returns the time of our way, which is the last. */
export function ownTime(nanoseconds: Record<string, number>): number {
  return Object.values(nanoseconds).at(-1)!;
}

function operationsTable(rows: OperationResults["rows"]): Table {
  return {
    header: ["nanoseconds", "by", "", "instead of", "", "ratio"],
    rows: OPERATIONS.map(([words, name, ours, other]) => {
      const { nanoseconds } = rows.find((row) => row.name === name)!;
      const time = ownTime(nanoseconds);
      return [
        words,
        ours,
        time.toFixed(1),
        other,
        nanoseconds[other].toFixed(1),
        formatRatio(nanoseconds[other] / time),
      ];
    }),
  };
}

/** Returns the tables of the page. */
export function allocationTables({ read, queue, pool }: AllocationResults): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "readBytes", content: readersTable(read) },
    { page: PAGE, heading: "Figures", content: operationsTable([...queue.rows, ...pool.rows]) },
  ];
}
