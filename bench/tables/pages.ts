/**
 * Measured blocks of every page, rendered from the stored results.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { renderChart } from "../support/chart.ts";
import { type MeasuredBlock, replaceBlock, replaceChart, replaceTable } from "../support/page.ts";
import { allocationTables } from "./allocation.ts";
import { backgroundTables } from "./background.ts";
import { bundleTables } from "./bundles.ts";
import { ROOT } from "./context.ts";
import { engineTables } from "./engines.ts";
import { memoryTables } from "./memory.ts";
import { peerTables } from "./peers.ts";
import { performanceTables } from "./performance.ts";
import { MEASURED_NAMES, type Results } from "./results.ts";
import { selectTables } from "./selecting.ts";
import { serverTables } from "./servers.ts";
import { stampBlocks } from "./stamps.ts";
import { streamingTables } from "./streaming.ts";

/** Returns the measured blocks of every page. */
export function measuredBlocks(results: Results): MeasuredBlock[] {
  return [
    ...performanceTables(results),
    ...engineTables(results),
    ...memoryTables(results),
    ...serverTables(results),
    ...streamingTables(results),
    ...selectTables(results),
    ...allocationTables(results),
    ...backgroundTables(results),
    ...peerTables(results),
    ...bundleTables(results),
    ...stampBlocks(results, MEASURED_NAMES),
  ];
}

/** Writes the measured blocks into the pages of a copy of the project. */
export function writePages(folder: string, results: Results): void {
  const pages = Map.groupBy(measuredBlocks(results), ({ page }) => page);
  for (const [page, blocks] of pages) {
    const path = resolve(folder, page);
    const text = blocks.reduce(
      (text, { heading, content }) =>
        typeof content === "string"
          ? replaceBlock(text, heading, content)
          : "bars" in content
          ? replaceChart(text, heading, content)
          : replaceTable(text, heading, content),
      Deno.readTextFileSync(path),
    );
    Deno.writeTextFileSync(path, text);
    for (const { content } of blocks) {
      if (typeof content !== "object" || !("bars" in content)) continue;
      Deno.writeTextFileSync(resolve(folder, `docs/charts/${content.name}.svg`), renderChart(content));
    }
  }
  format([...pages.keys()].map((page) => resolve(folder, page)));
}

/** Formats files as the project does. */
function format(paths: string[]): void {
  const args = ["fmt", "--quiet", "--config", resolve(ROOT, "deno.json"), ...paths];
  if (spawnSync(Deno.execPath(), args, { stdio: "inherit" }).status !== 0) {
    throw new Error(`Cannot format ${paths.join(", ")}`);
  }
}
