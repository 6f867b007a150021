/**
 * Tables of servers under load, in docs/servers.md and docs/measurements.md.
 *
 * @module
 */

import { publishedTable, runtimeTable, summaryTable } from "../http/report.ts";
import type { LoadRow } from "../http/runs.ts";
import { replaceTable } from "../support/page.ts";
import { edit, runBench, type Settings } from "./context.ts";

/** Measures by bench:http. */
export async function writeLoads(settings: Settings): Promise<void> {
  const { rows } = runBench(settings, "http/load", ["--seconds", "5", "--runs", settings.quick ? "1" : "3"]) as {
    rows: LoadRow[];
  };
  const byRuntime = [...Map.groupBy(rows, ({ runtime }) => runtime)];
  await edit(settings, "servers.md", (page) =>
    byRuntime.reduce(
      (page, [runtime, rows]) => replaceTable(page, runtime, runtimeTable(rows)),
      replaceTable(page, "Under load", summaryTable(rows)),
    ));
  await edit(settings, "measurements.md", (page) =>
    byRuntime.reduce(
      (page, [runtime, rows]) => replaceTable(page, `Servers of ${runtime}`, publishedTable(rows)),
      page,
    ));
}
