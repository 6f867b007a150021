/** Bench of JSON servers under load by k6. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import { findK6, putUnderLoad, ServerProcess } from "./http/load.ts";
import { PIPELINES } from "./http/pipelines.ts";
import type { Collections } from "./http/server.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { generate } from "./support/documents.ts";
import { takeTurns } from "./support/bench_lanes.ts";
import type { Table } from "./support/markdown_page.ts";
import { otherRuntimes, type Runtime, THIS_RUNTIME, withFolder } from "./support/runtimes.ts";

/** Sizes of bodies, and the number of times that each server is started for them. */
const BODIES: [bytes: number, rounds: number][] = [[1_000, 1], [1_000_000, 1], [10_000_000, 3]];
/** Seconds of load on a server, after a second to warm it up. */
const SECONDS = 2;

const NATIVE = "native";
/** Ways that only show something new with the largest bodies. */
const LARGE_ONLY = ["native + detach", "readBytes + parseBinary + detach"];
/** Ways besides native; the page shows the memory of all but the last. */
const WAYS = [
  "native + detach",
  "parseBinary + detach",
  "readBytes + parseBinary + detach",
  "parseStream",
  "readJson",
  "native in one call",
];
const SHOWN_MEMORY = WAYS.slice(0, -1);

interface LoadRow {
  runtime: string;
  bytes: number;
  pipeline: string;
  /** Median time of a request. */
  milliseconds: number;
  requestsPerSecond: number;
  /** Requests per second over those of native. */
  ratio: number;
  /** Garbage collections; absent if the engine does not report them. */
  collections?: Collections;
  /** Highest resident set; absent if there is no `/proc`. */
  peak?: number;
  /** Signal or exit code that ended the server, if it did not survive. */
  death?: string;
  failed: number;
}

/** Posts a body for a second, so that a server has compiled its code and its heap has grown. */
async function warmUp(address: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  for (const end = performance.now() + 1000; performance.now() < end;) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(address, { method: "POST", headers, body }).catch(() => undefined);
    await response?.text().catch(() => undefined);
    if (!response?.ok) return;
  }
}

/** Returns the collections of a server since it was asked last. */
async function takeCollections(address: string): Promise<Collections | undefined> {
  const response = await fetch(address).catch(() => undefined);
  return await response?.json().catch(() => undefined) ?? undefined;
}

interface Settings {
  /** File with the body. */
  path: string;
  body: Uint8Array<ArrayBuffer>;
  /** Bytes of memory; 0 for no cap. */
  cap: number;
  clients: number;
  seconds: number;
}

/** Puts a new server under load. No other is running: idle ones would return their memory. */
async function measureServer(
  k6: string,
  runtime: Runtime,
  pipeline: string,
  { path, body, cap, clients, seconds }: Settings,
) {
  const server = new ServerProcess(runtime, pipeline, cap);
  try {
    const address = await server.address();
    await warmUp(address, body);
    await takeCollections(address);
    const load = { targets: { [pipeline]: address }, body: path, clients, rounds: 1, turn: seconds };
    const { [pipeline]: figures } = await putUnderLoad(k6, load);
    const collections = server.death === undefined ? await takeCollections(address) : undefined;
    return { ...figures, collections, peak: server.peak, death: server.death };
  } finally {
    await server.stop();
  }
}

/** Measures the ways in separate servers, which take turns. */
async function measure(
  k6: string,
  runtime: Runtime,
  [bytes, rounds]: [number, number],
  options: BenchOptions,
): Promise<LoadRow[]> {
  return await withFolder(async (folder) => {
    const path = join(folder, "body.json");
    const body = generate("records", bytes) as Uint8Array<ArrayBuffer>;
    writeFileSync(path, body);
    const isLarge = bytes === BODIES.at(-1)![0];
    const pipelines = Object.keys(PIPELINES).filter((name) => isLarge || !LARGE_ONLY.includes(name));
    const settings = {
      path,
      body,
      cap: options.number("cap", 300, 0) * 1e6,
      clients: Math.ceil(options.number("clients", 1, 1)),
      seconds: options.isQuick ? 1 : options.number("seconds", SECONDS, 1),
    };
    const runs: Record<string, Awaited<ReturnType<typeof measureServer>>[]> = {};
    await takeTurns(pipelines, options.isQuick ? 1 : options.number("rounds", rounds, 1), async (pipeline) => {
      showProgress(`${runtime.name}, ${formatDecimalBytes(bytes)}, ${pipeline}`);
      (runs[pipeline] ??= []).push(await measureServer(k6, runtime, pipeline, settings));
    });
    const rateOf = (pipeline: string): number =>
      median(runs[pipeline].map(({ requests, failed, seconds }) => (requests - failed) / seconds));
    return pipelines.map((pipeline): LoadRow => {
      const peaks = runs[pipeline].flatMap(({ peak }) => peak ?? []);
      const deaths = runs[pipeline].flatMap(({ death }) => death ?? []);
      const [collections] = runs[pipeline].flatMap(({ collections }) => collections ?? []);
      return {
        runtime: runtime.name,
        bytes,
        pipeline,
        milliseconds: median(runs[pipeline].map(({ milliseconds }) => milliseconds.med)),
        requestsPerSecond: rateOf(pipeline),
        ratio: rateOf(pipeline) / rateOf(NATIVE),
        ...collections !== undefined && { collections },
        ...peaks.length > 0 && { peak: Math.max(...peaks) },
        ...deaths.length > 0 && { death: deaths[0] },
        failed: runs[pipeline].reduce((sum, { failed }) => sum + failed, 0),
      };
    });
  });
}

/** Lays out native's median, the requests per second relative to native, and the memory. */
function summaryTable(rows: readonly LoadRow[]): Table {
  const isMeasured = (pipeline: string): boolean => rows.some((row) => row.pipeline === pipeline);
  const ways = WAYS.filter(isMeasured);
  const sets = [NATIVE, ...SHOWN_MEMORY].filter(isMeasured);
  const loads = Map.groupBy(rows, ({ runtime, bytes }) => `${runtime}, ${formatDecimalBytes(bytes)}`);
  return {
    header: ["runtime and body", `${NATIVE}, median`, ...ways, ...sets.map((pipeline) => `${pipeline} RSS`)],
    rows: [...loads].map(([load, servers]) => {
      const of = (pipeline: string): LoadRow | undefined => servers.find((server) => server.pipeline === pipeline);
      return [
        load,
        formatTime(of(NATIVE)!.milliseconds),
        ...ways.map((way) => {
          const server = of(way);
          return server === undefined ? "" : formatRatio(server.ratio) + (server.death === undefined ? "" : ", killed");
        }),
        ...sets.map((way) => {
          const peak = of(way)?.peak;
          return peak === undefined ? "" : formatDecimalBytes(peak);
        }),
      ];
    }),
  };
}

export const bench: Bench<{ rows: LoadRow[] }> = {
  help: `Posts a JSON document by k6 to servers of Deno.serve, node:http and Bun.serve, each in a separate
process with a cap on its memory. A server reads the whole body and parses it, by JSON.parse or by
parseBinary and detach; or parses it while it arrives, by parseStream; or does both by one call, the
shortest native one or readJson. Each server is the only one while it is under load, as in production.
Names of rows are "runtime body", such as "Deno 10 MB". k6 is found on the PATH or in Go's folder, or
built there.`,
  options: {
    "seconds N": `measure each server for N seconds, ${SECONDS} by default`,
    "rounds N": "start a server of each way N times",
    "clients N": "keep N requests in flight, 1 by default",
    "cap N": "cap the memory of each server at N MB, 300 by default; 0 for no cap",
  },
  async measure(options) {
    const k6 = findK6();
    let isInterrupted = false;
    process.on("SIGINT", () => isInterrupted = true); // k6 ends, and the servers are stopped
    const rows: LoadRow[] = [];
    for (const runtime of [THIS_RUNTIME, ...otherRuntimes(options)]) {
      for (const size of BODIES) {
        const load = `${runtime.name} ${formatDecimalBytes(size[0])}`;
        if (!options.only.test(load)) continue;
        rows.push(...await measure(k6, runtime, size, options));
        if (isInterrupted) throw new Error("Interrupted");
      }
    }
    return { rows };
  },
  tables: ({ rows }) => [{
    header: ["load", "median", "requests/s", "× native", "collections", "peak RSS", "server"],
    rows: rows.map((
      { runtime, bytes, pipeline, milliseconds, requestsPerSecond, ratio, collections, peak, death, failed },
    ) => [
      `${runtime} ${formatDecimalBytes(bytes)} ${pipeline}`,
      formatTime(milliseconds),
      requestsPerSecond.toFixed(requestsPerSecond < 100 ? 1 : 0),
      isFinite(ratio) ? formatRatio(ratio) : "",
      collections === undefined ? "" : `${collections.count}, ${formatTime(collections.milliseconds)}`,
      peak === undefined ? "" : formatDecimalBytes(peak),
      (death ?? "survived") + (failed > 0 ? `, ${failed} requests failed` : ""),
    ]),
  }],
  blocks: ({ rows }) => [{ page: "docs/servers-measured.md", heading: "Under load", content: summaryTable(rows) }],
  quotes({ rows }) {
    const server = (runtime: string, bytes: number, pipeline: string): LoadRow =>
      rows.find((row) => row.runtime === runtime && row.bytes === bytes && row.pipeline === pipeline)!;
    const detached = (runtime: string): string => formatRatio(server(runtime, 1e6, "parseBinary + detach").ratio);
    const streamed = (runtime: string): string => formatRatio(server(runtime, 1e7, "parseStream").ratio);
    const memory = server("Deno", 1e7, "parseStream").peak! / server("Deno", 1e7, NATIVE).peak!;
    return [
      {
        page: "README.md",
        words: `a Node.js server answers ${formatRatio(server("Node.js", 1e6, "readJson").ratio)} as many requests`,
      },
      {
        page: "docs/servers-measured.md",
        words: `${detached("Node.js")} as many requests in Node.js by \`parseBinary\` and \`detach\` as by native, ${
          detached("Deno")
        } in Deno and ${detached("Bun")} in Bun`,
      },
      {
        page: "docs/servers-measured.md",
        words: `Deno answers ${streamed("Deno")} as many and takes ${memory.toFixed(2)}× the memory`,
      },
      {
        page: "docs/streaming.md",
        words: `answer ${streamed("Deno")} as many requests with \`parseStream\` as with native in Deno, and ${
          streamed("Node.js")
        } in Node.js`,
      },
    ];
  },
};
