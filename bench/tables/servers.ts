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

/** Ways that docs/servers.md shows, and native, which is always measured. */
const SHOWN = ["parseBinary + detach", "parseStream", "native in one call", "readJson"];
/** Ways that the pages of docs/background/ compare, by a pattern of their names. */
const HISTORIC = "^(native|parseBinary|readBytes|parseStream)(?! in one call)";

/** Figures of servers under load. */
export interface LoadResults {
  rows: LoadRow[];
}

/** Figures of servers under load, by all ways that read a body by themselves. */
export interface LoadHistory extends LoadResults {
  /** Servers of bodies of 10 MB with eight clients at once. */
  eightClients: LoadRow[];
}

/** Measures the ways that docs/servers.md shows by bench http, for bodies of 1 KB and more. */
export function measureServers(settings: Settings): LoadResults {
  const ways = `^(${SHOWN.map((way) => RegExp.escape(way)).join("|")})$`;
  return { rows: measureRows(settings, 1, "--ways", ways, "--only", " [0-9]+ [KM]B$") };
}

/** Measures by bench http what the pages of docs/background/ show, three times unless in haste. */
export function measureLoads(settings: Settings): LoadHistory {
  const runs = settings.quick ? 1 : 3;
  return {
    rows: measureRows(settings, runs, "--ways", HISTORIC, "--only", " (1 B|100 KB|[0-9]+ MB)$"),
    eightClients: measureRows(settings, runs, "--ways", HISTORIC, "--only", "10 MB", "--clients", "8"),
  };
}

function measureRows(settings: Settings, runs: number, ...options: string[]): LoadRow[] {
  const all = ["--seconds", "5", "--runs", String(runs), ...options];
  return (runBench(settings, "http/load", all) as LoadResults).rows;
}

/** Returns the tables of servers. */
export function serverTables(results: { http: LoadResults; loads: LoadHistory }): MeasuredBlock[] {
  const { http, loads: { rows, eightClients } } = results;
  return [
    { page: PAGE, heading: "Under load", content: summaryTable(http.rows) },
    { page: LOADS, heading: "Eight clients", content: bodyTable(eightClients) },
    ...[...Map.groupBy(rows, ({ runtime }) => runtime)].flatMap(([runtime, rows]) => [
      { page: LOADS, heading: runtime, content: runtimeTable(rows) },
      { page: "docs/background/measurements.md", heading: `Servers of ${runtime}`, content: publishedTable(rows) },
    ]),
  ];
}
