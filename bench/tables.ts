/**
 * Measures what is in tables of docs/, and writes the tables. `--help` lists the options.
 *
 * @module
 */

import { bold, setColorEnabled } from "@std/fmt/colors";
import { format as formatDuration } from "@std/fmt/duration";
import { spawnSync } from "node:child_process";
import { delimiter, dirname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import type { LoadRow } from "./http/load.ts";
import { publishedTable, runtimeTable, summaryTable } from "./http/report.ts";
import { MEASUREMENTS } from "./seeds/measurements.ts";
import { claimRows, type Result, tableOf } from "./seeds/report.ts";
import type { OperationRow } from "./support/operations.ts";
import { readOptions } from "./support/options.ts";
import { readTable, replaceTable, type Table } from "./support/page.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MEASUREMENTS_PAGE = "measurements.md";
const CLAIMS_HEADING = "In short";

const HELP = `deno task bench:tables [options] [NAME…]

Measures, and writes the tables of docs/ that have the figures. Each NAME takes less than ten
minutes; without any, all are measured, one after the other.

  ${MEASUREMENTS.map(({ name }) => name).join(", ")}
             as bench:seeds does, for measurements.md
  http       as bench:http does, for servers.md and measurements.md
  read       as bench:read does, for allocation.md
  queue      as bench:queue does, for allocation.md
  pool       as bench:pool does, for allocation.md

  --node PATH    measure this Node.js instead of the one on the PATH; bench:seeds takes several,
                 the others the first
  --bun PATH     measure this Bun instead of the one on the PATH
  --quick        do less work, to try the command
  --folder PATH  write to pages in this folder instead of docs`;

const { operands, node, bun, quick, folder = resolve(ROOT, "docs") } = readOptions(HELP, {
  switches: ["quick"],
  values: ["folder"],
  lists: ["node", "bun"],
  takesOperands: true,
});

/** Runs a bench in a process of its own, and returns what it prints with `--json`. */
function runBench(bench: string, options: string[]): unknown {
  const folders = [node[0], bun[0]].flatMap((path) => path?.includes("/") ? dirname(resolve(path)) : []);
  const { status, stdout } = spawnSync(
    Deno.execPath(),
    [
      "run",
      "--quiet",
      `--import-map=${resolve(ROOT, "imports.npm.json")}`,
      "--allow-all",
      `bench/${bench}.ts`,
      "--json",
    ]
      .concat(options),
    {
      cwd: ROOT,
      env: { ...process.env, PATH: [...folders, process.env.PATH].join(delimiter) },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`Cannot measure by bench/${bench}.ts`);
  return JSON.parse(stdout);
}

/** Changes a page. */
async function edit(name: string, change: (page: string) => string): Promise<void> {
  const path = resolve(folder, name);
  await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
  const args = ["fmt", "--quiet", "--config", resolve(ROOT, "deno.json"), path];
  if (spawnSync(Deno.execPath(), args, { stdio: "inherit" }).status !== 0) throw new Error(`Cannot format ${path}`);
}

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

async function writeMeasurement(name: string): Promise<void> {
  const options = [
    "--only",
    `^${name}$`,
    ...node.flatMap((path) => ["--node", path]),
    ...bun.flatMap((path) => ["--bun", path]),
  ];
  const { runtimes, results } = runBench("seeds", [...options, ...(quick ? ["--quick"] : [])]) as {
    runtimes: string[];
    results: Result[];
  };
  const measurement = MEASUREMENTS.find((measurement) => measurement.name === name)!;
  for (const result of results) { // none, if the measurement was left out
    await edit(MEASUREMENTS_PAGE, (page) => {
      const written = replaceTable(page, measurement.section, tableOf(measurement, result, runtimes));
      return withClaims(written, runtimes, claimRows(measurement, result, runtimes));
    });
  }
}

async function writeLoads(): Promise<void> {
  const { rows } = runBench("http/load", quick ? ["--seconds", "5"] : []) as { rows: LoadRow[] };
  const byRuntime = [...Map.groupBy(rows, ({ runtime }) => runtime)];
  await edit("servers.md", (page) =>
    byRuntime.reduce(
      (page, [runtime, rows]) => replaceTable(page, runtime, runtimeTable(rows)),
      replaceTable(page, "Under load", summaryTable(rows)),
    ));
  await edit(MEASUREMENTS_PAGE, (page) =>
    byRuntime.reduce(
      (page, [runtime, rows]) => replaceTable(page, `Servers of ${runtime}`, publishedTable(rows)),
      page,
    ));
}

/** Row of bench:read. */
interface ReadRow {
  runtime: string;
  reader: string;
  peak: number;
  milliseconds: number;
}

async function writeReaders(): Promise<void> {
  const { size, rows } = runBench("read_bytes", quick ? ["--quick"] : []) as { size: number; rows: ReadRow[] };
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))];
  const cell = ({ peak, milliseconds }: ReadRow): string =>
    `${formatDecimalBytes(peak)}, ${formatRatio(peak / size)}, ${formatTime(milliseconds)}`;
  const table: Table = {
    header: ["way", ...runtimes],
    rows: [...Map.groupBy(rows, ({ reader }) => reader)].map(([reader, rows]) => [
      reader,
      ...runtimes.map((runtime) => rows.filter((row) => row.runtime === runtime).map(cell).join()),
    ]),
  };
  await edit("allocation.md", (page) => replaceTable(page, "readBytes", table));
}

/** Lays out operations of the same contestants. */
function operationsTable(rows: OperationRow[], ours: string): Table {
  const names = Object.keys(rows[0].nanoseconds);
  const others = names.slice(0, -1);
  const hasGoal = rows.some(({ goal }) => goal !== undefined);
  return {
    header: ["ns", ...others, ours, ...others.map((name) => `× ${name}`), ...(hasGoal ? ["goal"] : [])],
    rows: rows.map(({ name, nanoseconds, ratios, goal }) => [
      name,
      ...names.map((name) => nanoseconds[name].toFixed(1)),
      ...ratios.map(formatRatio),
      ...(hasGoal ? [goal === undefined ? "" : formatRatio(goal)] : []),
    ]),
  };
}

async function writeOperations(bench: string, tables: [heading: string, rows: RegExp, ours: string][]): Promise<void> {
  const { rows } = runBench(bench, quick ? ["--quick"] : []) as { rows: OperationRow[] };
  await edit("allocation.md", (page) =>
    tables.reduce(
      (page, [heading, pattern, ours]) =>
        replaceTable(page, heading, operationsTable(rows.filter(({ name }) => pattern.test(name)), ours)),
      page,
    ));
}

/** What measures and writes, by name. */
const JOBS: Record<string, () => Promise<void>> = {
  ...Object.fromEntries(MEASUREMENTS.map(({ name }) => [name, () => writeMeasurement(name)])),
  http: writeLoads,
  read: writeReaders,
  queue: () => writeOperations("queue", [["ChunkQueue", /^/, "ChunkQueue"]]),
  pool: () =>
    writeOperations("pool", [["Slice", /^slice/, "new Slice"], ["PoolAllocator", /^(?!slice)/, "PoolAllocator"]]),
};

async function main(): Promise<void> {
  setColorEnabled(Deno.stderr.isTerminal() && !Deno.noColor);
  const unknown = operands.filter((name) => !(name in JOBS));
  if (unknown.length > 0) {
    throw new Error(`Cannot measure ${unknown.join(", ")}: there are ${Object.keys(JOBS).join(", ")}`);
  }
  for (const name of operands.length > 0 ? operands : Object.keys(JOBS)) {
    const start = performance.now();
    await JOBS[name]();
    const seconds = Math.round((performance.now() - start) / 1e3);
    console.error(`${bold(name)}: ${formatDuration(seconds * 1e3, { ignoreZero: true }) || "0s"}`);
  }
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
