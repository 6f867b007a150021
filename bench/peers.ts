/**
 * Compares parseBinary with other parsers of JSON in Deno, Node.js and Bun: time, first calls, and
 * what they make of odd documents. `--help` lists the options.
 *
 * @module
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import type { BehaviourReading, WarmReading } from "./processes/peer_child.ts";
import { readOptions } from "./support/options.ts";
import { BASELINE, PEERS } from "./support/peers.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

/** Rounds of the measurement, and processes for each first call. */
const ROUNDS = 9;
const PROCESSES = 3;

const HELP = `deno task bench peers [options]

Compares ways to make the value of a document in bytes: JSON.parse of the decoded bytes,
Response.json, parseBinary, and packages that it installs from npm into a temporary folder. They
take turns in one process of each runtime; times are medians of ${ROUNDS} rounds. Ratios are speeds over
that of ${BASELINE} in the same runtime: above 1, faster. Parsers of streams read the document
as one chunk. First calls are of 100 KB in new processes.

  --node PATH    program of Node.js (default: node)
  --bun PATH     program of Bun (default: bun)
  --folder PATH  folder for the packages, kept for the next time
  --quick        take three rounds and one process
  --json         print one JSON object on standard output`;

const CHILD = fileURLToPath(new URL("processes/peer_child.ts", import.meta.url));

/** Figures of one parser in one runtime. */
export interface PeerRow {
  name: string;
  /** Speed over that of the first parser, by document. */
  ratios: Record<string, number>;
  /** Milliseconds of the first call in a process. */
  firstCall: number;
}

/** Figures of every parser in one runtime. */
export interface RuntimePeers {
  runtime: string;
  rows: PeerRow[];
}

/** Behaviour of one parser. */
export interface PeerBehaviour extends BehaviourReading {
  name: string;
  /** Result for 100,000 levels of arrays. */
  nesting: string;
}

/** Figures and behaviours. */
export interface PeerReport {
  runtimes: RuntimePeers[];
  behaviours: PeerBehaviour[];
}

/** Installs the packages, and a module that loads them. */
function install(folder: string): void {
  const packages = PEERS.flatMap(({ packageSpecifier }) => packageSpecifier ?? []);
  const options = ["install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, "--loglevel=error"];
  const { status, error } = spawnSync("npm", [...options, ...packages], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`Cannot install ${packages.join(", ")}: npm failed ${error?.message ?? ""}`);
  writeFileSync(join(folder, "package.json"), '{ "private": true }'); // Deno looks for it
  writeFileSync(join(folder, "load.mjs"), "export const load = (path) => import(path);\n");
}

/** Runs the child in a runtime. Returns `undefined` where there is no such runtime. */
function runChild<T>(program: string[], args: string[]): T | undefined {
  const { status, stdout, stderr, error } = spawnSync(program[0], [...program.slice(1), CHILD, ...args], {
    cwd: args[0],
    encoding: "utf8",
  });
  if ((error as { code?: string } | undefined)?.code === "ENOENT") return undefined;
  if (status !== 0) throw new Error(`Cannot measure: ${program[0]} ${args.slice(1).join(" ")} failed:\n${stderr}`);
  return JSON.parse(stdout);
}

function measureRuntime(program: string[], folder: string, quick: boolean): RuntimePeers | undefined {
  const warm = runChild<WarmReading>(program, [folder, "warm", String(quick ? 3 : ROUNDS)]);
  if (warm === undefined) return undefined;
  const { runtime, times } = warm;
  const names = Object.keys(times);
  const firstCalls = new Map(names.map((name): [string, number[]] => [name, []]));
  for (let process = 0; process < (quick ? 1 : PROCESSES); process++) {
    for (const [name, samples] of firstCalls) samples.push(runChild<number>(program, [folder, "cold", name])!);
  }
  const rows = names.map((name): PeerRow => ({
    name,
    ratios: Object.fromEntries(
      Object.entries(times[name]).map((
        [document, milliseconds],
      ) => [document, times[BASELINE][document] / milliseconds]),
    ),
    firstCall: median(firstCalls.get(name)!),
  }));
  return { runtime, rows };
}

/** Tries a parser with odd documents. */
function tryPeer(program: string[], folder: string, name: string): PeerBehaviour {
  const behaviour = runChild<BehaviourReading>(program, [folder, "behaviour", name])!;
  let nesting: string;
  try {
    nesting = runChild<string>(program, [folder, "depth", name])!;
  } catch {
    nesting = "crash";
  }
  return { name, ...behaviour, nesting };
}

function compare(folder: string, node: string, bun: string, quick: boolean): PeerReport {
  showProgress("installing packages");
  install(folder);
  const programs = [
    [bun],
    [process.execPath, "run", "--quiet", "--node-modules-dir=manual", "--allow-all"],
    [node, "--disable-warning=ExperimentalWarning"],
  ];
  const runtimes: (RuntimePeers & { program: string[] })[] = [];
  for (const program of programs) {
    showProgress(program[0]);
    const figures = measureRuntime(program, folder, quick);
    if (figures === undefined) console.error(`Left out: there is no ${program[0]} on this machine`);
    else runtimes.push({ ...figures, program });
  }
  const behaviours = PEERS.flatMap(({ name }) => {
    // In Node.js where it runs there: Deno has no accessor "__proto__" on Object.prototype.
    const figures = runtimes.findLast(({ rows }) => rows.some((row) => row.name === name));
    if (figures === undefined) return [];
    showProgress(name);
    return [tryPeer(figures.program, folder, name)];
  });
  showProgress("");
  return { runtimes: runtimes.map(({ runtime, rows }) => ({ runtime, rows })), behaviours };
}

/** Returns the rows of a runtime, with a header. */
export function peersTable({ runtime, rows }: RuntimePeers): { header: string[]; rows: string[][] } {
  const documents = Object.keys(rows[0].ratios);
  return {
    header: [runtime.split(" ").slice(0, 2).join(" "), ...documents, "first call"],
    rows: rows.map(({ name, ratios, firstCall }) => [
      name,
      ...documents.map((document) => formatRatio(ratios[document])),
      formatTime(firstCall),
    ]),
  };
}

/** Returns the behaviours of the parsers, with a header. */
export function behavioursTable(behaviours: PeerBehaviour[]): { header: string[]; rows: string[][] } {
  return {
    header: ["", "accepts", "malformed UTF-8", "`__proto__`", "100,000 levels", "tells the line"],
    rows: behaviours.map(({ name, accepted, malformedUtf8, proto, nesting, tellsLine }) => [
      name,
      accepted.length === 0 ? "JSON only" : `JSON and ${accepted[0]}`,
      malformedUtf8,
      proto,
      nesting,
      tellsLine ? "yes" : "no",
    ]),
  };
}

function main(): void {
  const { node = "node", bun = "bun", folder, quick, json } = readOptions(HELP, {
    switches: ["quick", "json"],
    values: ["node", "bun", "folder"],
  });
  const target = folder ?? mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    const report = compare(target, node, bun, quick);
    if (json) return console.log(JSON.stringify(report, null, 2));
    const tables = [...report.runtimes.map(peersTable), behavioursTable(report.behaviours)];
    console.log(tables.map(({ header, rows }) => renderTable(header, rows)).join("\n\n"));
  } finally {
    if (folder === undefined) rmSync(target, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
