/**
 * Results of benches, a file of JSON for each in `bench/results/`. Every table of the documentation
 * is rendered from them, so that each figure has one source.
 *
 * @module
 */

import { resolve } from "node:path";
import type { AllocationResults } from "./allocation.ts";
import type { BundleReport } from "../bundles.ts";
import type { MeasurementResults } from "./background.ts";
import type { EngineResults } from "./engines.ts";
import type { MemoryResults } from "./memory.ts";
import type { PeerReport } from "../peers.ts";
import type { PerformanceResults } from "./performance.ts";
import type { SelectResults } from "./selecting.ts";
import type { LoadHistory, LoadResults } from "./servers.ts";
import type { Stamps } from "./stamps.ts";
import type { LatencyResults, StreamResults } from "./streaming.ts";

/** Results by the name of their file. */
export interface Results extends AllocationResults, PerformanceResults {
  background: MeasurementResults;
  bundles: BundleReport;
  engines: EngineResults;
  http: LoadResults;
  latency: LatencyResults;
  loads: LoadHistory;
  memory: MemoryResults;
  peers: PeerReport;
  select: SelectResults;
  stamps: Stamps;
  stream: StreamResults;
}

/** Names of all results. */
const RESULT_NAMES: (keyof Results)[] = [
  "background",
  "bundles",
  "cli",
  "compare",
  "engines",
  "first-calls",
  "http",
  "latency",
  "loads",
  "memory",
  "no-codegen",
  "parts",
  "peers",
  "pool",
  "queue",
  "read",
  "sample",
  "select",
  "stamps",
  "stream",
  "tools",
  "validate",
];

/** Measurements that users see, each stored in a file of its name. */
export type MeasuredName = Exclude<keyof Results, "background" | "loads" | "stamps">;

/** Names of these measurements. */
export const MEASURED_NAMES: MeasuredName[] = RESULT_NAMES.filter((name): name is MeasuredName => {
  return name !== "background" && name !== "loads" && name !== "stamps";
});

/** Digits that a stored figure has: more than any table shows. */
const DIGITS = 6;

function fileOf(folder: string, name: keyof Results): string {
  return resolve(folder, "bench/results", `${name}.json`);
}

/** Reads the results that a copy of the project has. */
export function readResults(folder: string): Results {
  const entries = RESULT_NAMES.map((name) => [name, JSON.parse(Deno.readTextFileSync(fileOf(folder, name)))]);
  return Object.fromEntries(entries);
}

/** Stores results in a copy of the project, with their figures rounded. */
export function storeResults(folder: string, results: Partial<Results>): void {
  for (const [name, result] of Object.entries(results)) {
    const text = JSON.stringify(result, (_, value) => {
      return typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value;
    }, 2);
    Deno.writeTextFileSync(fileOf(folder, name as keyof Results), `${text}\n`);
  }
}
