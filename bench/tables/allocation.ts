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

function readersTable({ size, rows }: ReaderResults): Table {
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))];
  const cell = ({ peak, milliseconds }: ReaderResults["rows"][number]): string =>
    `${formatDecimalBytes(peak)}, ${formatRatio(peak / size)}, ${formatTime(milliseconds)}`;
  return {
    header: ["way", ...runtimes],
    rows: [...Map.groupBy(rows, ({ reader }) => reader)].map(([reader, rows]) => [
      reader,
      ...runtimes.map((runtime) => rows.filter((row) => row.runtime === runtime).map(cell).join()),
    ]),
  };
}

/** Lays out operations of the same contestants. */
function operationsTable(rows: OperationResults["rows"], ours: string): Table {
  const names = Object.keys(rows[0].nanoseconds);
  const others = names.slice(0, -1);
  return {
    header: ["ns", ...others, ours, ...others.map((name) => `× ${name}`)],
    rows: rows.map(({ name, nanoseconds, ratios }) => [
      name,
      ...names.map((name) => nanoseconds[name].toFixed(1)),
      ...ratios.map(formatRatio),
    ]),
  };
}

/** Operations of the pool that the page shows: small and large slices, and those that grow. */
const SHOWN_OPERATIONS = /\b(64|4096) B\b|realloc/;

/** Returns the tables of the page. */
export function allocationTables({ read, queue, pool }: AllocationResults): MeasuredBlock[] {
  const isSlice = ({ name }: { name: string }): boolean => name.startsWith("slice");
  return [
    { page: PAGE, heading: "readBytes", content: readersTable(read) },
    { page: PAGE, heading: "ChunkQueue", content: operationsTable(queue.rows, "ChunkQueue") },
    { page: PAGE, heading: "Slice", content: operationsTable(pool.rows.filter(isSlice), "new Slice") },
    {
      page: PAGE,
      heading: "PoolAllocator",
      content: operationsTable(
        pool.rows.filter((row) => !isSlice(row) && SHOWN_OPERATIONS.test(row.name)),
        "PoolAllocator",
      ),
    },
  ];
}
