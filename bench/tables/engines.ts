/**
 * Tables of engines, in docs/runtimes.md and README.md.
 *
 * @module
 */

import { enginesTable, type PageFigures, shortEnginesTable } from "../support/engine_figures.ts";
import { replaceTable } from "../support/page.ts";
import { edit, quickly, runBench, type Settings } from "./context.ts";

/** Measures by `deno task bench engines`, every Node.js that the settings name. */
export async function writeEngines(settings: Settings): Promise<void> {
  const measure = (...options: string[]): PageFigures[] =>
    (runBench(settings, "engines", [...quickly(settings), ...options]) as { engines: PageFigures[] }).engines;
  const nodes = settings.node.length > 0 ? settings.node : ["node"];
  const engines = [
    ...measure("deno"),
    ...nodes.flatMap((program) => measure("--node", program, "node")),
    ...measure("bun", "chromium", "firefox", "webkit"),
  ];
  await edit(settings, "runtimes.md", (page) => replaceTable(page, "Speed in each engine", enginesTable(engines)));
  await edit(settings, "../README.md", (page) => replaceTable(page, "In each engine", shortEnginesTable(engines)));
}
