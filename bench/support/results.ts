/**
 * Stored results: a file of JSON for each bench in `bench/results/`, with when, where and by what it
 * was measured. Every table of the documentation is rendered from them.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { formatPercent } from "../../measure/number_format.ts";
import { wrapWords } from "./page.ts";

/** Circumstances of a measurement. */
export interface Stamp {
  /** Day on which it ended, such as `2026-11-23`. */
  date: string;
  /** Number and model of the processors. */
  machine: string;
  /** Runtimes with their versions, such as `Node.js 26.10.0`. */
  runtimes: string[];
  /** Seconds that it took. */
  seconds: number;
  /** Mean difference of the same code from itself, before the measurement. */
  self?: number;
}

/** Report of a bench, and its stamp. */
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

/** Returns the stamp of a measurement that ends now. */
export function stampNow({ node, bun }: { node: string; bun: string }, seconds: number, self: number): Stamp {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${processors.length} × ${processors[0].model.trim()}`,
    runtimes: [`Deno ${Deno.version.deno}`, ...versionOf(node, "Node.js"), ...versionOf(bun, "Bun")],
    seconds,
    self,
  };
}

function fileOf(folder: string, name: string): string {
  return resolve(folder, "bench/results", `${name}.json`);
}

/** Formats a value in lines: one for each member of the report, and for each element of its arrays. */
export function formatLines(value: unknown, depth = 0): string {
  const isContainer = typeof value === "object" && value !== null;
  const indent = "  ".repeat(depth + 1);
  if (isContainer && depth < 2 && !Array.isArray(value)) {
    const lines = Object.entries(value).map(([key, member]) => {
      return `${indent}${JSON.stringify(key)}: ${formatLines(member, depth + 1)}`;
    });
    return `{\n${lines.join(",\n")}\n${"  ".repeat(depth)}}`;
  }
  const text = (member: unknown): string =>
    JSON.stringify(member, (_, value) => typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value);
  if (!Array.isArray(value) || value.length === 0) return text(value);
  return `[\n${value.map((element) => indent + text(element)).join(",\n")}\n${"  ".repeat(depth)}]`;
}

/** Reads the result of a bench from a copy of the project; `undefined` if there is none. */
export function readResult(folder: string, name: string): Result | undefined {
  const file = fileOf(folder, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Stores the result of a bench in a copy of the project, with its figures rounded. */
export function storeResult(folder: string, name: string, result: Result): void {
  writeFileSync(fileOf(folder, name), `${formatLines(result)}\n`);
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
