/**
 * Bench of parseBinary and other JSON parsers in Deno, Node.js and Bun, of queues and pools and
 * those of the runtimes, and of claims that others have published.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatRatio } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import {
  type Behaviour,
  FOLDER,
  LOADER,
  type measureOperations,
  type measureParsers,
  type observe,
  type observeNesting,
  type timeFirstCall,
} from "./processes/measure_peers.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { ALLOCATION, CLAIMS } from "./support/operations.ts";
import type { Table } from "./support/markdown_page.ts";
import { BASELINE, PEERS } from "./support/other_parsers.ts";
import { meanOf, named, ratioOf, type Row, rowsTable, waysOf } from "./support/rows.ts";
import { callInProcess, otherRuntimes, runCommand, type Runtime, THIS_RUNTIME } from "./support/runtimes.ts";

const MODULE = "processes/measure_peers.ts";
const PROCESSES = 3;

interface RuntimePeers {
  runtime: string;
  parsers: Row[];
  /** Milliseconds of the first call in a process, by parser. */
  firstCalls: Record<string, number>;
  operations: Row[];
}

interface PeerBehaviour extends Behaviour {
  name: string;
  nesting: string;
}

interface PeersReport {
  runtimes: RuntimePeers[];
  behaviours: PeerBehaviour[];
}

/** Installs the packages in {@linkcode FOLDER}, and a module that loads them, unless they are there. */
function install(): void {
  const packages = PEERS.flatMap(({ packageSpecifier }) => packageSpecifier ?? []);
  const installed = join(FOLDER, "installed.txt");
  if (existsSync(installed) && readFileSync(installed, "utf8") === packages.join("\n")) return;
  showProgress("installing packages");
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), '{ "private": true }'); // Deno and npm look for it
  writeFileSync(LOADER, "export const load = (path) => import(path);\n");
  const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  runCommand(["npm", "install", ...options, ...packages], { cwd: FOLDER });
  writeFileSync(installed, packages.join("\n"));
}

function measureRuntime(runtime: Runtime, { only, isQuick }: BenchOptions): RuntimePeers {
  showProgress(runtime.name);
  const options = { runtime, cwd: FOLDER };
  const parsers = only.test("parsers")
    ? callInProcess<typeof measureParsers>(MODULE, "measureParsers", [isQuick], options)
    : [];
  const firstCalls = waysOf(parsers).map((name) => {
    const times = Array.from({ length: isQuick ? 1 : PROCESSES }, () => {
      return callInProcess<typeof timeFirstCall>(MODULE, "timeFirstCall", [name], options);
    });
    return [name, median(times)];
  });
  const operations = only.test("operations")
    ? callInProcess<typeof measureOperations>(MODULE, "measureOperations", [isQuick], { runtime })
    : [];
  return { runtime: runtime.name, parsers, firstCalls: Object.fromEntries(firstCalls), operations };
}

function observePeer(runtime: Runtime, name: string): PeerBehaviour {
  const options = { runtime, cwd: FOLDER };
  const behaviour = callInProcess<typeof observe>(MODULE, "observe", [name], options);
  try {
    const nesting = callInProcess<typeof observeNesting>(MODULE, "observeNesting", [name], options);
    return { name, ...behaviour, nesting };
  } catch {
    return { name, ...behaviour, nesting: "crash" };
  }
}

function measurePeers(options: BenchOptions): PeersReport {
  const { only } = options;
  if (!["parsers", "operations"].some((part) => only.test(part))) {
    throw new Error(`Cannot compare: neither parsers nor operations match ${only}`);
  }
  if (only.test("parsers")) install();
  const runtimes = [
    { ...THIS_RUNTIME, command: [...THIS_RUNTIME.command, "--node-modules-dir=manual"] }, // for the packages
    ...otherRuntimes(options),
  ];
  const figures = runtimes.map((runtime) => measureRuntime(runtime, options));
  const behaviours = PEERS.flatMap(({ name }) => {
    // Node.js before Deno, whose Object.prototype lacks the accessor "__proto__".
    const able = runtimes.filter((_, i) => name in figures[i].firstCalls);
    const runtime = able.find((runtime) => runtime.name === "Node.js") ?? able[0];
    return runtime === undefined ? [] : [observePeer(runtime, name)];
  });
  return { runtimes: figures, behaviours };
}

/** Lays out the mean over all documents, and the first call, relative to native in each runtime. */
function meansTable(runtimes: readonly RuntimePeers[]): Table {
  const names = [...new Set(runtimes.flatMap(({ parsers }) => waysOf(parsers)))].filter((name) => name !== BASELINE);
  const mean = ({ parsers }: RuntimePeers, ours: string): number => meanOf(parsers, { ours, other: BASELINE });
  const first = ({ firstCalls }: RuntimePeers, name: string): number => firstCalls[BASELINE] / firstCalls[name];
  const titles = runtimes.map(({ runtime }) => runtime);
  return {
    header: ["× native", ...titles, ...titles.map((title) => `first call, ${title}`)],
    rows: names.map((name) => [
      name,
      ...[mean, first].flatMap((ratio) =>
        runtimes.map((figures) => name in figures.firstCalls ? formatRatio(ratio(figures, name)) : "")
      ),
    ]),
  };
}

/** Lays out the behaviour of the parsers with odd documents. */
function behavioursTable(behaviours: readonly PeerBehaviour[]): Table {
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

/** Lays out operations done our way and the usual way. */
function operationsTable(rows: readonly Row[]): Table {
  return {
    header: ["operation", "with bytejson", "ns", "alternative", "ns", "ratio"],
    rows: rows.map((row) => {
      const [other, ours] = waysOf([row]);
      const cells = [ours, other].flatMap((way) => [way, nanoseconds(row, way).toFixed(1)]);
      return [row.name, ...cells, formatRatio(ratioOf(row, { ours, other })!)];
    }),
  };
}

function nanoseconds({ milliseconds, parts }: Row, way: string): number {
  return 1e6 * milliseconds[way] / parts;
}

function claimsTable(runtimes: readonly RuntimePeers[]): Table {
  return {
    header: ["claim", "published", ...runtimes.map(({ runtime }) => runtime)],
    rows: CLAIMS.map(([claim, operation, way, base, published]) => [
      claim,
      formatRatio(published),
      ...runtimes.map(({ operations }) => {
        const row = operations.find(({ name }) => name === operation);
        const ratio = row && ratioOf(row, { ours: base, other: way });
        return ratio === undefined ? "" : formatRatio(ratio);
      }),
    ]),
  };
}

function allocationOf([{ operations }]: readonly RuntimePeers[]): Row[] {
  return operations.filter(({ name }) => ALLOCATION.some((operation) => operation.name === name));
}

export const bench: Bench<PeersReport> = {
  help: `Compares ways to make the value of a document in bytes, in Deno, Node.js and Bun: JSON.parse of the
decoded bytes, Response.json, parseBinary, and packages that it installs from npm into dist/peers.
Ratios are speeds over that of ${BASELINE} in the same runtime. Parsers of streams read the
document as one chunk. First calls are of 100 KB in new processes. Operations of queues and pools follow,
and claims that others have published. The rows are called "parsers" and "operations".`,
  measure: measurePeers,
  tables({ runtimes, behaviours }) {
    const isMeasured = runtimes[0].operations.length > 0;
    return [
      ...runtimes.map(({ runtime, parsers }) => rowsTable(runtime, parsers, [])),
      behavioursTable(behaviours),
      ...isMeasured ? [operationsTable(allocationOf(runtimes)), claimsTable(runtimes)] : [],
    ].filter(({ rows }) => rows.length > 0);
  },
  blocks: ({ runtimes, behaviours }) => [
    { page: "docs/comparison.md", heading: "Figures", content: meansTable(runtimes) },
    { page: "docs/comparison.md", heading: "Behaviour", content: behavioursTable(behaviours) },
    { page: "docs/memory.md", heading: "Queues, slices and pools", content: operationsTable(allocationOf(runtimes)) },
    { page: "docs/background.md", heading: "Claims", content: claimsTable(runtimes) },
  ],
  quotes({ runtimes }) {
    const timeOf = (operation: string, way: string): string =>
      nanoseconds(named(runtimes[0].operations, operation), way).toFixed(0);
    const page = "docs/memory.md";
    return [
      { page, words: `freeing 64 B takes about ${timeOf("allocate 64 B and free", "PoolAllocator")} ns` },
      {
        page,
        words: `takes about ${timeOf("a chunk through a queue of 1000", "ChunkQueue")} ns in a queue of any length`,
      },
    ];
  },
};
