/**
 * Stored results: a JSON file for each bench in `bench/results/`, with the date, the machine and
 * the runtimes. Every table of the documentation is rendered from them.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { formatPercent } from "../../measure/number_format.ts";
import { digestOf } from "../../tools/programs.ts";
import { wrapWords } from "./markdown_page.ts";
import { outputOf, ROOT } from "./runtimes.ts";

/** Circumstances of a measurement. */
export interface Stamp {
  /** Day on which it ended, such as `2026-11-23`. */
  date: string;
  /** Number and model of the processors. */
  machine: string;
  /** Runtimes with their versions, such as `Node.js 26.10.0`. */
  runtimes: string[];
  /** Short digest of what was measured. */
  build: string;
  seconds: number;
  /** Mean difference between two runs of the same code, before the measurement. */
  self: number;
}

export interface Result {
  stamp: Stamp;
  report: unknown;
}

/** Digits that a stored figure has: more than any table shows. */
const DIGITS = 6;

function versionOf(program: string, name: string): string[] {
  const version = outputOf([program, "--version"]);
  return version === undefined ? [] : [`${name} ${version.replace(/^v/, "")}`];
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

/** Returns a short digest of the modules of the build, if it exists. */
export function buildId(): string {
  const folder = resolve(ROOT, "dist/package");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".js")).sort() : [];
  return digestOf(names.map((name) => resolve(folder, name))).slice(0, 8);
}

function fileOf(folder: string, name: string): string {
  return resolve(folder, "bench/results", `${name}.json`);
}

/** Reads the result of a bench from a copy of the project; `undefined` if there is none. */
export function readResult(folder: string, name: string): Result | undefined {
  const file = fileOf(folder, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Stores the result of a bench in a copy of the project, with its figures rounded. */
export function storeResult(folder: string, name: string, result: Result): void {
  const round = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value;
  writeFileSync(fileOf(folder, name), `${JSON.stringify(result, round)}\n`);
}

/**
 * Describes the date, machine and runtimes of results, with the names of the benches of each
 * machine if there are several. Precondition: all used the same runtimes.
 */
export function describeStamps(results: readonly { name: string; stamp: Stamp }[]): string {
  const machines = [...Map.groupBy(results, ({ stamp }) => stamp.machine)];
  const noise = formatPercent(Math.max(...results.map(({ stamp }) => stamp.self)));
  const runs = machines.map(([machine, ofMachine]) => {
    const dates = ofMachine.map(({ stamp }) => stamp.date).toSorted();
    const days = dates[0] === dates.at(-1) ? `on ${dates[0]}` : `from ${dates[0]} to ${dates.at(-1)}`;
    const names = machines.length === 1 ? "" : `${ofMachine.map(({ name }) => `\`${name}\``).join(", ")} `;
    return `${names}${days}, on ${machine}`;
  });
  return wrapWords(
    `Measured with ${results[0].stamp.runtimes.join(", ")}: ${runs.join("; ")}. The same code differed from itself ` +
      `by at most ${noise} in the mean.`,
  );
}
