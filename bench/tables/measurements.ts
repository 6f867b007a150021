/**
 * Tables of docs/measurements.md.
 *
 * @module
 */

import { MEASUREMENTS } from "../seeds/measurements.ts";
import { claimRows, type Result, tableOf } from "../seeds/report.ts";
import { readTable, replaceTable } from "../support/page.ts";
import { edit, quickly, runBench, type Settings } from "./context.ts";

const CLAIMS_HEADING = "In short";

/** Replaces the rows of claims that have been measured, and keeps the others. */
function withClaims(page: string, runtimes: string[], measured: string[][]): string {
  const old = readTable(page, CLAIMS_HEADING);
  const header = ["claim", "published", ...runtimes];
  const kept = old.header.join() === header.join() ? old.rows : [];
  const known = [...measured, ...kept];
  const claims = MEASUREMENTS.flatMap(({ claims = [] }) => claims.map(({ claim }) => claim));
  const rows = claims.map((claim) => known.find(([first]) => first === claim) ?? header.map((_, i) => i ? "" : claim));
  return replaceTable(page, CLAIMS_HEADING, { header, rows });
}

/** Measures by bench seeds. */
export async function writeMeasurement(settings: Settings, name: string): Promise<void> {
  const { node, bun } = settings;
  const programs = [...node.flatMap((path) => ["--node", path]), ...bun.flatMap((path) => ["--bun", path])];
  const options = ["--only", `^${name}$`, ...programs, ...quickly(settings)];
  const { runtimes, results } = runBench(settings, "seeds", options) as { runtimes: string[]; results: Result[] };
  const measurement = MEASUREMENTS.find((measurement) => measurement.name === name)!;
  for (const result of results) { // none, if the measurement was left out
    await edit(settings, "measurements.md", (page) => {
      const written = replaceTable(page, measurement.section, tableOf(measurement, result, runtimes));
      return withClaims(written, runtimes, claimRows(measurement, result, runtimes));
    });
  }
}
