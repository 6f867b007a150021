/**
 * Bench of parseBinary beside other parsers of JSON in Deno, Node.js and Bun, of queues and pools
 * beside what the runtimes have, and of claims that others have published.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatRatio, formatTime } from "../measure/number_format.ts";
import { geometricMean, median } from "../measure/statistics.ts";
import type { BehaviourReading, OperationRow, WarmReading } from "./processes/peer_child.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { ALLOCATION, CLAIMS } from "./support/operations.ts";
import type { Table } from "./support/page.ts";
import { BASELINE, PEERS } from "./support/peers.ts";
import { named } from "./support/rows.ts";
import { otherRuntimes, runProgram, type Runtime, THIS_RUNTIME, withFolder } from "./support/runtimes.ts";

const CHILD = "bench/processes/peer_child.ts";
/** Processes for each first call. */
const PROCESSES = 3;

/** Figures of one parser in one runtime. */
interface PeerRow {
  name: string;
  /** Speed over that of the first parser, by document. */
  ratios: Record<string, number>;
  /** Milliseconds of the first call in a process. */
  firstCall: number;
}

/** Figures of one runtime. */
export interface RuntimePeers {
  runtime: string;
  parsers: PeerRow[];
  operations: OperationRow[];
}

/** Behaviour of one parser. */
interface PeerBehaviour extends BehaviourReading {
  name: string;
  /** Result for 100,000 levels of arrays. */
  nesting: string;
}

interface PeersReport {
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

/** Returns the runtime with what it needs to import packages of a folder. */
function withPackages({ name, command }: Runtime): Runtime {
  return { name, command: name === "Deno" ? [...command, "--node-modules-dir=manual"] : command };
}

function measureParsers(runtime: Runtime, folder: string, isQuick: boolean): PeerRow[] {
  const run = <T>(...args: string[]): T => runProgram<T>(CHILD, [folder, ...args], { runtime, cwd: folder });
  const { times } = run<WarmReading>("warm", isQuick ? "quick" : "");
  return Object.entries(times).map(([name, ofPeer]) => {
    const calls = Array.from({ length: isQuick ? 1 : PROCESSES }, () => run<number>("cold", name));
    const ratios = Object.entries(ofPeer).map(([document, time]) => [document, times[BASELINE][document] / time]);
    return { name, ratios: Object.fromEntries(ratios), firstCall: median(calls) };
  });
}

/** Tries a parser with odd documents. */
function tryPeer(runtime: Runtime, folder: string, name: string): PeerBehaviour {
  const options = { runtime, cwd: folder };
  const behaviour = runProgram<BehaviourReading>(CHILD, [folder, "behaviour", name], options);
  let nesting: string;
  try {
    nesting = runProgram<string>(CHILD, [folder, "depth", name], options);
  } catch {
    nesting = "crash";
  }
  return { name, ...behaviour, nesting };
}

async function measurePeers(options: BenchOptions): Promise<PeersReport> {
  const { only, isQuick } = options;
  const [hasParsers, hasOperations] = [only.test("parsers"), only.test("operations")];
  if (!hasParsers && !hasOperations) throw new Error(`Cannot compare: neither parsers nor operations match ${only}`);
  const runtimes = [THIS_RUNTIME, ...otherRuntimes(options)].map(withPackages);
  return await withFolder((folder) => {
    if (hasParsers) {
      showProgress("installing packages");
      install(folder);
    } else writeFileSync(join(folder, "load.mjs"), "export const load = undefined;\n");
    const figures = runtimes.map((runtime): RuntimePeers => {
      showProgress(runtime.name);
      const operations = (): OperationRow[] =>
        runProgram(CHILD, [folder, "operations", isQuick ? "quick" : ""], { runtime });
      return {
        runtime: runtime.name,
        parsers: hasParsers ? measureParsers(runtime, folder, isQuick) : [],
        operations: hasOperations ? operations() : [],
      };
    });
    const behaviours = PEERS.flatMap(({ name }) => {
      // Node.js before Deno, which has no accessor "__proto__" on Object.prototype.
      const able = runtimes.filter((_, i) => figures[i].parsers.some((row) => row.name === name));
      const runtime = able.find((runtime) => runtime.name === "Node.js") ?? able[0];
      return runtime === undefined ? [] : [tryPeer(runtime, folder, name)];
    });
    return { runtimes: figures, behaviours };
  });
}

/** Lays out the mean over all documents, and the first call, relative to native in each runtime. */
export function meansTable(runtimes: readonly RuntimePeers[]): Table {
  const names = [...new Set(runtimes.flatMap(({ parsers }) => parsers.map(({ name }) => name)))];
  const cell = ({ parsers }: RuntimePeers, name: string, isFirstCall: boolean): string => {
    const row = parsers.find((row) => row.name === name);
    if (row === undefined) return "";
    return formatRatio(isFirstCall ? parsers[0].firstCall / row.firstCall : geometricMean(Object.values(row.ratios)));
  };
  const titles = runtimes.map(({ runtime }) => runtime);
  return {
    header: ["× native", ...titles, ...titles.map((title) => `first call, ${title}`)],
    rows: names.slice(1).map((name) => [
      name,
      ...[false, true].flatMap((isFirstCall) => runtimes.map((figures) => cell(figures, name, isFirstCall))),
    ]),
  };
}

/** Lays out what the parsers make of odd documents. */
export function behavioursTable(behaviours: readonly PeerBehaviour[]): Table {
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

/** Lays out the documents of each parser in a runtime. */
function parsersTable({ runtime, parsers }: RuntimePeers): Table {
  const documents = Object.keys(parsers[0]?.ratios ?? {});
  return {
    header: [runtime, ...documents, "first call"],
    rows: parsers.map(({ name, ratios, firstCall }) => [
      name,
      ...documents.map((document) => formatRatio(ratios[document])),
      formatTime(firstCall),
    ]),
  };
}

/** Lays out operations by our way, and by the way in its place. */
function operationsTable(rows: readonly OperationRow[]): Table {
  return {
    header: ["nanoseconds", "by", "", "instead of", "", "ratio"],
    rows: rows.map(({ name, nanoseconds }) => {
      const [other, ours] = Object.entries(nanoseconds);
      const cells = [ours, other].flatMap(([way, time]) => [way, time.toFixed(1)]);
      return [name, ...cells, formatRatio(other[1] / ours[1])];
    }),
  };
}

/** Lays out claims beside the ratios of each runtime. */
export function claimsTable(runtimes: readonly RuntimePeers[]): Table {
  return {
    header: ["claim", "published", ...runtimes.map(({ runtime }) => runtime)],
    rows: CLAIMS.map(([claim, operation, way, base, published]) => [
      claim,
      formatRatio(published),
      ...runtimes.map(({ operations }) => {
        const row = operations.find(({ name }) => name === operation);
        return row === undefined ? "" : formatRatio(row.nanoseconds[way] / row.nanoseconds[base]);
      }),
    ]),
  };
}

/** Returns the operations of allocation in Deno. */
function allocationOf([{ operations }]: readonly RuntimePeers[]): OperationRow[] {
  return operations.filter(({ name }) => ALLOCATION.some((operation) => operation.name === name));
}

/** `deno task bench peers`. */
export const bench: Bench<PeersReport> = {
  help: `Compares ways to make the value of a document in bytes, in Deno, Node.js and Bun: JSON.parse of the
decoded bytes, Response.json, parseBinary, and packages that it installs from npm into a temporary
folder. Ratios are speeds over that of ${BASELINE} in the same runtime. Parsers of streams
read the document as one chunk. First calls are of 100 KB in new processes. Then operations of queues
and pools, and claims that others have published. Their rows are called "parsers" and "operations".`,
  measure: measurePeers,
  tables({ runtimes, behaviours }) {
    const isMeasured = runtimes[0].operations.length > 0;
    return [
      ...runtimes.map(parsersTable),
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
      named(runtimes[0].operations, operation).nanoseconds[way].toFixed(0);
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
