/**
 * Tables of docs/allocation.md.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import type { OperationRow } from "../support/operations.ts";
import { replaceTable, type Table } from "../support/page.ts";
import { edit, quickly, runBench, type Settings } from "./context.ts";

/** Row of bench read. */
interface ReadRow {
  runtime: string;
  reader: string;
  peak: number;
  milliseconds: number;
}

/** Measures by bench read. */
export async function writeReaders(settings: Settings): Promise<void> {
  const { size, rows } = runBench(settings, "read_bytes", quickly(settings)) as { size: number; rows: ReadRow[] };
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))];
  const cell = ({ peak, milliseconds }: ReadRow): string =>
    `${formatDecimalBytes(peak)}, ${formatRatio(peak / size)}, ${formatTime(milliseconds)}`;
  const table: Table = {
    header: ["way", ...runtimes],
    rows: [...Map.groupBy(rows, ({ reader }) => reader)].map(([reader, rows]) => [
      reader,
      ...runtimes.map((runtime) => rows.filter((row) => row.runtime === runtime).map(cell).join()),
    ]),
  };
  await edit(settings, "allocation.md", (page) => replaceTable(page, "readBytes", table));
}

/** Lays out operations of the same contestants. */
function operationsTable(rows: OperationRow[], ours: string): Table {
  const names = Object.keys(rows[0].nanoseconds);
  const others = names.slice(0, -1);
  const hasGoal = rows.some(({ goal }) => goal !== undefined);
  return {
    header: ["ns", ...others, ours, ...others.map((name) => `× ${name}`), ...(hasGoal ? ["goal"] : [])],
    rows: rows.map(({ name, nanoseconds, ratios, goal }) => [
      name,
      ...names.map((name) => nanoseconds[name].toFixed(1)),
      ...ratios.map(formatRatio),
      ...(hasGoal ? [goal === undefined ? "" : formatRatio(goal)] : []),
    ]),
  };
}

/** Tables of a bench: their headings, the rows in them, and the name of ours. */
type Tables = [heading: string, rows: RegExp, ours: string][];

async function writeOperations(settings: Settings, bench: string, tables: Tables): Promise<void> {
  const { rows } = runBench(settings, bench, quickly(settings)) as { rows: OperationRow[] };
  await edit(settings, "allocation.md", (page) =>
    tables.reduce(
      (page, [heading, pattern, ours]) =>
        replaceTable(page, heading, operationsTable(rows.filter(({ name }) => pattern.test(name)), ours)),
      page,
    ));
}

/** Measures by bench queue. */
export function writeQueue(settings: Settings): Promise<void> {
  return writeOperations(settings, "queue", [["ChunkQueue", /^/, "ChunkQueue"]]);
}

/** Measures by bench pool. */
export function writePool(settings: Settings): Promise<void> {
  return writeOperations(settings, "pool", [
    ["Slice", /^slice/, "new Slice"],
    ["PoolAllocator", /^(?!slice)/, "PoolAllocator"],
  ]);
}
