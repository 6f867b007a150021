/**
 * Tables of servers under load, in docs/servers.md and docs/measurements.md.
 *
 * @module
 */

import { bodyTable, publishedTable, runtimeTable, summaryTable } from "../http/report.ts";
import type { LoadRow } from "../http/runs.ts";
import { replaceTable } from "../support/page.ts";
import { edit, runBench, type Settings } from "./context.ts";

/** Runs bench http, several times unless in haste. */
function measure(settings: Settings, options: string[]): LoadRow[] {
  const runs = ["--seconds", "5", "--runs", settings.quick ? "1" : "3"];
  return (runBench(settings, "http/load", [...runs, ...options]) as { rows: LoadRow[] }).rows;
}

/** Measures by bench http. */
export async function writeLoads(settings: Settings): Promise<void> {
  const rows = measure(settings, []);
  const eightClients = measure(settings, ["--clients", "8", "--only", "10 MB"]);
  const byRuntime = [...Map.groupBy(rows, ({ runtime }) => runtime)];
  await edit(settings, "servers.md", (page) =>
    byRuntime.reduce(
      (page, [runtime, rows]) => replaceTable(page, runtime, runtimeTable(rows)),
      replaceTable(
        replaceTable(page, "Under load", summaryTable(rows)),
        "Eight clients",
        bodyTable(eightClients),
      ),
    ));
  await edit(settings, "measurements.md", (page) =>
    byRuntime.reduce(
      (page, [runtime, rows]) => replaceTable(page, `Servers of ${runtime}`, publishedTable(rows)),
      page,
    ));
}
