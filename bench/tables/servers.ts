/**
 * Tables of servers under load, in docs/servers.md and two pages of docs/background/.
 *
 * @module
 */

import { bodyTable, publishedTable, runtimeTable, summaryTable } from "../http/report.ts";
import type { LoadRow } from "../http/runs.ts";
import type { MeasuredBlock } from "../support/page.ts";
import { runBench, type Settings } from "./context.ts";

const PAGE = "docs/servers.md";
const LOADS = "docs/background/loads.md";

/** Figures of servers under load. */
export interface LoadResults {
  rows: LoadRow[];
  /** Servers of bodies of 10 MB with eight clients at once. */
  eightClients: LoadRow[];
}

/** Measures by bench http, several times unless in haste. */
export function measureLoads(settings: Settings): LoadResults {
  const measure = (...options: string[]): LoadRow[] => {
    const runs = ["--seconds", "5", "--runs", settings.quick ? "1" : "3"];
    return (runBench(settings, "http/load", [...runs, ...options]) as { rows: LoadRow[] }).rows;
  };
  return { rows: measure(), eightClients: measure("--clients", "8", "--only", "10 MB") };
}

/** Returns the tables of servers. */
export function serverTables({ http: { rows, eightClients } }: { http: LoadResults }): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "Under load", content: summaryTable(rows) },
    { page: LOADS, heading: "Eight clients", content: bodyTable(eightClients) },
    ...[...Map.groupBy(rows, ({ runtime }) => runtime)].flatMap(([runtime, rows]) => [
      { page: LOADS, heading: runtime, content: runtimeTable(rows) },
      { page: "docs/background/measurements.md", heading: `Servers of ${runtime}`, content: publishedTable(rows) },
    ]),
  ];
}
