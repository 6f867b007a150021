/**
 * Dates, machines and runtimes of the stored results.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { type MeasuredBlock, wrapWords } from "../support/page.ts";
import type { Settings } from "./context.ts";

/** Circumstances of a measurement. */
export interface Stamp {
  /** Day on which it ended, such as `2026-11-23`. */
  date: string;
  /** Number and model of the processors. Results from before they were noted have none. */
  machine?: string;
  /** Runtimes with their versions, such as `Node.js 26.10.0`. */
  runtimes?: string[];
  /** Time in UTC at which it ended. */
  time?: string;
  /** Seconds that it took. */
  seconds?: number;
}

/** Stamps by the name of the measurement. */
export type Stamps = Record<string, Stamp>;

/** Hours for which `--resume` counts a measurement as one of the same run. */
const RUN_HOURS = 12;

function versionOf(program: string, name: string): string[] {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? [`${name} ${stdout.trim().replace(/^v/, "")}`] : [];
}

/** Machine and runtimes of a run. */
export type Circumstances = Required<Pick<Stamp, "machine" | "runtimes">>;

/** Returns the machine and the runtimes that measurements use. */
export function circumstancesOf({ node, bun }: Settings): Circumstances {
  const processors = cpus();
  return {
    machine: `${processors.length} × ${processors[0].model.trim()}`,
    runtimes: [
      `Deno ${Deno.version.deno}`,
      ...versionOf(node[0] ?? "node", "Node.js"),
      ...versionOf(bun[0] ?? "bun", "Bun"),
    ],
  };
}

/** Returns the stamp of a measurement that ends now. */
export function stampOf(circumstances: Circumstances, seconds: number, now: Date = new Date()): Stamp {
  const time = now.toISOString();
  return { date: time.slice(0, 10), ...circumstances, time, seconds };
}

/** Returns whether a measurement belongs to the run that goes on: recent, by the same runtimes. */
export function isOfThisRun(stamp: Stamp | undefined, circumstances: Circumstances, now: Date = new Date()): boolean {
  if (stamp?.time === undefined) return false;
  const isRecent = now.getTime() - Date.parse(stamp.time) < RUN_HOURS * 3_600_000;
  const { machine, runtimes } = circumstances;
  return isRecent && stamp.machine === machine && String(stamp.runtimes) === String(runtimes);
}

/** Says when, where and by what the figures for users were measured. */
export function describeStamps(stamps: Stamp[]): string {
  const dates = [...new Set(stamps.map(({ date }) => date))].toSorted();
  const distinct = (values: string[]): string => [...new Set(values)].join(", ");
  const machines = distinct(stamps.flatMap(({ machine }) => machine ?? []));
  const runtimes = distinct(stamps.flatMap(({ runtimes }) => runtimes ?? []));
  const days = dates.length === 1 ? `on ${dates[0]}` : `from ${dates[0]} to ${dates.at(-1)}`;
  return wrapWords(
    `Measured ${days}${runtimes === "" ? "" : ` with ${runtimes}`}${machines === "" ? "" : `, on ${machines}`}.`,
  );
}

/** Returns the sentence of docs/performance.md. `names` are those of measurements for users. */
export function stampBlocks({ stamps }: { stamps: Stamps }, names: readonly string[]): MeasuredBlock[] {
  const shown = names.map((name) => stamps[name]);
  return [{ page: "docs/performance.md", heading: "Reading the tables", content: describeStamps(shown) }];
}
