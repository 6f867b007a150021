/** Bench of builds beside each other: what a change of sources or of the build costs. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { formatRatio } from "../measure/number_format.ts";
import { geometricMean, median } from "../measure/statistics.ts";
import { type BuildOperation, LOADS, type measureBuild, OPERATIONS } from "./processes/builds.ts";
import { type Bench, showProgress } from "./support/bench.ts";
import { takeTurns } from "./support/lane.ts";
import { callInProcess, ROOT, type Runtime, THIS_RUNTIME, USES_BUILD } from "./support/runtimes.ts";

/** Processes for each build and operation. */
const PROCESSES = 7;
const LOAD_PROCESSES = 15;

interface Comparison {
  operation: BuildOperation;
  /**
   * For each build, the figures of its processes: milliseconds of each document, or import and
   * first call.
   */
  processes: number[][][];
}

/**
 * Returns the command of a runtime that runs a build: with its own `#constructors`, in Deno by its
 * deno.json.
 */
function runtimeFor(folder: string, node: string | undefined): Runtime {
  if (node !== undefined) return { name: "Node.js", command: [node, "--disable-warning=ExperimentalWarning"] };
  const config = join(folder, "deno.json");
  const options = ["run", "--quiet", "--no-lock", "--no-check", "--allow-all"];
  return { name: "Deno", command: [THIS_RUNTIME.command[0], ...options, ...existsSync(config) ? ["-c", config] : []] };
}

/**
 * Returns the speed of a build over that of the first: the mean over documents, of the best times
 * of all processes.
 */
function speedOf({ processes }: Comparison, build: number): number {
  const best = (index: number): number[] =>
    processes[index][0].map((_, document) => Math.min(...processes[index].map((figures) => figures[document])));
  const ours = best(build);
  return geometricMean(best(0).map((milliseconds, document) => milliseconds / ours[document]));
}

export const bench: Bench<{ folders: string[]; comparisons: Comparison[] }> = {
  help: `Compares the build in dist/package with others, or with trees of sources: FOLDER is the first, and the
reference. Each is measured in processes of its own, which take turns; figures are ratios of the best times
of each document, in the mean over documents, and milliseconds of an import and of the first call. The same
folder given twice shows the noise.`,
  takesFiles: true,
  isUnpublished: true,
  options: { "in-node": "measure in Node.js in place of Deno" },
  async measure({ paths, isQuick, only, node, has }) {
    if (paths.length === 0) throw new Error("Cannot compare: name the folder of a build");
    const folders = [...paths.map((path) => resolve(path)), USES_BUILD ? join(ROOT, "dist/package") : ROOT];
    const comparisons: Comparison[] = [];
    const operations = [...OPERATIONS, ...Object.keys(LOADS) as (keyof typeof LOADS)[]];
    for (const operation of operations.filter((operation) => only.test(operation))) {
      const processes: number[][][] = folders.map(() => []);
      const isLoad = operation in LOADS;
      const turns = isQuick ? 1 : isLoad ? LOAD_PROCESSES : PROCESSES;
      await takeTurns([...folders.keys()], turns, (index) => {
        showProgress(`${operation}, ${folders[index]}`);
        const runtime = runtimeFor(folders[index], has("in-node") ? node : undefined);
        const args: Parameters<typeof measureBuild> = [folders[index], operation, isQuick];
        const measure = callInProcess<typeof measureBuild>;
        processes[index].push(measure("processes/builds.ts", "measureBuild", args, { runtime }));
      });
      comparisons.push({ operation, processes });
    }
    return { folders, comparisons };
  },
  tables({ folders, comparisons }) {
    const rows = comparisons.map((comparison) => {
      const cells = folders.map((_, index) => {
        if (!(comparison.operation in LOADS)) return formatRatio(speedOf(comparison, index));
        const [load, call] = [0, 1].map((part) => median(comparison.processes[index].map((figures) => figures[part])));
        return `${load.toFixed(1)} + ${call.toFixed(2)} ms`;
      });
      return [comparison.operation, ...cells];
    });
    return [{ header: ["operation", ...folders], rows }];
  },
};
