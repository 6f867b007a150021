/**
 * Chart of engines in docs/runtimes.md, and their table in docs/background/profiles.md.
 *
 * @module
 */

import { type EngineFigures, enginesTable, type PageFigures, toEngineFigures } from "../support/engine_figures.ts";
import type { Chart } from "../support/chart.ts";
import type { MeasuredBlock } from "../support/page.ts";
import { quickly, runBench, type Settings } from "./context.ts";
import type { ComparisonResults } from "./performance.ts";

/** Figures of each engine. */
export interface EngineResults {
  /** First call in Deno, whose other figures are those of `deno task bench compare`. */
  firstCallInDeno: number;
  engines: EngineFigures[];
}

/** One document, for runs that measure only the first call. */
const NEXT_TO_NOTHING = ["--only", "^payload/1 B$"];

/** Groups that every engine measures. */
const GROUPS = ["--only", "^(corpus|payload|failure)/"];

/** Measures by `deno task bench engines`, every Node.js that the settings name. */
export function measureEngines(settings: Settings): EngineResults {
  const measure = (...options: string[]): PageFigures[] =>
    (runBench(settings, "engines", [...quickly(settings), ...options]) as { engines: PageFigures[] }).engines;
  const nodes = settings.node.length > 0 ? settings.node : ["node"];
  const [{ firstCall }] = measure(...NEXT_TO_NOTHING, "deno");
  const engines = [
    ...nodes.flatMap((program) => measure(...GROUPS, "--node", program, "node")),
    ...measure(...GROUPS, "bun", "chromium", "firefox", "webkit"),
  ];
  return { firstCallInDeno: firstCall, engines: engines.map(toEngineFigures) };
}

function enginesChart(engines: EngineFigures[]): Chart {
  const bars = engines.flatMap(({ name, corpus }) => corpus ? [{ label: name, ratio: corpus.geometricMean }] : []);
  return {
    name: "speed-engines",
    title: "Speed of parseBinary over native's in each engine",
    sides: ["slower than native", "faster than native"],
    better: "above",
    bars: bars.toSorted((a, b) => b.ratio - a.ratio),
  };
}

/** Returns the chart of engines, and the table of all their figures. */
export function engineTables(results: { engines: EngineResults; compare: ComparisonResults }): MeasuredBlock[] {
  const { engines: { firstCallInDeno, engines }, compare: { runtime, documents, groups } } = results;
  const deno = toEngineFigures({ name: runtime, rows: documents, groups, firstCall: firstCallInDeno });
  const all = [deno, ...engines];
  return [
    { page: "docs/runtimes.md", heading: "Speed in each engine", content: enginesChart(all) },
    { page: "docs/background/profiles.md", heading: "Speed in each engine", content: enginesTable(all) },
  ];
}
