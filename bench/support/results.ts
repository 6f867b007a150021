/**
 * Stored results: a file of JSON for each bench in `bench/results/`, with when, where and by what it
 * was measured. Every table of the documentation is rendered from them.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { formatPercent } from "../../measure/number_format.ts";
import { wrapWords } from "./page.ts";
import { ROOT } from "./runtimes.ts";

/** Circumstances of a measurement. */
export interface Stamp {
  /** Day on which it ended, such as `2026-11-23`. */
  date: string;
  /** Number and model of the processors. */
  machine: string;
  /** Runtimes with their versions, such as `Node.js 26.10.0`. */
  runtimes: string[];
  /** Short digest of what was measured. */
  build?: string;
  seconds: number;
  /** Mean difference of the same code from itself, before the measurement. */
  self?: number;
}

export interface Result {
  stamp: Stamp;
  report: unknown;
}

/** Digits that a stored figure has: more than any table shows. */
const DIGITS = 6;

function versionOf(program: string, name: string): string[] {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? [`${name} ${stdout.trim().replace(/^v/, "")}`] : [];
}

export function stampNow({ node, bun }: { node: string; bun: string }, seconds: number, self: number): Stamp {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${processors.length} × ${processors[0].model.trim()}`,
    runtimes: [`Deno ${Deno.version.deno}`, ...versionOf(node, "Node.js"), ...versionOf(bun, "Bun")],
    build: buildId(),
    seconds,
    self,
  };
}

/** Returns a short digest of the modules of the build, or of nothing where there is none. */
export function buildId(): string {
  const hash = createHash("sha256");
  const folder = resolve(ROOT, "dist/package");
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    if (name.endsWith(".js")) hash.update(readFileSync(resolve(folder, name)));
  }
  return hash.digest("hex").slice(0, 8);
}

function fileOf(folder: string, name: string): string {
  return resolve(folder, "bench/results", `${name}.json`);
}

/** Reads the result of a bench from a copy of the project; `undefined` if there is none. */
export function readResult(folder: string, name: string): Result | undefined {
  const file = fileOf(folder, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * Stores the result of a bench in a copy of the project, with its figures rounded. `deno fmt` lays
 * it out.
 */
export function storeResult(folder: string, name: string, result: Result): void {
  const round = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value;
  writeFileSync(fileOf(folder, name), `${JSON.stringify(result, round)}\n`);
}

/** Says when, where and by what results were measured. */
export function describeStamps(stamps: readonly Stamp[]): string {
  const dates = [...new Set(stamps.map(({ date }) => date))].toSorted();
  const distinct = (values: string[]): string => [...new Set(values)].join(", ");
  const days = dates.length === 1 ? `on ${dates[0]}` : `from ${dates[0]} to ${dates.at(-1)}`;
  const runtimes = distinct(stamps.flatMap(({ runtimes }) => runtimes));
  const machines = distinct(stamps.map(({ machine }) => machine));
  const noise = stamps.flatMap(({ self }) => self ?? []);
  const words = noise.length < stamps.length
    ? ""
    : ` The same code differed from itself by at most ${formatPercent(Math.max(...noise))} in the mean.`;
  return wrapWords(`Measured ${days} with ${runtimes}, on ${machines}.${words}`);
}
