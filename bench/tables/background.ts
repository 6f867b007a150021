/**
 * Tables of docs/background/measurements.md that bench background measures.
 *
 * @module
 */

import { MEASUREMENTS } from "../background/measurements.ts";
import { claimRows, type Figures, type Result, resultOf, tableOf } from "../background/report.ts";
import type { MeasuredBlock } from "../support/page.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/background/measurements.md";

/** Figures of each measurement, by its name. */
export type MeasurementResults = Record<string, { runtimes: string[]; lanes: Record<string, Figures> }>;

/** Measures by bench background. Returns the results with those of one measurement replaced. */
export function measurePublished(settings: Settings, name: string, results: MeasurementResults): MeasurementResults {
  const { node, bun } = settings;
  const programs = [...node.flatMap((path) => ["--node", path]), ...bun.flatMap((path) => ["--bun", path])];
  const options = ["--only", `^${name}$`, ...programs, ...quickly(settings)];
  const measured = runBench(settings, "background", options) as { runtimes: string[]; results: Result[] };
  const [result] = measured.results;
  if (result === undefined) return results; // it cannot be measured here
  const lanes = Object.fromEntries(result.lanes.map(({ lane, runtimes }) => [lane, runtimes]));
  return { ...results, [name]: { runtimes: measured.runtimes, lanes } };
}

/** Returns the tables of the page, but for those of servers. */
export function backgroundTables({ background }: { background: MeasurementResults }): MeasuredBlock[] {
  const all = MEASUREMENTS.map((measurement) => {
    const { runtimes, lanes } = background[measurement.name];
    return { measurement, runtimes, result: resultOf(measurement, lanes) };
  });
  const names = [...new Set(all.flatMap(({ runtimes }) => runtimes))];
  const claims = {
    header: ["claim", "published", ...names],
    rows: all.flatMap(({ measurement, result }) => claimRows(measurement, result, names)),
  };
  return [
    { page: PAGE, heading: "In short", content: claims },
    ...all.map(({ measurement, runtimes, result }) => ({
      page: PAGE,
      heading: measurement.section,
      content: tableOf(measurement, result, runtimes),
    })),
  ];
}
