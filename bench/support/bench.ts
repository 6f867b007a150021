/**
 * Interface of benches: measurements, output on screen, and content of pages. Imports nothing by an
 * import map, since Node.js and Bun ignore them.
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { type Effort, effortOf } from "./bench_lanes.ts";
import type { MeasuredBlock, Quote, Table } from "./markdown_page.ts";

export interface BenchOptions {
  /** Pattern of the names of rows to measure. */
  only: RegExp;
  isQuick: boolean;
  effort: Effort;
  /** Files to measure in place of the bench's own documents. */
  paths: string[];
  node: string;
  bun: string;
  /** Returns whether a switch of the bench is set. */
  has(name: string): boolean;
  /** Returns the value of an option of the bench; `undefined` if it is not given. */
  text(name: string): string | undefined;
  /** Returns the value of an option of the bench, a number from `minimum` up. */
  number(name: string, byDefault: number, minimum?: number): number;
}

/** Bench, with functions that render its report. */
export interface Bench<Report = unknown> {
  help: string;
  /** Own options, with their help. Names followed by a word take a value. */
  options?: Record<string, string>;
  takesFiles?: boolean;
  /** Whether no page shows its figures, so that `deno task bench tables` leaves it out. */
  isUnpublished?: boolean;
  /** Options of the run whose report is published. */
  published?: string[];
  measure(options: BenchOptions): Report | Promise<Report>;
  tables(report: Report): Table[];
  blocks?(report: Report): MeasuredBlock[];
  quotes?(report: Report): Quote[];
}

/** Names of the benches, in the order of the tables. */
// deno-fmt-ignore
export const BENCHES = [
  "compare", "select", "stream", "validate", "memory", "first-calls", "guards", "http", "parts", "peers", "regress", "bundles",
];

/** Loads a single bench, since V8 optimises code for everything that ran before. */
export async function openBench(name: string): Promise<Bench> {
  return (await import(`../${name.replace("-", "_")}.ts`)).bench;
}

const SHARED_HELP: Record<string, string> = {
  "only REGEX": "measure rows whose name matches",
  "quick": "do less work, to try the command",
  "node PATH": "program of Node.js (default: node)",
  "bun PATH": "program of Bun (default: bun)",
  "json": "print one JSON object on standard output",
};

export function helpOf(name: string, { help, options, takesFiles }: Bench): string {
  const lines = Object.entries({ ...options, ...SHARED_HELP }).map(([option, words]) => {
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

export function readOptions(
  { options = {}, takesFiles = false }: Bench,
  args: string[],
): BenchOptions & { json: boolean; help: boolean } {
  const own = Object.keys(options).map((option): [string, { type: "string" | "boolean" }] => {
    const [name, value] = option.split(" ");
    return [name, { type: value === undefined ? "boolean" : "string" }];
  });
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: takesFiles,
    options: {
      ...Object.fromEntries(own),
      only: { type: "string", default: "" },
      node: { type: "string", default: "node" },
      bun: { type: "string", default: "bun" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const ownValues = values as Record<string, string | boolean | undefined>;
  const { only, quick, ...others } = values;
  return {
    ...others,
    only: new RegExp(only),
    isQuick: quick,
    effort: effortOf(quick),
    paths: positionals,
    has: (name) => ownValues[name] === true,
    text: (name) => ownValues[name] as string | undefined,
    number(name, byDefault, minimum = Number.MIN_VALUE) {
      const text = ownValues[name] ?? String(byDefault);
      const value = Number(text);
      if (text !== "" && value >= minimum && value < Infinity) return value;
      throw new RangeError(`--${name} takes a number from ${minimum} up, not '${text}'`);
    },
  };
}
