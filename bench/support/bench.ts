/**
 * Benches: what each measures, shows on screen, and puts into pages. Runs in any runtime: Node.js
 * and Bun ignore import maps.
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { type Effort, effortOf } from "./lane.ts";
import type { MeasuredBlock, Quote, Table } from "./page.ts";

/** Options that every bench takes, and its own. */
export interface BenchOptions {
  /** Pattern of the names of rows to measure. */
  only: RegExp;
  isQuick: boolean;
  effort: Effort;
  /** Files to measure in place of the bench's own documents. */
  paths: string[];
  /** Programs of Node.js and Bun. */
  node: string;
  bun: string;
  /** Returns whether a switch of the bench is set. */
  has(name: string): boolean;
  /** Returns the value of an option of the bench, a number from `least` up. */
  number(name: string, byDefault: number, least?: number): number;
}

/** Bench, with what its report becomes. */
export interface Bench<Report = unknown> {
  /** What the bench measures, for its help. */
  help: string;
  /** Own options without a value, with their lines of the help. */
  switches?: Record<string, string>;
  /** Own options with a number as their value. */
  numbers?: Record<string, string>;
  takesFiles?: boolean;
  /** Whether `deno task bench tables` leaves it out, since no page shows its figures. */
  isUnpublished?: boolean;
  /** Options of the run whose report pages show. */
  published?: string[];
  measure(options: BenchOptions): Report | Promise<Report>;
  tables(report: Report): Table[];
  /** Returns the tables and charts of pages. */
  blocks?(report: Report): MeasuredBlock[];
  quotes?(report: Report): Quote[];
}

const SHARED_HELP: Record<string, string> = {
  "only REGEX": "measure rows whose name matches",
  "quick": "do less work, to try the command",
  "node PATH": "program of Node.js (default: node)",
  "bun PATH": "program of Bun (default: bun)",
  "json": "print one JSON object on standard output",
};

export function helpOf(name: string, bench: Bench): string {
  const { help, switches = {}, numbers = {}, takesFiles } = bench;
  const own = Object.entries(numbers).map(([option, words]) => [`${option} N`, words]);
  const lines = [...own, ...Object.entries(switches), ...Object.entries(SHARED_HELP)].map(([option, words]) => {
    return `  --${option.padEnd(14)}  ${words}`;
  });
  const usage = `deno task bench ${name} [options]${takesFiles ? " [FILE…]" : ""}`;
  return [usage, help, lines.join("\n")].join("\n\n");
}

/** Prints an error of the command line and ends the process. */
export function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

/** Replaces the current line of a terminal; prints nothing elsewhere. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** Parses a number from `least` up; throws if it is none. */
function toNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value < Infinity) return value;
  throw new RangeError(`--${name} takes a number from ${least} up, not '${text}'`);
}

/** Reads the command line of a bench. Throws if it is wrong. */
export function readOptions(
  { switches = {}, numbers = {}, takesFiles = false }: Bench,
  args: string[],
): BenchOptions & { json: boolean; help: boolean } {
  const flag = { type: "boolean", default: false } as const;
  const text = (byDefault: string) => ({ type: "string", default: byDefault }) as const;
  const own = [
    ...Object.keys(switches).map((name) => [name, flag]),
    ...Object.keys(numbers).map((name) => [name, { type: "string" }]),
  ];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: takesFiles,
    options: {
      ...Object.fromEntries(own) as Record<string, { type: "string" | "boolean" }>,
      only: text(""),
      node: text("node"),
      bun: text("bun"),
      quick: flag,
      json: flag,
      help: flag,
    },
  });
  const ownValues = values as Record<string, string | boolean | undefined>;
  return {
    only: new RegExp(values.only),
    isQuick: values.quick,
    effort: effortOf(values.quick),
    paths: positionals,
    node: values.node,
    bun: values.bun,
    json: values.json,
    help: values.help,
    has: (name) => ownValues[name] === true,
    number(name, byDefault, least = Number.MIN_VALUE) {
      const value = ownValues[name];
      return value === undefined ? byDefault : toNumber(name, String(value), least);
    },
  };
}
